//! A rotation as a quaternion.

use bridgehead_plugin_api::messages::geometry_msgs::Quaternion;

/// A rotation, `x y z w`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn([f64; 4]);

impl Turn {
    /// The rotation of a message; none if it is absent or all zeros.
    pub(crate) fn of(quaternion: Option<&Quaternion>) -> Self {
        let [x, y, z, w] = quaternion.map_or([0.0; 4], |q| [q.x, q.y, q.z, q.w]);
        let norm = (x * x + y * y + z * z + w * w).sqrt();
        if norm > 0.0 { Turn([x / norm, y / norm, z / norm, w / norm]) } else { Turn([0.0, 0.0, 0.0, 1.0]) }
    }

    /// Rotates a vector.
    pub(crate) fn apply(self, v: [f64; 3]) -> [f64; 3] {
        let Turn([x, y, z, w]) = self;
        let cross = |a: [f64; 3], b: [f64; 3]| {
            [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
        };
        let t = cross([x, y, z], v).map(|value| 2.0 * value);
        let u = cross([x, y, z], t);
        [v[0] + w * t[0] + u[0], v[1] + w * t[1] + u[1], v[2] + w * t[2] + u[2]]
    }

    /// Returns the direction of the x axis about up, in radians.
    pub(crate) fn heading(self) -> f64 {
        let [x, y, _] = self.apply([1.0, 0.0, 0.0]);
        libm::atan2(y, x)
    }

    /// Returns this rotation after one by -90° about up: of axes right, forward, up instead of forward, left, up.
    pub(crate) fn after_quarter_to_the_right(self) -> [f64; 4] {
        let Turn([x, y, z, w]) = self;
        let half = std::f64::consts::FRAC_1_SQRT_2;
        [half * (x - y), half * (x + y), half * (z - w), half * (w + z)]
    }
}
