//! Tests of the lifecycle: every pair of state and event, the paths of whole runs, random sequences, and the
//! generated page. [`Player`] stands in for the loop and answers every effect as a healthy host would.

mod document;
mod ending;
mod pairs;
mod queue;
mod random;
mod reset;
mod running;
mod start_tracker;
mod values;

use super::*;

/// A loop without a simulation; records the states and effects.
struct Player {
    life: Lifecycle,
    states: Vec<State>,
    effects: Vec<Effect>,
    answers: Vec<Answer>,
}

impl Player {
    fn new(settings: Settings) -> Self {
        let life = Lifecycle::new(settings);
        Self { life, states: vec![State::NoWorld], effects: Vec::new(), answers: Vec::new() }
    }

    /// A host that has loaded a world and is in the requested state.
    fn loaded(settings: Settings, start_in: StartIn) -> Self {
        let mut player = Self::new(settings);
        player.ask(load(start_in), Cause::CommandLine);
        let target = match start_in {
            StartIn::Playing => State::StepEnd,
            StartIn::Paused => State::Pause,
            StartIn::Stopped => State::Stopped,
        };
        player.play_until(target);
        player.effects.clear();
        player
    }

    /// A kept-alive host in `state`, reached as early as possible.
    fn in_state(settings: Settings, state: State) -> Self {
        let mut player = Self::new(settings);
        player.ask(load(StartIn::Playing), Cause::CommandLine);
        if !matches!(state, State::NoWorld) {
            player.play_until(state);
        }
        player
    }

    fn ask(&mut self, interrupt: Interrupt, cause: Cause) -> Ticket {
        self.life.submit(Request::new(interrupt, cause))
    }

    fn control(&mut self, interrupt: Interrupt) -> Ticket {
        self.ask(interrupt, Cause::Control("client".to_owned()))
    }

    fn state(&self) -> State {
        self.life.machine().state()
    }

    /// One turn, with the report a healthy host would give.
    fn turn(&mut self) {
        let report = nominal_report(self.state());
        self.turn_with(report);
    }

    fn turn_with(&mut self, report: Option<Report>) {
        let before = self.state();
        let turn = self.life.advance(report);
        if self.state() != before {
            self.states.push(self.state());
        }
        self.effects.extend(turn.effects);
        self.answers.extend(turn.answers);
    }

    fn play_until(&mut self, state: State) {
        for _ in 0..200 {
            if self.state() == state {
                return;
            }
            self.turn();
        }
        panic!("{state} not reached; went {:?}", self.states);
    }

    /// Runs until no work is in progress and no request waits.
    fn settle(&mut self) {
        self.turn();
        for _ in 0..200 {
            if self.state().is_waiting() && self.life.queue.is_empty() {
                return;
            }
            self.turn();
        }
        panic!("not settled; went {:?}", self.states);
    }

    fn count(&self, effect: &Effect) -> usize {
        self.effects.iter().filter(|done| *done == effect).count()
    }

    fn last_refusal(&self) -> Refusal {
        self.answers.last().and_then(|answer| answer.result.err()).expect("the last request was refused")
    }

    /// The states since `state` was last entered, including it.
    fn trail_from(&self, state: State) -> &[State] {
        let place = self.states.iter().rposition(|other| *other == state).expect("the state was visited");
        &self.states[place..]
    }
}

/// The report of a healthy host in this state; `None` if the state waits.
fn nominal_report(state: State) -> Option<Report> {
    match state {
        State::Loading => Some(Report::WorldLoaded),
        State::Connect => Some(Report::BridgesConnected),
        State::Start => Some(Report::AllStarted),
        State::Stop => Some(Report::PluginsStopped),
        State::Reset => Some(Report::ResetDone),
        State::Disconnect => Some(Report::Disconnected),
        State::StepBegin
        | State::StepSimulator
        | State::StepController
        | State::StepEnd
        | State::Resume
        | State::Success
        | State::Fail
        | State::Abort
        | State::Probe => Some(Report::PhaseDone),
        State::NoWorld | State::Pause | State::Stopped | State::Quitting => None,
    }
}

fn load(start_in: StartIn) -> Interrupt {
    Interrupt::LoadWorld(WorldRequest { world: "yard.sdf".to_owned(), start_in })
}

fn kept_alive() -> Settings {
    Settings { keep_alive: true, ..Settings::default() }
}

fn fault() -> Cause {
    Cause::Plugin { name: "car1/lidar".to_owned(), reason: "panicked in step".to_owned() }
}

fn interrupted() -> Cause {
    Cause::Signal("SIGINT".to_owned())
}
