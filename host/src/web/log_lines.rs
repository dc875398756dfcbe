//! The log for viewers: lines that are sent as events, the kept ones first.

use std::time::Duration;

use log::Level;
use serde_json::json;

use super::app::App;
use super::message;
use crate::log_feed::LogLine;

/// Name of the subscription.
pub(super) const LOG: &str = "log";
/// Default interval at which new lines are sent.
pub(super) const PERIOD: Duration = Duration::from_millis(100);

/// How far a client has read the log.
#[derive(Default)]
pub(super) struct LogReader {
    known: u64,
}

impl LogReader {
    /// Returns the events of all new lines. The first one has the number of lines that were lost before it.
    pub(super) fn next(&mut self, app: &App) -> Vec<String> {
        let shared = app.control.shared();
        let new = shared.log.after(self.known);
        self.known = new.end;
        let (now, _) = shared.clock.read();
        let lost = std::iter::once(new.lost).chain(std::iter::repeat(0));
        let events = new.lines.iter().zip(lost);
        events.map(|(line, lost)| message::event(LOG, now.reset_epoch, lost, &text(line))).collect()
    }
}

fn text(line: &LogLine) -> String {
    let LogLine { level, message, time_ns } = line;
    json!({ "level": name(*level), "message": message, "time_ns": time_ns }).to_string()
}

fn name(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warn => "warn",
        Level::Info => "info",
        Level::Debug => "debug",
        Level::Trace => "trace",
    }
}
