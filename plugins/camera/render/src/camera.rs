//! The projection of a camera.

use glam::{DMat3, DQuat, DVec3, Mat4, Vec3, Vec4};

/// A pose in the world or in a node: metres, and a unit quaternion x, y, z, w.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placement {
    /// Position.
    pub position: DVec3,
    /// Orientation.
    pub orientation: DQuat,
}

impl Placement {
    /// The origin.
    pub const IDENTITY: Placement = Placement { position: DVec3::ZERO, orientation: DQuat::IDENTITY };

    /// Returns the placement of `inner`, which is given in this one.
    #[must_use]
    pub fn compose(&self, inner: &Placement) -> Placement {
        Placement {
            position: self.position + self.orientation * inner.position,
            orientation: self.orientation * inner.orientation,
        }
    }
}

/// What a camera looks at, and how it projects that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The camera in the world: it looks along x, with y to the left and z up.
    pub placement: Placement,
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// Horizontal and vertical focal length, pixels.
    pub focal: [f64; 2],
    /// Column and row of the optical axis; whole numbers are centres of pixels.
    pub center: [f64; 2],
    /// Nothing nearer is drawn, metres along the optical axis, above 0.
    pub near: f64,
    /// Nothing farther is drawn, metres along the optical axis.
    pub far: f64,
    /// Visuals of which no flag is in this mask are not drawn.
    pub mask: u32,
}

/// Unit vectors of the image in the world: to the right, down, and into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axes {
    pub(crate) right: DVec3,
    pub(crate) down: DVec3,
    pub(crate) forward: DVec3,
}

impl View {
    pub(crate) fn axes(&self) -> Axes {
        let axes = DMat3::from_quat(self.placement.orientation);
        Axes { right: -axes.y_axis, down: -axes.z_axis, forward: axes.x_axis }
    }

    /// From positions relative to the camera, in the axes of the world, to clip space.
    pub(crate) fn projection(&self, axes: &Axes) -> Mat4 {
        let [width, height] = self.size.map(f64::from);
        let row = |axis: DVec3, factor: f64, offset: f64| {
            let row = axis * factor + axes.forward * offset;
            narrow(row).extend(0.0)
        };
        let offset = |center: f64, size: f64| 2.0 * (center + 0.5) / size - 1.0;
        let x = row(axes.right, 2.0 * self.focal[0] / width, offset(self.center[0], width));
        let y = row(axes.down, -2.0 * self.focal[1] / height, -offset(self.center[1], height));
        let range = self.far - self.near;
        let z = narrow(axes.forward * (-self.near / range)).extend(single(self.near * self.far / range));
        let w = narrow(axes.forward).extend(0.0);
        rows(x, y, z, w)
    }

    /// The direction of pixel (0, 0) at a depth of 1, and the steps to the next column and row.
    pub(crate) fn pixel_rays(&self, axes: &Axes) -> [Vec3; 3] {
        let right = axes.right / self.focal[0];
        let down = axes.down / self.focal[1];
        // The shader counts from the corner of the image: the centre of the first pixel is at (0.5, 0.5).
        let corner = axes.forward - right * (self.center[0] + 0.5) - down * (self.center[1] + 0.5);
        [corner, right, down].map(narrow)
    }

    /// The planes at the four sides: a point relative to the camera is outside if its product with one of these unit
    /// vectors is negative.
    pub(crate) fn sides(&self, axes: &Axes) -> [DVec3; 4] {
        let [width, height] = self.size.map(f64::from);
        let left = (self.center[0] + 0.5) / self.focal[0];
        let right = (width - self.center[0] - 0.5) / self.focal[0];
        let top = (self.center[1] + 0.5) / self.focal[1];
        let bottom = (height - self.center[1] - 0.5) / self.focal[1];
        let side = |axis: DVec3, tangent: f64| (axes.forward * tangent + axis).normalize();
        [side(axes.right, left), side(-axes.right, right), side(axes.down, top), side(-axes.down, bottom)]
    }
}

pub(crate) fn rows(x: Vec4, y: Vec4, z: Vec4, w: Vec4) -> Mat4 {
    Mat4::from_cols(x, y, z, w).transpose()
}

pub(crate) fn narrow(vector: DVec3) -> Vec3 {
    vector.as_vec3()
}

#[expect(clippy::cast_possible_truncation, reason = "the device computes with 32 bits")]
pub(crate) fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        View {
            placement: Placement {
                position: DVec3::new(3.0, -2.0, 1.0),
                orientation: DQuat::from_euler(glam::EulerRot::ZYX, 0.7, 0.3, -0.2),
            },
            size: [64, 48],
            focal: [50.0, 40.0],
            center: [30.0, 25.5],
            near: 0.1,
            far: 50.0,
            mask: u32::MAX,
        }
    }

    #[test]
    fn a_point_on_the_ray_of_a_pixel_is_projected_onto_its_centre() {
        let view = view();
        let axes = view.axes();
        let [corner, right, down] = view.pixel_rays(&axes);
        for (column, row, depth) in [(0.0, 0.0, 0.1), (63.0, 47.0, 50.0), (12.0, 40.0, 7.0)] {
            let point = (corner + right * (column + 0.5) + down * (row + 0.5)) * depth;
            let clip = view.projection(&axes) * point.extend(1.0);
            let (x, y) = ((clip.x / clip.w + 1.0) * 32.0 - 0.5, (1.0 - clip.y / clip.w) * 24.0 - 0.5);
            assert!((x - column).abs() < 1e-3 && (y - row).abs() < 1e-3, "{column} {row}: {x} {y}");
            assert!((clip.w - depth).abs() < 1e-4 * depth);
            let expected = 0.1 / 49.9 * (50.0 / depth - 1.0);
            assert!((clip.z / clip.w - expected).abs() < 1e-4, "{depth}");
        }
    }

    #[test]
    fn the_planes_at_the_sides_separate_what_is_in_the_image() {
        let view = view();
        let axes = view.axes();
        let [corner, right, down] = view.pixel_rays(&axes).map(|ray| ray.as_dvec3());
        let is_inside = |column: f64, row: f64| {
            let ray = corner + right * (column + 0.5) + down * (row + 0.5);
            view.sides(&axes).iter().all(|side| side.dot(ray) >= 0.0)
        };
        assert!(is_inside(0.0, 0.0) && is_inside(63.0, 47.0) && is_inside(30.0, 20.0));
        assert!(!is_inside(-1.0, 20.0) && !is_inside(64.0, 20.0));
        assert!(!is_inside(30.0, -1.0) && !is_inside(30.0, 48.0));
    }
}
