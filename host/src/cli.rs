//! The command line: arguments and output of the program.
//!
//! Each subcommand has its own file; [`main`] selects one and returns the exit code of the process. `sim` simulates,
//! `plugin` checks plugins. Runs on the main thread.

mod args;
mod browser;
mod campaign;
mod check;
mod completions;
mod configuration;
mod console;
mod ctl;
mod demo;
mod doctor;
pub mod document;
mod dump;
mod error;
mod finding;
mod hang;
mod human;
mod junit;
mod keyboard;
mod log;
mod plugin;
mod printed;
mod result_file;
mod run;
mod signals;
mod summary;
mod targets;
mod view;
mod watch;
pub mod words;
mod world;
mod world_file;

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;

use clap::FromArgMatches;
use clap::error::ErrorKind;

use crate::config::Code;
use crate::plugin::probe::{Outcome, child};
use crate::worker;
use args::{Arguments, Command, PluginCommand, WorldCommand};
use console::{Console, Stream};
use printed::{printed, sent};

pub use error::CliError;
pub use printed::EXIT_CONFIGURATION;
pub use summary::summary;

/// Runs the command in the arguments, the first of which is the program itself; returns the exit code.
#[must_use]
pub fn main(arguments: &[OsString]) -> u8 {
    if let Some(request) = child::request(arguments.iter().cloned()) {
        return probe_child(&request);
    }
    if let Some(request) = worker::child::request(arguments.iter().cloned()) {
        return worker::child::run(&request);
    }
    let console = Console::get();
    let arguments = &*with_run(arguments);
    let parsed = args::command().try_get_matches_from(arguments);
    match parsed.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(parsed) => dispatch(parsed, console),
        Err(error) => usage(&error, arguments, console),
    }
}

/// Adds the command `run` if the file of a world is in its place: `bridgehead world.sdf`.
fn with_run(arguments: &[OsString]) -> Cow<'_, [OsString]> {
    let is_world = |word: &OsString| {
        Path::new(word)
            .extension()
            .is_some_and(|kind| ["sdf", "world", "urdf", "xacro"].iter().any(|known| kind == *known))
    };
    match arguments {
        [program, first, ..] if is_world(first) => {
            let run = [program.clone(), "run".into()];
            run.into_iter().chain(arguments.iter().skip(1).cloned()).collect()
        }
        _ => Cow::Borrowed(arguments),
    }
}

/// Checks arguments as [`main`] does, the first of which is the program itself, and runs nothing. For the commands that the
/// documentation contains.
///
/// # Errors
/// Returns the text that the program would print.
pub fn parse(arguments: &[OsString]) -> Result<(), String> {
    let matches = args::command().try_get_matches_from(&*with_run(arguments));
    let parsed = matches.and_then(|matches| Arguments::from_arg_matches(&matches));
    let parsed = match parsed {
        Ok(parsed) => parsed,
        // The version or a help text.
        Err(shown) if !shown.use_stderr() => return Ok(()),
        Err(error) => return Err(error.to_string()),
    };
    if let Command::Run(run) = parsed.command {
        run.settings().1.map_err(|errors| errors.to_string())?;
    }
    Ok(())
}

fn dispatch(parsed: Arguments, console: &'static Console) -> u8 {
    log::install(console, &parsed.verbosity_of_log());
    match parsed.command {
        Command::Campaign { command } => campaign::campaign(&command, parsed.verbosity.quiet(), console),
        Command::Check(check) => check::check(&check, parsed.verbosity.verbose > 0, console),
        Command::Dump(dump) => dump::dump(&dump, console),
        Command::Doctor(arguments) => doctor::doctor(&arguments, console),
        Command::Completions(completions) => completions::completions(&completions, console),
        Command::Ctl(ctl) => ctl::ctl(&ctl, parsed.verbosity.quiet(), console),
        Command::Topic(topic) => ctl::topic(&topic, parsed.verbosity.quiet(), console),
        Command::Service(service) => ctl::service(&service, parsed.verbosity.quiet(), console),
        Command::Run(run) => run::run(&run, parsed.verbosity.quiet(), console),
        Command::Demo(demo) => demo::demo(&demo, parsed.verbosity.quiet(), console),
        Command::View(arguments) => view::view(&arguments, console),
        Command::Plugin { command: PluginCommand::New(new) } => plugin::new(&new, console),
        Command::Plugin { command: PluginCommand::Validate(validate) } => {
            plugin::validate(&validate, console)
        }
        Command::Plugin { command: PluginCommand::Info(info) } => plugin::info(&info, console),
        Command::Plugin { command: PluginCommand::List(list) } => plugin::list(&list, console),
        Command::Plugin { command: PluginCommand::Probe(probe) } => plugin::probe(&probe, console),
        Command::World { command: WorldCommand::Check(check) } => {
            world::check(&check, parsed.verbosity.verbose > 0, console)
        }
        Command::World { command: WorldCommand::Print(print) } => world::print(&print, console),
        Command::World { command: WorldCommand::Save(save) } => world::save(&save, console),
        Command::World { command: WorldCommand::Picture(picture) } => world::picture(&picture, console),
        Command::World { command: WorldCommand::Map(map) } => world::map(&map, console),
    }
}

/// A child process writes its verdict to a file; its exit code shows that it completed.
fn probe_child(request: &child::ChildRequest) -> u8 {
    u8::from(child::run(request, &mut plugin::ProbeHosts::default()).is_err())
}

/// Prints the output of clap: help and version to standard output, an error with its code to standard error.
fn usage(error: &clap::Error, arguments: &[OsString], console: &Console) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Its escape sequences are colours.
            sent(console.print(&console.rendered(Stream::Out, error)), 0, EXIT_CONFIGURATION, console)
        }
        _ => {
            let text = words::answer(arguments, &args::command())
                .unwrap_or_else(|| with_code(&console.rendered(Stream::Error, error)));
            console.tell(&text);
            usage_exit_code(arguments)
        }
    }
}

/// Adds the code to an error of clap, which begins with `error:`, followed by an escape sequence if it has colours.
fn with_code(text: &str) -> String {
    text.replacen("error:", &format!("error[{}]:", Code::Usage), 1)
}

/// `plugin probe` has its own exit codes, because 1 means a refused plugin there.
fn usage_exit_code(arguments: &[OsString]) -> u8 {
    let mut words = arguments.iter().skip(1).filter(|word| !word.as_encoded_bytes().starts_with(b"-"));
    let is_plugin = words.next().is_some_and(|word| word == "plugin");
    let has_codes_of_probe = |word: &OsString| ["probe", "validate", "info"].iter().any(|name| word == name);
    if is_plugin && words.next().is_some_and(has_codes_of_probe) {
        Outcome::Usage.exit_code()
    } else {
        EXIT_CONFIGURATION
    }
}

/// Returns the command line for the documentation.
#[must_use]
pub fn command() -> clap::Command {
    args::command()
}

#[cfg(test)]
mod tests;
