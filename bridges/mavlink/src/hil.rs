//! The loop with an autopilot: the end of a step, a sample to the autopilot, its answer, the release of steps.

use std::time::{Duration, Instant};

use bridgehead_autopilot::commands::Sinks;
use bridgehead_plugin_api::bridge::{Bridge, Tx, Wait};
use bridgehead_plugin_api::host::{Stepping, Tick};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::{BYTES, GONE, RATE, SECOND, SKIPPED};
use crate::connection::Connection;
use crate::controls::{positions, rotor_speeds};
use crate::message::{HilActuatorControls, Message};
use crate::peer::Peer;
use crate::sample;
use crate::server::{News, Server};
use bridgehead_autopilot::clock::{Clock, steps_of_sample};
use bridgehead_autopilot::vehicle::{Chosen, Source, Vehicle};

/// How long one wait takes, so that the loop notices the end of the connection and a reset.
const SLICE: Duration = Duration::from_millis(20);

/// The exchange of one connection.
pub(crate) struct Exchange<'a> {
    stepping: Stepping,
    connection: Connection,
    server: Server,
    sinks: &'a Sinks,
    chosen: Chosen,
    vehicle: Vehicle,
    clock: Clock,
    peer: Peer,
    /// The epoch of the exchange; `None` before the first one.
    epoch: Option<u32>,
    /// The last answer of this epoch.
    controls: Option<HilActuatorControls>,
    reports: Reports,
}

/// What the wait for an answer has come to.
enum Waited {
    /// The step runs.
    Answered,
    /// The autopilot is gone; the next one gets the sample.
    Gone,
    /// There was a reset, steps ran without the autopilot, or the connection ends.
    Over,
}

impl<'a> Exchange<'a> {
    pub(crate) fn new(
        stepping: Stepping,
        connection: Connection,
        server: Server,
        sinks: &'a Sinks,
        chosen: Chosen,
    ) -> Self {
        Exchange {
            stepping,
            connection,
            server,
            sinks,
            chosen,
            vehicle: Vehicle::default(),
            clock: Clock::default(),
            peer: Peer::default(),
            epoch: None,
            controls: None,
            reports: Reports::default(),
        }
    }

    /// Exchanges samples and answers until the connection ends.
    ///
    /// # Errors
    /// Returns an error if the steps do not fit to the rate, or a command cannot be delivered.
    pub(crate) fn run(&mut self, tx: &mut Tx<'_, impl Bridge<Publisher = Source>>) -> Result {
        while !tx.is_interrupted() {
            let Ok(found) = self.stepping.wait(SLICE) else { break };
            let Some(tick) = found else {
                // Also while nothing steps, the end of the autopilot is noticed.
                self.look(Duration::ZERO);
                continue;
            };
            let rate = self.connection.rate;
            let steps = steps_of_sample(rate, tick.width_ns).ok_or_else(|| no_sample(rate, tick.width_ns))?;
            if self.epoch != Some(tick.epoch) {
                self.begin(tx, tick, steps);
            } else {
                self.step(tx, tick, steps)?;
            }
        }
        Ok(())
    }

    /// Begins the exchange of an epoch: nothing was measured yet that the autopilot could get. The first steps run without
    /// its commands as soon as it is there.
    fn begin(&mut self, tx: &mut Tx<'_, impl Bridge<Publisher = Source>>, tick: Tick, steps: u64) {
        if !self.await_autopilot(tx, tick) {
            return;
        }
        self.take_measurements(tx);
        (self.vehicle, self.controls) = (Vehicle::default(), None);
        self.clock.restart();
        self.epoch = Some(tick.epoch);
        self.release(tick, steps);
    }

    fn step(&mut self, tx: &mut Tx<'_, impl Bridge<Publisher = Source>>, tick: Tick, steps: u64) -> Result {
        self.take_measurements(tx);
        let time_us = self.clock.at(tick.time_ns);
        let gps = sample::gps(&mut self.vehicle, time_us);
        let sensor = sample::sensor(&mut self.vehicle, time_us);
        loop {
            if !self.await_autopilot(tx, tick) {
                return Ok(());
            }
            let mut messages = Vec::new();
            if !self.peer.is_first() {
                messages.extend(gps.clone().map(Message::from));
                let truth = self.peer.is_truth_due(time_us).then(|| sample::truth(&self.vehicle, time_us));
                messages.extend(truth.flatten().map(Message::from));
            }
            messages.push(sensor.clone().into());
            self.server.send(&messages);
            self.peer.sent(time_us);
            match self.await_answer(tx, tick, steps) {
                Waited::Answered => break,
                Waited::Gone => {}
                Waited::Over => return Ok(()),
            }
        }
        self.deliver(tick)?;
        self.release(tick, steps);
        Ok(())
    }

    /// Delivers the commands of the last answer.
    fn deliver(&self, tick: Tick) -> Result {
        let Some(controls) = &self.controls else { return Ok(()) };
        let Connection { rotors, speeds, servos, .. } = &self.connection;
        let speeds = rotor_speeds(controls, *rotors, *speeds);
        self.sinks.deliver(tick, speeds, &positions(servos, controls))
    }

    /// Releases the steps until the next sample. After a reset nothing is released, and the next tick begins a new epoch.
    fn release(&self, tick: Tick, steps: u64) {
        let _ = self.stepping.release(tick, steps);
    }

