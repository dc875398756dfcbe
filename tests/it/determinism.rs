//! Tests of determinism: the same world, seed and commands give the same run in every process.

use std::fmt::Write as _;
use std::fs;

use crate::support::{CPlugin, Finished, Setup, worlds};

/// A hundred different commands, each at a different step.
fn commands() -> String {
    (0..100_u32).fold(String::new(), |mut text, index| {
        let step = 37 + 29 * index;
        let (linear, angular) = (f64::from(index % 7) * 0.1, f64::from(index % 11) * 0.2 - 1.0);
        let message = format!("{{\"linear\":{{\"x\":{linear}}},\"angular\":{{\"z\":{angular}}}}}");
        let topic = if index % 2 == 0 { "/car1/cmd_vel" } else { "/car2/cmd_vel" };
        writeln!(text, "{{\"topic\":\"{topic}\",\"step\":{step},\"message\":{message}}}")
            .expect("a text grows");
        text
    })
}

/// Runs the demo world with those commands for three seconds.
fn run(seed: &str) -> Finished {
    let plugins = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging", "replay"];
    let setup = Setup::new().plugins(&plugins);
    let commands = setup.file("commands.jsonl", commands()).display().to_string();
    let hashes = setup.path("hashes");
    let setup = setup.run(&worlds().join("two_vehicles.sdf")).args(["--duration", "3s", "--seed", seed]);
    let setup = setup.arg("--hash-log").arg(hashes).bridge("*=logging:out/run.jsonl");
    setup.bridge(format!("car?=replay:{commands}")).finish().expect_code(0)
}

fn text(finished: &Finished, name: &str) -> String {
    fs::read_to_string(finished.path(name)).unwrap_or_else(|error| panic!("`{name}`: {error}\n{finished}"))
}

/// Fails with the first line that differs, instead of printing both files.
#[track_caller]
fn assert_equal_lines(first: &str, second: &str) {
    for (number, (one, other)) in first.lines().zip(second.lines()).enumerate() {
        assert_eq!(one, other, "line {}", number + 1);
    }
    assert_eq!(first.lines().count(), second.lines().count(), "number of lines");
}

#[test]
fn two_processes_with_the_same_commands_give_equal_hashes_and_logs() {
    let (first, second) = (run("7"), run("7"));
    let hashes = text(&first, "hashes");
    assert_eq!(hashes.lines().count(), 3000, "a line per step");
    assert_equal_lines(&hashes, &text(&second, "hashes"));

    let log = text(&first, "out/run.jsonl");
    assert!(
        log.contains("/car1/scan") && log.contains("/car2/odom") && log.contains("/clock"),
        "the log contains topics of both vehicles and the clock"
    );
    assert_equal_lines(&log, &text(&second, "out/run.jsonl"));
    assert_eq!(log, text(&second, "out/run.jsonl"));
    assert_eq!(first.result()["state_hash"], second.result()["state_hash"]);
}

#[test]
fn the_seed_changes_only_the_noise() {
    let (first, second) = (run("7"), run("8"));
    assert_equal_lines(&text(&first, "hashes"), &text(&second, "hashes"));
    let scans = |finished: &Finished| -> Vec<String> {
        let lines = finished.log("out/run.jsonl");
        lines
            .iter()
            .filter(|line| line.is_topic("/car1/scan"))
            .map(|line| line["message"].to_string())
            .collect()
    };
    assert_ne!(scans(&first), scans(&second));
}

/// Boxes fall, a chain swings and an actor walks; after the reset their motion has the same state hashes.
#[test]
fn a_run_after_a_reset_is_identical_to_the_first_one() {
    let world = "<sdf version='1.9'><world name='yard'>
        <plugin filename='resetter' name='resetter'><step>1200</step></plugin>
        <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
        <model name='low'><pose>0 0 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
        <model name='high'><pose>0.4 0.2 1.6 0.1 0.2 0.3</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
        <model name='chain'><pose>5 0 3 0 1 0</pose>
          <link name='a'><pose>0 0 -0.5 0 0 0</pose></link><link name='b'><pose>0 0 -1.5 0 0 0</pose></link><link name='c'><pose>0 0 -2.5 0 0 0</pose></link>
          <joint name='h1' type='revolute'><pose>0 0 0.5 0 0 0</pose><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz></axis></joint>
          <joint name='h2' type='revolute'><pose>0 0 0.5 0 0 0</pose><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>
          <joint name='h3' type='universal'><pose>0 0 0.5 0 0 0</pose><parent>b</parent><child>c</child><axis><xyz>0 1 0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2></joint>
        </model>
        <actor name='guard'><link name='body'><collision name='c'><geometry><box><size>0.5 0.5 2</size></box></geometry></collision></link>
          <script><trajectory id='0' type='walk'><waypoint><time>0</time><pose>-3 0 1 0 0 0</pose></waypoint>
            <waypoint><time>1</time><pose>0 0 1 0 0 0</pose></waypoint></trajectory></script></actor>
        </world></sdf>";
    let setup = Setup::new().fixtures(&["resetter"]).world(world);
    let finished = setup.args(["--duration", "1.5s", "--hash-log", "hashes.txt"]).finish().expect_code(0);
    let text = text(&finished, "hashes.txt");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1200 + 1500, "{finished}");
    let (first, again) = lines.split_at(1200);
    let differs = first.iter().zip(again).find(|(first, again)| first != again);
    assert_eq!(differs, None);
}

/// Boxes that tumble, with a plugin that changes the floating-point mode in the first steps, or does nothing.
fn tumble(fault: &str, at: &str) -> Finished {
    let boxes: String = (0..5)
        .map(|number| {
            format!(
                "<model name='b{number}'><pose>0.{number} 0.1{number} {number}.5 0.3 0.{number} 0.1</pose><link name='l'>
                 <collision name='c'><geometry><box><size>0.5 0.4 0.3</size></box></geometry></collision></link></model>"
            )
        })
        .collect();
    let ground = "<model name='g'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry>
        </collision></link></model>";
    let setup = Setup::new();
    CPlugin::breaker(&setup.plugin_folder().join("libbreaker.so"), fault, at).build();
    let plugin = "<plugin filename='breaker' name='breaker'/>";
    let world = format!("<sdf version='1.9'><world name='w'>{plugin}{ground}{boxes}</world></sdf>");
    setup.world(&world).args(["--duration", "2s"]).finish().expect_code(0)
}

#[test]
fn a_plugin_that_changes_the_floating_point_mode_changes_no_result() {
    let harmless = tumble("rounds_down", "never");
    let hash = harmless.result()["state_hash"].clone();
    assert!(hash.is_string());
    for fault in ["rounds_down", "flushes_to_zero", "enables_traps"] {
        let finished = tumble(fault, "sample").expect_message(&["BH-PLG-120"]);
        assert_eq!(finished.result()["state_hash"], hash, "{fault}");
        let errors = finished.result()["errors"].to_string();
        assert!(errors.contains("[BH-PLG-120] `sample` of plugin `breaker`"), "{errors}");
    }
}
