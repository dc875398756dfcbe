//! What is wrong with a trigger, each with a stable code.

use thiserror::Error;

/// Why a trigger was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum TriggerError {
    /// A trigger that is no table.
    #[error("[BH-TRG-001] a trigger is {found}, not a table with `event` and `action`")]
    Shape {
        /// What it is.
        found: String,
    },
    /// A key that triggers do not have.
    #[error("[BH-TRG-002] a trigger has no key `{key}`; it has {known}")]
    Key {
        /// The key.
        key: String,
        /// Those there are.
        known: String,
    },
    /// A key that is missing.
    #[error("[BH-TRG-003] the trigger has no `{0}`")]
    Missing(&'static str),
    /// A value of another type than its key asks for.
    #[error("[BH-TRG-004] `{key}` of a trigger is {found}, not {expected}")]
    Value {
        /// The key.
        key: String,
        /// What is there.
        found: String,
        /// What would be right.
        expected: &'static str,
    },
    /// An event or action that is neither `name`, `name=argument` nor a table with a name.
    #[error("[BH-TRG-005] {subject} is {found}; write a name, `name=argument`, or a table with `name`")]
    Call {
        /// `event` or `action`.
        subject: &'static str,
        /// What is there.
        found: String,
    },
    /// An event that does not exist.
    #[error(
        "[BH-TRG-006] there is no event `{name}`; there are {known}, and names with `/` for events of plugins"
    )]
    UnknownEvent {
        /// What was asked for.
        name: String,
        /// Those there are.
        known: String,
    },
    /// An action that does not exist.
    #[error("[BH-TRG-007] there is no action `{name}`; there are {known}")]
    UnknownAction {
        /// What was asked for.
        name: String,
        /// Those there are.
        known: String,
    },
    /// An event or action whose arguments mean nothing.
    #[error("[BH-TRG-008] {subject} `{name}`: {what}")]
    Argument {
        /// `event` or `action`.
        subject: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        what: String,
    },
    /// A trigger that would leave a gap in the history.
    #[error(
        "[BH-TRG-009] a trigger that does `{action}` cannot be concealed: the history would not tell what became of the run"
    )]
    Concealed {
        /// The action.
        action: &'static str,
    },
    /// A condition that means nothing.
    #[error("[BH-TRG-010] `{text}` is no condition: {why}")]
    Condition {
        /// What was given.
        text: String,
        /// What is wrong.
        why: &'static str,
    },
    /// A file of triggers that cannot be used.
    #[error("[BH-TRG-011] `{file}` is no list of triggers: {why}")]
    History {
        /// The file.
        file: String,
        /// What is wrong.
        why: String,
    },
}

impl TriggerError {
    /// Whether an optional trigger is left out instead of being refused.
    #[must_use]
    pub fn is_unknown_name(&self) -> bool {
        matches!(self, Self::UnknownEvent { .. } | Self::UnknownAction { .. })
    }

    /// The stable code and the text behind it.
    #[must_use]
    pub fn parts(&self) -> (String, String) {
        let text = self.to_string();
        let parted = text.strip_prefix('[').and_then(|rest| rest.split_once("] "));
        parted.map(|(code, rest)| (code.to_owned(), rest.to_owned())).unwrap_or_default()
    }
}
