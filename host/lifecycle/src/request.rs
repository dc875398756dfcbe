//! What follows from a request: one function for each kind, which names every state. Transient states keep
//! most requests for the next state. While a world loads, only requests of its own plugins and bridges are kept:
//! everybody else would make them of a world that is not there yet. Requests take effect between two steps: in `StepBegin`, where the step waits
//! for its due time, and in `StepEnd`. A step in progress keeps them for `StepEnd`, so that it is always completed;
//! only an abort takes effect at once. Called by `transition` only.

use super::draft::Draft;
use super::effect::Manner;
use super::event::{AfterReset, Cause, Interrupt, Request, ResetRequest, ResetScope};
use super::machine::{Begin, Exit, Plugins};
use super::outcome::Outcome;
use super::refusal::RefusalKind;
use super::state::State;

/// A refusal without its state and event, which `transition` adds.
pub(super) struct Denied(pub(super) RefusalKind, pub(super) &'static str);

type Answer = Result<(), Denied>;

const LATER: Answer =
    Err(Denied(RefusalKind::Later, "the host is changing state; the request is taken in the next one"));
const AFTER_STEP: Answer = Err(Denied(RefusalKind::Later, "the current step is completed first"));
const QUITTING: Answer = Err(Denied(RefusalKind::IncorrectTransition, "the host is quitting"));
const NO_WORLD: Answer = Err(Denied(RefusalKind::IncorrectTransition, "no world is loaded; load one first"));
const LOADING: Answer = Err(Denied(RefusalKind::IncorrectTransition, "the world is still loading"));
const NO_RUN: Answer = Err(Denied(RefusalKind::IncorrectState, "no run is in progress"));

/// Follows one request.
pub(super) fn follow(draft: &mut Draft, request: &Request) -> Answer {
    let cause = &request.cause;
    match &request.interrupt {
        Interrupt::Abort => abort(draft, cause),
        Interrupt::Reset(wanted) => reset(draft, *wanted, cause),
        Interrupt::Fail => conclude(draft, cause, |draft| draft.enter_fail(cause)),
        Interrupt::Success => conclude(draft, cause, |draft| draft.enter_success(cause)),
        Interrupt::Stop => stop(draft, cause),
        Interrupt::Halt => halt(draft),
        Interrupt::Quit => quit(draft, cause),
        Interrupt::UnloadWorld => unload(draft),
        Interrupt::LoadWorld(world) => replace_world(draft, Exit::Load(world.clone())),
        Interrupt::Pause => pause(draft),
        Interrupt::Resume => resume(draft),
        Interrupt::Play => play(draft),
        Interrupt::Step(steps) => step(draft, *steps),
    }
}

/// While a world loads: its own plugins and bridges are part of it, so what they request waits for the run.
fn while_loading(cause: &Cause) -> Answer {
    if cause.is_instance() { LATER } else { LOADING }
}

fn abort(draft: &mut Draft, cause: &Cause) -> Answer {
    let exit = draft.machine.exit_after(cause);
    match draft.machine.state {
        State::NoWorld if exit == Exit::NoWorld => {
            return Err(Denied(
                RefusalKind::IncorrectState,
                "no world is loaded, so there is nothing to abort",
            ));
        }
        State::NoWorld => {
            decide_if_fault(draft, cause);
            draft.enter_quitting();
        }
        State::Stopped => {
            decide_if_fault(draft, cause);
            draft.machine.exit = Some(exit);
            draft.enter_disconnect();
        }
        State::Loading
        | State::Connect
        | State::Start
        | State::StepBegin
        | State::StepSimulator
        | State::StepController
        | State::StepEnd
        | State::Pause
        | State::Resume
        | State::Success
        | State::Fail
        | State::Reset
        | State::Probe => draft.enter_abort(cause, exit),
        State::Stop if !draft.machine.is_aborting => draft.enter_abort(cause, exit),
        State::Stop | State::Abort | State::Disconnect => return switch_to_quit(draft, cause, exit),
        State::Quitting => return QUITTING,
    }
    Ok(())
}

/// The world is being taken down already; only the exit may change.
fn switch_to_quit(draft: &mut Draft, cause: &Cause, exit: Exit) -> Answer {
    if exit != Exit::Quit || draft.machine.exit == Some(Exit::Quit) {
        return Err(Denied(RefusalKind::AlreadyInTarget, "plugins or bridges are already being taken down"));
    }
    decide_if_fault(draft, cause);
    draft.machine.exit = Some(exit);
    Ok(())
}

/// Without a run there is nothing to abort: a request to quit keeps the outcome of the last run, a fault does
/// not.
fn decide_if_fault(draft: &mut Draft, cause: &Cause) {
    if cause.is_fault() {
        draft.decide(draft.machine.outcome_if_given_up(), cause);
    }
}

fn reset(draft: &mut Draft, wanted: ResetRequest, cause: &Cause) -> Answer {
    match draft.machine.state {
        State::NoWorld => {
            return Err(Denied(RefusalKind::IncorrectState, "no world is loaded; load one first"));
        }
        State::Start if wanted.then == AfterReset::Stopped => return LATER,
        State::Start => keep_reset(draft, wanted),
        State::StepBegin | State::StepEnd | State::Pause if wanted.then == AfterReset::Stopped => {
            reset_after_stop(draft, wanted)
        }
        State::StepBegin | State::StepEnd | State::Pause => reset_run(draft, wanted),
        State::Stopped => draft.enter_reset_at_rest(wanted),
        State::Stop if draft.machine.exit.is_none() && draft.machine.reset_after_stop.is_none() => {
            draft.machine.reset_after_stop = Some(wanted);
        }
        State::StepSimulator | State::StepController => return AFTER_STEP,
        State::Loading | State::Connect => return while_loading(cause),
        State::Resume
        | State::Success
        | State::Fail
        | State::Stop
        | State::Reset
        | State::Abort
        | State::Disconnect
        | State::Probe => return LATER,
        State::Quitting => return QUITTING,
    }
    Ok(())
}

/// A reset before all plugins have started is deferred and runs once, before `all_started`.
fn keep_reset(draft: &mut Draft, wanted: ResetRequest) {
    let kept = draft.machine.pending_reset.map_or(wanted.scope, |scope| scope | wanted.scope);
    draft.machine.pending_reset = Some(kept);
    match wanted.then {
        AfterReset::Play => draft.machine.begin = Begin::Playing,
        AfterReset::Paused => draft.machine.begin = Begin::Paused,
        AfterReset::Keep | AfterReset::Stopped => {}
    }
}

/// Resets with plugins running, then continues.
fn reset_run(draft: &mut Draft, wanted: ResetRequest) {
    let is_paused = draft.machine.state == State::Pause || draft.machine.steps_left.is_some();
    draft.machine.begin = match wanted.then {
        AfterReset::Paused => Begin::Paused,
        AfterReset::Keep if is_paused => Begin::Paused,
        AfterReset::Keep | AfterReset::Stopped | AfterReset::Play => Begin::Playing,
    };
    draft.enter_reset(wanted.scope, State::Start);
}

/// Stops the run first, then resets.
fn reset_after_stop(draft: &mut Draft, wanted: ResetRequest) {
    draft.machine.reset_after_stop = Some(wanted);
    draft.enter_stop(None, Manner::Orderly);
}

/// Success and failure, which need a run. A run that continues after a reset has begun already.
fn conclude(draft: &mut Draft, cause: &Cause, enter: impl FnOnce(&mut Draft)) -> Answer {
    match draft.machine.state {
        State::Start if draft.machine.plugins == Plugins::Running => {
            enter(draft);
            Ok(())
        }
        State::StepBegin | State::StepEnd | State::Pause => {
            enter(draft);
            Ok(())
        }
        State::StepSimulator | State::StepController => AFTER_STEP,
        State::Loading | State::Connect => while_loading(cause),
        State::Start | State::Resume | State::Reset => LATER,
        State::Success | State::Fail | State::Stop | State::Abort | State::Disconnect => {
            Err(Denied(RefusalKind::OperationFailed, "the run is already ending"))
        }
        State::NoWorld | State::Stopped | State::Probe => NO_RUN,
        State::Quitting => QUITTING,
    }
}

fn stop(draft: &mut Draft, cause: &Cause) -> Answer {
    let exit = draft.machine.exit_after_stop();
    match draft.machine.state {
        State::Start if draft.machine.plugins == Plugins::Running => draft.enter_stop(exit, Manner::Orderly),
        State::StepBegin | State::StepEnd | State::Pause => draft.enter_stop(exit, Manner::Orderly),
        State::Stopped if exit.is_none() => {
            return Err(Denied(RefusalKind::AlreadyInTarget, "the simulation is stopped"));
        }
        State::Stopped => {
            draft.machine.exit = exit;
            draft.enter_disconnect();
        }
        State::StepSimulator | State::StepController => return AFTER_STEP,
        State::Stop if draft.machine.exit.is_none() && exit.is_some() => return LATER,
        State::Loading | State::Connect => return while_loading(cause),
        State::Start | State::Resume | State::Reset => return LATER,
        State::Success | State::Fail | State::Stop | State::Abort | State::Disconnect | State::Probe => {
            return Err(Denied(RefusalKind::AlreadyInTarget, "the run is already ending"));
        }
        State::NoWorld => return NO_RUN,
        State::Quitting => return QUITTING,
    }
    Ok(())
}

fn halt(draft: &mut Draft) -> Answer {
    match draft.machine.state {
        State::StepBegin | State::StepEnd | State::Pause => {
            reset_after_stop(draft, ResetRequest { scope: ResetScope::ALL, then: AfterReset::Stopped });
            Ok(())
        }
        State::Stopped => Err(Denied(RefusalKind::AlreadyInTarget, "the simulation is stopped")),
        State::StepSimulator | State::StepController => AFTER_STEP,
        State::Start
        | State::Resume
        | State::Success
        | State::Fail
        | State::Stop
        | State::Reset
        | State::Abort
        | State::Disconnect => LATER,
        State::NoWorld => NO_WORLD,
        State::Loading | State::Connect | State::Probe => LOADING,
        State::Quitting => QUITTING,
    }
}

fn quit(draft: &mut Draft, cause: &Cause) -> Answer {
    match draft.machine.state {
        State::NoWorld => draft.enter_quitting(),
        State::Start if draft.machine.plugins == Plugins::Running => {
            draft.enter_stop(Some(Exit::Quit), Manner::Orderly);
        }
        // Nothing failed: the run is only stopped before it began.
        State::Loading | State::Connect | State::Start => {
            draft.decide(Outcome::Stopped, cause);
            draft.enter_abort(cause, Exit::Quit);
        }
        State::StepBegin | State::StepEnd | State::Pause => {
            draft.enter_stop(Some(Exit::Quit), Manner::Orderly)
        }
        State::Stopped => {
            draft.machine.exit = Some(Exit::Quit);
            draft.enter_disconnect();
        }
        State::StepSimulator | State::StepController => return AFTER_STEP,
        State::Resume
        | State::Success
        | State::Fail
        | State::Stop
        | State::Reset
        | State::Abort
        | State::Disconnect
        | State::Probe => return LATER,
        State::Quitting => return Err(Denied(RefusalKind::AlreadyInTarget, "the host is quitting")),
    }
    Ok(())
}

fn unload(draft: &mut Draft) -> Answer {
    if draft.machine.state == State::NoWorld {
        return Err(Denied(RefusalKind::AlreadyInTarget, "no world is loaded"));
    }
    replace_world(draft, Exit::NoWorld)
}

/// Leaves the current world, if there is one, for another one or for none.
fn replace_world(draft: &mut Draft, exit: Exit) -> Answer {
    match draft.machine.state {
        State::NoWorld => {
            if let Exit::Load(world) = exit {
                draft.enter_loading(&world);
            }
        }
        State::StepBegin | State::StepEnd | State::Pause => draft.enter_stop(Some(exit), Manner::Orderly),
        State::Stopped => {
            draft.machine.exit = Some(exit);
            draft.enter_disconnect();
        }
        State::StepSimulator | State::StepController => return AFTER_STEP,
        State::Loading | State::Connect => return LOADING,
        State::Start
        | State::Resume
        | State::Success
        | State::Fail
        | State::Stop
        | State::Reset
        | State::Abort
        | State::Disconnect
        | State::Probe => return LATER,
        State::Quitting => return QUITTING,
    }
    Ok(())
}

fn pause(draft: &mut Draft) -> Answer {
    match draft.machine.state {
        State::StepBegin | State::StepEnd => draft.enter_pause(),
        State::Start => draft.machine.begin = Begin::Paused,
        State::Stopped if draft.machine.settings.pause_from_stopped => draft.enter_start(Begin::Paused),
        State::Stopped => {
            return Err(Denied(RefusalKind::IncorrectTransition, "the simulation is stopped; play it first"));
        }
        State::Pause => return Err(Denied(RefusalKind::AlreadyInTarget, "the simulation is paused")),
        State::StepSimulator | State::StepController => return AFTER_STEP,
        State::Resume
        | State::Success
        | State::Fail
        | State::Stop
        | State::Reset
        | State::Abort
        | State::Disconnect => return LATER,
        State::NoWorld => return NO_WORLD,
        State::Loading | State::Connect | State::Probe => return LOADING,
        State::Quitting => return QUITTING,
    }
    Ok(())
}

fn resume(draft: &mut Draft) -> Answer {
    if draft.machine.state == State::Stopped {
        return Err(Denied(
            RefusalKind::IncorrectTransition,
            "the simulation is stopped, not paused; play it",
        ));
    }
    play(draft)
}

fn play(draft: &mut Draft) -> Answer {
    match draft.machine.state {
        State::Stopped => draft.enter_start(Begin::Playing),
        State::Pause => draft.enter_resume(None),
        State::Start if draft.machine.begin == Begin::Paused => draft.machine.begin = Begin::Playing,
        State::StepBegin | State::StepSimulator | State::StepController | State::StepEnd
            if draft.machine.steps_left.is_some() =>
        {
            draft.machine.steps_left = None;
        }
        State::Start | State::StepBegin | State::StepSimulator | State::StepController | State::StepEnd => {
            return Err(Denied(RefusalKind::AlreadyInTarget, "the simulation is playing"));
        }
        State::Resume
        | State::Success
        | State::Fail
        | State::Stop
        | State::Reset
        | State::Abort
        | State::Disconnect => return LATER,
        State::NoWorld => return NO_WORLD,
        State::Loading | State::Connect | State::Probe => return LOADING,
        State::Quitting => return QUITTING,
    }
    Ok(())
}

fn step(draft: &mut Draft, steps: u64) -> Answer {
    let is_stepping = draft.machine.steps_left.is_some();
    let will_pause = draft.machine.begin == Begin::Paused;
    match draft.machine.state {
        State::Pause if steps > 0 => draft.enter_resume(Some(steps)),
        State::Pause => {}
        State::StepBegin | State::StepSimulator | State::StepController | State::StepEnd if is_stepping => {
            return Err(Denied(RefusalKind::Later, "the steps requested earlier are completed first"));
        }
        State::Start | State::Reset if will_pause => return LATER,
        State::Resume => return LATER,
        State::NoWorld
        | State::Loading
        | State::Connect
        | State::Start
        | State::StepBegin
        | State::StepSimulator
        | State::StepController
        | State::StepEnd
        | State::Success
        | State::Fail
        | State::Stop
        | State::Stopped
        | State::Reset
        | State::Abort
        | State::Disconnect
        | State::Quitting
        | State::Probe => {
            return Err(Denied(
                RefusalKind::OperationFailed,
                "steps need a paused simulation; pause it first",
            ));
        }
    }
    Ok(())
}
