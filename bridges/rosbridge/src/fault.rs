//! Why a request of a client fails, and the levels of status messages.

use std::fmt;

/// Longest text of a fault in bytes: it may repeat what a client has sent.
const LONGEST: usize = 1000;

/// Why a request fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: &'static str,
    pub(crate) text: String,
}

impl Fault {
    pub(crate) fn new(code: &'static str, text: impl Into<String>) -> Self {
        let mut text: String = text.into();
        if text.len() > LONGEST {
            text.truncate(text.floor_char_boundary(LONGEST));
            text.push('…');
        }
        Fault { code, text }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{}] {}", self.code, self.text)
    }
}

/// The status messages that a client receives: those of its level and of more serious ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// The default, since some clients fail on status messages.
    #[default]
    None,
    Error,
    Warning,
    Info,
}

impl Level {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "none" => Level::None,
            "error" => Level::Error,
            "warning" => Level::Warning,
            "info" => Level::Info,
            _ => return None,
        })
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::None => "none",
            Level::Error => "error",
            Level::Warning => "warning",
            Level::Info => "info",
        }
    }
}
