//! The one table of the keys that have a value: how each is read, shown and explained.
//!
//! Reading files and the environment, `bridgehead dump`, messages and the tables of `docs/configuration.md` are driven
//! by it. Lists of bridges, plugins, sensors and changes are read in [`file`](super::file). Plain data, any thread.

mod table;

use serde_json::Value;

use super::Settings;
use super::file::Table;

/// What a value looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Any text.
    Text,
    /// A path; in a file relative to its folder.
    Path,
    /// A span of time.
    Time,
    /// A span of time, or `off`.
    Timeout,
    /// `true` or `false`.
    Boolean,
    /// A whole number within these limits.
    Number(u64, u64),
    /// A number, or `unlimited`.
    Speed,
    /// A number of bytes.
    Bytes,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `host:port`, or `off`.
    Address,
    /// One character.
    Key,
    /// A text that is not shown.
    Secret,
}

impl Form {
    /// Whether TOML writes it without quotes.
    #[must_use]
    pub fn is_bare(self) -> bool {
        matches!(self, Form::Boolean | Form::Number(..))
    }

    /// For people.
    #[must_use]
    pub fn describe(self) -> String {
        match self {
            Form::Text | Form::Path | Form::Secret => String::from("text"),
            Form::Time => String::from("time"),
            Form::Timeout => String::from("time or `\"off\"`"),
            Form::Boolean => String::from("boolean"),
            Form::Number(0, u64::MAX) => String::from("number"),
            Form::Number(least, most) => format!("number from {least} to {most}"),
            Form::Speed => String::from("number or `\"unlimited\"`"),
            Form::Bytes => String::from("bytes"),
            Form::Choice(words) => {
                let words: Vec<String> = words.iter().map(|word| format!("`\"{word}\"`")).collect();
                words.join(", ")
            }
            Form::Address => String::from("`\"host:port\"` or `\"off\"`"),
            Form::Key => String::from("one character"),
        }
    }
}

/// A key.
#[derive(Clone, Copy)]
pub struct Key {
    /// The table it stands in.
    pub section: &'static str,
    /// Its name there.
    pub name: &'static str,
    /// What its value looks like.
    pub form: Form,
    /// What holds without it, in words; empty where it has a value.
    pub without: &'static str,
    /// What it is for.
    pub meaning: &'static str,
    /// The flag of `run` that says the same; empty without one.
    pub flag: &'static str,
    read: fn(&Table<'_, '_>, &'static str, &mut Settings),
    show: fn(&Settings, &'static str) -> Option<Value>,
}

impl Key {
    /// The variable of the environment that says the same.
    #[must_use]
    pub fn variable(&self) -> String {
        format!("BRIDGEHEAD_{}_{}", self.section, self.name).to_uppercase()
    }

    /// Reads its value, where there is one, and notes the place.
    pub(super) fn read(&self, table: &Table<'_, '_>, settings: &mut Settings) {
        if let Some(place) = table.place_of(self.name) {
            (self.read)(table, self.name, settings);
            settings.places.insert((self.section, self.name), place);
        }
    }

    /// The value in one place, as a file would say it; `None` where it says nothing.
    #[must_use]
    pub fn show(&self, settings: &Settings) -> Option<Value> {
        (self.show)(settings, self.name)
    }
}

/// A table of keys, and what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: &'static str,
    /// What it is for: a sentence.
    pub meaning: &'static str,
}

/// The tables of keys, in the order of the guide.
pub const SECTIONS: &[Section] = &[
    Section { name: "run", meaning: "The run itself." },
    Section { name: "http", meaning: "The server for clients." },
    Section {
        name: "services",
        meaning: "Other names for services; a service with an empty name is not offered. A name is made of letters, digits and `_`, with `/` between parts.",
    },
    Section { name: "control", meaning: "What clients may do." },
    Section {
        name: "keyboard",
        meaning: "Keys that steer a run. They count while the run shows its status line and standard input is a terminal.",
    },
    Section {
        name: "watchdog",
        meaning: "How long a state of the [lifecycle](lifecycle.md) may last. `NoWorld`, `Stopped` and `Pause` wait for somebody and may last for ever.",
    },
];

/// Every key, in the order of the guide.
pub fn keys() -> impl Iterator<Item = Key> {
    table::all()
}

/// The keys of one table.
pub fn keys_of(section: &str) -> impl Iterator<Item = Key> {
    keys().filter(move |key| key.section == section)
}
