//! The contact sensor: it reports contacts from the first step to the last, with the force.

use super::{GRAVITY, heavy_world, log_of_rig};
use crate::support::{Line, Setup, assert_near};

const GROUND: &str =
    "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/>
    </geometry></collision></link></model>";

/// The steps with a contact.
fn touching(lines: &[Line]) -> Vec<u64> {
    let touches = |line: &&Line| {
        line.is_topic("/rig/contact")
            && line["message"]["states"].as_array().is_some_and(|states| !states.is_empty())
    };
    lines.iter().filter(touches).map(|line| line.count("stamp") / 1_000_000).collect()
}

#[test]
fn a_falling_ball_makes_contact_when_the_parabola_meets_the_ground() {
    for height in [0.05_f64, 0.2, 1.0] {
        let rig = format!(
            "{GROUND}<model name='rig'><pose>0 0 {} 0 0 0</pose><link name='body'><inertial><mass>1</mass>
            <inertia><ixx>0.004</ixx><iyy>0.004</iyy><izz>0.004</izz></inertia></inertial>
            <collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>
            <sensor name='skin' type='contact'><contact><collision>c</collision></contact></sensor></link></model>",
            height + 0.1
        );
        let lines = log_of_rig(&heavy_world(&rig), &["contact"], "0.6s");
        let first = touching(&lines)[0];
        #[expect(clippy::cast_precision_loss, reason = "hundreds")]
        let late = first as f64 - (2.0 * height / GRAVITY).sqrt() * 1000.0;
        // A velocity is that of the end of its step, so that a body falls up to a step early.
        assert!((-1.5..1.5).contains(&late), "contact {late} steps after the parabola from {height} m");
    }
}

#[test]
fn a_standing_box_presses_with_its_weight() {
    let rig = format!(
        "{GROUND}<model name='rig'><pose>0 0 0.1 0 0 0</pose><link name='body'><inertial><mass>3</mass>
        <inertia><ixx>0.02</ixx><iyy>0.02</iyy><izz>0.02</izz></inertia></inertial>
        <collision name='c'><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>
        <sensor name='skin' type='contact'><contact><collision>c</collision></contact></sensor></link></model>"
    );
    let lines = log_of_rig(&heavy_world(&rig), &["contact"], "1s");
    let last = lines.iter().rfind(|line| line.is_topic("/rig/contact")).expect("a message");
    let [x, y, z] = last.vector("/message/states/0/total_wrench/force");
    assert_near(z, 3.0 * GRAVITY, 0.01 * 3.0 * GRAVITY);
    assert_near(x.hypot(y), 0.0, 0.01 * 3.0 * GRAVITY);
    assert_eq!(last["message"]["states"][0]["collision2_name"], "ground::l::c");
}

/// Metres between slider and wall, and m/s of the slider.
const GAP: f64 = 0.05;
const SPEED: f64 = 0.5;
/// Newtons of its motor, and kilograms that it moves.
const EFFORT: f64 = 20.0;
const MASS: f64 = 1.0;
/// The step of the command that moves the slider back.
const BACK: u64 = 300;

#[test]
fn a_slider_has_contact_with_the_wall_from_its_arrival_to_its_departure() {
    let inertial =
        "<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>";
    let sdf = heavy_world(&format!(
        "<model name='wall'><static>true</static><pose>{} 0 1 0 0 0</pose><link name='l'><collision name='c'>
        <geometry><box><size>0.2 1 1</size></box></geometry></collision></link></model>
        <model name='rig'><pose>0 0 1 0 0 0</pose><link name='base'>{inertial}</link>
        <joint name='hold' type='fixed'><parent>world</parent><child>base</child></joint>
        <link name='slider'>{inertial}<collision name='c'><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>
        <sensor name='skin' type='contact'><contact><collision>c</collision></contact></sensor></link>
        <joint name='rail' type='prismatic'><parent>base</parent><child>slider</child><axis><xyz>1 0 0</xyz>
        <limit><effort>{EFFORT}</effort></limit></axis></joint>
        <plugin filename='joint_velocity' name='motor'><joint_name>rail</joint_name><topic>speed</topic>
        <initial_velocity>{SPEED}</initial_velocity></plugin></model>",
        0.2 + GAP
    ));
    let setup = Setup::new().plugins(&["contact", "joint_control", "logging", "replay"]);
    let back = format!("{{\"topic\":\"/rig/speed\",\"step\":{BACK},\"message\":{{\"data\":-{SPEED}}}}}\n");
    let commands = setup.file("commands.jsonl", back).display().to_string();
    let setup = setup.world(&sdf).args(["--strict", "--duration", "0.5s"]);
    let setup = setup.bridge("rig=logging:out/run.jsonl").bridge(format!("rig=replay:{commands}"));
    let steps = touching(&setup.finish().expect_code(0).log("out/run.jsonl"));
    // The motor accelerates at 20 m/s², from the second step on.
    let arrival = GAP / SPEED + SPEED / (2.0 * EFFORT / MASS) + 0.001;
    #[expect(clippy::cast_precision_loss, reason = "hundreds")]
    let late = steps[0] as f64 - arrival * 1000.0;
    assert!((-0.5..1.5).contains(&late), "contact {late} steps after the arrival of the slider");
    assert_eq!(steps.last(), Some(&BACK), "the command is latched in after the sample of its step");
    assert_eq!(steps.len() as u64, BACK + 1 - steps[0], "the contact has no gap");
}
