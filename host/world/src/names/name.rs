//! The rows of the table of names and what they consist of. Plain values.

use super::spelling;
use super::spelling::Spelling;

/// Kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// A system of Gazebo, by the file of its `<plugin>`.
    GazeboSystem,
    /// A `<sensor>`, by its type.
    Sensor,
    /// A class of CLOiSim, by the file of its `<plugin>`.
    CloisimPlugin,
    /// A plugin of ROS for Gazebo, most of them for Gazebo Classic, by the file of its `<plugin>`.
    RosPlugin,
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
    /// A number becomes its half: the diameter of a wheel becomes its radius.
    Half,
    /// A type of messages becomes its name without the package: `sensor_msgs/LaserScan` becomes `LaserScan`.
    MessageName,
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
    /// Parameters that need no counterpart, because what they ask for is done in any case.
    pub needless: &'static [&'static str],
    /// The topics of a plugin of ROS, whose `<ros>` element names them.
    pub topics: &'static [RosTopic],
    /// Parts of the element that further plugins serve.
    pub parts: &'static [Part],
}

/// A topic of a plugin of ROS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RosTopic {
    /// Its name before remapping: absolute, relative to the namespace, or after `~/` to the name of the plugin.
    /// `{camera_name}` stands for that parameter, or for the name of the sensor.
    pub from: &'static str,
    /// The parameter that named it in ROS 1; empty if there was none.
    pub ros1: &'static str,
    /// Name of the element that the plugin reads.
    pub to: &'static str,
    /// True if the plugin keeps its own topic unless this one is remapped.
    pub only_remapped: bool,
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
    pub const NONE: Self = Translation {
        parameters: &[],
        defaults: &[],
        left_out: &[],
        for_bridges: &[],
        needless: &[],
        topics: &[],
        parts: &[],
    };
}

/// A row of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    /// Kind of a name.
    pub family: Family,
    /// The name, then its aliases. The file of a system is written without `gz-sim-` and `-system`, a class of CLOiSim
    /// or of ROS without `lib` and `.so`.
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
            Family::CloisimPlugin | Family::RosPlugin => format!("lib{name}.so"),
        }
    }

    pub(super) fn is_called(&self, spelling: &Spelling<'_>) -> bool {
        match (self.family, spelling) {
            (Family::GazeboSystem, Spelling::GazeboSystem(system)) => {
                self.names.iter().any(|name| spelling::is_same(name, system))
            }
            (Family::CloisimPlugin | Family::RosPlugin, Spelling::Other(base)) => self.names.contains(base),
            (Family::GazeboSystem | Family::Sensor | Family::CloisimPlugin | Family::RosPlugin, _) => false,
        }
    }
}

/// The provider of a name without counterpart and without advice.
pub(super) const NOTHING: Provider = Provider::Unsupported("");

/// A parameter whose text is copied.
pub(super) const fn keep(from: &'static str, to: &'static str) -> Parameter {
    Parameter { from, to, is_list: false, change: Change::Keep }
}

/// A parameter whose text is converted.
pub(super) const fn changed(from: &'static str, to: &'static str, change: Change) -> Parameter {
    Parameter { from, to, is_list: false, change }
}

/// A parameter that may occur several times.
pub(super) const fn each(from: &'static str, to: &'static str, change: Change) -> Parameter {
    Parameter { from, to, is_list: true, change }
}
