//! Recorded commands, played back.

use std::fs;

use serde_json::json;

use crate::support::{Finished, Line, Served, Setup, eventually, worlds};

const PLUGINS: [&str; 5] = ["clock", "diff_drive", "imu", "logging", "replay"];

/// Prepares a run of the minimal vehicle for three seconds with recorded commands from this file.
fn play(setup: Setup, commands: &str) -> Setup {
    let setup = setup.plugins(&PLUGINS).run(&worlds().join("minimal_vehicle.sdf"));
    setup
        .args(["--duration", "3s"])
        .bridge("robot=logging:out/run.jsonl")
        .bridge(format!("robot=replay:{commands}"))
}

/// A command for a step, with the required members of a line only.
fn command(step: u64, speed: f64) -> String {
    format!("{{\"topic\":\"/robot/cmd_vel\",\"step\":{step},\"message\":{{\"linear\":{{\"x\":{speed}}}}}}}\n")
}

fn log_text(finished: &Finished) -> String {
    fs::read_to_string(finished.path("out/run.jsonl")).expect("the log")
}

#[test]
fn replayed_commands_of_a_run_give_the_same_run() {
    let setup = Setup::new();
    let commands =
        setup.file("by_hand.jsonl", (0..10).map(|i| command(100 + 211 * i, 0.1)).collect::<String>());
    let recorded = setup.path("recorded_commands.jsonl");
    let first = play(setup, commands.to_str().expect("UTF-8")).arg("--record-commands").arg(&recorded);
    let first = first.finish().expect_code(0);
    let lines = first.log("recorded_commands.jsonl");
    let steps: Vec<u64> = lines.iter().map(|line| line.count("step")).collect();
    assert_eq!(steps, (0..10).map(|i| 100 + 211 * i).collect::<Vec<u64>>());
    assert!(lines.iter().all(|line| line["type"] == "geometry_msgs/msg/Twist"), "{lines:?}");

    let second = play(Setup::new(), recorded.to_str().expect("UTF-8")).finish().expect_code(0);
    assert_eq!(log_text(&first), log_text(&second));
}

#[test]
fn commands_of_a_client_are_recorded_and_their_replay_gives_the_same_run() {
    let setup = Setup::new();
    let recorded = setup.path("recorded_commands.jsonl");
    let setup = setup.plugins(&PLUGINS).run(&worlds().join("minimal_vehicle.sdf"));
    let setup =
        setup.args(["--start", "paused", "--duration", "3s", "--hash-log", "hashes", "--record-commands"]);
    let host = Served::start(setup.arg(&recorded));
    eventually("paused", || host.status("step") == 0 && host.state() == 2);
    host.ok("step_simulation", json!({"steps": 150}));
    let drive = json!({"linear": {"x": 0.4}, "angular": {"z": 0.5}}).to_string();
    host.ok("publish_message", json!({"topic": "/robot/cmd_vel", "json": drive}));
    host.ok("resume", json!({}));
    let first = host.finish().expect_code(0);
    let lines = first.log("recorded_commands.jsonl");
    assert!(
        matches!(&lines[..], [line] if line.count("step") == 151 && line.is_topic("/robot/cmd_vel")),
        "{lines:?}"
    );

    let commands = recorded.to_str().expect("UTF-8");
    let second = play(Setup::new(), commands).args(["--hash-log", "hashes"]).finish().expect_code(0);
    let hashes = |finished: &Finished| fs::read_to_string(finished.path("hashes")).expect("the hashes");
    assert_eq!(hashes(&first), hashes(&second));
    assert_eq!(hashes(&first).lines().count(), 3000);
}

/// The first time at which the drive reports motion, in milliseconds.
fn first_motion(lines: &[Line]) -> u64 {
    let moving =
        |line: &&Line| line.is_topic("/robot/odom") && line.number("/message/twist/twist/linear/x") > 0.01;
    lines.iter().find(moving).expect("it moves").count("stamp") / 1_000_000
}

#[test]
fn a_command_takes_effect_in_its_step() {
    for step in [400, 800] {
        let setup = Setup::new();
        let commands = setup.file("commands.jsonl", command(step, 0.5));
        let finished = play(setup, commands.to_str().expect("UTF-8")).finish().expect_code(0);
        let moving_ms = first_motion(&finished.log("out/run.jsonl"));
        // Odometry is reported every 20 ms.
        assert!(
            (step..=step + 40).contains(&moving_ms),
            "commanded in step {step}, moving at {moving_ms} ms"
        );
    }
}

#[test]
fn an_invalid_line_is_reported_and_the_run_continues() {
    let setup = Setup::new();
    let commands = setup.file("commands.jsonl", format!("{}not json\n", command(100, 0.5)));
    let finished = play(setup, commands.to_str().expect("UTF-8")).finish().expect_code(0);
    let finished = finished.expect_message(&["BH-BRG-123", "commands.jsonl:2"]);
    assert_eq!(finished.result()["steps"], 3000);
}

#[test]
fn a_missing_recording_is_reported() {
    let finished = play(Setup::new(), "absent.jsonl").finish().expect_code(0);
    finished.expect_message(&["BH-BRG-122", "absent.jsonl"]);
}

#[test]
fn recorded_topics_without_a_subscription_are_skipped() {
    let setup = Setup::new();
    let odometry = "{\"topic\":\"/robot/odom\",\"step\":5,\"message\":{}}\n";
    let commands = setup.file("commands.jsonl", format!("{odometry}{}", command(200, 0.3)));
    let finished = play(setup, commands.to_str().expect("UTF-8")).finish().expect_code(0);
    assert!(first_motion(&finished.log("out/run.jsonl")) >= 200);
}
