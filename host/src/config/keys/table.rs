//! The rows of the table of keys.

use std::path::PathBuf;

use serde_json::Value;

use super::{Form, Key};
use crate::config::control::{HttpAddress, TIMEOUTS};
use crate::config::file::Table;
use crate::config::{Secret, services, value};
use crate::duration::duration_text;

/// A row: the field of `Settings`, how it is read, and how it is shown.
macro_rules! row {
    ($section:literal, $name:literal, $form:expr, $field:ident, $read:expr, $show:expr, $without:literal, $flag:literal, $meaning:literal) => {
        Key {
            section: $section,
            name: $name,
            form: $form,
            without: $without,
            meaning: $meaning,
            flag: $flag,
            read: |table, key, settings| settings.$field = value_of(table, key, $read),
            show: |settings, _| settings.$field.as_ref().map($show),
        }
    };
}

/// A row of a word out of a list.
macro_rules! choice {
    ($section:literal, $name:literal, $words:expr, $field:ident, $parse:path, $known:path, $flag:literal, $meaning:literal) => {
        row!(
            $section,
            $name,
            Form::Choice($words),
            $field,
            |t, k| t.parsed(k, $parse),
            |choice| Value::from(value::word($known, *choice)),
            "",
            $flag,
            $meaning
        )
    };
}

macro_rules! path {
    ($name:literal, $field:ident, $without:literal, $flag:literal, $meaning:literal) => {
        path!("run", $name, $field, $without, $flag, $meaning)
    };
    ($section:literal, $name:literal, $field:ident, $without:literal, $flag:literal, $meaning:literal) => {
        row!($section, $name, Form::Path, $field, path, shown_path, $without, $flag, $meaning)
    };
}

macro_rules! time {
    ($name:literal, $field:ident, $without:literal, $flag:literal, $meaning:literal) => {
        row!(
            "run",
            $name,
            Form::Time,
            $field,
            |t, k| t.parsed(k, value::duration),
            |time| Value::from(duration_text(*time)),
            $without,
            $flag,
            $meaning
        )
    };
}

macro_rules! flag {
    ($section:literal, $name:literal, $field:ident, $flag:literal, $meaning:literal) => {
        row!(
            $section,
            $name,
            Form::Boolean,
            $field,
            |t, k| t.flag(k),
            |flag| Value::from(*flag),
            "",
            $flag,
            $meaning
        )
    };
}

macro_rules! number {
    ($section:literal, $name:literal, $least:expr, $most:expr, $field:ident, $flag:literal, $meaning:literal) => {
        row!(
            $section,
            $name,
            Form::Number($least, $most),
            $field,
            |t, k| t.whole_number(k, $least, $most),
            |number| Value::from(*number),
            "",
            $flag,
            $meaning
        )
    };
}

macro_rules! press {
    ($name:literal, $field:ident, $meaning:literal) => {
        row!(
            "keyboard",
            $name,
            Form::Key,
            $field,
            |t, k| t.parsed(k, value::key),
            |key| Value::from(key.to_string()),
            "",
            "",
            $meaning
        )
    };
}

/// `[run]`.
const RUN: &[Key] = &[
    path!(
        "world",
        world,
        "none",
        "WORLD.sdf",
        "the SDF file; without one the host waits for a world to be loaded"
    ),
    time!("duration", duration, "none", "--duration", "simulated time after which the run stops"),
    row!(
        "run",
        "speed",
        Form::Speed,
        speed,
        |t, k| t.speed(k),
        shown_speed,
        "",
        "--speed",
        "simulated seconds per second"
    ),
    number!("run", "seed", 0, u64::MAX, seed, "--seed", "seed of all random numbers"),
    choice!(
        "run",
        "start",
        &["playing", "paused", "stopped"],
        start,
        value::start,
        value::STARTS,
        "--start",
        "what the world does once it is loaded"
    ),
    path!("output", output, "", "--output", "folder that files named in a world stay inside"),
    path!("result", result, "none", "--result", "where the [result](result-file.md) is written"),
    path!("save", save, "none", "--save", "where the world is written as it stands in the end"),
    path!("snapshot", snapshot, "none", "--snapshot", "where a snapshot of the world is written in the end"),
    path!("restore", restore, "none", "--restore", "the snapshot of this world that the run goes on from"),
    path!(
        "hash_log",
        hash_log,
        "none",
        "--hash-log",
        "where the hash of the state is written after each step"
    ),
    path!(
        "record_commands",
        record_commands,
        "none",
        "--record-commands",
        "where received messages are written for the replay bridge"
    ),
    flag!(
        "run",
        "require_success",
        require_success,
        "--require-success",
        "a run that nobody called a success ends with exit code 8"
    ),
    flag!("run", "strict", strict, "--strict", "warnings about the world and its plugins are errors"),
    row!(
        "run",
        "physics_profile",
        Form::Text,
        physics_profile,
        text,
        |name| Value::from(name.as_str()),
        "the world's default",
        "--physics-profile",
        "name of the `<physics>` of the world to use, for its step and, up to SDF 1.5, its gravity"
    ),
    time!("step_width", step_width, "the profile's `max_step_size`", "", "width of a step"),
    number!("run", "substeps", 1, 1000, substeps, "", "steps of the physics in a step"),
    time!("start_timeout", start_timeout, "", "", "how long plugins may take to start"),
    choice!(
        "run",
        "on_failure",
        &["continue", "pause", "abort"],
        on_failure,
        value::on_failure,
        value::FAILURE_POLICIES,
        "",
        "what happens when a plugin fails"
    ),
    time!(
        "call_budget",
        call_budget,
        "",
        "",
        "what a `reset`, `sample` or `control` of a plugin may take in real time; a longer one is an overrun and reported"
    ),
    number!(
        "run",
        "overruns",
        1,
        1_000_000,
        overruns,
        "",
        "so many overruns of a plugin in a row, and it is left out as one that failed: `on_failure` says what then"
    ),
    time!(
        "call_timeout",
        call_timeout,
        "",
        "",
        "a call that has not returned after this time never will: the run ends with exit code 16, and the plugin and the call are named"
    ),
    flag!("run", "keep_alive", keep_alive, "", "the program goes on when a run has ended"),
    path!("triggers", trigger_history, "none", "--triggers", "where fired triggers are written as JSON"),
    path!("junit", junit, "none", "--junit", "where the verdicts are written as JUnit XML"),
];

