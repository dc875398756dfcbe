//! Arguments and their settings, exit codes of wrong ones, and a finished run for other tests.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use bridgehead_lifecycle::{Outcome as RunOutcome, StartIn};
use bridgehead_sdf::params::Place;

use super::args::verbosity::Quiet;
use super::*;
use crate::bus::{Drops, Moment, TopicReport};
use crate::clock::Speed;
use crate::config::Settings;
use crate::report::{BridgeResult, PluginResult, PluginVersion, RunResult, Statistics, Versions};
use crate::statistics::Figures;
use crate::trigger::{Engine, History, Source, Trigger};
use crate::watchdog::Timing;
use crate::world::SlotKind;
use crate::world::names::{Reason, UnsupportedName};

fn measured() -> Statistics {
    Statistics {
        cycle_time: Figures {
            count: 10_500,
            min: 9e-5,
            max: 3e-3,
            mean: 1.25e-4,
            std_deviation: 2e-5,
            p50: 1.2e-4,
            p99: 4e-4,
        },
        controller_retries: Figures { count: 10_500, ..Figures::default() },
        achievable_factor_average: 8.0,
        ..Statistics::default()
    }
}

fn versions() -> Versions {
    let imu = PluginVersion {
        id: String::from("org.example.imu"),
        version: String::from("1.2.0"),
        abi: String::from("0.2"),
    };
    Versions { plugins: vec![imu], ..Versions::default() }
}

/// Returns a result with all its parts.
pub(super) fn finished_run() -> RunResult {
    let topic = |vehicle: &str, name: &str, type_name: &str, published, bytes, dropped| TopicReport {
        vehicle: vehicle.to_owned(),
        name: name.to_owned(),
        type_name: type_name.to_owned(),
        published,
        bytes,
        delivered: published - dropped,
        dropped,
        overflowed: 1,
        missed: 7,
        listeners: 1,
    };
    let bridge = |label: &str, connection: &str, was_connected, delivered, failure: &str| BridgeResult {
        label: label.to_owned(),
        connection: connection.to_owned(),
        was_connected,
        connections: u32::from(was_connected),
        delivered,
        dropped: 3,
        lost: 2,
        missed: 0,
        drops: Drops { full: 2, unsent: 0 },
        polling: Duration::ZERO,
        failure: failure.to_owned(),
    };
    let plugin = |label: &str, name: &str, failure: &str| PluginResult {
        label: label.to_owned(),
        plugin: name.to_owned(),
        failure: failure.to_owned(),
        lost: 0,
        timing: Timing::default(),
    };
    let unsupported = UnsupportedName {
        kind: SlotKind::Sensor,
        name: String::from("camera"),
        count: 2,
        place: Some(Place { file: "two_vehicles.sdf".into(), line: 12 }),
        reason: Reason::NoCounterpart(String::new()),
    };
    RunResult {
        outcome: RunOutcome::Stopped,
        cause: String::from("the simulated time of --duration is reached"),
        exit_code: 8,
        world: String::from("two_vehicles"),
        seed: 42,
        steps: 10_000,
        time: Duration::from_secs(10),
        total_steps: 10_500,
        simulated: Duration::from_millis(10_500),
        resets: 1,
        wall: Duration::from_millis(4_200),
        real_time_factor: 2.381,
        state_hash: 0x0123_4567_89ab_cdef,
        topics: vec![
            topic("", "/clock", "rosgraph_msgs/msg/Clock", 10_000, 80_000, 0),
            topic("car1", "/car1/points", "sensor_msgs/msg/PointCloud2", 100, 209_715_200, 3),
        ],
        bridges: vec![
            bridge("world/logging", "out.mcap", true, 10_097, ""),
            bridge("car1/zmq", "tcp://127.0.0.1:5555", false, 0, "connection refused\nby 127.0.0.1"),
        ],
        plugins: vec![plugin("car1/imu", "imu", ""), plugin("car1/lidar", "lidar", "panicked in `step`: x")],
        unsupported: vec![unsupported],
        triggers: fired_triggers(),
        statistics: measured(),
        versions: versions(),
        errors: vec![String::from("[BH-PLG-095] plugin `car1/lidar` is disabled: panicked in `step`: x")],
    }
}

/// Returns a trigger that fired, and one that did not.
fn fired_triggers() -> History {
    let read = |value| Trigger::read(&value, Source::Filesystem).expect("a trigger").expect("known");
    let mut engine = Engine::default();
    let arrived = read(serde_json::json!({ "label": "arrived", "event": "time=1.5", "action": "stop" }));
    let crashed =
        read(serde_json::json!({ "label": "a <crash>", "event": "message=/crash", "action": "fail" }));
    engine.arm(&[arrived, crashed], Moment::default());
    drop(engine.due(Moment { step: 1500, time_ns: 1_500_000_000, reset_epoch: 0 }));
    engine.history
}

fn arguments(words: &[&str]) -> Arguments {
    let words = std::iter::once("bridgehead").chain(words.iter().copied());
    let matches = args::command().try_get_matches_from(words).expect("understood");
    Arguments::from_arg_matches(&matches).expect("understood")
}

fn settings(words: &[&str]) -> Settings {
    match arguments(words).command {
        Command::Run(run) => {
            let (settings, outcome) = run.settings();
            outcome.expect("settings");
            settings
        }
        _ => panic!("not a run"),
    }
}

#[test]
fn clap_finds_no_contradiction_in_the_arguments() {
    args::command().debug_assert();
}

