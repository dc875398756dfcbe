//! The projection of a camera, and from which pictures of a plain one its image is put together. Pure; any thread.
//!
//! Pixel coordinates are those of ROS: integers are the centres of pixels, with columns from the left and rows from
//! the top. Directions are in the sensor frame: x forward, y left, z up.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use bridgehead_render::{Placement, View};
use glam::{DMat3, DQuat, DVec2, DVec3};

/// The projection of a camera.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Lens {
    /// Width and height, pixels.
    pub(crate) size: [u32; 2],
    /// Horizontal and vertical focal length, pixels.
    pub(crate) focal: [f64; 2],
    /// Principal point, column and row.
    pub(crate) center: [f64; 2],
    pub(crate) distortion: Distortion,
}

/// How a lens differs from a pinhole.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Distortion {
    /// Not at all.
    None,
    /// D. C. Brown, "Decentering Distortion of Lenses", 1966: radial k1, k2, k3 and tangential p1, p2.
    Brown { radial: [f64; 3], tangential: [f64; 2] },
    /// A wide-angle lens.
    Wide(Wide),
}

/// The distance from the axis, in focal lengths, is `c1 f fun(angle / c2 + c3)`, as SDF has it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wide {
    pub(crate) function: Function,
    pub(crate) c1: f64,
    pub(crate) c2: f64,
    pub(crate) c3: f64,
    pub(crate) f: f64,
    /// Nothing is seen beyond this angle from the axis, rad.
    pub(crate) cutoff: f64,
    /// Width and height of the pictures in the six directions, pixels.
    pub(crate) face: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Sine,
    Tangent,
    Identity,
}

impl Wide {
    /// Returns the angle from the axis for a distance from it; `None` beyond the edge.
    fn angle(&self, radius: f64) -> Option<f64> {
        let value = radius / (self.c1 * self.f);
        let inner = match self.function {
            Function::Sine if value.abs() > 1.0 => return None,
            Function::Sine => libm::asin(value),
            Function::Tangent => libm::atan(value),
            Function::Identity => value,
        };
        let angle = (inner - self.c3) * self.c2;
        (0.0..=self.cutoff.min(PI)).contains(&angle).then_some(angle)
    }

    /// Returns the distance from the axis for an angle.
    pub(crate) fn radius(&self, angle: f64) -> f64 {
        let inner = angle / self.c2 + self.c3;
        let value = match self.function {
            Function::Sine => libm::sin(inner),
            Function::Tangent => libm::tan(inner),
            Function::Identity => inner,
        };
        self.c1 * self.f * value
    }
}

/// A picture of a plain camera that is a part of the image.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Orientation in the sensor.
    pub(crate) orientation: DQuat,
    pub(crate) size: [u32; 2],
    pub(crate) focal: [f64; 2],
    pub(crate) center: [f64; 2],
}

/// Where a pixel of the image comes from: a part, and column and row in it; `None` if the lens shows nothing there.
pub(crate) type Source = Option<(u8, DVec2)>;

/// The parts of an image, and the source of each pixel; `None` if the only part is the image.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plan {
    pub(crate) parts: Vec<Part>,
    pub(crate) sources: Option<Vec<Source>>,
}

/// More pixels along a side than this make a part too large, however strongly a lens bends.
const LONGEST: f64 = 4096.0;

impl Lens {
    /// Returns a pinhole for a horizontal field of view in radians, with square pixels and a central principal point.
    pub(crate) fn with_angle(size: [u32; 2], horizontal_fov: f64) -> Self {
        let focal = f64::from(size[0]) / (2.0 * libm::tan(horizontal_fov / 2.0));
        let center = size.map(|pixels| (f64::from(pixels) - 1.0) / 2.0);
        Lens { size, focal: [focal; 2], center, distortion: Distortion::None }
    }

