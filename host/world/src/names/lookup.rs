//! Finds the rows of names, and the provider of a slot. Plain functions, any thread.

use super::name::{Family, Name, Provider};
use super::spelling;
use super::spelling::Spelling;
use super::table::names;
use crate::slot::{PluginSlot, SlotKind};

/// Returns the row of a sensor type.
#[must_use]
pub fn sensor_type(kind: &str) -> Option<&'static Name> {
    names().find(|row| row.family == Family::Sensor && row.names.contains(&kind))
}

/// Returns the row of a `<plugin>` with that filename.
#[must_use]
pub fn file(filename: &str) -> Option<&'static Name> {
    let spelling = spelling::of_file(filename);
    names().find(|row| row.is_called(&spelling))
}

/// Returns the row of a `<plugin>` whose name is a class of Gazebo, such as `gz::sim::systems::DiffDrive`.
pub(super) fn class(name: &str) -> Option<&'static Name> {
    let spelling = Spelling::GazeboSystem(spelling::of_class(name)?);
    names().find(|row| row.is_called(&spelling))
}

/// The provider of a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The plugin of that name or id, which may not be loaded.
    Plugin(String),
    /// The host itself.
    BuiltIn,
    /// None: the name is known but has no counterpart.
    NoCounterpart(&'static Name),
}

/// Returns the provider of a slot, given the loaded plugins. A loaded plugin that has a name without counterpart serves
/// it, so that plugins can fill gaps of the table.
pub fn resolve(slot: &PluginSlot, is_loaded: impl Fn(&str) -> bool) -> Resolution {
    let asked = slot.asked.as_str();
    let (row, own) = match slot.kind {
        SlotKind::Sensor => (sensor_type(asked), asked),
        SlotKind::Plugin => {
            let own = spelling::of_file(asked).own_name(asked);
            let by_class = || class(&slot.attachment.element).filter(|_| !is_loaded(own));
            (file(asked).or_else(by_class), own)
        }
    };
    match row.map(|row| (row, row.provider)) {
        None => Resolution::Plugin(own.to_owned()),
        Some((_, Provider::Plugin(plugin))) => Resolution::Plugin(plugin.to_owned()),
        Some((_, Provider::Host | Provider::Sensors)) => Resolution::BuiltIn,
        Some((row, provider)) => {
            let written = row.written();
            let filling = [asked, own, written.as_str()].into_iter().find(|name| is_loaded(name));
            let otherwise = match provider {
                Provider::Elsewhere(_) => Resolution::BuiltIn,
                _ => Resolution::NoCounterpart(row),
            };
            filling.map_or(otherwise, |name| Resolution::Plugin(name.to_owned()))
        }
    }
}

/// Returns which function of this program stands for a slot that does not turn it on.
#[must_use]
pub fn elsewhere(slot: &PluginSlot) -> Option<&'static str> {
    match file(&slot.asked).or_else(|| class(&slot.attachment.element))?.provider {
        Provider::Elsewhere(instead) => Some(instead),
        Provider::Plugin(_)
        | Provider::Host
        | Provider::Sensor
        | Provider::Sensors
        | Provider::Unsupported(_) => None,
    }
}
