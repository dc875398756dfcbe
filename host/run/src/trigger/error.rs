//! Errors of triggers, each with a stable code. Plain values.

use thiserror::Error;

/// Why a trigger was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TriggerError {
    /// The trigger is not a table.
    #[error("[BH-TRG-001] a trigger is {found}, not a table with `event` and `action`")]
    Shape {
        /// The kind found.
        found: String,
    },
    /// An unknown key.
    #[error("[BH-TRG-002] a trigger has no key `{key}`; it has {known}")]
    Key {
        /// The key.
        key: String,
        /// The known ones.
        known: String,
    },
    /// A missing key.
    #[error("[BH-TRG-003] the trigger has no `{0}`")]
    Missing(&'static str),
    /// A value of the wrong type.
    #[error("[BH-TRG-004] `{key}` of a trigger is {found}, not {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value found.
        found: String,
        /// The expected value.
        expected: &'static str,
    },
    /// An event or action that is neither `name`, `name=argument` nor a table with a name.
    #[error("[BH-TRG-005] {subject} is {found}; write a name, `name=argument`, or a table with `name`")]
    Call {
        /// `event` or `action`.
        subject: &'static str,
        /// The value found.
        found: String,
    },
    /// An unknown event.
    #[error(
        "[BH-TRG-006] there is no event `{name}`; there are {known}, and names with `/` for events of plugins"
    )]
    UnknownEvent {
        /// The requested name.
        name: String,
        /// The known ones.
        known: String,
    },
    /// An unknown action.
    #[error("[BH-TRG-007] there is no action `{name}`; there are {known}")]
    UnknownAction {
        /// The requested name.
        name: String,
        /// The known ones.
        known: String,
    },
    /// Invalid arguments of an event or action.
    #[error("[BH-TRG-008] {subject} `{name}`: {what}")]
    Argument {
        /// `event` or `action`.
        subject: &'static str,
        /// Its name.
        name: String,
        /// The problem.
        what: String,
    },
    /// A concealed trigger that would leave a gap in the history.
    #[error(
        "[BH-TRG-009] a trigger with the action `{action}` cannot be concealed: the history would not explain the run"
    )]
    Concealed {
        /// The action.
        action: &'static str,
    },
    /// A malformed condition.
    #[error("[BH-TRG-010] `{text}` is not a condition: {why}")]
    Condition {
        /// The text.
        text: String,
        /// The problem.
        why: &'static str,
    },
    /// A malformed file of triggers.
    #[error("[BH-TRG-011] `{file}` is not a list of triggers: {why}")]
    History {
        /// The file.
        file: String,
        /// The problem.
        why: String,
    },
}

impl TriggerError {
    /// Returns true for errors with which an optional trigger is skipped instead of rejected.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        matches!(self, Self::UnknownEvent { .. } | Self::UnknownAction { .. })
    }

    /// Returns the stable code and the text after it.
    #[must_use]
    pub fn parts(&self) -> (String, String) {
        let text = self.to_string();
        let parted = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        parted.map(|(code, rest)| (code.to_owned(), rest.to_owned())).unwrap_or_default()
    }
}