    /// Returns the direction of each pixel, by rows from the top; `None` where the lens shows nothing.
    pub(crate) fn directions(&self) -> Vec<Option<DVec3>> {
        let [width, height] = self.size;
        let row = |row: u32| (0..width).map(move |column| self.direction(f64::from(column), f64::from(row)));
        (0..height).flat_map(row).collect()
    }

    /// Returns the unit vector through a pixel.
    pub(crate) fn direction(&self, column: f64, row: f64) -> Option<DVec3> {
        let x = (column - self.center[0]) / self.focal[0];
        let y = (row - self.center[1]) / self.focal[1];
        let point = DVec2::new(x, y);
        match &self.distortion {
            Distortion::None => Some(ray(point)),
            Distortion::Brown { radial, tangential } => undistort(point, *radial, *tangential).map(ray),
            Distortion::Wide(wide) => {
                let radius = point.length();
                let angle = wide.angle(radius)?;
                let away = if radius > 0.0 { point / radius } else { DVec2::ZERO };
                let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
                Some(DVec3::new(cosine, -away.x * sine, -away.y * sine))
            }
        }
    }

    /// Returns the pixel that shows a point of the sensor frame; `None` if it is behind or beyond the edge of the lens.
    pub(crate) fn project(&self, point: DVec3) -> Option<DVec2> {
        let at = match &self.distortion {
            Distortion::Wide(wide) => {
                let aside = DVec2::new(-point.y, -point.z);
                let angle = libm::atan2(aside.length(), point.x);
                if angle > wide.cutoff {
                    return None;
                }
                aside.normalize_or_zero() * wide.radius(angle)
            }
            _ if point.x <= 0.0 => return None,
            Distortion::None => DVec2::new(-point.y, -point.z) / point.x,
            Distortion::Brown { radial, tangential } => {
                distort(DVec2::new(-point.y, -point.z) / point.x, *radial, *tangential)
            }
        };
        Some(DVec2::new(at.x * self.focal[0] + self.center[0], at.y * self.focal[1] + self.center[1]))
    }

    /// Returns how the image is put together.
    pub(crate) fn plan(&self) -> Plan {
        match &self.distortion {
            Distortion::None => {
                let part = Part {
                    orientation: DQuat::IDENTITY,
                    size: self.size,
                    focal: self.focal,
                    center: self.center,
                };
                Plan { parts: vec![part], sources: None }
            }
            Distortion::Brown { .. } => self.plan_plain(),
            Distortion::Wide(wide) => self.plan_faces(wide.face),
        }
    }

    /// One picture that contains all rays, with pixels of the same size in the middle.
    fn plan_plain(&self) -> Plan {
        let directions = self.directions();
        let slopes = |axis: usize| {
            let of = directions.iter().flatten().map(move |ray| (ray[axis] / ray.x).abs());
            of.fold(1e-3, f64::max)
        };
        let side = |slope: f64, focal: f64| {
            let pixels = (2.0 * (slope * focal).ceil() + 3.0).clamp(1.0, LONGEST);
            (whole(pixels), focal.min((pixels - 3.0).max(1.0) / (2.0 * slope)))
        };
        let (width, x) = side(slopes(1), self.focal[0]);
        let (height, y) = side(slopes(2), self.focal[1]);
        let part = Part {
            orientation: DQuat::IDENTITY,
            size: [width, height],
            focal: [x, y],
            center: [middle(width, self.center[0]), middle(height, self.center[1])],
        };
        let source = |ray: &Option<DVec3>| ray.and_then(|ray| part.pixel(ray)).map(|pixel| (0, pixel));
        let sources = directions.iter().map(source).collect();
        Plan { parts: vec![part], sources: Some(sources) }
    }

