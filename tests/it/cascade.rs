//! Tests of the order in which bridges, sensors and plugins are called: at a reset, and at every kind of end of a run.
//!
//! The fixtures `recorder` (a bridge) and `rogue_model` (a plugin that moves a joint) write their calls into one file,
//! so that the order of its lines is the order of the calls.

use serde_json::json;

use crate::support::{Finished, Line, Served, Setup, eventually, world};

/// Names of the bridge of the world and of the bridge of the vehicle in the lines.
const BRIDGES: [&str; 2] = ["of the world", "of the car"];
/// Paths of the two plugins.
const PLUGINS: [&str; 2] = ["car1/first", "car1/second"];

/// Position of the vehicle.
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

/// A run of that vehicle with both bridges for one second.
fn setup(more: &str, config: &str) -> Setup {
    setup_without_duration(more, config).args(["--duration", "1s"])
}

/// The same without a duration.
fn setup_without_duration(more: &str, config: &str) -> Setup {
    let setup = Setup::new().plugins(&["imu"]).fixtures(&["recorder", "rogue_model", "unreliable"]);
    let setup = setup.recording().world(&world(&car(more))).config(config);
    let [world, car] = BRIDGES;
    setup.bridge(format!("world=recorder:{world}")).bridge(format!("car1=recorder:{car}"))
}

/// The configuration of a trigger.
fn trigger(event: &str, action: &str) -> String {
    format!("[[trigger]]\nevent = '{event}'\naction = '{action}'\n")
}

/// Returns the lines about one kind of call to one bridge or plugin, each with its index.
fn calls<'a>(lines: &'a [Line], instance: &'a str, call: &'a str) -> impl Iterator<Item = (usize, &'a Line)> {
    let is_it =
        move |(_, line): &(usize, &Line)| line.text("call") == call && line.text("instance") == instance;
    lines.iter().enumerate().filter(is_it)
}

fn count(lines: &[Line], instance: &str, call: &str) -> usize {
    calls(lines, instance, call).count()
}

/// Returns the line of the reset with that epoch, and fails unless there is exactly one.
#[track_caller]
fn reset_of<'a>(lines: &'a [Line], plugin: &'a str, epoch: u64) -> (usize, &'a Line) {
    let mut found = calls(lines, plugin, "reset").filter(|(_, line)| line.count("epoch") == epoch);
    let reset =
        found.next().unwrap_or_else(|| panic!("{plugin} was not reset for epoch {epoch}: {lines:#?}"));
    assert!(found.next().is_none(), "{plugin} was reset twice for epoch {epoch}");
    reset
}

/// Returns the index of the notice of the reset with that epoch, and fails unless there is exactly one.
#[track_caller]
fn notice_of(lines: &[Line], bridge: &str, epoch: u64) -> usize {
    let is_it = |line: &Line| {
        let notice = line.text("notice");
        notice.starts_with("Reset") && notice.contains(&format!("epoch: {epoch},"))
    };
    let mut found = calls(lines, bridge, "notice").filter(|(_, line)| is_it(line));
    let (place, _) =
        found.next().unwrap_or_else(|| panic!("{bridge} received no notice of reset {epoch}: {lines:#?}"));
    assert!(found.next().is_none(), "{bridge} received two notices of reset {epoch}");
    place
}

/// Messages of one epoch that the bridge of the vehicle received from the sensor.
fn messages(lines: &[Line], epoch: u64) -> Vec<(usize, &Line)> {
    let is_it = |(_, line): &(usize, &Line)| line.is_topic("/car1/imu") && line["epoch"] == json!(epoch);
    calls(lines, BRIDGES[1], "message").filter(is_it).collect()
}

