//! Tests of the Python package in `host/python`: its own checks and tests with the built program, and a wheel of the
//! built program that is installed and used.
//!
//! The cases of `conformance::typed` send their requests through its client.

mod wheel;

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::{Python, fixture, host, root, succeed};
pub(crate) use wheel::built as built_wheel;

/// What the package and its checks need.
const MODULES: &str = "cyclonedds.domain, h11, hatchling.build, mypy, pytest, ruff, websockets.sync.client";

/// What its own tests need besides.
const MODULES_OF_TESTS: &str = "cyclonedds.domain, gymnasium, h11, hatchling.build, mypy, numpy, pydantic, pytest, \
    robovast.common.simulators, ruff, scenario_execution.simulation, websockets.sync.client";

/// The folder of the package.
fn package() -> PathBuf {
    root().join("host/python")
}

/// Finds an interpreter that has the package with its dependencies, as it is in the repository.
#[track_caller]
pub(crate) fn client_python() -> Option<Python> {
    python_with(MODULES)
}

/// Finds an interpreter for the tests of the package.
#[track_caller]
fn testing_python() -> Option<Python> {
    python_with(MODULES_OF_TESTS)
}

#[track_caller]
fn python_with(modules: &str) -> Option<Python> {
    Python::with(modules).map(|python| python.with_packages(&package().join("src")))
}

/// A command that runs a module in the folder of the package, with the built program.
fn module(python: &Python, arguments: &[&str]) -> Command {
    let mut command = python.command();
    command.arg("-m").args(arguments).current_dir(package()).env("BRIDGEHEAD_PROGRAM", host());
    // The tests of the package use the plugins beside the program only.
    command.env_remove("BRIDGEHEAD_PLUGIN_PATH").env("XDG_DATA_HOME", "/nonexistent");
    command
}

#[test]
fn the_pages_name_the_files_of_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    for (page, name) in [
        ("README.md", format!("bridgehead-{version}-*.whl")),
        ("README.md", format!("bridgehead_{version}_amd64.deb")),
        ("README.md", format!("bridgehead-{version}-x86_64-linux.tar.gz")),
        ("docs/ci.md", format!("bridgehead-{version}-*.whl")),
        ("docs/install.md", format!("bridgehead-{version}-*.whl")),
        ("docs/install.md", format!("bridgehead_{version}_amd64.deb")),
        ("docs/install.md", format!("bridgehead-{version}-x86_64-linux.tar.gz")),
        ("docs/python.md", format!("bridgehead-{version}-*.whl")),
        ("docs/robovast.md", format!("bridgehead-{version}-py3-none-manylinux_")),
        ("host/conformance/README.md", format!("bridgehead_conformance-{version}-py3-none-any.whl")),
        ("host/packaging/Containerfile", format!("VERSION={version} ")),
    ] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        assert!(text.contains(&name), "{page} does not name `{name}`");
    }
}

#[test]
fn the_builder_of_a_release_is_that_of_the_tests() {
    let pins = |path: &str| -> Vec<String> {
        let text = fs::read_to_string(root().join(path)).expect("a list of packages");
        text.lines().filter(|line| line.starts_with("hatchling==")).map(str::to_owned).collect()
    };
    assert_eq!(pins("host/packaging/requirements.txt"), pins("tests/requirements.txt"));
    assert_eq!(pins("tests/requirements.txt").len(), 1);
}

#[test]
fn the_sources_pass_strict_checks_of_types_and_style() {
    let Some(python) = testing_python() else { return };
    let cache = env!("CARGO_TARGET_TMPDIR");
    succeed(&mut module(&python, &["ruff", "check", "--no-cache"]));
    succeed(&mut module(&python, &["ruff", "format", "--check", "--no-cache"]));
    let types = succeed(&mut module(&python, &["mypy", "--cache-dir", &format!("{cache}/mypy")]));
    assert!(types.contains("no issues found"), "{types}");
}

#[test]
fn the_tests_and_the_examples_of_the_package_pass() {
    let Some(python) = testing_python() else { return };
    let mut tests = module(&python, &["pytest", "-q", "-p", "no:cacheprovider"]);
    let output = succeed(tests.env("BRIDGEHEAD_OWN_TYPE", fixture("own_type")));
    let last = output.lines().last().unwrap_or_default();
    assert!(last.contains(" passed") && !last.contains("skipped"), "{output}");
}
