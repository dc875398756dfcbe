//! `bridgehead.log/1` of a test: keeps the lines.

use bridgehead_abi as abi;

use super::host::{Shared, TestHost, lock};
use crate::host::Level;
use crate::hosting::{Line, LogHost};

/// A line that the plugin logged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogLine {
    /// How much it matters.
    pub level: Level,
    /// Module or component inside the plugin; `panic` for panics.
    pub target: String,
    /// The text.
    pub text: String,
    /// Source file; may be empty.
    pub file: String,
    /// Source line; 0 when unknown.
    pub line: u32,
}

/// The lines so far.
#[derive(Default)]
pub(super) struct LogRecord {
    lines: Vec<LogLine>,
}

impl Shared {
    /// Says why a host function refuses: its status code alone would not.
    /// Notes why a host function is about to refuse: in the log, and as the reason of the call that runs.
    pub(super) fn refuse(&self, text: String) {
        self.complain(&text);
        self.calls.explain(text);
    }

    pub(super) fn complain(&self, text: &str) {
        let line = LogLine {
            level: Level::Warn,
            target: "host".to_owned(),
            text: text.to_owned(),
            file: String::new(),
            line: 0,
        };
        lock(&self.log).lines.push(line);
    }
}

impl TestHost {
    /// Everything the plugin logged, through the host or through the `log` crate, and its panics.
    #[must_use]
    pub fn log_lines(self) -> Vec<LogLine> {
        lock(&self.shared.log).lines.clone()
    }

    /// Whether a line of that level contains `text`.
    #[must_use]
    pub fn has_logged(self, level: Level, text: &str) -> bool {
        lock(&self.shared.log).lines.iter().any(|line| line.level == level && line.text.contains(text))
    }
}

impl LogHost for Shared {
    fn enabled(&self, level: u32) -> u8 {
        u8::from(level_of(level) <= self.setup.log_level)
    }

    fn write(&self, line: Line<'_>) {
        let text = |text: &[u8]| String::from_utf8_lossy(text).into_owned();
        let line = LogLine {
            level: level_of(line.level),
            target: text(line.target),
            text: text(line.text),
            file: text(line.file),
            line: line.line,
        };
        if line.level <= self.setup.log_level {
            lock(&self.log).lines.push(line);
        }
        self.announce();
    }
}

fn level_of(number: u32) -> Level {
    match number {
        abi::host::LOG_ERROR => Level::Error,
        abi::host::LOG_WARN => Level::Warn,
        abi::host::LOG_INFO => Level::Info,
        abi::host::LOG_DEBUG => Level::Debug,
        _ => Level::Trace,
    }
}
