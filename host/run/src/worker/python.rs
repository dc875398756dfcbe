//! The interpreter for workers of plugins in Python: where it is, and what it is started with.
//!
//! A host that uses no such plugin needs no Python. The interpreter is looked up when a plugin is opened, so that an
//! environment can be activated for each run.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::plugin::{Code, Refusal};

/// Names the interpreter.
const VARIABLE: &str = "BRIDGEHEAD_PYTHON";
/// Set while a virtual environment is active.
const ENVIRONMENT: &str = "VIRTUAL_ENV";
/// The name of the interpreter in `PATH`.
const NAME: &str = "python3";

/// The first lines that the interpreter runs: they find the package, or say that it is missing.
pub(super) const BOOT: &str = include_str!("python/boot.py");
/// The protocol as the package knows it, generated from [`wire`](super::wire) by a test.
const PROTOCOL: &str = include_str!("../../../python/src/bridgehead/plugin/protocol.json");

/// An interpreter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interpreter {
    pub(super) program: PathBuf,
    /// The folder with the package that belongs to this program; empty if the interpreter has it installed.
    pub(super) package: PathBuf,
}

impl Interpreter {
    /// Finds the interpreter of this process's environment.
    pub(super) fn find() -> Result<Self, Refusal> {
        let program = search(&|name| env::var_os(name))?;
        let host = env::current_exe().ok();
        Ok(Interpreter { program, package: host.as_deref().and_then(package_of).unwrap_or_default() })
    }
}

/// Tells whether host and package speak the same protocol.
pub(super) fn fingerprint() -> &'static str {
    let after = PROTOCOL.split_once("\"fingerprint\": \"").map_or("", |(_, after)| after);
    after.split_once('"').map_or("", |(fingerprint, _)| fingerprint)
}

fn search(variable: &dyn Fn(&str) -> Option<OsString>) -> Result<PathBuf, Refusal> {
    let refuse = |text: String| Err(Refusal::new(Code::PythonMissing, text));
    let path = variable("PATH").unwrap_or_default();
    if let Some(named) = variable(VARIABLE).filter(|named| !named.is_empty()) {
        return match in_path(&named, &path) {
            Some(found) => Ok(found),
            None => {
                refuse(format!("`{}`, which {VARIABLE} names, is not an executable file", named.display()))
            }
        };
    }
    if let Some(environment) = variable(ENVIRONMENT).filter(|environment| !environment.is_empty()) {
        let program = Path::new(&environment).join("bin/python");
        if is_executable(&program) {
            return Ok(program);
        }
        log::warn!("`{}` does not exist: the active virtual environment is not used", program.display());
    }
    match in_path(OsStr::new(NAME), &path) {
        Some(found) => Ok(found),
        None => refuse(format!(
            "{VARIABLE} is not set, no virtual environment is active, and `PATH` has no `{NAME}`"
        )),
    }
}

/// Returns an executable file by its path, or by its name in the folders of `PATH`.
fn in_path(program: &OsStr, path: &OsStr) -> Option<PathBuf> {
    if Path::new(program).components().count() > 1 {
        return Some(PathBuf::from(program)).filter(|found| is_executable(found));
    }
    env::split_paths(path).map(|folder| folder.join(program)).find(|found| is_executable(found))
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

/// Returns the folder of the package that is installed with a program, or in the sources that it was built in. A wheel has
/// none: its package is in an environment with others, which only the interpreter of that environment may import.
fn package_of(program: &Path) -> Option<PathBuf> {
    let program = program.canonicalize().ok()?;
    let places = ["share/bridgehead/python", "host/python/src"];
    let folders = program.ancestors().skip(1);
    let mut found = folders.flat_map(|folder| places.iter().map(move |place| folder.join(place)));
    found.find(|folder| folder.join("bridgehead/plugin/__init__.py").is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn executable(path: &Path) {
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "").expect("a file");
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
    }

    #[test]
    fn the_named_interpreter_comes_before_the_environment_and_the_path() {
        let folder = tempfile::tempdir().expect("a folder");
        let [named, venv, path] = ["named/python9", "venv/bin/python", "bin/python3"].map(|name| {
            let path = folder.path().join(name);
            executable(&path);
            path
        });
        let found = |variables: &[(&str, &OsStr)]| {
            search(&|name| {
                variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let bin = path.parent().expect("a folder").as_os_str();
        let environment = folder.path().join("venv");
        let both = [(ENVIRONMENT, environment.as_os_str()), ("PATH", bin)];
        assert_eq!(found(&both), Ok(venv));
        assert_eq!(found(&[(VARIABLE, named.as_os_str()), both[0], both[1]]), Ok(named.clone()));
        assert_eq!(found(&both[1..]), Ok(path));
        let named_folder = named.parent().expect("a folder").as_os_str();
        assert_eq!(found(&[(VARIABLE, OsStr::new("python9")), ("PATH", named_folder)]), Ok(named));
    }

    #[test]
    fn without_an_interpreter_the_error_says_where_it_was_looked_for() {
        let missing = search(&|_| None).expect_err("there is none");
        assert_eq!(missing.code, Code::PythonMissing);
        assert!(missing.to_string().contains("install Python 3.11 or newer"), "{missing}");
        let wrong = search(&|name| (name == VARIABLE).then(|| "/nowhere/python".into())).expect_err("none");
        assert!(wrong.text.contains("`/nowhere/python`"), "{wrong}");
    }

    #[test]
    fn the_package_is_found_beside_an_installed_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("bin/bridgehead");
        executable(&program);
        assert_eq!(package_of(&program), None);
        let package = folder.path().canonicalize().expect("a path").join("share/bridgehead/python");
        executable(&package.join("bridgehead/plugin/__init__.py"));
        assert_eq!(package_of(&program), Some(package));
    }
}
