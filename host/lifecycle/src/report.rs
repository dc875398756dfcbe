//! What follows when the loop reports the work of a state as done or failed. A report about work that the
//! state did not start is stale and changes nothing. Called by `transition` only.

use super::draft::Draft;
use super::effect::Manner;
use super::event::{Cause, LoadFailure, Report};
use super::machine::Exit;
use super::outcome::Outcome;
use super::refusal::RefusalKind;
use super::request::Denied;
use super::state::State;

/// Follows one report.
pub(super) fn follow(draft: &mut Draft, report: &Report) -> Result<(), Denied> {
    match report {
        Report::WorldLoaded => ordered_by(State::Loading, draft, Draft::enter_connect),
        Report::LoadFailed(failure) => ordered_by(State::Loading, draft, |draft| load_failed(draft, failure)),
        Report::BridgesConnected => ordered_by(State::Connect, draft, bridges_connected),
        Report::ConnectFailed(cause) => ordered_by(State::Connect, draft, |draft| give_up(draft, cause)),
        Report::AllStarted => ordered_by(State::Start, draft, Draft::leave_start),
        Report::StartFailed(cause) => ordered_by(State::Start, draft, |draft| give_up(draft, cause)),
        Report::PhaseDone => phase_done(draft),
        Report::PluginsStopped => ordered_by(State::Stop, draft, Draft::leave_stop),
        Report::ResetDone => ordered_by(State::Reset, draft, Draft::leave_reset),
        Report::ResetFailed(cause) => ordered_by(State::Reset, draft, |draft| give_up(draft, cause)),
        Report::Disconnected => ordered_by(State::Disconnect, draft, Draft::leave_world),
    }
}

/// Follows a report that belongs to one state only.
fn ordered_by(orderer: State, draft: &mut Draft, follow: impl FnOnce(&mut Draft)) -> Result<(), Denied> {
    if draft.machine.state != orderer {
        return Err(STALE);
    }
    follow(draft);
    Ok(())
}

const STALE: Denied = Denied(RefusalKind::Stale, "this state did not start the reported work");

fn load_failed(draft: &mut Draft, failure: &LoadFailure) {
    let outcome = if failure.is_configuration { Outcome::ConfigurationError } else { Outcome::NotStarted };
    draft.decide(outcome, &failure.cause);
    let quits = failure.is_first && draft.machine.exit_after(&failure.cause) == Exit::Quit;
    draft.machine.exit = Some(if quits { Exit::Quit } else { Exit::NoWorld });
    draft.leave_world();
}

fn bridges_connected(draft: &mut Draft) {
    if draft.machine.settings.probe {
        draft.enter_probe(&Cause::CommandLine);
    } else {
        draft.begin_as_loaded();
    }
}

fn give_up(draft: &mut Draft, cause: &Cause) {
    let exit = draft.machine.exit_after(cause);
    draft.enter_abort(cause, exit);
}

fn phase_done(draft: &mut Draft) -> Result<(), Denied> {
    match draft.machine.state {
        State::StepBegin => draft.enter_step_simulator(),
        State::StepSimulator => draft.enter_step_controller(),
        State::StepController => draft.enter_step_end(),
        State::StepEnd => draft.leave_step_end(),
        State::Resume => draft.enter_step_begin(),
        State::Success | State::Fail => draft.enter_stop(draft.machine.exit_after_stop(), Manner::Orderly),
        State::Abort => draft.enter_stop(draft.machine.exit.clone(), Manner::BestEffort),
        State::Probe => draft.enter_disconnect(),
        State::NoWorld
        | State::Loading
        | State::Connect
        | State::Start
        | State::Pause
        | State::Stop
        | State::Stopped
        | State::Reset
        | State::Disconnect
        | State::Quitting => return Err(STALE),
    }
    Ok(())
}
