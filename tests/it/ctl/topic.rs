//! `bridgehead topic` with a running host: names, messages, rates, publishing, and what goes wrong.

use serde_json::Value;

use super::{Host, host_of};
use crate::support::{Setup, is_loaded};

/// A world of Gazebo with a clock and a robot that takes commands.
const HALL: &str = "<sdf version=\"1.9\"><world name=\"hall\"><gravity>0 0 0</gravity>\
    <physics name=\"p\" type=\"ode\"><max_step_size>0.01</max_step_size></physics>\
    <plugin filename=\"clock\" name=\"clock\"><update_rate>20</update_rate></plugin>\
    <model name=\"robot\"><link name=\"body\"/>\
    <plugin filename=\"gz-sim-velocity-control-system\" name=\"gz::sim::systems::VelocityControl\"/></model>\
    </world></sdf>";

const CMD: &str = "/model/robot/cmd_vel";
const TWIST: &str = "geometry_msgs/msg/Twist";

/// Runs that world in real time, with the names of Gazebo.
pub(super) fn hall() -> Host {
    hall_at("1")
}

fn hall_at(speed: &str) -> Host {
    let setup = Setup::new().plugins(&["clock", "velocity_control"]).in_real_time();
    host_of(setup.world(HALL).args(["--names", "gazebo", "--speed", speed]), "playing")
}

fn end(host: Host) {
    host.ok(&["quit"]);
    host.running.finish();
}

#[test]
fn topics_are_listed_shown_and_printed() {
    let host = hall();
    let names = host.says(&["topic", "list"]);
    assert!(names.lines().any(|line| line == "/clock") && names.lines().any(|line| line == CMD), "{names}");
    assert!(names.lines().is_sorted(), "{names}");
    assert_eq!(host.says(&["topic", "-l"]), names);
    let typed = host.says(&["topic", "list", "-t"]);
    assert!(typed.lines().any(|line| line == format!("{CMD} [{TWIST}]")), "{typed}");
    assert_eq!(typed.lines().count(), names.lines().count());
    let json: Value = serde_json::from_str(&host.says(&["topic", "list", "--json"])).expect("JSON");
    assert_eq!(json["topics"], host.json(&["topics"])["topics"]);

    let info = host.says(&["topic", "info", "/clock"]);
    for line in ["topic        /clock", "type         rosgraph_msgs/msg/Clock", "subscribers  0"] {
        assert!(info.lines().any(|found| found == line), "`{line}` in {info}");
    }
    assert!(info.contains("publishers   1: ") && info.contains("(plugin clock)"), "{info}");
    let info = host.says(&["topic", "-i", "-t", CMD]);
    assert!(info.contains("publishers   0\n") && info.contains("subscribers  1: "), "{info}");
    let json: Value = serde_json::from_str(&host.says(&["topic", "info", CMD, "--json"])).expect("JSON");
    assert_eq!(
        (&json["topics"][0]["type"], &json["elements"][0]["plugin"]),
        (&TWIST.into(), &"velocity_control".into())
    );

    let times = |words: &[&str]| -> Vec<i64> {
        let lines = host.says(words);
        let clock = |line: &str| serde_json::from_str::<Value>(line).expect("JSON")["clock"].clone();
        let ns = |clock: Value| {
            clock["sec"].as_i64().expect("s") * 1_000_000_000 + clock["nanosec"].as_i64().expect("ns")
        };
        lines.lines().map(|line| ns(clock(line))).collect()
    };
    assert_eq!(times(&["topic", "echo", "/clock", "--once"]).len(), 1);
    let three = times(&["topic", "-e", "-t", "/clock", "-n", "3"]);
    assert!(three.len() == 3 && three.is_sorted() && three[0] < three[2], "{three:?}");
    end(host);
}

#[test]
fn rates_are_measured_by_stamps_and_by_the_wall_clock() {
    let host = hall_at("2");
    let lines = host.says(&["topic", "hz", "/clock", "-n", "2"]);
    let last = lines.lines().last().expect("a line");
    let numbers: Vec<f64> = last.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [simulated, wall, messages] = numbers[..] else { panic!("{lines}") };
    assert!(last.contains(" Hz of simulated time, ") && last.contains(" Hz of the wall clock, "), "{last}");
    assert!((19.0..=21.0).contains(&simulated) && messages >= 10.0, "{lines}");
    assert!(is_loaded() || (25.0..=55.0).contains(&wall), "{lines}");
    let json: Value = serde_json::from_str(
        host.says(&["topic", "-f", "-t", "/clock", "-n", "1", "--json"]).lines().last().expect("a line"),
    )
    .expect("JSON");
    assert_eq!(json["topic"], "/clock");
    assert!(json["simulated_hz"].as_f64().is_some_and(|rate| (19.0..=21.0).contains(&rate)), "{json}");
    host.ok(&["pause"]);
    let mut silent = host.follows(&["topic", "hz", "/clock"]);
    assert_eq!(silent.line(), "no new messages");
    drop(silent);
    end(host);
}

