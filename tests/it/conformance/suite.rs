//! The suite in `host/conformance`, which tests any simulator against the interfaces of the standard: its own checks, and
//! its run against the host over each transport.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::ros2::Domain;
use crate::support::{Python, Served, Setup, free_port, root, succeed};

/// What the package, its transports and its checks need.
const MODULES: &str = "cyclonedds, hatchling.build, mypy, pytest, ruff, websockets.sync.client";

/// The features of the host and the description of the fixtures, as an example of the package.
const DESCRIPTION: &str = "bridgehead";

/// The answers of the host to the questions that the standard leaves open. Those with a letter are in `AMBIGUITIES.md` of
/// the package.
const ANSWERS: &[(&str, &str)] = &[
    ("A1", "103 (INCORRECT_TRANSITION)"),
    ("A10 axes", "of the entity"),
    ("A11 undefined bit", "0 (FEATURE_UNSUPPORTED)"),
    ("A12 all from paused", "stopped"),
    ("A12 all from playing", "stopped"),
    ("A12 all from stopped", "stopped"),
    ("A12 time from paused", "paused"),
    ("A14 broken-text", "no world"),
    ("A14 missing-file", "the old world stays"),
    ("A15", "1 (OK)"),
    ("A17", "1 (OK)"),
    ("A18", "1 (OK)"),
    ("A19 get_available_worlds", "4 (OPERATION_FAILED)"),
    ("A19 get_entities", "4 (OPERATION_FAILED)"),
    ("A19 get_named_poses", "4 (OPERATION_FAILED)"),
    ("A20", "1 (OK), category 0"),
    ("A21 /", "105 (NAMESPACE_INVALID)"),
    ("A21 /robots/r1", "1 (OK)"),
    ("A21 1a", "105 (NAMESPACE_INVALID)"),
    ("A21 a/", "105 (NAMESPACE_INVALID)"),
    ("A21 a//b", "105 (NAMESPACE_INVALID)"),
    ("A21 robots/r1", "1 (OK)"),
    ("A22", "102 (NAME_INVALID)"),
    ("A23", "1 (OK)"),
    ("A23 state", "paused"),
    ("A3", "4 (OPERATION_FAILED)"),
    ("A3 action", "4 (OPERATION_FAILED)"),
    ("A4 simulate_steps", "status 4, 1 (OK)"),
    ("A4 step_simulation", "1 (OK)"),
    ("A6 invalid expression", "4 (OPERATION_FAILED)"),
    ("A6 part of a name", "search"),
    ("A7 delete_entity", "3 (INCORRECT_STATE)"),
    ("A7 get_entities", "3 (INCORRECT_STATE)"),
    ("A7 get_entity_bounds", "3 (INCORRECT_STATE)"),
    ("A7 get_entity_info", "3 (INCORRECT_STATE)"),
    ("A7 get_entity_state", "3 (INCORRECT_STATE)"),
    ("A7 get_named_poses", "3 (INCORRECT_STATE)"),
    ("A7 reset_simulation", "3 (INCORRECT_STATE)"),
    ("A7 set_entity_state", "3 (INCORRECT_STATE)"),
    ("A7 spawn_entity", "3 (INCORRECT_STATE)"),
    ("A7 step_simulation", "4 (OPERATION_FAILED)"),
    ("A8 box-of-one-point", "4 (OPERATION_FAILED)"),
    ("A8 box-with-the-lower-corner-first", "4 (OPERATION_FAILED)"),
    ("A8 hull-of-two-points", "4 (OPERATION_FAILED)"),
    ("A8 hull-on-a-line", "4 (OPERATION_FAILED)"),
    ("A8 sphere-of-one-point", "4 (OPERATION_FAILED)"),
    ("A9", "the highest first"),
    ("action.feedback-of-each-step", "each"),
    ("action.second-goal", "rejected"),
    ("delete.of-the-world", "1 (OK)"),
    ("filter.of-perl", "4 (OPERATION_FAILED)"),
    ("spawn.far-away", "109 (INVALID_POSE)"),
    ("spawn.missing-file", "107 (MISSING_ASSETS)"),
    ("spawn.name-of-the-resource", "used"),
    ("spawn.name.blank", "102 (NAME_INVALID)"),
    ("spawn.name.digit", "102 (NAME_INVALID)"),
    ("spawn.name.slash", "102 (NAME_INVALID)"),
    ("spawn.name.umlaut", "102 (NAME_INVALID)"),
    ("spawn.unknown-frame", "4 (OPERATION_FAILED)"),
    ("state.no-world-to-no-world", "101 (ALREADY_IN_TARGET_STATE)"),
    ("state.no-world-to-paused", "103 (INCORRECT_TRANSITION)"),
    ("state.no-world-to-playing", "103 (INCORRECT_TRANSITION)"),
    ("state.no-world-to-stopped", "103 (INCORRECT_TRANSITION)"),
    ("state.playing-to-no-world", "103 (INCORRECT_TRANSITION)"),
    ("state.stopped-to-loading-world", "103 (INCORRECT_TRANSITION)"),
    ("state.stopped-to-no-world", "103 (INCORRECT_TRANSITION)"),
    ("state.undefined", "103 (INCORRECT_TRANSITION)"),
    ("world.missing-file", "104 (MISSING_ASSETS)"),
    ("worlds.missing-source", "101 (DEFAULT_SOURCES_FAILED)"),
];