#[test]
fn a_reset_notifies_bridges_then_resets_bodies_the_clock_and_plugins_and_then_the_run_continues() {
    let resets =
        [trigger("time=0.5", "reset"), trigger("time=0.6", "reset"), trigger("time=0.7", "reset")].concat();
    let finished = setup("", &resets).finish().expect_code(0);
    assert_eq!(finished.result()["resets"], 3, "{finished}");
    let lines = finished.recorded();
    let first_messages = messages(&lines, 0);
    for epoch in 1..=3 {
        let notices = BRIDGES.map(|bridge| notice_of(&lines, bridge, epoch));
        let resets = PLUGINS.map(|plugin| reset_of(&lines, plugin, epoch));
        assert!(notices.iter().all(|notice| *notice < resets[0].0), "bridges before plugins: {lines:#?}");
        assert!(resets[0].0 < resets[1].0, "plugins in the order of the document");
        for (_, reset) in resets {
            // Bodies were reset before: they are at their initial positions.
            assert_eq!((&reset["joint"], &reset["position"]), (&json!(0.0), &json!(PLACE)), "{reset:?}");
            // The clock was reset before.
            assert_eq!((&reset["step"], &reset["time_ns"]), (&json!(0), &json!(0)), "{reset:?}");
        }
        // The run continues only after that, and counters start from the beginning.
        let messages = messages(&lines, epoch);
        let (place, first) = messages.first().expect("a message after the reset");
        assert!(*place > resets[1].0, "messages after plugins: {lines:#?}");
        for member in ["seq", "stamp", "step"] {
            assert_eq!(first[member], first_messages[0].1[member], "{member} of {first:?}");
        }
        let sequence: Vec<u64> = messages.iter().map(|(_, line)| line.count("seq")).collect();
        assert!(sequence.is_sorted_by(|one, next| one + 1 == *next), "{sequence:?}");
    }
    assert_called_once(&finished, 1);
}

