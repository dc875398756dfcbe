//! Vehicles on tracks and on mecanum wheels, and wheels that slip.

use std::f64::consts::FRAC_PI_2;
use std::fmt::Write as _;

use super::{command, inertial, last, positions, run, run_with, world};
use crate::support::{Finished, assert_near};

pub(crate) const GROUND: &str =
    "<model name='ground'><static>true</static><link name='l'><collision name='c'>
    <geometry><plane/></geometry></collision></link></model>";

/// A box of 40 kg on two boxes as tracks, with their corners at (±0.4, ±0.3).
pub(crate) fn tank() -> String {
    let mut text = format!(
        "<pose>0 0 0.1 0 0 0</pose><link name='base'><pose>0 0 0.1 0 0 0</pose>{}</link>",
        inertial(30.0, [0.8, 0.5, 0.2])
    );
    for (name, y) in [("left", 0.3), ("right", -0.3)] {
        write!(
            text,
            "<link name='{name}'><pose>0 {y} 0 0 0 0</pose>{}
             <collision name='belt'><geometry><box><size>0.8 0.001 0.2</size></box></geometry></collision></link>
             <joint name='{name}_joint' type='fixed'><parent>base</parent><child>{name}</child></joint>
             <plugin filename='gz-sim-track-controller-system' name='gz::sim::systems::TrackController'>
             <link>{name}</link><max_velocity>2</max_velocity></plugin>",
            inertial(5.0, [0.8, 0.1, 0.2])
        )
        .expect("a text grows");
    }
    // The efficiency of such tracks: y / √(x² + y²).
    text + "<plugin filename='gz-sim-tracked-vehicle-system' name='gz::sim::systems::TrackedVehicle'>
        <left_track><link>left</link></left_track><right_track><link>right</link></right_track>
        <tracks_separation>0.6</tracks_separation><steering_efficiency>0.6</steering_efficiency>
        <odom_topic>odom</odom_topic></plugin>"
}

/// A vehicle of 12 kg on wheels whose rollers hold along the diagonals only.
fn crab() -> String {
    let mut text =
        format!("<pose>0 0 0.1 0 0 0</pose><link name='chassis'>{}</link>", inertial(10.0, [0.6, 0.4, 0.1]));
    let wheels = [
        ("front_left", 0.2, 0.3),
        ("front_right", 0.2, -0.3),
        ("back_left", -0.2, 0.3),
        ("back_right", -0.2, -0.3),
    ];
    let mut joints = String::new();
    for (name, x, y) in wheels {
        let diagonal = if x * y > 0.0 { "1 -1 0" } else { "1 1 0" };
        write!(
            text,
            "<link name='{name}'><pose>{x} {y} 0 -1.5707963267948966 0 0</pose><inertial><mass>0.5</mass><inertia>
             <ixx>0.002</ixx><iyy>0.002</iyy><izz>0.003</izz></inertia></inertial>
             <collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry><surface><friction><ode>
             <mu>1</mu><mu2>0</mu2><fdir1 gz:expressed_in='chassis'>{diagonal}</fdir1></ode></friction></surface>
             </collision></link>
             <joint name='{name}_joint' type='continuous'><parent>chassis</parent><child>{name}</child>
             <axis><xyz>0 0 1</xyz></axis></joint>"
        )
        .expect("a text grows");
        write!(joints, "<{name}_joint>{name}_joint</{name}_joint>").expect("a text grows");
    }
    text + &format!(
        "<plugin filename='gz-sim-mecanum-drive-system' name='gz::sim::systems::MecanumDrive'>{joints}
         <wheel_separation>0.6</wheel_separation><wheelbase>0.4</wheelbase><wheel_radius>0.1</wheel_radius></plugin>"
    )
}

pub(crate) fn twist(x: f64, y: f64, turn: f64) -> String {
    format!("{{\"linear\":{{\"x\":{x},\"y\":{y}}},\"angular\":{{\"z\":{turn}}}}}")
}

