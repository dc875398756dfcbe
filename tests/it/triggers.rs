//! Triggers of the configuration: their events, their actions, and their log and errors. Runs that they end are in the
//! table of `scenarios`.

use std::fs;

use serde_json::{Value, json};

use crate::support::{Finished, Served, Setup, eventually, world, worlds};

/// One trigger of a configuration.
fn trigger(event: &str, action: &str) -> String {
    format!("[[trigger]]\nevent = {event}\naction = {action}\n")
}

/// A run of an empty world with these triggers, for at most three seconds.
fn run(config: &str) -> Setup {
    Setup::new().world(&world("")).config(config).args(["--duration", "3s"])
}

/// A run of a world with a clock that publishes ten times a second.
fn run_with_clock(config: &str) -> Finished {
    Setup::new()
        .plugins(&["clock"])
        .run(&worlds().join("empty.sdf"))
        .config(config)
        .args(["--duration", "3s"])
        .finish()
}

/// The values of a key in the history of the result file, in order.
fn fired(finished: &Finished, key: &str) -> Vec<Value> {
    let result = finished.result();
    result["triggers"].as_array().expect("a list").iter().map(|entry| entry[key].clone()).collect()
}

#[test]
fn an_unknown_trigger_is_a_configuration_error() {
    let wrong = format!("{}{}", trigger("'start'", "'log=x'"), trigger("'tame=3'", "'explode'"));
    let finished = run(&wrong).finish().expect_code(1);
    let finished = finished.expect_message(&["BH-TRG-006", "no event `tame`", "config.toml:5:9", "`time`"]);
    assert_eq!(finished.result()["outcome"], "configuration-error");
    for (line, code) in [
        ("action = 'explode'", "BH-TRG-007"),
        ("action = 'log=x'\ncolour = 1", "BH-CFG-004"),
        ("action = 'log=x'\nsticky = 1", "BH-TRG-004"),
        ("action = 'stop'\nconceal = true", "BH-TRG-009"),
        ("action = { name = 'log', msg = 1979-05-27 }", "BH-CFG-005"),
    ] {
        let config = format!("[[trigger]]\nevent = 'start'\n{line}\n");
        run(&config).finish().expect_code(1).expect_message(&[code, "config.toml:"]);
    }
}

#[test]
fn an_unknown_optional_trigger_is_skipped() {
    let config =
        format!("{}optional = true\n{}", trigger("'tame=3'", "'fail'"), trigger("'time=1'", "'succeed'"));
    run(&config).finish().expect_code(0).expect_message(&["BH-TRG-021", "tame"]);
}

#[test]
fn a_condition_on_a_topic_decides_the_verdict() {
    let condition = |more: &str| {
        format!("{{ name = 'topic', topic = '/clock', field = 'clock.sec', is = '>= 1'{more} }}")
    };
    let pass = run_with_clock(&trigger(&condition(""), "'succeed'")).expect_code(0);
    assert_eq!(
        (&pass.result()["outcome"], &pass.result()["time_ns"]),
        (&json!("success"), &json!(1_000_000_000))
    );
    assert_eq!(pass.result()["cause"], "trigger `/clock clock.sec >= 1`");
    let held = run_with_clock(&trigger(&condition(", held = '0.25s'"), "'fail'")).expect_code(9);
    assert_eq!(held.result()["time_ns"], 1_250_000_000);
    let never = "{ name = 'topic', topic = '/clock', field = 'clock.sec', is = '< -1' }";
    assert_eq!(run_with_clock(&trigger(never, "'fail'")).expect_code(0).result()["outcome"], "stopped");
    // Without a trigger there is no listener, and the clock publishes nothing.
    assert_eq!(run_with_clock("").expect_code(0).result()["topics"][0]["published"], 0);
}

#[test]
fn an_invalid_condition_is_reported() {
    let wrong = "{ name = 'topic', topic = '/clock', field = 'clock.second', is = '>= 1' }";
    run_with_clock(&trigger(wrong, "'succeed'"))
        .expect_message(&["BH-TRG-031", "has no field `second`; it has `sec`"]);
    let kind = "{ name = 'topic', topic = '/clock', field = 'clock.sec', is = 'late' }";
    run_with_clock(&trigger(kind, "'succeed'")).expect_message(&["BH-TRG-031", "a number"]);
    let absent = "'message=/cluck'";
    run_with_clock(&trigger(absent, "'fail'")).expect_code(0).expect_message(&[
        "BH-TRG-030",
        "/cluck",
        "/clock",
    ]);
}

