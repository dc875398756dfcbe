//! Same world, seed and commands: same run, in every process.

use std::fmt::Write as _;
use std::fs;

use crate::support::{Finished, Setup, worlds};

/// A hundred commands, no two alike, each at a step of its own.
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

/// The demo world under those commands, for three seconds.
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

/// Fails at the first line that differs, instead of printing both files.
#[track_caller]
fn assert_equal_lines(first: &str, second: &str) {
    for (number, (one, other)) in first.lines().zip(second.lines()).enumerate() {
        assert_eq!(one, other, "line {}", number + 1);
    }
    assert_eq!(first.lines().count(), second.lines().count(), "lines in all");
}

#[test]
fn two_processes_with_the_same_commands_agree_in_every_step_and_byte() {
    let (first, second) = (run("7"), run("7"));
    let hashes = text(&first, "hashes");
    assert_eq!(hashes.lines().count(), 3000, "a line per step");
    assert_equal_lines(&hashes, &text(&second, "hashes"));

    let log = text(&first, "out/run.jsonl");
    assert!(
        log.contains("/car1/scan") && log.contains("/car2/odom") && log.contains("/clock"),
        "everything is logged"
    );
    assert_equal_lines(&log, &text(&second, "out/run.jsonl"));
    assert_eq!(log, text(&second, "out/run.jsonl"));
    assert_eq!(first.result()["state_hash"], second.result()["state_hash"]);
}

#[test]
fn the_seed_changes_the_noise_and_nothing_else() {
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
