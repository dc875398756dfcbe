//! Log lines of an instance. Most plugins use the `log` crate's macros instead, which arrive here too.

use bridgehead_abi as abi;

use super::extension_handle;

/// How much a log line matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The run cannot go on as asked.
    Error,
    /// Something is wrong and the run goes on.
    Warn,
    /// What an operator wants to know once.
    Info,
    /// What a plugin's author wants to know.
    Debug,
    /// Every detail.
    Trace,
}

impl Level {
    fn number(self) -> u32 {
        match self {
            Level::Error => abi::host::LOG_ERROR,
            Level::Warn => abi::host::LOG_WARN,
            Level::Info => abi::host::LOG_INFO,
            Level::Debug => abi::host::LOG_DEBUG,
            Level::Trace => abi::host::LOG_TRACE,
        }
    }
}

extension_handle! {
    /// Writes log lines, tagged by the host with plugin and vehicle. `[any]`
    Log, abi::host::HostLog, abi::extension::LOG
}

impl Log {
    /// Whether a line of this level would be written; ask before formatting an expensive one.
    #[must_use]
    pub fn enabled(self, level: Level) -> bool {
        // SAFETY: the table belongs to this host object.
        unsafe { (self.table.enabled)(self.host.as_raw(), level.number()) != 0 }
    }

    /// Writes one line with the place in the source it comes from (empty and 0 when unknown).
    pub fn write(self, level: Level, target: &str, text: &str, file: &str, line: u32) {
        let record = abi::host::LogRecord {
            struct_size: abi::host::LogRecord::SIZE,
            level: level.number(),
            target: abi::Str::new(target),
            text: abi::Str::new(text),
            file: abi::Str::new(file),
            line,
            reserved: 0,
        };
        // SAFETY: the record and its texts are borrowed for the call.
        unsafe { (self.table.write)(self.host.as_raw(), &raw const record) }
    }
}
