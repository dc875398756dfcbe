//! One use of the program: the host, and how its responses are printed. Main thread.

use serde_json::Value;

use super::client::Client;
use super::error::CtlError;
use super::task::kind::{Call, Show};
use super::{judge, render, table};
use crate::cli::args::verbosity::Quiet;
use crate::cli::console::Console;
use crate::cli::printed::{EXIT_CONFIGURATION, printed};
use crate::text::printable;

/// One use of the program.
pub(super) struct Session {
    pub(super) client: Client,
    /// Whether responses are shown unchanged.
    pub(super) json: bool,
    pub(super) quiet: Quiet,
    pub(super) console: &'static Console,
}

impl Session {
    /// Prints the requested output; returns the exit code.
    pub(super) fn print(&self, text: &str) -> u8 {
        printed(text, 0, EXIT_CONFIGURATION, self.console)
    }

    pub(super) fn call(&self, call: &Call) -> Result<u8, CtlError> {
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
            Show::TopicsOf { type_name } => render::topics_of(&answer.json, type_name),
            Show::All | Show::Json => render::answer(service, &answer.json),
        };
        if text.is_empty() && self.quiet == Quiet::Nothing {
            self.console.line("(none)");
        }
        Ok(self.print(&printable(&text)))
    }

    /// Lists services with the commands that use them.
    pub(super) fn services(&self) -> Result<u8, CtlError> {
        let answer = judge::of_service(&self.client, ("", &Value::Null), self.client.get("")?)?;
        if self.json {
            return Ok(self.print(&format!("{}\n", answer.text.trim_end())));
        }
        Ok(self.print(&printable(&render::services(&answer.json, table::command_of))))
    }
}
