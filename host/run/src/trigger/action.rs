//! Actions of triggers: the table of names, and the parsed values. Plain values.

use bridgehead_lifecycle::ResetScope;
use log::Level;
use serde_json::Value;

use super::args::{Args, Kind, quoted};
use super::definition::{Action, Command, CommandMode, LogOutput, Publish, Source, Trigger};
use super::error::TriggerError;
use crate::clock::{Speed, SpeedFault};

/// Words of `mode`.
pub(super) const MODES: &[(&str, CommandMode)] =
    &[("sync", CommandMode::Sync), ("async", CommandMode::Async), ("detach", CommandMode::Detach)];
/// Words of `log_output`.
pub(super) const LOG_OUTPUTS: &[(&str, LogOutput)] =
    &[("never", LogOutput::Never), ("on_error", LogOutput::OnError), ("always", LogOutput::Always)];
/// Words of `level`.
const LEVELS: &[(&str, Level)] = &[
    ("trace", Level::Trace),
    ("debug", Level::Debug),
    ("info", Level::Info),
    ("warn", Level::Warn),
    ("warning", Level::Warn),
    ("err", Level::Error),
    ("error", Level::Error),
    ("critical", Level::Error),
];
/// Words of `scope`.
const SCOPES: &[(&str, ResetScope)] = &[
    ("all", ResetScope::ALL),
    ("default", ResetScope::ALL),
    ("time", ResetScope::TIME),
    ("state", ResetScope::STATE),
    ("spawned", ResetScope::SPAWNED),
];

/// Every action, in the order of the page on triggers.
pub(super) const ACTIONS: &[Kind<Action>] = &[
    plain("pause", "Pauses after the current step.", |_| Ok(Action::Pause)),
    plain("resume", "Continues after a pause.", |_| Ok(Action::Resume)),
    plain("stop", "Ends the run, neither as a success nor as a failure.", |_| Ok(Action::Stop)),
    plain("succeed", "Declares the run a success and ends it.", |_| Ok(Action::Succeed)),
    plain("fail", "Declares the run a failure and ends it.", |_| Ok(Action::Fail)),
    Kind {
        name: "reset",
        inline: Some("scope"),
        keys: &[(
            "scope",
            "`all`, or one or more of `time`, `state` and `spawned`, separated by commas; default `all`",
        )],
        meaning: "Resets the run, which then continues.",
        read: |args| reset_scope(args).map(Action::Reset),
    },
    plain("keep_alive", "The host keeps running after the end of the run.", |_| Ok(Action::KeepAlive)),
    Kind {
        name: "realtime_factor",
        inline: Some("factor"),
        keys: &[(
            "factor",
            "simulated seconds per second of wall time, 1e-6 to 1e6; `unlimited` or a negative number means as fast \
             as possible",
        )],
        meaning: "Changes how fast simulated time runs.",
        read: |args| speed(args).map(Action::RealtimeFactor),
    },
    plain("reset_statistics", "Restarts the statistics of the run.", |_| Ok(Action::ResetStatistics)),
    Kind {
        name: "log",
        inline: Some("msg"),
        keys: &[
            ("msg", "the text; inline it may begin with a level, as in `log=warn: too fast`"),
            ("level", "`trace`, `debug`, `info`, `warn` or `error`; default `info`"),
        ],
        meaning: "Writes to the log.",
        read: log,
    },
    Kind {
        name: "bundle",
        inline: None,
        keys: &[("actions", "the actions, in order")],
        meaning: "Executes several actions at once. If several of them reset, end or pause the run, only one of \
                  these takes effect: the first in the order reset, fail, succeed, stop, pause.",
        read: |args| {
            Ok(Action::Bundle(args.list("actions")?.iter().map(Action::read).collect::<Result<_, _>>()?))
        },
    },
    Kind {
        name: "insert",
        inline: None,
        keys: &[("triggers", "the triggers, as in the configuration")],
        meaning: "Adds more triggers.",
        read: insert,
    },
    Kind {
        name: "publish",
        inline: None,
        keys: &[
            ("topic", "full name of the topic"),
            ("message", "the message as a table with the fields of its type; missing fields are zero"),
            (
                "type",
                "type of the topic, such as `std_msgs/msg/Bool`; needed only if nothing else opens the topic",
            ),
        ],
        meaning: "Publishes a message. It takes effect in the next step, like a message from a peer.",
        read: publish,
    },
    Kind {
        name: "push_release",
        inline: None,
        keys: &[
            ("buttons", "full names of topics of `std_msgs/msg/Bool`"),
            ("duration", "time between `true` and `false`, above 0"),
        ],
        meaning: "Publishes `true` on each topic, and `false` after the duration.",
        read: push_release,
    },
    Kind {
        name: "command",
        inline: Some("command"),
        keys: &[
            ("command", "a command line for `sh`"),
            ("path", "a program, instead of `command`"),
            ("args", "arguments of the program, a list of texts"),
            (
                "mode",
                "`sync`: the simulation waits for the program, `async`: it continues, and a failure aborts the run \
                 when it is noticed, `detach`: it continues, and a failure is ignored; default `sync`",
            ),
            ("log_output", "when the output is logged: `never`, `on_error` or `always`; default `on_error`"),
            ("ignore_failure", "`true` if the run continues after a failure"),
        ],
        meaning: "Runs a program if `enable_command_action` allows it; otherwise the log says what would have been \
                  run.",
        read: command,
    },
];