/// The commands of a square: each side two metres in four seconds, each corner in two seconds.
fn square(topic: &str) -> String {
    let mut text = String::new();
    for side in 0..4 {
        let start = side * 6000 + 1;
        text += &command(topic, start, &twist(0.5, 0.0, 0.0));
        text += &command(topic, start + 4000, &twist(0.0, 0.0, FRAC_PI_2 / 2.0));
    }
    text + &command(topic, 24_001, &twist(0.0, 0.0, 0.0))
}

/// The corners of a square, of which each is 3 % of its side exact.
#[track_caller]
fn assert_square(finished: &Finished, vehicle: &str) {
    let poses = positions(&finished.log("out/run.jsonl"), vehicle);
    for (second, [x, y]) in [(4, [2.0, 0.0]), (10, [2.0, 2.0]), (16, [0.0, 2.0]), (22, [0.0, 0.0])] {
        let pose = poses[second * 10 - 1];
        let error = (pose[0] - x).hypot(pose[1] - y);
        assert!(error <= 0.03 * 2.0, "at {second} s: {pose:?} instead of {x} {y}\n{finished}");
    }
    let lines = finished.log("out/run.jsonl");
    let line = lines.iter().rfind(|line| line.is_topic(&format!("/{vehicle}/pose"))).expect("a pose");
    let [w, _, _, z] = line.quaternion("/message/pose/orientation");
    let heading = 2.0 * z.atan2(w);
    assert!(heading.sin().abs() < 0.03 * FRAC_PI_2, "{heading}");
}

#[test]
fn a_tracked_vehicle_drives_a_square() {
    let finished = run(&["traction"], &world(GROUND, &[("tank", &tank())]), &square("/tank/cmd_vel"), 25);
    assert_square(&finished, "tank");
}

/// A crate on a belt is accelerated by friction and then goes with it: v t - v² / (2 µ g). With the names of Gazebo.
#[test]
fn a_conveyor_takes_a_crate_along_until_its_command_expires() {
    let belt = "<static>true</static><link name='belt'><collision name='c'><geometry><box><size>8 1 0.2</size></box></geometry>
        </collision></link><plugin filename='gz-sim-track-controller-system' name='gz::sim::systems::TrackController'>
        <link>belt</link><max_velocity>0.5</max_velocity><max_command_age>2</max_command_age></plugin>";
    let freight = format!(
        "<pose>-2 0 0.2 0 0 0</pose><link name='l'>{}<collision name='c'><geometry><box><size>0.4 0.4 0.2</size></box>
         </geometry></collision></link>",
        inertial(8.0, [0.4, 0.4, 0.2])
    );
    let text = world("", &[("conveyor", belt), ("freight", &freight)]);
    let commands = command("/model/conveyor/link/belt/track_cmd_vel", 1000, "{\"data\":9.0}");
    let finished = run_with(&["traction"], &text, &commands, 4, &["--names", "gazebo"]);
    let poses = positions(&finished.log("out/run.jsonl"), "freight");
    let way = |seconds: f64| 0.5 * seconds - 0.25 / (2.0 * 9.8);
    // The belt starts a step late, and the crate has settled within a millimetre.
    assert_near(poses[9][0], -2.0, 1e-3);
    assert_near(poses[24][0], -2.0 + way(1.5), 3e-3);
    // It stops at 3 s, as it started.
    assert_near(poses[39][0], -2.0 + 0.5 * 2.0, 3e-3);
    let lines = finished.log("out/run.jsonl");
    let odometry =
        lines.iter().rfind(|line| line.is_topic("/model/conveyor/link/belt/odometry")).expect("odometry");
    assert_near(odometry.number("/message/pose/pose/position/x"), 0.5 * 2.0, 0.002);
}

