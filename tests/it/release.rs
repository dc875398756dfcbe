//! The release build gives the states and messages of the development build, bit by bit, also with plugins in worker
//! processes.
//!
//! It is built only if the environment variable `BRIDGEHEAD_LONG` is 1, because this takes minutes; otherwise the test
//! compares nothing.

use std::fs;

use crate::support::{Finished, Setup, build_release, is_long, worlds};

/// The model plugins of the worlds, and the bridge.
const PLUGINS: [&str; 9] = [
    "ackermann",
    "clock",
    "diff_drive",
    "entities",
    "imu",
    "joint_control",
    "joint_state",
    "lidar",
    "logging",
];

/// Worlds with wheels, with a chain of joints, and with steered wheels; and a vehicle of each.
const WORLDS: [(&str, &str); 3] = [("two_vehicles.sdf", "car1"), ("arm.sdf", "arm"), ("car.sdf", "car")];

/// Runs a world for two seconds, with the log of one vehicle: in worker processes, bridges share no file.
fn run(setup: Setup, (world, vehicle): (&str, &str), is_isolated: bool) -> Finished {
    let setup = setup.plugins(&PLUGINS).run(&worlds().join(world)).args(["--duration", "2s"]);
    let setup = setup.args(["--hash-log", "hashes"]).bridge(format!("{vehicle}=logging:out/run.jsonl"));
    let setup = if is_isolated { setup.args(["--isolate", "logging"]) } else { setup };
    setup.finish().expect_code(0)
}

#[track_caller]
fn assert_equal(one: &Finished, other: &Finished, name: &str) {
    let text = |finished: &Finished| fs::read_to_string(finished.path(name)).expect("a file");
    let (one, other) = (text(one), text(other));
    let differing = one.lines().zip(other.lines()).find(|(one, other)| one != other);
    assert_eq!(differing, None, "the first line that differs in `{name}`");
    assert_eq!(one.lines().count(), other.lines().count(), "lines of `{name}`");
    assert!(one.lines().count() > 100, "lines of `{name}`");
}

#[test]
fn a_release_build_gives_the_states_and_messages_of_a_development_build() {
    if !is_long() {
        return;
    }
    build_release();
    for world in WORLDS {
        let here = run(Setup::new(), world, false);
        for is_isolated in [false, true] {
            let released = run(Setup::released(), world, is_isolated);
            assert_equal(&here, &released, "hashes");
            assert_equal(&here, &released, "out/run.jsonl");
        }
    }
}