#[test]
fn triggers_of_one_time_fire_in_order() {
    let log = |text: &str, more: &str| format!("{}{more}\n", trigger("'time=1'", &format!("'log={text}'")));
    let config = [log("c", ""), log("a", "priority = 2"), log("d", ""), log("b", "priority = 1")].concat();
    let finished = run(&config).finish().expect_code(0);
    let texts: Vec<Value> = fired(&finished, "action").iter().map(|action| action["msg"].clone()).collect();
    assert_eq!(texts, ["a", "b", "c", "d"]);
    assert_eq!(fired(&finished, "at"), ["1s", "1s", "1s", "1s"]);
}

#[test]
fn events_occur_in_the_order_of_a_run() {
    let names = ["stop", "failure", "success", "reset", "resume", "pause", "start", "message=/clock"];
    let mut config: String = names.iter().map(|name| trigger(&format!("'{name}'"), "'log=x'")).collect();
    for (time, action) in [("0.15", "pause"), ("0.5", "reset=state"), ("1", "succeed")] {
        config += &trigger(&format!("'time={time}'"), &format!("'{action}'"));
    }
    config += &trigger("'pause'", "'resume'");
    let finished = run_with_clock(&config).expect_code(0);
    let events: Vec<String> =
        fired(&finished, "event").iter().map(|event| event["name"].to_string()).collect();
    let expected = "start message time pause pause resume time reset time success stop";
    assert_eq!(events.join(" ").replace('"', ""), expected, "{finished}");
}

#[test]
fn messages_of_triggers_are_events_for_others() {
    let config = [
        // Uses the topic that the next trigger opens.
        trigger("{ name = 'message', topic = '/go', is = false }", "'succeed'"),
        trigger("{ name = 'message', topic = '/go', type = 'std_msgs/msg/Bool' }", "'log=go'"),
        trigger("'time=0.5'", "{ name = 'push_release', buttons = ['/go'], duration = 0.25 }"),
    ];
    let finished = run(&config.concat()).finish().expect_code(0);
    assert_eq!(finished.result()["outcome"], "success", "{finished}");
    assert_eq!(fired(&finished, "at"), ["0.5s", "0.501s", "0.75s", "0.751s"]);
    assert_eq!(fired(&finished, "source"), ["filesystem", "filesystem", "trigger", "filesystem"]);
    assert_eq!(finished.reported("topics", "/go")["published"], 2);
}

#[test]
fn an_invalid_message_is_an_error_of_the_run() {
    let publish = |more: &str| trigger("'start'", &format!("{{ name = 'publish', topic = '/go'{more} }}"));
    run(&publish("")).finish().expect_code(0).expect_message(&["BH-TRG-032", "no topic `/go`"]);
    run(&publish(", type = 'no/such'")).finish().expect_message(&["BH-TRG-032", "no message type `no/such`"]);
    let wrong = publish(", type = 'std_msgs/msg/Bool', message = { date = true }");
    run(&wrong).finish().expect_message(&["BH-TRG-032", "does not fit std_msgs/msg/Bool", "date"]);
}

#[test]
fn programs_run_only_if_they_are_allowed() {
    let command = |text: &str, more: &str| {
        trigger("'time=1'", &format!("{{ name = 'command', command = '{text}'{more} }}"))
    };
    let forbidden = run(&command("touch ran", "")).finish().expect_code(0);
    let forbidden = forbidden.expect_message(&["BH-TRG-033", "touch ran", "enable_command_action"]);
    assert!(!forbidden.path("ran").exists());
    let allowed = |text: &str, more: &str| {
        run(&format!("[triggers]\nenable_command_action = true\n{}", command(text, more))).finish()
    };
    assert!(allowed("touch ran", "").expect_code(0).path("ran").exists());
    allowed("echo oh; exit 3", "").expect_code(16).expect_message(&["BH-TRG-034", "exit status: 3"]);
    allowed("exit 3", ", ignore_failure = true").expect_code(0).expect_message(&["BH-TRG-034"]);
    allowed("echo hello", ", log_output = 'always'").expect_code(0).expect_message(&["hello"]);
}

