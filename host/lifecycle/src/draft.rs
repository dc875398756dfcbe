//! The transition being built: each `enter_…` method enters one state and collects the effects of entering
//! it. `report` and `request` decide which state to enter. Lives within one call of `transition`, on the
//! simulation thread.

use super::effect::{Effect, Manner, Notice};
use super::event::{AfterReset, Cause, ResetRequest, ResetScope, StartIn, WorldRequest};
use super::machine::{Begin, Exit, Machine, Plugins};
use super::outcome::{Outcome, Verdict};
use super::state::State;

/// The next machine, and the effects collected so far.
pub(super) struct Draft {
    pub(super) machine: Machine,
    pub(super) effects: Vec<Effect>,
}

impl Draft {
    pub(super) fn new(machine: &Machine) -> Self {
        Self { machine: machine.clone(), effects: Vec::new() }
    }

    fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    fn enter(&mut self, state: State) {
        self.machine.state = state;
    }

    fn hold_clock(&mut self) {
        if std::mem::take(&mut self.machine.clock_runs) {
            self.push(Effect::HoldClock);
        }
    }

    fn release_clock(&mut self) {
        if !std::mem::replace(&mut self.machine.clock_runs, true) {
            self.push(Effect::ReleaseClock);
        }
    }

    /// Records an outcome unless one is recorded already: the first decision about a run stands.
    pub(super) fn decide(&mut self, outcome: Outcome, cause: &Cause) {
        self.machine.verdict.get_or_insert_with(|| Verdict { outcome, cause: cause.clone() });
    }

    // Load, connect, start

    pub(super) fn enter_loading(&mut self, world: &WorldRequest) {
        self.enter(State::Loading);
        self.machine.verdict = None;
        self.machine.start_in = world.start_in;
        self.push(Effect::LoadWorld(world.world.clone()));
    }

    pub(super) fn enter_connect(&mut self) {
        self.enter(State::Connect);
        self.machine.connected = true;
        self.push(Effect::ConnectBridges);
    }

    pub(super) fn enter_probe(&mut self, cause: &Cause) {
        self.enter(State::Probe);
        self.decide(Outcome::Probed, cause);
        self.machine.exit = Some(Exit::Quit);
        self.push(Effect::CollectProbe);
    }

    /// From connected bridges to the state that the load request named.
    pub(super) fn begin_as_loaded(&mut self) {
        match self.machine.start_in {
            StartIn::Playing => self.enter_start(Begin::Playing),
            StartIn::Paused => self.enter_start(Begin::Paused),
            StartIn::Stopped => self.enter_stopped(),
        }
    }

    /// Begins a run, or continues it after a reset. In the second case plugins are running and are not
    /// started again.
    pub(super) fn enter_start(&mut self, begin: Begin) {
        self.enter(State::Start);
        self.machine.begin = begin;
        if self.machine.plugins == Plugins::Idle {
            self.machine.plugins = Plugins::Starting;
            self.machine.verdict = None;
            self.push(Effect::StartPlugins);
            self.push(Effect::RunInitialReset);
        }
        self.push(Effect::AwaitAllStarted);
    }

    /// All plugins have started. A pending reset runs first, so that the run begins reset and is announced
    /// once.
    pub(super) fn leave_start(&mut self) {
        if let Some(scope) = self.machine.pending_reset.take() {
            return self.enter_reset(scope, State::Start);
        }
        if self.machine.plugins == Plugins::Starting {
            self.machine.plugins = Plugins::Running;
            self.push(Effect::Announce(Notice::AllStarted));
        }
        match self.machine.begin {
            Begin::Playing => self.enter_step_begin(),
            Begin::Paused => self.enter_pause(),
        }
    }

    // Step, pause, resume

    pub(super) fn enter_step_begin(&mut self) {
        self.enter(State::StepBegin);
        if std::mem::take(&mut self.machine.pause_announced) {
            self.push(Effect::Announce(Notice::Resumed));
        }
        self.release_clock();
        self.push(Effect::BeginStep);
    }

    pub(super) fn enter_step_simulator(&mut self) {
        self.enter(State::StepSimulator);
        self.push(Effect::StepSimulator);
    }

    pub(super) fn enter_step_controller(&mut self) {
        self.enter(State::StepController);
        self.push(Effect::StepControllers);
    }

    pub(super) fn enter_step_end(&mut self) {
        self.enter(State::StepEnd);
        self.push(Effect::EndStep);
    }

    /// After a complete step: begins the next one, or pauses if the requested steps are done.
    pub(super) fn leave_step_end(&mut self) {
        match self.machine.steps_left {
            Some(0 | 1) => self.enter_pause(),
            Some(left) => {
                self.machine.steps_left = Some(left - 1);
                self.enter_step_begin();
            }
            None => self.enter_step_begin(),
        }
    }