    /// Six pictures around the camera, of which those that nobody sees are left out.
    fn plan_faces(&self, pixels: u32) -> Plan {
        let directions = self.directions();
        let faces = faces(pixels);
        let choose = |ray: DVec3| {
            let along = |face: &Part| (face.orientation * DVec3::X).dot(ray);
            let best =
                faces.iter().enumerate().max_by(|(_, one), (_, other)| along(one).total_cmp(&along(other)));
            best.map(|(index, _)| index)
        };
        let mut parts = Vec::new();
        let mut numbers = [None; 6];
        let mut sources = Vec::with_capacity(directions.len());
        for ray in directions {
            let source = ray.and_then(|ray| {
                let face = choose(ray)?;
                let pixel = faces[face].pixel(ray)?;
                let number = *numbers[face].get_or_insert_with(|| {
                    parts.push(faces[face].clone());
                    u8::try_from(parts.len() - 1).unwrap_or(0)
                });
                Some((number, pixel))
            });
            sources.push(source);
        }
        Plan { parts, sources: Some(sources) }
    }
}

impl Part {
    /// Returns the view of this part from a camera.
    pub(crate) fn view(&self, camera: &Placement, (near, far): (f64, f64), mask: u32) -> View {
        let inner = Placement { position: DVec3::ZERO, orientation: self.orientation };
        View {
            placement: camera.compose(&inner),
            size: self.size,
            focal: self.focal,
            center: self.center,
            near,
            far,
            mask,
        }
    }

    fn pixel(&self, ray: DVec3) -> Option<DVec2> {
        let ray = self.orientation.inverse() * ray;
        let at = DVec2::new(-ray.y, -ray.z) / ray.x;
        let pixel = DVec2::new(at.x * self.focal[0] + self.center[0], at.y * self.focal[1] + self.center[1]);
        (ray.x > 0.0).then_some(pixel)
    }
}

/// Middle of a row of pixels, moved by at most half a pixel so that near the axis its pixels are those of the image, whose
/// axis is at `center`: between two pixels the nearest one would be a matter of rounding.
fn middle(pixels: u32, center: f64) -> f64 {
    let offset = center - center.round();
    (f64::from(pixels) - 1.0) / 2.0 + offset
}

/// Pictures of 90 degrees and a pixel more on each side, so that pixels between two of them have neighbours.
fn faces(pixels: u32) -> [Part; 6] {
    let inner = f64::from(pixels);
    let size = [pixels + 2; 2];
    let focal = [inner / (2.0 * libm::tan(FRAC_PI_4)); 2];
    let turns = [
        DQuat::IDENTITY,
        DQuat::from_rotation_z(FRAC_PI_2),
        DQuat::from_rotation_z(-FRAC_PI_2),
        DQuat::from_rotation_y(-FRAC_PI_2),
        DQuat::from_rotation_y(FRAC_PI_2),
        DQuat::from_rotation_z(PI),
    ];
    turns.map(|orientation| Part { orientation, size, focal, center: [(inner + 1.0) / 2.0; 2] })
}

fn ray(point: DVec2) -> DVec3 {
    DVec3::new(1.0, -point.x, -point.y).normalize()
}

/// Where a lens shows a point of a plain image; both in focal lengths from the axis.
fn distort(point: DVec2, [k1, k2, k3]: [f64; 3], [p1, p2]: [f64; 2]) -> DVec2 {
    let DVec2 { x, y } = point;
    let r2 = x * x + y * y;
    let radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3));
    DVec2::new(
        x * radial + 2.0 * p1 * x * y + p2 * (r2 + 2.0 * x * x),
        y * radial + p1 * (r2 + 2.0 * y * y) + 2.0 * p2 * x * y,
    )
}