/// `[http]`.
const HTTP: &[Key] = &[
    row!(
        "http",
        "address",
        Form::Address,
        http_address,
        |t, k| t.parsed(k, value::http_address),
        shown_address,
        "",
        "--http",
        "where the server listens; port 0 is any that is free"
    ),
    row!(
        "http",
        "token",
        Form::Secret,
        http_token,
        |t, k| text(t, k).map(Secret),
        |_| Value::from("not shown"),
        "none",
        "",
        "what clients must say to be let in; `token_file` keeps it out of this file"
    ),
    path!("http", "token_file", http_token_file, "none", "", "file that holds the token and nothing else"),
    row!(
        "http",
        "body_limit",
        Form::Bytes,
        http_body_limit,
        |t, k| t.size(k),
        |bytes| Value::from(value::size_text(*bytes)),
        "",
        "",
        "longest body of a request"
    ),
    number!("http", "connections", 1, 10_000, http_connections, "", "most connections at a time"),
];

/// `[control]`.
const CONTROL: &[Key] = &[
    flag!(
        "control",
        "pause_from_stopped",
        pause_from_stopped,
        "",
        "a stopped run may be paused without having played"
    ),
    choice!(
        "control",
        "load_ends_in",
        &["stopped", "paused"],
        load_ends_in,
        value::load_ends_in,
        value::LOAD_ENDS,
        "",
        "the state that a world loaded by a client ends in"
    ),
    flag!("control", "allow_quit", allow_quit, "", "clients may end the program"),
    row!(
        "control",
        "frame",
        Form::Text,
        frame,
        text,
        |name| Value::from(name.as_str()),
        "",
        "",
        "name of the frame that poses are given in"
    ),
];

/// `[keyboard]`.
const KEYBOARD: &[Key] = &[
    press!("stopped_to_playing", stopped_to_playing, "plays a stopped run"),
    press!("paused_to_playing", paused_to_playing, "goes on after a pause"),
    press!("playing_to_paused", playing_to_paused, "pauses"),
    press!("quit", quit, "ends the run and the program"),
];

/// The first of `[watchdog]`.
const WATCHDOG: &[Key] = &[choice!(
    "watchdog",
    "mode",
    &["off", "log", "abort", "kill"],
    watchdog,
    value::watch_mode,
    value::WATCH_MODES,
    "",
    "what happens when a state lasts too long: nothing, a line in the log, the end of the run with exit code 16, or the end of the process by SIGABRT"
)];

/// Every row.
pub(super) fn all() -> impl Iterator<Item = Key> {
    let fixed = [RUN, HTTP].into_iter().flatten().copied();
    let rest = [CONTROL, KEYBOARD, WATCHDOG].into_iter().flatten().copied();
    fixed.chain(service_keys()).chain(rest).chain(timeout_keys())
}

fn service_keys() -> impl Iterator<Item = Key> {
    services::KNOWN.iter().map(|name| Key {
        section: "services",
        name,
        form: Form::Text,
        without: "",
        meaning: "",
        flag: "",
        read: |table, key, settings| {
            let name = table.parsed(key, services::service_name);
            settings.services.extend(name.map(|name| (key, name)));
        },
        show: |settings, key| settings.services.get(key).map(|name| Value::from(name.as_str())),
    })
}

fn timeout_keys() -> impl Iterator<Item = Key> {
    TIMEOUTS.iter().map(|(name, _, meaning)| Key {
        section: "watchdog",
        name,
        form: Form::Timeout,
        without: "",
        meaning,
        flag: "",
        read: |table, key, settings| {
            let timeout = table.parsed(key, value::timeout);
            settings.timeouts.extend(timeout.map(|timeout| (key, timeout)));
        },
        show: |settings, key| {
            let text = |timeout: &Option<_>| timeout.map_or(value::OFF.to_owned(), duration_text);
            settings.timeouts.get(key).map(text).map(Value::from)
        },
    })
}

/// Reads a value. A function of its own, so that rows can be written without types.
fn value_of<T>(
    table: &Table<'_, '_>,
    key: &'static str,
    read: fn(&Table<'_, '_>, &'static str) -> Option<T>,
) -> Option<T> {
    read(table, key)
}

fn text(table: &Table<'_, '_>, key: &'static str) -> Option<String> {
    table.text(key).map(str::to_owned)
}

fn path(table: &Table<'_, '_>, key: &'static str) -> Option<PathBuf> {
    Some(table.source().resolve(table.text(key)?))
}

/// Absolute: what is shown may be kept in another folder.
fn shown_path(path: &PathBuf) -> Value {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
    Value::from(path.to_string_lossy())
}

fn shown_speed(speed: &crate::clock::Speed) -> Value {
    match speed {
        crate::clock::Speed::Factor(factor) => Value::from(*factor),
        crate::clock::Speed::Unlimited => Value::from("unlimited"),
    }
}

fn shown_address(address: &HttpAddress) -> Value {
    match address {
        HttpAddress::Off => Value::from(value::OFF),
        HttpAddress::At(address) => Value::from(address.as_str()),
    }
}
