//! Plays a recording: delivers messages ahead of the simulation, which runs only as far as everything is delivered.
//!
//! The simulation is held ([`bridgehead_plugin_api::host::Lockstep`]) before the first step and released step by step
//! as the recording is read, so that no message is late at any speed. Delivery ahead is limited in steps and bytes.
//! Runs on `[rx]`.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::messages::StepMark;

use crate::connection::Topics;
use crate::recording::{Entry, Recording};
use crate::subscribers::Subscribers;

#[cfg(test)]
mod tests;

/// Largest number of steps by which messages are delivered ahead: enough that the simulation does not wait for the
/// next poll of its clock.
pub(crate) const AHEAD_STEPS: u64 = 1000;
/// Largest number of bytes delivered ahead, or a single larger step.
pub(crate) const AHEAD_BYTES: usize = 16 << 20;
/// Interval between two polls of the clock while the simulation is far enough behind.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// The simulation as the player sees it.
pub(crate) trait Simulation {
    /// Returns the step in progress or last completed.
    fn now(&self) -> StepMark;
    /// Lets steps up to and including `step` run.
    fn release_through(&self, step: u64);
    /// Waits. Returns false once the loop should end.
    fn wait(&self, time: Duration) -> bool;
}

/// Result of a replay.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Summary {
    /// Messages that subscribers received.
    pub(crate) delivered: u64,
    /// Messages whose step had passed when they were read.
    pub(crate) late: u64,
    /// Recorded topics without a subscriber.
    pub(crate) without_subscriber: BTreeSet<String>,
    pub(crate) ending: Ending,
}

/// Why a replay ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The recording has ended.
    #[default]
    Complete,
    /// The host ended the loop.
    Interrupted,
    /// The recording continues after a reset, which is not replayed.
    RecordedReset,
    /// The run was reset.
    Reset,
}

/// Plays a recording to its subscribers.
///
/// # Errors
/// Returns an error with the position if the recording cannot be read or a message is not of its subscribers' type.
pub(crate) fn play(
    recording: &mut dyn Recording,
    topics: &Topics,
    subscribers: &Subscribers,
    simulation: &impl Simulation,
) -> Result<Summary> {
    let mut player = Player { simulation, start: simulation.now(), last: None, ahead: Ahead::default() };
    let mut summary = Summary::default();
    while let Some(entry) = recording.next()? {
        if let Some(ending) = player.advance_to(&entry)? {
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
            None if summary.without_subscriber.contains(entry.topic) => {}
            None => _ = summary.without_subscriber.insert(entry.topic.to_owned()),
        }
    }
    Ok(summary)
}

struct Player<'a, S> {
    simulation: &'a S,
    start: StepMark,
    /// Mark of the last message that was read.
    last: Option<StepMark>,
    ahead: Ahead,
}

impl<S: Simulation> Player<'_, S> {
    /// Returns true if a step is over. The step in which playing began is over, except step 0, which is before the
    /// first: a run that continues from a snapshot begins after a step that had its messages.
    fn has_passed(&self, step: u64) -> bool {
        step < self.simulation.now().step || (step == self.start.step && step > 0)
    }

    /// Prepares the delivery of a message: lets the simulation run up to its step and waits until it is near enough.
    fn advance_to(&mut self, entry: &Entry<'_>) -> Result<Option<Ending>> {
        let (mark, last) = (entry.mark, self.last.unwrap_or(StepMark { step: 0, ..entry.mark }));
        if mark.epoch != last.epoch {
            return Ok(Some(Ending::RecordedReset));
        }
        if mark.step < last.step {
            return Err(entry.position.error(format_args!(
                "step {} comes after step {}; a recording must be in the order of its steps",
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

    /// Waits until the simulation is near `step`. It always gets there, since all steps before are released.
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
            if !self.simulation.wait(POLL_INTERVAL) {
                return Some(Ending::Interrupted);
            }
        }
    }
}

/// Bytes that are delivered and not due yet.
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
