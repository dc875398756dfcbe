//! What a command asks for: one request, or what is made of several. Plain data.

use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::ctl::input::Message;

/// The task of a command.
#[derive(Debug, PartialEq)]
pub(in crate::cli::ctl) enum Task {
    /// Call a service once.
    Call(Call),
    /// Run steps and show the progress.
    Steps(u64),
    /// Print the messages of a topic as they arrive, all or a given number; one field of them unless it is empty. A topic
    /// that need not exist is waited for.
    Follow { topic: String, field: String, rate: Option<f64>, count: Option<u64>, must_exist: bool },
    /// Publish several messages, or one that is not JSON.
    Publish(Publish),
    /// Show a topic.
    TopicInfo(String),
    /// Print the type of a topic.
    TopicType(String),
    /// Measure the rate of a topic, without end or a given number of times.
    Measure { topic: String, count: Option<u64> },
    /// Show state and statistics, with a largest rate per second.
    Watch { rate: Option<f64> },
    /// List services.
    Services,
    /// List the names of services.
    ServiceNames { types: bool },
    /// Show a service.
    ServiceInfo(String),
    /// Call a service whose type is given, or with a request that is not JSON.
    Request(Request),
}

/// One request.
#[derive(Debug, PartialEq)]
pub(in crate::cli::ctl) struct Call {
    /// Default name of the service.
    pub(in crate::cli::ctl) service: String,
    /// Its request, with ROS field names.
    pub(in crate::cli::ctl) request: Value,
    /// The part of the response that is shown.
    pub(in crate::cli::ctl) show: Show,
}

/// The part of a response that is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli::ctl) enum Show {
    /// All of it, for people.
    All,
    /// A member with JSON, unchanged.
    Member(&'static str),
    /// The addresses of bridges.
    Endpoints,
    /// The names of topics, with or without their types.
    Topics { types: bool },
    /// The names of the topics of a type.
    TopicsOf { type_name: String },
    /// All of it as JSON.
    Json,
}

/// Messages that are published one after the other, or one that is not JSON.
#[derive(Debug, PartialEq)]
pub(in crate::cli::ctl) struct Publish {
    /// Full name of the topic.
    pub(in crate::cli::ctl) topic: String,
    /// ROS name of the type; empty for that of the topic.
    pub(in crate::cli::ctl) type_name: String,
    pub(in crate::cli::ctl) message: Message,
    /// The number of messages; `None` until Ctrl-C.
    pub(in crate::cli::ctl) count: Option<u64>,
    /// Time between two messages.
    pub(in crate::cli::ctl) period: Duration,
}

/// A call of a service whose type is given, or with a request that is not JSON.
#[derive(Debug, PartialEq)]
pub(in crate::cli::ctl) struct Request {
    /// Name of the service.
    pub(in crate::cli::ctl) service: String,
    /// ROS name of its type; empty if it is not given.
    pub(in crate::cli::ctl) type_name: String,
    pub(in crate::cli::ctl) message: Message,
    /// Whether the request is a message of Gazebo, which is a member of the request here.
    pub(in crate::cli::ctl) is_of_gazebo: bool,
}

/// Returns a request whose response is shown for people.
pub(super) fn call(service: &str, request: Value) -> Call {
    Call { service: service.to_owned(), request, show: Show::All }
}

/// Returns the request that publishes a message in JSON. If the type is given, a missing topic is created.
pub(in crate::cli::ctl) fn publication(topic: &str, type_name: &str, json: &str) -> Call {
    call(
        "publish_message",
        json!({"topic": topic, "type": type_name, "json": json, "create": !type_name.is_empty()}),
    )
}
