//! A stand-in for PX4: connects over TCP, counts its time from the first sample, answers as PX4 does, and hovers a quadrotor.
//! It is written from the description of the protocol, and shares no code with the bridge.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use super::frames::{first_version, frame, frames};
use crate::hover::{State, angles};

const HEARTBEAT: (u32, u8) = (0, 50);
const COMMAND_LONG: (u32, u8) = (76, 152);
const ACTUATOR_CONTROLS: (u32, u8) = (93, 47);
const SENSOR: (u32, u8) = (107, 108);
const GPS: (u32, u8) = (113, 124);
const TRUTH: (u32, u8) = (115, 4);
/// The checksums of the messages that it reads are salted with these.
const SALTS: [(u32, u8); 3] = [SENSOR, GPS, TRUTH];

/// How it ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// It closes the connection.
    Close,
    /// It stays connected and silent.
    Silence,
    /// It sends half of an answer and stays silent.
    Half,
}

/// What it does.
#[derive(Clone, Copy)]
pub(super) struct Flight {
    /// Samples before its first answer.
    pub(super) boot: u64,
    /// Its time when it arms, µs. Before that, its controls are 0.
    pub(super) arms_at_us: u64,
    /// Its last answer.
    pub(super) last: u64,
    pub(super) end: End,
    /// Each so many answers one is left out; 0 for never.
    pub(super) leaves_out: u64,
    /// True if it sends other bytes around its answers.
    pub(super) is_noisy: bool,
}

impl Default for Flight {
    fn default() -> Self {
        Flight {
            boot: 5,
            arms_at_us: 2_000_000,
            last: u64::MAX,
            end: End::Close,
            leaves_out: 0,
            is_noisy: false,
        }
    }
}

/// What it has seen.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) state: State,
    /// Samples with a new compass, barometer and GPS.
    pub(super) updates: [u64; 3],
    pub(super) samples: u64,
    /// Time of the last sample, µs.
    pub(super) last_us: u64,
}

/// An autopilot that flies in a thread of its own.
pub(super) struct Px4 {
    is_over: Arc<AtomicBool>,
    answers: Arc<AtomicU64>,
    thread: Option<JoinHandle<Seen>>,
}

impl Px4 {
    /// Starts one that connects to a port of this machine.
    pub(super) fn start(port: u16, flight: Flight) -> Self {
        let (is_over, answers) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut pilot = Pilot {
            flight,
            is_over: Arc::clone(&is_over),
            answers: Arc::clone(&answers),
            seen: Seen::default(),
            first_us: None,
            origin: None,
            target: None,
        };
        let body = move || {
            if let Some(stream) = pilot.connect(port) {
                pilot.fly(stream);
            }
            pilot.seen
        };
        let thread = std::thread::Builder::new().name("px4".to_owned()).spawn(body).expect("a thread");
        Px4 { is_over, answers, thread: Some(thread) }
    }

    /// Answers so far.
    pub(super) fn answers(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    /// Ends it. Returns what it has seen.
    pub(super) fn end(mut self) -> Seen {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().expect("a thread").join().expect("the autopilot ends")
    }
}

struct Pilot {
    flight: Flight,
    is_over: Arc<AtomicBool>,
    answers: Arc<AtomicU64>,
    seen: Seen,
    first_us: Option<u64>,
    /// The first place, 1e-7 degrees and millimetres.
    origin: Option<[i32; 3]>,
    target: Option<[f64; 3]>,
}

impl Pilot {
    fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Connects as soon as somebody listens.
    fn connect(&self, port: u16) -> Option<TcpStream> {
        while !self.is_over() {
            if let Ok(stream) = TcpStream::connect(("127.0.0.1", port)) {
                stream.set_nodelay(true).expect("set");
                stream.set_read_timeout(Some(Duration::from_millis(100))).expect("set");
                return Some(stream);
            }
            std::thread::yield_now();
        }
        None
    }

