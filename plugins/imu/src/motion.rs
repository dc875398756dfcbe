//! The readings of an ideal inertial measurement unit: pure mechanics without noise and host, any thread.

use bridgehead_plugin_api::host::Pose;

/// The motion of a sensor at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Motion {
    /// Pose of the sensor in the world; only the orientation is used.
    orientation: Pose,
    /// Angular velocity, sensor frame, rad/s.
    pub(crate) angular_velocity: [f64; 3],
    /// Specific force, sensor frame, m/s²: acceleration minus gravity, so that a sensor at rest reads +g upwards.
    pub(crate) specific_force: [f64; 3],
}

impl Motion {
    /// Computes the readings from the sensor's pose and, all in the world frame, its angular velocity (rad/s), the
    /// acceleration of its point and gravity (m/s²).
    pub(crate) fn new(pose: Pose, angular: [f64; 3], acceleration: [f64; 3], gravity: [f64; 3]) -> Self {
        let force = std::array::from_fn(|axis| acceleration[axis] - gravity[axis]);
        Motion {
            orientation: pose,
            angular_velocity: pose.rotate_inverse(angular),
            specific_force: pose.rotate_inverse(force),
        }
    }

    /// Returns the orientation of the sensor in `reference`: a quaternion x, y, z, w.
    pub(crate) fn orientation_in(&self, reference: Reference) -> [f64; 4] {
        reference.world_pose().compose(self.orientation).orientation
    }
}

/// The axes relative to which orientation is given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Reference {
    /// East, north, up: the world frame, as REP-145 requires.
    #[default]
    Enu,
    /// North, east, down.
    Ned,
    /// North, west, up.
    Nwu,
    /// Axes with this orientation in the world: a quaternion x, y, z, w.
    Turned([f64; 4]),
}

impl Reference {
    /// Returns the world frame (east, north, up) in these axes.
    fn world_pose(self) -> Pose {
        const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;
        let orientation = match self {
            Reference::Enu => [0.0, 0.0, 0.0, 1.0],
            // Half a turn about the line between east and north swaps them and turns up into down.
            Reference::Ned => [HALF, HALF, 0.0, 0.0],
            // A quarter turn to the right about up.
            Reference::Nwu => [0.0, 0.0, -HALF, HALF],
            Reference::Turned([x, y, z, w]) => [-x, -y, -z, w],
        };
        Pose { position: [0.0; 3], orientation }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(left: [f64; 3], right: [f64; 3]) {
        let distance = (0..3).map(|axis| (left[axis] - right[axis]).abs()).fold(0.0, f64::max);
        assert!(distance < 1e-12, "{left:?} is not {right:?}");
    }

    #[test]
    fn the_axes_of_the_world_have_their_names_in_every_reference() {
        let [east, north, up] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let ned = Reference::Ned.world_pose();
        assert_close(ned.rotate(north), [1.0, 0.0, 0.0]);
        assert_close(ned.rotate(east), [0.0, 1.0, 0.0]);
        assert_close(ned.rotate(up), [0.0, 0.0, -1.0]);
        let nwu = Reference::Nwu.world_pose();
        assert_close(nwu.rotate(north), [1.0, 0.0, 0.0]);
        assert_close(nwu.rotate(east), [0.0, -1.0, 0.0]);
        assert_close(nwu.rotate(up), [0.0, 0.0, 1.0]);
    }

    #[test]
    fn a_falling_sensor_measures_no_specific_force() {
        let gravity = [0.0, 0.0, -9.8];
        let motion = Motion::new(Pose::IDENTITY, [0.0; 3], gravity, gravity);
        assert_close(motion.specific_force, [0.0; 3]);
    }
}
