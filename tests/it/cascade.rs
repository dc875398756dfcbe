//! What bridges, sensors and plugins hear, and in which order: in a reset, and on every way out of a run.
//!
//! The fixtures `recorder` (a bridge) and `rogue_model` (a plugin that moves a joint) write into one file what happens
//! to them, so that its lines say what came before what.

use serde_json::json;

use crate::support::{Finished, Line, Served, Setup, eventually, world};

/// Names of the two bridges, of the world and of the vehicle, in the lines.
const BRIDGES: [&str; 2] = ["of the world", "of the car"];
/// Paths of the two plugins.
const PLUGINS: [&str; 2] = ["car1/first", "car1/second"];

/// Where the vehicle stands.
const PLACE: [f64; 3] = [1.0, 2.0, 3.0];

/// A vehicle whose first plugin pushes its two links apart, with a sensor that publishes twenty times a second.
fn car(more: &str) -> String {
    format!(
        "<model name='car1'><pose>1 2 3 0 0 0</pose>\
         <link name='base'><inertial><mass>1</mass></inertial>\
         <sensor name='imu' type='imu'><update_rate>20</update_rate></sensor></link>\
         <link name='arm'><inertial><mass>1</mass></inertial></link>\
         <joint name='slide' type='prismatic'><parent>base</parent><child>arm</child><axis><xyz>1 0 0</xyz></axis></joint>\
         <plugin filename='rogue_model' name='first'><push>0.5</push></plugin>\
         <plugin filename='rogue_model' name='second'/>{more}</model>"
    )
}

/// A run of that vehicle with both bridges, for a second.
fn setup(more: &str, config: &str) -> Setup {
    endless(more, config).args(["--duration", "1s"])
}

/// The same without an end of its own.
fn endless(more: &str, config: &str) -> Setup {
    let setup = Setup::new().plugins(&["imu"]).fixtures(&["recorder", "rogue_model", "unreliable"]);
    let setup = setup.recording().world(&world(&car(more))).config(config);
    let [world, car] = BRIDGES;
    setup.bridge(format!("world=recorder:{world}")).bridge(format!("car1=recorder:{car}"))
}

/// A trigger.
fn when(event: &str, action: &str) -> String {
    format!("[[trigger]]\nevent = '{event}'\naction = '{action}'\n")
}

/// Lines of one call to one of them.
fn calls<'a>(lines: &'a [Line], instance: &'a str, call: &'a str) -> impl Iterator<Item = (usize, &'a Line)> {
    let is_it =
        move |(_, line): &(usize, &Line)| line.text("call") == call && line.text("instance") == instance;
    lines.iter().enumerate().filter(is_it)
}

fn count(lines: &[Line], instance: &str, call: &str) -> usize {
    calls(lines, instance, call).count()
}

/// The one line of the reset with that epoch.
#[track_caller]
fn reset_of<'a>(lines: &'a [Line], plugin: &'a str, epoch: u64) -> (usize, &'a Line) {
    let mut found = calls(lines, plugin, "reset").filter(|(_, line)| line.count("epoch") == epoch);
    let reset =
        found.next().unwrap_or_else(|| panic!("{plugin} was not reset for epoch {epoch}: {lines:#?}"));
    assert!(found.next().is_none(), "{plugin} was reset twice for epoch {epoch}");
    reset
}

/// The notice of the reset with that epoch.
#[track_caller]
fn notice_of(lines: &[Line], bridge: &str, epoch: u64) -> usize {
    let is_it = |line: &Line| {
        let notice = line.text("notice");
        notice.starts_with("Reset") && notice.contains(&format!("epoch: {epoch},"))
    };
    let mut found = calls(lines, bridge, "notice").filter(|(_, line)| is_it(line));
    let (place, _) =
        found.next().unwrap_or_else(|| panic!("{bridge} was not told of reset {epoch}: {lines:#?}"));
    assert!(found.next().is_none(), "{bridge} was told twice of reset {epoch}");
    place
}

/// Messages of the sensor at the bridge of the vehicle, of one epoch.
fn messages(lines: &[Line], epoch: u64) -> Vec<(usize, &Line)> {
    let is_it = |(_, line): &(usize, &Line)| line.is_topic("/car1/imu") && line["epoch"] == json!(epoch);
    calls(lines, BRIDGES[1], "message").filter(is_it).collect()
}

