//! A wheel of the built program, installed and used without the repository and without Rust in the path.
//!
//! With `BRIDGEHEAD_LONG=1`, `host/packaging/test.sh` makes a whole release, and installs its wheel and its Debian package in
//! a fresh environment each.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use super::{client_python, package};
use crate::support::{Python, build_release, is_long, release, root, succeed, target};

/// A test of a user, which finds the program, the worlds and the fixtures of the plugin in the wheel.
const TEST: &str = "\
import pathlib

import bridgehead
import pytest

WORLDS = pathlib.Path(bridgehead.__file__).parent / 'worlds'


@pytest.mark.bridgehead(WORLDS / 'two_vehicles.sdf', start='paused')
def test_steps(bridgehead_world):
    bridgehead_world.step(100)
    assert bridgehead_world.get_status().status.step == 100
    assert bridgehead.find_program().parent.parent == WORLDS.parent
";

/// A folder with an installed wheel.
struct Installed {
    folder: TempDir,
}

impl Installed {
    /// Builds a wheel of the built program and installs it.
    #[track_caller]
    fn new(python: &Python) -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let wheel = built(python, folder.path());
        let mut pip = python.command();
        pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--target"]);
        succeed(pip.arg(folder.path().join("installed")).arg(wheel));
        Installed { folder }
    }

    fn packages(&self) -> PathBuf {
        self.folder.path().join("installed")
    }

    /// A command with the programs of the system, the installed one, and nothing else in its environment.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut path = OsString::from(self.packages().join("bin"));
        path.push(":/usr/bin:/bin");
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env_clear().env("PATH", path).env("HOME", self.folder.path());
        command
    }
}

/// Builds a wheel of the built program into a folder.
#[track_caller]
pub(crate) fn built(python: &Python, folder: &Path) -> PathBuf {
    let mut builder = python.command();
    builder.args(["-m", "hatchling", "build", "--target", "wheel", "--directory"]).arg(folder);
    succeed(
        builder.current_dir(package()).env("BRIDGEHEAD_BUILD", target()).env_remove("BRIDGEHEAD_DOCUMENTS"),
    );
    let files = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    files.into_iter().find(|path| path.extension().is_some_and(|found| found == "whl")).expect("a wheel")
}

#[test]
fn an_installed_wheel_runs_the_demo_and_the_tests_of_a_user() {
    let Some(python) = client_python() else { return };
    let installed = Installed::new(&python);
    let packages = installed.packages();

    // The command starts the interpreter that installed it; its packages are found by the variable.
    let search = python.packages_beside(&packages);
    let mut smoke = installed.command("bash");
    smoke.arg(root().join("host/packaging/smoke.sh")).arg(packages.join("bin/bridgehead"));
    let output = succeed(smoke.arg(packages.join("bridgehead/worlds")).env("PYTHONPATH", &search));
    for line in ["the demo ran", "the campaign ran"] {
        assert!(output.lines().any(|found| found == line), "{output}");
    }
    assert!(output.starts_with(concat!("bridgehead ", env!("CARGO_PKG_VERSION"), " ")), "{output}");

    fs::write(installed.folder.path().join("test_user.py"), TEST).expect("a file");
    fs::write(installed.folder.path().join("pytest.ini"), "[pytest]\n").expect("a file");
    let mut tests = installed.command(python.program());
    let output = succeed(tests.args(["-m", "pytest", "-q", "test_user.py"]).env("PYTHONPATH", &search));
    assert!(output.contains("1 passed"), "{output}");
}

#[test]
fn a_program_that_cargo_installs_finds_the_libraries_of_the_installation() {
    if !is_long() {
        return;
    }
    let prefix = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    // Features differ from those of the tests: the libraries that other tests use meanwhile would be replaced.
    let builds = target().parent().expect("the folder of all builds").join("installed");
    let output = succeed(
        Command::new("bash")
            .arg(root().join("host/packaging/install.sh"))
            .arg(prefix.path())
            .env("BRIDGEHEAD_PROFILE", "dev")
            .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "none")
            .env("CARGO_TARGET_DIR", builds)
            .env_remove("BRIDGEHEAD_PLUGIN_PATH"),
    );
    for (kind, at_least) in [("bridges", 6), ("sensors and drives", 27)] {
        let line = output.lines().find_map(|line| line.strip_prefix("ok")?.trim().strip_prefix(kind));
        let numbers = line.and_then(|numbers| numbers.trim().split_once(" of "));
        let (found, all) = numbers.unwrap_or_else(|| panic!("no `{kind}` in\n{output}"));
        assert_eq!(found, all, "{output}");
        assert!(all.parse::<u32>().is_ok_and(|all| all >= at_least), "{output}");
    }
}

#[test]
fn a_release_is_made_installed_and_used() {
    if !is_long() {
        return;
    }
    build_release();
    let output = succeed(
        Command::new("bash")
            .arg(root().join("host/packaging/test.sh"))
            .current_dir(root())
            .env("BRIDGEHEAD_BUILD", release())
            .env("CARGO_TARGET_DIR", target().parent().expect("the folder of all builds")),
    );
    assert!(output.lines().last() == Some("the release was installed and used"), "{output}");
}
