//! Events of triggers: the table of names, and the parsed values. Plain values.

use serde_json::{Map, Value, json};

use super::args::{Args, Kind, quoted};
use super::condition::Condition;
use super::error::TriggerError;
use super::seconds;
use super::seconds::seconds_text;

/// The event of a trigger.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// A lifecycle signal.
    Signal(Signal),
    /// A simulated time, nanoseconds.
    Time(i64),
    /// Simulated time after the submission of the trigger, nanoseconds; 0 is the end of the next step.
    Next(i64),
    /// A message of a topic.
    Topic(Box<TopicEvent>),
}

/// A signal of the lifecycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the table `EVENTS` describes each")]
pub enum Signal {
    Start,
    Stop,
    Success,
    Failure,
    Reset,
    Pause,
    Resume,
    Loop,
}

impl Signal {
    /// Number of signals.
    pub(super) const COUNT: usize = 8;

    /// Its index.
    pub(super) fn index(self) -> usize {
        self as usize
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Success => "success",
            Self::Failure => "failure",
            Self::Reset => "reset",
            Self::Pause => "pause",
            Self::Resume => "resume",
            Self::Loop => "loop",
        }
    }
}

/// A message event.
#[derive(Clone, Debug, PartialEq)]
pub struct TopicEvent {
    /// Name of the event: `topic`, `message`, or the name of a plugin's event.
    pub name: String,
    /// Full name of the topic.
    pub topic: String,
    /// ROS or protobuf name of the topic's type, if nothing else in the world defines it.
    pub type_name: Option<String>,
    /// Path of the field that is compared; `None` for the message itself.
    pub field: Option<String>,
    /// Condition on the field.
    pub is: Condition,
    /// How long the condition must hold, nanoseconds.
    pub held_ns: i64,
    /// True if every matching message fires, not only the first one after a message that does not match.
    pub is_each: bool,
}

/// Every event, in the order of the page on triggers.
pub(super) const EVENTS: &[Kind<Event>] = &[
    signal(
        Signal::Start,
        "All plugins have started and the run begins. A pause takes effect before the first step.",
        |_| Ok(Event::Signal(Signal::Start)),
    ),
    signal(Signal::Loop, "A step begins. It does not fire during a pause.", |_| {
        Ok(Event::Signal(Signal::Loop))
    }),
    Kind {
        name: "time",
        inline: Some("time"),
        keys: &[("time", "simulated time: seconds, or a text with a unit such as `500ms`")],
        meaning: "Simulated time reaches this value: at the end of the step that reaches it. If the value has passed \
                  already, the trigger fires with a warning: at once during a pause, otherwise at the end of the \
                  next step.",
        read: |args| args.required_time("time").map(Event::Time),
    },
    Kind {
        name: "next",
        inline: Some("time"),
        keys: &[("time", "simulated time after the trigger is added; default 0")],
        meaning: "The given time after the trigger is added; without a time, at the next step boundary. The history \
                  contains the resulting `time`.",
        read: |args| Ok(Event::Next(args.time("time")?.unwrap_or_default())),
    },
    Kind {
        name: "topic",
        inline: None,
        keys: &[
            ("topic", "full name of the topic"),
            (
                "field",
                "path of a field, such as `pose.pose.position.x`, `ranges[0]` or `markers.length`; default `data`",
            ),
            (
                "is",
                "an operator and a constant, such as `> -5.0`, `== true` or `!= parked`; or a list of such \
                 conditions, which must all hold",
            ),
            ("held", "how long the condition must hold; default 0"),
            (
                "type",
                "type of the topic, such as `std_msgs/msg/Empty`; needed only if no plugin opens the topic",
            ),
        ],
        meaning: "The condition begins to hold for the field in the messages of the topic, or has held for the time \
                  `held`. A sticky trigger fires again when the condition begins to hold again.",
        read: topic,
    },
    Kind {
        name: "message",
        inline: Some("topic"),
        keys: &[
            ("topic", "full name of the topic"),
            (
                "is",
                "condition on the field `data`; without it every message matches, except for a `std_msgs/msg/Bool` \
                 that is `false`",
            ),
            (
                "type",
                "type of the topic, such as `std_msgs/msg/Empty`; needed only if no plugin opens the topic",
            ),
        ],
        meaning: "A message of the topic matches. In this way plugins and peers raise their own events.",
        read: |args| message(args, "message", args.topic("topic")?),
    },
    signal(
        Signal::Pause,
        "The simulation pauses. A sticky trigger fires again and again during the pause: at least every 20 ms of \
         wall time. Its `log` actions are executed once per pause.",
        |_| Ok(Event::Signal(Signal::Pause)),
    ),
    signal(
        Signal::Resume,
        "The simulation continues after a pause. A pause takes effect before the next step.",
        |_| Ok(Event::Signal(Signal::Resume)),
    ),
    signal(Signal::Reset, "A reset begins. Simulated time is still that before the reset.", |_| {
        Ok(Event::Signal(Signal::Reset))
    }),
    signal(Signal::Success, "The run is declared a success.", |_| Ok(Event::Signal(Signal::Success))),
    signal(Signal::Failure, "The run is declared a failure.", |_| Ok(Event::Signal(Signal::Failure))),
    signal(Signal::Stop, "The run ends, with any outcome.", |_| Ok(Event::Signal(Signal::Stop))),
];

