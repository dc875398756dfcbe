//! Flat, matte surfaces under directional lights: walls, floors and boxes in the sun.
//!
//! Their colour is the sum of constants, each times the share of a light that is not in the shadow; and the place in a
//! shadow map is linear in the image if it is divided by the depth.

use glam::{Mat3, Vec3};
use wide::f32x4;

use super::facet::{Facet, Normal};
use super::lanes::Vectors;
use super::shade::{Look, Painter, Shaded, Shader, Spot, lit_at};
use super::shadow_map::ShadowMap;
use crate::frame::Frame;
use crate::lights::Kind;
use crate::material;

/// More lights with shadows have the general formula.
const MAX: usize = 2;

/// A facet whose colour depends on shadows alone.
pub(super) struct Sunlit<'a> {
    frame: &'a Frame,
    /// Without the lights that have shadows.
    color: Vec3,
    opacity: f32,
    suns: [Option<Sun<'a>>; MAX],
}

/// A light with a shadow map.
#[derive(Clone, Copy)]
struct Sun<'a> {
    /// Where it is not in the shadow.
    color: Vec3,
    map: &'a ShadowMap,
    /// From positions to the map.
    axes: Mat3,
    start: Vec3,
    /// From column to column, at a depth of 1.
    across: Vec3,
}

impl<'a> Sunlit<'a> {
    /// Returns the facet; `None` if its colour depends on more.
    pub(super) fn new(painter: &Painter<'a>, look: &Look<'_>, facet: &Facet) -> Option<Self> {
        let Normal::Flat(flat) = facet.normal else { return None };
        if !look.is_plain() || look.has(material::HIGHLIGHTS) || painter.frame.fog.is_some() {
            return None;
        }
        let normal = if look.has(material::DOUBLE_SIDED) && !facet.is_front { -flat } else { flat };
        let diffuse = look.material.diffuse;
        let mut color = look.material.emissive + diffuse * painter.frame.ambient;
        let mut suns = [None; MAX];
        let mut free = suns.iter_mut();
        for light in painter.lights {
            if light.kind != Kind::Directional {
                return None;
            }
            let adds = diffuse * light.diffuse * normal.dot(-light.direction).max(0.0);
            let shadow =
                light.shadow.and_then(|shadow| Some((shadow, painter.shadows.get(shadow.layer as usize)?)));
            match shadow {
                _ if adds == Vec3::ZERO => {}
                None => color += adds,
                Some((shadow, map)) => {
                    let axes = Mat3::from_mat4(shadow.matrix);
                    let start = shadow.matrix.transform_point3(flat * shadow.offset);
                    *free.next()? =
                        Some(Sun { color: adds, map, axes, start, across: axes * painter.frame.right });
                }
            }
        }
        Some(Sunlit { frame: painter.frame, color, opacity: look.opacity, suns })
    }
}

impl Shader for Sunlit<'_> {
    /// The direction of the first pixel as each map sees it.
    type Row = [Vec3; MAX];

    #[inline(always)]
    fn row(&self, row: usize) -> Self::Row {
        let ray = self.frame.ray(row);
        self.suns.map(|sun| sun.map_or(Vec3::ZERO, |sun| sun.axes * ray))
    }

    #[inline(always)]
    fn shade(&self, row: &Self::Row, spot: &Spot) -> Shaded {
        let mut color = Vectors::splat(self.color);
        let columns = spot.columns();
        for (sun, ray) in self.suns.iter().zip(row) {
            let Some(sun) = sun else { break };
            let ray = Vectors::splat(*ray).plus(Vectors::splat(sun.across).scale(columns));
            let place = ray.scale(spot.depth).plus(Vectors::splat(sun.start));
            let share = lit_at(sun.map, place, spot.mask);
            color = color.plus(Vectors::splat(sun.color).scale(share));
        }
        Shaded { color, opacity: f32x4::splat(self.opacity), mask: spot.mask }
    }
}
