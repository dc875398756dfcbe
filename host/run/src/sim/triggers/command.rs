//! Programs that triggers run, if the configuration allows it.

use std::process::{Output, Stdio};
use std::time::Duration;

use crate::thread;
use crate::thread::Named;
use crate::trigger::{Command, CommandMode, LogOutput};

/// A program that runs in the background.
struct Running {
    command: Command,
    title: String,
    thread: Named<std::io::Result<Output>>,
}

/// The programs that triggers run in the background.
#[derive(Default)]
pub(super) struct Programs {
    running: Vec<Running>,
}

impl Programs {
    /// Runs a program; if that is not allowed, only logs the command. Returns a failure that must end the run.
    pub(super) fn run(&mut self, command: &Command, title: &str, is_allowed: bool) -> Option<String> {
        let text = shown(command);
        if !is_allowed {
            log::warn!(
                "[BH-TRG-033] the trigger `{title}` does not run `{text}`; try: `enable_command_action` in `[triggers]`"
            );
            return None;
        }
        log::info!("trigger `{title}` runs `{text}`");
        if command.mode == CommandMode::Sync {
            return failure_of(command, title, &prepared(command).output());
        }
        let mut child = prepared(command);
        match thread::spawn(format!("cmd:{title}"), move || child.output()) {
            Ok(thread) => {
                self.running.push(Running { command: command.clone(), title: title.to_owned(), thread });
                None
            }
            Err(error) => failure_of(command, title, &Err(error)),
        }
    }

    /// Polls the programs in the background. Returns failures that must end the run.
    pub(super) fn poll(&mut self) -> Vec<String> {
        if self.running.is_empty() {
            return Vec::new();
        }
        let mut failures = Vec::new();
        for Running { command, title, thread } in
            self.running.extract_if(.., |running| running.thread.is_finished())
        {
            let lost = |_| Err(std::io::Error::other("the thread that waited for it has failed"));
            let output = thread.join(Duration::ZERO).unwrap_or_else(lost);
            if command.mode == CommandMode::Async {
                failures.extend(failure_of(&command, &title, &output));
            }
        }
        failures
    }
}

/// Logs the output of a program as configured. Returns its failure, unless failures are ignored.
fn failure_of(command: &Command, title: &str, output: &std::io::Result<Output>) -> Option<String> {
    let failure = match output {
        Ok(output) if output.status.success() => None,
        Ok(output) => Some(output.status.to_string()),
        Err(error) => Some(error.to_string()),
    };
    let is_logged = match command.log_output {
        LogOutput::Never => false,
        LogOutput::OnError => failure.is_some(),
        LogOutput::Always => true,
    };
    if let (true, Ok(output)) = (is_logged, output) {
        for line in [&output.stdout, &output.stderr].into_iter().flat_map(|bytes| lines(bytes)) {
            log::info!(target: title, "{line}");
        }
    }
    let text = format!("[BH-TRG-034] `{}` of the trigger `{title}` failed: {}", shown(command), failure?);
    if command.ignore_failure {
        log::warn!("{text}");
        return None;
    }
    Some(text)
}

fn prepared(command: &Command) -> std::process::Command {
    let mut words = command.words.iter();
    let mut prepared = std::process::Command::new(words.next().map_or("", String::as_str));
    crate::descriptors::restore_in(prepared.args(words).stdin(Stdio::null()));
    if command.mode == CommandMode::Detach {
        prepared.stdout(Stdio::null()).stderr(Stdio::null());
    }
    prepared
}

/// Returns the command for messages; for a shell command, without the shell.
fn shown(command: &Command) -> String {
    match command.words.as_slice() {
        [shell, flag, text] if shell == "sh" && flag == "-c" => text.clone(),
        words => words.join(" "),
    }
}

/// Returns the lines of a program's output.
fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}
