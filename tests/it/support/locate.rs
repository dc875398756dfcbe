//! Paths of the built files, relative to the test program, so that every target folder works.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use super::times;

/// The folder that holds the workspace.
pub(crate) fn root() -> PathBuf {
    times::measure();
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("the package is inside the workspace").to_owned()
}

/// The worlds of the project.
pub(crate) fn worlds() -> PathBuf {
    root().join("worlds")
}

/// The folder of cargo's build outputs, `target/debug`: this program is in its folder `deps`.
pub(crate) fn target() -> PathBuf {
    times::measure();
    let program = env::current_exe().expect("the path of the test program");
    program.ancestors().nth(2).expect("the test program is in target/debug/deps").to_owned()
}

/// The folder of the outputs of the release build, beside [`target`].
pub(crate) fn release() -> PathBuf {
    target().with_file_name("release")
}

/// The host.
pub(crate) fn host() -> PathBuf {
    host_in(&target())
}

/// The host of a build.
pub(super) fn host_in(target: &Path) -> PathBuf {
    built(target.join("bridgehead"), "cargo build --workspace")
}

/// A plugin or bridge of the workspace, by its short name.
pub(crate) fn plugin(name: &str) -> PathBuf {
    plugin_in(&target(), name)
}

/// A plugin or bridge of a build.
pub(super) fn plugin_in(target: &Path, name: &str) -> PathBuf {
    let candidates = ["plugin", "bridge"].map(|kind| target.join(format!("libbridgehead_{kind}_{name}.so")));
    let found = candidates.iter().find(|path| path.is_file()).cloned();
    found.unwrap_or_else(|| built(candidates[0].clone(), "cargo build --workspace"))
}

/// Builds everything as a release, with the features of one, which takes minutes.
pub(crate) fn build_release() {
    let build = Command::new(env!("CARGO"))
        .args(["build", "--release", "--workspace", "--lib", "--bins", "--examples"])
        .args(["--features", "bridgehead-host/s3"])
        .env("CARGO_TARGET_DIR", target().parent().expect("the folder of all builds"))
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
}

/// A plugin of `tests/fixtures`.
pub(crate) fn fixture(name: &str) -> PathBuf {
    const BUILD: &str = "cargo build --package bridgehead-tests --examples";
    let path = built(target().join("examples").join(format!("lib{name}.so")), BUILD);
    // `cargo test --test it` builds the tests without their fixtures.
    let source = root().join("tests/fixtures").join(format!("{name}.rs"));
    let is_fresh = modified(&source) <= modified(&path);
    assert!(is_fresh, "`{}` is older than its source: build it with `{BUILD}`", path.display());
    path
}

fn modified(path: &Path) -> SystemTime {
    path.metadata().and_then(|metadata| metadata.modified()).expect("the date of a file")
}

fn built(path: PathBuf, command: &str) -> PathBuf {
    assert!(
        path.is_file(),
        "`{}` is missing: build it with `{command}`, or build and test everything with `bash tests/run.sh`",
        path.display()
    );
    path
}