    /// Flies until the connection or the flight ends.
    fn fly(&mut self, mut stream: TcpStream) {
        // One heartbeat, and the request for the truth with each sample.
        let mut command = floats(&[115.0, 4000.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        command.extend(511_u16.to_le_bytes());
        let heartbeat = [0, 0, 0, 0, 0, 12, 0, 0, 3];
        let greeting = [frame(HEARTBEAT, &heartbeat), frame(COMMAND_LONG, &command)].concat();
        if stream.write_all(&greeting).is_err() {
            return;
        }
        let (mut received, mut bytes) = (Vec::new(), [0; 4096]);
        while !self.is_over() {
            match stream.read(&mut bytes) {
                Ok(0) => return,
                Ok(len) => received.extend_from_slice(&bytes[..len]),
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                Err(_) => return,
            }
            for (id, payload) in frames(&mut received, &SALTS) {
                let Some(answer) = self.take(id, &payload) else { continue };
                if self.answers.load(Ordering::Relaxed) >= self.flight.last {
                    self.finish(&mut stream, &answer);
                    return;
                }
                let is_left_out =
                    self.flight.leaves_out > 0 && self.seen.samples.is_multiple_of(self.flight.leaves_out);
                let sent = if self.flight.is_noisy { noisy(&answer) } else { answer };
                if !is_left_out && stream.write_all(&sent).is_err() {
                    return;
                }
                self.answers.fetch_add(1, Ordering::Relaxed);
            }
        }
    }

    /// Ends the flight in the way that was asked for.
    fn finish(&self, stream: &mut TcpStream, answer: &[u8]) {
        if self.flight.end == End::Close {
            return;
        }
        if self.flight.end == End::Half {
            let _ = stream.write_all(&answer[..answer.len() / 2]);
        }
        // Until the simulator ends the connection.
        let mut bytes = [0; 4096];
        while !self.is_over() && !matches!(stream.read(&mut bytes), Ok(0)) {}
    }

    /// Takes a message. Returns the answer to a sample.
    fn take(&mut self, id: u32, payload: &[u8]) -> Option<Vec<u8>> {
        match id {
            id if id == TRUTH.0 => self.take_truth(payload),
            id if id == GPS.0 => self.seen.updates[2] += 1,
            _ => return self.take_sample(payload),
        }
        None
    }

    fn take_truth(&mut self, payload: &[u8]) {
        let quaternion: [f64; 4] = std::array::from_fn(|part| float(payload, 8 + 4 * part));
        let place: [i32; 3] = std::array::from_fn(|part| {
            i32::from_le_bytes(payload[36 + 4 * part..][..4].try_into().expect("four bytes"))
        });
        let velocity: [f64; 3] = std::array::from_fn(|part| {
            f64::from(i16::from_le_bytes(payload[48 + 2 * part..][..2].try_into().expect("two bytes")))
                / 100.0
        });
        let [lat, lon, alt] = *self.origin.get_or_insert(place);
        // Metres of 1e-7 degrees on a sphere, near enough for a hover.
        let scale = 1e-7_f64.to_radians() * 6_371_000.0;
        let north = f64::from(place[0] - lat) * scale;
        let east = f64::from(place[1] - lon) * scale * (f64::from(lat) * 1e-7).to_radians().cos();
        let down = f64::from(alt - place[2]) / 1000.0;
        let state = &mut self.seen.state;
        (state.position, state.velocity, state.angles) = ([north, east, down], velocity, angles(quaternion));
    }

    /// Takes a sample. Its time never goes back, and PX4 counts it from the first one.
    fn take_sample(&mut self, payload: &[u8]) -> Option<Vec<u8>> {
        let time_us = u64::from_le_bytes(payload[..8].try_into().expect("eight bytes"));
        assert!(time_us > self.seen.last_us, "{time_us} after {}", self.seen.last_us);
        let fields = u32::from_le_bytes(payload[60..64].try_into().expect("four bytes"));
        let seen = &mut self.seen;
        seen.samples += 1;
        seen.last_us = time_us;
        seen.state.gyro = std::array::from_fn(|part| float(payload, 20 + 4 * part));
        seen.updates[0] += u64::from(fields & 0x1c0 == 0x1c0);
        seen.updates[1] += u64::from(fields & 0x1a00 == 0x1a00);
        let own_us = time_us - *self.first_us.get_or_insert(time_us);
        (seen.samples > self.flight.boot).then(|| self.answer(own_us))
    }

    /// Returns the answer at its time.
    fn answer(&mut self, own_us: u64) -> Vec<u8> {
        let is_armed = own_us >= self.flight.arms_at_us && self.origin.is_some();
        let state = self.seen.state;
        let mut controls = [0.0; 16];
        if is_armed {
            let [north, east, down] = state.position;
            let target = *self.target.get_or_insert([north, east, down - 2.0]);
            controls[..4].copy_from_slice(&state.speeds(target));
        }
        let mut payload = own_us.to_le_bytes().to_vec();
        payload.extend(1_u64.to_le_bytes());
        payload.extend(floats(&controls));
        payload.push(if is_armed { 129 } else { 1 });
        frame(ACTUATOR_CONTROLS, &payload)
    }
}

/// An answer among other bytes: noise, an answer with a wrong checksum, MAVLink 1, and a flood of heartbeats.
fn noisy(answer: &[u8]) -> Vec<u8> {
    let mut wrong = answer.to_vec();
    wrong[30] ^= 0x55;
    let heartbeat = [0, 0, 0, 0, 0, 12, 0, 0, 3];
    let mut bytes = [b"noise\x00\x01\x02".to_vec(), wrong, first_version(HEARTBEAT, &heartbeat)].concat();
    bytes.extend(answer);
    for _ in 0..30 {
        bytes.extend(frame(HEARTBEAT, &heartbeat));
    }
    bytes
}

fn float(payload: &[u8], at: usize) -> f64 {
    f64::from(f32::from_le_bytes(payload[at..at + 4].try_into().expect("four bytes")))
}

#[expect(clippy::cast_possible_truncation, reason = "messages have this width")]
fn floats(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| (*value as f32).to_le_bytes()).collect()
}
