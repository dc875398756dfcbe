//! The bridge to ArduPilot, with a stand-in for it: flights in lockstep, and peers that are late, gone and back.

mod autopilot;

use serde_json::{Value, json};

use crate::hover;
use crate::support::{Finished, PAUSED, Served, Setup, eventually, is_long};
use autopilot::{Autopilot, altitude};

const PLUGINS: &[&str] = &["aero", "ardupilot", "clock", "entities", "imu", "logging"];

/// No autopilot of a test sends as many frames.
const ENDLESS: u32 = u32::MAX;

/// A port of UDP that nobody uses now.
fn free_port() -> u16 {
    let socket = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
    socket.local_addr().expect("an address").port()
}

/// A vehicle in the air.
fn copter(name: &str, y: f64) -> String {
    hover::copter(name, [y, 2.0], "")
}

/// A world with gravity.
fn setup(models: &str) -> Setup {
    let sdf = format!("<sdf version='1.9'><world name='sky'>{models}</world></sdf>");
    Setup::new().plugins(PLUGINS).world(&sdf)
}

fn bridge(port: u16) -> String {
    format!("ardupilot::{port};max_speed=1000")
}

fn hash(finished: &Finished) -> Value {
    finished.result()["state_hash"].clone()
}

/// Flies two vehicles; returns the hash of the state at the end, and the altitudes that the autopilots saw last.
fn flight(seconds: u32, config: &str) -> (Value, [f64; 2]) {
    let ports = [free_port(), free_port()];
    let pilots = ports.map(|port| Autopilot::start(port, ENDLESS));
    let models = copter("one", 0.0) + &copter("two", 3.0);
    let setup = setup(&models)
        .bridge(format!("one={}", bridge(ports[0])))
        .bridge(format!("two={}", bridge(ports[1])));
    let finished = setup.arg("--duration").arg(format!("{seconds}s")).config(config).finish().expect_code(0);
    let seen = pilots.map(|pilot| altitude(pilot.end().last().expect("answers")));
    (hash(&finished), seen)
}

#[test]
fn two_vehicles_hover_in_lockstep_and_equal_runs_have_equal_states() {
    let seconds = if is_long() { 60 } else { 10 };
    let (first, seen) = flight(seconds, "");
    for altitude in seen {
        assert!((altitude - 2.0).abs() < 0.05, "{altitude} m");
    }
    assert_eq!(flight(seconds, "").0, first);
}

#[test]
fn a_reset_begins_the_flight_anew() {
    let reset = "[[trigger]]\nevent = 'time=2'\naction = 'reset'\n";
    let (first, seen) = flight(4, reset);
    assert!((seen[0] - 2.0).abs() < 0.2, "{seen:?}");
    assert_eq!(flight(4, reset).0, first);

    let port = free_port();
    let pilot = Autopilot::start(port, ENDLESS);
    let setup = setup(&copter("one", 0.0)).bridge(format!("one={}", bridge(port)));
    let host = Served::start(setup.args(["--start", "paused"]));
    eventually("the host is paused", || host.state() == PAUSED);
    let state = || {
        host.ok("step_simulation", json!({"steps": 1000}));
        host.ok("get_entity_state", json!({"entity": "one"}))["state"]["pose"].clone()
    };
    let before = state();
    host.ok("reset", json!({"then": "keep"}));
    assert_eq!(state(), before, "the autopilot flies after the reset as before it");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
    pilot.end();
}

/// A configuration of the bridge with a time limit.
fn limited(port: u16, policy: &str) -> String {
    format!(
        "[[bridge]]\nattach = 'one'\nname = 'ardupilot'\nconnection = ':{port};max_speed=1000'\nstep_timeout = '1500ms'\n\
         on_step_timeout = '{policy}'\n"
    )
}

#[test]
fn a_silent_autopilot_is_named_and_ends_the_run_if_so_configured() {
    let port = free_port();
    let pilot = Autopilot::start(port, 200);
    let finished =
        setup(&copter("one", 0.0)).config(&limited(port, "end")).args(["--duration", "60s"]).finish();
    assert_eq!(pilot.end().len(), 200);
    finished.expect_code(16).expect_message(&[
        "BH-BRG-039",
        "has waited for `one/ardupilot`",
        "the run ends",
    ]);
}

#[test]
fn steps_go_on_without_the_autopilot_until_it_is_back() {
    let port = free_port();
    let pilot = Autopilot::start(port, 200);
    let setup = setup(&copter("one", 0.0)).config(&limited(port, "continue")).in_real_time();
    let mut host = Served::start(setup.args(["--start", "playing"]));
    host.wait_for("steps run without it");
    assert_eq!(pilot.end().len(), 200);
    let again = Autopilot::start(port, ENDLESS);
    host.wait_for("releases steps again");
    eventually("the autopilot gets answers", || again.frames() > 100);
    host.ok("quit", json!({}));
    let finished = host.finish();
    again.end();
    finished.expect_message(&["ArduPilot has restarted"]).expect_message(&["BH-BRG-039"]);
}

#[test]
fn a_run_waits_for_an_autopilot_that_comes_late_and_a_stop_ends_the_wait() {
    let port = free_port();
    let mut host = Served::start(
        setup(&copter("one", 0.0)).bridge(format!("one={}", bridge(port))).args(["--start", "playing"]),
    );
    host.wait_for("step 1 waits for `one/ardupilot`");
    let pilot = Autopilot::start(port, 200);
    eventually("the autopilot gets answers", || pilot.frames() >= 200);
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
    pilot.end();
}

#[test]
fn a_vehicle_without_sensors_and_a_port_that_is_taken_are_refused() {
    let bare = "<model name='one'><link name='base'/></model>";
    let run =
        |port: u16| setup(bare).bridge(format!("one={}", bridge(port))).args(["--duration", "10ms"]).finish();
    run(free_port()).expect_message(&["BH-APM-003", "sensor of type `imu`"]);
    let taken = std::net::UdpSocket::bind("127.0.0.1:0").expect("a socket");
    run(taken.local_addr().expect("an address").port()).expect_message(&["BH-APM-002", "choose another one"]);
}
