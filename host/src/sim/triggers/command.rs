//! Programs that triggers run, where the configuration allows it.

use std::process::{Output, Stdio};
use std::time::Duration;

use bridgehead_lifecycle::{Cause, Interrupt, Request};

use crate::sim::Simulation;
use crate::thread::{self, Named};
use crate::trigger::{Command, CommandMode, LogOutput};

/// A program that runs beside the simulation.
pub(super) struct Running {
    command: Command,
    title: String,
    thread: Named<std::io::Result<Output>>,
}

impl Simulation {
    /// Runs a program, or says in the log what would have been run.
    pub(super) fn run_command(&mut self, command: &Command, title: &str) {
        let text = shown(command);
        if !self.config.enable_command_action {
            log::warn!(
                "[BH-TRG-033] the trigger `{title}` does not run `{text}`: set `enable_command_action` in `[triggers]` to allow it"
            );
            return;
        }
        log::info!("trigger `{title}` runs `{text}`");
        if command.mode == CommandMode::Sync {
            let output = prepared(command).output();
            return self.judge_command(command, title, &output);
        }
        let mut child = prepared(command);
        match thread::spawn(format!("cmd:{title}"), move || child.output()) {
            Ok(thread) => {
                self.triggers.running.push(Running {
                    command: command.clone(),
                    title: title.to_owned(),
                    thread,
                });
            }
            Err(error) => self.judge_command(command, title, &Err(error)),
        }
    }

    /// Hears of programs that have ended.
    pub(super) fn tend_commands(&mut self) {
        if self.triggers.running.is_empty() {
            return;
        }
        let ended: Vec<Running> =
            self.triggers.running.extract_if(.., |running| running.thread.is_finished()).collect();
        for Running { command, title, thread } in ended {
            let lost = |_| Err(std::io::Error::other("the thread that waited for it is gone"));
            let output = thread.join(Duration::ZERO).unwrap_or_else(lost);
            if command.mode == CommandMode::Async {
                self.judge_command(&command, &title, &output);
            }
        }
    }

    fn judge_command(&mut self, command: &Command, title: &str, output: &std::io::Result<Output>) {
        let failure = match output {
            Ok(output) if output.status.success() => None,
            Ok(output) => Some(output.status.to_string()),
            Err(error) => Some(error.to_string()),
        };
        let shows = match command.log_output {
            LogOutput::Never => false,
            LogOutput::OnError => failure.is_some(),
            LogOutput::Always => true,
        };
        if let (true, Ok(output)) = (shows, output) {
            for line in [&output.stdout, &output.stderr].into_iter().flat_map(|bytes| lines(bytes)) {
                log::info!(target: title, "{line}");
            }
        }
        let Some(why) = failure else { return };
        let text = format!("[BH-TRG-034] `{}` of the trigger `{title}` failed: {why}", shown(command));
        if command.ignore_failure {
            log::warn!("{text}");
        } else {
            self.note_error(text.clone());
            self.shared.requests.push(Request::new(Interrupt::Abort, Cause::Host(text)));
        }
    }
}

fn prepared(command: &Command) -> std::process::Command {
    let mut words = command.words.iter();
    let mut prepared = std::process::Command::new(words.next().map_or("", String::as_str));
    prepared.args(words).stdin(Stdio::null());
    if command.mode == CommandMode::Detach {
        prepared.stdout(Stdio::null()).stderr(Stdio::null());
    }
    prepared
}

/// The command for a message: that of a shell without the shell.
fn shown(command: &Command) -> String {
    match command.words.as_slice() {
        [shell, flag, text] if shell == "sh" && flag == "-c" => text.clone(),
        words => words.join(" "),
    }
}

/// The lines of what a program wrote.
fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}
