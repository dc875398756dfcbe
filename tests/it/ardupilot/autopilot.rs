//! A stand-in for ArduPilot: sends packets over UDP, reads the answers as its reader does, and hovers a quadrotor. It is
//! written from the description of the JSON interface, and shares no code with the bridge.

use std::net::UdpSocket;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Of the vehicle of the tests: kilograms, kg m² about x and y and about z, metres from its middle to a rotor in x and y,
/// N s² and metres of the rotors.
const MASS: f64 = 1.54;
const INERTIA: [f64; 2] = [0.03, 0.05];
const ARM: f64 = 0.2;
const THRUST: f64 = 8.548_58e-6;
const MOMENT: f64 = 0.016;
/// Radians per second at 2000 µs.
const MAX_SPEED: f64 = 1000.0;

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
        let state = State::read(&text);
        pulses = state.pulses(*target.get_or_insert(state.position));
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

/// What an answer says: NED and FRD.
struct State {
    gyro: [f64; 3],
    position: [f64; 3],
    velocity: [f64; 3],
    /// Roll, pitch, yaw.
    angles: [f64; 3],
}

impl State {
    fn read(text: &str) -> Self {
        let [w, x, y, z] = numbers(text, "\"quaternion\":");
        State {
            gyro: numbers(text, "\"gyro\":"),
            position: numbers(text, "\"position\":"),
            velocity: numbers(text, "\"velocity\":"),
            angles: [
                (2.0 * (w * x + y * z)).atan2(1.0 - 2.0 * (x * x + y * y)),
                (2.0 * (w * y - z * x)).clamp(-1.0, 1.0).asin(),
                (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)),
            ],
        }
    }

    /// Returns the pulses that hold a position with the nose to the east.
    fn pulses(&self, target: [f64; 3]) -> [u16; 16] {
        let [roll, pitch, yaw] = self.angles;
        let wanted: Vec<f64> =
            (0..3).map(|axis| target[axis] - self.position[axis] - 1.6 * self.velocity[axis]).collect();
        let (sin, cos) = yaw.sin_cos();
        let (forward, right) = (cos * wanted[0] + sin * wanted[1], -sin * wanted[0] + cos * wanted[1]);
        let tilt = |acceleration: f64| (acceleration / 9.81).clamp(-0.3, 0.3);
        let errors = [roll - tilt(right), pitch + tilt(forward), yaw - std::f64::consts::FRAC_PI_2];
        // Of the angles and of the rates; a rotor follows within 25 ms, so they are soft.
        let gains = [[30.0, 6.0], [30.0, 6.0], [2.0, 5.0]];
        let torque: Vec<f64> = (0..3)
            .map(|axis| {
                let [of_angle, of_rate] = gains[axis];
                INERTIA[usize::from(axis == 2)] * (-of_angle * errors[axis] - of_rate * self.gyro[axis])
            })
            .collect();
        let thrust = MASS * (9.81 - wanted[2]);
        // Front right, rear left, front left, rear right: signs of roll, pitch and yaw.
        let rotors = [[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [1.0, 1.0, -1.0], [-1.0, -1.0, -1.0]];
        let mut pulses = [1000; 16];
        for (pulse, signs) in pulses.iter_mut().zip(rotors) {
            let parts =
                signs[0] * torque[0] / ARM + signs[1] * torque[1] / ARM + signs[2] * torque[2] / MOMENT;
            let speed = ((thrust + parts).max(0.0) / 4.0 / THRUST).sqrt();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between the ends")]
            let width = (1000.0 + 1000.0 * (speed / MAX_SPEED).min(1.0)).round() as u16;
            *pulse = width;
        }
        pulses
    }
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

/// The model of the vehicle, at a place.
pub(super) fn copter(name: &str, y: f64) -> String {
    let inertial = "<inertial><mass>1.5</mass><inertia><ixx>0.03</ixx><iyy>0.03</iyy><izz>0.05</izz></inertia></inertial>";
    let rotors = [(ARM, -ARM, "ccw"), (-ARM, ARM, "ccw"), (ARM, ARM, "cw"), (-ARM, -ARM, "cw")];
    let rotors: String = rotors
        .iter()
        .enumerate()
        .map(|(index, (x, y, turn))| {
            format!(
                "<link name='rotor_{index}'><pose>{x} {y} 0.05 0 0 0</pose><inertial><mass>0.01</mass><inertia>
                 <ixx>1e-5</ixx><iyy>1e-5</iyy><izz>2e-5</izz></inertia></inertial></link>
                 <joint name='rotor_{index}_joint' type='continuous'><parent>base</parent><child>rotor_{index}</child>
                 <axis><xyz>0 0 1</xyz></axis></joint>
                 <plugin filename='multicopter_motor' name='motor_{index}'><jointName>rotor_{index}_joint</jointName>
                 <linkName>rotor_{index}</linkName><turningDirection>{turn}</turningDirection>
                 <maxRotVelocity>{MAX_SPEED}</maxRotVelocity><motorConstant>{THRUST}</motorConstant>
                 <momentConstant>{MOMENT}</momentConstant><actuator_number>{index}</actuator_number>
                 <rotorDragCoefficient>0</rotorDragCoefficient><rollingMomentCoefficient>0</rollingMomentCoefficient>
                 </plugin>"
            )
        })
        .collect();
    format!(
        "<model name='{name}'><pose>0 {y} 2 0 0 0</pose><link name='base'>{inertial}
         <sensor name='imu' type='imu'><update_rate>1000</update_rate></sensor></link>{rotors}
         <plugin filename='odometry_publisher' name='odometry'><dimensions>3</dimensions>
         <odom_publish_frequency>0</odom_publish_frequency></plugin></model>"
    )
}
