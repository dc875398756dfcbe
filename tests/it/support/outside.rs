//! Crates that are built outside the workspace, with compilers' settings of their own, as strangers build them.
//!
//! All of them share one target folder, `target/outside`, so that the SDK is built there once. What a crate is made of
//! lies beside it and keeps its path, so that nothing is built twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::command::cargo;
use super::locate::{root, target};

/// Crates of one name are built one after the other: each overwrites the library of the one before.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A plugin of one source file as a crate of its own.
pub(crate) struct Outside {
    name: &'static str,
    source: PathBuf,
}

impl Outside {
    /// A crate of this name around a source file that needs the SDK and nothing else.
    pub(crate) fn new(name: &'static str, source: &Path) -> Self {
        Outside { name, source: source.to_owned() }
    }

    /// The folder that crates outside the workspace are built into.
    pub(crate) fn target() -> PathBuf {
        target().parent().expect("target/debug is in target").join("outside")
    }

    /// Compiles in this edition with these flags of rustc for the crate itself, and copies the library to `path`.
    #[track_caller]
    pub(crate) fn build(&self, edition: &str, flags: &[&str], path: &Path) {
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = Outside::target().join("crates").join(self.name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("Cargo.toml"), self.manifest(edition)).expect("a manifest");
        // The versions that were downloaded for the workspace; what is not needed here is dropped by cargo.
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
        cargo(|command| {
            let command = command.args(["rustc", "--lib", "--"]).args(flags);
            command.current_dir(&folder).env("CARGO_TARGET_DIR", Outside::target())
        });
        let library = Outside::target().join(format!("debug/lib{}.so", self.name));
        fs::copy(&library, path).expect("the library");
    }

    fn manifest(&self, edition: &str) -> String {
        let (name, source, sdk) = (self.name, self.source.display(), root().join("plugin-api"));
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"{edition}\"\n\n\
             [lib]\npath = \"{source}\"\ncrate-type = [\"cdylib\"]\n\n\
             [dependencies]\nbridgehead-plugin-api = {{ path = \"{}\" }}\n\n[workspace]\n",
            sdk.display()
        )
    }
}
