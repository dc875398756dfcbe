//! Sensors and changes of elements in the configuration file. Plain values; the vehicles, links and elements they refer to
//! are known when a world is loaded.

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
    /// Link that carries it; the canonical one if neither this nor `parent` is given.
    pub link: Option<String>,
    /// Another configured sensor of the vehicle, whose link and frame it uses.
    pub parent: Option<String>,
    /// x, y, z in metres, roll, pitch, yaw in radians, in the frame of the link or of the parent.
    pub pose: [f64; 6],
    /// Samples per second; 0 for one in every step.
    pub update_rate: f64,
    /// Topic; that of the plugin if not given.
    pub topic: Option<String>,
    /// Frame of its messages; its path if not given.
    pub frame_id: Option<String>,
    /// Parameters, as in the `<sensor>` element.
    pub params: Params,
    /// Its place in the file.
    pub place: Place,
}

/// A change of sensors or plugins of a world file.
#[derive(Clone, Debug, PartialEq)]
pub struct OverrideRequest {
    /// Path of the elements, or a glob: `car1/chassis/front_lidar`, `*/imu`.
    pub path: String,
    /// Whether they are started.
    pub enabled: bool,
    /// Another rate, samples per second.
    pub update_rate: Option<f64>,
    /// Another topic.
    pub topic: Option<String>,
    /// Another frame.
    pub frame_id: Option<String>,
    /// Parameters that override those of the element.
    pub params: Params,
    /// Its place in the file.
    pub place: Place,
}
