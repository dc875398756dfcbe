//! The history of triggers, and parsing it again.

use super::*;

fn played(triggers: &[&str]) -> Engine {
    let mut engine = Engine::default();
    let triggers: Vec<Trigger> = triggers.iter().map(|text| trigger(text)).collect();
    engine.arm(&triggers, at(0));
    drop(engine.fire(Signal::Start, at(0)));
    for time in 1..=3 {
        drop(engine.fire(Signal::Loop, at(time)));
        drop(engine.due(at(time)));
    }
    engine
}

const RUN: &[&str] = &[
    r#"{ "event": "start", "action": "log=begin" }"#,
    r#"{ "event": "loop", "action": "log=seen", "sticky": true }"#,
    r#"{ "event": "loop", "action": "log=hidden", "sticky": true, "conceal": true }"#,
    r#"{ "label": "end", "event": "next=0.002", "action": "succeed" }"#,
    r#"{ "label": "late", "event": "time=9", "action": "fail" }"#,
];

#[test]
fn the_history_has_all_firings_except_concealed_ones() {
    let engine = played(RUN);
    let json = engine.history.to_json();
    let of = |key: &str| -> Vec<Value> {
        json.as_array().expect("a list").iter().map(|entry| entry[key].clone()).collect()
    };
    assert_eq!(of("at"), ["0s", "0.001s", "0.002s", "0.002s", "0.003s"]);
    assert_eq!(of("source"), ["filesystem", "instance", "instance", "filesystem", "instance"]);
    assert_eq!(of("step"), [0, 1, 2, 2, 3]);
    assert_eq!(json[3]["event"], serde_json::json!({ "name": "time", "time": 0.002 }));
    assert_eq!(json[3]["action"], serde_json::json!({ "name": "succeed" }));
    assert_eq!((&json[3]["label"], &json[3]["since"]), (&"end".into(), &"0s".into()));
    assert!(!json.to_string().contains("hidden"));
}

#[test]
fn a_history_is_read_as_a_list_of_triggers() {
    let text = played(RUN).history.to_json().to_string();
    let read = |known: &[Trigger], all| read_history("h.json", &text, known, all).expect("a history");
    let titles = |triggers: &[Trigger]| triggers.iter().map(Trigger::title).collect::<Vec<_>>();
    assert_eq!(titles(&read(&[], false)), ["start", "end"]);
    let all = read(&[], true);
    assert_eq!(titles(&all), ["start", "loop", "loop", "end", "loop"]);
    assert!(all.iter().all(|trigger| !trigger.sticky), "each entry is one firing");
    let known: Vec<Trigger> = RUN.iter().map(|text| trigger(text)).collect();
    assert!(read(&known, false).is_empty(), "triggers of the configuration are skipped");
}

#[test]
fn malformed_histories_are_rejected() {
    for (text, part) in [
        ("{}", "not a list"),
        ("[", "EOF"),
        ("[3]", "entry 0: [BH-TRG-001]"),
        (r#"[{ "event": "start", "action": "stop", "source": "moon" }]"#, "no source \"moon\""),
    ] {
        let error = read_history("h.json", text, &[], false).expect_err("refused").to_string();
        assert!(error.starts_with("[BH-TRG-011] `h.json`") && error.contains(part), "{error}");
    }
}

#[test]
fn triggers_with_a_label_that_end_the_run_are_checks() {
    let engine = played(RUN);
    let checks: Vec<_> = engine
        .history
        .checks
        .iter()
        .map(|check| (check.label.as_str(), check.kind, check.fired_at_ns))
        .collect();
    assert_eq!(checks, [("end", CheckKind::Succeed, Some(2_000_000)), ("late", CheckKind::Fail, None)]);
}

#[test]
fn a_long_history_is_cut_and_counted() {
    let mut engine = Engine::default();
    engine.arm(&[trigger(r#"{ "event": "loop", "action": "log=x", "sticky": true }"#)], at(0));
    (0..10_003).for_each(|time| drop(engine.fire(Signal::Loop, at(time))));
    assert_eq!((engine.history.records.len(), engine.history.left_out), (10_000, 3));
}

#[test]
fn times_are_written_in_seconds() {
    for (time_ns, text) in [(0, "0s"), (2_000_000_000, "2s"), (1_500_000, "0.0015s"), (-1, "-0.000000001s")] {
        assert_eq!(seconds_text(time_ns), text);
    }
}
