//! Sensors and changes of elements that the configuration file asks for. Plain values; which vehicles, links and
//! elements there are is known when a world is loaded.

use bridgehead_sdf::params::{Params, Place};

/// A sensor to add to a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorRequest {
    /// A vehicle's name or glob.
    pub attach: String,
    /// Name, unique on its link.
    pub name: String,
    /// Type, as in SDF, or the name or id of a plugin.
    pub kind: String,
    /// Link that carries it; the canonical one where neither this nor `parent` is given.
    pub link: Option<String>,
    /// Another configured sensor of the vehicle, on whose link and in whose frame it stands.
    pub parent: Option<String>,
    /// x, y, z in metres, roll, pitch, yaw in radians, in the frame of the link or of the parent.
    pub pose: [f64; 6],
    /// Samples per second; 0 for one in every step.
    pub update_rate: f64,
    /// Topic; the plugin's own where not given.
    pub topic: Option<String>,
    /// Frame of its messages; its path where not given.
    pub frame_id: Option<String>,
    /// Parameters, as in the `<sensor>` element.
    pub params: Params,
    /// Where it stands in the file.
    pub place: Place,
}

/// A change of sensors or plugins that a world file has.
#[derive(Clone, Debug, PartialEq)]
pub struct OverrideRequest {
    /// Path of the elements, or a glob: `car1/chassis/front_lidar`, `*/imu`.
    pub path: String,
    /// Whether they are started at all.
    pub enabled: bool,
    /// Another rate, samples per second.
    pub update_rate: Option<f64>,
    /// Another topic.
    pub topic: Option<String>,
    /// Another frame.
    pub frame_id: Option<String>,
    /// Parameters that are laid over the element's own.
    pub params: Params,
    /// Where it stands in the file.
    pub place: Place,
}
