//! The client for Fast DDS, compiled when it is first used.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::ros2::compiled::compiled;
use crate::support::succeed;

/// A header that is there where Fast DDS is.
const HEADER: &str = "fastdds/dds/topic/TopicDataType.hpp";
/// The program, and what it includes.
const SOURCES: [&str; 2] = ["fastdds/client.cpp", "fastdds/values.hpp"];

/// The compiled client; nothing where Fast DDS is not there, which is said.
pub(super) fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    PROGRAM.get_or_init(|| is_there().then(build)).as_deref()
}

#[expect(clippy::print_stdout, reason = "a skipped test says so where its output is shown")]
fn is_there() -> bool {
    let probe =
        Command::new("c++").args(["-std=c++17", "-E", "-include", HEADER, "-x", "c++", "/dev/null"]).output();
    let is_there = probe.is_ok_and(|output| output.status.success());
    if !is_there {
        println!("skipped: no compiler finds {HEADER}; Debian has it in libfastrtps-dev");
    }
    is_there
}

fn build() -> PathBuf {
    compiled("fastdds-client", &SOURCES, |sources, program| {
        let mut command = Command::new("c++");
        command.args(["-std=c++17", "-o"]).arg(program).arg(&sources[0]);
        succeed(command.args(["-lfastrtps", "-lfastcdr"]));
    })
}
