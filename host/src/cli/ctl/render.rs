//! Responses as text for people: lines and tables. Pure.
//!
//! Missing members and members of another kind are shown as empty. Programs use `--json`.

mod bus;
mod fields;
mod lists;
mod places;

use serde_json::Value;

use super::state_names;

pub(super) use bus::{elements_of, names, service, topic, topics_of};
pub(super) use lists::endpoints;

use fields::{figures, item, join, named, number, pairs, rows, table, text, whole};

/// Names of `simulation_interfaces/msg/SimulationState`.
const STATES: [&str; 6] = ["stopped", "playing", "paused", "quitting", "no world", "loading a world"];
/// Names of `simulation_interfaces/msg/EntityCategory`.
const CATEGORIES: [&str; 6] = ["object", "robot", "human", "?", "dynamic object", "static object"];

/// Returns the response of a service, as lines.
pub(super) fn answer(service: &str, json: &Value) -> String {
    match service {
        "get_status" => status(item(json, "status")),
        "get_simulation_state" => format!("{}\n", named(&STATES, item(json, "state"), "state")),
        "play" | "pause" | "resume" | "stop" | "halt" | "succeed" | "fail" | "abort" | "quit" | "reset" => {
            line(&state_names::shown(text(json, "state")))
        }
        "spawn_entity" => line(text(json, "entity_name")),
        "connect_bridge" => line(text(json, "label")),
        "save_world" | "save_snapshot" => line(text(json, "path")),
        "load_world" | "get_current_world" => lists::world(item(json, "world")),
        "add_triggers" => rows(json, "ids").iter().map(|id| format!("{id}\n")).collect(),
        "get_entity_state" => places::state(item(json, "state")),
        "get_entity_info" => info(item(json, "info")),
        "get_entity_bounds" | "get_named_pose_bounds" => line(&places::bounds(item(json, "bounds"))),
        "get_simulator_features" => lists::features(item(json, "features")),
        "get_statistics" => lists::statistics(json),
        _ => lists::list(service, json).unwrap_or_else(|| done(json)),
    }
}

/// Returns the text for a response without content.
fn done(json: &Value) -> String {
    let note = text(item(json, "result"), "error_message");
    if note.is_empty() { "ok\n".to_owned() } else { format!("ok: {note}\n") }
}

fn line(text: &str) -> String {
    format!("{}\n", if text.is_empty() { "ok" } else { text })
}

fn info(info: &Value) -> String {
    let category = named(&CATEGORIES, item(info, "category"), "category");
    pairs(&[
        ("category", category.to_owned()),
        ("description", text(info, "description").to_owned()),
        ("tags", join(info, "tags")),
    ])
}

/// Returns the status of the host.
fn status(status: &Value) -> String {
    let target = number(status, "target_real_time_factor");
    let target = if target > 0.0 { format!("{} x", figures(target)) } else { "unlimited".to_owned() };
    let factor = |member| match number(status, member) {
        factor if factor > 0.0 => format!("{} x", figures(factor)),
        _ => "-".to_owned(),
    };
    pairs(&[
        ("state", state_names::shown(text(status, "state"))),
        ("world", text(status, "world").to_owned()),
        ("step", whole(status, "step").to_string()),
        ("time", fields::seconds(number(status, "time_ns"))),
        ("step width", fields::seconds(number(status, "step_width_ns"))),
        ("resets", whole(status, "reset_epoch").to_string()),
        ("speed", factor("real_time_factor")),
        ("aimed at", target),
        ("achievable", factor("achievable_real_time_factor")),
        ("outcome", text(status, "outcome").to_owned()),
        ("errors", rows(status, "errors").len().to_string()),
        ("allowed", join(status, "allowed")),
    ]) + &rows(status, "errors")
        .iter()
        .map(|error| format!("  {}\n", error.as_str().unwrap_or_default()))
        .collect::<String>()
}

/// Returns the status of the host as one line, for a terminal.
pub(super) fn live(status: &Value, statistics: &Value) -> String {
    let mut line = format!(
        "{}  {}  step {}  {} x real time",
        state_names::shown(text(status, "state")),
        fields::seconds(number(status, "time_ns")),
        whole(status, "step"),
        figures(number(status, "real_time_factor").max(0.0)),
    );
    match whole(statistics, "overruns") {
        0 => {}
        overruns => line.push_str(&format!("  {overruns} overruns")),
    }
    line
}

/// Returns a line for a new state of the host.
pub(super) fn changed(event: &Value) -> String {
    format!(
        "{}  {}  step {}",
        state_names::shown(text(event, "state")),
        fields::seconds(number(event, "time_ns")),
        whole(event, "step")
    )
}

/// Returns services with the commands that use them.
pub(super) fn services(json: &Value, command: impl Fn(&str) -> String) -> String {
    let row = |service: &Value| {
        let name = text(service, "name");
        vec![name.to_owned(), command(name), text(service, "type").to_owned()]
    };
    let all = rows(json, "services").iter().chain(rows(json, "actions"));
    table(&all.map(row).collect::<Vec<_>>(), 0)
}

#[cfg(test)]
mod tests;
