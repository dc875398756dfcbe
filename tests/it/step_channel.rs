//! The step channel: steps, commands and observations over a Unix socket, and clients that break its rules.

mod client;
mod ends;
mod peers;

use std::fs;

use serde_json::{Value, json};

use crate::http::Client;
use crate::support::{Setup, eventually, worlds};
use client::{
    Channel, DECLARE, FORGET, IS_OVERLONG, IS_RESET, LACKS_SOMETHING, PAUSED, RESET, RESTORE, SAVE, STEP,
    State, connect, step_body, with_channel,
};

const PLUGINS: [&str; 6] = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging"];

/// The demo world, with hashes of each step.
fn vehicles() -> Setup {
    let setup = Setup::new().plugins(&PLUGINS).run(&worlds().join("two_vehicles.sdf"));
    setup.args(["--seed", "7", "--hash-log", "hashes.txt", "--http", "127.0.0.1:0"])
}

/// Steps, linear velocity and angular velocity of each command.
const COMMANDS: [(u32, f64, f64); 6] =
    [(1, 0.5, 0.0), (7, 0.5, 0.3), (1, 0.0, -1.0), (150, 0.8, 0.25), (20, -0.0, 1e-300), (321, 0.3, -0.2)];

#[test]
fn the_same_commands_give_the_same_hashes_over_http_and_over_the_channel() {
    let mut running = with_channel(vehicles()).start();
    let http = Client::of(&mut running);
    crate::http::wait_for_state(&http, "Pause");
    for (steps, linear, angular) in COMMANDS {
        let message = json!({ "linear": { "x": linear }, "angular": { "z": angular } }).to_string();
        http.call("publish_message", &json!({ "topic": "/car1/cmd_vel", "json": message }));
        http.call("step_simulation", &json!({ "steps": steps }));
    }
    http.call("quit", &json!({}));
    let over_http = running.finish().expect_code(0);

    let mut running = with_channel(vehicles()).start();
    let mut channel = connect(&mut running);
    channel.declare(&["action /car1/cmd_vel linear.x", "action /car1/cmd_vel angular.z", "time"]);
    let mut total = 0;
    for (steps, linear, angular) in COMMANDS {
        total += steps;
        let state = channel.step(steps, &[linear, angular]);
        assert_eq!((state.step, state.time_ns), (u64::from(total), i64::from(total) * 1_000_000));
        assert_eq!((state.state, state.flags, state.reset_epoch), (PAUSED, 0, 0));
        assert!((state.values[0] - f64::from(total) * 1e-3).abs() < 1e-12);
    }
    running.signal(libc::SIGTERM);
    let over_channel = running.finish().expect_code(0);

    let hashes = |name: &str, folder: &crate::support::Finished| -> Vec<String> {
        let text = fs::read_to_string(folder.path(name)).expect("a hash log");
        text.lines().map(str::to_owned).collect()
    };
    let (http, channel) = (hashes("hashes.txt", &over_http), hashes("hashes.txt", &over_channel));
    assert_eq!((http.len(), channel.len()), (500, 500));
    let first = http.iter().zip(&channel).find(|(one, other)| one != other);
    assert_eq!(first, None, "the first step that differs");
    assert!(!over_channel.path("steps").exists(), "the socket is removed");
}

/// Asserts that numbers of JSON are the observed ones.
#[track_caller]
fn assert_same(observed: &[f64], json: &[&Value]) {
    let expected: Vec<f64> = json.iter().map(|value| value.as_f64().expect("a number")).collect();
    // The reader of JSON may round the last bit.
    let is_same = |(one, other): (&f64, &f64)| (one - other).abs() <= 1e-15;
    assert!(observed.iter().zip(&expected).all(is_same), "{observed:?} is not {expected:?}");
}

