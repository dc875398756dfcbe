//! A client of the step channel, written from `docs/step-channel.md`: it shares no code with the host.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::ops::{Deref, DerefMut};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use crate::support::{Running, Setup};

pub(super) const DECLARE: u32 = 1;
pub(super) const STEP: u32 = 2;
pub(super) const RESET: u32 = 3;
pub(super) const SAVE: u32 = 4;
pub(super) const RESTORE: u32 = 5;
pub(super) const FORGET: u32 = 6;
pub(super) const CLOSE: u32 = 7;

pub(super) const IS_RESET: u32 = 1;
pub(super) const HAS_ENDED: u32 = 2;
pub(super) const HAS_SUCCEEDED: u32 = 4;
pub(super) const HAS_FAILED: u32 = 8;
pub(super) const IS_CUT_SHORT: u32 = 16;
pub(super) const IS_OVERLONG: u32 = 32;
pub(super) const LACKS_SOMETHING: u32 = 64;

/// `simulation_interfaces/msg/SimulationState`.
pub(super) const PAUSED: u32 = 2;

/// Longer than any answer takes.
const TIMEOUT: Duration = Duration::from_secs(120);

/// An answer with a state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct State {
    pub(super) time_ns: i64,
    pub(super) step: u64,
    pub(super) reset_epoch: u32,
    pub(super) state: u32,
    pub(super) flags: u32,
    pub(super) values: Vec<f64>,
}

/// A connection that ends when this is dropped: closing the descriptor alone would leave it open as long as a process that
/// another test has just forked has a copy of it.
pub(super) struct Stream(UnixStream);

impl Deref for Stream {
    type Target = UnixStream;

    fn deref(&self) -> &UnixStream {
        &self.0
    }
}

impl DerefMut for Stream {
    fn deref_mut(&mut self) -> &mut UnixStream {
        &mut self.0
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Fails if the host has ended it already.
        drop(self.0.shutdown(Shutdown::Both));
    }
}

pub(super) struct Channel {
    pub(super) stream: Stream,
}

/// Adds the socket of [`connect`] to a run that begins paused.
pub(super) fn with_channel(setup: Setup) -> Setup {
    let path = setup.path("steps");
    setup.args(["--start", "paused"]).arg("--step-channel").arg(path)
}

/// Connects to the socket of a run.
#[track_caller]
pub(super) fn connect(running: &mut Running) -> Channel {
    let path = running.path("steps");
    running.wait_for("serves the step channel");
    Channel::open(&path).expect("a greeting")
}

pub(super) fn greeting(magic: &[u8; 8], version: u32) -> Vec<u8> {
    [&magic[..], &version.to_le_bytes(), &[0; 4]].concat()
}

pub(super) fn frame(kind: u32, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("a short body");
    [&length.to_le_bytes()[..], &kind.to_le_bytes(), body].concat()
}

pub(super) fn raw(path: &Path) -> Stream {
    let stream = UnixStream::connect(path).expect("a socket");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a limit");
    Stream(stream)
}

/// Reads the greeting of the host; its text is empty if the client is accepted.
pub(super) fn read_greeting(stream: &mut UnixStream) -> String {
    let mut head = [0; 16];
    stream.read_exact(&mut head).expect("a greeting");
    assert_eq!(head[..12], *b"BHSTEPS\0\x01\0\0\0");
    let mut text = vec![0; word(&head, 12)];
    stream.read_exact(&mut text).expect("a text");
    String::from_utf8(text).expect("a text")
}

fn word(bytes: &[u8], at: usize) -> usize {
    usize::try_from(u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))).expect("a size")
}

impl Channel {
    pub(super) fn open(path: &Path) -> Result<Self, String> {
        let mut stream = raw(path);
        stream.write_all(&greeting(b"BHSTEPS\0", 1)).expect("the greeting is sent");
        let refusal = read_greeting(&mut stream);
        if refusal.is_empty() { Ok(Channel { stream }) } else { Err(refusal) }
    }

    /// Returns kind and body of the answer to a request.
    pub(super) fn ask(&mut self, kind: u32, body: &[u8]) -> (u32, Vec<u8>) {
        self.stream.write_all(&frame(kind, body)).expect("the request is sent");
        self.answer()
    }

    pub(super) fn answer(&mut self) -> (u32, Vec<u8>) {
        let mut header = [0; 8];
        self.stream.read_exact(&mut header).expect("an answer");
        let mut body = vec![0; word(&header, 0)];
        self.stream.read_exact(&mut body).expect("the whole answer");
        (u32::try_from(word(&header, 4)).expect("a kind"), body)
    }

    /// Declares lines of words with spaces between them. Returns the lines of the layout.
    #[track_caller]
    pub(super) fn declare(&mut self, lines: &[&str]) -> Vec<String> {
        let text = lines.join("\n").replace(' ', "\t");
        let (kind, body) = self.ask(DECLARE, text.as_bytes());
        let answer = String::from_utf8(body).expect("a text");
        assert_eq!(kind, DECLARE, "{answer}");
        answer.lines().map(str::to_owned).collect()
    }

    #[track_caller]
    pub(super) fn step(&mut self, steps: u32, values: &[f64]) -> State {
        self.state(STEP, &step_body(steps, values))
    }

    /// Returns the state that answers a request.
    #[track_caller]
    pub(super) fn state(&mut self, kind: u32, body: &[u8]) -> State {
        let (answered, body) = self.ask(kind, body);
        assert_eq!(answered, kind, "{}", String::from_utf8_lossy(&body));
        state_of(&body)
    }

    /// Returns the text of the error that answers a request.
    #[track_caller]
    pub(super) fn error(&mut self, kind: u32, body: &[u8]) -> String {
        let (answered, body) = self.ask(kind, body);
        let text = String::from_utf8_lossy(&body).into_owned();
        assert_eq!(answered, 0, "{text}");
        text
    }

    /// Fails unless the host has closed the connection.
    #[track_caller]
    pub(super) fn expect_closed(mut self) {
        expect_closed(&mut self.stream);
    }
}

/// Fails unless the host closes the connection.
#[track_caller]
pub(super) fn expect_closed(stream: &mut UnixStream) {
    match stream.read(&mut [0; 1]) {
        Ok(0) => {}
        Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
        other => panic!("the connection is open: {other:?}"),
    }
}

pub(super) fn step_body(steps: u32, values: &[f64]) -> Vec<u8> {
    let count = u32::try_from(values.len()).expect("a count");
    let mut body = [steps.to_le_bytes(), count.to_le_bytes()].concat();
    values.iter().for_each(|value| body.extend_from_slice(&value.to_le_bytes()));
    body
}

fn state_of(body: &[u8]) -> State {
    let words: Vec<u32> =
        (16..32).step_by(4).map(|at| u32::try_from(word(body, at)).expect("a word")).collect();
    let numbers =
        body[32..].chunks(8).map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight bytes")));
    let state = State {
        time_ns: i64::from_le_bytes(body[..8].try_into().expect("eight bytes")),
        step: u64::from_le_bytes(body[8..16].try_into().expect("eight bytes")),
        reset_epoch: words[0],
        state: words[1],
        flags: words[2],
        values: numbers.collect(),
    };
    assert_eq!(state.values.len(), usize::try_from(words[3]).expect("a count"));
    state
}
