//! A peer that shares no code with this project: a separate process that exchanges JSON with the test. Over DDS it is
//! `tests/it/ros2/peer/gateway.py`, which uses DDS as rmw_cyclonedds does, and over Zenoh `tests/it/zenoh/peer/gateway.py`,
//! which uses Zenoh as rmw_zenoh does.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;

use serde_json::{Value, json};

use super::Domain;
use super::stack::{Messages, PATIENCE, Pending, hex};
use super::wire::{MODULES, Wire};
use crate::support::{Python, root};

/// A peer in a domain. Killed when it goes out of scope, so that other participants are not notified.
pub(crate) struct Peer {
    child: Mutex<Child>,
    input: Mutex<Option<ChildStdin>>,
    state: Arc<Mutex<State>>,
    asked: Mutex<Receiver<Asked>>,
}

/// Receivers of lines of the peer.
#[derive(Default)]
struct State {
    last_id: u64,
    /// The output of the peer has ended.
    is_over: bool,
    answers: HashMap<u64, Sender<Value>>,
    topics: HashMap<String, Sender<Value>>,
}

/// A request to a service that the peer offers.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) service: String,
    /// Number of the call, for [`Peer::answer`].
    pub(crate) call: u64,
    pub(crate) request: Value,
}

impl Peer {
    /// Whether a peer can be started over DDS. If not, the test is skipped.
    #[track_caller]
    pub(crate) fn is_available() -> bool {
        Peer::is_available_over(Wire::Dds)
    }

    /// Whether a peer can be started over this transport. If not, the test is skipped.
    #[track_caller]
    pub(crate) fn is_available_over(wire: Wire) -> bool {
        match wire {
            Wire::Dds => python().is_some(),
            Wire::Zenoh => Python::with(MODULES).is_some(),
        }
    }

    /// Starts a peer; `None` without the library of its transport for Python, see [`Python::with`].
    #[track_caller]
    pub(crate) fn start(domain: &Domain) -> Option<Self> {
        Some(Peer::run(command(domain)?))
    }

    /// Starts a peer with low priority: it does not take processor time from the host, like a peer on another machine.
    #[track_caller]
    pub(crate) fn start_low_priority(domain: &Domain) -> Option<Self> {
        let peer = command(domain)?;
        let mut command = Command::new("nice");
        command.args(["-n", "19"]).arg(peer.get_program()).args(peer.get_args());
        command.envs(peer.get_envs().filter_map(|(name, value)| Some((name, value?))));
        Some(Peer::run(command))
    }

    /// Starts a peer whose readers send no preemptive acknowledgements: they depend on the heartbeats of the writers.
    #[track_caller]
    pub(crate) fn start_without_preemptive_acks(domain: &Domain) -> Option<Self> {
        let mut command = command(domain)?;
        command.env("PREEMPTIVE_ACK_DELAY", "60 s");
        Some(Peer::run(command))
    }

    /// Starts a peer that writes into a file what arrives.
    #[track_caller]
    pub(crate) fn start_traced(domain: &Domain, file: &Path) -> Option<Self> {
        let mut command = command(domain)?;
        command.env("TRACE_LEVEL", "finest").env("TRACE_FILE", file);
        Some(Peer::run(command))
    }

    #[track_caller]
    fn run(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("python starts");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        let state = Arc::new(Mutex::new(State::default()));
        let (sender, asked) = channel();
        listen(output, Arc::clone(&state), sender);
        Peer { child: child.into(), input: input.into(), state, asked: asked.into() }
    }

    /// Sends an operation of those in `gateway.py`.
    #[track_caller]
    pub(crate) fn tell(&self, op: &str, mut line: Value) -> Pending {
        let (sender, answer) = channel();
        let mut state = lock(&self.state);
        state.last_id += 1;
        (line["id"], line["op"]) = (json!(state.last_id), json!(op));
        if !state.is_over {
            let id = state.last_id;
            state.answers.insert(id, sender);
        }
        drop(state);
        if let Some(input) = &mut *lock(&self.input) {
            // If that fails, the peer has ended, and waiting for the answer returns an error.
            drop(input.write_all(format!("{line}\n").as_bytes()));
        }
        Pending(answer)
    }

