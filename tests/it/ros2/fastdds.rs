//! Clients of another make: `tests/it/ros2/fastdds/client.cpp`, a process of its own that speaks as rmw_fastrtps does.
//! It needs the headers and the library of Fast DDS (Debian: `libfastrtps-dev`), and is compiled when first used.
//!
//! Its types are Fast DDS's own, made at run time from what the texts of the messages say, and Fast DDS alone makes
//! bytes of messages and messages of bytes.

use std::collections::{BTreeSet, HashMap};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;

use serde_json::{Value, json};

use super::Domain;
use super::stack::{Heard, Pending, hex};
use program::program;
use texts::{Texts, dds, inner, short};

mod program;
mod texts;

/// A participant with clients. Killed when it goes out of scope, so that the others are not told.
pub(crate) struct FastDds {
    child: Mutex<Child>,
    input: Mutex<ChildStdin>,
    state: Arc<Mutex<State>>,
    /// Names in DDS of the types that it was told.
    told: Mutex<BTreeSet<String>>,
}

/// Who waits for lines of the process, and for messages of which type.
#[derive(Default)]
struct State {
    last_id: u64,
    is_over: bool,
    answers: HashMap<String, (Sender<Value>, String)>,
    topics: HashMap<String, (Sender<Value>, String)>,
}

impl FastDds {
    /// Starts a participant; nothing where Fast DDS is not there, which is said.
    #[track_caller]
    pub(crate) fn start(domain: &Domain) -> Option<Self> {
        let mut command = Command::new(program()?);
        command.arg(domain.number().to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the client starts");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let state = Arc::new(Mutex::new(State::default()));
        listen(output, Arc::clone(&state));
        Some(FastDds { child: child.into(), input: input.into(), state, told: Mutex::default() })
    }

    /// Sends a line, and gives what answers it; a message in the answer is of this type.
    fn tell(&self, line: &str, answered_with: &str) -> Pending {
        let (sender, answer) = channel();
        let mut state = lock(&self.state);
        state.last_id += 1;
        let id = state.last_id;
        if !state.is_over {
            state.answers.insert(id.to_string(), (sender, answered_with.to_owned()));
        }
        drop(state);
        // Where that fails the process is gone, which whoever waits for the answer is told.
        drop(writeln!(lock(&self.input), "{id} {line}"));
        Pending(answer)
    }

    /// Makes a type known under its name in DDS, with the fields of `package/Name`, and gives that name.
    #[track_caller]
    fn tell_type(&self, name: String, layout: &str) -> String {
        let texts = Texts::all();
        // Held until all lines are sent: who comes next may take it that they are.
        let mut told = lock(&self.told);
        let mut parts = texts.with_parts(layout);
        parts.pop();
        let parts = parts.into_iter().map(|part| (inner(&part), part));
        for (name, layout) in parts.chain([(name.clone(), layout.to_owned())]) {
            if told.insert(name.clone()) {
                drop(self.tell(&format!("type {name} {}", texts.told(&layout)), ""));
            }
        }
        name
    }

    /// Sends a request, without waiting for the response.
    #[track_caller]
    pub(crate) fn ask(&self, service: &str, ros_type: &str, request: &Value) -> Pending {
        self.ask_by(service, ros_type, &short(&format!("{ros_type}_Response")), request)
    }

    /// The same, where the response has the fields of another type, `package/Name`.
    #[track_caller]
    pub(crate) fn ask_by(&self, service: &str, ros_type: &str, response: &str, request: &Value) -> Pending {
        let words = Texts::all().words(&short(&format!("{ros_type}_Request")), request);
        self.send("call", service, ros_type, response, &words)
    }

    /// Sends bytes in the place of a request.
    #[track_caller]
    pub(crate) fn ask_bytes(&self, service: &str, ros_type: &str, body: &[u8]) -> Pending {
        self.ask_encapsulated(service, ros_type, [0, 1, 0, 0], body)
    }

    /// The same, after four bytes that say how the others are written.
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
        let asked = self.tell_type(dds(&request), &short(&request));
        let answered = self.tell_type(dds(&reply), response);
        self.tell(&format!("{what} {service} {asked} {answered} {words}"), response)
    }

    /// How Fast DDS writes a message: CDR in hexadecimal, without the four bytes that say so.
    #[track_caller]
    pub(crate) fn body(&self, ros_type: &str, message: &Value) -> String {
        let words = Texts::all().words(&short(ros_type), message);
        let name = self.tell_type(dds(ros_type), &short(ros_type));
        let told = self.line(&format!("encode {name} {words}"));
        told.strip_prefix("body x").unwrap_or_else(|| panic!("{ros_type} {message}: {told}")).to_owned()
    }

    /// Subscribes to a topic, `rt/` and all. `is_late` is for who wants what was said before.
    #[track_caller]
    pub(crate) fn subscribe(&self, topic: &str, ros_type: &str, is_late: bool) -> Heard {
        let (sender, heard) = channel();
        lock(&self.state).topics.insert(topic.to_owned(), (sender, short(ros_type)));
        let name = self.tell_type(dds(ros_type), &short(ros_type));
        let durability = if is_late { "transient_local" } else { "volatile" };
        assert_eq!(self.line(&format!("subscribe {topic} {name} {durability}")), "ok");
        Heard(heard)
    }

    /// Replies that came and were for nobody here.
    #[track_caller]
    pub(crate) fn stray(&self) -> u32 {
        let line = self.line("stray");
        line.strip_prefix("count ").and_then(|count| count.parse().ok()).expect("a count")
    }

    /// The answer to a line, where that is no message.
    #[track_caller]
    fn line(&self, line: &str) -> String {
        let told = self.tell(line, "").wait();
        let told = told.unwrap_or_else(|error| panic!("{line}: {error}"));
        told.as_str().expect("a line").to_owned()
    }
}

impl Drop for FastDds {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        // Both fail where it has ended and was collected already.
        drop(child.kill());
        drop(child.wait());
    }
}

/// Passes on the lines of the process.
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
        // Who does not listen any more is gone.
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
