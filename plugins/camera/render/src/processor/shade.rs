//! Colours of four pixels: the formulas of `device/shader.wgsl`.

use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use wide::f32x4;

use super::facet::Facet;
use super::functions::{Bounded as _, power};
use super::lanes::{STEPS, Vectors};
use super::mapped::{footprint, sample};
use super::raster::CENTER;
use super::shadow_map::ShadowMap;
use super::sky::with_fog;
use super::texture::Texture;
use crate::frame::Frame;
use crate::lights::{Kind, Light};
use crate::material::{self, Material};
use crate::textures::MAPS;

/// What an instance looks like.
pub(super) struct Look<'a> {
    pub(super) material: &'a Material,
    /// Of the material and the instance.
    pub(super) opacity: f32,
    /// Bits, in the order of [`material::FEATURES`].
    pub(super) features: u32,
    pub(super) maps: Option<&'a [Arc<Texture>; MAPS]>,
    pub(super) number: u32,
}

impl Look<'_> {
    pub(super) fn has(&self, feature: u32) -> bool {
        self.features & feature != 0
    }

    /// True if it has no texture, is opaque throughout, and shines by Blinn's model or not at all.
    pub(super) fn is_plain(&self) -> bool {
        self.features & !(material::DOUBLE_SIDED | material::HIGHLIGHTS) == 0
    }

    /// True if it has a texture of any kind.
    pub(super) fn has_maps(&self) -> bool {
        self.features & ((1 << MAPS) - 1) != 0
    }
}

/// Four pixels of a facet, from a column on.
#[derive(Clone, Copy)]
pub(super) struct Spot {
    pub(super) column: usize,
    pub(super) row: usize,
    /// Metres along the optical axis.
    pub(super) depth: f32x4,
    /// Set for the pixels that are drawn.
    pub(super) mask: f32x4,
}

/// Colours in linear numbers. A pixel may turn out to be transparent: then it is not in the mask.
pub(super) struct Shaded {
    pub(super) color: Vectors,
    pub(super) opacity: f32x4,
    pub(super) mask: f32x4,
}

impl Spot {
    /// Returns the centre of its first pixel.
    #[inline(always)]
    #[expect(clippy::cast_precision_loss, reason = "sizes of images")]
    pub(super) fn center(&self) -> (f64, f64) {
        (self.column as f64 + CENTER[0], self.row as f64 + CENTER[1])
    }

    /// Returns the columns of its pixels.
    #[inline(always)]
    pub(super) fn columns(&self) -> f32x4 {
        #[expect(clippy::cast_precision_loss, reason = "a size of an image")]
        let column = self.column as f32;
        f32x4::splat(column) + STEPS
    }
}

/// Computes the colours of a facet.
pub(super) trait Shader {
    /// What is the same for all pixels of a row.
    type Row;

    fn row(&self, row: usize) -> Self::Row;

    fn shade(&self, row: &Self::Row, spot: &Spot) -> Shaded;
}

/// Shades any surface.
pub(super) struct Any<'a> {
    pub(super) painter: &'a Painter<'a>,
    pub(super) look: &'a Look<'a>,
    pub(super) facet: &'a Facet,
}

impl Shader for Any<'_> {
    /// The direction of its first pixel, at a depth of 1.
    type Row = Vec3;

    #[inline(always)]
    fn row(&self, row: usize) -> Vec3 {
        self.painter.frame.ray(row)
    }

    #[inline(always)]
    fn shade(&self, row: &Vec3, spot: &Spot) -> Shaded {
        self.painter.shade(self.look, self.facet, *row, spot)
    }
}

/// Leaves out what is transparent, and has no colours.
pub(super) struct Hidden<'a> {
    pub(super) painter: &'a Painter<'a>,
    pub(super) look: &'a Look<'a>,
    pub(super) facet: &'a Facet,
}

impl Shader for Hidden<'_> {
    type Row = ();

    #[inline(always)]
    fn row(&self, _: usize) {}

    #[inline(always)]
    fn shade(&self, (): &(), spot: &Spot) -> Shaded {
        let mask = self.painter.opaque(self.look, self.facet, spot);
        Shaded { color: Vectors::splat(Vec3::ZERO), opacity: f32x4::ONE, mask }
    }
}

/// What is the same for all pixels of an image.
pub(super) struct Painter<'a> {
    pub(super) frame: &'a Frame,
    pub(super) lights: &'a [Light],
    /// In the order of the layers of the lights.
    pub(super) shadows: &'a [ShadowMap],
}

