//! Python with the packages that `tests/run.sh` installs: readers, writers and clients of other projects.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use super::command::{succeed, text};
use super::locate::{root, target};
use super::skip;

/// Modules that were imported before: an import takes longer than many a test.
static FOUND: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// An interpreter that has the packages.
pub(crate) struct Python {
    program: PathBuf,
    /// The folder of the packages that `tests/run.sh` installs.
    installed: PathBuf,
    /// Folders of packages, as the variable `PYTHONPATH` has them.
    packages: OsString,
    /// Folder for compiled files; Python must not write them beside the scripts.
    compiled: PathBuf,
}

impl Python {
    /// Finds the interpreter with the official reader of MCAP files.
    #[track_caller]
    pub(crate) fn find() -> Option<Self> {
        Python::with("mcap.reader, mcap_protobuf.decoder")
    }

    /// Finds the interpreter with these modules. Without them the test is skipped.
    #[track_caller]
    pub(crate) fn with(modules: &str) -> Option<Self> {
        let target = target().parent().expect("target/debug is in target").to_owned();
        let venv = target.join("venv/bin/python");
        let program = if venv.is_file() { venv } else { PathBuf::from("python3") };
        let (installed, compiled) = (target.join("py"), target.join("pycache"));
        let packages = installed.clone().into_os_string();
        let python = Python { program, installed, packages, compiled };
        let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
        if found.contains(modules) {
            return Some(python);
        }
        let probe = python.command().args(["-c", &format!("import {modules}")]).output();
        let problem = match probe {
            Ok(output) if output.status.success() => {
                found.insert(modules.to_owned());
                return Some(python);
            }
            Ok(output) => text(&output).lines().last().unwrap_or_default().to_owned(),
            Err(error) => error.to_string(),
        };
        skip::missing(&format!("Python packages are missing ({problem}); `bash tests/run.sh` installs them"));
        None
    }

    /// Runs a script of `tests/it` and returns its output.
    #[track_caller]
    pub(crate) fn run(&self, script: &str, arguments: &[&str]) -> String {
        succeed(self.script(script).args(arguments))
    }

    /// A command that runs a script of `tests/it`.
    pub(crate) fn script(&self, script: &str) -> Command {
        let mut command = self.command();
        command.arg(root().join("tests/it").join(script));
        command
    }

    /// Finds packages in this folder too.
    pub(crate) fn with_packages(mut self, folder: &Path) -> Self {
        self.packages.push(":");
        self.packages.push(folder);
        self
    }

    /// The value of `PYTHONPATH` for a folder of packages and those that `tests/run.sh` installed.
    pub(crate) fn packages_beside(&self, folder: &Path) -> OsString {
        let mut search = folder.as_os_str().to_owned();
        search.push(":");
        search.push(&self.installed);
        search
    }

    /// The folders in which the programs of the packages are.
    pub(crate) fn script_folders(&self) -> Vec<PathBuf> {
        let beside = self.program.parent().filter(|folder| !folder.as_os_str().is_empty());
        beside.map(Path::to_owned).into_iter().chain([self.installed.join("bin")]).collect()
    }

    /// The value of `PYTHONPATH` for the packages.
    pub(crate) fn package_path(&self) -> &OsStr {
        &self.packages
    }

    /// The path of the interpreter.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// A command that runs the interpreter.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.env("PYTHONPATH", &self.packages).env("PYTHONPYCACHEPREFIX", &self.compiled);
        command.env_remove("PYTHONDONTWRITEBYTECODE");
        // Without it, the import of GitPython, which a package depends on, needs the program.
        command.env("GIT_PYTHON_REFRESH", "quiet");
        command
    }
}
