//! The logger behind the `log` crate: lines on standard error, each with its level and its plugin.
//!
//! `-v` and `-q` set the level, otherwise the variable [`VARIABLE`]. Standard output is not used, since a bridge may write
//! there. Any thread.

use std::sync::{Arc, Mutex};

use log::{Level, LevelFilter, Log, Metadata, Record};

use super::args::verbosity::Verbosity;
use super::console::Console;
use super::finding::finding;
use crate::api::{Shared, SimClock};
use crate::log_feed::LogFeed;
use crate::text::{entry, one_line};
use crate::thread::lock;

/// Environment variable for the log level: a level, or `label=level` pairs, separated by commas.
pub(super) const VARIABLE: &str = "BRIDGEHEAD_LOG";

/// Targets of the host itself begin with this; those of plugins are the labels of their instances.
const HOST_TARGET: &str = "bridgehead";

/// Sends log lines to the console. Only the first call in a process has an effect.
pub(super) fn install(console: &'static Console, verbosity: &Verbosity) {
    let environment = std::env::var(VARIABLE).unwrap_or_default();
    let (filter, warning) = Filter::choose(verbosity, &environment);
    log::set_max_level(filter.most());
    let is_first = log::set_boxed_logger(Box::new(Logger { console, filter })).is_ok();
    if let Some(warning) = warning.filter(|_| is_first) {
        log::warn!("{warning}");
    }
}

/// Where the lines of a run go, besides the console, and the clock that dates them.
type Destination = (Arc<LogFeed>, Arc<SimClock>);

/// The destination of the newest run: the logger, too, is one for the process.
static DESTINATION: Mutex<Option<Destination>> = Mutex::new(None);

/// Keeps lines for the clients of a run.
pub(super) fn keep_for(shared: &Shared) {
    *lock(&DESTINATION) = Some((Arc::clone(&shared.log), Arc::clone(&shared.clock)));
}

/// Keeps a line for clients: its text, after the label of a plugin.
fn keep(level: Level, target: &str, text: &str) {
    let destination = lock(&DESTINATION).clone();
    if let Some((feed, clock)) = destination {
        let (now, _) = clock.read();
        let label = label(level, target);
        let message = if label.is_empty() { text.to_owned() } else { format!("{label}: {text}") };
        feed.push(level, &message, now.time_ns);
    }
}

struct Logger {
    console: &'static Console,
    filter: Filter,
}

impl Log for Logger {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        self.filter.allows(metadata.level(), metadata.target())
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata()) {
            let text = record.args().to_string();
            let (target, text) = (one_line(record.target()), entry(&text));
            let line = line(record.level(), &target, &text, self.console.has_colours());
            self.console.tell(&format!("{line}\n"));
            keep(record.level(), &target, &text);
        }
    }

    fn flush(&self) {}
}

/// The levels that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Filter {
    base: LevelFilter,
    /// Prefixes of targets with a level of their own.
    targets: Vec<(String, LevelFilter)>,
}

impl Filter {
    const DEFAULT: LevelFilter = LevelFilter::Info;

    /// Flags override the environment. Returns a warning if the variable is malformed.
    fn choose(verbosity: &Verbosity, environment: &str) -> (Self, Option<String>) {
        let base = match (verbosity.verbose, verbosity.quiet) {
            (0, 0) => return Filter::parse(environment),
            (0, 1) => LevelFilter::Warn,
            (0, _) => LevelFilter::Error,
            (1, _) => LevelFilter::Debug,
            (_, _) => LevelFilter::Trace,
        };
        (Filter { base, targets: Vec::new() }, None)
    }

    fn parse(text: &str) -> (Self, Option<String>) {
        let mut filter = Filter { base: Self::DEFAULT, targets: Vec::new() };
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let (target, level) = part.rsplit_once('=').unwrap_or(("", part));
            match level.parse::<LevelFilter>() {
                Ok(level) if target.is_empty() => filter.base = level,
                Ok(level) => filter.targets.push((target.to_owned(), level)),
                Err(_) => return (filter, Some(warning(part))),
            }
        }
        (filter, None)
    }

    /// Returns the most detailed level of all targets.
    fn most(&self) -> LevelFilter {
        self.targets.iter().map(|(_, level)| *level).fold(self.base, Ord::max)
    }

    fn allows(&self, level: Level, target: &str) -> bool {
        let matching = self.targets.iter().filter(|(start, _)| target.starts_with(start.as_str()));
        let longest = matching.max_by_key(|(start, _)| start.len());
        level <= longest.map_or(self.base, |(_, level)| *level)
    }
}

fn warning(part: &str) -> String {
    format!(
        "{VARIABLE}: `{part}` is malformed; expected a level (off, error, warn, info, debug, trace) \
         or pairs such as `car1/logging=debug`, separated by commas"
    )
}

/// Returns the label of a line. Lines of the host have one only in detailed logs.
fn label(level: Level, target: &str) -> &str {
    let is_host = target.starts_with(HOST_TARGET) && level < Level::Debug;
    if is_host { "" } else { target }
}

/// Returns one log line.
fn line(level: Level, target: &str, text: &str, has_colours: bool) -> String {
    let line = finding(word(level), label(level, target), text);
    match line.split_once(": ") {
        Some((head, rest)) if has_colours => format!("{}{head}:\x1b[0m {rest}", colour(level)),
        Some(_) | None => line,
    }
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warn => "warning",
        Level::Info => "info",
        Level::Debug => "debug",
        Level::Trace => "trace",
    }
}

fn colour(level: Level) -> &'static str {
    match level {
        Level::Error => "\x1b[1;31m",
        Level::Warn => "\x1b[1;33m",
        Level::Info => "\x1b[1;32m",
        Level::Debug | Level::Trace => "\x1b[2m",
    }
}

#[cfg(test)]
mod tests;
