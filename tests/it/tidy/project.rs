//! Facts that the project states in several places: the required compiler, and the checks of continuous integration.

use std::process::Command;
use std::{env, fs};

use super::lexer::{Token, tokens};
use super::{assert_none, collect, sources};
use crate::support::root;

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The rest of the first line that begins like this, without quotes.
fn value<'a>(text: &'a str, beginning: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.trim_start().strip_prefix(beginning)).map(|rest| rest.trim_matches('"'))
}

#[test]
fn all_files_state_the_same_compiler_version() {
    let manifest = read("Cargo.toml");
    let required_version = value(&manifest, "rust-version = ").expect("a version of the compiler");
    let readme = read("README.md");
    let required = format!("- Rust {required_version} or newer");
    assert!(readme.lines().any(|line| line.starts_with(&required)), "README.md has no line `{required}`");
    let clippy = read("clippy.toml");
    assert_eq!(
        value(&clippy, "msrv = ").unwrap_or(required_version),
        required_version,
        "clippy.toml has another version"
    );
    let mut manifests = Vec::new();
    for folder in ["host", "plugin-api", "plugins", "bridges", "tests"] {
        collect(&root().join(folder), "toml", &mut manifests);
    }
    let own = manifests.iter().filter(|manifest| manifest.text.contains("rust-version = "));
    let own: Vec<String> = own.map(|manifest| manifest.path.clone()).collect();
    assert_none(&own, "the compiler version is only in the root `Cargo.toml`");
}

#[test]
fn continuous_integration_compiles_with_the_required_version() {
    let workflow = read(".github/workflows/ci.yml");
    assert!(workflow.contains(r#"s/^rust-version = "\(.*\)"$/\1/p' Cargo.toml"#), "{workflow}");
    assert!(workflow.contains(r#"--default-toolchain "$version""#), "{workflow}");
}

#[test]
fn continuous_integration_runs_the_scripts_of_developers() {
    let workflow = read(".github/workflows/ci.yml");
    for script in [".ci/run", ".ci/deny"] {
        let step = format!("- run: {script}");
        assert!(workflow.lines().any(|line| line.trim() == step), "the workflow has no step `{step}`");
    }
    let checks: Vec<String> = workflow
        .lines()
        .map(str::trim)
        .filter(|line| line.contains("cargo ") && !line.contains("cargo install ") && !line.starts_with('#'))
        .map(str::to_owned)
        .collect();
    assert_none(&checks, "checks belong into `.ci`, where developers can run them too");
    assert!(
        workflow.contains("\npermissions:\n  contents: read\n"),
        "the workflow must have read permission only"
    );
    let count = |text: &str| workflow.matches(text).count();
    assert_eq!(count("runs-on:"), count("timeout-minutes:"), "every job needs a time limit");
    assert!(!workflow.contains("pull_request_target"), "code of third parties must not get secrets");
}

#[test]
fn all_skipped_tests_are_counted() {
    let sources = sources();
    let others = sources.iter().filter(|source| source.path != "tests/it/support/skip.rs");
    let uncounted = others.filter(|source| {
        tokens(&source.text).iter().any(
            |(token, _)| matches!(token, Token::Text(text) if text.starts_with(concat!("skip", "ped: "))),
        )
    });
    let uncounted: Vec<String> = uncounted.map(|source| source.path.clone()).collect();
    assert_none(&uncounted, "a test is skipped with tests/it/support/skip.rs, which counts it");
}

/// The text up to the next quote after each occurrence of `beginning`.
fn quoted<'a>(text: &'a str, beginning: &str) -> Vec<&'a str> {
    let after = text.split(beginning).skip(1);
    after.filter_map(|rest| rest.split('"').next()).collect()
}

#[test]
fn the_demo_builds_what_it_runs() {
    let (script, world) = (read("worlds/demo.sh"), read("worlds/two_vehicles.sdf"));
    let attached =
        script.lines().filter_map(|line| line.trim().strip_prefix("--bridge \"")?.split(['=', ':']).nth(1));
    let named = quoted(&world, "<plugin filename=\"");
    let sensors =
        world.split("<sensor ").skip(1).flat_map(|sensor| quoted(sensor, " type=\"").into_iter().take(1));
    let sensors = sensors.map(|kind| if kind == "gpu_lidar" { "lidar" } else { kind });
    let packages = script.split_once("packages=(").and_then(|(_, rest)| rest.split_once("\n)"));
    let (packages, _) = packages.expect("a list of packages");
    let built: Vec<&str> = packages.split(['{', '}', ',']).collect();
    let names: Vec<String> =
        attached.chain(named).chain(sensors).map(|name| name.replace('_', "-")).collect();
    assert!(names.len() > 8, "{names:?}");
    let missing: Vec<String> = names.into_iter().filter(|name| !built.contains(&name.as_str())).collect();
    assert_none(&missing, "worlds/demo.sh builds the plugins and bridges that the demo names");
}

/// Those that `tests/run.sh` runs before the load, because they compile.
#[test]
fn the_tests_that_the_script_names_exist() {
    let listed = Command::new(env::current_exe().expect("this program")).arg("--list").output();
    let listed = String::from_utf8(listed.expect("a list").stdout).expect("UTF-8");
    let script = read("tests/run.sh");
    let names = value(&script, "compiling=(").expect("a list of tests").trim_end_matches(')');
    let unknown = names.split(' ').filter(|name| !listed.contains(name));
    let unknown: Vec<String> = unknown.map(str::to_owned).collect();
    assert_none(&unknown, "tests/run.sh names tests that do not exist");
}