#[test]
fn messages_are_published_once_several_times_and_at_a_rate() {
    let host = hall();
    let json = "{\"linear\": {\"x\": 0.5}}";
    for words in [
        &["topic", "pub", CMD, json][..],
        &["topic", "pub", CMD, "linear: {x: 0.5}"],
        &["topic", "pub", "--once", CMD, TWIST, "{linear: {x: 0.5}, angular: {z: 0.0}}"],
        &["topic", "pub", CMD, "geometry_msgs/Twist", json],
        &["topic", "-t", CMD, "-m", "gz.msgs.Twist", "-p", "linear {x: 0.5}"],
    ] {
        assert_eq!(host.says(words), "ok\n", "{words:?}");
    }
    let many = host.says(&["topic", "pub", CMD, json, "-n", "3", "-r", "50"]);
    assert_eq!(many, "3 messages published\n");
    let endless = host.follows(&["topic", "pub", CMD, "-r", "20", "linear: {x: 0.25}"]);
    let lines = host.says(&["topic", "echo", CMD, "-n", "2"]);
    for line in lines.lines() {
        let message: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(message["linear"]["x"], 0.25, "{lines}");
    }
    assert_eq!(lines.lines().count(), 2);
    drop(endless);
    assert_eq!(host.says(&["topic", "pub", "/mine", "std_msgs/msg/String", "data: \"hi\""]), "ok\n");
    assert!(host.says(&["topic", "list", "-t"]).contains("/mine [std_msgs/msg/String]\n"));
    end(host);
}

#[test]
fn wrong_topics_messages_and_types_are_named() {
    let host = hall();
    for words in [
        &["topic", "echo", "/clokc"][..],
        &["topic", "info", "/clokc"],
        &["topic", "hz", "/clokc"],
        &["topic", "-e", "-t", "/clokc"],
        &["topic", "pub", "/clokc", "clock: {sec: 1}"],
    ] {
        let text = host.refuses(words, 1);
        assert_eq!(text, "error[BH-CTL-035]: the host has no topic `/clokc`\n  try: `/clock`\n", "{words:?}");
    }
    let text = host.refuses(&["topic", "info", "/qqqqqqqqqqqqqqqq"], 1);
    assert!(text.ends_with("try: see `bridgehead topic list`\n"), "{text}");
    for (words, parts) in [
        (&["topic", "pub", "/clokc", "{}"][..], &["error[BH-CTL-010]: ", "try: `/clock`"][..]),
        (&["topic", "pub", CMD, "std_msgs/msg/Bool", "{\"data\": true}"], &["error[BH-CTL-012]: ", TWIST]),
        (&["topic", "pub", CMD, "no_msgs/msg/No", "{}"], &["error[BH-CTL-01"]),
        (&["topic", "pub", CMD, "{\"linear\": 7}"], &["error[BH-", "linear"]),
        (
            &["topic", "pub", CMD, "{\"linear\": {\"x\": 1}"],
            &["error[BH-CTL-038]: ", "as JSON, EOF", "as text, "],
        ),
        (&["topic", "pub", CMD, "linear: {u: 1}"], &["error[BH-CTL-038]: ", TWIST, "`u`", "try: write JSON"]),
        (
            &["topic", "pub", CMD, "no-such-file"],
            &["error[BH-CTL-025]: `no-such-file` is not a JSON object, text such as `data: true`, or file: "],
        ),
        (&["topic", "pub", CMD, "[1]"], &["error[BH-CTL-025]: `[1]` is not a JSON object"]),
        (&["topic", "pub", CMD, "{}", "-r", "0"], &["error[BH-CTL-029]: `0` is not a rate"]),
        (&["topic", "-t", CMD], &["error[BH-CTL-036]: `bridgehead topic` needs a command"]),
        (&["topic", "-l", "list"], &["error[BH-CTL-036]: `bridgehead topic` needs one command"]),
        (&["topic", "-e", "-l", "-t", CMD], &["error[BH-CFG-001]: "]),
    ] {
        let text = host.refuses(words, 1);
        for part in parts {
            assert!(text.contains(part), "{words:?}: `{part}` in {text}");
        }
    }
    end(host);
}

#[test]
fn a_host_that_dies_ends_what_follows_it() {
    let host = hall();
    let mut echo = host.follows(&["topic", "echo", "/clock"]);
    let mut hz = host.follows(&["topic", "hz", "/clock"]);
    let publisher = host.follows(&["topic", "pub", CMD, "{}", "-r", "20"]);
    let (message, rate) = (echo.line(), hz.line());
    assert!(message.starts_with("{\"clock\":") && !rate.is_empty(), "{message} {rate}");
    host.running.signal(libc::SIGKILL);
    for follower in [echo, hz] {
        let (code, text) = follower.end();
        assert_eq!(code, Some(2), "{text}");
        assert!(text.starts_with("error[BH-CTL-032]: the live connection to 127.0.0.1:"), "{text}");
    }
    let (code, text) = publisher.end();
    assert!(code == Some(2) && text.starts_with("error[BH-CTL-02"), "{code:?} {text}");
    let text = host.refuses(&["topic", "list"], 2);
    assert!(text.starts_with("error[BH-CTL-020]: no host can be reached at "), "{text}");
}
