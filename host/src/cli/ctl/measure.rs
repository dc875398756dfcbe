//! `bridgehead topic hz`: the rate of a topic, from the numbers and stamps of some of its messages. Main thread.
//!
//! Each message has its number on the topic, so that the host needs to send only a few of them. The wall clock is read when
//! one arrives.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::error::CtlError;
use super::live::Live;
use super::session::Session;
use super::{topic, watch};
use crate::cli::human::figures;
use crate::clock;

/// Interval of measurements.
const INTERVAL: Duration = Duration::from_secs(1);
/// Messages that the host sends per second, at most.
const RATE_HZ: f64 = 10.0;
/// Time that a measurement covers, at most.
const WINDOW: Duration = Duration::from_secs(10);

/// Prints the rate of a topic once per second; returns the exit code.
pub(super) fn run(session: &Session, name: &str, count: Option<u64>) -> Result<u8, CtlError> {
    topic::find(session, name)?;
    let mut live = Live::open(&session.client)?;
    live.subscribe(&format!("topic:{name}"), Some(RATE_HZ))?;
    let mut meter = Meter::default();
    let mut due = clock::now() + INTERVAL;
    let mut left = count;
    while left != Some(0) {
        if let Some((_, message)) = live.next_before(due)?
            && let Some((_, data)) = watch::event(&message)?
        {
            meter.add(Sample::read(&message, data, clock::now()));
        }
        if clock::now() < due {
            continue;
        }
        due += INTERVAL;
        let rates = meter.rates(clock::now());
        session.print(&format!("{}\n", shown(session, name, rates)));
        if rates.is_some() {
            left = left.map(|left| left - 1);
        }
    }
    Ok(0)
}

fn shown(session: &Session, name: &str, rates: Option<Rates>) -> String {
    match rates {
        Some(Rates { simulated_hz, wall_hz, messages }) if session.json => {
            json!({"topic": name, "simulated_hz": simulated_hz, "wall_hz": wall_hz, "messages": messages})
                .to_string()
        }
        None if session.json => {
            json!({"topic": name, "simulated_hz": null, "wall_hz": null, "messages": 0}).to_string()
        }
        Some(rates) => rates.line(),
        None => "no new messages".to_owned(),
    }
}

/// A message.
#[derive(Clone, Copy, Debug)]
struct Sample {
    reset_epoch: u64,
    sequence: u64,
    stamp_ns: i64,
    at: Instant,
}

impl Sample {
    fn read(message: &Value, data: &Value, at: Instant) -> Sample {
        let whole = |value: &Value, member: &str| value.get(member).and_then(Value::as_u64).unwrap_or(0);
        Sample {
            reset_epoch: whole(message, "epoch"),
            sequence: whole(data, "sequence"),
            stamp_ns: data.get("stamp_ns").and_then(Value::as_i64).unwrap_or(0),
            at,
        }
    }
}

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rates {
    /// `None` if the stamps do not differ.
    simulated_hz: Option<f64>,
    wall_hz: f64,
    /// Number of messages since the first one of the window.
    messages: u64,
}

impl Rates {
    fn line(&self) -> String {
        let simulated = self.simulated_hz.map_or_else(|| "-".to_owned(), figures);
        let wall = figures(self.wall_hz);
        format!("{simulated} Hz of simulated time, {wall} Hz of the wall clock, {} messages", self.messages)
    }
}

/// The last messages.
#[derive(Debug, Default)]
struct Meter {
    window: VecDeque<Sample>,
}

impl Meter {
    /// Adds a message. One of another reset epoch, or with a smaller number, begins a new window.
    fn add(&mut self, sample: Sample) {
        let continues =
            |last: &Sample| last.reset_epoch == sample.reset_epoch && last.sequence < sample.sequence;
        if !self.window.back().is_some_and(continues) {
            self.window.clear();
        }
        self.window.push_back(sample);
    }

    /// Returns the rates of the messages in the window that ends `now`; `None` if there are fewer than two.
    fn rates(&mut self, now: Instant) -> Option<Rates> {
        while self.window.front().is_some_and(|first| now.saturating_duration_since(first.at) > WINDOW) {
            self.window.pop_front();
        }
        let (first, last) = (self.window.front()?, self.window.back()?);
        let messages = last.sequence.checked_sub(first.sequence).filter(|count| *count > 0)?;
        #[expect(clippy::cast_precision_loss, reason = "a rate has few figures")]
        let per = |seconds: f64| (seconds > 0.0).then(|| messages as f64 / seconds);
        #[expect(clippy::cast_precision_loss, reason = "a rate has few figures")]
        let simulated_s = last.stamp_ns.saturating_sub(first.stamp_ns) as f64 / 1e9;
        let wall_hz = per(last.at.saturating_duration_since(first.at).as_secs_f64())?;
        Some(Rates { simulated_hz: per(simulated_s), wall_hz, messages })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(start: Instant, sequence: u64, stamp_ms: i64, wall_ms: u64) -> Sample {
        let at = start + Duration::from_millis(wall_ms);
        Sample { reset_epoch: 0, sequence, stamp_ns: stamp_ms * 1_000_000, at }
    }

    #[test]
    fn numbers_and_stamps_of_some_messages_give_both_rates() {
        let start = clock::now();
        let mut meter = Meter::default();
        assert_eq!(meter.rates(start), None);
        meter.add(sample(start, 100, 1000, 0));
        assert_eq!(meter.rates(start), None, "one message has no rate");
        meter.add(sample(start, 120, 2000, 500));
        let rates = meter.rates(start + INTERVAL).expect("rates");
        assert_eq!(rates, Rates { simulated_hz: Some(20.0), wall_hz: 40.0, messages: 20 });
        assert_eq!(rates.line(), "20.0 Hz of simulated time, 40.0 Hz of the wall clock, 20 messages");
    }

    #[test]
    fn old_messages_and_those_before_a_reset_do_not_count() {
        let start = clock::now();
        let mut meter = Meter::default();
        meter.add(sample(start, 1, 0, 0));
        meter.add(sample(start, 2, 1000, 10_500));
        assert_eq!(meter.rates(start + Duration::from_millis(10_500)), None);
        meter.add(Sample { reset_epoch: 1, ..sample(start, 3, 0, 10_600) });
        assert_eq!(meter.rates(start + Duration::from_millis(10_600)), None);
        meter.add(Sample { reset_epoch: 1, ..sample(start, 4, 0, 10_700) });
        let rates = meter.rates(start + Duration::from_millis(10_700)).expect("rates");
        assert_eq!((rates.simulated_hz, rates.messages), (None, 1), "equal stamps have no rate");
    }
}
