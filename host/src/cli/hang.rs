//! Ends a run that cannot end by itself: a call or a state that lasts too long, a second signal, an `exit`.
//!
//! A thread that hangs cannot be ended, so the process ends. The result contains what is known of the run by then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_lifecycle::{Cause, Interrupt, Outcome, Request, State};

use super::error::CliError;
use super::targets::Targets;
use crate::api::Shared;
use crate::config::RunConfig;
use crate::report::RunResult;
use crate::watchdog::{Hang, Late, Mode, Watch, Watchdog};
use crate::{crash, thread};

/// Time that a run may take to leave a state after it was aborted.
const GRACE: Duration = Duration::from_secs(5);

/// Time for which the simulation thread may not respond after a signal: in a step or in a call of a plugin, and otherwise,
/// for example while a world is loaded.
const STEP_GRACE: Duration = Duration::from_millis(1500);
const SIGNAL_GRACE: Duration = Duration::from_secs(8);
/// Interval of looking at it.
const LOOK: Duration = Duration::from_millis(100);

/// Writes the result of a run that cannot end.
#[derive(Clone)]
pub(super) struct FallbackResult {
    targets: Targets,
    world: String,
    seed: u64,
    shared: Arc<Shared>,
}

impl FallbackResult {
    pub(super) fn new(config: &RunConfig, shared: &Arc<Shared>) -> Self {
        let world = config.world.as_ref().map(|path| path.display().to_string());
        FallbackResult {
            targets: Targets::of(config),
            world: world.unwrap_or_default(),
            seed: config.seed,
            shared: Arc::clone(shared),
        }
    }

    /// Writes the result of a run that was aborted because of `cause` and ends with this exit code.
    pub(super) fn write(&self, cause: String, exit_code: u8) {
        let (now, _) = self.shared.clock.read();
        let result = RunResult::aborted(self.world.clone(), self.seed, now, cause);
        if let Err(error) = self.targets.write(&RunResult { exit_code, ..result }) {
            log::error!("{error}");
        }
    }
}

/// Ends the process when a plugin call does not return.
pub(super) fn watch_calls(limit: Duration, last: FallbackResult) -> Result<Watch, CliError> {
    let shared = Arc::clone(&last.shared);
    let on_hang = move |hang: &Hang| {
        let (now, _) = last.shared.clock.read();
        leave(&last, &described_hang(hang, now.step));
    };
    shared
        .watchdog
        .watch(limit, on_hang)
        .map_err(|source| CliError::System { what: "calls into plugins cannot be watched", source })
}

/// Describes a call that does not return.
pub(super) fn described_hang(hang: &Hang, step: u64) -> String {
    let (owner, call, seconds) = (&hang.owner, hang.call, hang.running.as_secs_f64());
    if matches!(call, "constructor" | "init") {
        return format!(
            "[BH-PLG-081] `{owner}` has not finished loading after {seconds:.1} s (`{call}`); the run is aborted"
        );
    }
    format!(
        "[BH-PLG-113] `{call}` of `{owner}` has not returned for {seconds:.1} s, in step {step}; the run is aborted"
    )
}

/// Watches how long states last, if the configuration requests it.
pub(super) fn watch_states(config: &RunConfig, last: FallbackResult) -> Result<Option<Watch>, CliError> {
    let watched = config.watchdog.clone();
    if watched.mode == Mode::Off {
        return Ok(None);
    }
    let (shared, mode) = (Arc::clone(&last.shared), watched.mode);
    let mut reaction = Reaction::default();
    let on_late = move |late: &Late| match reaction.to(mode, late) {
        Some(Action::Log) => log::error!("[BH-SIM-240] {}", described(late)),
        Some(Action::Abort) => {
            let text = described(late);
            log::error!("[BH-SIM-240] {text}; the run is aborted");
            last.shared.requests.push(Request::new(Interrupt::Abort, Cause::Host(text)));
            last.shared.requests.set_urgent();
        }
        Some(Action::Exit) => leave(&last, &format!("[BH-SIM-241] {}; the process ends", described(late))),
        Some(Action::Kill) => {
            log::error!("[BH-SIM-240] {}; the process is killed", described(late));
            crash::kill();
        }
        None => {}
    };
    let watch = shared.watchdog.watch_states(move |state| watched.limit(state), on_late);
    watch.map(Some).map_err(|source| CliError::System { what: "states cannot be watched", source })
}

/// Ends the process if the simulation thread does not respond after a signal, for example because a step does not
/// return. While plugins stop and bridges disconnect, other limits apply: recordings may need their time.
pub(super) fn end_if_silent(signal: &'static str, last: FallbackResult) -> std::io::Result<()> {
    let since = crate::clock::now();
    let look = move || {
        loop {
            std::thread::sleep(LOOK);
            let watchdog = &last.shared.watchdog;
            let Some(silence) = silence_after(watchdog, since, crate::clock::now()) else { continue };
            let state = watchdog.state().map_or("the start of the host", State::name);
            let (now, _) = last.shared.clock.read();
            let call = watchdog.running_call().map(|call| format!(", in {call}")).unwrap_or_default();
            let cause = format!(
                "[BH-SIM-243] after {signal}, the simulation thread has not responded for {:.1} s, after step {}, in \
                 `{state}`{call}; the process ends",
                silence.as_secs_f64(),
                now.step
            );
            leave(&last, &cause);
        }
    };
    // The thread looks until the process ends; it is not joined.
    thread::spawn("signals:deadline", look).map(drop)
}

