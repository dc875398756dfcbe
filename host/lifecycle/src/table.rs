//! The documents of the lifecycle, generated from the code: visits every reachable machine, tries every event
//! on it, and writes the result as a diagram and a table. A test keeps `docs/lifecycle.md` up to date. Pure
//! functions, usable from any thread.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt::Write;

use super::effect::Effect;
use super::event::{
    AfterReset, Cause, Event, Interrupt, LoadFailure, Report, Request, ResetRequest, ResetScope, StartIn,
    WorldRequest,
};
use super::machine::{Machine, Settings};
use super::refusal::RefusalKind;
use super::state::State;
use super::transition::transition;

/// The result of an event, without details that only distinguish one machine from another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reaction {
    Moved(State, Vec<Effect>),
    Refused(RefusalKind, &'static str),
}

/// The results of every event in every state, over all reachable machines.
pub(super) type ReactionTable = BTreeMap<(State, &'static str), BTreeSet<Reaction>>;

/// Every combination of settings.
pub(super) fn all_settings() -> impl Iterator<Item = Settings> {
    (0..8u8).map(|bits| Settings {
        keep_alive: bits & 1 != 0,
        pause_from_stopped: bits & 2 != 0,
        probe: bits & 4 != 0,
    })
}

/// One event of every kind, in every variation that makes a difference.
pub(super) fn all_events() -> Vec<Event> {
    all_reports()
        .into_iter()
        .map(Event::Reported)
        .chain(all_requests().into_iter().map(Event::Requested))
        .collect()
}

fn all_reports() -> Vec<Report> {
    let fault = || Cause::Host("fault".to_owned());
    let failure = |is_configuration| {
        Report::LoadFailed(LoadFailure { is_configuration, is_first: true, cause: fault() })
    };
    vec![
        Report::WorldLoaded,
        failure(false),
        failure(true),
        Report::BridgesConnected,
        Report::ConnectFailed(fault()),
        Report::AllStarted,
        Report::StartFailed(fault()),
        Report::PhaseDone,
        Report::PluginsStopped,
        Report::ResetDone,
        Report::ResetFailed(fault()),
        Report::Disconnected,
    ]
}

fn all_requests() -> Vec<Request> {
    let asked = |interrupt| Request::new(interrupt, Cause::Control("client".to_owned()));
    let mut requests = vec![
        Request::new(Interrupt::Abort, Cause::Host("fault".to_owned())),
        Request::new(Interrupt::Abort, Cause::Signal("SIGINT".to_owned())),
    ];
    for then in [AfterReset::Keep, AfterReset::Stopped, AfterReset::Paused, AfterReset::Play] {
        requests.push(asked(Interrupt::Reset(ResetRequest { scope: ResetScope::ALL, then })));
    }
    for start_in in [StartIn::Playing, StartIn::Paused, StartIn::Stopped] {
        requests.push(asked(Interrupt::LoadWorld(WorldRequest { world: "world".to_owned(), start_in })));
    }
    let plain = [
        Interrupt::Fail,
        Interrupt::Success,
        Interrupt::Stop,
        Interrupt::Halt,
        Interrupt::Quit,
        Interrupt::UnloadWorld,
        Interrupt::Pause,
        Interrupt::Resume,
        Interrupt::Play,
        Interrupt::Step(0),
        Interrupt::Step(2),
    ];
    requests.extend(plain.map(asked));
    requests.into_iter().flat_map(with_plugin).collect()
}

/// The request of a client, and the same request of a plugin if it may be another matter: a plugin that is loaded with
/// the world makes it of that world.
fn with_plugin(request: Request) -> impl Iterator<Item = Request> {
    let plugin = || Cause::Plugin { name: "plugin".to_owned(), reason: String::new() };
    let is_of_plugins = match &request.interrupt {
        Interrupt::Fail | Interrupt::Success | Interrupt::Stop => true,
        Interrupt::Reset(reset) => reset.then == AfterReset::Play,
        Interrupt::Abort
        | Interrupt::Halt
        | Interrupt::Quit
        | Interrupt::UnloadWorld
        | Interrupt::LoadWorld(_)
        | Interrupt::Pause
        | Interrupt::Resume
        | Interrupt::Play
        | Interrupt::Step(_) => false,
    };
    let of_plugin = is_of_plugins.then(|| Request::new(request.interrupt.clone(), plugin()));
    std::iter::once(request).chain(of_plugin)
}

/// Every machine that the events of [`all_events`] can reach.
pub(super) fn reachable() -> Vec<Machine> {
    let events = all_events();
    let mut open: Vec<_> = all_settings().map(Machine::new).collect();
    let mut seen: HashSet<_> = open.iter().cloned().collect();
    let mut visited = Vec::new();
    while let Some(machine) = open.pop() {
        let next = events.iter().filter_map(|event| transition(&machine, event).ok());
        open.extend(next.map(|step| step.machine).filter(|machine| seen.insert(machine.clone())));
        visited.push(machine);
    }
    visited
}

/// Tries every event on every reachable machine.
pub(super) fn reaction_table() -> ReactionTable {
    let events = all_events();
    let mut reactions = ReactionTable::new();
    for machine in reachable() {
        for event in &events {
            let reaction = match transition(&machine, event) {
                Ok(next) => Reaction::Moved(next.machine.state(), next.effects),
                Err(refusal) => Reaction::Refused(refusal.kind, refusal.reason),
            };
            reactions.entry((machine.state(), event.name())).or_default().insert(reaction);
        }
    }
    reactions
}

/// The whole page: introduction, diagram, table.
#[must_use]
pub fn document() -> String {
    format!("{INTRODUCTION}\n## Diagram\n\n{}\n## Table\n\n{TABLE_NOTE}\n{}", diagram(), table())
}

const INTRODUCTION: &str = "\
# Lifecycle

<!-- Generated from host/lifecycle. Update: BRIDGEHEAD_UPDATE_DOCS=1 cargo test -p bridgehead-lifecycle -->

This page is generated from the code: every reachable situation of the host is visited, and every event is tried in it.
The loop reports the end of its own work (`WorldLoaded`, `PhaseDone`, …); all other events are requests from outside.
Requests are taken between two states, in this order: abort, reset, fail, success, stop and halt, quit, load and \
unload, pause, resume and play, step.
";

const TABLE_NOTE: &str = "\
If an event leads to different states, the settings, earlier requests or the cause of the request decide.
`kept` means that the request waits in the queue and is offered again in the next state.
While a world loads, requests of its own plugins and bridges are kept, and those of all others are refused.
A report about work that the state did not start is dropped and is not listed.
";

/// The states and the events that lead from one to another, as a Mermaid diagram.
#[must_use]
pub fn diagram() -> String {
    let mut edges: BTreeMap<(State, State), BTreeSet<&'static str>> = BTreeMap::new();
    for ((from, event), answers) in reaction_table() {
        for reaction in answers {
            match reaction {
                Reaction::Moved(to, _) if to != from => {
                    edges.entry((from, to)).or_default().insert(event);
                }
                Reaction::Moved(..) | Reaction::Refused(..) => {}
            }
        }
    }
    let mut text = String::from("```mermaid\nstateDiagram-v2\n    [*] --> NoWorld\n");
    for ((from, to), events) in edges {
        let names: Vec<_> = events.into_iter().collect();
        line(&mut text, format_args!("    {from} --> {to}: {}", names.join(", ")));
    }
    text.push_str("    Quitting --> [*]\n```\n");
    text
}

/// State by event: the next state with its effects, or the refusal.
#[must_use]
pub fn table() -> String {
    let reactions = reaction_table();
    let mut text = String::new();
    for state in State::ALL {
        line(&mut text, format_args!("### {state}\n"));
        text.push_str("| event | leads to | with |\n|---|---|---|\n");
        for event in event_names() {
            let answers = reactions.get(&(state, event)).into_iter().flatten();
            rows(&mut text, event, answers);
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The names of all events, each once, in the order of [`all_events`].
pub(super) fn event_names() -> Vec<&'static str> {
    let mut names: Vec<_> = all_events().iter().map(Event::name).collect();
    names.dedup();
    names
}

/// The rows of one event in one state; effects that lead to the same state and differ only in details are
/// joined.
fn rows<'a>(text: &mut String, event: &str, answers: impl Iterator<Item = &'a Reaction>) {
    let mut moves: BTreeMap<State, BTreeSet<String>> = BTreeMap::new();
    for reaction in answers {
        match reaction {
            Reaction::Moved(to, effects) => {
                moves.entry(*to).or_default().insert(effect_list(effects));
            }
            Reaction::Refused(RefusalKind::Stale, _) => {}
            Reaction::Refused(RefusalKind::Later, reason) => {
                line(text, format_args!("| {event} | kept | {reason} |"));
            }
            Reaction::Refused(kind, reason) => {
                line(text, format_args!("| {event} | refused ({kind:?}) | {reason} |"));
            }
        }
    }
    for (to, effects) in moves {
        let lists: Vec<_> = effects.into_iter().collect();
        line(text, format_args!("| {event} | **{to}** | {} |", lists.join("<br>or ")));
    }
}

fn effect_list(effects: &[Effect]) -> String {
    if effects.is_empty() {
        return "no effect now".to_owned();
    }
    let names: Vec<_> = effects.iter().map(|effect| format!("`{}`", label(effect))).collect();
    names.join(", ")
}

/// The effect as shown in the table, without details of a particular run.
fn label(effect: &Effect) -> String {
    let text = effect.to_string();
    let is_particular =
        matches!(effect, Effect::LoadWorld(_) | Effect::RunResetCascade(_) | Effect::ReportOutcome(_));
    let shown = if is_particular { text.split('(').next() } else { None };
    shown.unwrap_or(&text).to_owned()
}

fn line(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = writeln!(text, "{arguments}");
}
