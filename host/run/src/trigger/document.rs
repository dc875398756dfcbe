//! Generates the tables of the page on triggers from the tables of events and actions. Plain functions.

use std::fmt::Write as _;

use super::action::ACTIONS;
use super::args::Kind;
use super::event::{EVENTS, of_plugin};

/// Returns the tables of events and actions in Markdown.
#[must_use]
pub fn document() -> String {
    let mut page = String::from("## Events\n\n");
    page.push_str("| event | inline | arguments | fires when |\n|---|---|---|---|\n");
    EVENTS.iter().chain([of_plugin()]).for_each(|kind| row(kind, &mut page));
    page.push_str("\n## Actions\n\n| action | inline | arguments | does |\n|---|---|---|---|\n");
    ACTIONS.iter().for_each(|kind| row(kind, &mut page));
    page
}

/// Returns every argument of every event and action: `event` or `action`, its name, and the key.
pub fn arguments() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let of_event = |kind: &'static Kind<_>| kind.keys.iter().map(move |(key, _)| ("event", kind.name, *key));
    let of_action =
        |kind: &'static Kind<_>| kind.keys.iter().map(move |(key, _)| ("action", kind.name, *key));
    EVENTS.iter().flat_map(of_event).chain(ACTIONS.iter().flat_map(of_action))
}

fn row<T>(kind: &Kind<T>, page: &mut String) {
    let name = kind.name;
    let inline = match (kind.inline, kind.keys.is_empty()) {
        (Some(key), _) => format!("`{name}={key}`"),
        (None, true) => format!("`{name}`"),
        (None, false) => String::from("as a table"),
    };
    let keys: Vec<String> = kind.keys.iter().map(|(key, meaning)| format!("`{key}`: {meaning}")).collect();
    let keys = if keys.is_empty() { String::from("none") } else { keys.join(".<br>") };
    let _ = writeln!(page, "| `{name}` | {inline} | {keys} | {} |", kind.meaning);
}
