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
mod session;
mod state_names;
mod steps;
mod table;
mod task;
mod text;
mod topic;
mod watch;

use super::args::verbosity::Quiet;
use super::console::Console;
use super::printed::EXIT_CONFIGURATION;
use crate::config::value;
use args::{Connection, CtlArguments, ServiceArguments, TopicArguments};
use client::Client;
use error::CtlError;
use session::Session;
use task::kind::Task;

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
        perform(&Session { client, json: *json, quiet, console }, &task)
    });
    match outcome {
        Ok(exit_code) => exit_code,
        Err(error) => {
            console.line(&error.report());
            error.exit_code()
        }
    }
}

/// Performs a task; returns the exit code.
fn perform(session: &Session, task: &Task) -> Result<u8, CtlError> {
    match task {
        Task::Call(call) => session.call(call),
        Task::Steps(steps) => steps::run(session, *steps),
        Task::Follow { topic, field, rate, count, must_exist } => {
            if *must_exist {
                topic::find(session, topic)?;
            }
            watch::follow(session, topic, field, *rate, *count)
        }
        Task::Publish(order) => topic::publish(session, order),
        Task::TopicInfo(topic) => topic::info(session, topic),
        Task::TopicType(topic) => topic::type_of(session, topic),
        Task::Measure { topic, count } => measure::run(session, topic, *count),
        Task::Watch { rate } => watch::watch(session, *rate),
        Task::Services => session.services(),
        Task::ServiceNames { types } => service::names(session, *types),
        Task::ServiceInfo(service) => service::info(session, service),
        Task::Request(order) => service::call(session, order),
    }
}

#[cfg(test)]
mod tests;
