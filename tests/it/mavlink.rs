//! The bridge to MAVLink, with a stand-in for PX4 and with pymavlink: flights in lockstep, peers that are late, gone, noisy
//! and back, and what ground stations see.

mod frames;
mod px4;
mod pymavlink;

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};

use crate::hover;
use crate::support::{Finished, PAUSED, Served, Setup, eventually, free_port, is_long};
use px4::{End, Flight, Px4, Seen};

const PLUGINS: &[&str] =
    &["aero", "battery", "clock", "entities", "environment", "imu", "logging", "mavlink", "navsat"];

/// A vehicle on the ground, with the sensors that PX4 needs.
fn copter(name: &str, y: f64) -> String {
    let sensors =
        "<collision name='hull'><geometry><box><size>0.5 0.5 0.1</size></box></geometry></collision>
        <sensor name='compass' type='magnetometer'><update_rate>100</update_rate></sensor>
        <sensor name='barometer' type='air_pressure'><update_rate>50</update_rate></sensor>
        <sensor name='gps' type='navsat'><update_rate>0</update_rate></sensor>";
    hover::copter(name, [y, 0.05], sensors)
}

/// A world with gravity and ground.
fn setup(models: &str) -> Setup {
    let sdf = format!(
        "<sdf version='1.9'><world name='field'><spherical_coordinates><latitude_deg>47.3977</latitude_deg>
         <longitude_deg>8.5456</longitude_deg><elevation>488</elevation></spherical_coordinates>
         <model name='ground'><static>true</static><link name='plane'><collision name='plane'><geometry><plane/></geometry>
         </collision></link></model>{models}</world></sdf>"
    );
    Setup::new().plugins(PLUGINS).world(&sdf)
}

/// A bridge without answers that may be left out.
fn bridge(port: u16) -> String {
    format!("mavlink:tcpin::{port};max_speed=1000;skip=0")
}

fn hash(finished: &Finished) -> Value {
    finished.result()["state_hash"].clone()
}

/// Flies two vehicles; returns the hash of the state at the end, and what the autopilots saw.
fn flight(seconds: u32, config: &str, flight: Flight) -> (Value, [Seen; 2]) {
    let ports = [free_port(), free_port()];
    let pilots = ports.map(|port| Px4::start(port, flight));
    let models = copter("one", 0.0) + &copter("two", 3.0);
    let setup = setup(&models)
        .bridge(format!("one={}", bridge(ports[0])))
        .bridge(format!("two={}", bridge(ports[1])));
    let finished = setup.arg("--duration").arg(format!("{seconds}s")).config(config).finish().expect_code(0);
    (hash(&finished), pilots.map(Px4::end))
}

fn altitude(seen: &Seen) -> f64 {
    -seen.state.position[2]
}

#[test]
fn two_vehicles_take_off_in_lockstep_and_equal_runs_have_equal_states() {
    let seconds = if is_long() { 60 } else { 9 };
    let (first, seen) = flight(seconds, "", Flight::default());
    for seen in &seen {
        assert!((altitude(seen) - 2.0).abs() < 0.1, "{seen:?}");
        // 250 samples a second, from the first one at 4 ms.
        assert_eq!((seen.samples, seen.last_us), (u64::from(seconds) * 250, u64::from(seconds) * 1_000_000));
        let rates = [100, 50].map(|rate| u64::from(seconds) * rate);
        for (found, expected) in seen.updates.iter().zip(rates) {
            assert!(found.abs_diff(expected) <= 2, "{seen:?}");
        }
        assert_eq!(seen.updates[2], seen.samples - 1, "a fix in each sample but the first one");
    }
    assert_eq!(flight(seconds, "", Flight::default()).0, first);
    // Noise, wrong checksums, MAVLink 1 and a flood change nothing.
    let noisy = Flight { is_noisy: true, ..Flight::default() };
    assert_eq!(flight(seconds, "", noisy).0, first);
}

#[test]
fn a_reset_begins_the_flight_anew_while_the_time_goes_on() {
    let reset = "[[trigger]]\nevent = 'time=3'\naction = 'reset'\n";
    let (first, seen) = flight(5, reset, Flight::default());
    for seen in &seen {
        assert!(seen.last_us > 7_900_000, "{seen:?}");
        assert!((altitude(seen) - 2.0).abs() < 0.5, "{seen:?}");
    }
    assert_eq!(flight(5, reset, Flight::default()).0, first);
}

/// A configuration of the bridge with a time limit.
fn limited(port: u16, policy: &str) -> String {
    format!(
        "[[bridge]]\nattach = 'one'\nname = 'mavlink'\nconnection = 'tcpin::{port};max_speed=1000'\nstep_timeout = '1500ms'\n\
         on_step_timeout = '{policy}'\n"
    )
}

