//! Inline notation, tables, and syntax errors.

use super::*;
use crate::clock::Speed;
use bridgehead_lifecycle::ResetScope;
use bridgehead_plugin_api::messages::{FieldKind, FieldValue};
use serde_json::json;

fn event(value: &Value) -> Event {
    Event::read(value).expect("an event")
}

fn action(value: &Value) -> Action {
    Action::read(value).expect("an action")
}

#[test]
fn inline_texts_mean_the_same_as_tables() {
    for (inline, table) in [
        (json!("time=10"), json!({ "name": "time", "time": 10 })),
        (json!("time=500ms"), json!({ "name": "time", "time": 0.5 })),
        (json!("time= 0.1"), json!({ "name": "time", "time": "0.1" })),
        (json!("time=0.8999999999999999s"), json!({ "name": "time", "time": "900ms" })),
        (json!("time=0.8999999999999999"), json!({ "name": "time", "time": 0.8999999999999999 })),
        (json!("time=0.9"), json!({ "name": "time", "time": 0.8999999999999999 })),
        (json!("next"), json!({ "name": "next" })),
        (json!("next=1.5"), json!({ "name": "next", "time": 1.5 })),
        (json!("start"), json!({ "name": "start" })),
        (json!("message=/go"), json!({ "name": "message", "topic": "/go" })),
        (json!("car1/state=ready"), json!({ "name": "car1/state", "is": "ready" })),
    ] {
        assert_eq!(event(&inline), event(&table), "{inline}");
    }
    for (inline, table) in [
        (json!("succeed"), json!({ "name": "succeed" })),
        (json!("log=warn: too fast"), json!({ "name": "log", "level": "warn", "msg": "too fast" })),
        (json!("log=a: b"), json!({ "name": "log", "msg": "a: b" })),
        (json!("realtime_factor=0.5"), json!({ "name": "realtime_factor", "factor": 0.5 })),
        (json!("reset=time,state"), json!({ "name": "reset", "scope": "time, state" })),
        (json!("command=a=b"), json!({ "name": "command", "command": "a=b" })),
    ] {
        assert_eq!(action(&inline), action(&table), "{inline}");
    }
}

#[test]
fn arguments_have_their_meaning() {
    assert_eq!(event(&json!("time=0.1")), Event::Time(100_000_000));
    assert_eq!(action(&json!("realtime_factor=-1")), Action::RealtimeFactor(Speed::Unlimited));
    assert_eq!(action(&json!("reset")), Action::Reset(ResetScope::ALL));
    assert_eq!(action(&json!("reset=time,spawned")), Action::Reset(ResetScope::TIME | ResetScope::SPAWNED));
    let Event::Topic(topic) = event(&json!("car1/bumper/pressed")) else { panic!("a topic") };
    assert_eq!(
        (topic.topic.as_str(), topic.is_each, topic.is.is_empty()),
        ("/car1/bumper/pressed", true, true)
    );
    let held = json!({ "name": "topic", "topic": "/car1/odom", "field": "pose.pose.position.x", "is": "> 5.0", "held": "0.5s" });
    let Event::Topic(topic) = event(&held) else { panic!("a topic") };
    assert_eq!((topic.held_ns, topic.is_each), (500_000_000, false));
}

#[test]
fn written_events_and_actions_are_read_back_unchanged() {
    for value in [
        json!("start"),
        json!("time=2.123456789"),
        json!({ "name": "topic", "topic": "/a/b", "field": "x[0]", "is": ["> -1", "< 1.5"], "held": 0.25 }),
        json!({ "name": "message", "topic": "/a", "type": "std_msgs/msg/String", "is": "!= 'x y'" }),
        json!("a/b=== true"),
    ] {
        let read = event(&value);
        assert_eq!(event(&read.to_json()), read);
    }
    for value in [
        json!("reset=state"),
        json!("realtime_factor=-1"),
        json!("log=error: x"),
        json!({ "name": "bundle", "actions": ["pause", { "name": "bundle", "actions": ["fail"] }] }),
        json!({ "name": "insert", "triggers": [{ "label": "x", "event": "next=1", "action": "stop", "priority": -3 }] }),
        json!({ "name": "publish", "topic": "/a", "type": "std_msgs/msg/Bool", "message": { "data": true } }),
        json!({ "name": "push_release", "buttons": ["/a", "/b"], "duration": 0.5 }),
        json!({ "name": "command", "path": "true", "args": ["-x"], "mode": "detach", "ignore_failure": true }),
        json!({ "name": "command", "command": "exit 3", "mode": "async", "log_output": "never" }),
    ] {
        let read = action(&value);
        assert_eq!(action(&read.to_json()), read);
    }
}