#[test]
fn a_mecanum_vehicle_drives_a_square_forwards_and_sideways() {
    let crab = crab();
    let text =
        world(GROUND, &[("crab", &crab)]).replace("<sdf ", "<sdf xmlns:gz='http://gazebosim.org/schema' ");
    let finished = run(&["mecanum_drive"], &text, &square("/crab/cmd_vel"), 25);
    assert_square(&finished, "crab");
    // The same without turning: forwards, to the left, backwards, to the right.
    let topic = "/crab/cmd_vel";
    let sides = [(0.5, 0.0), (0.0, 0.5), (-0.5, 0.0), (0.0, -0.5), (0.0, 0.0)];
    let commands: String =
        (0..).zip(sides).map(|(side, (x, y))| command(topic, side * 4000 + 1, &twist(x, y, 0.0))).collect();
    let finished = run(&["mecanum_drive"], &text, &commands, 17);
    let poses = positions(&finished.log("out/run.jsonl"), "crab");
    for (second, [x, y]) in [(4, [2.0, 0.0]), (8, [2.0, 2.0]), (12, [0.0, 2.0]), (16, [0.0, 0.0])] {
        let pose = poses[second * 10 - 1];
        assert!((pose[0] - x).hypot(pose[1] - y) <= 0.06, "at {second} s: {pose:?}");
    }
}

/// A wheel that turns, on rails that keep it upright, slips with F · compliance · radius · rate / normal force.
#[test]
fn a_wheel_slips_along_its_axle_under_a_force() {
    let rate = 10.0;
    let car = format!(
        "<pose>0 0 0.3 0 0 0</pose><link name='wheel'><pose>0 0 0 -1.5707963267948966 0 0</pose>{}
         <collision name='c'><geometry><sphere><radius>0.3</radius></sphere></geometry>
         <surface><friction><ode><mu>1</mu><mu2>1</mu2><fdir1>0 0 1</fdir1></ode></friction></surface></collision></link>
         <link name='frame'>{}</link>
         <joint name='axle' type='continuous'><parent>frame</parent><child>wheel</child><axis><xyz>0 0 1</xyz></axis></joint>
         <joint name='rail' type='prismatic'><parent>slide</parent><child>frame</child><axis><xyz>1 0 0</xyz></axis></joint>
         <link name='slide'>{}</link><link name='mast'>{}</link>
         <joint name='side' type='prismatic'><parent>mast</parent><child>slide</child><axis><xyz>0 1 0</xyz></axis></joint>
         <joint name='lift' type='prismatic'><parent>world</parent><child>mast</child><axis><xyz>0 0 1</xyz></axis></joint>
         <plugin filename='gz-sim-joint-controller-system' name='gz::sim::systems::JointController'>
         <joint_name>axle</joint_name><initial_velocity>{rate}</initial_velocity></plugin>
         <plugin filename='gz-sim-wheel-slip-system' name='gz::sim::systems::WheelSlip'><wheel link_name='wheel'>
         <slip_compliance_lateral>0.05</slip_compliance_lateral><wheel_normal_force>100</wheel_normal_force>
         <wheel_radius>0.3</wheel_radius></wheel></plugin>",
        inertial(10.0, [0.4; 3]),
        inertial(1.0, [0.4; 3]),
        inertial(1.0, [0.4; 3]),
        inertial(1.0, [0.4; 3]),
    );
    let push = "<plugin filename='gz-sim-apply-link-wrench-system' name='gz::sim::systems::ApplyLinkWrench'><persistent>
        <entity_name>car::slide</entity_name><entity_type>link</entity_type><force>0 20 0</force></persistent></plugin>";
    let text = world(&format!("{GROUND}{push}"), &[("car", &car)]);
    let finished = run(&["traction", "external_force", "joint_control"], &text, "", 5);
    let poses = positions(&finished.log("out/run.jsonl"), "car");
    let speed = (poses[49][1] - poses[19][1]) / 3.0;
    assert_near(speed, 20.0 * 0.05 * 0.3 * rate / 100.0, 5e-4);
    assert!(last(&finished, "car")[0].abs() > 1.0, "the wheel rolls");
}
