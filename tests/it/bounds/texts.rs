//! Long names, and names with control characters.

use std::fs;

use serde_json::json;

use super::{end, expect_progress, refusal, start};
use crate::support::{Setup, vehicle, world};

#[test]
fn a_world_with_a_long_name_in_it_ends_with_a_result() {
    let long = "n".repeat(66_000);
    for sdf in [
        world(&vehicle(&long, "<plugin filename='clock' name='c'/>")),
        world(&vehicle("car", &format!("<plugin filename='clock' name='{long}'/>"))),
        world(&vehicle("car", "<plugin filename='clock' name='c'/>"))
            .replace("\"test\"", &format!("\"{long}\"")),
        world(&vehicle("car", &format!("<plugin filename='{long}' name='c'/>"))),
    ] {
        let finished = Setup::new().plugins(&["clock"]).world(&sdf).args(["--duration", "0.1s"]).finish();
        let finished = finished.expect_code(0);
        assert_eq!(finished.result()["steps"], 100);
        finished.expect_silence("thread");
    }
}

#[test]
fn long_names_of_clients_are_refused() {
    let host = start();
    let long = "n".repeat(66_000);
    let model =
        |name: &str| format!("<sdf version='1.9'><model name='{name}'><link name='l'/></model></sdf>");
    let spawn = |name: &str, own: &str, namespace: &str| {
        let resource = json!({"resource_string": model(own)});
        json!({"name": name, "entity_namespace": namespace, "entity_resource": resource})
    };
    let tags: Vec<String> = (0..300).map(|number| number.to_string()).collect();
    for (service, request, code) in [
        ("spawn_entity", spawn(&long, "ball", ""), "BH-ENT-002"),
        ("spawn_entity", spawn("ball", "ball", &long), "BH-ENT-003"),
        ("spawn_entity", spawn("", &long, ""), "BH-ENT-007"),
        ("set_entity_info", json!({"entity": "crate", "info": {"description": &long}}), "BH-ENT-042"),
        ("set_entity_info", json!({"entity": "crate", "info": {"tags": [&long]}}), "BH-ENT-042"),
        ("set_entity_info", json!({"entity": "crate", "info": {"tags": tags}}), "BH-ENT-042"),
        ("save_world", json!({"path": &long}), "BH-RES-045"),
    ] {
        let answer = host.call(service, request);
        let text = refusal(&answer, service);
        assert!(text.contains(code) && text.len() < 1000, "{service}: {text:.200}");
    }
    let label = json!({"event": "next", "action": "pause", "label": long});
    let answer = host.call("add_triggers", json!({"json": label.to_string()}));
    assert!(refusal(&answer, "a label").starts_with("[BH-TRG-004]"));
    expect_progress(&host, "long names");
    end(host);
}

#[test]
fn control_characters_reach_neither_the_log_nor_the_summary() {
    let name = "c\u{9b}31m&#27;[2J&#10;error[BH-SIM-900]: forged";
    let sdf = world(&vehicle(
        "car",
        &format!(
            "<plugin filename='absent&#27;[2J' name='{name}'/>\
        <plugin filename='clock' name='{name}'/>"
        ),
    ));
    let finished = Setup::new().plugins(&["clock"]).world(&sdf).args(["--duration", "0.1s"]).finish();
    let finished = finished.expect_code(0).expect_message(&["absent\\u{1b}[2J"]);
    let text = finished.to_string();
    assert!(!text.contains(['\u{1b}', '\u{9b}']), "{text}");
    assert!(
        !text.lines().any(|line| line.trim_start_matches("  ! ").starts_with("error[BH-SIM-900]")),
        "{text}"
    );
    assert!(fs::metadata(finished.path("result.json")).is_ok());
}
