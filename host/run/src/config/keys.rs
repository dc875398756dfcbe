//! The settings that have a key: how each is read, shown and explained.
//!
//! The rows are declared by [`section!`](super::section) beside the configuration that they fill. Files, the
//! environment, flags, `bridgehead dump`, error messages and the tables of `docs/configuration.md` all use them. Lists of
//! bridges, plugins, sensors and changes are read in [`file`](super::file). Plain data, any thread.

use serde_json::Value;

use super::control::{
    ControlSettings, HttpSettings, KeyboardSettings, NamesSettings, TIMEOUTS, WatchdogSettings,
};
use super::file::table::Table;
use super::key::{Form, Row};
use super::run::RunSettings;
use super::services::{KNOWN, service_name};
use super::settings::Settings;
use super::value;
use crate::duration::duration_text;

/// A setting of a run that has a key.
pub type Key = Row<Settings>;

impl Key {
    /// Reads its value if the table has one, and notes the place.
    pub(super) fn read(&self, table: &Table<'_, '_>, settings: &mut Settings) {
        if let Some(place) = table.place_of(self.name) {
            (self.read)(table, self.name, settings);
            settings.places.insert((self.section, self.name), place);
        }
    }
}

/// A table of keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// What it is for, as a sentence.
    pub meaning: &'static str,
}

/// The tables of keys, in the order of the guide.
pub const SECTIONS: &[Section] = &[
    Section { name: "run", meaning: "The run itself." },
    Section { name: "http", meaning: "The server for clients." },
    Section {
        name: "services",
        meaning: "Other names for services; a service with an empty name is not offered. A name consists of letters, digits and `_`, with `/` between parts.",
    },
    Section { name: "names", meaning: "How topics are named." },
    Section { name: "control", meaning: "What clients may do." },
    Section {
        name: "keyboard",
        meaning: "Keys that control a run. They work while the run shows its status line and standard input is a terminal.",
    },
    Section {
        name: "watchdog",
        meaning: "How long a state of the [lifecycle](lifecycle.md) may last. `NoWorld`, `Stopped` and `Pause` wait for a request and have no limit.",
    },
];

/// Returns every key, in the order of the guide.
pub fn keys() -> impl Iterator<Item = Key> {
    let run = [RunSettings::keys(), HttpSettings::keys()].into_iter().flatten();
    let rest =
        [NamesSettings::keys(), ControlSettings::keys(), KeyboardSettings::keys(), WatchdogSettings::keys()]
            .into_iter()
            .flatten();
    run.chain(service_keys()).chain(rest).chain(timeout_keys())
}

/// Returns the keys of one table.
pub fn keys_of(section: &str) -> impl Iterator<Item = Key> {
    keys().filter(move |key| key.section == section)
}

/// Returns the keys of timeouts as rows.
pub(super) fn timeout_keys() -> impl Iterator<Item = Key> {
    TIMEOUTS.iter().map(|(name, _, meaning)| Row {
        section: "watchdog",
        name,
        form: Form::Timeout,
        without: "",
        meaning,
        flag: None,
        read: |table, key, settings: &mut Settings| {
            let timeout = table.parsed(key, value::timeout);
            settings.timeouts.extend(timeout.map(|timeout| (key, timeout)));
        },
        parse: |_, _| Ok(()),
        show: |settings: &Settings, key| {
            let text = |timeout: &Option<_>| timeout.map_or(value::OFF.to_owned(), duration_text);
            settings.timeouts.get(key).map(text).map(Value::from)
        },
    })
}

/// Returns the keys of services as rows.
pub(super) fn service_keys() -> impl Iterator<Item = Key> {
    KNOWN.iter().map(|name| Row {
        section: "services",
        name,
        form: Form::Text,
        without: "",
        meaning: "",
        flag: None,
        read: |table, key, settings: &mut Settings| {
            let name = table.parsed(key, service_name);
            settings.services.extend(name.map(|name| (key, name)));
        },
        parse: |_, _| Ok(()),
        show: |settings: &Settings, key| settings.services.get(key).map(|name| Value::from(name.as_str())),
    })
}
