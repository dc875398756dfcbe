//! A view volume: a truncated pyramid along x. Pure; any thread.

use bridgehead_plugin_api::host::Pose;

/// Returns whether a corner is outside one side.
type Side<'a> = &'a dyn Fn(&[f64; 3]) -> bool;

/// The volume, in the frame of the camera: x forward, y left, z up.
#[derive(Clone, Debug)]
pub(crate) struct Frustum {
    near: f64,
    far: f64,
    /// Tangents of half the horizontal and vertical angles.
    slopes: [f64; 2],
}

impl Frustum {
    /// Creates a volume from distances in metres, the full horizontal angle in radians, and width over height.
    pub(crate) fn new(near: f64, far: f64, horizontal_fov: f64, aspect_ratio: f64) -> Self {
        let across = libm::tan(horizontal_fov / 2.0);
        Frustum { near, far, slopes: [across, across / aspect_ratio] }
    }

    /// Returns true if part of a box may be inside: no side of the volume has all of its corners outside. `pose` is
    /// the box's frame relative to the camera.
    pub(crate) fn meets(&self, pose: Pose, low: [f64; 3], high: [f64; 3]) -> bool {
        let corners: [[f64; 3]; 8] = std::array::from_fn(|corner| {
            let pick = |axis: usize| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] };
            let turned = pose.rotate([pick(0), pick(1), pick(2)]);
            std::array::from_fn(|axis| pose.position[axis] + turned[axis])
        });
        let [across, up] = self.slopes;
        let sides: [Side<'_>; 6] = [
            &|[x, ..]| *x < self.near,
            &|[x, ..]| *x > self.far,
            &|[x, y, _]| *y > x * across,
            &|[x, y, _]| *y < -x * across,
            &|[x, _, z]| *z > x * up,
            &|[x, _, z]| *z < -x * up,
        ];
        !sides.iter().any(|is_outside| corners.iter().all(is_outside))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sees(position: [f64; 3], size: f64) -> bool {
        // 90 degrees horizontally, 2 to 1: 53 degrees vertically.
        let frustum = Frustum::new(0.5, 10.0, std::f64::consts::FRAC_PI_2, 2.0);
        let half = size / 2.0;
        frustum.meets(Pose { position, ..Pose::IDENTITY }, [-half; 3], [half; 3])
    }

    #[test]
    fn points_are_inside_or_outside_by_the_six_sides() {
        let seen = [[5.0, 4.9, 0.0], [5.0, -4.9, 0.0], [5.0, 0.0, 2.4], [0.6, 0.0, 0.0], [9.9, 0.0, 0.0]];
        let unseen = [
            [5.0, 5.1, 0.0],
            [5.0, -5.1, 0.0],
            [5.0, 0.0, 2.6],
            [0.4, 0.0, 0.0],
            [10.1, 0.0, 0.0],
            [-5.0, 0.0, 0.0],
        ];
        assert!(seen.iter().all(|place| sees(*place, 0.0)));
        assert!(!unseen.iter().any(|place| sees(*place, 0.0)));
    }

    #[test]
    fn a_box_is_seen_by_one_corner() {
        assert!(!sees([5.0, 5.6, 0.0], 0.2));
        assert!(sees([5.0, 5.4, 0.0], 1.0));
        assert!(sees([10.4, 0.0, 0.0], 1.0));
    }
}
