//! `<sensor>`: what the host needs to schedule a sensor. The whole element is kept as a parameter tree, which
//! the host passes to the sensor plugin without interpreting it. Plain values, usable from any thread.

use super::{FramePose, Plugin};
use crate::Origin;
use crate::params::Params;
use std::sync::Arc;

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
