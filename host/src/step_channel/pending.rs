//! A request of the client that the lifecycle carries out: steps, a reset, or the return to a snapshot.

use bridgehead_lifecycle::{
    AfterReset, Cause, Interrupt, Outcome, Request, ResetRequest, ResetScope, State, Ticket,
};

use super::error::Refusal;
use super::wire::{CUT_SHORT, ENDED, FAILED, Kind, SUCCEEDED};
use crate::bus::Moment;
use crate::sim::Simulation;

/// Name of the channel as the cause of requests.
const CAUSE: &str = "step channel";

/// A request that the lifecycle has not completed.
pub(super) struct Pending {
    pub(super) kind: Kind,
    ticket: Ticket,
    is_accepted: bool,
    work: Work,
}

enum Work {
    Steps {
        before: Moment,
        steps: u32,
    },
    Reset,
    /// The name of the snapshot.
    Return(String),
}

/// How a request has ended.
pub(super) struct Completed {
    pub(super) kind: Kind,
    pub(super) flags: u32,
    /// The snapshot that the run has returned to.
    pub(super) returned_to: Option<String>,
}

impl Pending {
    /// Requests steps of a paused run.
    pub(super) fn steps(simulation: &mut Simulation, steps: u32) -> Self {
        // The client waits for the end of the steps, as that of `step_simulation` does.
        simulation.timeline.set_paces_steps(false);
        let before = simulation.now();
        let interrupt = Interrupt::Step(steps.into());
        Pending::new(simulation, Kind::Step, interrupt, Work::Steps { before, steps })
    }

    /// Requests the state of the beginning.
    pub(super) fn reset(simulation: &mut Simulation) -> Self {
        Pending::new(simulation, Kind::Reset, reset_request(AfterReset::Paused), Work::Reset)
    }

    /// Requests the state of the snapshot that the next reset returns to.
    pub(super) fn return_to(simulation: &mut Simulation, name: String) -> Self {
        let interrupt = reset_request(AfterReset::Keep);
        Pending::new(simulation, Kind::Restore, interrupt, Work::Return(name))
    }

    fn new(simulation: &mut Simulation, kind: Kind, interrupt: Interrupt, work: Work) -> Self {
        let ticket = simulation.request(Request::new(interrupt, Cause::Control(CAUSE.to_owned())));
        Pending { kind, ticket, is_accepted: false, work }
    }

    /// Returns how the request has ended; `None` while it goes on.
    pub(super) fn poll(&mut self, simulation: &mut Simulation) -> Option<Result<Completed, Refusal>> {
        if !self.is_accepted {
            match simulation.take_answer(self.ticket)? {
                Ok(()) => self.is_accepted = true,
                Err(refusal) => {
                    self.forget_return(simulation);
                    return Some(Err(refusal.into()));
                }
            }
        }
        // At the end of a run, its world is still there: later there may be no process to ask.
        let is_over = simulation.machine().is_settled() || !is_in_run(simulation.state());
        is_over.then(|| self.complete(simulation))
    }

    fn complete(&mut self, simulation: &mut Simulation) -> Result<Completed, Refusal> {
        let (mut flags, mut returned_to) = (0, None);
        match &mut self.work {
            Work::Steps { before, steps } => {
                let now = simulation.now();
                let done = now.step.saturating_sub(before.step);
                if now.reset_epoch != before.reset_epoch || done < u64::from(*steps) {
                    flags = CUT_SHORT;
                }
            }
            Work::Reset => {}
            Work::Return(name) => {
                simulation.take_restored()?;
                returned_to = Some(std::mem::take(name));
            }
        }
        Ok(Completed { kind: self.kind, flags, returned_to })
    }

    /// Ends the request of a client that has gone: its steps are not continued.
    pub(super) fn abandon(mut self, simulation: &mut Simulation) {
        let is_withdrawn = simulation.withdraw(self.ticket);
        let _ = simulation.take_answer(self.ticket);
        self.forget_return(simulation);
        let is_stepping =
            matches!(self.work, Work::Steps { .. }) && simulation.machine().steps_left().is_some();
        if !is_withdrawn && is_stepping {
            let cause = Cause::Control(format!("{CAUSE}: its client has left"));
            simulation.shared().requests.push(Request::new(Interrupt::Pause, cause));
        }
    }

    /// No later reset may return to the snapshot.
    fn forget_return(&mut self, simulation: &mut Simulation) {
        if matches!(self.work, Work::Return(_)) {
            drop(simulation.take_restored());
        }
    }
}

fn reset_request(then: AfterReset) -> Interrupt {
    Interrupt::Reset(ResetRequest { scope: ResetScope::ALL, then })
}

/// Returns true if a run is in progress.
fn is_in_run(state: State) -> bool {
    match state {
        State::Start
        | State::StepBegin
        | State::StepSimulator
        | State::StepController
        | State::StepEnd
        | State::Pause
        | State::Resume
        | State::Reset => true,
        State::NoWorld
        | State::Loading
        | State::Connect
        | State::Success
        | State::Fail
        | State::Stop
        | State::Stopped
        | State::Abort
        | State::Disconnect
        | State::Quitting
        | State::Probe => false,
    }
}

/// Returns the flags that tell of the end of the run.
pub(super) fn flags_of_end(simulation: &Simulation) -> u32 {
    if is_in_run(simulation.state()) {
        return 0;
    }
    ENDED
        | match simulation.machine().verdict().map(|verdict| verdict.outcome) {
            Some(Outcome::Success) => SUCCEEDED,
            Some(Outcome::Failure | Outcome::Aborted | Outcome::NotStarted | Outcome::ConfigurationError) => {
                FAILED
            }
            Some(Outcome::Stopped | Outcome::Probed) | None => 0,
        }
}
