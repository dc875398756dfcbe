//! Cases that follow from the tables of the standard: each service in each state, with valid requests, with requests that
//! lack a value, and with values at the edge of what is allowed.
//!
//! The expected codes are rules: the codes that the interfaces of the standard name, and for its gaps the answers A1 to
//! A23 of `host/conformance/AMBIGUITIES.md`. One host serves all cases of a state. A failure lists every case that differs,
//! by its name.

mod rows;

use serde_json::{Value, json};

use super::{
    Caller, FAILED, INCORRECT_STATE, NO_WORLD, PAUSED, PLAYING, STOPPED, Transport, fixture, set_state,
};
use crate::support::{OK, eventually};
use rows::{goals, rows};

/// The states in which requests are sent: the names of `--start`, and the numbers of the standard.
const STATES: [(&str, u64); 4] =
    [("stopped", STOPPED), ("playing", PLAYING), ("paused", PAUSED), ("no world", NO_WORLD)];

/// The codes that are right, by state.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// The same in every state.
    Always(u64),
    /// This one with a world. Without one the state is wrong for the request (A7).
    World(u64),
    /// In the order of [`STATES`].
    Each([u64; 4]),
}

impl Rule {
    fn code(self, state: usize) -> u64 {
        match self {
            Rule::Always(code) => code,
            Rule::World(_) if STATES[state].1 == NO_WORLD => INCORRECT_STATE,
            Rule::World(code) => code,
            Rule::Each(codes) => codes[state],
        }
    }
}

/// A request to a service, for every state.
struct Row {
    service: &'static str,
    /// `valid`, `missing` or `edge`, and what the request is about.
    title: &'static str,
    request: Value,
    rule: Rule,
    /// The states afterwards, in the order of [`STATES`]; `None` if none changes.
    after: Option<[u64; 4]>,
    /// An entity to spawn before, if there is a world.
    spawns: Option<Value>,
    /// Whether the world or the state may be another one afterwards.
    changes: bool,
}

impl Row {
    /// A request that only reads, or is refused.
    fn reading(service: &'static str, title: &'static str, request: Value, rule: Rule) -> Self {
        Row { service, title, request, rule, after: None, spawns: None, changes: false }
    }

    /// A request that changes the world.
    fn changing(service: &'static str, title: &'static str, request: Value, rule: Rule) -> Self {
        Row { changes: true, ..Row::reading(service, title, request, rule) }
    }

    fn after(self, after: [u64; 4]) -> Self {
        Row { after: Some(after), changes: true, ..self }
    }
}

/// A goal of `simulate_steps`, with the status and the code of its result in each state.
struct Goal {
    title: &'static str,
    request: Value,
    ends: [(u64, u64); 4],
}

/// The cases that ran, and those that differ.
#[derive(Default)]
struct Outcome {
    ran: usize,
    differences: Vec<String>,
}

impl Outcome {
    fn note(&mut self, case: &str, found: &[(&str, Value, Value)]) {
        self.ran += 1;
        let differs = found.iter().filter(|(_, found, expected)| found != expected);
        let text: Vec<String> =
            differs.map(|(what, found, expected)| format!("{what} {found}, expected {expected}")).collect();
        if !text.is_empty() {
            self.differences.push(format!("{case}: {}", text.join("; ")));
        }
    }
}

/// Brings the host to a state, with the fixture `W1` as it was loaded.
#[track_caller]
fn restore(host: &Caller, state: u64) {
    if state == NO_WORLD {
        if host.state() != NO_WORLD {
            host.ok("unload_world", json!({}));
        }
        return;
    }
    host.ok("load_world", json!({"world_resource": {"uri": fixture("W1.sdf")}}));
    if state != STOPPED {
        set_state(host, PLAYING, OK);
    }
    if state == PAUSED {
        set_state(host, PAUSED, OK);
    }
}

#[track_caller]
fn run_row(host: &Caller, state: usize, row: &Row, outcome: &mut Outcome) {
    let (name, number) = STATES[state];
    if let (Some(request), true) = (&row.spawns, number != NO_WORLD) {
        host.ok("spawn_entity", request.clone());
    }
    let response = host.call(row.service, row.request.clone());
    // One service has no result.
    let code = response.get("result").map_or(json!(OK), |result| result["result"].clone());
    let expected = row.rule.code(state);
    let text = response["result"]["error_message"].as_str().unwrap_or_default();
    let after = row.after.map_or(number, |after| after[state]);
    let case = format!("{} / {} / {name}", row.service, row.title);
    outcome.note(
        &case,
        &[
            ("code", code, json!(expected)),
            ("has a message", json!(expected == OK || !text.is_empty()), json!(true)),
            ("state afterwards", json!(host.state()), json!(after)),
        ],
    );
    if row.changes {
        restore(host, number);
    }
}

#[track_caller]
fn run_goal(host: &Caller, state: usize, goal: &Goal, outcome: &mut Outcome) {
    let (name, number) = STATES[state];
    let case = format!("simulate_steps / {} / {name}", goal.title);
    let Some(id) = host.send_goal(goal.request.clone()) else {
        return outcome.note(&case, &[("accepted", json!(false), json!(true))]);
    };
    let end = host.end_of(&id);
    let (status, code) = goal.ends[state];
    outcome.note(
        &case,
        &[
            ("status", end["status_code"].clone(), json!(status)),
            ("code", end["result"]["result"].clone(), json!(code)),
            ("state afterwards", json!(host.state()), json!(number)),
        ],
    );
}

#[expect(clippy::print_stdout, reason = "the output of the test contains the number of cases")]
pub(super) fn every_service_in_every_state_answers_as_the_standard_says(over: Transport) {
    let (rows, goals) = (rows(), goals());
    let mut outcome = Outcome::default();
    for (state, (name, number)) in STATES.into_iter().enumerate() {
        let host = if number == NO_WORLD { over.without_world() } else { over.host(name) };
        eventually(name, || host.state() == number);
        rows.iter().for_each(|row| run_row(&host, state, row, &mut outcome));
        goals.iter().for_each(|goal| run_goal(&host, state, goal, &mut outcome));
    }
    println!("{} cases", outcome.ran);
    assert!(outcome.ran >= 400, "{} cases", outcome.ran);
    let (count, list) = (outcome.differences.len(), outcome.differences.join("\n"));
    assert!(list.is_empty(), "{count} of {} cases differ:\n{list}", outcome.ran);
}

pub(super) fn the_table_contains_every_service_of_the_standard(_: Transport) {
    let rows = rows();
    let declared = bridgehead_plugin_api::messages::declared_services().iter();
    let of_standard = declared.filter(|one| one.ros_type.starts_with("simulation_interfaces/srv/"));
    let mut services = 0;
    for service in of_standard {
        let titles: Vec<&str> =
            rows.iter().filter(|row| row.service == service.name).map(|row| row.title).collect();
        assert!(titles.iter().any(|title| title.starts_with("valid")), "{}: {titles:?}", service.name);
        services += 1;
    }
    assert_eq!(services, 22);
    assert!(rows.iter().any(|row| row.rule.code(0) == FAILED));
}
