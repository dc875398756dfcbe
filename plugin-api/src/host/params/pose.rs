//! Poses as parameters: SDF's `<pose>` in each of its formats.

use super::Params;
use crate::error::Result;
use crate::host::Pose;

impl Params {
    /// The `<pose>` at `path`: metres, then radians or degrees about the fixed axes x, y, z, or a quaternion; the
    /// identity if there is none. A frame that it names is left to the caller.
    ///
    /// # Errors
    /// Returns an error if the text is not a pose in its format.
    pub fn pose(self, path: &str) -> Result<Pose> {
        let Some(text) = self.text(path) else { return Ok(Pose::IDENTITY) };
        let numbers: std::result::Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
        let numbers = numbers.unwrap_or_default();
        if self.text(&format!("{path}/@rotation_format")).as_deref() == Some("quat_xyzw") {
            return quaternion_pose(&numbers).ok_or_else(|| self.refuse(path, &text, "seven numbers"));
        }
        let is_in_degrees = self.get_or(&format!("{path}/@degrees"), false)?;
        euler_pose(&numbers, is_in_degrees).ok_or_else(|| self.refuse(path, &text, "six numbers"))
    }
}

impl Pose {
    /// A rotation about the fixed axes x, y and z, one after the other, by these angles in radians.
    #[must_use]
    pub fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> Pose {
        let turn = |axis: usize, angle: f64| {
            let (sin, cos) = libm::sincos(angle / 2.0);
            let mut orientation = [0.0, 0.0, 0.0, cos];
            orientation[axis] = sin;
            Pose { position: [0.0; 3], orientation }
        };
        turn(2, yaw).compose(turn(1, pitch)).compose(turn(0, roll))
    }
}

/// Parses six finite numbers.
fn euler_pose(numbers: &[f64], is_in_degrees: bool) -> Option<Pose> {
    let [x, y, z, ref angles @ ..] = *numbers else { return None };
    let angles: [f64; 3] = angles.try_into().ok()?;
    let turned = Pose::from_rpy(angles.map(|angle| if is_in_degrees { angle.to_radians() } else { angle }));
    let is_finite = numbers.iter().all(|number| number.is_finite());
    is_finite.then_some(Pose { position: [x, y, z], orientation: turned.orientation })
}

/// Parses seven finite numbers; the quaternion is normalized and must not be zero.
fn quaternion_pose(numbers: &[f64]) -> Option<Pose> {
    let [x, y, z, ref quaternion @ ..] = *numbers else { return None };
    let orientation: [f64; 4] = quaternion.try_into().ok()?;
    let length = orientation.iter().map(|part| part * part).sum::<f64>().sqrt();
    let is_right = length > 0.0 && numbers.iter().all(|number| number.is_finite());
    is_right.then(|| Pose { position: [x, y, z], orientation: orientation.map(|part| part / length) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::TestHost;

    #[test]
    fn a_pose_is_parsed_in_every_format_of_sdf_or_refused() {
        let read = |pose: &str, attribute: Option<(&str, &str)>| {
            let (name, value) = attribute.unwrap_or(("unused", ""));
            let host = TestHost::builder().vehicle("car").params([("pose", pose), (name, value)]).build();
            host.handle().params().expect("parameters").pose("pose")
        };
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let turned = |pose: Result<Pose>| {
            let orientation = pose.expect("a pose").orientation;
            [0.0, 0.0, half, half]
                .iter()
                .zip(orientation)
                .all(|(wanted, found)| (wanted - found).abs() < 1e-12)
        };
        assert!(turned(read("1 2 3 0 0 1.5707963267948966", None)));
        assert!(turned(read("1 2 3 0 0 90", Some(("pose/@degrees", "true")))));
        assert!(turned(read("1 2 3 0 0 2 2", Some(("pose/@rotation_format", "quat_xyzw")))));
        for (pose, attribute) in [
            ("1 2 3", None),
            ("1 2 x 3 0 0 0", None),
            ("1 2 nan 0 0 0", None),
            ("1 2 3 0 0 0", Some(("pose/@rotation_format", "quat_xyzw"))),
            ("1 2 3 0 0 0 0", Some(("pose/@rotation_format", "quat_xyzw"))),
        ] {
            assert!(read(pose, attribute).is_err(), "{pose}");
        }
    }
}