#[test]
fn a_reset_of_one_scope_leaves_the_others_unchanged() {
    for (scope, time_is_back, state_is_back) in
        [("time", true, false), ("state", false, true), ("spawned", false, false), ("time,state", true, true)]
    {
        let finished = setup("", &trigger("next=0.5", &format!("reset={scope}"))).finish().expect_code(0);
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
fn a_pause_and_a_reset_during_it_are_each_notified_once() {
    let config = [trigger("time=0.5", "pause"), trigger("reset", "log=x")].concat();
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
        let notices: Vec<&str> = calls(&lines, bridge, "notice").map(|(_, line)| notice_name(line)).collect();
        assert_eq!(notices, ["Started", "Paused", "Reset", "Resumed", "Paused", "Stopped"], "{lines:#?}");
    }
    for plugin in PLUGINS {
        let received: Vec<&str> = lines
            .iter()
            .filter(|line| line.text("instance") == plugin)
            .map(|line| line.text("call"))
            .collect();
        let expected =
            ["awake", "start", "reset", "all_started", "pause", "reset", "resume", "pause", "stop", "drop"];
        assert_eq!(received, expected);
    }
    assert_called_once(&finished, 1);
}

/// Returns the name of a notice.
fn notice_name(line: &Line) -> &str {
    line.text("notice").split([' ', '{']).next().unwrap_or_default()
}

fn step(host: &Served) -> u64 {
    host.ok("get_status", json!({}))["status"]["step"].as_u64().expect("a number")
}

fn is_in(host: &Served, state: &str) -> bool {
    host.ok("get_status", json!({}))["status"]["state"] == state
}

/// Checks that each bridge is connected, disconnected and dropped exactly once, and that each plugin is awakened and
/// dropped `awake` times: 0 for plugins that never began.
#[track_caller]
fn assert_called_once(finished: &Finished, awake: usize) {
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
        assert_eq!(after.count(), 0, "{bridge} receives no notice after its disconnect: {lines:#?}");
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

/// Checks the same, and that both plugins were stopped before the bridges were disconnected.
#[track_caller]
fn assert_ended_in_order(finished: &Finished) {
    assert_called_once(finished, 1);
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
    assert!(
        stopped[0] < car && car < dropped[1],
        "plugins stop, the bridge of the car disconnects, plugins are dropped: {lines:#?}"
    );
    assert!(
        dropped[1] < dropped[0] && dropped[0] < world,
        "the bridge of the world disconnects last: {lines:#?}"
    );
}

/// Runs to the end and checks the exit code.
#[track_caller]
fn run_to_end(more: &str, config: &str, code: i32) -> Finished {
    setup(more, config).finish().expect_code(code)
}

/// A third plugin, which has this fault.
fn third_plugin(fault: &str) -> String {
    format!("<plugin filename='rogue_model' name='third'><fault>{fault}</fault></plugin>")
}

#[test]
fn every_verdict_ends_each_bridge_and_plugin_once() {
    for (action, code) in [("succeed", 0), ("fail", 9), ("stop", 0)] {
        assert_ended_in_order(&run_to_end("", &trigger("time=0.1", action), code));
    }
    assert_ended_in_order(&run_to_end("", "", 0));
}

#[test]
fn every_end_requested_by_a_plugin_ends_each_bridge_and_plugin_once() {
    for (fault, code) in [("asks_stop", 0), ("asks_success", 0), ("asks_fail", 9), ("asks_abort", 16)] {
        assert_ended_in_order(&run_to_end(&third_plugin(&format!("control={fault}")), "", code));
    }
}

#[test]
fn every_signal_ends_each_bridge_and_plugin_once() {
    for signal in [libc::SIGINT, libc::SIGTERM] {
        for start in ["playing", "paused"] {
            let mut host = Served::start(setup_without_duration("", "").args(["--start", start]));
            // The status reports that the run plays already while plugins start; a signal at that time would arrive
            // before the run.
            eventually(start, || is_in(&host, "Pause") || step(&host) > 0);
            host.signal(signal);
            host.wait_for("Quit requested");
            assert_ended_in_order(&host.finish().expect_code(0));
        }
    }
}

#[test]
fn a_panic_of_a_plugin_ends_each_bridge_and_plugin_once() {
    for call in ["all_started", "sample", "control", "stop"] {
        assert_ended_in_order(&run_to_end(&third_plugin(&format!("{call}=panics")), "", 0));
    }
    assert_ended_in_order(&run_to_end(&third_plugin("control=panics"), "[run]\non_failure = 'abort'\n", 16));
    assert_ended_in_order(&run_to_end(&third_plugin("reset=panics"), "", 16));
    let again = trigger("time=0.1", "reset");
    assert_ended_in_order(&run_to_end(&third_plugin("reset_again=panics"), &again, 16));
}

#[test]
fn a_failed_start_ends_each_bridge_and_plugin_once() {
    for call in ["awake", "start"] {
        let finished =
            setup(&third_plugin(&format!("{call}=fails")), "").arg("--strict").finish().expect_code(4);
        assert_called_once(&finished, 1);
    }
    // One whose start never returns is not destroyed; the others are.
    let mut host = Served::start(setup(&third_plugin("start=blocks"), ""));
    host.wait_for("waiting for car1/third");
    host.ok("abort", json!({}));
    let finished = host.finish().expect_code(4);
    assert_called_once(&finished, 1);
    assert_eq!(count(&finished.recorded(), "car1/third", "drop"), 0, "{finished}");
}

#[test]
fn a_plugin_that_starts_while_another_fails_is_stopped_and_destroyed() {
    let fourth = "<plugin filename='rogue_model' name='fourth'><fault>start=fails</fault></plugin>";
    let plugins = third_plugin("start=dawdles") + fourth;
    let finished = setup(&plugins, "").arg("--strict").finish().expect_code(4);
    assert_called_once(&finished, 1);
    for call in ["stop", "drop"] {
        assert_eq!(count(&finished.recorded(), "car1/third", call), 1, "{call}: {finished}");
    }
}

#[test]
fn a_required_bridge_that_does_not_connect_ends_each_bridge_once() {
    let bridge = "[[bridge]]\nattach = 'car1'\nname = 'unreliable'\nconnection = 'fails'\nrequired = true\n";
    assert_called_once(&run_to_end("", bridge, 4), 0);
}

#[test]
fn an_abort_ends_each_bridge_and_plugin_once() {
    let config =
        "[triggers]\nenable_command_action = true\n".to_owned() + &trigger("time=0.1", "command=exit 3");
    assert_ended_in_order(&run_to_end("", &config, 16));
    let host = Served::start(setup("", &trigger("time=0.1", "pause")));
    eventually("paused", || is_in(&host, "Pause"));
    host.ok("abort", json!({}));
    assert_ended_in_order(&host.finish().expect_code(16));
}

#[test]
fn a_bridge_that_fails_to_disconnect_does_not_affect_the_others() {
    let setup = setup("", "").fixtures(&["rogue_bridge"]);
    let setup =
        setup.bridge("car1=rogue_bridge:disconnect=fails").bridge("world=rogue_bridge:disconnect=panics");
    assert_ended_in_order(&setup.finish().expect_code(0));
}

#[test]
fn unloading_a_world_ends_its_bridges_and_plugins_once() {
    let host = Served::start(setup("", "").args(["--start", "paused"]));
    eventually("paused", || is_in(&host, "Pause"));
    host.ok("unload_world", json!({}));
    assert!(is_in(&host, "NoWorld"));
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    assert_ended_in_order(&finished);
}
