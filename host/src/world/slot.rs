//! Where a plugin sits in the world: one `<sensor>` or `<plugin>` element, or an entry of the configuration.

use std::fmt;
use std::sync::Arc;

use bridgehead_sdf::Origin;
use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::{Params, Place};

use super::Attachment;

/// What kind of element asked for the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotKind {
    /// A `<sensor>`, by its type.
    Sensor,
    /// A `<plugin>`, by its filename.
    Plugin,
}

impl SlotKind {
    /// Name of the element.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SlotKind::Sensor => "sensor",
            SlotKind::Plugin => "plugin",
        }
    }
}

impl fmt::Display for SlotKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SlotKind::Sensor => "sensor type",
            SlotKind::Plugin => "plugin",
        })
    }
}

/// One plugin the world asks for, in document order.
#[derive(Clone, Debug)]
pub struct PluginSlot {
    /// What the element says: sensor type or filename.
    pub asked: String,
    /// What kind of element it is.
    pub kind: SlotKind,
    /// Where it stands.
    pub place: Option<Place>,
    /// The element itself; nowhere for an entry of the configuration.
    pub element: Origin,
    /// What the instance will be attached to.
    pub attachment: Attachment,
    /// Path of the sensor that a plugin stands in; empty otherwise.
    pub sensor: String,
    /// Plugins inside of a sensor that it serves itself.
    pub companions: Vec<Plugin>,
    /// The element's content.
    pub params: Arc<Params>,
}

impl PluginSlot {
    /// Name for logs and reports: the element's unique path.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.attachment.path
    }

    /// `file:line: ` for messages; empty when unknown.
    #[must_use]
    pub fn place_prefix(&self) -> String {
        self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default()
    }
}