/// Returns for how long the simulation thread has not responded, if that is too long after a signal at `since`.
fn silence_after(watchdog: &Watchdog, since: Instant, now: Instant) -> Option<Duration> {
    let state = watchdog.state();
    let is_ending = matches!(state, Some(State::Stop | State::Disconnect | State::Quitting));
    let is_step = matches!(
        state,
        Some(State::StepBegin | State::StepSimulator | State::StepController | State::StepEnd)
    );
    let grace = if is_step || watchdog.running_call().is_some() { STEP_GRACE } else { SIGNAL_GRACE };
    let silence = watchdog.silence(now);
    let is_over = silence.min(now.saturating_duration_since(since)) >= grace;
    (is_over && !is_ending).then_some(silence)
}

/// Ends the process as an aborted run. The result is written first, because the log may wait for a reader.
pub(super) fn leave(last: &FallbackResult, cause: &str) -> ! {
    let exit_code = Outcome::Aborted.exit_code(false);
    last.write(cause.to_owned(), exit_code);
    log::error!("{cause}");
    crash::leave(exit_code)
}

/// `the state Connect has lasted 300.0 s, its limit is 300s; it waits for the connection of car1/zmq`
fn described(late: &Late) -> String {
    let (state, lasted, limit) = (late.state, late.lasted.as_secs_f64(), late.limit);
    let waits = if late.waits.is_empty() { "unknown".to_owned() } else { late.waits.join(", ") };
    format!("the state {state} has lasted {lasted:.1} s, its limit is {limit:?}; it waits for {waits}")
}

/// The reaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Log,
    Abort,
    Exit,
    Kill,
}

/// Keeps the reactions to the current state.
#[derive(Debug, Default)]
struct Reaction {
    /// Time of the next reaction, counted from the beginning of the state.
    due: Duration,
    last: Duration,
    is_aborting: bool,
}

impl Reaction {
    fn to(&mut self, mode: Mode, late: &Late) -> Option<Action> {
        if late.lasted < self.last {
            *self = Reaction::default();
        }
        self.last = late.lasted;
        if late.lasted < self.due {
            return None;
        }
        match mode {
            Mode::Off => None,
            Mode::Kill => Some(Action::Kill),
            Mode::Log => {
                self.due = late.lasted + late.limit;
                Some(Action::Log)
            }
            Mode::Abort if self.is_aborting => Some(Action::Exit),
            Mode::Abort => {
                self.is_aborting = true;
                self.due = late.lasted + GRACE;
                Some(Action::Abort)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_lifecycle::State;

    fn late(seconds: u64) -> Late {
        let (lasted, limit) = (Duration::from_secs(seconds), Duration::from_secs(10));
        Late { state: State::Stop, lasted, limit, waits: vec![String::from("`stop` of `car1/imu`")] }
    }

    fn actions(mode: Mode, seconds: &[u64]) -> Vec<Option<Action>> {
        let mut reaction = Reaction::default();
        seconds.iter().map(|seconds| reaction.to(mode, &late(*seconds))).collect()
    }

    #[test]
    fn each_mode_does_its_own() {
        let say = Some(Action::Log);
        assert_eq!(actions(Mode::Log, &[10, 11, 19, 20, 29, 30, 10]), [say, None, None, say, None, say, say]);
        let (abort, leave) = (Some(Action::Abort), Some(Action::Exit));
        assert_eq!(actions(Mode::Abort, &[10, 11, 14, 15]), [abort, None, None, leave]);
        assert_eq!(actions(Mode::Abort, &[10, 12, 11]), [abort, None, abort], "another state begins anew");
        assert_eq!(actions(Mode::Kill, &[10]), [Some(Action::Kill)]);
        assert_eq!(actions(Mode::Off, &[10]), [None]);
    }

    #[test]
    fn a_silent_thread_is_waited_for_after_a_signal_and_longer_while_the_run_ends() {
        let (watchdog, start) = (Watchdog::default(), crate::clock::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        watchdog.enter(State::Loading);
        watchdog.beat(start);
        assert_eq!(silence_after(&watchdog, at(100), at(105)), None, "the signal came late");
        assert_eq!(silence_after(&watchdog, at(100), at(108)), Some(Duration::from_secs(108)));
        watchdog.beat(at(107));
        assert_eq!(silence_after(&watchdog, at(100), at(114)), None);
        watchdog.enter(State::StepSimulator);
        assert_eq!(silence_after(&watchdog, at(113), at(114)), None);
        assert_eq!(silence_after(&watchdog, at(112), at(114)), Some(Duration::from_secs(7)), "in a step");
        watchdog.enter(State::Stop);
        assert_eq!(silence_after(&watchdog, at(100), at(200)), None);
    }

    #[test]
    fn the_state_and_what_it_waits_for_are_named() {
        let text = "the state Stop has lasted 12.0 s, its limit is 10s; it waits for `stop` of `car1/imu`";
        assert_eq!(described(&late(12)), text);
    }
}
