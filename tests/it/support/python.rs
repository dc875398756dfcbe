//! Python with the packages that `tests/run.sh` installs: the official reader of MCAP files, and Cyclone DDS.

use std::env;
use std::path::PathBuf;
use std::process::Command;

use super::command::{succeed, text};
use super::locate::{root, target};

/// An interpreter that has the packages.
pub(crate) struct Python {
    program: PathBuf,
    packages: PathBuf,
}

impl Python {
    /// The interpreter with what reads MCAP files.
    #[track_caller]
    pub(crate) fn find() -> Option<Self> {
        Python::with("mcap.reader, mcap_protobuf.decoder")
    }

    /// Finds the interpreter. Without the modules the test is skipped with a word, except in continuous integration
    /// (`CI=true`), where that is a failure.
    #[track_caller]
    #[expect(clippy::print_stdout, reason = "a skipped test says so where its output is shown")]
    pub(crate) fn with(modules: &str) -> Option<Self> {
        let target = target().parent().expect("target/debug is in target").to_owned();
        let venv = target.join("venv/bin/python");
        let program = if venv.is_file() { venv } else { PathBuf::from("python3") };
        let python = Python { program, packages: target.join("py") };
        let probe = python.command().args(["-c", &format!("import {modules}")]).output();
        let missing = match probe {
            Ok(output) if output.status.success() => return Some(python),
            Ok(output) => text(&output),
            Err(error) => error.to_string(),
        };
        assert!(env::var("CI").is_err(), "the python packages of the tests are missing: {missing}");
        println!("skipped: the python packages are missing; `bash tests/run.sh` installs them");
        None
    }

    /// Runs a script of `tests/it` and gives its output.
    #[track_caller]
    pub(crate) fn run(&self, script: &str, arguments: &[&str]) -> String {
        succeed(self.script(script).args(arguments))
    }

    /// A script of `tests/it`, to be started.
    pub(crate) fn script(&self, script: &str) -> Command {
        let mut command = self.command();
        command.arg(root().join("tests/it").join(script));
        command
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("PYTHONPATH", &self.packages);
        command
    }
}
