//! Every pair of state and event, over every reachable machine.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::super::table::{Reaction, all_events, event_names, reachable, reaction_table};
use super::super::{Effect, Event, RefusalKind, State, transition};

/// The expected reactions to each request in each state. A letter is a class: `M` moves on, `S` accepted in
/// place, `l` kept for later, `t` already so, `x` incorrect transition, `i` incorrect state, `o` operation
/// failed. Several letters mean that settings, earlier requests or the cause decide.
const EXPECTED: &str = "\
state          Abort       Reset       LoadWorld   Fail        Success     Stop        Halt        Quit        UnloadWorld Pause       Resume      Play        Step
NoWorld        Mi          i           M           i           i           i           x           M           t           x           x           x           o
Loading        M           lx          x           lx          lx          lx          x           M           x           x           x           x           o
Connect        M           lx          x           lx          lx          lx          x           M           x           x           x           x           o
Start          M           Sl          l           Ml          Ml          Ml          l           M           l           S           St          St          lo
StepBegin      M           M           M           M           M           M           M           M           M           M           St          St          lo
StepSimulator  M           l           l           l           l           l           l           l           l           l           St          St          lo
StepController M           l           l           l           l           l           l           l           l           l           St          St          lo
StepEnd        M           M           M           M           M           M           M           M           M           M           St          St          lo
Pause          M           M           M           M           M           M           M           M           M           t           M           M           MS
Resume         M           l           l           l           l           l           l           l           l           l           l           l           l
Success        M           l           l           o           o           t           l           l           l           l           l           l           o
Fail           M           l           l           o           o           t           l           l           l           l           l           l           o
Stop           MSt         Sl          l           o           o           lt          l           l           l           l           l           l           o
Stopped        M           M           M           i           i           Mt          t           M           M           Mx          x           M           o
Reset          M           l           l           l           l           l           l           l           l           l           l           l           lo
Abort          St          l           l           o           o           t           l           l           l           l           l           l           o
Disconnect     St          l           l           o           o           t           l           l           l           l           l           l           o
Quitting       x           x           x           x           x           x           x           t           x           x           x           x           o
Probe          M           l           l           i           i           t           x           l           l           x           x           x           o
";

fn class(state: State, reaction: &Reaction) -> char {
    match reaction {
        Reaction::Moved(to, _) if *to == state => 'S',
        Reaction::Moved(..) => 'M',
        Reaction::Refused(RefusalKind::Later, _) => 'l',
        Reaction::Refused(RefusalKind::AlreadyInTarget, _) => 't',
        Reaction::Refused(RefusalKind::IncorrectTransition, _) => 'x',
        Reaction::Refused(RefusalKind::IncorrectState, _) => 'i',
        Reaction::Refused(RefusalKind::OperationFailed, _) => 'o',
        Reaction::Refused(RefusalKind::Stale, _) => '-',
    }
}

/// The classes of all pairs by state, in the form of [`EXPECTED`].
fn classes() -> BTreeMap<(State, &'static str), String> {
    reaction_table()
        .into_iter()
        .map(|((state, event), answers)| {
            let mut letters: Vec<_> = answers.iter().map(|reaction| class(state, reaction)).collect();
            letters.sort_unstable();
            letters.dedup();
            ((state, event), letters.into_iter().collect())
        })
        .collect()
}

const REPORTS: usize = 11;

#[test]
fn every_request_meets_the_expected_class_in_every_state() {
    let classes = classes();
    let requests = &event_names()[REPORTS..];
    let mut found = format!("{:<15}", "state");
    for name in requests {
        let _ = write!(found, "{name:<12}");
    }
    found = found.trim_end().to_owned() + "\n";
    for state in State::ALL {
        let mut row = format!("{:<15}", state.name());
        for name in requests {
            let _ = write!(row, "{:<12}", classes[&(state, *name)]);
        }
        found += row.trim_end();
        found.push('\n');
    }
    assert_eq!(found, EXPECTED, "found:\n{found}");
}

#[test]
fn a_report_is_stale_in_every_state_that_did_not_order_it() {
    let orderers = [
        ("WorldLoaded", vec![State::Loading]),
        ("LoadFailed", vec![State::Loading]),
        ("BridgesConnected", vec![State::Connect]),
        ("ConnectFailed", vec![State::Connect]),
        ("AllStarted", vec![State::Start]),
        ("StartFailed", vec![State::Start]),
        (
            "PhaseDone",
            vec![
                State::StepBegin,
                State::StepSimulator,
                State::StepController,
                State::StepEnd,
                State::Resume,
                State::Success,
                State::Fail,
                State::Abort,
                State::Probe,
            ],
        ),
        ("PluginsStopped", vec![State::Stop]),
        ("ResetDone", vec![State::Reset]),
        ("ResetFailed", vec![State::Reset]),
        ("Disconnected", vec![State::Disconnect]),
    ];
    assert_eq!(orderers.len(), REPORTS);
    let classes = classes();
    for (report, states) in orderers {
        for state in State::ALL {
            let expected = if states.contains(&state) { "M" } else { "-" };
            assert_eq!(classes[&(state, report)], expected, "{report} in {state}");
        }
    }
}

#[test]
fn every_state_can_be_reached_and_every_event_is_tried_in_it() {
    let reactions = reaction_table();
    assert_eq!(reactions.len(), State::ALL.len() * event_names().len());
}

#[test]
fn an_accepted_request_has_effects_exactly_when_it_moves() {
    for machine in reachable() {
        for event in all_events() {
            if let (Event::Requested(_), Ok(next)) = (&event, transition(&machine, &event)) {
                let moves = next.machine.state() != machine.state();
                assert_eq!(moves, !next.effects.is_empty(), "{event:?} in {machine:?}");
            }
        }
    }
}

#[test]
fn every_state_that_works_is_left_by_its_own_report() {
    for machine in reachable() {
        match super::nominal_report(machine.state()) {
            Some(report) => {
                let next = transition(&machine, &Event::Reported(report));
                assert!(next.is_ok_and(|next| next.machine.state() != machine.state()), "{machine:?}");
            }
            None => assert!(machine.state().is_waiting()),
        }
    }
}

#[test]
fn the_clock_runs_in_steps_and_nowhere_else() {
    for machine in reachable() {
        assert_eq!(machine.clock_runs, machine.state().is_step(), "{machine:?}");
    }
}

#[test]
fn quitting_disconnects_reports_exits_and_is_never_left() {
    let is_quitting = |state| state == State::Quitting;
    for machine in reachable() {
        for event in all_events() {
            let Ok(next) = transition(&machine, &event) else { continue };
            assert!(!is_quitting(machine.state()), "{event:?} accepted while quitting");
            if is_quitting(next.machine.state()) {
                let outcome = next.machine.outcome();
                let last_effects =
                    [Effect::DisconnectWorldBridges, Effect::ReportOutcome(outcome), Effect::Exit];
                assert!(next.effects.ends_with(&last_effects), "{:?}", next.effects);
                assert!(!next.machine.connected);
            }
        }
    }
}
