//! The tasks of `bridgehead topic`. Reads the named files.

use std::time::Duration;

use serde_json::json;

use super::kind::{Call, Publish, Show, Task, call, publication};
use crate::cli::ctl::args::{GazeboTopic, Rate, TopicArguments, TopicCommand, TopicEcho, TopicHz, TopicPub};
use crate::cli::ctl::error::CtlError;
use crate::cli::ctl::input::{self, Message};

/// Interval of messages without a rate, as in ROS 2.
const PERIOD: Duration = Duration::from_secs(1);

/// Returns the task of a command about topics.
///
/// # Errors
/// Returns an error if there is no command or there are two, an argument is invalid, or a file cannot be read.
pub(in crate::cli::ctl) fn topic(arguments: &TopicArguments) -> Result<Task, CtlError> {
    let of_gazebo = of_gazebo(&arguments.gazebo);
    match (&arguments.command, of_gazebo) {
        (Some(command), None) => of_command(command),
        (None, Some(task)) => task,
        (command, _) => Err(CtlError::Command { group: "topic", has_two: command.is_some() }),
    }
}

fn of_command(command: &TopicCommand) -> Result<Task, CtlError> {
    Ok(match command {
        TopicCommand::List(types) => names(types.types),
        TopicCommand::Echo(TopicEcho { topic, once, count, field, rate: Rate { rate } }) => {
            follow(topic, field, *rate, if *once { Some(1) } else { *count })
        }
        TopicCommand::Type(topic) => Task::TopicType(topic.topic.clone()),
        TopicCommand::Find { type_name } => {
            let show = Show::TopicsOf { type_name: ros_type(type_name, "msg") };
            Task::Call(Call { show, ..call("get_topics", json!({})) })
        }
        TopicCommand::Info(topic) => Task::TopicInfo(topic.topic.clone()),
        TopicCommand::Hz(TopicHz { topic, count }) => Task::Measure { topic: topic.clone(), count: *count },
        TopicCommand::Pub(arguments) => published(arguments)?,
    })
}

/// Returns the task of the options of Gazebo; `None` if there are none.
fn of_gazebo(options: &GazeboTopic) -> Option<Result<Task, CtlError>> {
    let topic = options.topic.as_deref().unwrap_or_default();
    if options.list {
        return Some(Ok(names(false)));
    }
    if options.info {
        return Some(Ok(Task::TopicInfo(topic.to_owned())));
    }
    if options.echo {
        return Some(Ok(follow(topic, "", None, options.num)));
    }
    if options.frequency {
        return Some(Ok(Task::Measure { topic: topic.to_owned(), count: options.num }));
    }
    let text = options.publish.as_deref()?;
    Some(input::message(text).and_then(|message| {
        let times = options.num.map(|count| (Some(count), PERIOD));
        publish(topic, &options.msgtype, message, times)
    }))
}

fn names(types: bool) -> Task {
    Task::Call(Call { show: Show::Topics { types }, ..call("get_topics", json!({})) })
}

fn follow(topic: &str, field: &str, rate: Option<f64>, count: Option<u64>) -> Task {
    Task::Follow { topic: topic.to_owned(), field: field.to_owned(), rate, count, must_exist: true }
}

fn published(arguments: &TopicPub) -> Result<Task, CtlError> {
    let TopicPub { topic, words, once: _, rate, count } = arguments;
    let (type_name, message) = match words.as_slice() {
        [type_name, message] => (type_name.as_str(), input::message(message)?),
        [type_name] if is_type(type_name) => (type_name.as_str(), input::message("{}")?),
        [message, ..] => ("", input::message(message)?),
        [] => ("", input::message("{}")?),
    };
    let period = rate.map(period).transpose()?;
    let is_repeated = count.is_some() || period.is_some();
    publish(topic, type_name, message, is_repeated.then_some((*count, period.unwrap_or(PERIOD))))
}

/// Returns the time between two messages.
fn period(rate_hz: f64) -> Result<Duration, CtlError> {
    Duration::try_from_secs_f64(1.0 / rate_hz).ok().filter(|period| !period.is_zero()).ok_or_else(|| {
        let why = "expected messages per second, more than 0".to_owned();
        CtlError::Numbers { text: rate_hz.to_string(), expected: "rate", why }
    })
}

/// Returns the task that publishes a message once, or several times with a period. Once in JSON, it is one request.
pub(super) fn publish(
    topic: &str,
    type_name: &str,
    message: Message,
    times: Option<(Option<u64>, Duration)>,
) -> Result<Task, CtlError> {
    let type_name = ros_type(type_name, "msg");
    Ok(match (message, times) {
        (Message::Json(text, _), None) => Task::Call(publication(topic, &type_name, &text)),
        (message, times) => {
            let (count, period) = times.unwrap_or((Some(1), PERIOD));
            Task::Publish(Publish { topic: topic.to_owned(), type_name, message, count, period })
        }
    })
}

/// Returns true if a word is the ROS name of a message type, `package/msg/Name`.
fn is_type(word: &str) -> bool {
    let is_name =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    matches!(word.split('/').collect::<Vec<_>>().as_slice(), [package, "msg", name] if is_name(package) && is_name(name))
}

/// Returns a type as ROS 2 names it in full. The types of Gazebo have no names here: the topic or service has a type.
pub(super) fn ros_type(name: &str, kind: &str) -> String {
    if is_of_gazebo(name) {
        return String::new();
    }
    match name.split_once('/') {
        Some((package, name)) if !name.contains('/') => format!("{package}/{kind}/{name}"),
        _ => name.to_owned(),
    }
}

/// Returns true if a type is one of Gazebo.
pub(super) fn is_of_gazebo(name: &str) -> bool {
    ["gz.msgs.", "ignition.msgs."].iter().any(|prefix| name.starts_with(prefix))
}
