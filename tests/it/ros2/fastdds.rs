//! Clients of another make: `tests/it/ros2/fastdds/client.cpp`, a process of its own that speaks as rmw_fastrtps does.
//! It needs the headers and the library of Fast DDS (Debian: `libfastrtps-dev`), and is compiled when first used.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::Duration;

use bridgehead_plugin_api::messages::{CdrPlan, Message};

use super::Domain;
use super::compiled::compiled;
use crate::support::succeed;

/// Longer than the client waits by itself.
const PATIENCE: Duration = Duration::from_secs(90);
/// A header that is there where Fast DDS is.
const HEADER: &str = "fastdds/dds/topic/TopicDataType.hpp";

/// A participant with clients. Killed when it goes out of scope, so that the others are not told.
pub(crate) struct FastDds {
    child: Mutex<Child>,
    input: Mutex<ChildStdin>,
    state: Arc<Mutex<State>>,
}

/// Who waits for lines of the process.
#[derive(Default)]
struct State {
    last_id: u64,
    is_over: bool,
    answers: HashMap<String, Sender<String>>,
    topics: HashMap<String, Sender<Vec<u8>>>,
}

/// An answer that is on its way.
pub(crate) struct Pending(Receiver<String>);

impl Pending {
    /// Waits for the body of the reply; an error is the process's word on why there is none.
    #[track_caller]
    pub(crate) fn body(self) -> Result<Vec<u8>, String> {
        let line = self.0.recv_timeout(PATIENCE).map_err(|_| "the client is gone".to_owned())?;
        match line.split_once(' ') {
            Some(("reply", body)) => Ok(unhex(body)),
            _ => Err(line),
        }
    }

    /// Waits for the response.
    #[track_caller]
    pub(crate) fn response<R: Message>(self) -> R {
        decode(&self.body().expect("a reply"))
    }
}

impl FastDds {
    /// Starts a participant; nothing where Fast DDS is not there, which is said.
    #[track_caller]
    pub(crate) fn start(domain: &Domain) -> Option<Self> {
        static PROGRAM: OnceLock<Option<PathBuf>> = OnceLock::new();
        let program = PROGRAM.get_or_init(program).as_ref()?;
        let mut command = Command::new(program);
        command.arg(domain.number().to_string()).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("the client starts");
        let (input, output) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let state = Arc::new(Mutex::new(State::default()));
        listen(output, Arc::clone(&state));
        Some(FastDds { child: child.into(), input: input.into(), state })
    }

    /// Sends a line, and gives what answers it.
    fn tell(&self, line: &str) -> Pending {
        let (sender, answer) = channel();
        let mut state = lock(&self.state);
        state.last_id += 1;
        let id = state.last_id;
        if !state.is_over {
            state.answers.insert(id.to_string(), sender);
        }
        drop(state);
        // Where that fails the process is gone, which whoever waits for the answer is told.
        drop(writeln!(lock(&self.input), "{id} {line}"));
        Pending(answer)
    }

    /// Sends bytes as the request of a service with these halves.
    pub(crate) fn ask_bytes<Q: Message, R: Message>(&self, service: &str, body: &[u8]) -> Pending {
        let body = if body.is_empty() { "-".to_owned() } else { hex(body) };
        self.tell(&format!("call {service} {} {} {body}", dds_type::<Q>(), dds_type::<R>()))
    }

    /// Sends a request, without waiting for the response.
    pub(crate) fn ask<Q: Message, R: Message>(&self, service: &str, request: &Q) -> Pending {
        self.ask_bytes::<Q, R>(service, &encode(request))
    }

    /// The response of a service.
    #[track_caller]
    pub(crate) fn call<Q: Message, R: Message>(&self, service: &str, request: &Q) -> R {
        self.ask::<Q, R>(service, request).response()
    }

    /// Subscribes to a topic, `rt/` and all, as those do that want what was said before.
    #[track_caller]
    pub(crate) fn subscribe_late<M: Message>(&self, topic: &str) -> Messages {
        let (sender, messages) = channel();
        lock(&self.state).topics.insert(topic.to_owned(), sender);
        let told = self.tell(&format!("subscribe {topic} {} transient_local", dds_type::<M>()));
        assert_eq!(told.0.recv_timeout(PATIENCE).as_deref(), Ok("ok"));
        Messages(messages)
    }

    /// Replies that came and were for nobody here.
    #[track_caller]
    pub(crate) fn stray(&self) -> u32 {
        let line = self.tell("stray").0.recv_timeout(PATIENCE).expect("a count");
        line.strip_prefix("count ").and_then(|count| count.parse().ok()).expect("a count")
    }
}

/// Messages of a topic, as they come.
pub(crate) struct Messages(Receiver<Vec<u8>>);

impl Messages {
    #[track_caller]
    pub(crate) fn next<M: Message>(&self) -> M {
        decode(&self.0.recv_timeout(PATIENCE).expect("a message"))
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
        let Some((first, rest)) = line.split_once(' ') else { return };
        // Who does not listen any more is gone.
        if first == "message" {
            let told = rest.split_once(' ');
            if let Some((sender, body)) = told.and_then(|(topic, body)| Some((self.topics.get(topic)?, body)))
            {
                drop(sender.send(unhex(body)));
            }
        } else if let Some(answer) = self.answers.remove(first) {
            drop(answer.send(rest.to_owned()));
        }
    }
}

/// The compiled client.
#[expect(clippy::print_stdout, reason = "a skipped test says so where its output is shown")]
fn program() -> Option<PathBuf> {
    let probe =
        Command::new("c++").args(["-std=c++17", "-E", "-include", HEADER, "-x", "c++", "/dev/null"]).output();
    if !probe.is_ok_and(|output| output.status.success()) {
        println!("skipped: no compiler finds {HEADER}; Debian has it in libfastrtps-dev");
        return None;
    }
    Some(compiled("fastdds-client", &["fastdds/client.cpp"], |sources, program| {
        let mut command = Command::new("c++");
        command.args(["-std=c++17", "-O1", "-o"]).arg(program).args(sources);
        succeed(command.args(["-lfastrtps", "-lfastcdr"]));
    }))
}

fn dds_type<M: Message>() -> String {
    M::schema().resolve().expect("a type").ros_type().dds()
}

/// A message as CDR.
fn encode<M: Message>(message: &M) -> Vec<u8> {
    let mut body = Vec::new();
    let plan = CdrPlan::compile(&M::schema().resolve().expect("a type"));
    plan.encode_body(&message.encode_to_vec(), &mut body).expect("a message");
    body
}

/// A message from CDR.
#[track_caller]
fn decode<M: Message>(body: &[u8]) -> M {
    let mut payload = Vec::new();
    let plan = CdrPlan::compile(&M::schema().resolve().expect("a type"));
    plan.decode_body(body, &mut payload).unwrap_or_else(|error| panic!("{error}: {body:02x?}"));
    M::decode(&*payload).expect("a message")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Vec<u8> {
    let pairs = text.as_bytes().chunks_exact(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("hexadecimal")).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
