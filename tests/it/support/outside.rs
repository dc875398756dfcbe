//! Crates that are built outside the workspace with their own compiler settings, as third parties build them.
//!
//! All of them share one target folder, `target/outside`, so that the SDK is built there once. The sources of a crate
//! are inside it and keep their path, so that nothing is built twice.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::command::cargo;
use super::locate::{root, target};

/// Crates of one name are built one after the other: each overwrites the library of the one before.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// A plugin with one source file as a separate crate.
pub(crate) struct Outside {
    name: &'static str,
    source: PathBuf,
}

impl Outside {
    /// A crate of this name around a source file that depends only on the SDK.
    pub(crate) fn new(name: &'static str, source: &Path) -> Self {
        Outside { name, source: source.to_owned() }
    }

    /// Builds an example of the SDK outside the repository, as a third party does, and copies its library into
    /// `folder`, as a user does.
    #[track_caller]
    pub(crate) fn example(name: &str, library: &str, folder: &Path) {
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let copy = Outside::folder(name);
        if copy.exists() {
            fs::remove_dir_all(&copy).expect("the copy of an earlier run is removed");
        }
        copy_folder(&root().join("plugin-api/examples").join(name), &copy);
        let manifest = copy.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).expect("a manifest");
        let sdk = root().join("plugin-api");
        fs::write(&manifest, text.replace("\"../..", &format!("\"{}", sdk.display()))).expect("a manifest");
        Outside::cargo(&copy, &["build"]);
        fs::copy(Outside::target().join("debug").join(library), folder.join(library)).expect("the library");
    }

    /// The target folder of crates outside the workspace.
    fn target() -> PathBuf {
        target().parent().expect("target/debug is in target").join("outside")
    }

    /// The folder of a crate's sources: always the same path, so that cargo reuses earlier builds.
    fn folder(name: &str) -> PathBuf {
        Outside::target().join("crates").join(name)
    }

    /// Runs cargo for the crate in a folder.
    #[track_caller]
    fn cargo(folder: &Path, arguments: &[&str]) {
        // The versions that were downloaded for the workspace; cargo drops the unneeded ones.
        fs::copy(root().join("Cargo.lock"), folder.join("Cargo.lock")).expect("the lock file");
        cargo(|command| {
            command.args(arguments).current_dir(folder).env("CARGO_TARGET_DIR", Outside::target())
        });
    }

    /// Compiles in this edition with these flags of rustc for the crate itself, and copies the library to `path`.
    #[track_caller]
    pub(crate) fn build(&self, edition: &str, flags: &[&str], path: &Path) {
        let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        let folder = Outside::folder(self.name);
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("Cargo.toml"), self.manifest(edition)).expect("a manifest");
        Outside::cargo(&folder, &[&["rustc", "--lib", "--"], flags].concat());
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

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the example") {
        let entry = entry.expect("an entry");
        let (source, copy) = (entry.path(), to.join(entry.file_name()));
        if source.is_file() {
            fs::copy(&source, &copy).expect("a copy");
        } else if entry.file_name() != "target" {
            copy_folder(&source, &copy);
        }
    }
}
