//! Clients of Fast DDS: `tests/it/ros2/fastdds/client.cpp`, a separate process that uses DDS as rmw_fastrtps does. It
//! needs the headers and the library of Fast DDS (Debian: `libfastrtps-dev`), and is compiled on first use.
//!
//! Its types are Fast DDS's own, made at run time from the `.msg` texts; all encoding and decoding is done by Fast DDS.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use serde_json::{Value, json};

use super::Domain;
use super::stack::{Messages, Pending, hex};
use program::program;
use texts::{Texts, dds, inner, short};

mod program;
mod texts;

/// A participant with clients. Killed when it goes out of scope, so that other participants are not notified.
pub(crate) struct FastDds {
    child: Mutex<Child>,
    input: Mutex<ChildStdin>,
    state: Arc<Mutex<State>>,
    /// DDS names of the types that were sent to it.
    sent_types: Mutex<BTreeSet<String>>,
}

/// Receivers of lines of the process, each with the type of the message in the line.
#[derive(Default)]
struct State {
    last_id: u64,
    is_over: bool,
    answers: HashMap<String, (Sender<Value>, String)>,
    topics: HashMap<String, (Sender<Value>, String)>,
}

impl FastDds {
    /// Starts a participant. Without Fast DDS the test is skipped.
    #[track_caller]
    pub(crate) fn start(domain: &Domain) -> Option<Self> {
        let mut command = Command::new(program()?);
        command.arg(domain.number().to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the client starts");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let state = Arc::new(Mutex::new(State::default()));
        listen(output, Arc::clone(&state));
        Some(FastDds { child: child.into(), input: input.into(), state, sent_types: Mutex::default() })
    }

    /// Sends a line, and returns its pending answer; a message in the answer has this type.
    fn send_line(&self, line: &str, answered_with: &str) -> Pending {
        let (sender, answer) = channel();
        let mut state = lock(&self.state);
        state.last_id += 1;
        let id = state.last_id;
        if !state.is_over {
            state.answers.insert(id.to_string(), (sender, answered_with.to_owned()));
        }
        drop(state);
        // If that fails, the process has ended, and waiting for the answer returns an error.
        drop(writeln!(lock(&self.input), "{id} {line}"));
        Pending(answer)
    }

    /// Defines a type with the fields of `package/Name` under this DDS name, and returns that name.
    #[track_caller]
    fn define_type(&self, name: String, layout: &str) -> String {
        let texts = Texts::all();
        // Locked until all lines are sent, so that the next caller can rely on the definitions.
        let mut sent = lock(&self.sent_types);
        let mut parts = texts.with_parts(layout);
        parts.pop();
        let parts = parts.into_iter().map(|part| (inner(&part), part));
        for (name, layout) in parts.chain([(name.clone(), layout.to_owned())]) {
            if sent.insert(name.clone()) {
                drop(self.send_line(&format!("type {name} {}", texts.definition(&layout)), ""));
            }
        }
        name
    }

    /// Sends a request, without waiting for the response.
    #[track_caller]
    pub(crate) fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        self.ask_with_response(service, ros_type, &short(&format!("{ros_type}_Response")), request)
    }

    /// The same for a response with the fields of another type, `package/Name`.
    #[track_caller]
    pub(crate) fn ask_with_response(
        &self,
        service: &str,
        ros_type: &str,
        response: &str,
        request: &Value,
    ) -> Pending {
        let words = Texts::all().words(&short(&format!("{ros_type}_Request")), request);
        self.send("call", service, ros_type, response, &words)
    }

    /// Sends bytes instead of a request.
    #[track_caller]
    pub(crate) fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        self.ask_encapsulated(service, ros_type, [0, 1, 0, 0], body)
    }

    /// The same, with these four bytes of encapsulation header.
    #[track_caller]
    pub(crate) fn ask_encapsulated(
        &self,
        service: &str,
        ros_type: &str,
        head: [u8; 4],
        body: &[u8],
    ) -> Pending {
        let response = short(&format!("{ros_type}_Response"));
        let words = format!("x{}{}", hex(&head), hex(body));
        self.send("send", service, ros_type, &response, &words)
    }

    #[track_caller]
    fn send(&self, what: &str, service: &str, ros_type: &str, response: &str, words: &str) -> Pending {
        let [request, reply] = ["Request", "Response"].map(|half| format!("{ros_type}_{half}"));
        let request = self.define_type(dds(&request), &short(&request));
        let reply = self.define_type(dds(&reply), response);
        self.send_line(&format!("{what} {service} {request} {reply} {words}"), response)
    }

    /// A message as encoded by Fast DDS: CDR in hexadecimal, without the encapsulation header of four bytes.
    #[track_caller]
    pub(crate) fn body(&self, ros_type: &str, message: &Value) -> String {
        let words = Texts::all().words(&short(ros_type), message);
        let name = self.define_type(dds(ros_type), &short(ros_type));
        let answer = self.line(&format!("encode {name} {words}"));
        answer.strip_prefix("body x").unwrap_or_else(|| panic!("{ros_type} {message}: {answer}")).to_owned()
    }

    /// Subscribes to a topic, named with `rt/`. If `is_late` is set, earlier latched messages are delivered too.
    #[track_caller]
    pub(crate) fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Messages {
        let (sender, messages) = channel();
        lock(&self.state).topics.insert(topic.to_owned(), (sender, short(ros_type)));
        let name = self.define_type(dds(ros_type), &short(ros_type));
        let durability = if is_late { "transient_local" } else { "volatile" };
        assert_eq!(self.line(&format!("subscribe {topic} {name} {durability}")), "ok");
        Messages(messages)
    }

    /// Number of received replies to other clients.
    #[track_caller]
    pub(crate) fn stray(&self) -> u32 {
        let line = self.line("stray");
        line.strip_prefix("count ").and_then(|count| count.parse().ok()).expect("a count")
    }

    /// The answer to a line, if it is not a message.
    #[track_caller]
    fn line(&self, line: &str) -> String {
        let answer = self.send_line(line, "").wait();
        let answer = answer.unwrap_or_else(|error| panic!("{line}: {error}"));
        answer.as_str().expect("a line").to_owned()
    }
}

impl Drop for FastDds {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        // Both fail if it has ended and was waited for already.
        drop(child.kill());
        drop(child.wait());
    }
}

/// Forwards the lines of the process.
fn listen(output: ChildStdout, state: Arc<Mutex<State>>) {
    let body = move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            lock(&state).pass(&line);
        }
        *lock(&state) = State { is_over: true, ..State::default() };
    };
    Builder::new().name("fastdds".to_owned()).spawn(body).expect("a thread");
}

impl State {
    fn pass(&mut self, line: &str) {
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap_or_default();
        let (first, second) = (word(), word());
        // Sending fails if the receiver was dropped.
        if first == "message" {
            let Some((sender, name)) = self.topics.get(second) else { return };
            let message = Texts::all().message(name, &mut words);
            drop(sender.send(message.unwrap_or_else(|| json!(line))));
        } else if let Some((sender, name)) = self.answers.remove(first) {
            let rest = line.split_once(' ').map_or("", |(_, rest)| rest);
            let answer = match second {
                "reply" => {
                    Texts::all().message(&name, &mut words).map(|message| json!({"response": message}))
                }
                "error" => None,
                _ => Some(json!({"response": rest})),
            };
            drop(sender.send(answer.unwrap_or_else(|| json!({"error": rest}))));
        }
    }
}

fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks_exact(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
