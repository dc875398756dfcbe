//! A peer of gz-transport that shares no code with this project: `tests/it/gz/peer.cc`, with Debian's libraries, compiled
//! on first use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::support::{JsonProgram, free_port, missing, root, succeed};

/// The libraries, as pkg-config names them.
const LIBRARIES: [&str; 2] = ["ignition-transport11", "ignition-msgs8"];

/// A partition with ports of discovery of its own, so that tests do not see each other.
#[derive(Clone, Debug)]
pub(super) struct Place {
    program: &'static Path,
    ports: [u16; 2],
}

impl Place {
    /// Returns a place with the compiled program for it, or skips the test without the libraries.
    #[track_caller]
    pub(super) fn find() -> Option<Self> {
        let program = program()?;
        Some(Place { program, ports: [free_port(), free_port()] })
    }

    fn partition(&self) -> String {
        format!("peers-{}", self.ports[0])
    }

    /// The connection string of a bridge at this place, for the world and all vehicles.
    pub(super) fn bridge(&self) -> String {
        let [topics, services] = self.ports;
        format!("*=gz:partition={};names=ignition;ports={topics},{services}", self.partition())
    }

    /// Starts a peer.
    #[track_caller]
    pub(super) fn peer(&self) -> Peer {
        let [topics, services] = self.ports;
        let mut command = Command::new(self.program);
        command
            .env("IGN_IP", "127.0.0.1")
            .env("IGN_PARTITION", self.partition())
            .env("IGN_DISCOVERY_MSG_PORT", topics.to_string())
            .env("IGN_DISCOVERY_SRV_PORT", services.to_string());
        Peer(JsonProgram::start(command))
    }
}

/// A running peer. Types are names without their package, and messages the text format of protobuf.
pub(super) struct Peer(JsonProgram);

impl Peer {
    /// Executes a command of those in `peer.cc`, which must succeed.
    #[track_caller]
    fn command(&self, name: &str, arguments: &Value) -> Value {
        let result = self.0.command(name, arguments.clone());
        assert!(result.get("error").is_none(), "{name} {arguments}: {result}");
        result
    }

    /// Returns the text of a message as the peer prints it; `None` if it has no such type.
    #[track_caller]
    pub(super) fn canonical(&self, gz: &str, text: &str) -> Option<String> {
        let result = self.0.command("canonical", json!({"type": full_name(gz), "text": text}));
        match result["error"].as_str() {
            None => Some(text_of(&result)),
            Some(error) if error.contains("has no type") => None,
            Some(error) => panic!("{error}"),
        }
    }

    /// Subscribes to a topic. [`Peer::next`] returns the messages.
    #[track_caller]
    pub(super) fn subscribe(&self, topic: &str, gz: &str) {
        self.command("subscribe", &json!({"topic": topic, "type": full_name(gz)}));
    }

    /// Waits for the next message of a topic.
    #[track_caller]
    pub(super) fn next(&self, topic: &str) -> String {
        text_of(&self.command("next", &json!({"topic": topic})))
    }

    /// Publishes a message again and again, until [`Peer::stop`].
    #[track_caller]
    pub(super) fn repeat(&self, topic: &str, gz: &str, text: &str) {
        self.command("repeat", &json!({"topic": topic, "type": full_name(gz), "text": text}));
    }

    /// Ends [`Peer::repeat`].
    #[track_caller]
    pub(super) fn stop(&self, topic: &str) {
        self.command("stop", &json!({"topic": topic}));
    }

    /// Subscribes to the numbered point clouds of a topic, which [`Peer::counted`] counts.
    #[track_caller]
    pub(super) fn count(&self, topic: &str) {
        self.command("count", &json!({"topic": topic}));
    }

    /// Waits until a cloud with at least this number has arrived, and returns what was counted.
    #[track_caller]
    pub(super) fn counted(&self, topic: &str, least: u64) -> Value {
        self.command("counted", &json!({"topic": topic, "least": least}))
    }

    /// Offers a service of the types of `/gazebo/worlds`, and below it `control`, of the types of `/world/W/control`.
    #[track_caller]
    pub(super) fn serve(&self, service: &str, answer: &str) {
        self.command("serve", &json!({"service": service, "answer": answer}));
    }

    /// Calls services of these types in turn, where `control` pauses; returns `medians_us` and `answers`.
    #[track_caller]
    pub(super) fn time_calls(&self, services: &[&str], count: u32) -> Value {
        self.command("time_calls", &json!({"services": services, "count": count}))
    }
}

fn full_name(gz: &str) -> String {
    format!("ignition.msgs.{gz}")
}

#[track_caller]
fn text_of(result: &Value) -> String {
    // JSON of protobuf leaves out nothing in a struct, not even an empty text.
    result["text"].as_str().expect("a text").to_owned()
}

/// The compiled program. Without the libraries the test is skipped.
#[track_caller]
fn program() -> Option<&'static Path> {
    static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
    let program = PROGRAM.get_or_init(|| Some(compiled(&flags()?))).as_deref();
    if program.is_none() {
        missing(
            "the libraries of gz-transport are missing (Debian: apt-get install libignition-transport-dev libignition-msgs-dev)",
        );
    }
    program
}

/// What the compiler needs for the libraries; `None` if they are not installed.
fn flags() -> Option<String> {
    let output = Command::new("pkg-config").args(["--cflags", "--libs"]).args(LIBRARIES).output().ok()?;
    output.status.success().then(|| String::from_utf8(output.stdout).expect("text"))
}

#[track_caller]
fn compiled(flags: &str) -> PathBuf {
    let source = root().join("tests/it/gz/peer.cc");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let program = folder.join("gz-peer");
    let modified = |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).ok();
    if modified(&program).is_some_and(|built| Some(built) >= modified(&source)) {
        return program;
    }
    // Another test program may compile it at the same time.
    let temporary = folder.join(format!("gz-peer.{}", std::process::id()));
    succeed(Command::new("c++").arg("-o").arg(&temporary).arg(source).args(flags.split_whitespace()));
    fs::rename(&temporary, &program).expect("the program is moved to its place");
    program
}