#[test]
fn bridges_are_told_then_helpers_devices_and_plugins_are_reset_and_then_it_goes_on() {
    let resets = [when("time=0.5", "reset"), when("time=0.6", "reset"), when("time=0.7", "reset")].concat();
    let finished = setup("", &resets).finish().expect_code(0);
    assert_eq!(finished.result()["resets"], 3, "{finished}");
    let lines = finished.recorded();
    let first_messages = messages(&lines, 0);
    for epoch in 1..=3 {
        let told = BRIDGES.map(|bridge| notice_of(&lines, bridge, epoch));
        let resets = PLUGINS.map(|plugin| reset_of(&lines, plugin, epoch));
        assert!(told.iter().all(|told| *told < resets[0].0), "bridges before plugins: {lines:#?}");
        assert!(resets[0].0 < resets[1].0, "plugins in the order of the document");
        for (_, reset) in resets {
            // Helpers came before: the bodies are back where they began.
            assert_eq!((&reset["joint"], &reset["position"]), (&json!(0.0), &json!(PLACE)), "{reset:?}");
            // Devices came before: so is the clock.
            assert_eq!((&reset["step"], &reset["time_ns"]), (&json!(0), &json!(0)), "{reset:?}");
        }
        // It goes on only then, and what is counted is counted from the beginning.
        let messages = messages(&lines, epoch);
        let (place, first) = messages.first().expect("a message after the reset");
        assert!(*place > resets[1].0, "messages after plugins: {lines:#?}");
        for member in ["seq", "stamp", "step"] {
            assert_eq!(first[member], first_messages[0].1[member], "{member} of {first:?}");
        }
        let sequence: Vec<u64> = messages.iter().map(|(_, line)| line.count("seq")).collect();
        assert!(sequence.is_sorted_by(|one, next| one + 1 == *next), "{sequence:?}");
    }
    assert_told_once(&finished, 1);
}

#[test]
fn a_reset_of_a_part_leaves_the_rest() {
    for (scope, time_is_back, state_is_back) in
        [("time", true, false), ("state", false, true), ("spawned", false, false), ("time,state", true, true)]
    {
        let finished = setup("", &when("next=0.5", &format!("reset={scope}"))).finish().expect_code(0);
        let lines = finished.recorded();
        for plugin in PLUGINS {
            let (_, reset) = reset_of(&lines, plugin, 1);
            let time = if time_is_back { 0 } else { 500_000_000 };
            assert_eq!(reset.count("time_ns"), time, "{scope}: {reset:?}");
            let joint = reset.number("/joint");
            assert_eq!(joint == 0.0, state_is_back, "{scope}: the joint has moved to {joint} m");
            assert_eq!(reset["position"] == json!(PLACE), state_is_back, "{scope}: {reset:?}");
        }
    }
}

#[test]
fn a_pause_and_a_reset_in_it_are_told_once() {
    let config = [when("time=0.5", "pause"), when("reset", "log=x")].concat();
    let host = Served::start(setup("", &config));
    eventually("paused", || is_in(&host, "Pause"));
    host.ok("reset", json!({"then": "keep"}));
    assert!(is_in(&host, "Pause"));
    host.ok("resume", json!({}));
    eventually("paused again", || is_in(&host, "Pause"));
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let lines = finished.recorded();
    for bridge in BRIDGES {
        let notices: Vec<&str> = calls(&lines, bridge, "notice").map(|(_, line)| word(line)).collect();
        assert_eq!(notices, ["Started", "Paused", "Reset", "Resumed", "Paused", "Stopped"], "{lines:#?}");
    }
    for plugin in PLUGINS {
        let heard: Vec<&str> = lines
            .iter()
            .filter(|line| line.text("instance") == plugin)
            .map(|line| line.text("call"))
            .collect();
        let expected =
            ["awake", "start", "reset", "all_started", "pause", "reset", "resume", "pause", "stop", "drop"];
        assert_eq!(heard, expected);
    }
    assert_told_once(&finished, 1);
}

/// The name of a notice.
fn word(line: &Line) -> &str {
    line.text("notice").split([' ', '{']).next().unwrap_or_default()
}

fn step(host: &Served) -> u64 {
    host.ok("get_status", json!({}))["status"]["step"].as_u64().expect("a number")
}

fn is_in(host: &Served, state: &str) -> bool {
    host.ok("get_status", json!({}))["status"]["state"] == state
}

/// Each bridge and each plugin heard of its beginning and of its end exactly once; plugins that never began are
/// `awake` no times.
#[track_caller]
fn assert_told_once(finished: &Finished, awake: usize) {
    let lines = finished.recorded();
    for bridge in BRIDGES {
        for call in ["connect", "disconnect", "drop"] {
            assert_eq!(
                count(&lines, bridge, call),
                1,
                "{call} of the bridge {bridge}: {lines:#?}\n{finished}"
            );
        }
        let [connect, disconnect, drop] = ["connect", "disconnect", "drop"]
            .map(|call| calls(&lines, bridge, call).next().map(|(place, _)| place));
        assert!(connect < disconnect && disconnect < drop, "{bridge}: {lines:#?}");
        let after = calls(&lines, bridge, "notice").filter(|(place, _)| Some(*place) > disconnect);
        assert_eq!(after.count(), 0, "{bridge} is told of nothing behind its end: {lines:#?}");
    }
    for plugin in PLUGINS {
        for call in ["awake", "drop"] {
            assert_eq!(
                count(&lines, plugin, call),
                awake,
                "{call} of the plugin {plugin}: {lines:#?}\n{finished}"
            );
        }
        assert!(count(&lines, plugin, "stop") <= awake, "{plugin}: {lines:#?}\n{finished}");
    }
}

