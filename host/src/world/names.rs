//! The table of names: what other simulators' world files call sensors and plugins, and who serves each here.
//!
//! [`NAMES`] is the one source for dispatch, for `docs/names.md` and for the tests; a name is added there and nowhere
//! else. Which plugins are loaded is not known here: whoever asks brings that along. Plain values, any thread.

mod companion;
mod spelling;
mod table;
mod translate;
mod unsupported;

use std::sync::Arc;

pub use companion::join;
pub use table::NAMES;
pub use unsupported::{Reason, UnsupportedName, UnsupportedNames};

use super::{Attachment, PluginSlot, SlotKind};
use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Params;
use spelling::Spelling;

/// What kind of name it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A system of Gazebo, by the file of its `<plugin>`.
    GazeboSystem,
    /// A `<sensor>`, by its type.
    Sensor,
    /// A class of CLOiSim, by the file of its `<plugin>`.
    CloisimPlugin,
}

/// Who serves a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Served {
    /// The plugin of that name.
    Plugin(&'static str),
    /// The host itself, without being asked.
    Host,
    /// The sensor in whose element it stands: its parameters become the sensor's.
    Sensor,
    /// Nobody yet; what to use instead, or nothing.
    Nobody(&'static str),
}

/// What becomes of a parameter's text on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// It stays as it is.
    Keep,
    /// The name of a joint, of a link, or of a nested model becomes the name of the joint that carries it.
    Joint,
    /// `{parts_name}` is filled in, and put before the text where the attribute `add_parts_name_prefix` is true.
    PartsName,
    /// `{parts_name}` is filled in, `::` becomes `_`, and a leading `/` goes.
    FrameId,
    /// The element stays as it is, with attributes and children.
    Whole,
    /// A joint, as for [`Change::Joint`], becomes the link that it carries; an attribute `parent_frame_id` says where
    /// that link is seen from, if none is given the link that the joint hangs on.
    CarriedLink,
    /// The name of a sensor of the model becomes its topic, or this one where it has none.
    Topic(&'static str),
    /// The name of a `<battery>` of the model's links becomes its voltage.
    Voltage,
}

/// One parameter and what the plugin that serves the name calls it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Path in their element: steps separated by `/`, each with a condition at most: `location[@type='left']`.
    pub from: &'static str,
    /// Name of the element that the plugin reads. Where several rows lead to one name that may stand once, the
    /// first row that finds something counts.
    pub to: &'static str,
    /// Whether it may stand several times.
    pub is_list: bool,
    /// What becomes of the text.
    pub change: Change,
}

/// How the parameters of a name are translated. A name without translation has the parameters of its plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Translation {
    /// The parameters that have a counterpart.
    pub parameters: &'static [Parameter],
    /// Parameters that the plugin gets unless the element gives them: where defaults differ.
    pub defaults: &'static [(&'static str, &'static str)],
    /// Parameters that the original knows and nobody reads here; they are named when they are given.
    pub left_out: &'static [&'static str],
    /// Parameters that plugins have no use for and bridges do, which read the element itself.
    pub for_bridges: &'static [&'static str],
    /// What further plugins serve of the element.
    pub parts: &'static [Part],
}

/// What a further plugin serves of an element. Parameters may be for several plugins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Name of the plugin.
    pub plugin: &'static str,
    /// What is for it alone; the plugin is started where any of this stands, or always where nothing is named here.
    pub takes: &'static [&'static str],
    /// The parameters that it gets. A path may end in an attribute: `battery/voltage/@name`.
    pub parameters: &'static [Parameter],
    /// Parameters that it gets unless the element gives them.
    pub defaults: &'static [(&'static str, &'static str)],
}

impl Translation {
    /// Nothing is translated.
    pub const NONE: Self =
        Translation { parameters: &[], defaults: &[], left_out: &[], for_bridges: &[], parts: &[] };
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// What kind of name it is.
    pub family: Family,
    /// The name, then other names for the same. A system's file is written without `gz-sim-` and `-system`, a class
    /// of CLOiSim without `lib` and `.so`.
    pub names: &'static [&'static str],
    /// Who serves it.
    pub served: Served,
    /// How its parameters become those of who serves it.
    pub translation: Translation,
}

impl Name {
    /// The name as world files write it today.
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

/// The row of a sensor type.
#[must_use]
pub fn sensor_type(kind: &str) -> Option<&'static Name> {
    NAMES.iter().find(|row| row.family == Family::Sensor && row.names.contains(&kind))
}

/// The row of a `<plugin>` with that filename.
#[must_use]
pub fn file(filename: &str) -> Option<&'static Name> {
    let spelling = spelling::of_file(filename);
    NAMES.iter().find(|row| row.is_called(&spelling))
}

/// The row of a `<plugin>` with that name, where the name is a class of Gazebo: `gz::sim::systems::DiffDrive`.
fn class(name: &str) -> Option<&'static Name> {
    let spelling = Spelling::GazeboSystem(spelling::of_class(name)?);
    NAMES.iter().find(|row| row.is_called(&spelling))
}

/// Who is to serve a slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// The plugin of that name or id, which may not be loaded.
    Plugin(String),
    /// The host itself.
    BuiltIn,
    /// Nobody: the name is known and has no counterpart.
    NoCounterpart(&'static Name),
}

/// Who is to serve a slot, given which plugins are loaded. A plugin that carries a name without counterpart serves
/// it, so that the gaps of the table can be filled from outside.
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
    match row.map(|row| (row, row.served)) {
        None => Resolution::Plugin(own.to_owned()),
        Some((_, Served::Plugin(plugin))) => Resolution::Plugin(plugin.to_owned()),
        Some((_, Served::Host)) => Resolution::BuiltIn,
        Some((row, Served::Sensor | Served::Nobody(_))) => {
            let written = row.written();
            let filling = [asked, own, written.as_str()].into_iter().find(|name| is_loaded(name));
            filling.map_or(Resolution::NoCounterpart(row), |name| Resolution::Plugin(name.to_owned()))
        }
    }
}

/// Where an element stands.
#[derive(Clone, Copy, Debug)]
pub struct Site<'a> {
    /// What its plugin is attached to.
    pub at: &'a Attachment,
    /// The slots of its model that come before it: those of the sensors at least.
    pub before: &'a [PluginSlot],
}

/// The parameters of a `<plugin>` as the plugin that serves it knows them.
#[must_use]
pub fn translated(plugin: &Plugin, at: Site<'_>) -> Arc<Params> {
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

/// Further plugins that serve parts of a `<plugin>`, with their parameters.
#[must_use]
pub fn parts(plugin: &Plugin, at: Site<'_>) -> Vec<(&'static str, Params)> {
    let parts = file(&plugin.filename).map_or(&[][..], |row| row.translation.parts);
    let served = |part: &Part| Some((part.plugin, translate::part(part, &plugin.params, at)?));
    parts.iter().filter_map(served).collect()
}

#[cfg(test)]
mod tests;