#[test]
fn an_autopilot_that_stalls_or_dies_is_named_and_ends_the_run_if_so_configured() {
    for end in [End::Silence, End::Half, End::Close] {
        let port = free_port();
        let pilot = Px4::start(port, Flight { last: 100, end, ..Flight::default() });
        let setup = setup(&copter("one", 0.0)).config(&limited(port, "end")).args(["--duration", "60s"]);
        let finished = setup.finish().expect_code(16);
        assert!(pilot.end().samples > 100);
        let finished =
            finished.expect_message(&["BH-BRG-039", "has waited for `one/mavlink`", "the run ends"]);
        match end {
            End::Close => {
                finished.expect_message(&[
                    "BH-MAV-005",
                    "gone after 106 samples",
                    "it has ended the connection",
                ]);
            }
            // Three samples went on without an answer before.
            End::Silence | End::Half => {
                finished.expect_message(&["BH-MAV-007", "1 of 106 answers"]);
            }
        }
    }
}

#[test]
fn steps_go_on_without_the_autopilot_until_another_one_is_there() {
    let port = free_port();
    let pilot = Px4::start(port, Flight { last: 100, ..Flight::default() });
    let setup = setup(&copter("one", 0.0)).config(&limited(port, "continue")).in_real_time();
    let mut host = Served::start(setup.args(["--start", "playing"]));
    host.wait_for("BH-MAV-005");
    host.wait_for("steps run without it");
    pilot.end();
    let again = Px4::start(port, Flight::default());
    host.wait_for("releases steps again");
    eventually("the autopilot answers", || again.answers() > 100);
    host.ok("quit", json!({}));
    host.finish().expect_message(&["BH-BRG-039"]);
    again.end();
}

#[test]
fn the_end_of_the_autopilot_is_reported_while_the_simulation_is_paused() {
    let port = free_port();
    let pilot = Px4::start(port, Flight::default());
    let mut host = Served::start(
        setup(&copter("one", 0.0)).bridge(format!("one={}", bridge(port))).args(["--start", "paused"]),
    );
    eventually("the host is paused", || host.state() == PAUSED);
    pilot.end();
    host.wait_for("BH-MAV-005");
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
}

#[test]
fn a_run_waits_for_an_autopilot_that_comes_late_and_others_are_refused() {
    let port = free_port();
    let mut host = Served::start(
        setup(&copter("one", 0.0)).bridge(format!("one={}", bridge(port))).args(["--start", "playing"]),
    );
    host.wait_for("step 1 waits for `one/mavlink`");
    let pilot = Px4::start(port, Flight::default());
    eventually("the autopilot answers", || pilot.answers() >= 100);
    for _ in 0..2 {
        let mut second = TcpStream::connect(("127.0.0.1", port)).expect("connected");
        assert_eq!(second.read(&mut [0]).expect("the end"), 0);
    }
    let before = pilot.answers();
    eventually("the first one flies on", || pilot.answers() > before + 100);
    host.ok("quit", json!({}));
    host.finish().expect_code(0).expect_message(&["BH-MAV-008", "is refused", "(1 so far)"]);
    pilot.end();
}

#[test]
fn answers_that_are_left_out_are_counted() {
    let port = free_port();
    let pilot = Px4::start(port, Flight { leaves_out: 40, ..Flight::default() });
    let bridge = format!("one=mavlink:tcpin::{port};max_speed=1000;skip=20");
    let finished =
        setup(&copter("one", 0.0)).bridge(bridge).args(["--duration", "1s"]).finish().expect_code(0);
    finished.expect_message(&["BH-MAV-007", "the run depends on the machine"]);
    assert_eq!(pilot.end().samples, 250);
}

#[test]
fn vehicles_steps_and_ports_that_do_not_fit_are_refused() {
    let run = |model: &str, connection: &str| {
        setup(model).bridge(format!("one=mavlink:{connection}")).args(["--duration", "10ms"]).finish()
    };
    let bare = "<model name='one'><link name='base'/></model>";
    let at = |port: u16| format!("tcpin::{port}");
    run(bare, &at(free_port())).expect_message(&["BH-MAV-003", "sensor of type `imu`"]);
    let odd = format!("{};rate=300", at(free_port()));
    run(&copter("one", 0.0), &odd).expect_message(&["BH-MAV-004", "300 samples per second"]);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port();
    run(&copter("one", 0.0), &at(port)).expect_message(&["BH-MAV-002", "each vehicle needs another one"]);
}
