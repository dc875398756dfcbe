//! A stand-in for ArduPilot: sends packets over UDP, reads the answers as its reader does, and hovers a quadrotor. It is
//! written from the description of the JSON interface, and shares no code with the bridge.

use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::hover::{State, angles};

/// An autopilot that flies in a thread of its own.
pub(super) struct Autopilot {
    is_over: Arc<AtomicBool>,
    frames: Arc<AtomicU32>,
    thread: Option<JoinHandle<Vec<String>>>,
}

impl Autopilot {
    /// Starts one that sends to a port of this machine, and falls silent after a number of frames.
    pub(super) fn start(port: u16, last_frame: u32) -> Self {
        let (is_over, frames) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU32::new(0)));
        let of_thread = (Arc::clone(&is_over), Arc::clone(&frames));
        let body = move || fly(port, last_frame, &of_thread.0, &of_thread.1);
        let thread = std::thread::Builder::new().name("autopilot".to_owned()).spawn(body).expect("a thread");
        Autopilot { is_over, frames, thread: Some(thread) }
    }

    /// Frames that were answered so far.
    pub(super) fn frames(&self) -> u32 {
        self.frames.load(Ordering::Relaxed)
    }

    /// Ends it. Returns the last answers.
    pub(super) fn end(mut self) -> Vec<String> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().expect("a thread").join().expect("the autopilot ends")
    }
}

fn fly(port: u16, last_frame: u32, is_over: &AtomicBool, frames: &AtomicU32) -> Vec<String> {
    let socket = UdpSocket::bind("127.0.0.1:0").expect("a socket");
    socket.connect(("127.0.0.1", port)).expect("connected");
    socket.set_read_timeout(Some(Duration::from_millis(100))).expect("set");
    let (mut pulses, mut target, mut answers) = ([1000; 16], None, Vec::new());
    let mut frame = 1;
    while frame <= last_frame && !is_over.load(Ordering::Relaxed) {
        // Nobody may listen yet.
        let _ = socket.send(&packet(frame, &pulses));
        let mut bytes = [0; 2000];
        // Without an answer the same frame is sent again.
        let Ok(len) = socket.recv(&mut bytes) else { continue };
        let text = String::from_utf8_lossy(&bytes[..len]).into_owned();
        let state = read(&text);
        pulses = pulses_of(&state, *target.get_or_insert(state.position));
        answers.push(text);
        frames.store(frame, Ordering::Relaxed);
        frame += 1;
    }
    answers
}

/// A packet with 16 channels that asks for 500 frames a second.
fn packet(frame: u32, pulses: &[u16; 16]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in [18_458, 500] {
        bytes.extend(u16::to_le_bytes(word));
    }
    bytes.extend(frame.to_le_bytes());
    bytes.extend(pulses.iter().flat_map(|pulse| pulse.to_le_bytes()));
    bytes
}

/// Reads what an answer says.
fn read(text: &str) -> State {
    State {
        gyro: numbers(text, "\"gyro\":"),
        position: numbers(text, "\"position\":"),
        velocity: numbers(text, "\"velocity\":"),
        angles: angles(numbers(text, "\"quaternion\":")),
    }
}

/// Returns the pulses that hold a position.
fn pulses_of(state: &State, target: [f64; 3]) -> [u16; 16] {
    let mut pulses = [1000; 16];
    for (pulse, share) in pulses.iter_mut().zip(state.speeds(target)) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between the ends")]
        let width = (1000.0 + 1000.0 * share).round() as u16;
        *pulse = width;
    }
    pulses
}

/// Returns the list right behind the first place of a key.
fn numbers<const N: usize>(text: &str, key: &str) -> [f64; N] {
    let rest = &text[text.find(key).unwrap_or_else(|| panic!("no {key} in {text}")) + key.len()..];
    let list = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).expect("a list").0;
    let values: Vec<f64> = list.split(',').map(|number| number.parse().expect("a number")).collect();
    values.try_into().expect("as many numbers as expected")
}

/// The altitude that an answer says, metres.
pub(super) fn altitude(answer: &str) -> f64 {
    -numbers::<3>(answer, "\"position\":")[2]
}
