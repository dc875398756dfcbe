//! Order of triggers, sticky triggers, and rearming after a reset.

use super::*;

fn armed(triggers: &[&str]) -> Engine {
    let mut engine = Engine::default();
    let triggers: Vec<Trigger> = triggers.iter().map(|text| trigger(text)).collect();
    engine.arm(&triggers, at(0));
    engine
}

/// Returns a trigger that logs `text`.
fn logs(event: &str, text: &str, more: &str) -> String {
    format!(r#"{{ "event": "{event}", "action": "log={text}"{more} }}"#)
}

#[test]
fn due_triggers_are_ordered_by_time_priority_and_number() {
    let texts_of = [
        logs("time=0.002", "third", ""),
        logs("time=0.003", "last", ", \"priority\": 9"),
        logs("time=0.002", "first", ", \"priority\": 5"),
        logs("time=0.002", "fourth", ""),
        logs("time=0.002", "second", ", \"priority\": 1"),
    ];
    let mut engine = armed(&texts_of.each_ref().map(String::as_str));
    assert!(!engine.may_be_due(at(1)) && engine.due(at(1)).is_empty());
    assert!(engine.may_be_due(at(2)));
    // All at once, as after a long step.
    assert_eq!(texts(&engine.due(at(3))), ["first", "second", "third", "fourth", "last"]);
    assert!(engine.waiting().is_empty());
}

#[test]
fn triggers_of_one_signal_fire_by_priority_then_number() {
    let mut engine = armed(&[
        &logs("start", "b", ""),
        &logs("start", "c", ", \"sticky\": true"),
        &logs("start", "a", ", \"priority\": 1"),
        &logs("stop", "x", ""),
    ]);
    assert_eq!(texts(&engine.fire(Signal::Start, at(0))), ["a", "b", "c"]);
    assert_eq!(texts(&engine.fire(Signal::Start, at(0))), ["c"], "the sticky one stays");
    assert!(!engine.listens(Signal::Loop) && engine.listens(Signal::Stop));
}

#[test]
fn a_time_that_has_passed_fires_at_the_next_step_boundary() {
    let mut engine = armed(&[]);
    engine.submit(trigger(&logs("time=0.001", "late", "")), at(5));
    assert_eq!(texts(&engine.due(at(6))), ["late"]);
}

#[test]
fn next_counts_from_submission_and_a_sticky_one_fires_again() {
    let mut engine = armed(&[]);
    engine.submit(trigger(&logs("next=0.002", "once", "")), at(5));
    engine.submit(trigger(&logs("next=0.003", "again", ", \"sticky\": true")), at(5));
    engine.submit(trigger(&logs("next", "now", "")), at(5));
    assert_eq!(texts(&engine.due(at(6))), ["now"]);
    assert_eq!(texts(&engine.due(at(7))), ["once"]);
    assert_eq!(texts(&engine.due(at(8))), ["again"]);
    assert_eq!(texts(&engine.due(at(10))), Vec::<&str>::new());
    assert_eq!(texts(&engine.due(at(11))), ["again"]);
    assert_eq!(engine.history.records[1].trigger.event, Event::Time(7_000_000), "the resulting time");
}

#[test]
fn a_sticky_next_without_a_time_fires_once_at_each_step_boundary() {
    let mut engine = armed(&[&logs("next", "tick", ", \"sticky\": true")]);
    for time in 0..3 {
        assert_eq!(texts(&engine.due(at(time))), ["tick"]);
    }
}

#[test]
fn a_trigger_is_removed_by_its_number() {
    let mut engine = armed(&[&logs("time=1", "a", ""), &logs("loop", "b", "")]);
    let topic = r#"{ "event": "message=/go", "action": "stop" }"#;
    let id = engine.submit(trigger(topic), at(0));
    assert_eq!(engine.waiting().iter().map(|waiting| waiting.id).collect::<Vec<_>>(), [1, 2, 3]);
    let generation = engine.generation();
    assert!(engine.remove(id).is_some() && engine.remove(id).is_none());
    assert_ne!(engine.generation(), generation, "its subscription can be removed");
    assert!(engine.remove(2).is_some() && !engine.listens(Signal::Loop));
    assert!(engine.remove(1).is_some() && engine.waiting().is_empty());
}

#[test]
fn a_reset_rearms_the_configuration_except_triggers_that_reset_unless_sticky() {
    let mut engine = armed(&[
        &logs("time=0.001", "again", ""),
        r#"{ "event": "time=0.002", "action": "reset" }"#,
        r#"{ "event": "time=0.004", "action": { "name": "bundle", "actions": ["log=x", "reset"] } }"#,
    ]);
    engine.submit(trigger(&logs("time=0.001", "network", "")), at(0));
    assert_eq!(texts(&engine.due(at(2))), ["again", "network", "reset"]);
    engine.rearm(at(0));
    assert_eq!(
        texts(&engine.due(at(4))),
        ["again", "bundle"],
        "the first reset and the trigger of the client are not restored"
    );
    engine.rearm(at(0));
    assert_eq!(texts(&engine.due(at(9))), ["again"]);
    let mut forever = armed(&[r#"{ "event": "time=0.002", "action": "reset", "sticky": true }"#]);
    for _ in 0..3 {
        assert_eq!(texts(&forever.due(at(2))), ["reset"]);
        assert_eq!(texts(&forever.due(at(3))), Vec::<&str>::new(), "once before each reset");
        forever.rearm(at(0));
    }
}

#[test]
fn a_trigger_that_has_reset_stays_inactive_in_later_runs_of_the_world() {
    let triggers = [trigger(r#"{ "event": "success", "action": "reset" }"#)];
    let mut engine = Engine::default();
    engine.arm(&triggers, at(0));
    assert_eq!(texts(&engine.fire(Signal::Success, at(5))), ["reset"]);
    engine.arm(&triggers, at(0));
    assert!(!engine.listens(Signal::Success), "otherwise the run would restart forever");
    engine.forget_resets();
    engine.arm(&triggers, at(0));
    assert!(engine.listens(Signal::Success), "another world is another run");
}

#[test]
fn a_restored_run_does_not_repeat_earlier_actions() {
    let triggers = [trigger(&logs("time=1", "before", "")), trigger(&logs("time=3", "after", ""))];
    let mut engine = Engine::default();
    engine.arm(&triggers, at(2000));
    assert_eq!(texts(&engine.due(at(3000))), ["after"]);
}

#[test]
fn the_end_of_a_run_is_the_first_time_at_which_a_trigger_ends_or_resets_it() {
    let does = |event: &str, action: &str| format!(r#"{{ "event": "{event}", "action": "{action}" }}"#);
    assert_eq!(armed(&[&does("time=1", "pause"), &does("stop", "fail")]).end_ns(), None);
    let in_bundle =
        r#"{ "event": "time=2", "action": { "name": "bundle", "actions": ["log=bye", "succeed"] } }"#;
    let mut engine =
        armed(&[&does("time=4", "stop"), &does("next=3", "reset=time"), in_bundle, &does("time=1", "pause")]);
    assert_eq!(engine.end_ns(), Some(2_000_000_000));
    engine.due(at(2000));
    assert_eq!(engine.end_ns(), Some(3_000_000_000));
}

fn watching(more: &str) -> (Engine, u64) {
    let mut engine = armed(&[]);
    let event = r#"{ "name": "topic", "topic": "/a", "is": "> 5""#;
    let text = format!(r#"{{ "event": {event}{more} }}, "action": "log=it", "sticky": true }}"#);
    let id = engine.submit(trigger(&text), at(0));
    (engine, id)
}

#[test]
fn a_condition_fires_as_it_begins_to_hold() {
    let (mut engine, id) = watching("");
    let expected = [(false, 0), (true, 1), (true, 0), (false, 0), (true, 1)];
    for (time, (holds, fires)) in (1..).zip(expected) {
        engine.observe(id, holds, at(time));
        assert_eq!(engine.may_be_due(at(time)), fires > 0);
        assert_eq!(engine.due(at(time)).len(), fires, "at {time} ms");
    }
}

#[test]
fn a_condition_that_held_within_a_step_counts_unless_it_must_last() {
    let (mut engine, id) = watching("");
    [true, false, true].into_iter().for_each(|holds| engine.observe(id, holds, at(1)));
    assert_eq!(engine.due(at(1)).len(), 2);
    let (mut engine, id) = watching(r#", "held": 0.003"#);
    [true, false].into_iter().for_each(|holds| engine.observe(id, holds, at(1)));
    assert!(engine.due(at(9)).is_empty());
}

#[test]
fn a_condition_must_hold_for_its_time_also_without_messages() {
    let (mut engine, id) = watching(r#", "held": "3ms""#);
    engine.observe(id, true, at(1));
    assert!(engine.due(at(3)).is_empty());
    engine.observe(id, true, at(4));
    assert_eq!(engine.due(at(4)).len(), 1);
    assert!(engine.due(at(8)).is_empty(), "once");
    engine.observe(id, false, at(8));
    engine.observe(id, true, at(9));
    engine.forget_messages();
    assert!(engine.due(at(20)).is_empty(), "a reset drops received messages");
}

#[test]
fn a_condition_that_is_not_sticky_fires_once_and_is_removed() {
    let mut engine = armed(&[]);
    let id = engine.submit(trigger(r#"{ "event": "message=/go", "action": "stop" }"#), at(0));
    engine.observe(id, true, at(1));
    engine.observe(id, true, at(1));
    assert_eq!(engine.due(at(1)).len(), 1);
    assert!(engine.waiting().is_empty() && engine.watched().next().is_none());
}