    /// Sends a request, without waiting for the response.
    #[track_caller]
    pub(crate) fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        self.tell("call", json!({"service": service, "type": ros_type, "request": request}))
    }

    /// Sends bytes instead of a request.
    #[track_caller]
    pub(crate) fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        self.tell("send", json!({"service": service, "type": ros_type, "body": hex(body)}))
    }

    /// Sends half of the header with the sender's id, without a request. A missing answer is reported after a short
    /// timeout.
    #[track_caller]
    pub(crate) fn ask_half_header(&self, service: &str, ros_type: &str) -> Pending {
        let line = json!({"service": service, "type": ros_type, "body": null, "timeout": 2});
        self.tell("send", line)
    }

    /// The response of a service.
    #[track_caller]
    pub(crate) fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value {
        let response = self.ask(service, ros_type, request).wait();
        response.unwrap_or_else(|error| panic!("{service} {request}: {error}"))
    }

    /// The discovered `participants` and `endpoints` of others.
    #[track_caller]
    pub(crate) fn graph(&self) -> Value {
        self.tell("graph", json!({})).wait().expect("a graph")
    }

    /// Offers a service; [`Peer::asked`] returns the requests.
    #[track_caller]
    pub(crate) fn serve(&self, service: &str, ros_type: &str) {
        self.tell("serve", json!({"service": service, "type": ros_type})).wait().expect("a server");
    }

    /// The next request to a service of the peer.
    #[track_caller]
    pub(crate) fn asked(&self) -> Asked {
        lock(&self.asked).recv_timeout(PATIENCE).expect("a request")
    }

    /// Answers a request.
    #[track_caller]
    pub(crate) fn answer(&self, asked: &Asked, response: &Value) {
        let line = json!({"service": asked.service, "call": asked.call, "response": response});
        self.tell("answer", line).wait().expect("an answer");
    }

    /// Subscribes to a topic, named as in ROS, or as in DDS if there is no slash in front. Members of `settings` are
    /// `reliable`, `transient_local` and `depth`; over Zenoh `raw` too, with which a message is a line of the peer, with what
    /// came beside the message.
    #[track_caller]
    pub(crate) fn subscribe(&self, topic: &str, ros_type: &str, mut settings: Value) -> Messages {
        let (sender, messages) = channel();
        lock(&self.state).topics.insert(topic.to_owned(), sender);
        (settings["topic"], settings["type"]) = (json!(topic), json!(ros_type));
        self.tell("subscribe", settings).wait().expect("a subscriber");
        Messages(messages)
    }

    /// Publishes a message once the topic has a reader, with the settings of [`Peer::subscribe`].
    #[track_caller]
    pub(crate) fn publish(&self, topic: &str, ros_type: &str, message: &Value, mut settings: Value) {
        (settings["topic"], settings["type"], settings["message"]) =
            (json!(topic), json!(ros_type), message.clone());
        self.tell("publish", settings).wait().expect("a reader");
    }

    /// Leaves the domain properly and ends.
    #[track_caller]
    pub(crate) fn leave(self) {
        drop(lock(&self.input).take());
        let status = lock(&self.child).wait().expect("our child");
        assert!(status.success(), "the peer failed: {status}");
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        // Both fail if it has ended and was waited for already.
        drop(child.kill());
        drop(child.wait());
    }
}

/// The command of the peer.
#[track_caller]
fn command(domain: &Domain) -> Option<Command> {
    let mut command = if let Some(endpoint) = domain.endpoint() {
        let mut command = Python::with(MODULES)?.script("zenoh/peer/gateway.py");
        command.args([&domain.number().to_string(), endpoint]);
        command
    } else {
        let mut command = python()?.script("ros2/peer/gateway.py");
        command.arg(domain.number().to_string());
        command
    };
    command.arg(root().join("plugin-api/messages/tests/golden"));
    Some(command)
}

/// Python with Cyclone DDS, searched once.
fn python() -> Option<&'static Python> {
    static PYTHON: OnceLock<Option<Python>> = OnceLock::new();
    PYTHON.get_or_init(|| Python::with("cyclonedds.domain")).as_ref()
}

/// Forwards the lines of a peer.
fn listen(output: ChildStdout, state: Arc<Mutex<State>>, asked: Sender<Asked>) {
    let body = move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let line: Value = serde_json::from_str(&line).expect("a line of the peer is JSON");
            lock(&state).pass(line, &asked);
        }
        *lock(&state) = State { is_over: true, ..State::default() };
    };
    Builder::new().name("peer".to_owned()).spawn(body).expect("a thread");
}

impl State {
    fn pass(&mut self, mut line: Value, asked: &Sender<Asked>) {
        // Sending fails if the receiver was dropped.
        if let Some(answer) = line["id"].as_u64().and_then(|id| self.answers.remove(&id)) {
            drop(answer.send(line));
        } else if let Some(topic) = line["topic"].as_str().and_then(|topic| self.topics.get(topic)) {
            let is_raw = line.get("cdr").is_some();
            drop(topic.send(if is_raw { line } else { line["message"].take() }));
        } else if let (Some(service), Some(call)) = (line["asked"].as_str(), line["call"].as_u64()) {
            let service = service.to_owned();
            drop(asked.send(Asked { service, call, request: line["request"].take() }));
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