impl Painter<'_> {
    /// Returns the pixels of the mask that the colour map of a surface leaves.
    #[inline(always)]
    pub(super) fn opaque(&self, look: &Look<'_>, facet: &Facet, spot: &Spot) -> f32x4 {
        if !look.has(material::CUTOFF) || !look.has(material::COLOR_MAP) {
            return spot.mask;
        }
        let at = footprint(facet, spot);
        let texels = sample(look, 0, &at, spot.mask);
        let opacity = texels.opacity * f32x4::splat(look.opacity);
        spot.mask & opacity.simd_ge(f32x4::splat(look.material.cutoff))
    }

    /// Returns the colours of the pixels of the mask.
    #[inline(always)]
    fn shade(&self, look: &Look<'_>, facet: &Facet, ray: Vec3, spot: &Spot) -> Shaded {
        match look.is_plain() {
            true => self.plain(look, facet, ray, spot),
            false => self.mapped(look, facet, ray, spot),
        }
    }

    /// Most surfaces: without what only textures and physically based materials need.
    #[inline(always)]
    fn plain(&self, look: &Look<'_>, facet: &Facet, ray: Vec3, spot: &Spot) -> Shaded {
        let material = look.material;
        let position = self.position(ray, spot);
        let (x, y) = spot.center();
        let flat = facet.normals(x, y);
        let is_turned = look.has(material::DOUBLE_SIDED) && !facet.is_front;
        let normal = if is_turned { flat.scale(f32x4::splat(-1.0)) } else { flat };
        let mut color = Vectors::splat(material.emissive + material.diffuse * self.frame.ambient);
        for light in self.lights {
            let (direction, mut strength) = incoming(light, position);
            let cosine = normal.dot(direction).at_least(f32x4::ZERO);
            let is_reached = (cosine * strength).simd_gt(f32x4::ZERO);
            if !is_reached.any() {
                continue;
            }
            if let Some(map) = light.shadow.and_then(|shadow| self.shadows.get(shadow.layer as usize)) {
                strength *= self.share(map, light, flat, position);
            }
            color = color.plus(Vectors::splat(material.diffuse * light.diffuse).scale(cosine * strength));
            if look.has(material::HIGHLIGHTS) {
                let middle = position.normalize().scale(f32x4::splat(-1.0)).plus(direction).normalize();
                let n_h = normal.dot(middle).at_least(f32x4::ZERO);
                let shine = (power(n_h, f32x4::splat(material.shininess.max(1.0))) * strength) & is_reached;
                color = color.plus(Vectors::splat(material.specular * light.specular).scale(shine));
            }
        }
        if self.frame.fog.is_some() {
            color = with_fog(self.frame, color, position.length());
        }
        Shaded { color, opacity: f32x4::splat(look.opacity), mask: spot.mask }
    }

    /// Returns the share of a light that reaches places of a surface.
    #[inline(always)]
    pub(super) fn share(&self, map: &ShadowMap, light: &Light, flat: Vectors, position: Vectors) -> f32x4 {
        let Some(shadow) = &light.shadow else { return f32x4::ONE };
        share(map, &shadow.matrix, position.plus(flat.scale(f32x4::splat(shadow.offset))))
    }

    #[inline(always)]
    pub(super) fn position(&self, ray: Vec3, spot: &Spot) -> Vectors {
        let ray = Vectors::splat(ray).plus(Vectors::splat(self.frame.right).scale(spot.columns()));
        ray.scale(spot.depth)
    }
}

/// Returns the direction towards a light, and its strength.
#[inline(always)]
pub(super) fn incoming(light: &Light, position: Vectors) -> (Vectors, f32x4) {
    if light.kind == Kind::Directional {
        return (Vectors::splat(-light.direction), f32x4::ONE);
    }
    let away = Vectors::splat(light.position).minus(position);
    let distance = away.length().at_least(f32x4::splat(1e-6));
    let direction = away.scale(f32x4::ONE / distance);
    let [constant, linear, quadratic] = light.attenuation.map(f32x4::splat);
    let divisor = constant + linear * distance + quadratic * distance * distance;
    let strength = f32x4::ONE / divisor.at_least(f32x4::splat(1e-3));
    let mut strength = distance.simd_gt(f32x4::splat(light.range)).bitselect(f32x4::ZERO, strength);
    if light.kind == Kind::Spot {
        let cosine = direction.scale(f32x4::splat(-1.0)).dot(Vectors::splat(light.direction));
        let [inner, outer] = light.cosines;
        let inside = (cosine - f32x4::splat(outer)) / f32x4::splat((inner - outer).max(1e-6));
        let inside = inside.at_least(f32x4::ZERO).at_most(f32x4::ONE);
        strength *= power(inside, f32x4::splat(light.falloff.max(1e-3)));
    }
    (direction, strength)
}

/// Returns the share of light that reaches places in space.
#[inline(always)]
fn share(map: &ShadowMap, matrix: &Mat4, at: Vectors) -> f32x4 {
    let row = |row: Vec4| Vectors::splat(row.truncate()).dot(at) + f32x4::splat(row.w);
    let [mut x, mut y, mut z] = [0, 1, 2].map(|index| row(matrix.row(index)));
    let (zero, one) = (f32x4::ZERO, f32x4::ONE);
    let mut is_ahead = one.simd_eq(one);
    if matrix.row(3) != Vec4::W {
        let w = row(matrix.row(3));
        is_ahead = w.simd_gt(zero);
        [x, y, z] = [x, y, z].map(|value| value / w);
    }
    lit_at(map, Vectors::of([x, y, z]), is_ahead)
}

/// Returns the share of light that reaches places in clip space of the light, whose w is 1; all of it outside of the map
/// and of the mask.
#[inline(always)]
pub(super) fn lit_at(map: &ShadowMap, place: Vectors, mask: f32x4) -> f32x4 {
    let (half, one) = (f32x4::splat(0.5), f32x4::ONE);
    let inside = mask & place.x.abs().simd_le(one) & place.y.abs().simd_le(one);
    if !inside.any() {
        return one;
    }
    let (column, line) = (place.x * half + half, half - place.y * half);
    // The map ends behind the last thing that casts a shadow: what is farther is compared with that end.
    inside.bitselect(map.lit(Vectors::of([column, line, place.z.at_most(one)])), one)
}