#[test]
fn every_flag_of_a_run_is_read() {
    let words = [
        "run",
        "w.sdf",
        "--bridge",
        "*=logging:a=b:c",
        "--bridge",
        "car1=ros2:",
        "--plugin-path",
        "p1",
        "--plugin-path",
        "p2",
        "--duration",
        "10s",
        "--speed",
        "unlimited",
        "--seed",
        "7",
        "--start",
        "stopped",
        "--output",
        "out",
        "--result",
        "r.json",
        "--hash-log",
        "h",
        "--record-commands",
        "c.jsonl",
        "--require-success",
        "--strict",
    ];
    let found = settings(&words);
    assert_eq!(found.run.world.as_deref(), Some(Path::new("w.sdf")));
    let bridges: Vec<_> =
        found.bridges.iter().map(|bridge| (&*bridge.attach, &*bridge.name, &*bridge.connection)).collect();
    assert_eq!(bridges, [("*", "logging", "a=b:c"), ("car1", "ros2", "")]);
    assert_eq!(found.plugin_path, [Path::new("p1"), Path::new("p2")]);
    assert_eq!(
        (found.run.duration, found.run.speed),
        (Some(Duration::from_secs(10)), Some(Speed::Unlimited))
    );
    assert_eq!((found.run.seed, found.run.start), (Some(7), Some(StartIn::Stopped)));
    assert_eq!(found.run.output.as_deref(), Some(Path::new("out")));
    assert_eq!(found.run.result.as_deref(), Some(Path::new("r.json")));
    assert_eq!(found.run.hash_log.as_deref(), Some(Path::new("h")));
    assert_eq!(found.run.record_commands.as_deref(), Some(Path::new("c.jsonl")));
    assert_eq!((found.run.require_success, found.run.strict), (Some(true), Some(true)));
}

#[test]
fn flags_that_are_not_given_say_nothing() {
    let found = settings(&["run"]);
    assert!(found.run.world.is_none() && found.run.duration.is_none() && found.run.speed.is_none());
    assert_eq!((found.run.require_success, found.run.strict), (None, None));
}

#[test]
fn all_wrong_values_are_reported_with_their_flags() {
    let parsed = arguments(&[
        "run",
        "--speed",
        "-1",
        "--duration",
        "10",
        "--bridge",
        "x",
        "--seed",
        "a",
        "--start",
        "b",
    ]);
    let Command::Run(run) = parsed.command else { panic!("not a run") };
    let errors = run.settings().1.expect_err("refused");
    let found: Vec<_> = errors.0.iter().map(|error| (error.code, error.place.as_str())).collect();
    let expected = [
        (Code::BridgeInvalid, "--bridge"),
        (Code::DurationInvalid, "--duration"),
        (Code::SpeedInvalid, "--speed"),
        (Code::NumberInvalid, "--seed"),
        (Code::ChoiceInvalid, "--start"),
    ];
    assert_eq!(found, expected);
}

#[test]
fn how_much_is_said_may_stand_before_or_after_the_command() {
    for words in [["-vv", "run"], ["run", "-vv"]] {
        assert_eq!(arguments(&words).verbosity.verbose, 2);
    }
    assert_eq!(arguments(&["run", "-q"]).verbosity.quiet(), Quiet::Progress);
    assert_eq!(arguments(&["run", "-qq"]).verbosity.quiet(), Quiet::Everything);
}

#[test]
fn wrong_usage_has_the_exit_code_of_its_command() {
    let code = |words: &[&str]| {
        let words: Vec<OsString> =
            std::iter::once("bridgehead").chain(words.iter().copied()).map(OsString::from).collect();
        let error = args::command().try_get_matches_from(&words).expect_err("not understood");
        assert!(!matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion));
        usage_exit_code(&words)
    };
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["run", "--no-such-flag"]), 1);
    assert_eq!(code(&["run", "a.sdf", "b.sdf"]), 1);
    assert_eq!(code(&["plugin", "list", "x"]), 1);
    assert_eq!(code(&["plugin", "probe"]), 4);
    assert_eq!(code(&["-v", "plugin", "probe", "a", "--b"]), 4);
    assert_eq!(code(&["plugin", "validate"]), 4);
    assert_eq!(code(&["plugin", "new", "x"]), 1);
}

#[test]
fn wrong_usage_has_a_code() {
    let error = args::command().try_get_matches_from(["bridgehead", "run", "--durattion", "1s"]);
    let text = with_code(&error.expect_err("not understood").render().to_string());
    assert!(text.starts_with("error[BH-CFG-001]: unexpected argument '--durattion' found\n"), "{text}");
    assert!(text.contains("a similar argument exists: '--duration'"), "{text}");
}

#[test]
fn the_version_names_the_plugin_abi() {
    let error = args::command().try_get_matches_from(["bridgehead", "--version"]).expect_err("a version");
    let expected = format!(
        "bridgehead {} (plugin ABI {}.{})\n",
        env!("CARGO_PKG_VERSION"),
        bridgehead_abi::ABI_MAJOR,
        bridgehead_abi::ABI_MINOR
    );
    assert_eq!(error.render().to_string(), expected);
}

#[test]
fn bytes_of_a_connection_string_are_kept() {
    let connection = "a=b:c;d, e  ü\t'\"\\n";
    let argument = format!("car1=logging:{connection}");
    let found = settings(&["run", "--bridge", &argument]);
    assert_eq!(OsStr::new(&found.bridges[0].connection), OsStr::new(connection));
}
