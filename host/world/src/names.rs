//! The table of names of sensors and plugins in other simulators' world files, with their counterparts.
//!
//! [`NAMES`] is the only source for dispatch, for `docs/names.md` and for the tests. Callers pass in which plugins are
//! loaded. Plain values, any thread.

mod companion;
mod inventory;
mod spelling;
mod style;
mod table;
mod translate;
mod unsupported;

use std::sync::Arc;

pub use companion::{implement, join};
pub use style::{GAZEBO_TOPICS, GazeboTopic, NameStyle};
pub use table::NAMES;
pub use unsupported::{NO_COUNTERPART, NOT_FOUND, Reason, UnsupportedName, UnsupportedNames};

use super::{Attachment, PluginSlot, SlotKind};
use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;
use spelling::Spelling;

/// Kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A system of Gazebo, by the file of its `<plugin>`.
    GazeboSystem,
    /// A `<sensor>`, by its type.
    Sensor,
    /// A class of CLOiSim, by the file of its `<plugin>`.
    CloisimPlugin,
}

/// The provider of the function behind a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Provider {
    /// The plugin of that name.
    Plugin(&'static str),
    /// The host itself, always.
    Host,
    /// The sensor that contains the element: its parameters become the sensor's.
    Sensor,
    /// The sensors of its model, which bridges combine: it needs no plugin of its own.
    Sensors,
    /// A function of this program that the element does not turn on; the text says which one.
    Elsewhere(&'static str),
    /// Not supported yet; the text says what to use instead, or is empty.
    Unsupported(&'static str),
}

/// Conversion of a parameter's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// The text is copied.
    Keep,
    /// The name of a joint, of a link, or of a nested model becomes the name of the joint that carries it.
    Joint,
    /// `{parts_name}` is replaced, and precedes the text if the attribute `add_parts_name_prefix` is true.
    PartsName,
    /// `{parts_name}` is replaced, `::` becomes `_`, and a leading `/` is removed.
    FrameId,
    /// The element is copied with attributes and children.
    Whole,
    /// A joint, as for [`Change::Joint`], becomes the link that it carries. The attribute `parent_frame_id` gives the
    /// frame of that link; the default is the parent link of the joint.
    CarriedLink,
    /// The name of a sensor of the model becomes its topic, or this one if it has none.
    Topic(&'static str),
    /// The name of a `<battery>` of the model's links becomes its voltage.
    Voltage,
}

/// One parameter, with its name in the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Path in the element: steps separated by `/`, each with at most one condition: `location[@type='left']`.
    pub from: &'static str,
    /// Name of the element that the plugin reads. If several rows have the same name, and it may occur only once, the
    /// first row that selects an element counts.
    pub to: &'static str,
    /// True if it may occur several times.
    pub is_list: bool,
    /// Conversion of the text.
    pub change: Change,
}

/// Translation of the parameters of a name. A name without translation has the parameters of its plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The parameters that have a counterpart.
    pub parameters: &'static [Parameter],
    /// Defaults that differ from the plugin's, used unless the element gives the parameter.
    pub defaults: &'static [(&'static str, &'static str)],
    /// Parameters of the original that are not supported; they are reported if given.
    pub left_out: &'static [&'static str],
    /// Parameters for bridges only, which read the element itself.
    pub for_bridges: &'static [&'static str],
    /// Parts of the element that further plugins serve.
    pub parts: &'static [Part],
}

/// The part of an element that a further plugin serves. Several plugins may share parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of the plugin.
    pub plugin: &'static str,
    /// Parameters of this plugin only. The plugin is started if the element has one of them, or always if this is
    /// empty.
    pub takes: &'static [&'static str],
    /// Its parameters. A path may end in an attribute: `battery/voltage/@name`.
    pub parameters: &'static [Parameter],
    /// Defaults, used unless the element gives the parameter.
    pub defaults: &'static [(&'static str, &'static str)],
}

impl Translation {
    /// No translation.
    pub const NONE: Self =
        Translation { parameters: &[], defaults: &[], left_out: &[], for_bridges: &[], parts: &[] };
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Kind of a name.
    pub family: Family,
    /// The name, then its aliases. The file of a system is written without `gz-sim-` and `-system`, a class of CLOiSim
    /// without `lib` and `.so`.
    pub names: &'static [&'static str],
    /// Its provider.
    pub provider: Provider,
    /// Translation of its parameters.
    pub translation: Translation,
}

impl Name {
    /// Returns the current spelling in world files.
    #[must_use]
    pub fn written(&self) -> String {
        let name = self.names.first().copied().unwrap_or_default();
        match self.family {
            Family::GazeboSystem => format!("gz-sim-{name}-system"),
            Family::Sensor => name.to_owned(),
            Family::CloisimPlugin => format!("lib{name}.so"),
        }
    }

    fn is_called(&self, spelling: &Spelling<'_>) -> bool {
        match (self.family, spelling) {
            (Family::GazeboSystem, Spelling::GazeboSystem(system)) => {
                self.names.iter().any(|name| spelling::is_same(name, system))
            }
            (Family::CloisimPlugin, Spelling::Other(class)) => self.names.contains(class),
            (Family::GazeboSystem | Family::Sensor | Family::CloisimPlugin, _) => false,
        }
    }
}

/// Returns the row of a sensor type.
#[must_use]
pub fn sensor_type(kind: &str) -> Option<&'static Name> {
    NAMES.iter().find(|row| row.family == Family::Sensor && row.names.contains(&kind))
}

/// Returns the row of a `<plugin>` with that filename.
#[must_use]
pub fn file(filename: &str) -> Option<&'static Name> {
    let spelling = spelling::of_file(filename);
    NAMES.iter().find(|row| row.is_called(&spelling))
}

/// Returns the row of a `<plugin>` whose name is a class of Gazebo, such as `gz::sim::systems::DiffDrive`.
fn class(name: &str) -> Option<&'static Name> {
    let spelling = Spelling::GazeboSystem(spelling::of_class(name)?);
    NAMES.iter().find(|row| row.is_called(&spelling))
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

/// The context of an element.
#[derive(Clone, Copy, Debug)]
pub struct ElementContext<'a> {
    /// The attachment of its plugin.
    pub at: &'a Attachment,
    /// The slots of its model listed before it, at least those of the sensors.
    pub before: &'a [PluginSlot],
}

/// Returns the parameters of a `<plugin>`, translated for the plugin that serves it.
#[must_use]
pub fn translated(plugin: &Plugin, at: ElementContext<'_>) -> Arc<Params> {
    match file(&plugin.filename) {
        Some(row) if row.family == Family::GazeboSystem => {
            let mut params = translate::translate(&row.translation, &plugin.params, at);
            translate::make_topics_global(&mut params);
            Arc::new(params)
        }
        Some(row) if row.translation != Translation::NONE => {
            Arc::new(translate::translate(&row.translation, &plugin.params, at))
        }
        Some(_) | None => Arc::clone(&plugin.params),
    }
}

/// Returns the further plugins that serve parts of a `<plugin>`, with their parameters.
#[must_use]
pub fn parts(plugin: &Plugin, at: ElementContext<'_>) -> Vec<(&'static str, Params)> {
    let parts = file(&plugin.filename).map_or(&[][..], |row| row.translation.parts);
    let served = |part: &Part| Some((part.plugin, translate::part(part, &plugin.params, at)?));
    parts.iter().filter_map(served).collect()
}

#[cfg(test)]
mod tests;
