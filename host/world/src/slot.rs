//! A plugin slot: one `<sensor>` or `<plugin>` element, or an entry of the configuration, for one instance. Plain
//! values.

use std::fmt;
use std::sync::Arc;

use bridgehead_sdf::Origin;
use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::{Params, Place};

use super::attachment::Attachment;

/// Kind of the element of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SlotKind {
    /// A `<sensor>`, by its type.
    Sensor,
    /// A `<plugin>`, by its filename.
    Plugin,
}

impl SlotKind {
    /// Returns the name of the element.
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

/// A slot for one plugin instance.
#[derive(Clone, Debug)]
pub struct PluginSlot {
    /// Sensor type or filename in the element.
    pub asked: String,
    /// Kind of the element.
    pub kind: SlotKind,
    /// Place of the element.
    pub place: Option<Place>,
    /// Origin of the element; empty for an entry of the configuration.
    pub element: Origin,
    /// Attachment of the instance.
    pub attachment: Attachment,
    /// Path of the sensor that contains the plugin; empty otherwise.
    pub sensor: String,
    /// Plugins inside the sensor whose parameters it takes over.
    pub companions: Vec<Plugin>,
    /// The element's content.
    pub params: Arc<Params>,
}

/// Parameter of sensors with rays.
pub const RAYS: &str = "bridgehead:rays";
/// Its value for rays that hit what is drawn; otherwise they hit what makes contact.
pub const VISUALS: &str = "visuals";

impl PluginSlot {
    /// Returns true if the rays of a sensor hit what is drawn.
    #[must_use]
    pub fn sees_visuals(&self) -> bool {
        self.params.get(RAYS).map(str::trim) == Some(VISUALS)
    }

    /// Returns the name for logs and reports: the element's unique path.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.attachment.path
    }

    /// Returns `file:line: ` for messages; empty if unknown.
    #[must_use]
    pub fn place_prefix(&self) -> String {
        self.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default()
    }
}

/// The plugin slots of a model.
#[derive(Clone, Debug)]
pub struct ModelSlots {
    /// The attachment for plugins of the model, before their element is known.
    pub attachment: Attachment,
    /// The slots of the model's elements, in document order.
    pub slots: Vec<PluginSlot>,
}