#[test]
fn observations_are_what_http_reads() {
    let mut running = with_channel(vehicles()).start();
    let http = Client::of(&mut running);
    crate::http::wait_for_state(&http, "Pause");
    let mut channel = connect_after_http(&running);
    let layout = channel.declare(&[
        "action /car1/cmd_vel linear.x",
        "constant /car1/cmd_vel angular.z 0.5",
        "pose car1",
        "twist car1",
        "pose car1::left_wheel",
        "joint car1::left_axle position",
        "joint car1::left_axle velocity",
        "topic /car1/odom twist.twist.linear.x",
        "topic /car1/odom pose.covariance",
        "topic /car1/scan ranges 360",
        "topic /car1/scan ranges.length",
        "topic /car1/scan ranges[5]",
        "stamp /car1/scan",
    ]);
    assert_eq!(layout[0], "width_ns\t1000000");
    assert_eq!(layout[1], "action\t0\t1\t");
    assert_eq!(layout[2], "constant\t1\t0\t");
    assert_eq!(layout[3], "pose\t0\t7\tm m m 1 1 1 1");
    assert_eq!(layout[4], "twist\t7\t6\tm/s m/s m/s rad/s rad/s rad/s");
    assert_eq!(layout[6], "joint\t20\t1\trad");
    assert_eq!(layout[7], "joint\t21\t1\trad/s");
    assert_eq!(layout[9], "topic\t23\t36\t");
    assert_eq!(layout[10], "topic\t59\t360\t");
    assert_eq!(layout[13], "stamp\t421\t1\ts");
    let before = channel.step(0, &[]);
    assert!(before.values[59..421].iter().all(|value| value.is_nan()), "there is no scan yet");
    let mut state = before;
    for _ in 0..10 {
        state = channel.step(25, &[0.5]);
    }
    assert_eq!((state.step, state.flags), (250, 0));
    let entity = http.call("get_entity_state", &json!({ "entity": "car1" }));
    let (pose, twist) = (&entity["state"]["pose"], &entity["state"]["twist"]);
    let (at, turn) = (&pose["position"], &pose["orientation"]);
    let numbers = [&at["x"], &at["y"], &at["z"], &turn["x"], &turn["y"], &turn["z"], &turn["w"]];
    assert_same(&state.values[..7], &numbers);
    let (linear, angular) = (&twist["linear"], &twist["angular"]);
    let numbers = [&linear["x"], &linear["y"], &linear["z"], &angular["x"], &angular["y"], &angular["z"]];
    assert_same(&state.values[7..13], &numbers);
    assert!(state.values[0] > 0.01 && state.values[12] > 0.1, "it drives a curve: {:?}", &state.values[..13]);
    assert!(state.values[20] > 0.1 && state.values[21] > 1.0, "the wheel turns");
    assert!(state.values[22] > 0.1, "odometry");
    assert!((state.values[419] - 360.0).abs() < 1e-9, "the length of the scan");
    assert_eq!(state.values[420].to_bits(), state.values[64].to_bits());
    assert!((state.values[421] - 0.2).abs() < 1e-9, "a scan each 100 ms: {}", state.values[421]);

    channel.declare(&["topic /car1/scan ranges 100", "pose car1"]);
    let shorter = channel.step(100, &[]);
    assert_eq!((shorter.values.len(), shorter.flags), (107, IS_OVERLONG));
    http.call("delete_entity", &json!({ "entity": "car1" }));
    let gone = channel.step(1, &[]);
    assert_eq!(gone.flags & LACKS_SOMETHING, LACKS_SOMETHING);
    assert!(gone.values[100..].iter().all(|value| value.is_nan()));
}

/// Connects to a host whose first lines were read already.
fn connect_after_http(running: &crate::support::Running) -> Channel {
    let path = running.path("steps");
    eventually("the socket", || path.exists());
    Channel::open(&path).expect("a greeting")
}

#[test]
fn what_does_not_exist_is_refused_with_the_nearest_name() {
    let mut running = with_channel(vehicles()).start();
    let mut channel = connect(&mut running);
    let mut refused = |line: &str, parts: &[&str]| {
        let text = channel.error(DECLARE, line.replace(' ', "\t").as_bytes());
        parts.iter().for_each(|part| assert!(text.contains(part), "{line}: {text} lacks {part}"));
    };
    refused("time\nposition car1", &["[BH-STP-020] ", "line 2", "`position` is none of the words"]);
    refused("pose car3", &["[BH-STP-021] ", "no entity or link `car3`; did you mean `car1`?", "boulder"]);
    refused("joint car1::left_axl position", &["[BH-STP-021] ", "did you mean `car1::left_axle`?"]);
    refused(
        "topic /car1/scans ranges 1",
        &["[BH-STP-021] ", "no topic `/car1/scans`; did you mean `/car1/scan`?"],
    );
    refused("action /car1/cmd_vle linear.x", &["[BH-STP-021] ", "did you mean `/car1/cmd_vel`?"]);
    refused(
        "action /car1/cmd_vel linear.w",
        &["[BH-STP-022] ", "geometry_msgs/msg/Twist", "it has `x`, `y`, `z`"],
    );
    refused("topic /car1/scan range", &["[BH-STP-022] ", "sensor_msgs/msg/LaserScan has no field `range`"]);
    refused("topic /car1/scan ranges", &["[BH-STP-022] ", "give the most elements to read"]);
    refused("topic /car1/scan header.frame_id", &["[BH-STP-022] ", "is a text"]);
    refused("topic /car1/scan ranges 4000000000", &["[BH-STP-023] "]);
    assert!(channel.error(STEP, &step_body(1, &[])).starts_with("[BH-STP-024] "), "nothing is declared yet");
    channel.declare(&["action /car1/cmd_vel linear.x", "time"]);
    assert!(channel.error(STEP, &step_body(1, &[1.0, 2.0])).contains("[BH-STP-030] the step has 2 values"));
    assert!(
        channel
            .error(RESTORE, b"start")
            .starts_with("[BH-STP-033] there is no snapshot `start`; there are none")
    );
    assert_eq!(channel.error(DECLARE, b"pose\tcar9").split(']').next(), Some("[BH-STP-021"));
    assert_eq!(channel.step(2, &[0.1]).step, 2, "the former declaration holds");
    assert!(channel.error(SAVE, b"\xff").starts_with("[BH-STP-015] "), "a name is UTF-8");
    assert_eq!(channel.step(1, &[]).step, 3, "the connection goes on after each error");
}

