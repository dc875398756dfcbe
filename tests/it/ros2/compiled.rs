//! Clients in other languages, compiled when they are first used.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::root;

/// The program that `build` makes from these files of `tests/it/ros2`; built only if it is older than one of them.
#[track_caller]
pub(crate) fn compiled(name: &str, sources: &[&str], build: impl FnOnce(&[PathBuf], &Path)) -> PathBuf {
    let sources: Vec<PathBuf> =
        sources.iter().map(|source| root().join("tests/it/ros2").join(source)).collect();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join(name);
    if sources.iter().all(|source| is_newer(&program, source)) {
        return program;
    }
    // Another test program may compile it at the same time.
    let temporary = folder.join(format!("{name}.{}", std::process::id()));
    build(&sources, &temporary);
    fs::rename(&temporary, &program).expect("the client is moved to its place");
    program
}

fn is_newer(built: &Path, source: &Path) -> bool {
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    modified(built).is_some_and(|built| Some(built) >= modified(source))
}
