//! `bridgehead ctl`: sends requests to a running host over HTTP and shows the responses.
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
mod render;
mod steps;
mod table;
mod task;
mod watch;
mod words;

use serde_json::Value;

use args::{Connection, CtlArguments};
use client::Client;
use error::CtlError;
use task::{Call, Show, Task};

use super::args::Quiet;
use super::console::Console;
use super::{EXIT_CONFIGURATION, printed};
use crate::config::value;
use crate::text::printable;

/// Runs a command; returns the exit code.
pub(super) fn ctl(arguments: &CtlArguments, quiet: Quiet, console: &'static Console) -> u8 {
    let timeout = match value::duration(&arguments.connection.timeout) {
        Ok(timeout) => timeout,
        Err(error) => {
            console.line(&error.at("--timeout").to_string());
            return EXIT_CONFIGURATION;
        }
    };
    let Connection { address, token, json, .. } = &arguments.connection;
    let outcome = task::task(&arguments.command).and_then(|task| {
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
            Task::Follow { topic, rate, count } => watch::follow(self, topic, *rate, *count),
            Task::Watch { rate } => watch::watch(self, *rate),
            Task::Services => self.services(),
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