/// The same, and both plugins were stopped before the bridges were disconnected.
#[track_caller]
fn assert_ended_in_order(finished: &Finished) {
    assert_told_once(finished, 1);
    let lines = finished.recorded();
    let place = |instance: &str, call: &str| {
        let found: Vec<usize> = calls(&lines, instance, call).map(|(place, _)| place).collect();
        assert_eq!(found.len(), 1, "{call} of {instance}: {lines:#?}\n{finished}");
        found[0]
    };
    let stopped = PLUGINS.map(|plugin| place(plugin, "stop"));
    let dropped = PLUGINS.map(|plugin| place(plugin, "drop"));
    let [world, car] = BRIDGES.map(|bridge| place(bridge, "disconnect"));
    assert!(stopped[1] < stopped[0], "the last one is stopped first: {lines:#?}");
    assert!(stopped[0] < car && car < dropped[1], "plugins stop, the car is left, plugins go: {lines:#?}");
    assert!(dropped[1] < dropped[0] && dropped[0] < world, "the bridge of the world is the last: {lines:#?}");
}

/// Runs that end by themselves.
#[track_caller]
fn ends(more: &str, config: &str, code: i32) -> Finished {
    setup(more, config).finish().expect_code(code)
}

/// A plugin beside the two, which goes wrong.
fn third(fault: &str) -> String {
    format!("<plugin filename='rogue_model' name='third'><fault>{fault}</fault></plugin>")
}

#[test]
fn every_verdict_ends_everything_once() {
    for (action, code) in [("succeed", 0), ("fail", 9), ("stop", 0)] {
        assert_ended_in_order(&ends("", &when("time=0.1", action), code));
    }
    assert_ended_in_order(&ends("", "", 0));
}

#[test]
fn every_request_of_a_plugin_ends_everything_once() {
    for (fault, code) in [("asks_stop", 0), ("asks_success", 0), ("asks_fail", 9), ("asks_abort", 16)] {
        assert_ended_in_order(&ends(&third(&format!("control={fault}")), "", code));
    }
}

#[test]
fn every_signal_ends_everything_once() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        for start in ["playing", "paused"] {
            let mut host = Served::start(endless("", "").args(["--start", start]));
            // A client is told that it plays already while plugins start, when a signal would be one before the run.
            eventually(start, || is_in(&host, "Pause") || step(&host) > 0);
            host.signal(signal);
            host.wait_for("Quit requested");
            assert_ended_in_order(&host.finish().expect_code(0));
        }
    }
}

#[test]
fn a_panic_of_a_plugin_ends_everything_once() {
    for call in ["all_started", "sample", "control", "stop"] {
        assert_ended_in_order(&ends(&third(&format!("{call}=panics")), "", 0));
    }
    assert_ended_in_order(&ends(&third("control=panics"), "[run]\non_failure = 'abort'\n", 16));
    assert_ended_in_order(&ends(&third("reset=panics"), "", 16));
    let again = when("time=0.1", "reset");
    assert_ended_in_order(&ends(&third("reset_again=panics"), &again, 16));
}

#[test]
fn a_start_that_fails_ends_everything_once() {
    for call in ["awake", "start"] {
        let finished = setup(&third(&format!("{call}=fails")), "").arg("--strict").finish().expect_code(4);
        assert_told_once(&finished, 1);
    }
    let host = Served::start(setup(&third("start=blocks"), ""));
    eventually("starting", || is_in(&host, "Start"));
    host.ok("abort", json!({}));
    let finished = host.finish().expect_code(4);
    assert_told_once(&finished, 1);
}

#[test]
fn a_required_bridge_that_does_not_connect_ends_everything_once() {
    let bridge = "[[bridge]]\nattach = 'car1'\nname = 'unreliable'\nconnection = 'fails'\nrequired = true\n";
    assert_told_once(&ends("", bridge, 4), 0);
}

#[test]
fn an_abort_ends_everything_once() {
    let config =
        "[triggers]\nenable_command_action = true\n".to_owned() + &when("time=0.1", "command=exit 3");
    assert_ended_in_order(&ends("", &config, 16));
    let host = Served::start(setup("", &when("time=0.1", "pause")));
    eventually("paused", || is_in(&host, "Pause"));
    host.ok("abort", json!({}));
    assert_ended_in_order(&host.finish().expect_code(16));
}

#[test]
fn another_bridge_that_fails_to_disconnect_changes_nothing() {
    let setup = setup("", "").fixtures(&["rogue_bridge"]);
    let setup =
        setup.bridge("car1=rogue_bridge:disconnect=fails").bridge("world=rogue_bridge:disconnect=panics");
    assert_ended_in_order(&setup.finish().expect_code(0));
}

#[test]
fn a_world_that_is_unloaded_ends_what_came_with_it_once() {
    let host = Served::start(setup("", "").args(["--start", "paused"]));
    eventually("paused", || is_in(&host, "Pause"));
    host.ok("unload_world", json!({}));
    assert!(is_in(&host, "NoWorld"));
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    assert_ended_in_order(&finished);
}
