//! Unsupported names of a world: each once, with its count and first place.
//! Filled while a world is loaded, on the simulation thread; shown in the log, the summary and the result.

use std::collections::BTreeMap;
use std::fmt;

use bridgehead_sdf::params::Place;

use super::lookup::file;
use super::name::{Name, Provider};
use crate::slot::{PluginSlot, SlotKind};

/// The code of a name without counterpart.
pub const NO_COUNTERPART: &str = "BH-PLG-110";
/// The code of a name that no plugin has.
pub const NOT_FOUND: &str = "BH-PLG-093";

/// Why a name is unsupported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The name is known and has no counterpart yet; the text says what to use instead, or is empty.
    NoCounterpart(String),
    /// No plugin of that name is loaded; the text names the available ones.
    NotFound(String),
}

impl Reason {
    /// Returns the name in the result file.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Reason::NoCounterpart(_) => "no-counterpart",
            Reason::NotFound(_) => "not-found",
        }
    }
}

/// An unsupported name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsupportedName {
    /// Kind of its element.
    pub kind: SlotKind,
    /// The name; for a known name, its usual spelling.
    pub name: String,
    /// Number of elements with it.
    pub count: usize,
    /// Place of the first one.
    pub place: Option<Place>,
    /// Why it is unsupported.
    pub reason: Reason,
}

impl UnsupportedName {
    /// Returns its count and place: `3 times, first at world.sdf:12`.
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
                write!(f, "[{NO_COUNTERPART}] {kind} `{name}` is not simulated ({})", self.occurrence())?;
                if instead.is_empty() { Ok(()) } else { write!(f, ": {instead}") }
            }
            Reason::NotFound(text) => {
                write!(f, "[{NOT_FOUND}] {kind} `{name}` is not supported ({}): {text}", self.occurrence())
            }
        }
    }
}

/// The unsupported names of a world, sorted.
#[derive(Clone, Debug, Default)]
pub struct UnsupportedNames(BTreeMap<(SlotKind, String), UnsupportedName>);

impl UnsupportedNames {
    /// Counts a slot whose name is known but has no counterpart.
    pub fn no_counterpart(&mut self, slot: &PluginSlot, row: &Name) {
        let instead = match row.provider {
            Provider::Unsupported(instead) => instead,
            Provider::Sensor => "it belongs inside a `<sensor>`, which then publishes itself",
            Provider::Plugin(_) | Provider::Host | Provider::Sensors | Provider::Elsewhere(_) => "",
        };
        self.count(slot, written(slot, row), || Reason::NoCounterpart(instead.to_owned()));
    }

    /// Counts a slot whose plugin is not loaded; `text` names the available ones.
    pub fn not_found(&mut self, slot: &PluginSlot, text: String) {
        let name = match slot.kind {
            SlotKind::Sensor => None,
            SlotKind::Plugin => file(&slot.asked).map(Name::written),
        };
        self.count(slot, name.unwrap_or_else(|| slot.asked.clone()), || Reason::NotFound(text));
    }

    fn count(&mut self, slot: &PluginSlot, name: String, reason: impl FnOnce() -> Reason) {
        self.count_at((slot.kind, name), || slot.place.clone(), reason);
    }

    pub(super) fn count_at(
        &mut self,
        key: (SlotKind, String),
        place: impl FnOnce() -> Option<Place>,
        reason: impl FnOnce() -> Reason,
    ) {
        let (kind, name) = key.clone();
        let entry = self.0.entry(key).or_insert_with(|| UnsupportedName {
            kind,
            name,
            count: 0,
            place: place(),
            reason: reason(),
        });
        entry.count += 1;
    }

    /// Returns the names, sensors first, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = &UnsupportedName> {
        self.0.values()
    }
}

/// Returns a sensor type as written, because its spellings are types of their own, or the usual spelling of a plugin.
fn written(slot: &PluginSlot, row: &Name) -> String {
    match slot.kind {
        SlotKind::Sensor => slot.asked.clone(),
        SlotKind::Plugin => row.written(),
    }
}
