//! The clients as processes that execute commands: a line of JSON for each, and a line with its result.

use serde_json::{Value, json};

use crate::service_calls::Caller;
use crate::support::{JsonProgram, Python, eventually, node_packages, node_with};

/// Which client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `client.py`.
    Python,
    /// `client.mjs`.
    Node,
}

/// Python modules of `client.py`.
const MODULES: &str = "websockets.sync.client, rosbags.typesys, google.protobuf.message_factory, numpy";

/// A running client, killed at the end of its scope.
pub(super) struct Client {
    kind: Kind,
    program: JsonProgram,
}

impl Client {
    /// Starts a client of the server at this address. Without its packages the test is skipped.
    #[track_caller]
    pub(super) fn start(kind: Kind, address: &str) -> Option<Self> {
        let mut command = match kind {
            Kind::Python => Python::with(MODULES)?.script("foxglove/client.py"),
            Kind::Node => node_with("@foxglove/ws-protocol", "foxglove/client.mjs")?,
        };
        command.arg(address);
        if kind == Kind::Node {
            command.arg(node_packages());
        }
        let client = Client { kind, program: JsonProgram::start(command) };
        let ready = client.program.next_line();
        let subprotocol = match kind {
            Kind::Python => "foxglove.sdk.v1",
            Kind::Node => "foxglove.websocket.v1",
        };
        assert_eq!(ready["ready"], subprotocol, "{ready}");
        Some(client)
    }

    /// Executes a command and returns its result.
    #[track_caller]
    pub(super) fn command(&self, name: &str, arguments: Value) -> Value {
        self.program.command(name, arguments)
    }

    /// The state of the client: what it has received.
    #[track_caller]
    pub(super) fn state(&self) -> Value {
        self.command("state", json!({}))
    }

    /// Subscribes to topics for a time.
    #[track_caller]
    pub(super) fn collect(&self, topics: &[&str], seconds: f64) -> Value {
        self.command("collect", json!({"topics": topics, "seconds": seconds}))
    }

    /// Subscribes to a topic again and again until what was collected meets a condition: a busy machine may deliver nothing
    /// in a time that is plenty otherwise.
    #[track_caller]
    pub(super) fn collect_until(&self, what: &str, topic: &str, is_met: impl Fn(&Value) -> bool) {
        eventually(what, || is_met(&self.collect(&[topic], 1.0)[topic]));
    }

    /// Waits for a status with this text, and returns it.
    #[track_caller]
    pub(super) fn status(&self, contains: &str) -> Value {
        self.command("status", json!({"contains": contains}))
    }

    /// Calls a service that must succeed.
    #[track_caller]
    #[expect(clippy::needless_pass_by_value, reason = "callers pass literal requests")]
    pub(super) fn ok(&self, service: &str, request: Value) -> Value {
        let response = Caller::call(self, service, "", &request);
        assert_eq!(response["result"]["result"], 1, "{service}: {response}");
        response
    }
}

impl Caller for Client {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Python => "present",
            Kind::Node => "older",
        }
    }

    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        let name = format!("/{service}");
        if !ros_type.is_empty() {
            // The first messages of a connection may still be on the way.
            eventually(&name, || self.state()["services"][&name] == ros_type);
        }
        self.command("call", json!({"service": name, "request": request}))
    }
}
