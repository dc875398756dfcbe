//! The bridge to Betaflight: a flight with the real flight controller, and a stand-in that answers, falls silent and is back.

use std::net::UdpSocket;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

use crate::hover::{self, copter};
use crate::support::{Finished, Setup, is_long, missing, root, skipped, target};

const PLUGINS: &[&str] = &["aero", "betaflight", "clock", "entities", "imu", "logging", "navsat"];

/// A vehicle on the ground, in a world with gravity.
fn setup() -> Setup {
    let inside = "<collision name='hull'><geometry><box><size>0.5 0.5 0.1</size></box></geometry></collision>
        <sensor name='gps' type='navsat'><update_rate>0</update_rate></sensor>";
    let sdf = format!(
        "<sdf version='1.9'><world name='field'><spherical_coordinates><latitude_deg>47.3977</latitude_deg>
         <longitude_deg>8.5456</longitude_deg><elevation>488</elevation></spherical_coordinates>
         <model name='ground'><static>true</static><link name='plane'><collision name='plane'><geometry><plane/></geometry>
         </collision></link></model>{}</world></sdf>",
        copter("one", [0.0, 0.05], inside)
    );
    Setup::new().plugins(PLUGINS).world(&sdf)
}

#[test]
fn the_real_flight_controller_takes_off_and_hovers() {
    if !is_long() {
        skipped("the flight with Betaflight runs with BRIDGEHEAD_LONG=1");
        return;
    }
    let folder =
        target().parent().expect("target/debug is in target").join("betaflight/betaflight/firmware/obj");
    let program = folder.join("betaflight_4.6.0_SITL");
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout == b"0\n");
    if !is_root || !program.is_file() {
        missing(
            "Betaflight is missing (`BRIDGEHEAD_LONG=1 bash tests/run.sh` builds it), or the tests do not run as root",
        );
        return;
    }
    let setup = setup().longer(Duration::from_secs(300));
    let eeprom = setup.path("out");
    let pilot = root().join("tests/it/betaflight/pilot.py");
    let wrapper =
        format!("unshare --net python3 {} {} {}", pilot.display(), program.display(), eeprom.display());
    let bridge = format!("one=betaflight:;state_port=9103;rate=500;max_speed={}", hover::MAX_SPEED);
    let finished = setup.bridge(bridge).args(["--duration", "24s"]).under(&wrapper).finish().expect_code(0);
    let output = finished.stdout();
    let line = output.lines().find(|line| line.starts_with('{')).expect("what the pilot has seen");
    let seen: Value = serde_json::from_str(line).expect("JSON");
    let number = |name: &str| seen[name].as_f64().expect("a number");
    assert!(number("time") > 23.5 && number("least") > 1.5 && number("greatest") < 2.5, "{seen}");
    assert!(number("speed") < 0.5, "{seen}");
}

/// A stand-in that answers each state with the same outputs.
struct Controller {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<Vec<f64>>>,
}

impl Controller {
    /// Starts one at a port that answers to another one, and falls silent after a number of states.
    fn start(socket: UdpSocket, outputs: u16, answers: usize) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let of_thread = Arc::clone(&is_over);
        let body = move || {
            socket.set_read_timeout(Some(Duration::from_millis(50))).expect("set");
            let (mut times, mut bytes) = (Vec::new(), [0; 200]);
            while !of_thread.load(Ordering::Relaxed) {
                let Ok(len) = socket.recv(&mut bytes) else { continue };
                assert_eq!(len, 144);
                times.push(f64::from_le_bytes(bytes[..8].try_into().expect("eight bytes")));
                let answer: Vec<u8> = [0.25_f32; 4].iter().flat_map(|part| part.to_le_bytes()).collect();
                if times.len() <= answers {
                    socket.send_to(&answer, ("127.0.0.1", outputs)).expect("sent");
                }
            }
            times
        };
        let thread = std::thread::Builder::new().name("betaflight".to_owned()).spawn(body).expect("a thread");
        Controller { is_over, thread: Some(thread) }
    }

    /// Ends it. Returns the times of the states that it got, seconds.
    fn end(mut self) -> Vec<f64> {
        self.is_over.store(true, Ordering::Relaxed);
        self.thread.take().expect("a thread").join().expect("it ends")
    }
}

/// A run of which the controller answers some states, with a time limit.
fn run(answers: usize, rate: u32, more: &str) -> (Finished, Vec<f64>) {
    let ports = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").expect("a socket"));
    let [states, outputs] = ports.each_ref().map(|port| port.local_addr().expect("an address").port());
    let [socket, reserved] = ports;
    drop(reserved);
    let controller = Controller::start(socket, outputs, answers);
    let config = format!(
        "[[bridge]]\nattach = 'one'\nname = 'betaflight'\nconnection = ':{outputs};state_port={states};rate={rate}'\n\
         step_timeout = '1500ms'\n{more}"
    );
    let finished = setup().config(&config).args(["--duration", "1s"]).finish();
    (finished, controller.end())
}

#[test]
fn states_are_sent_at_the_rate_and_outputs_turn_the_rotors() {
    let reset = "[[trigger]]\nevent = 'time=0.5'\naction = 'reset'\n";
    let (finished, times) = run(usize::MAX, 500, reset);
    finished.expect_code(0).expect_message(&["Betaflight answers"]);
    // Half a second, and a second after the reset; some are sent again if the machine is slow.
    assert!(times.len() >= 740, "{}", times.len());
    assert!(times.is_sorted(), "the time goes on over a reset: {times:?}");
    assert!(times.last().is_some_and(|time| *time > 1.4), "{times:?}");
}

#[test]
fn a_controller_that_falls_silent_is_named_and_ends_the_run() {
    let (finished, times) = run(100, 1000, "");
    let finished = finished.expect_code(16).expect_message(&["BH-BFL-005", "has not answered 50 states"]);
    finished.expect_message(&["BH-BRG-039", "has waited for `one/betaflight`"]);
    assert!(times.len() > 150, "{}", times.len());
}

#[test]
fn steps_and_vehicles_that_do_not_fit_are_refused() {
    run(usize::MAX, 300, "").0.expect_message(&["BH-BFL-004", "300 states per second"]);
    let bare =
        "<sdf version='1.9'><world name='w'><model name='one'><link name='base'/></model></world></sdf>";
    let setup =
        Setup::new().plugins(PLUGINS).world(bare).bridge("one=betaflight::0").args(["--duration", "10ms"]);
    setup.finish().expect_message(&["BH-BFL-003", "sensor of type `imu`"]);
}
