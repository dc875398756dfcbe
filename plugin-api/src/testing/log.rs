//! `bridgehead.log/1` of a test: keeps the lines.

use bridgehead_abi as abi;

use super::host::{Shared, TestHost, lock};
use crate::host::Level;

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

pub(super) static TABLE: abi::host::HostLog =
    abi::host::HostLog { struct_size: abi::host::HostLog::SIZE, reserved: 0, enabled, write };

unsafe extern "C" fn enabled(host: *const abi::Host, level: u32) -> u8 {
    // SAFETY: plugins pass back the pointer they were given.
    let shared = unsafe { Shared::of(host) };
    u8::from(level_of(level) <= shared.setup.log_level)
}

unsafe extern "C" fn write(host: *const abi::Host, record: *const abi::host::LogRecord) {
    // SAFETY: the record and its texts live for the call.
    let (shared, line) = unsafe { (Shared::of(host), read(&*record)) };
    if line.level <= shared.setup.log_level {
        lock(&shared.log).lines.push(line);
    }
    shared.announce();
}

/// # Safety
/// The record's texts must be alive.
unsafe fn read(record: &abi::host::LogRecord) -> LogLine {
    // SAFETY: the caller vouches for the texts.
    let text = |text: abi::Str| String::from_utf8_lossy(unsafe { text.as_bytes() }).into_owned();
    LogLine {
        level: level_of(record.level),
        target: text(record.target),
        text: text(record.text),
        file: text(record.file),
        line: record.line,
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
