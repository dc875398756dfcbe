//! `bridgehead run`: combines flags, environment and file into a configuration, runs it, and writes the result.
//!
//! The simulation itself is in `sim`; only this file calls it. Main thread.

use std::path::Path;
use std::sync::Arc;

use bridgehead_lifecycle::{Cause, Interrupt, Outcome, Request};

use super::args::RunArguments;
use super::args::verbosity::Quiet;
use super::configuration::layers;
use super::console::Console;
use super::error::CliError;
use super::finding::finding;
use super::hang::{FallbackResult, end_if_silent, leave, watch_calls, watch_states};
use super::printed::EXIT_CONFIGURATION;
use super::targets::Targets;
use super::watch::{ConsoleWatcher, clear};
use super::world_file::world_file;
use super::{browser, keyboard, signals};
use crate::api::Shared;
use crate::bus::Moment;
use crate::config::{ConfigErrors, Layers, RunConfig};
use crate::control::Control;
use crate::report::RunResult;
use crate::sim::{SimError, Simulation};
use crate::step_channel::{StepChannel, WithStepChannel};
use crate::supervisor::Remainder;
use crate::web::{HttpConfig, Server};
use crate::{call, crash, descriptors, guard, memory, supervisor};

/// Runs in a process of its own, which this one watches; returns the exit code.
pub(super) fn run(arguments: &RunArguments, quiet: Quiet, console: &'static Console) -> u8 {
    supervisor::supervise(
        || run_here(arguments, quiet, console),
        |remainder| report_remainder(arguments, remainder, console),
    )
}

/// Says and writes what the process of the run has not.
fn report_remainder(arguments: &RunArguments, remainder: &Remainder, console: &Console) {
    if let Some(unsaid) = &remainder.unsaid {
        console.line(&finding("error", "", unsaid));
    }
    if !remainder.lacks_result {
        return;
    }
    let (layers, _) = layers(arguments);
    let settings = layers.merged().run;
    let targets = Targets::not_begun(settings.result, settings.junit).writable();
    let world = settings.world.map(|path| path.display().to_string()).unwrap_or_default();
    let now = Moment { step: remainder.step, time_ns: remainder.time_ns, ..Moment::default() };
    let result = RunResult::aborted(world, settings.seed.unwrap_or_default(), now, remainder.cause.clone());
    // If the process has said everything, then also that its result cannot be written.
    if let Err(error) = targets.write(&RunResult { exit_code: remainder.exit_code, ..result })
        && remainder.unsaid.is_some()
    {
        console.line(&error.to_string());
    }
}

fn run_here(arguments: &RunArguments, quiet: Quiet, console: &'static Console) -> u8 {
    memory::limit_arenas();
    descriptors::raise();
    let (layers, outcome) = layers(arguments);
    let page = PageOptions { is_chosen: arguments.flags.is_given("--http"), opens: arguments.open };
    match guard::catch(|| try_run(layers.clone(), outcome, page, quiet, console)) {
        Ok(Ok(exit_code)) => exit_code,
        Err(panic) => {
            console.line(&finding("error", "", &SimError::Panicked(panic).to_string()));
            Outcome::Aborted.exit_code(false)
        }
        Ok(Err(error)) => {
            clear(console);
            console.line(&error.to_string());
            report_not_begun(layers, &error, console);
            EXIT_CONFIGURATION
        }
    }
}

/// What the command line says of the page.
#[derive(Clone, Copy)]
struct PageOptions {
    /// True if its address was given.
    is_chosen: bool,
    /// True if it is to be opened in a browser.
    opens: bool,
}

fn try_run(
    layers: Layers,
    outcome: Result<(), ConfigErrors>,
    page: PageOptions,
    quiet: Quiet,
    console: &'static Console,
) -> Result<u8, CliError> {
    outcome?;
    let config = with_world(layers.into_config()?)?;
    let targets = Targets::of(&config);
    targets.check()?;
    let mut watcher = ConsoleWatcher::new(console, quiet, config.duration);
    make_folder(&config.output)?;
    let server = HttpConfig::of(&config.http, page.is_chosen)?;
    let result = simulate(config, (server, page.opens), (quiet, console), &mut watcher)?;
    // Printing may wait for a reader, so the result comes first.
    let written = targets.write(&result);
    watcher.finished(&result);
    // The run was carried out, although its result cannot be written.
    let Err(error) = written else { return Ok(result.exit_code) };
    console.line(&error.to_string());
    Ok(if result.exit_code == 0 { EXIT_CONFIGURATION } else { result.exit_code })
}

