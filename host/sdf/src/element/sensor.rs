//! `<sensor>`: what the host needs to schedule a sensor. The whole element is kept as a parameter tree, which
//! the host passes to the sensor plugin without interpreting it. Plain values, usable from any thread.

use super::frame::FramePose;
use super::plugin::Plugin;
use crate::document::Origin;
use bridgehead_params::Params;
use std::sync::Arc;

/// Types of sensors that have two names in SDF: the older one, and the one that libsdformat reports for both.
const OLDER_NAMES: &[(&str, &str)] = &[
    ("boundingbox", "boundingbox_camera"),
    ("depth", "depth_camera"),
    ("gps", "navsat"),
    ("gpu_ray", "gpu_lidar"),
    ("ray", "lidar"),
    ("rgbd", "rgbd_camera"),
    ("segmentation", "segmentation_camera"),
    ("thermal", "thermal_camera"),
    ("wideanglecamera", "wide_angle_camera"),
];

/// Names of the element for the frame of a sensor's messages: that of SDF 1.12, and those of Gazebo before.
pub const FRAME_ELEMENTS: &[&str] = &["frame_id", "gz_frame_id", "ignition_frame_id"];

/// Returns true for a name between double underscores, which SDF reserves (sdformat, "Reserved names").
#[must_use]
pub fn is_placeholder(text: &str) -> bool {
    let inside = text.trim().strip_prefix("__").and_then(|rest| rest.strip_suffix("__"));
    inside.is_some_and(|inside| !inside.is_empty())
}

/// A `<sensor>` of a link or joint.
#[derive(Clone, Debug, Default)]
pub struct Sensor {
    /// Name within its link or joint.
    pub name: String,
    /// The `type` attribute as written, e.g. `gpu_lidar`, `imu`; `gz:type` of a `custom` one, e.g. `dvl`.
    pub kind: String,
    /// Its pose; the default frame is its link or joint.
    pub pose: FramePose,
    /// `<topic>`, if written and not empty.
    pub topic: Option<String>,
    /// Frame of its messages, if one of the [`FRAME_ELEMENTS`] is written and not empty.
    pub frame: Option<String>,
    /// Samples per simulated second; 0 (SDF's default) is once per step.
    pub update_rate: f64,
    /// True if it samples without subscribers.
    pub always_on: bool,
    /// True if viewers should draw what it senses.
    pub visualize: bool,
    /// Plugins attached to the sensor.
    pub plugins: Vec<Plugin>,
    /// The whole element, for look-ups such as `lidar/scan/horizontal/samples`.
    pub params: Arc<Params>,
    /// The element in its file.
    pub origin: Origin,
}

impl Sensor {
    /// Returns the present name of the type: `lidar` if the file says `ray`. Other types are returned as written.
    #[must_use]
    pub fn present_kind(&self) -> &str {
        let present = OLDER_NAMES.iter().find(|(older, _)| *older == self.kind);
        present.map_or(&self.kind, |(_, present)| present)
    }
}
