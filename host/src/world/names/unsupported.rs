//! Names of a world that nobody serves: each once, with how often and where it stands first.
//! Filled while a world is loaded, on the simulation thread; shown in the log, the summary and the result.

use std::collections::BTreeMap;
use std::fmt;

use bridgehead_sdf::params::Place;

use super::{Name, Served, file};
use crate::world::{PluginSlot, SlotKind};

/// Why nobody serves a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The name is known and has no counterpart yet; what to use instead, or nothing.
    NoCounterpart(String),
    /// No plugin of that name is loaded; where it was looked for, in words.
    NotFound(String),
}

impl Reason {
    /// Name in the result file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Reason::NoCounterpart(_) => "no-counterpart",
            Reason::NotFound(_) => "not-found",
        }
    }
}

/// A name that nobody serves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedName {
    /// What kind of element it stands in.
    pub kind: SlotKind,
    /// The name; of several spellings of a known name, the usual one.
    pub name: String,
    /// How many elements have it.
    pub count: usize,
    /// Where the first of them stands.
    pub place: Option<Place>,
    /// Why nobody serves it.
    pub reason: Reason,
}

impl UnsupportedName {
    /// `3 times, first at world.sdf:12`.
    #[must_use]
    pub fn occurrence(&self) -> String {
        match (self.count, &self.place) {
            (1, None) => String::from("once"),
            (1, Some(place)) => format!("at {place}"),
            (count, None) => format!("{count} times"),
            (count, Some(place)) => format!("{count} times, first at {place}"),
        }
    }
}

impl fmt::Display for UnsupportedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnsupportedName { kind, name, reason, .. } = self;
        match reason {
            Reason::NoCounterpart(instead) => {
                write!(f, "[BH-PLG-110] {kind} `{name}` is not simulated ({})", self.occurrence())?;
                if instead.is_empty() { Ok(()) } else { write!(f, ": {instead}") }
            }
            Reason::NotFound(text) => {
                write!(f, "[BH-PLG-093] {kind} `{name}` is served by nobody ({}): {text}", self.occurrence())
            }
        }
    }
}

/// The names of a world that nobody serves, sorted.
#[derive(Clone, Debug, Default)]
pub struct UnsupportedNames(BTreeMap<(SlotKind, String), UnsupportedName>);

impl UnsupportedNames {
    /// Counts a slot whose name is known and has no counterpart.
    pub fn no_counterpart(&mut self, slot: &PluginSlot, row: &Name) {
        let instead = match row.served {
            Served::Nobody(instead) => instead,
            Served::Sensor => "it belongs inside a `<sensor>`, which then publishes itself",
            Served::Plugin(_) | Served::Host => "",
        };
        self.count(slot, written(slot, row), || Reason::NoCounterpart(instead.to_owned()));
    }

    /// Counts a slot whose plugin is not loaded; `text` says where it was looked for.
    pub fn not_found(&mut self, slot: &PluginSlot, text: String) {
        let name = match slot.kind {
            SlotKind::Sensor => None,
            SlotKind::Plugin => file(&slot.asked).map(Name::written),
        };
        self.count(slot, name.unwrap_or_else(|| slot.asked.clone()), || Reason::NotFound(text));
    }

    fn count(&mut self, slot: &PluginSlot, name: String, reason: impl FnOnce() -> Reason) {
        let key = (slot.kind, name.clone());
        let entry = self.0.entry(key).or_insert_with(|| UnsupportedName {
            kind: slot.kind,
            name,
            count: 0,
            place: slot.place.clone(),
            reason: reason(),
        });
        entry.count += 1;
    }

    /// The names, sensors first, each kind by name.
    pub fn iter(&self) -> impl Iterator<Item = &UnsupportedName> {
        self.0.values()
    }
}

/// A sensor type as it is written, since its spellings are types of their own; a plugin as it is usual.
fn written(slot: &PluginSlot, row: &Name) -> String {
    match slot.kind {
        SlotKind::Sensor => slot.asked.clone(),
        SlotKind::Plugin => row.written(),
    }
}