/// The inverse of [`distort`] by Newton's method; `None` beyond the radius at which the model folds back.
fn undistort(target: DVec2, radial: [f64; 3], tangential: [f64; 2]) -> Option<DVec2> {
    const STEP: f64 = 1e-6;
    let mut point = target;
    for _ in 0..50 {
        let error = distort(point, radial, tangential) - target;
        if error.length() < 1e-10 {
            return is_unfolded(point, radial).then_some(point);
        }
        let slope = |step: DVec2| {
            (distort(point + step, radial, tangential) - distort(point - step, radial, tangential))
                / (2.0 * STEP)
        };
        let (a, b) = (slope(DVec2::new(STEP, 0.0)), slope(DVec2::new(0.0, STEP)));
        let inverse = DMat3::from_cols(a.extend(0.0), b.extend(0.0), DVec3::Z).inverse();
        let change = (inverse * error.extend(0.0)).truncate();
        if !change.is_finite() {
            return None;
        }
        // A damped step: far from the axis the model is steep.
        point -= change.clamp_length_max(0.5);
    }
    None
}

/// True if points farther out are shown farther out.
fn is_unfolded(point: DVec2, [k1, k2, k3]: [f64; 3]) -> bool {
    let r2 = point.length_squared();
    1.0 + r2 * (3.0 * k1 + r2 * (5.0 * k2 + r2 * 7.0 * k3)) > 0.0
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and LONGEST")]
fn whole(pixels: f64) -> u32 {
    pixels as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lenses() -> Vec<Lens> {
        let plain = Lens::with_angle([64, 48], 1.2);
        let brown = Lens {
            distortion: Distortion::Brown { radial: [-0.25, 0.12, -0.01], tangential: [0.001, -0.002] },
            center: [30.0, 26.0],
            ..plain.clone()
        };
        let barrel = Lens {
            distortion: Distortion::Brown { radial: [0.2, 0.0, 0.0], tangential: [0.0; 2] },
            ..plain.clone()
        };
        let wide = |function, c1, c2, f, cutoff| Lens {
            distortion: Distortion::Wide(Wide { function, c1, c2, c3: 0.0, f, cutoff, face: 64 }),
            focal: [1.0; 2],
            ..plain.clone()
        };
        let fish = wide(Function::Identity, 1.0, 1.0, 18.0, 2.5);
        let stereographic = wide(Function::Tangent, 2.0, 2.0, 10.0, 2.0);
        let orthographic = wide(Function::Sine, 1.0, 1.0, 30.0, 1.5);
        vec![plain, brown, barrel, fish, stereographic, orthographic]
    }

    #[test]
    fn the_ray_of_a_pixel_is_projected_onto_that_pixel() {
        for lens in lenses() {
            for (column, row) in [(0.0, 0.0), (31.0, 23.0), (63.0, 47.0), (5.0, 40.0)] {
                let Some(ray) = lens.direction(column, row) else { continue };
                assert!((ray.length() - 1.0).abs() < 1e-9);
                let pixel = lens.project(ray * 7.0).expect("it is seen");
                assert!(pixel.distance(DVec2::new(column, row)) < 1e-6, "{lens:?}: {column} {row}: {pixel}");
            }
        }
    }

    #[test]
    fn a_pixel_comes_from_where_its_ray_meets_a_part() {
        for lens in lenses() {
            let plan = lens.plan();
            let Some(sources) = &plan.sources else { continue };
            assert!(sources.iter().flatten().count() > 1000, "{lens:?}");
            for (source, ray) in sources.iter().zip(lens.directions()) {
                let Some((part, pixel)) = source else { continue };
                let part = &plan.parts[usize::from(*part)];
                let last = part.size.map(|size| f64::from(size) - 1.0);
                assert!(pixel.x >= 0.0 && pixel.y >= 0.0 && pixel.x <= last[0] && pixel.y <= last[1]);
                let slope = (pixel - DVec2::from(part.center)) / DVec2::from(part.focal);
                let met = part.orientation * super::ray(slope);
                assert!(met.distance(ray.expect("it has a source")) < 1e-9);
            }
        }
    }

    #[test]
    fn a_lens_that_sees_half_of_the_world_needs_five_pictures() {
        let lens = &lenses()[3];
        assert!(lens.plan().parts.len() >= 5);
    }
}
