//! Where the shadow maps look from.

use glam::{DMat3, DVec3, DVec4, Mat4};

use crate::batch::Bound;
use crate::camera::{Axes, View, rows, single};
use crate::lights::{Kind, Lamp, Shadow};

/// Width and height of a shadow map, pixels.
pub(crate) const SIZE: u32 = 2048;
/// On a software driver, where most of the time of an image would go into larger ones.
pub(crate) const SIZE_IN_SOFTWARE: u32 = 1024;
/// Most lights with shadows.
const MAX: usize = 4;
/// Shadows of directional lights are drawn up to this depth, metres: farther ones would make the near ones coarse.
const DISTANCE: f64 = 50.0;
/// A surface is looked up so many pixels of the map above itself.
const OFFSET: f64 = 1.5;

/// The map of a light: from positions relative to the camera to the map, and the size of its pixels, metres.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    pub(crate) matrix: Mat4,
    pub(crate) offset: f64,
    side: [DVec4; 4],
    /// Numbers of casters that shade nothing that is seen.
    idle: Vec<usize>,
}

impl Fit {
    /// True if the caster of this number can cast a shadow into the map.
    pub(crate) fn touches(&self, index: usize, bound: &Bound) -> bool {
        let at = bound.center.extend(1.0);
        !self.idle.contains(&index) && self.side.iter().all(|side| side.dot(at) >= -bound.radius)
    }
}

/// A bound with its number among all of the scene.
pub(crate) type Numbered = (usize, Bound);

/// Smaller casters do not make a map coarse, metres.
const LARGE: f64 = 2.0;
/// Only so many of the largest casters are examined.
const EXAMINED: usize = 8;
/// What stands on a ground may sink into it by this, metres.
const SUNKEN: f64 = 0.05;

/// Returns the large casters that shade nothing that is seen, such as a ground that is a box: without them the map is as
/// small as what stands on it.
fn idle(direction: DVec3, casters: &[Numbered], receivers: &[Numbered]) -> Vec<usize> {
    let mut large: Vec<&Numbered> =
        casters.iter().filter(|(_, bound)| bound.is_convex && bound.radius >= LARGE).collect();
    large.sort_by(|(_, one), (_, other)| other.radius.total_cmp(&one.radius));
    large.truncate(EXAMINED);
    let is_idle = |(index, caster): &&&Numbered| {
        let faces = caster.half.iter().flat_map(|half| [*half, -*half]);
        let lit = faces.filter(|face| face.dot(direction) < 0.0);
        let others = || receivers.iter().filter(|(other, _)| other != index).map(|(_, bound)| bound);
        lit.into_iter()
            .any(|face| others().all(|other| is_above(caster, face, other) || is_sunken(caster, face, other)))
    };
    large.iter().filter(is_idle).map(|(index, _)| *index).collect()
}

/// True if something is in front of a lit face of a caster. From there, the way to the light leads away from the caster.
fn is_above(caster: &Bound, face: DVec3, other: &Bound) -> bool {
    let normal = face.normalize_or_zero();
    normal.dot(other.center - caster.center) - other.reach(normal) >= face.length() - SUNKEN
}

/// True if the caster hides all of something that is not in front of a face.
fn is_sunken(caster: &Bound, face: DVec3, other: &Bound) -> bool {
    let from_center = other.center - caster.center;
    let is_inside = |half: &DVec3| {
        let axis = half.normalize_or_zero();
        let (at, reach) = (axis.dot(from_center), other.reach(axis));
        // Along the face it may stand out.
        let top = if axis.dot(face) > 0.0 { f64::INFINITY } else { half.length() };
        let bottom = if axis.dot(face) < 0.0 { f64::INFINITY } else { half.length() };
        at + reach <= top && at - reach >= -bottom
    };
    caster.half.iter().all(is_inside)
}

/// Returns the shadow of each light, and the maps of the first ones that need one, by layer.
pub(crate) fn fits(
    lamps: &[Lamp],
    view: &View,
    axes: &Axes,
    size: u32,
    bounds: (&[Numbered], &[Numbered]),
) -> (Vec<Option<Shadow>>, Vec<Fit>) {
    let mut fits = Vec::new();
    let shadows = lamps.iter().map(|lamp| {
        let is_candidate = lamp.casts && fits.len() < MAX;
        let fit = is_candidate.then(|| fit(lamp, view, axes, size, bounds)).flatten()?;
        let layer = u32::try_from(fits.len()).unwrap_or(0);
        let shadow = Shadow { layer, matrix: fit.matrix, offset: single(fit.offset) };
        fits.push(fit);
        Some(shadow)
    });
    (shadows.collect(), fits)
}

/// Returns the map for a light; `None` if nothing in the image can be in its shadow.
fn fit(
    lamp: &Lamp,
    view: &View,
    axes: &Axes,
    size: u32,
    (casters, receivers): (&[Numbered], &[Numbered]),
) -> Option<Fit> {
    match lamp.kind {
        Kind::Directional => directional(lamp.direction, view, axes, size, (casters, receivers)),
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
    (casters, receivers): (&[Numbered], &[Numbered]),
) -> Option<Fit> {
    let (right, up) = direction.any_orthonormal_pair();
    // Rows: along the map, up the map, away from the light.
    let to_light = DMat3::from_cols(right, up, direction).transpose();
    let mut seen = Span::EMPTY;
    for corner in frustum(view, axes) {
        seen.add(to_light * corner, DVec3::ZERO);
    }
    let idle = idle(direction, casters, receivers);
    let mut cast = Span::EMPTY;
    for (_, bound) in casters.iter().filter(|(index, _)| !idle.contains(index)) {
        let reach = DVec3::new(bound.reach(right), bound.reach(up), bound.reach(direction));
        cast.add(to_light * bound.center, reach);
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
    Some(Fit { matrix, offset: OFFSET * pixel, side, idle })
}

fn spot(lamp: &Lamp, size: u32) -> Option<Fit> {
    let slope = libm::tan((lamp.outer_angle / 2.0).clamp(0.01, 1.48));
    let (right, up) = lamp.direction.any_orthonormal_pair();
    let (near, far) = (0.05, lamp.range.clamp(0.1, 100.0));
    let scale = 1.0 / slope;
    let from = |axis: DVec3, factor: f64| (axis * factor).extend(-axis.dot(lamp.position) * factor).as_vec4();
    let range = far - near;
    let mut depth = (lamp.direction * (far / range)).extend(0.0);
    depth.w = -lamp.direction.dot(lamp.position) * (far / range) - near * far / range;
    let matrix = rows(from(right, scale), from(up, scale), depth.as_vec4(), from(lamp.direction, 1.0));
    let plane = |axis: DVec3| {
        let normal = (lamp.direction * slope + axis).normalize();
        normal.extend(-normal.dot(lamp.position))
    };
    // Pixels grow with the distance: those at a few metres.
    let pixel = 2.0 * slope * 5.0 / f64::from(size);
    Some(Fit {
        matrix,
        offset: OFFSET * pixel,
        side: [plane(right), plane(-right), plane(up), plane(-up)],
        idle: Vec::new(),
    })
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

    fn add(&mut self, point: DVec3, radius: DVec3) {
        self.low = self.low.min(point - radius);
        self.high = self.high.max(point + radius);
    }
}