/// Fewest cases that must have passed; those with an open question are not among them.
const FEWEST: usize = 390;

fn package() -> PathBuf {
    root().join("host/conformance")
}

#[track_caller]
fn python() -> Option<Python> {
    Python::with(MODULES).map(|python| python.with_packages(&package().join("src")))
}

/// A command that runs a module in the folder of the package.
fn module(python: &Python, arguments: &[&str]) -> Command {
    let mut command = python.command();
    command.arg("-m").args(arguments).current_dir(package());
    command
}

/// A run in real time with the fixtures of the package.
fn setup() -> Setup {
    let files = package().join("src/bridgehead_conformance");
    let configuration = files.join("examples/run_bridgehead.toml");
    let [models, worlds] = ["models", "worlds"].map(|name| files.join("fixtures").join(name));
    let found = format!("{}:{}", models.display(), worlds.display());
    let setup = Setup::new().in_real_time().plugins(&["clock"]).env("BRIDGEHEAD_RESOURCE_PATH", found);
    let setup = setup.run(&worlds.join("main.sdf")).args(["--start", "stopped"]);
    setup.config(&fs::read_to_string(configuration).expect("a configuration"))
}

/// Runs the suite, which must find no deviation and the known answers to open questions. It quits the host at the end.
/// Without an address, that of HTTP is used.
#[track_caller]
fn conforms(python: &Python, setup: Setup, transport: &str, address: Option<[&str; 2]>) {
    let report = setup.path("conformance.json");
    let host = Served::start(setup);
    let mut run = module(python, &["bridgehead_conformance", "run", DESCRIPTION, "--transport", transport]);
    run.args(address.unwrap_or(["--address", host.address()])).arg("--json").arg(&report);
    succeed(&mut run);
    let report: Value = serde_json::from_str(&fs::read_to_string(report).expect("a report")).expect("JSON");
    let formats = report["spawn_formats"].as_array().expect("a list");
    assert!(formats.iter().any(|format| format == "sdf"), "{formats:?}");
    let cases = report["cases"].as_array().expect("a list");
    let of = |outcome: &str| cases.iter().filter(|case| case["outcome"] == outcome).count();
    assert!(of("passed") >= FEWEST, "only {} cases passed", of("passed"));
    let skipped = cases.iter().filter(|case| case["outcome"] == "skipped");
    let skipped: Vec<&str> = skipped.map(|case| case["id"].as_str().expect("a name")).collect();
    // The draft that adds a type to the request.
    assert!(skipped.iter().all(|id| id.starts_with("bounds.type-")), "{skipped:?}");
    let answers = cases.iter().flat_map(|case| case["answers"].as_object().expect("answers"));
    let answers: BTreeMap<&str, &str> =
        answers.map(|(name, answer)| (name.as_str(), answer.as_str().expect("a text"))).collect();
    assert_eq!(answers, ANSWERS.iter().copied().collect());
    host.finish().expect_code(0);
}

#[test]
fn the_host_conforms_over_dds() {
    let Some(python) = python() else { return };
    let domain = Domain::free();
    let number = domain.number().to_string();
    let bridge = format!("*=ros2:domain={number};interface=lo");
    let setup = setup().plugins(&["ros2"]).bridge(bridge);
    conforms(&python, setup, "dds", Some(["--domain", &number]));
}

#[test]
fn the_host_conforms_over_rosbridge() {
    let Some(python) = python() else { return };
    let address = format!("127.0.0.1:{}", free_port());
    let setup = setup().plugins(&["rosbridge"]).bridge(format!("*=rosbridge:{address}"));
    conforms(&python, setup, "rosbridge", Some(["--address", &address]));
}

#[test]
fn the_host_conforms_over_http() {
    let Some(python) = python() else { return };
    conforms(&python, setup(), "http", None);
}

#[test]
fn the_sources_pass_strict_checks_of_types_and_style() {
    let Some(python) = python() else { return };
    let cache = env!("CARGO_TARGET_TMPDIR");
    succeed(&mut module(&python, &["ruff", "check", "--no-cache"]));
    succeed(&mut module(&python, &["ruff", "format", "--check", "--no-cache"]));
    let types = succeed(&mut module(&python, &["mypy", "--cache-dir", &format!("{cache}/mypy-conformance")]));
    assert!(types.contains("no issues found"), "{types}");
}

#[test]
fn the_tests_of_the_package_pass() {
    let Some(python) = python() else { return };
    let output = succeed(&mut module(&python, &["pytest", "-q", "-p", "no:cacheprovider"]));
    let last = output.lines().last().unwrap_or_default();
    assert!(last.contains(" passed") && !last.contains("skipped"), "{output}");
}