/// Creates the row of an event without arguments.
const fn signal(
    signal: Signal,
    meaning: &'static str,
    read: fn(&Args<'_>) -> Result<Event, TriggerError>,
) -> Kind<Event> {
    let name = match signal {
        Signal::Start => "start",
        Signal::Stop => "stop",
        Signal::Success => "success",
        Signal::Failure => "failure",
        Signal::Reset => "reset",
        Signal::Pause => "pause",
        Signal::Resume => "resume",
        Signal::Loop => "loop",
    };
    Kind { name, inline: None, keys: &[], meaning, read }
}

/// Creates the event of a plugin: a message on the topic of its name.
const OF_PLUGIN: Kind<Event> = Kind {
    name: "<plugin>/<event>",
    inline: Some("is"),
    keys: &[("is", "as in `message`"), ("type", "as in `message`")],
    meaning: "A plugin or peer sends a message on the topic `/<plugin>/<event>`, and it matches.",
    read: |args| {
        message(args, args.name, args.checked_topic(&format!("/{}", args.name.trim_start_matches('/')))?)
    },
};

/// Returns the row for events of plugins, for the page on triggers.
pub(super) fn of_plugin() -> &'static Kind<Event> {
    const { &OF_PLUGIN }
}

fn topic(args: &Args<'_>) -> Result<Event, TriggerError> {
    Ok(Event::Topic(Box::new(TopicEvent {
        name: args.name.to_owned(),
        topic: args.topic("topic")?,
        type_name: args.text("type")?.map(str::to_owned),
        field: Some(args.text("field")?.unwrap_or("data").to_owned()),
        is: Condition::read(args.required("is")?)?,
        held_ns: args.time("held")?.unwrap_or_default(),
        is_each: false,
    })))
}

fn message(args: &Args<'_>, name: &str, topic: String) -> Result<Event, TriggerError> {
    let is = args.get("is").map(Condition::read).transpose()?;
    Ok(Event::Topic(Box::new(TopicEvent {
        name: name.to_owned(),
        topic,
        type_name: args.text("type")?.map(str::to_owned),
        field: is.is_some().then(|| "data".to_owned()),
        is: is.unwrap_or_default(),
        held_ns: 0,
        is_each: true,
    })))
}

impl Event {
    /// Reads an event.
    ///
    /// # Errors
    /// Returns an error if there is no such event, or if its arguments are invalid.
    pub fn read(value: &Value) -> Result<Self, TriggerError> {
        let args = Args::of("event", value)?;
        if let Some(kind) = EVENTS.iter().find(|kind| kind.name == args.name) {
            return args.read(kind);
        }
        if args.name.contains('/') {
            return args.read(&OF_PLUGIN);
        }
        let known = quoted(EVENTS.iter().map(|kind| kind.name));
        Err(TriggerError::UnknownEvent { name: args.name.to_owned(), known })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Event::Signal(signal) => signal.name(),
            Event::Time(_) => "time",
            Event::Next(_) => "next",
            Event::Topic(topic) => &topic.name,
        }
    }

    /// Returns the event as a table that can be parsed again.
    #[must_use]
    pub fn to_json(&self) -> Value {
        match self {
            Event::Signal(_) => json!({ "name": self.name() }),
            Event::Time(time_ns) | Event::Next(time_ns) => {
                json!({ "name": self.name(), "time": seconds::as_number(*time_ns) })
            }
            Event::Topic(topic) => topic.to_json(),
        }
    }

    /// Returns a short text for causes and logs: `time=2s`.
    #[must_use]
    pub fn summary(&self) -> String {
        match self {
            Event::Signal(signal) => signal.name().to_owned(),
            Event::Time(time_ns) | Event::Next(time_ns) => {
                format!("{}={}", self.name(), seconds_text(*time_ns))
            }
            Event::Topic(topic) if topic.is_each => topic.name.clone(),
            Event::Topic(topic) => {
                let is = topic.is.to_json();
                let is = is.as_str().map_or_else(|| is.to_string(), str::to_owned);
                format!("{} {} {is}", topic.topic, topic.field.as_deref().unwrap_or_default())
            }
        }
    }
}

impl TopicEvent {
    fn to_json(&self) -> Value {
        let mut entries = Map::new();
        entries.insert("name".to_owned(), json!(self.name));
        if matches!(self.name.as_str(), "topic" | "message") {
            entries.insert("topic".to_owned(), json!(self.topic));
        }
        if let Some(type_name) = &self.type_name {
            entries.insert("type".to_owned(), json!(type_name));
        }
        if let (false, Some(field)) = (self.is_each, &self.field) {
            entries.insert("field".to_owned(), json!(field));
        }
        if !self.is.is_empty() {
            entries.insert("is".to_owned(), self.is.to_json());
        }
        if self.held_ns > 0 {
            entries.insert("held".to_owned(), json!(seconds_text(self.held_ns)));
        }
        Value::Object(entries)
    }
}
