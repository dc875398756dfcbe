//! Axes: those of ROS, which are east, north, up and forward, left, up, and those of an autopilot, which are north, east,
//! down and forward, right, down.

/// Converts a vector of the world: east, north, up into north, east, down.
#[must_use]
pub fn ned([east, north, up]: [f64; 3]) -> [f64; 3] {
    [north, east, -up]
}

/// Converts a vector of the body: forward, left, up into forward, right, down.
#[must_use]
pub fn frd([forward, left, up]: [f64; 3]) -> [f64; 3] {
    [forward, -left, -up]
}

/// Converts an attitude: from the body into the world, first in the axes of ROS as x, y, z, w, then in those of an autopilot as
/// w, x, y, z.
///
/// The one is the other between two constant rotations: about the axis (1, 1, 0) by half a turn in the world, and about the
/// forward axis by half a turn in the body.
#[must_use]
pub fn attitude([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turn = product(product([0.0, half, half, 0.0], [w, x, y, z]), [0.0, 1.0, 0.0, 0.0]);
    // Of the two quaternions of an attitude, the one that is nearer to no rotation.
    if turn[0] < 0.0 { turn.map(|part| -part) } else { turn }
}

/// Returns the product of two quaternions w, x, y, z.
#[must_use]
pub fn product([a, b, c, d]: [f64; 4], [e, f, g, h]: [f64; 4]) -> [f64; 4] {
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
}

/// Rotates a vector of the body into the world. The quaternion is x, y, z, w.
#[must_use]
pub fn rotate([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let [_, a, b, c] = product(product([w, x, y, z], [0.0, v[0], v[1], v[2]]), [w, -x, -y, -z]);
    [a, b, c]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn about(axis: [f64; 3], angle: f64) -> [f64; 4] {
        let (sin, cos) = (angle / 2.0).sin_cos();
        [axis[0] * sin, axis[1] * sin, axis[2] * sin, cos]
    }

    /// Roll, pitch and yaw of a quaternion w, x, y, z.
    fn angles([w, x, y, z]: [f64; 4]) -> [f64; 3] {
        [
            (2.0 * (w * x + y * z)).atan2(1.0 - 2.0 * (x * x + y * y)),
            (2.0 * (w * y - z * x)).asin(),
            (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)),
        ]
    }

    #[track_caller]
    fn assert_angles(body: [f64; 4], expected: [f64; 3]) {
        let found = angles(attitude(body));
        for (found, expected) in found.into_iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} of {expected}");
        }
    }

    #[test]
    fn an_attitude_has_the_angles_of_an_autopilot() {
        use std::f64::consts::FRAC_PI_2;
        let level = about([0.0, 0.0, 1.0], 0.0);
        assert_angles(level, [0.0, 0.0, FRAC_PI_2]);
        let north = about([0.0, 0.0, 1.0], FRAC_PI_2);
        assert_angles(north, [0.0, 0.0, 0.0]);
        // To the left in ROS is less yaw here; the nose down in ROS is less pitch here; the right side down is more roll.
        assert_angles(about([0.0, 0.0, 1.0], FRAC_PI_2 + 0.2), [0.0, 0.0, -0.2]);
        assert_angles(about([0.0, 1.0, 0.0], 0.1), [0.0, -0.1, FRAC_PI_2]);
        assert_angles(about([1.0, 0.0, 0.0], 0.3), [0.3, 0.0, FRAC_PI_2]);
    }

    #[test]
    fn vectors_have_the_axes_of_an_autopilot() {
        assert_eq!(ned([1.0, 2.0, 3.0]), [2.0, 1.0, -3.0]);
        assert_eq!(frd([1.0, 2.0, 3.0]), [1.0, -2.0, -3.0]);
        let turned = rotate(about([0.0, 0.0, 1.0], std::f64::consts::FRAC_PI_2), [1.0, 0.0, 0.5]);
        assert!(
            (turned[0]).abs() < 1e-12 && (turned[1] - 1.0).abs() < 1e-12 && (turned[2] - 0.5).abs() < 1e-12
        );
    }
}
