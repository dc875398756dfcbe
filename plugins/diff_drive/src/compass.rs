//! The heading from an imu: its rotation since the first sample after a reset. Runs on the simulation thread.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Pose, Qos, Subscription};
use bridgehead_plugin_api::messages::sensor_msgs::Imu;
use bridgehead_plugin_api::state::{StateReader, StateWriter};

use serde::{Deserialize, Serialize};

/// An imu to which a drive subscribes.
pub(crate) struct Compass {
    samples: Subscription<Imu>,
    reference: Option<Reference>,
    /// Yaw rate of the last sample, rad/s to the left.
    rate: f64,
}

/// An orientation of the imu with the odometry's heading at that time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Reference {
    /// Quaternion x, y, z, w.
    orientation: [f64; 4],
    /// Heading, radians.
    heading: f64,
}

impl Compass {
    pub(crate) fn new(host: HostHandle, topic: &str) -> Result<Self> {
        let samples = host.bus()?.subscribe(topic, Qos::sensor_data())?;
        Ok(Compass { samples, reference: None, rate: 0.0 })
    }

    /// Makes the next sample the reference of headings.
    pub(crate) fn restart(&mut self) {
        // Samples from before the reset belong to another pose.
        while self.samples.take().is_some() {}
        self.reference = None;
        self.rate = 0.0;
    }

    /// Returns the heading by the newest sample, unwrapped near the odometry's heading; `None` without a sample.
    pub(crate) fn heading(&mut self, odometry: f64) -> Option<f64> {
        let sample = self.samples.take_latest()?.message;
        let orientation = sample.orientation?;
        let orientation = [orientation.x, orientation.y, orientation.z, orientation.w];
        let is_known = sample.orientation_covariance.first().is_none_or(|first| *first >= 0.0);
        if !is_known || !orientation.iter().all(|part| part.is_finite()) {
            return None;
        }
        let frame = Pose { position: [0.0; 3], orientation };
        self.rate = sample.angular_velocity.map_or(0.0, |rate| frame.rotate([rate.x, rate.y, rate.z])[2]);
        let reference = *self.reference.get_or_insert(Reference { orientation, heading: odometry });
        let heading = reference.heading + turn(reference.orientation, orientation);
        Some(odometry + wrapped(heading - odometry))
    }

    /// Returns the yaw rate of the last sample, rad/s to the left.
    pub(crate) fn rate(&self) -> f64 {
        self.rate
    }

    pub(crate) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&(self.reference, self.rate))
    }

    pub(crate) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.reference, self.rate) = state.take()?;
        Ok(())
    }
}

/// Returns the rotation to the left from the first to the second orientation, about the world's z axis, for any
/// mounting of the imu.
fn turn(from: [f64; 4], to: [f64; 4]) -> f64 {
    let [x, y, z, w] = from;
    let back = Pose { position: [0.0; 3], orientation: [-x, -y, -z, w] };
    let turned = Pose { position: [0.0; 3], orientation: to }.compose(back);
    let [x, y, z, w] = turned.orientation;
    libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
}

/// Wraps an angle to -pi to pi.
fn wrapped(angle: f64) -> f64 {
    let (sin, cos) = libm::sincos(angle);
    libm::atan2(sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn about_z(angle: f64) -> [f64; 4] {
        [0.0, 0.0, (angle / 2.0).sin(), (angle / 2.0).cos()]
    }

    #[test]
    fn the_rotation_is_about_the_vertical_axis_for_any_mounting() {
        assert!((turn(about_z(1.0), about_z(1.5)) - 0.5).abs() < 1e-12);
        assert!((turn(about_z(3.0), about_z(-3.0)) - (2.0 * PI - 6.0)).abs() < 1e-12);
        // Upside down: half a turn about x, in the vehicle.
        let mounted = |heading: f64| {
            let vehicle = Pose { position: [0.0; 3], orientation: about_z(heading) };
            vehicle.compose(Pose { position: [0.0; 3], orientation: [1.0, 0.0, 0.0, 0.0] }).orientation
        };
        assert!((turn(mounted(0.2), mounted(0.9)) - 0.7).abs() < 1e-12);
    }

    #[test]
    fn angles_are_wrapped() {
        assert!((wrapped(3.0 * FRAC_PI_2) + FRAC_PI_2).abs() < 1e-12);
        assert!(wrapped(4.0 * PI).abs() < 1e-12);
    }
}
