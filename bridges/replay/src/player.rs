//! Plays a recording: delivers ahead of the simulation, and lets it run only as far as everything is
//! delivered.
//!
//! The simulation is held ([`bridgehead_plugin_api::host::Lockstep`]) before the first step, and released
//! step by step as the recording is read, so that no message is late however fast either side is. What is
//! delivered ahead is bounded in steps and bytes. Runs on `[rx]`.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::StepMark;

use crate::connection::Topics;
use crate::recording::{Entry, Recording};
use crate::subscribers::Subscribers;

#[cfg(test)]
mod tests;

/// Messages are delivered at most so many steps before they are due: enough that the simulation need not wait
/// for the next look at its clock.
pub(crate) const AHEAD_STEPS: u64 = 1000;
/// And at most so many bytes, a single step excepted.
pub(crate) const AHEAD_BYTES: usize = 16 << 20;
/// Time between two looks at the clock of a simulation that is far enough behind.
const PATIENCE: Duration = Duration::from_millis(1);

/// The simulation as the player sees it.
pub(crate) trait Simulation {
    /// The step in progress or last completed.
    fn now(&self) -> StepMark;
    /// Lets steps up to and including `step` run.
    fn release_through(&self, step: u64);
    /// Waits; false once the loop should end.
    fn wait(&self, time: Duration) -> bool;
}

/// How a replay ended, and with what.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Messages that subscribers got.
    pub(crate) delivered: u64,
    /// Messages whose step had passed when they were read.
    pub(crate) late: u64,
    /// Recorded topics that nobody hears.
    pub(crate) unheard: BTreeSet<String>,
    pub(crate) ending: Ending,
}

/// Why a replay ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The recording is over.
    #[default]
    Complete,
    /// The host ended the loop.
    Interrupted,
    /// The recording goes on after a reset; a reset is not replayed.
    RecordedReset,
    /// The run was reset.
    Reset,
}

/// Plays a recording into its subscribers.
///
/// # Errors
/// Where the recording cannot be read, or a message is not of its subscribers' type, with the place.
pub(crate) fn play(
    recording: &mut dyn Recording,
    topics: &Topics,
    subscribers: &Subscribers,
    simulation: &impl Simulation,
) -> Result<Summary> {
    let mut player = Player { simulation, start: simulation.now(), last: None, ahead: Ahead::default() };
    let mut summary = Summary::default();
    while let Some(entry) = recording.next()? {
        if let Some(ending) = player.approach(&entry)? {
            summary.ending = ending;
            break;
        }
        if !topics.contains(entry.topic) {
            continue;
        }
        if player.has_passed(entry.mark.step) {
            summary.late += 1;
            continue;
        }
        match subscribers.deliver(&entry)? {
            Some(bytes) => {
                summary.delivered += 1;
                player.ahead.add(entry.mark.step, bytes);
            }
            None if summary.unheard.contains(entry.topic) => {}
            None => _ = summary.unheard.insert(entry.topic.to_owned()),
        }
    }
    Ok(summary)
}

struct Player<'a, S> {
    simulation: &'a S,
    start: StepMark,
    /// Where in the recording the last message was.
    last: Option<StepMark>,
    ahead: Ahead,
}

impl<S: Simulation> Player<'_, S> {
    /// Whether a step is over. The one in which playing began is, but for the zeroth, which is before the first: a run
    /// that goes on from a snapshot begins behind a step that had its messages.
    fn has_passed(&self, step: u64) -> bool {
        step < self.simulation.now().step || (step == self.start.step && step > 0)
    }

    /// Before a message: lets the simulation run up to its step, and waits until it is near enough.
    fn approach(&mut self, entry: &Entry<'_>) -> Result<Option<Ending>> {
        let (mark, last) = (entry.mark, self.last.unwrap_or(StepMark { step: 0, ..entry.mark }));
        if mark.epoch != last.epoch {
            return Ok(Some(Ending::RecordedReset));
        }
        if mark.step < last.step {
            return Err(entry.place.refuse(format_args!(
                "step {} comes after step {}; a recording is in the order of its steps",
                mark.step, last.step
            )));
        }
        self.last = Some(mark);
        if mark.step == last.step {
            return Ok(None);
        }
        self.simulation.release_through(mark.step - 1);
        Ok(self.wait_for(mark.step))
    }

    /// Waits until the simulation is near `step`. It can always come near: everything before is released.
    fn wait_for(&mut self, step: u64) -> Option<Ending> {
        loop {
            let now = self.simulation.now();
            if now.epoch != self.start.epoch {
                return Some(Ending::Reset);
            }
            if step <= now.step.saturating_add(AHEAD_STEPS) && self.ahead.bytes_after(now.step) <= AHEAD_BYTES
            {
                return None;
            }
            if !self.simulation.wait(PATIENCE) {
                return Some(Ending::Interrupted);
            }
        }
    }
}

/// What has been delivered and is not due yet.
#[derive(Default)]
struct Ahead {
    steps: VecDeque<(u64, usize)>,
    bytes: usize,
}

impl Ahead {
    fn add(&mut self, step: u64, bytes: usize) {
        self.bytes += bytes;
        match self.steps.back_mut() {
            Some((last, sum)) if *last == step => *sum += bytes,
            _ => self.steps.push_back((step, bytes)),
        }
    }

    fn bytes_after(&mut self, now: u64) -> usize {
        while let Some((step, bytes)) = self.steps.front()
            && *step <= now
        {
            self.bytes -= bytes;
            self.steps.pop_front();
        }
        self.bytes
    }
}
