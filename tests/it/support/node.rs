//! Programs in JavaScript, with the packages of npm that `tests/run.sh` installs.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{host, missing, root};

/// Returns the folder with the packages.
pub(crate) fn node_packages() -> PathBuf {
    let build = host().parent().and_then(Path::parent).expect("the build is in the target folder").to_owned();
    build.join("node/node_modules")
}

/// Returns the command of a script below `tests/it`, if Node and the package that it needs exist. Otherwise the test is
/// skipped.
#[track_caller]
pub(crate) fn node_with(package: &str, script: &str) -> Option<Command> {
    let has_package = node_packages().join(package).is_dir();
    let has_node = Command::new("node").arg("--version").output().is_ok_and(|output| output.status.success());
    if !has_package || !has_node {
        missing(
            "node or its packages are missing; `bash tests/run.sh` installs the packages if node and npm exist",
        );
        return None;
    }
    let mut command = Command::new("node");
    command.arg(root().join("tests/it").join(script));
    Some(command)
}