/// Makes the folder of the output files, if it is missing.
fn make_folder(output: &Path) -> Result<(), CliError> {
    if output.exists() {
        return Ok(());
    }
    let what = "the folder of `--output` cannot be made";
    std::fs::create_dir_all(output).map_err(|source| CliError::System { what, source })
}

/// Replaces the address of the world by its file.
fn with_world(config: RunConfig) -> Result<RunConfig, CliError> {
    let world = config.world.as_deref().map(|world| world_file(world, &config.worlds)).transpose()?;
    Ok(RunConfig { world, ..config })
}

/// Writes the result of a run that could not start, if its path is known. The cause has been reported already.
fn report_not_begun(layers: Layers, error: &CliError, console: &Console) {
    let settings = layers.merged();
    let targets = Targets::not_begun(settings.run.result, settings.run.junit).writable();
    let world = settings.run.world.map(|path| path.display().to_string()).unwrap_or_default();
    let result = RunResult::not_begun(world, settings.run.seed.unwrap_or_default(), error.findings());
    if let Err(error) = targets.write(&result) {
        console.line(&error.to_string());
    }
}

/// Calls the simulation. Signals are handled before plugins are loaded, which may take long.
fn simulate(
    config: RunConfig,
    (server, opens_page): (HttpConfig, bool),
    (quiet, console): (Quiet, &'static Console),
    watcher: &mut ConsoleWatcher,
) -> Result<RunResult, CliError> {
    let shared = Shared::new(config.seed);
    super::log::keep_for(&shared);
    let last = FallbackResult::new(&config, &shared);
    watch_signals(&shared, last.clone())?;
    let _watch = crash::watch();
    call::keep(crash::give_up);
    if config.check_plugins {
        call::check_thoroughly();
    }
    let at_end = last.clone();
    crash::at_end(move |cause, exit_code| at_end.write(cause, exit_code));
    let _calls = watch_calls(config.call_timeout, last.clone())?;
    let _states = watch_states(&config, last.clone())?;
    let shows_status = quiet == Quiet::Nothing && console.is_terminal();
    let _keys = shows_status.then(|| keyboard::listen(&config.keyboard, &shared)).flatten();
    let mut control = Control::new(&shared, &config.services)?;
    let server = Server::start(server, control.handle())?;
    if opens_page {
        browser::open(server.as_ref().map(Server::address));
    }
    let channel = config.step_channel.as_deref().map(StepChannel::open).transpose()?;
    let run = Simulation::new(config, shared);
    let result = run.and_then(|run| match channel {
        None => run.run(watcher, &mut control),
        Some(channel) => run.run(watcher, &mut WithStepChannel::new(&mut control, channel)),
    });
    if let Err(error @ SimError::Panicked(_)) = &result {
        leave(&last, &error.to_string());
    }
    // Dropping the control plane answers all pending requests; the server then sends these responses.
    drop(control);
    drop(server);
    Ok(result?)
}

fn watch_signals(shared: &Arc<Shared>, last: FallbackResult) -> Result<(), CliError> {
    let (shared, at_deadline) = (Arc::clone(shared), last.clone());
    let quit = move |signal: &'static str| {
        log::info!(
            "{signal}: stopping the run; a second signal after half a second ends the process at once"
        );
        shared.requests.push(Request::new(Interrupt::Quit, Cause::Signal(signal.to_owned())));
        if let Err(error) = end_if_silent(signal, at_deadline) {
            log::error!("no thread ends the process if the run does not: {error}");
        }
    };
    let leave = move |signal: &'static str, exit_code: u8| {
        last.write(
            format!("[BH-SIM-242] {signal} was received a second time: the process ended at once"),
            exit_code,
        );
    };
    signals::watch(quit, leave)
        .map_err(|source| CliError::System { what: "signals cannot be handled", source })
}
