//! Triggers and their actions as values.

use bridgehead_lifecycle::ResetScope;
use log::Level;
use serde_json::Value;

use super::event::{Event, Signal};
use crate::clock::Speed;

/// The action of a trigger.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the table `ACTIONS` describes each")]
pub enum Action {
    Pause,
    Resume,
    Stop,
    Succeed,
    Fail,
    Reset(ResetScope),
    KeepAlive,
    RealtimeFactor(Speed),
    ResetStatistics,
    Log {
        level: Level,
        text: String,
    },
    Bundle(Vec<Action>),
    Insert(Vec<Trigger>),
    Publish(Publish),
    /// Topics, and how long they are true, nanoseconds.
    PushRelease {
        topics: Vec<String>,
        duration_ns: i64,
    },
    Command(Command),
}

/// A message to publish.
#[derive(Clone, Debug, PartialEq)]
pub struct Publish {
    /// Full name of the topic.
    pub topic: String,
    /// ROS or protobuf name of the type, if the topic does not exist yet.
    pub type_name: Option<String>,
    /// The message.
    pub message: Value,
}

/// A program to execute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Program and arguments; `sh -c` and the text for a shell command.
    pub words: Vec<String>,
    /// How its end is handled.
    pub mode: CommandMode,
    /// When its output is logged.
    pub log_output: LogOutput,
    /// True if the run continues after its failure.
    pub ignore_failure: bool,
}

/// How the end of a command is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CommandMode {
    /// The simulation waits for its end.
    Sync,
    /// The simulation continues, and its end is reported.
    Async,
    /// Its end is ignored.
    Detach,
}

/// When the output of a command is logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogOutput {
    /// Never.
    Never,
    /// After a failure.
    OnError,
    /// Always.
    Always,
}

impl Action {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Action::Pause => "pause",
            Action::Resume => "resume",
            Action::Stop => "stop",
            Action::Succeed => "succeed",
            Action::Fail => "fail",
            Action::Reset(_) => "reset",
            Action::KeepAlive => "keep_alive",
            Action::RealtimeFactor(_) => "realtime_factor",
            Action::ResetStatistics => "reset_statistics",
            Action::Log { .. } => "log",
            Action::Bundle(_) => "bundle",
            Action::Insert(_) => "insert",
            Action::Publish(_) => "publish",
            Action::PushRelease { .. } => "push_release",
            Action::Command(_) => "command",
        }
    }

    /// Returns the action itself, or the parts of a bundle.
    fn parts(&self) -> Vec<&Action> {
        match self {
            Action::Bundle(actions) => actions.iter().flat_map(Action::parts).collect(),
            one => vec![one],
        }
    }

    /// Returns the part that changes the course of the run, which must be in the history; `None` if there is none.
    #[must_use]
    pub fn significant(&self) -> Option<&'static str> {
        let is_plain = |action: &&&Action| matches!(action, Action::Log { .. } | Action::RealtimeFactor(_));
        self.parts().iter().find(|action| !is_plain(action)).map(|action| action.name())
    }

    /// Returns true if it resets the run.
    #[must_use]
    pub fn resets(&self) -> bool {
        self.parts().iter().any(|action| matches!(action, Action::Reset(_)))
    }

    /// Returns true if it resets the time of the run.
    #[must_use]
    pub(super) fn resets_time(&self) -> bool {
        let resets =
            |action: &&Action| matches!(action, Action::Reset(scope) if scope.contains(ResetScope::TIME));
        self.parts().iter().any(resets)
    }

    /// Returns the triggers that it adds.
    pub(super) fn inserted(&self) -> impl Iterator<Item = &Trigger> {
        self.parts().into_iter().flat_map(|action| match action {
            Action::Insert(triggers) => triggers.as_slice(),
            _ => &[],
        })
    }

    /// Returns true if it ends the current run: a stop, a verdict, a reset.
    #[must_use]
    pub(super) fn is_last(&self) -> bool {
        self.resets() || self.ending().is_some()
    }

    /// Returns how it ends the run, if it does; for a bundle, the strongest way.
    #[must_use]
    pub(super) fn ending(&self) -> Option<CheckKind> {
        self.parts().iter().filter_map(|action| CheckKind::of(action)).min()
    }
}

/// An action for an event.
#[derive(Clone, Debug, PartialEq)]
pub struct Trigger {
    /// Its label; may be empty.
    pub label: String,
    /// Its event.
    pub event: Event,
    /// Its action.
    pub action: Action,
    /// True if it stays after it has fired.
    pub sticky: bool,
    /// True if it is not in the history.
    pub conceal: bool,
    /// True if it is skipped when its event or action is unknown.
    pub optional: bool,
    /// Of triggers due at the same time, those with higher priority come first.
    pub priority: i32,
    /// Its source.
    pub source: Source,
}

/// Source of a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The configuration.
    Filesystem,
    /// A client.
    Network,
    /// A plugin.
    Model,
    /// Another trigger.
    Trigger,
    /// One firing of a sticky trigger, in the history.
    Instance,
    /// A script.
    Lua,
}

impl Trigger {
    /// Returns the trigger, or one that it adds, if it resets the run again and again without a step in between.
    #[must_use]
    pub fn endless_reset(&self) -> Option<&Trigger> {
        let again = match self.event {
            Event::Signal(Signal::Reset) => self.action.resets(),
            Event::Time(ns) | Event::Next(ns) => ns <= 0 && self.action.resets_time(),
            Event::Signal(_) | Event::Topic(_) => false,
        };
        if self.sticky && again {
            return Some(self);
        }
        self.action.inserted().find_map(Trigger::endless_reset)
    }
}

/// How a trigger ends a run, in descending strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckKind {
    /// As a failure.
    Fail,
    /// As a success.
    Succeed,
    /// Without a verdict.
    Stop,
}

impl CheckKind {
    pub(super) fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Fail => Some(Self::Fail),
            Action::Succeed => Some(Self::Succeed),
            Action::Stop => Some(Self::Stop),
            _ => None,
        }
    }
}

impl Source {
    const WORDS: [(&'static str, Self); 6] = [
        ("filesystem", Self::Filesystem),
        ("network", Self::Network),
        ("model", Self::Model),
        ("trigger", Self::Trigger),
        ("instance", Self::Instance),
        ("lua", Self::Lua),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::WORDS.iter().find(|(_, source)| *source == self).map_or("", |(word, _)| word)
    }

    /// Returns the source with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(word, _)| *word == name).map(|(_, source)| *source)
    }

    /// Returns true if a repeated run creates such triggers again by itself.
    #[must_use]
    pub fn is_transient(self) -> bool {
        match self {
            Self::Model | Self::Trigger | Self::Instance => true,
            Self::Filesystem | Self::Network | Self::Lua => false,
        }
    }
}