const POLE: [&str; 6] = [
    "constant /cart_pole/joint_command name[0] slider",
    "action /cart_pole/joint_command effort[0]",
    "joint cart_pole::slider position",
    "joint cart_pole::slider velocity",
    "joint cart_pole::hinge position",
    "joint cart_pole::hinge velocity",
];

/// Pushes the cart to and fro. Returns the states.
fn push(channel: &mut Channel) -> Vec<State> {
    (0..50).map(|index| channel.step(1, &[if index % 3 == 0 { -10.0 } else { 10.0 }])).collect()
}

fn values(states: &[State]) -> Vec<&[f64]> {
    states.iter().map(|state| &state.values[..]).collect()
}

#[test]
fn resets_and_snapshots_repeat_an_episode_bit_by_bit() {
    let setup = Setup::new().plugins(&["joint_control"]).run(&worlds().join("cart_pole.sdf"));
    let mut running = with_channel(setup).start();
    let mut channel = connect(&mut running);
    channel.declare(&POLE);
    let first = push(&mut channel);
    assert!(first[49].values[2].abs() > 0.02, "the pole falls: {:?}", first[49]);
    let reset = channel.state(RESET, b"");
    assert_eq!((reset.step, reset.time_ns, reset.reset_epoch, reset.flags), (0, 0, 1, IS_RESET));
    assert_eq!(reset.values, [0.0; 4]);
    let again = push(&mut channel);
    assert_eq!(values(&first), values(&again));
    assert_eq!(again[0].flags, 0, "the reset was reported already");

    let saved = channel.state(SAVE, b"leaning");
    let branch = push(&mut channel);
    for _ in 0..3 {
        let restored = channel.state(RESTORE, b"leaning");
        assert_eq!((restored.step, restored.flags, restored.state), (50, IS_RESET, PAUSED));
        assert_eq!(restored.values, saved.values);
        assert_eq!(values(&branch), values(&push(&mut channel)));
    }
    assert!(channel.error(RESTORE, b"lening").contains("; did you mean `leaning`?; there are leaning"));
    channel.state(FORGET, b"leaning");
    assert!(channel.error(RESTORE, b"leaning").starts_with("[BH-STP-033] "));
    assert_eq!(channel.state(RESET, b"").values, [0.0; 4]);
}

#[test]
fn a_snapshot_has_the_newest_messages_too() {
    let mut running = with_channel(vehicles()).start();
    let mut channel = connect(&mut running);
    channel.declare(&["topic /car1/scan ranges 360", "stamp /car1/scan"]);
    channel.step(150, &[]);
    let saved = channel.state(SAVE, b"start");
    assert!(saved.values.iter().all(|value| !value.is_nan()));
    let next = channel.step(100, &[]);
    assert_ne!(next.values, saved.values);
    assert_eq!(channel.state(RESTORE, b"start").values, saved.values);
    assert_eq!(channel.step(100, &[]).values, next.values, "noise too");
    assert!(channel.state(RESET, b"").values.iter().all(|value| value.is_nan()), "no scan after a reset");
}

#[test]
fn a_command_of_nan_is_not_sent_and_holds() {
    let setup = Setup::new().plugins(&["joint_control"]).run(&worlds().join("cart_pole.sdf"));
    let mut running = with_channel(setup).start();
    let mut channel = connect(&mut running);
    channel.declare(&POLE);
    channel.step(1, &[10.0]);
    let held = [channel.step(1, &[f64::NAN]), channel.step(1, &[])].map(|state| state.values[1]);
    channel.state(RESET, b"");
    channel.step(1, &[10.0]);
    let sent = [channel.step(1, &[10.0]), channel.step(1, &[10.0])].map(|state| state.values[1]);
    assert_eq!(held, sent);
}