#[test]
fn errors_have_their_codes() {
    let both = r#""event": "start", "action": "stop""#;
    for (text, code, part) in [
        ("3", "001", "the number 3"),
        (&format!("{{ {both}, \"colour\": 1 }}"), "002", "no key `colour`"),
        (r#"{ "event": "start" }"#, "003", "`action`"),
        (&format!("{{ {both}, \"sticky\": 1 }}"), "004", "`sticky`"),
        (&format!("{{ {both}, \"priority\": 1.5 }}"), "004", "a whole number"),
        (r#"{ "event": ["start"], "action": "stop" }"#, "005", "event is a list"),
        (r#"{ "event": "two words", "action": "stop" }"#, "005", "two words"),
        (r#"{ "event": "tame=3", "action": "stop" }"#, "006", "no event `tame`; there are `start`"),
        (r#"{ "event": "start", "action": "explode" }"#, "007", "no action `explode`; there are `pause`"),
        (r#"{ "event": "time", "action": "stop" }"#, "008", "`time` is missing"),
        (r#"{ "event": "time=-1", "action": "stop" }"#, "008", "not a time"),
        (r#"{ "event": "time=1e300", "action": "stop" }"#, "008", "not a time"),
        (r#"{ "event": "start=1", "action": "stop" }"#, "008", "takes no argument"),
        (r#"{ "event": "topic=/a", "action": "stop" }"#, "008", "as a table"),
        (r#"{ "event": { "name": "time", "tame": 1 }, "action": "stop" }"#, "008", "no argument `tame`"),
        (r#"{ "event": "message=go", "action": "stop" }"#, "008", "full name of a topic"),
        (r#"{ "event": "start", "action": "realtime_factor=0" }"#, "008", "use `pause`"),
        (r#"{ "event": "start", "action": "reset=everything" }"#, "008", "`spawned`"),
        (r#"{ "event": "start", "action": "bundle" }"#, "008", "`actions` is missing"),
        (r#"{ "event": "start", "action": { "name": "bundle", "actions": [] } }"#, "008", "at least one"),
        (r#"{ "event": "start", "action": "stop", "conceal": true }"#, "009", "`stop`"),
        (
            r#"{ "event": { "name": "topic", "topic": "/a", "is": "> fast" }, "action": "stop" }"#,
            "010",
            "only numbers",
        ),
        (r#"{ "event": { "name": "topic", "topic": "/a", "is": ">" }, "action": "stop" }"#, "010", "missing"),
        (
            r#"{ "event": { "name": "topic", "topic": "/a", "is": {} }, "action": "stop" }"#,
            "010",
            "an operator",
        ),
    ] {
        let error = try_trigger(text).expect_err(text).to_string();
        assert!(error.starts_with(&format!("[BH-TRG-{code}] ")) && error.contains(part), "{text}: {error}");
    }
}

#[test]
fn an_optional_trigger_is_skipped_only_because_of_an_unknown_name() {
    assert_eq!(try_trigger(r#"{ "event": "tame=3", "action": "stop", "optional": true }"#), Ok(None));
    let nested =
        r#"{ "event": "start", "action": { "name": "bundle", "actions": ["explode"] }, "optional": true }"#;
    assert_eq!(try_trigger(nested), Ok(None));
    assert!(try_trigger(r#"{ "event": "time", "action": "stop", "optional": true }"#).is_err());
}

#[test]
fn actions_that_change_the_run_cannot_be_concealed() {
    let of =
        |action: &str| try_trigger(&format!(r#"{{ "event": "loop", "action": {action}, "conceal": true }}"#));
    assert!(of(r#""log=x""#).is_ok() && of(r#""realtime_factor=2""#).is_ok());
    assert!(of(r#"{ "name": "bundle", "actions": ["log=x", "realtime_factor=2"] }"#).is_ok());
    assert!(of(r#"{ "name": "bundle", "actions": ["log=x", "pause"] }"#).is_err());
    assert!(of(r#""reset_statistics""#).is_err());
}

#[test]
fn conditions_compare_numbers_flags_and_texts() {
    let holds = |is: &Value, value| Condition::read(is).expect("a condition").holds(value);
    let (number, flag, text) = (FieldValue::Number, FieldValue::Bool, FieldValue::Text);
    assert!(holds(&json!("> -5.0"), number(-4.5)) && !holds(&json!("> -5.0"), number(-5.0)));
    assert!(holds(&json!(">=-5"), number(-5.0)) && holds(&json!("<= 1e3"), number(1000.0)));
    assert!(holds(&json!("< 0"), number(-0.1)) && holds(&json!("!= 3"), number(2.0)));
    assert!(holds(&json!(2), number(2.0)) && holds(&json!("2"), number(2.0)));
    assert!(!holds(&json!("> 1"), number(f64::NAN)) && holds(&json!("!= 1"), number(f64::NAN)));
    assert!(holds(&json!("== true"), flag(true)) && holds(&json!(false), flag(false)));
    assert!(holds(&json!("ready"), text("ready")) && holds(&json!("!= \"5\""), text("6")));
    assert!(holds(&json!(["> 1", "< 3"]), number(2.0)) && !holds(&json!(["> 1", "< 3"]), number(3.0)));
    assert!(!holds(&json!("== 1"), flag(true)), "another kind is never equal");
    let of_text = Condition::read(&json!("5")).expect("a condition").check_kind(FieldKind::Text);
    assert!(of_text.expect_err("refused").to_string().contains("put texts in quotes"));
}

#[test]
fn triggers_that_reset_without_a_step_in_between_are_recognized() {
    let endless = |event: &str, action: Value, sticky: bool| {
        let table = json!({ "event": event, "action": action, "sticky": sticky });
        Trigger::read(&table, Source::Filesystem)
            .expect("valid")
            .expect("a trigger")
            .endless_reset()
            .is_some()
    };
    for event in ["reset", "time=0", "next"] {
        assert!(endless(event, json!("reset"), true), "{event}");
        assert!(
            endless(event, json!({ "name": "bundle", "actions": ["log=x", "reset=time"] }), true),
            "{event}"
        );
        assert!(!endless(event, json!("reset"), false), "{event}");
        assert!(!endless(event, json!("log=x"), true), "{event}");
    }
    for (event, action) in [
        ("time=1", "reset"),
        ("next=1", "reset"),
        ("start", "reset"),
        ("pause", "reset"),
        ("time=0", "reset=state"),
    ] {
        assert!(!endless(event, json!(action), true), "{event}: {action}");
    }
    let inner = json!({ "event": "reset", "action": "reset", "sticky": true });
    assert!(endless("start", json!({ "name": "insert", "triggers": [inner] }), false));
}