#[test]
fn a_run_can_be_repeated_from_its_history() {
    let config = format!(
        "{}label = 'end'\n{}{}sticky = true\nconceal = true\n",
        trigger("'next=0.75'", "'fail'"),
        trigger("'start'", "'log=begin'"),
        trigger("'loop'", "'log=hidden'")
    );
    let first = run(&config).args(["--triggers", "history.json"]).finish().expect_code(9);
    let history = fs::read_to_string(first.path("history.json")).expect("a history");
    assert_eq!(serde_json::from_str::<Value>(&history).expect("JSON"), first.result()["triggers"]);
    assert!(!history.contains("hidden"));
    for config in ["", &config] {
        let setup = run(&format!("{config}[triggers]\nfile = 'history.json'\n"));
        setup.file("history.json", &history);
        let again = setup.finish().expect_code(9);
        assert_eq!(again.result()["steps"], 750);
        assert_eq!(again.result()["cause"], "trigger `end`");
        assert_eq!(fired(&again, "at"), ["0s", "0.75s"]);
    }
    let broken = run("[triggers]\nfile = 'history.json'\n");
    broken.file("history.json", "{}");
    broken.finish().expect_code(1).expect_message(&["BH-TRG-011", "config.toml:2:8"]);
}

#[test]
fn verdicts_are_written_as_junit_files() {
    let labelled =
        |label: &str, event: &str, action: &str| format!("{}label = '{label}'\n", trigger(event, action));
    let config =
        [labelled("goal", "'time=2'", "'succeed'"), labelled("in time", "'time=1'", "'fail'")].concat();
    let finished = run(&config).args(["--junit", "verdict.xml"]).finish().expect_code(9);
    let xml = fs::read_to_string(finished.path("verdict.xml")).expect("a file");
    assert!(xml.contains("<testsuite name=\"test\" tests=\"3\" failures=\"3\""), "{xml}");
    assert!(xml.contains("<failure message=\"failure: trigger `in time`\"/>"), "{xml}");
    assert!(xml.contains("<failure message=\"time=1s, at 1s\"/>"), "{xml}");
    let passed = run(&labelled("goal", "'time=1'", "'succeed'")).args(["--junit", "verdict.xml"]).finish();
    let xml = fs::read_to_string(passed.path("verdict.xml")).expect("a file");
    assert!(xml.contains("tests=\"2\" failures=\"0\" errors=\"0\""), "{xml}");
}

#[test]
fn a_drive_succeeds_at_its_destination() {
    let finished = Setup::new().plugins(&["diff_drive", "imu", "joint_state", "clock"]).arg("run");
    let finished =
        finished.args(["--speed", "unlimited"]).arg("--config").arg(worlds().join("triggers.toml"));
    let (plugins, result) = (finished.plugin_folder(), finished.path("result.json"));
    let finished =
        finished.arg("--plugin-path").arg(plugins).arg("--result").arg(result).finish().expect_code(0);
    assert_eq!(finished.result()["cause"], "trigger `drove half a metre`", "{finished}");
}

#[test]
fn a_sticky_trigger_logs_once_in_each_pause_however_often_it_fires() {
    let config = format!(
        "{}sticky = true\n",
        trigger("'pause'", "{ name = 'bundle', actions = ['log=warn: paused for long', 'keep_alive'] }")
    );
    let setup = Setup::new().in_real_time().world(&world("")).config(&config).args(["--start", "paused"]);
    let host = Served::start(setup);
    let fired = || {
        let history = host.ok("get_trigger_history", json!({}));
        history["triggers"].as_array().map_or(0, Vec::len)
    };
    for pause in 1..=2 {
        eventually("it is paused", || host.state() == 2);
        let before = fired();
        eventually("it fires several times", || fired() > before + 5);
        if pause == 1 {
            host.ok("play", json!({}));
            host.ok("pause", json!({}));
        }
    }
    host.ok("quit", json!({}));
    let text = host.finish().expect_code(0).to_string();
    assert_eq!(text.lines().filter(|line| line.contains("paused for long")).count(), 2, "{text}");
}

#[test]
fn a_trigger_for_a_past_time_tells_when_it_fires() {
    let setup = Setup::new().in_real_time().world(&world("")).args(["--start", "paused"]);
    let host = Served::start(setup);
    eventually("it is paused", || host.state() == 2);
    host.ok("step_simulation", json!({"steps": 10}));
    let trigger = json!({"event": "time=0.001", "action": "log=warn: late but here"});
    host.ok("add_triggers", json!({"json": trigger.to_string()}));
    eventually("it fires in the pause", || {
        let history = host.ok("get_trigger_history", json!({}));
        history["triggers"].as_array().is_some_and(|fired| fired.len() == 1)
    });
    assert_eq!(host.state(), 2);
    host.ok("quit", json!({}));
    let expected = ["BH-TRG-020", "it fires at once during a pause"];
    host.finish().expect_code(0).expect_message(&expected).expect_message(&["late but here"]);
}