    /// Returns true if the wait of a step has no use any more.
    fn is_over(&self, tx: &Tx<'_, impl Bridge<Publisher = Source>>, tick: Tick) -> bool {
        tx.is_interrupted() || self.stepping.wait(Duration::ZERO).ok().flatten() != Some(tick)
    }

    /// Waits until an autopilot is connected that reads what it gets. Returns false if the wait is over.
    fn await_autopilot(&mut self, tx: &Tx<'_, impl Bridge<Publisher = Source>>, tick: Tick) -> bool {
        while !self.server.is_connected() || self.server.is_full() {
            self.look(SLICE);
            if self.is_over(tx, tick) {
                return false;
            }
        }
        true
    }

    /// Waits for the answer to the last sample; before the first answer, for as long as the sample lasts.
    fn await_answer(
        &mut self,
        tx: &Tx<'_, impl Bridge<Publisher = Source>>,
        tick: Tick,
        steps: u64,
    ) -> Waited {
        let began = now();
        let pace = Duration::from_nanos(u64::try_from(tick.width_ns).unwrap_or(0).saturating_mul(steps));
        loop {
            let is_booting = self.connection.is_booting && !self.peer.has_answered();
            let waited = began.elapsed();
            let limit = if is_booting { Some(pace) } else { self.connection.skip };
            let rest = limit.map_or(SLICE, |limit| limit.saturating_sub(waited).min(SLICE));
            if let Some(answer) = self.look(rest) {
                self.controls = Some(answer);
                return Waited::Answered;
            }
            if !self.server.is_connected() {
                return Waited::Gone;
            }
            if self.is_over(tx, tick) {
                return Waited::Over;
            }
            let is_late = limit.is_some_and(|limit| began.elapsed() >= limit);
            if is_late && (is_booting || self.skip()) {
                return Waited::Answered;
            }
        }
    }

    /// Leaves out an answer, if that may be.
    fn skip(&mut self) -> bool {
        let may = self.peer.skip();
        if may {
            self.reports.skipped(self.peer.all_skipped, self.peer.samples);
        }
        may
    }

    /// Looks for news of the autopilot, at most for a time. Returns the answer to the last sample.
    fn look(&mut self, timeout: Duration) -> Option<HilActuatorControls> {
        match self.server.look(timeout) {
            News::Message(message) => return self.peer.take(message),
            News::Connected(address) => {
                log::info!("the autopilot at {address} is connected");
                self.peer = Peer::default();
            }
            News::Refused(address) => self.reports.refused(address),
            News::Gone(address, reason) => self.reports.gone(address, &reason, self.peer.samples),
            News::Nothing => {}
        }
        self.reports.strange(self.server.strange());
        None
    }

    fn take_measurements(&mut self, tx: &mut Tx<'_, impl Bridge<Publisher = Source>>) {
        while let Wait::Ready(item) = tx.next(Some(Duration::ZERO)) {
            if let Err(error) = self.vehicle.update(&self.chosen, item.publisher(), item.bytes()) {
                item.reject_because(&error.to_string());
            }
        }
    }
}

/// What was said, so that it is not said each time: the first time, and then each time that there is ten times as much.
#[derive(Default)]
struct Reports {
    skipped: u64,
    strange: u64,
    refused: u64,
    refused_so_far: u64,
}

fn is_due(said: &mut u64, now: u64) -> bool {
    let is_due = now > 0 && now >= said.saturating_mul(10);
    if is_due {
        *said = now;
    }
    is_due
}

impl Reports {
    fn skipped(&mut self, skipped: u64, samples: u64) {
        if is_due(&mut self.skipped, skipped) {
            log::warn!(
                "[{SKIPPED}] the autopilot has left out {skipped} of {samples} answers so far: steps ran with the commands \
                 before, and the run depends on the machine"
            );
        }
    }

    fn strange(&mut self, bytes: u64) {
        if is_due(&mut self.strange, bytes) {
            log::warn!(
                "[{BYTES}] {bytes} bytes that the autopilot has sent are no messages that this bridge reads"
            );
        }
    }

    fn refused(&mut self, address: std::net::SocketAddr) {
        self.refused_so_far += 1;
        if is_due(&mut self.refused, self.refused_so_far) {
            log::warn!(
                "[{SECOND}] {address} is refused: another autopilot is connected ({} so far)",
                self.refused_so_far
            );
        }
    }

    fn gone(&mut self, address: std::net::SocketAddr, reason: &str, samples: u64) {
        self.strange = 0;
        log::warn!(
            "[{GONE}] the autopilot at {address} is gone after {samples} samples: {reason}; steps wait for another one, and \
             PX4 connects only when it starts"
        );
    }
}

/// Returns the error for steps of which no whole number is a sample.
fn no_sample(rate: u32, width_ns: i64) -> Error {
    #[expect(clippy::cast_precision_loss, reason = "for a text")]
    let seconds = width_ns as f64 / 1e9;
    Error::invalid(format!(
        "[{RATE}] {rate} samples per second do not begin with steps of {seconds} s; choose a step of the world whose \
         multiple is 1/{rate} s, such as 0.001 for 250 or 500, or another `rate=`"
    ))
}

#[expect(clippy::disallowed_methods, reason = "an autopilot answers in real time")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_rarer_the_more_there_is() {
        let mut said = 0;
        let due: Vec<u64> = (0..2000).filter(|count| is_due(&mut said, *count)).collect();
        assert_eq!(due, [1, 10, 100, 1000]);
    }
}
