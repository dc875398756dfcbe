//! What a test does if another program or files of other projects are missing.
//!
//! In continuous integration (`CI=true`) the test fails, so that a check cannot disappear unnoticed. Elsewhere the test
//! is skipped: it prints a line on standard error, and adds one to the file that `BRIDGEHEAD_SKIPPED` names, from which
//! `tests/run.sh` computes a total. Test programs of other packages include this file by its path.
#![allow(dead_code, reason = "test programs that include this file use parts of it")]

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::{env, thread};

/// Reports that the running test is skipped, and why. The caller must return.
///
/// # Panics
/// In continuous integration.
#[track_caller]
pub(crate) fn missing(why: &str) {
    assert!(!is_on("CI"), "{why}; tests are not skipped in continuous integration");
    skip(why);
}

/// Reports that the running test is skipped because it takes too long, also in continuous integration. The caller must
/// return.
pub(crate) fn skipped(why: &str) {
    skip(why);
}

/// Returns a folder of the world files that some tests read beside the repository, or skips the test.
///
/// # Panics
/// In continuous integration, unless `BRIDGEHEAD_WITHOUT_SHARED=1` says that there are no such files.
#[track_caller]
pub(crate) fn shared(name: &str) -> Option<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).expect("a workspace");
    let folder = root.join("../shared").join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    let why = format!("the folder `../shared/{name}` beside the repository is missing");
    if is_on("BRIDGEHEAD_WITHOUT_SHARED") {
        skip(&why)
    } else {
        missing(&why)
    }
    None
}

fn is_on(variable: &str) -> bool {
    env::var(variable).is_ok_and(|value| value == "true" || value == "1")
}

fn skip(why: &str) {
    let thread = thread::current();
    // The test program names the thread of a test after the test.
    let test = thread.name().unwrap_or("a test");
    // Unlike `eprintln!`, this is shown for tests that pass too. A closed standard error must not fail the test.
    let _ = io::stderr().write_all(format!("skipped: {test}: {why}\n").as_bytes());
    if let Some(path) = env::var_os("BRIDGEHEAD_SKIPPED") {
        let file = OpenOptions::new().create(true).append(true).open(path);
        // One write, because tests of one program run at the same time.
        file.and_then(|mut file| file.write_all(format!("{test}\t{why}\n").as_bytes()))
            .expect("the list of skipped tests");
    }
}
