//! Other programs that tests need: compilers, and cargo for crates outside the workspace.

use std::env;
use std::process::{Command, Output};

/// Runs a command and returns its standard output; fails with all output unless it succeeds.
#[track_caller]
pub(crate) fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?} failed\n{}", text(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(super) fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Runs the cargo that runs these tests.
#[track_caller]
pub(crate) fn cargo(prepare: impl FnOnce(&mut Command) -> &mut Command) -> String {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // Cargo sets these for its own children; they are wrong for a package outside the workspace.
    for name in ["CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "RUSTFLAGS"] {
        command.env_remove(name);
    }
    succeed(prepare(&mut command))
}
