//! A subscriber of the older Cyclone DDS 0.10, whereas the peer in Python uses version 11:
//! `tests/it/ros2/cyclone010/client.c`, a separate process with types from the IDL compiler of that version. It needs
//! the library, its headers and `idlc` (Debian: `cyclonedds-dev` and `cyclonedds-tools`), and is compiled on first use.

mod topics;

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::OnceLock;
use std::sync::mpsc::{Sender, channel};
use std::thread::Builder;

use serde_json::Value;
use tempfile::TempDir;

use super::compiled::compiled;
use super::{Domain, Messages};
use crate::support::{missing, succeed};

/// Beginning of the version of `idlc` and of the client.
const VERSION: &str = "0.10.";
/// A header that exists if Cyclone DDS is installed.
const HEADER: &str = "dds/version.h";

/// A participant with subscribers. Killed when it goes out of scope, so that other participants are not notified.
pub(crate) struct Cyclone010 {
    child: Child,
    // The client ends with its input.
    _input: ChildStdin,
}

impl Cyclone010 {
    /// Subscribes to topics, given as type, name with `rt/`, and whether it must be reliable. Without Cyclone DDS 0.10
    /// the test is skipped.
    #[track_caller]
    pub(crate) fn start<const N: usize>(
        domain: &Domain,
        topics: [(&str, &str, bool); N],
    ) -> Option<(Self, [Messages; N])> {
        static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
        let Some(program) = PROGRAM.get_or_init(program) else {
            missing(&format!(
                "no Cyclone DDS {VERSION}x; Debian 12 has it in cyclonedds-dev and cyclonedds-tools"
            ));
            return None;
        };
        let mut command = Command::new(program);
        command.arg(domain.number().to_string());
        for (ros_type, topic, is_reliable) in topics {
            command.args([ros_type, topic, if is_reliable { "1" } else { "0" }]);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the client starts");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let client = Cyclone010 { child, _input: input };
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        let mut lines = lines.map(|line| serde_json::from_str(&line).expect("a line of the client is JSON"));
        assert_version(&lines.next().expect("the version of the client"));
        let mut senders = HashMap::new();
        let messages = topics.map(|(_, topic, _)| {
            let (sender, messages) = channel();
            senders.insert(topic.to_owned(), sender);
            Messages(messages)
        });
        listen(lines, senders);
        Some((client, messages))
    }
}

impl Drop for Cyclone010 {
    fn drop(&mut self) {
        // Both fail if it has ended and was waited for already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The package for Python has its own library, which must not be the one that is used here.
#[track_caller]
fn assert_version(ready: &Value) {
    let library = Path::new(ready["library"].as_str().expect("a path"));
    let name = library.file_name().and_then(|name| name.to_str()).expect("a name");
    assert!(ready["ready"].as_str().is_some_and(|version| version.starts_with(VERSION)), "{ready}");
    assert!(name.starts_with(&format!("libddsc.so.{VERSION}")), "{ready}");
}

/// Forwards the messages of the client.
fn listen(lines: impl Iterator<Item = Value> + Send + 'static, senders: HashMap<String, Sender<Value>>) {
    let body = move || {
        for mut line in lines {
            let sender = line["topic"].as_str().and_then(|topic| senders.get(topic));
            // Sending fails if the receiver was dropped.
            drop(sender.expect("a subscribed topic").send(line["message"].take()));
        }
    };
    Builder::new().name("cyclone010".to_owned()).spawn(body).expect("a thread");
}

/// The compiled client, if the library is there.
fn program() -> Option<PathBuf> {
    let idlc = Command::new("idlc").arg("-v").output();
    let has_idlc = idlc.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(VERSION));
    let probe = Command::new("cc").args(["-E", "-include", HEADER, "-x", "c", "/dev/null"]).output();
    if !has_idlc || !probe.is_ok_and(|output| output.status.success()) {
        return None;
    }
    let sources = ["cyclone010/client.c", "cyclone010/types.idl"];
    Some(compiled("cyclone010-client", &sources, |sources, program| {
        compile(&sources[0], &sources[1], program)
    }))
}

fn compile(source: &Path, types: &Path, program: &Path) {
    let generated = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let folder = generated.path();
    // The output path of `idlc` depends on its working folder and its arguments.
    fs::copy(types, folder.join("types.idl")).expect("the types");
    succeed(Command::new("idlc").args(["-l", "c", "-x", "final", "types.idl"]).current_dir(folder));
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-O2", "-Wall", "-Wextra", "-Werror", "-I"]).arg(folder);
    command.arg(source).arg(folder.join("types.c"));
    succeed(command.args(["-lddsc", "-ldl", "-lm", "-o"]).arg(program));
}
