//! The client for Fast DDS, compiled on first use.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use crate::ros2::compiled::compiled;
use crate::support::{missing, succeed};

/// A header that exists if Fast DDS is installed.
const HEADER: &str = "fastdds/dds/topic/TopicDataType.hpp";
/// The program, and what it includes.
const SOURCES: [&str; 2] = ["fastdds/client.cpp", "fastdds/values.hpp"];

/// The compiled client. Without Fast DDS the test is skipped.
#[track_caller]
pub(super) fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| is_installed().then(build)).as_deref();
    if program.is_none() {
        missing(&format!("no compiler finds `{HEADER}`; Debian has it in libfastrtps-dev"));
    }
    program
}

fn is_installed() -> bool {
    let probe =
        Command::new("c++").args(["-std=c++17", "-E", "-include", HEADER, "-x", "c++", "/dev/null"]).output();
    probe.is_ok_and(|output| output.status.success())
}

fn build() -> PathBuf {
    compiled("fastdds-client", &SOURCES, |sources, program| {
        let mut command = Command::new("c++");
        command.args(["-std=c++17", "-o"]).arg(program).arg(&sources[0]);
        succeed(command.args(["-lfastrtps", "-lfastcdr"]));
    })
}
