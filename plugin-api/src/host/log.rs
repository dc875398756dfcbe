//! Log lines of an instance. Most plugins use the `log` crate's macros instead, which arrive here too.

use std::sync::{PoisonError, RwLock};

use bridgehead_abi as abi;

use super::extension_handle;
use crate::hosting::Line;

/// Dependencies whose lines are left out, each with the most detailed level that is not; `None` if all are.
static QUIET: RwLock<Vec<(&'static str, Option<Level>)>> = RwLock::new(Vec::new());

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
        self.extension.enabled(level.number()).is_ok_and(|enabled| enabled != 0)
    }

    /// Writes one line with the place in the source it comes from (empty and 0 when unknown).
    pub fn write(self, level: Level, target: &str, text: &str, file: &str, line: u32) {
        let [target, text, file] = [target, text, file].map(str::as_bytes);
        let line = Line { level: level.number(), target, text, file, line };
        // Without a host there is nobody to tell.
        drop(self.extension.write(line));
    }
}

/// Leaves out lines that a dependency of this library writes through the `log` crate, where they are more detailed than
/// `most`, or all of them with `None`: for crates that talk more than an operator wants to read. `dependency` is the
/// crate's name as in its paths. Counts for the whole library; saying it again changes the level. `[any]`
pub fn quieten(dependency: &'static str, most: Option<Level>) {
    let mut quiet = QUIET.write().unwrap_or_else(PoisonError::into_inner);
    quiet.retain(|(known, _)| *known != dependency);
    quiet.push((dependency, most));
}

/// Whether a line of this target and level is left out.
pub(crate) fn is_left_out(target: &str, level: Level) -> bool {
    let quiet = QUIET.read().unwrap_or_else(PoisonError::into_inner);
    let is_over = |most: Option<Level>| most.is_none_or(|most| level > most);
    quiet.iter().any(|(dependency, most)| is_over(*most) && is_within(target, dependency))
}

/// Whether a target is a crate or one of its modules.
fn is_within(target: &str, dependency: &str) -> bool {
    target.strip_prefix(dependency).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dependency_is_quiet_up_to_its_level_and_nobody_else_is() {
        quieten("chatter", None);
        assert!(is_left_out("chatter", Level::Error));
        quieten("chatter", Some(Level::Error));
        assert!(is_left_out("chatter", Level::Warn) && is_left_out("chatter::inner", Level::Trace));
        assert!(!is_left_out("chatter::inner", Level::Error));
        assert!(!is_left_out("chatterbox", Level::Warn) && !is_left_out("my::chatter", Level::Warn));
    }
}