/// Creates the row of an action without arguments.
const fn plain(
    name: &'static str,
    meaning: &'static str,
    read: fn(&Args<'_>) -> Result<Action, TriggerError>,
) -> Kind<Action> {
    Kind { name, inline: None, keys: &[], meaning, read }
}

fn reset_scope(args: &Args<'_>) -> Result<ResetScope, TriggerError> {
    let Some(text) = args.text("scope")? else { return Ok(ResetScope::ALL) };
    let word = |word: &str| SCOPES.iter().find(|(known, _)| *known == word.trim()).map(|(_, scope)| *scope);
    let scopes: Option<Vec<ResetScope>> = text.split(',').map(word).collect();
    let all = scopes.and_then(|scopes| scopes.into_iter().reduce(|a, b| a | b));
    all.ok_or_else(|| {
        let words = quoted(SCOPES.iter().map(|(word, _)| *word));
        args.refuse(format!("`scope` is {text:?}, not made of {words}"))
    })
}

fn speed(args: &Args<'_>) -> Result<Speed, TriggerError> {
    if args.get("factor").and_then(Value::as_str) == Some("unlimited") {
        return Ok(Speed::Unlimited);
    }
    Speed::of_signed(args.number("factor")?).map_err(|fault| match fault {
        SpeedFault::Zero => args.refuse("`factor` is 0, which would stop time; use `pause` for that"),
        SpeedFault::NotANumber | SpeedFault::Negative(_) | SpeedFault::NotPaced(_) => {
            let (slowest, fastest) = Speed::RANGE.into_inner();
            args.refuse(format!("`factor`: {fault}; expected {slowest:e} to {fastest:e}, or `unlimited`"))
        }
    })
}

pub(super) fn log(args: &Args<'_>) -> Result<Action, TriggerError> {
    let text = args.required_text("msg")?;
    if let Some((word, rest)) = args.inline.and(text.split_once(':')) {
        let found = LEVELS.iter().find(|(known, _)| *known == word.trim());
        if let Some((_, level)) = found {
            return Ok(Action::Log { level: *level, text: rest.trim().to_owned() });
        }
    }
    Ok(Action::Log { level: args.choice("level", LEVELS, Level::Info)?, text: text.to_owned() })
}

pub(super) fn insert(args: &Args<'_>) -> Result<Action, TriggerError> {
    let read = |value: &Value| Trigger::read(value, Source::Trigger).transpose();
    Ok(Action::Insert(args.list("triggers")?.iter().filter_map(read).collect::<Result<_, _>>()?))
}

pub(super) fn publish(args: &Args<'_>) -> Result<Action, TriggerError> {
    let message = match args.get("message") {
        None => Value::Object(Default::default()),
        Some(table @ Value::Object(_)) => table.clone(),
        Some(_) => return Err(args.refuse("`message` is not a table with the fields of the message")),
    };
    let type_name = args.text("type")?.map(str::to_owned);
    Ok(Action::Publish(Publish { topic: args.topic("topic")?, type_name, message }))
}

pub(super) fn push_release(args: &Args<'_>) -> Result<Action, TriggerError> {
    let topics = args.texts("buttons")?;
    let topics = topics.iter().map(|topic| args.checked_topic(topic)).collect::<Result<_, _>>()?;
    let duration_ns = args.required_time("duration")?;
    if duration_ns == 0 {
        return Err(args.refuse("`duration` is 0"));
    }
    Ok(Action::PushRelease { topics, duration_ns })
}

pub(super) fn command(args: &Args<'_>) -> Result<Action, TriggerError> {
    let words = match (args.text("command")?, args.text("path")?) {
        (Some(text), None) if args.get("args").is_none() => {
            vec!["sh".to_owned(), "-c".to_owned(), text.to_owned()]
        }
        (None, Some(path)) => {
            let mut words = vec![path.to_owned()];
            if args.get("args").is_some() {
                words.extend(args.texts("args")?);
            }
            words
        }
        _ => return Err(args.refuse("give either `command`, or `path` and perhaps `args`")),
    };
    if words.iter().any(|word| word.contains('\0')) || words.first().is_some_and(String::is_empty) {
        return Err(args.refuse("the name of the program is missing, or it or an argument contains a NUL"));
    }
    Ok(Action::Command(Command {
        words,
        mode: args.choice("mode", MODES, CommandMode::Sync)?,
        log_output: args.choice("log_output", LOG_OUTPUTS, LogOutput::OnError)?,
        ignore_failure: args.flag("ignore_failure")?,
    }))
}

impl Action {
    /// Reads an action.
    ///
    /// # Errors
    /// Returns an error if there is no such action, or if its arguments are invalid.
    pub fn read(value: &Value) -> Result<Self, TriggerError> {
        let args = Args::of("action", value)?;
        if let Some(kind) = ACTIONS.iter().find(|kind| kind.name == args.name) {
            return args.read(kind);
        }
        let known = quoted(ACTIONS.iter().map(|kind| kind.name));
        Err(TriggerError::UnknownAction { name: args.name.to_owned(), known })
    }
}
