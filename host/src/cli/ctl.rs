//! `bridgehead ctl`: sends requests to a running host over HTTP and shows the responses. `bridgehead topic` and
//! `bridgehead service` are other words for some of them.
//!
//! A command becomes a [`task`], which calls a service through the [`client`]; [`judge`] interprets the response and
//! [`render`] shows it. Only the declarations of the control plane are used, so that a host on another machine can be
//! used as well. Main thread.

pub(super) mod args;
mod client;
mod error;
mod geometry;
mod input;
mod judge;
mod live;
mod measure;
mod render;
mod service;
mod steps;
mod table;
mod task;
mod text;
mod topic;
mod watch;
mod words;

use serde_json::Value;

use args::{Connection, CtlArguments, ServiceArguments, TopicArguments};
use client::Client;
use error::CtlError;
use task::{Call, Show, Task};

use super::args::Quiet;
use super::console::Console;
use super::{EXIT_CONFIGURATION, printed};
use crate::config::value;
use crate::text::printable;

/// Runs a command of `ctl`; returns the exit code.
pub(super) fn ctl(arguments: &CtlArguments, quiet: Quiet, console: &'static Console) -> u8 {
    let Connection { timeout, .. } = &arguments.connection;
    run(&arguments.connection, timeout, task::task(&arguments.command), quiet, console)
}

/// Runs a command of `topic`; returns the exit code.
pub(super) fn topic(arguments: &TopicArguments, quiet: Quiet, console: &'static Console) -> u8 {
    let Connection { timeout, .. } = &arguments.connection;
    run(&arguments.connection, timeout, task::topic(arguments), quiet, console)
}

/// Runs a command of `service`; returns the exit code. The timeout of `gz service` is a number of milliseconds.
pub(super) fn service(arguments: &ServiceArguments, quiet: Quiet, console: &'static Console) -> u8 {
    let Connection { timeout, .. } = &arguments.connection;
    let is_number = !timeout.is_empty() && timeout.bytes().all(|byte| byte.is_ascii_digit());
    let is_of_gazebo = arguments.command.is_none() && is_number;
    let timeout = if is_of_gazebo { format!("{timeout}ms") } else { timeout.clone() };
    run(&arguments.connection, &timeout, task::service(arguments), quiet, console)
}

fn run(
    connection: &Connection,
    timeout: &str,
    task: Result<Task, CtlError>,
    quiet: Quiet,
    console: &'static Console,
) -> u8 {
    let timeout = match value::duration(timeout) {
        Ok(timeout) => timeout,
        Err(error) => {
            console.line(&error.at("--timeout").to_string());
            return EXIT_CONFIGURATION;
        }
    };
    let Connection { address, token, json, .. } = connection;
    let outcome = task.and_then(|task| {
        let client = Client::new(address, token.as_deref(), timeout)?;
        Session { client, json: *json, quiet, console }.run(&task)
    });
    match outcome {
        Ok(exit_code) => exit_code,
        Err(error) => {
            console.line(&error.report());
            error.exit_code()
        }
    }
}

/// One use of the program.
struct Session {
    client: Client,
    /// Whether responses are shown unchanged.
    json: bool,
    quiet: Quiet,
    console: &'static Console,
}

impl Session {
    fn run(&self, task: &Task) -> Result<u8, CtlError> {
        match task {
            Task::Call(call) => self.call(call),
            Task::Steps(steps) => steps::run(self, *steps),
            Task::Follow { topic, rate, count, must_exist } => {
                if *must_exist {
                    topic::find(self, topic)?;
                }
                watch::follow(self, topic, *rate, *count)
            }
            Task::Publish(order) => topic::publish(self, order),
            Task::TopicInfo(topic) => topic::info(self, topic),
            Task::Measure { topic, count } => measure::run(self, topic, *count),
            Task::Watch { rate } => watch::watch(self, *rate),
            Task::Services => self.services(),
            Task::ServiceNames { types } => service::names(self, *types),
            Task::ServiceInfo(service) => service::info(self, service),
            Task::Request(order) => service::call(self, order),
        }
    }

    /// Prints the requested output; returns the exit code.
    fn print(&self, text: &str) -> u8 {
        printed(text, 0, EXIT_CONFIGURATION, self.console)
    }

    fn call(&self, call: &Call) -> Result<u8, CtlError> {
        let Call { service, request, show } = call;
        if self.json || *show == Show::Json {
            let answer = self.client.post(service, request)?;
            // Programs also get the unchanged refusal.
            let exit_code = self.print(&format!("{}\n", answer.text.trim_end()));
            return judge::of_service(&self.client, (service, request), answer).map(|_| exit_code);
        }
        let answer = self.client.call(service, request)?;
        let text = match show {
            Show::Member(member) => {
                format!("{}\n", answer.json.get(*member).and_then(Value::as_str).unwrap_or_default())
            }
            Show::Endpoints => render::endpoints(&answer.json),
            Show::Topics { types } => render::names(&answer.json, ("topics", "topic"), *types),
            Show::All | Show::Json => render::answer(service, &answer.json),
        };
        if text.is_empty() && self.quiet == Quiet::Nothing {
            self.console.line("(none)");
        }
        Ok(self.print(&printable(&text)))
    }

    /// Lists services with the commands that use them.
    fn services(&self) -> Result<u8, CtlError> {
        let answer = judge::of_service(&self.client, ("", &Value::Null), self.client.get("")?)?;
        if self.json {
            return Ok(self.print(&format!("{}\n", answer.text.trim_end())));
        }
        Ok(self.print(&printable(&render::services(&answer.json, table::command_of))))
    }
}

#[cfg(test)]
mod tests;