    pub(super) fn enter_pause(&mut self) {
        self.enter(State::Pause);
        self.machine.steps_left = None;
        self.hold_clock();
        if !std::mem::replace(&mut self.machine.pause_announced, true) {
            self.push(Effect::Announce(Notice::Paused));
        }
    }

    pub(super) fn enter_resume(&mut self, steps: Option<u64>) {
        self.enter(State::Resume);
        self.machine.steps_left = steps;
        self.machine.pause_announced = false;
        self.push(Effect::Announce(Notice::Resumed));
    }

    // Reset

    pub(super) fn enter_reset(&mut self, scope: ResetScope, then: State) {
        self.enter(State::Reset);
        self.machine.after_reset = then;
        self.machine.steps_left = None;
        self.hold_clock();
        self.push(Effect::PauseSensors);
        self.push(Effect::RunResetCascade(scope));
    }

    /// Resets while plugins are stopped. The run begins again only if the request says so.
    pub(super) fn enter_reset_at_rest(&mut self, reset: ResetRequest) {
        let (then, begin) = match reset.then {
            AfterReset::Keep | AfterReset::Stopped => (State::Stopped, Begin::Playing),
            AfterReset::Paused => (State::Start, Begin::Paused),
            AfterReset::Play => (State::Start, Begin::Playing),
        };
        self.machine.begin = begin;
        self.enter_reset(reset.scope, then);
    }

    pub(super) fn leave_reset(&mut self) {
        self.push(Effect::ResumeSensors);
        if self.machine.after_reset == State::Start {
            self.enter_start(self.machine.begin);
        } else {
            self.enter_stopped();
        }
    }

    // The end of a run

    pub(super) fn enter_success(&mut self, cause: &Cause) {
        self.enter(State::Success);
        self.decide(Outcome::Success, cause);
        self.hold_clock();
        self.push(Effect::Announce(Notice::Succeeded));
    }

    pub(super) fn enter_fail(&mut self, cause: &Cause) {
        self.enter(State::Fail);
        self.decide(Outcome::Failure, cause);
        self.hold_clock();
        self.push(Effect::Announce(Notice::Failed));
    }

    /// Stops the plugins. `exit` is where to go then; `None` is the stopped state.
    pub(super) fn enter_stop(&mut self, exit: Option<Exit>, manner: Manner) {
        self.enter(State::Stop);
        self.hold_clock();
        self.machine.exit = exit;
        self.machine.steps_left = None;
        self.machine.pause_announced = false;
        self.machine.pending_reset = None;
        if self.machine.plugins == Plugins::Running {
            self.push(Effect::Announce(Notice::Stopped));
        }
        self.push(Effect::StopPlugins(manner));
    }

    pub(super) fn leave_stop(&mut self) {
        self.machine.plugins = Plugins::Idle;
        self.machine.is_aborting = false;
        let reset_after_stop = self.machine.reset_after_stop.take();
        match (&self.machine.exit, reset_after_stop) {
            (Some(_), _) => self.enter_disconnect(),
            (None, Some(reset)) => self.enter_reset_at_rest(reset),
            (None, None) => self.enter_stopped(),
        }
    }

    pub(super) fn enter_stopped(&mut self) {
        self.enter(State::Stopped);
    }

    /// Cancels the work in progress. `exit` is where the host goes once plugins and bridges are down.
    pub(super) fn enter_abort(&mut self, cause: &Cause, exit: Exit) {
        self.decide(self.machine.outcome_if_given_up(), cause);
        self.enter(State::Abort);
        self.machine.is_aborting = true;
        self.machine.exit = Some(exit);
        self.machine.reset_after_stop = None;
        self.hold_clock();
        self.push(Effect::CancelWork);
    }

    // Unload and quit

    /// Disconnects the bridges, if any are connected; after a cancelled load there may be none.
    pub(super) fn enter_disconnect(&mut self) {
        if std::mem::take(&mut self.machine.connected) {
            self.enter(State::Disconnect);
            self.push(Effect::DisconnectBridges);
        } else {
            self.leave_world();
        }
    }

    pub(super) fn leave_world(&mut self) {
        self.push(Effect::UnloadWorld);
        match self.machine.exit.take() {
            Some(Exit::Quit) => self.enter_quitting(),
            Some(Exit::Load(world)) => self.enter_loading(&world),
            Some(Exit::NoWorld) | None => self.enter(State::NoWorld),
        }
    }

    pub(super) fn enter_quitting(&mut self) {
        self.enter(State::Quitting);
        self.push(Effect::DisconnectWorldBridges);
        self.push(Effect::ReportOutcome(self.machine.outcome()));
        self.push(Effect::Exit);
    }
}
