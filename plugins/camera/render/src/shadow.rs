//! Where the shadow maps look from.

use glam::{DMat3, DVec3, DVec4, Mat4};

use crate::batch::Bound;
use crate::camera::{Axes, View, rows};
use crate::lights::{Kind, Lamp};

/// Width and height of a shadow map, pixels.
pub(crate) const SIZE: u32 = 2048;
/// On a software driver, where most of the time of an image would go into larger ones.
pub(crate) const SIZE_IN_SOFTWARE: u32 = 1024;
/// Most lights with shadows.
pub(crate) const MOST: usize = 4;
/// Shadows of directional lights are drawn up to this depth, metres: farther ones would make the near ones coarse.
const DISTANCE: f64 = 50.0;
/// A surface is looked up so many pixels of the map above itself.
const OFFSET: f64 = 1.5;

/// The map of a light: from positions relative to the camera to the map, and the size of its pixels, metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub(crate) matrix: Mat4,
    pub(crate) offset: f64,
    side: [DVec4; 4],
}

impl Fit {
    /// True if something there can cast a shadow into the map.
    pub(crate) fn touches(&self, bound: &Bound) -> bool {
        let at = bound.center.extend(1.0);
        self.side.iter().all(|side| side.dot(at) >= -bound.radius)
    }
}

/// Returns the map for a light; `None` if nothing in the image can be in its shadow.
pub(crate) fn fit(
    lamp: &Lamp,
    view: &View,
    axes: &Axes,
    size: u32,
    casters: impl Iterator<Item = Bound>,
) -> Option<Fit> {
    match lamp.kind {
        Kind::Directional => directional(lamp.direction, view, axes, size, casters),
        Kind::Spot => spot(lamp, size),
        // Would need six maps.
        Kind::Point => None,
    }
}

fn directional(
    direction: DVec3,
    view: &View,
    axes: &Axes,
    size: u32,
    casters: impl Iterator<Item = Bound>,
) -> Option<Fit> {
    let (right, up) = direction.any_orthonormal_pair();
    // Rows: along the map, up the map, away from the light.
    let to_light = DMat3::from_cols(right, up, direction).transpose();
    let mut seen = Span::EMPTY;
    for corner in frustum(view, axes) {
        seen.add(to_light * corner, 0.0);
    }
    let mut cast = Span::EMPTY;
    for bound in casters {
        cast.add(to_light * bound.center, bound.radius);
    }
    let low = seen.low.max(cast.low);
    let high = seen.high.min(cast.high);
    if !(low.x < high.x && low.y < high.y) || cast.low.z >= seen.high.z {
        return None;
    }
    // A caster may be anywhere between the light and what is seen.
    let (near, far) = (cast.low.z, cast.high.z.max(cast.low.z + 1e-3));
    let half = ((high - low) / 2.0).truncate();
    let middle = (high + low) / 2.0;
    let line = |axis: DVec3, factor: f64, offset: f64| (axis * factor).extend(offset).as_vec4();
    let depth = far - near;
    let matrix = rows(
        line(right, 1.0 / half.x, -middle.x / half.x),
        line(up, 1.0 / half.y, -middle.y / half.y),
        line(direction, 1.0 / depth, -near / depth),
        glam::Vec4::W,
    );
    let pixel = 2.0 * half.max_element() / f64::from(size);
    let side = [right.extend(-low.x), (-right).extend(high.x), up.extend(-low.y), (-up).extend(high.y)];
    Some(Fit { matrix, offset: OFFSET * pixel, side })
}

fn spot(lamp: &Lamp, size: u32) -> Option<Fit> {
    let angle = (lamp.outer_angle / 2.0).clamp(0.01, 1.48);
    let (right, up) = lamp.direction.any_orthonormal_pair();
    let (near, far) = (0.05, lamp.range.clamp(0.1, 100.0));
    let scale = 1.0 / angle.tan();
    let from = |axis: DVec3, factor: f64| (axis * factor).extend(-axis.dot(lamp.position) * factor).as_vec4();
    let range = far - near;
    let mut depth = (lamp.direction * (far / range)).extend(0.0);
    depth.w = -lamp.direction.dot(lamp.position) * (far / range) - near * far / range;
    let matrix = rows(from(right, scale), from(up, scale), depth.as_vec4(), from(lamp.direction, 1.0));
    let plane = |axis: DVec3| {
        let normal = (lamp.direction * angle.tan() + axis).normalize();
        normal.extend(-normal.dot(lamp.position))
    };
    // Pixels grow with the distance: those at a few metres.
    let pixel = 2.0 * angle.tan() * 5.0 / f64::from(size);
    Some(Fit { matrix, offset: OFFSET * pixel, side: [plane(right), plane(-right), plane(up), plane(-up)] })
}

/// The corners of what the camera sees, relative to it.
fn frustum(view: &View, axes: &Axes) -> impl Iterator<Item = DVec3> {
    let [corner, right, down] = view.pixel_rays(axes).map(|ray| ray.as_dvec3());
    let [width, height] = view.size.map(f64::from);
    let far = view.far.min(DISTANCE);
    let rays =
        [corner, corner + right * width, corner + down * height, corner + right * width + down * height];
    rays.into_iter().flat_map(move |ray| [ray * view.near.min(far), ray * far])
}

struct Span {
    low: DVec3,
    high: DVec3,
}

impl Span {
    const EMPTY: Span = Span { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };

    fn add(&mut self, point: DVec3, radius: f64) {
        self.low = self.low.min(point - radius);
        self.high = self.high.max(point + radius);
    }
}
