//! Plugins built with a C or C++ compiler and the public header, as authors without Rust build them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::command::succeed;

/// The folder of `bridgehead.h`, inside the workspace.
const INCLUDE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../plugin-api/include");

/// A plugin being compiled from C.
pub(crate) struct CPlugin {
    command: Command,
    target: PathBuf,
}

impl CPlugin {
    /// A plugin with one source file; the library is written to `target`.
    pub(crate) fn new(source: &Path, target: &Path) -> Self {
        let mut command = Command::new("cc");
        command.args(["-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread", "-O1"]);
        command.arg("-o").arg(target).arg(source);
        CPlugin { command, target: target.to_owned() }
    }

    /// The fixture `plain_model.c` with these macros, such as `CONSTRUCTOR=abort()`.
    pub(crate) fn plain(target: &Path, macros: &[&str]) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/plain_model.c");
        let mut plugin = CPlugin::new(&source, target);
        plugin.command.args(macros.iter().map(|text| format!("-D{text}")));
        plugin
    }

    /// The fixture `plain_model.cpp` with these macros, such as `SAMPLE=throw 1`, in C++17.
    pub(crate) fn plain_cpp(target: &Path, macros: &[&str]) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/plain_model.cpp");
        let mut command = Command::new("c++");
        command.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-O1"]);
        command.args(macros.iter().map(|text| format!("-D{text}")));
        command.arg("-o").arg(target).arg(source);
        CPlugin { command, target: target.to_owned() }
    }

    /// The fixture `breaker.c`, which has this fault in this call.
    pub(crate) fn breaker(target: &Path, fault: &str, at: &str) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/breaker.c");
        let mut plugin = CPlugin::new(&source, target);
        plugin.command.args([format!("-DFAULT=\"{fault}\""), format!("-DAT=\"{at}\""), "-lm".to_owned()]);
        plugin
    }

    /// The fixture `careless_model.c` with this fault.
    pub(crate) fn careless_model(target: &Path, fault: &str) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/careless_model.c");
        let mut plugin = CPlugin::new(&source, target);
        // The second macro is for what the preprocessor decides, which cannot compare texts.
        let macros = [format!("-DFAULT=\"{fault}\""), format!("-DFAULT_{fault}")];
        plugin.command.args(macros).arg("-ldl");
        plugin
    }

    /// The fixture `careless_bridge.c`, whose connection string names its fault.
    pub(crate) fn careless_bridge(target: &Path) -> Self {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/careless_bridge.c");
        CPlugin::new(&source, target)
    }

    /// Adds flags of the compiler, such as `-O3`.
    pub(crate) fn flags(mut self, flags: &[&str]) -> Self {
        self.command.args(flags);
        self
    }

    /// Compiles against the public header.
    #[track_caller]
    pub(crate) fn build(self) -> PathBuf {
        self.build_with(Path::new(INCLUDE))
    }

    /// Compiles against another header.
    #[track_caller]
    pub(crate) fn build_with(mut self, include: &Path) -> PathBuf {
        succeed(self.command.arg("-I").arg(include));
        self.target
    }
}

/// Writes a copy of the header into `folder`, with the first text of each change replaced by the second.
#[track_caller]
pub(crate) fn changed_header(folder: &Path, changes: &[(&str, &str)]) {
    let mut header = fs::read_to_string(Path::new(INCLUDE).join("bridgehead.h")).expect("the header");
    for (from, to) in changes {
        assert!(header.contains(from), "the header has no `{from}`");
        header = header.replace(from, to);
    }
    fs::create_dir_all(folder).expect("a folder");
    fs::write(folder.join("bridgehead.h"), header).expect("the header is written");
}
