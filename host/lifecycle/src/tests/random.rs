//! Random sequences of events: what must hold on every path through the table.

use proptest::prelude::*;

use super::super::table::{all_events, all_settings, reachable};
use super::*;

/// Counts along a sequence of effects: what must alternate, be balanced or happen once.
#[derive(Default)]
struct Ledger {
    connected: bool,
    clock_runs: bool,
    sensors_paused: bool,
    outcome_reports: usize,
}

impl Ledger {
    fn enter(&mut self, effect: &Effect) {
        match effect {
            Effect::ConnectBridges => {
                assert!(!std::mem::replace(&mut self.connected, true), "connected twice")
            }
            Effect::DisconnectBridges => {
                assert!(std::mem::replace(&mut self.connected, false), "disconnected without a connect");
            }
            Effect::UnloadWorld => assert!(!self.connected, "world gone under connected bridges"),
            Effect::HoldClock => assert!(std::mem::replace(&mut self.clock_runs, false), "held twice"),
            Effect::ReleaseClock => assert!(!std::mem::replace(&mut self.clock_runs, true), "released twice"),
            Effect::PauseSensors => self.sensors_paused = true,
            Effect::ResumeSensors => self.sensors_paused = false,
            Effect::BeginStep | Effect::StepSimulator | Effect::StepControllers | Effect::EndStep => {
                assert!(self.connected && self.clock_runs && !self.sensors_paused, "a step out of place");
            }
            Effect::StartPlugins => self.sensors_paused = false,
            Effect::RunResetCascade(_) => assert!(self.sensors_paused && !self.clock_runs),
            Effect::ReportOutcome(_) => self.outcome_reports += 1,
            Effect::LoadWorld(_)
            | Effect::RunInitialReset
            | Effect::AwaitAllStarted
            | Effect::Announce(_)
            | Effect::StopPlugins(_)
            | Effect::CancelWork
            | Effect::CollectProbe
            | Effect::DisconnectWorldBridges
            | Effect::Exit => {}
        }
    }
}

fn settings() -> impl Strategy<Value = Settings> {
    prop::sample::select(all_settings().collect::<Vec<_>>())
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(prop::sample::select(all_events()), 0..300)
}

/// What the loop would see: mostly its own reports, sometimes a request or a failure.
fn turns() -> impl Strategy<Value = Vec<Option<Event>>> {
    let event = prop::sample::select(all_events());
    prop::collection::vec(prop_oneof![3 => Just(None), 1 => event.prop_map(Some)], 0..300)
}

proptest! {
    #[test]
    fn any_sequence_of_events_keeps_the_books_balanced(settings in settings(), events in events()) {
        let mut machine = Machine::new(settings);
        let mut ledger = Ledger::default();
        for event in &events {
            if let Ok(next) = transition(&machine, event) {
                next.effects.iter().for_each(|effect| ledger.enter(effect));
                machine = next.machine;
            }
        }
        prop_assert_eq!(ledger.outcome_reports, usize::from(machine.state() == State::Quitting));
    }

    #[test]
    fn a_host_that_is_asked_to_quit_gets_there_and_answers_everybody(settings in settings(), turns in turns()) {
        let mut player = Player::new(settings);
        let mut asked = 0;
        for turn in turns {
            match turn {
                Some(Event::Requested(request)) => {
                    player.life.submit(request);
                    asked += 1;
                    player.turn();
                }
                Some(Event::Reported(report)) => player.turn_with(Some(report)),
                None => player.turn(),
            }
        }
        player.ask(Interrupt::Quit, interrupted());
        player.play_until(State::Quitting);
        player.turn();
        prop_assert_eq!(player.answers.len(), asked + 1);
        let mut ledger = Ledger::default();
        player.effects.iter().for_each(|effect| ledger.enter(effect));
        prop_assert!(!ledger.connected);
        prop_assert_eq!(ledger.outcome_reports, 1);
    }
}

#[test]
fn from_every_machine_that_can_be_reached_the_way_out_is_short() {
    let quit = Event::Requested(Request::new(Interrupt::Quit, interrupted()));
    for origin in reachable() {
        let mut machine = origin.clone();
        for _ in 0..20 {
            let nominal = || nominal_report(machine.state()).map(Event::Reported);
            let next = transition(&machine, &quit).ok().or_else(|| transition(&machine, &nominal()?).ok());
            match next {
                Some(next) => machine = next.machine,
                None => break,
            }
        }
        assert_eq!(machine.state(), State::Quitting, "from {origin:?}");
    }
}
