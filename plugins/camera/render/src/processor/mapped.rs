//! Surfaces with textures, and physically based ones.

use glam::Vec3;
use wide::f32x4;

use super::facet::{Facet, lanes};
use super::functions::{Bounded as _, power};
use super::lanes::Vectors;
use super::shade::{Look, Painter, Shaded, Spot, incoming};
use super::sky::with_fog;
use super::texture::{Footprint, Texels};
use crate::lights::Light;
use crate::material;

/// A surface, as light meets it.
struct Surface {
    base: Vectors,
    normal: Vectors,
    /// Reflectance at right angles.
    reflectance: Vectors,
    roughness: f32x4,
    shininess: f32x4,
    /// Towards the camera.
    view: Vectors,
    is_physical: bool,
    has_highlights: bool,
}

impl Painter<'_> {
    /// Not inlined: it would make the loop over pixels slow for plain surfaces too.
    #[inline(never)]
    pub(super) fn mapped(&self, look: &Look<'_>, facet: &Facet, ray: Vec3, spot: &Spot) -> Shaded {
        let material = look.material;
        let at = footprint(facet, spot);
        let mut base = Vectors::splat(material.diffuse);
        let mut opacity = f32x4::splat(look.opacity);
        let mut mask = spot.mask;
        if look.has(material::COLOR_MAP) {
            let texels = sample(look, 0, &at, mask);
            base = base.times(texels.color);
            opacity *= texels.opacity;
        }
        if look.has(material::CUTOFF) {
            mask &= opacity.simd_ge(f32x4::splat(material.cutoff));
        }
        let mut emissive = Vectors::splat(material.emissive);
        if look.has(material::EMISSIVE_MAP) {
            // A map alone is enough: the colour of the material is then black.
            let color = if material.emissive == Vec3::ZERO { Vec3::ONE } else { material.emissive };
            emissive = Vectors::splat(color).times(sample(look, 4, &at, mask).color);
        }
        let position = self.position(ray, spot);
        let needs_view = look.has(material::PHYSICAL | material::HIGHLIGHTS);
        let distance = if needs_view || self.frame.fog.is_some() { position.length() } else { f32x4::ONE };
        if look.has(material::UNLIT) {
            let color = with_fog(self.frame, base.plus(emissive), distance);
            return Shaded { color, opacity, mask };
        }
        let mut ambient = Vectors::splat(self.frame.ambient);
        if look.has(material::OCCLUSION_MAP) {
            ambient = ambient.scale(sample(look, 5, &at, mask).color.x);
        }
        let (x, y) = spot.center();
        let flat = facet.normals(x, y);
        // Only highlights depend on the direction of the view.
        let toward = match needs_view {
            true => position.scale(f32x4::ONE / distance.at_least(f32x4::splat(1e-9))),
            false => position,
        };
        let surface = self.surface(look, facet, (&at, mask), base, flat, toward);
        let mut color = emissive.plus(base.times(ambient));
        for light in self.lights {
            color = color.plus(self.lit(light, &surface, flat, position));
        }
        Shaded { color: with_fog(self.frame, color, distance), opacity, mask }
    }

    #[inline(always)]
    fn surface(
        &self,
        look: &Look<'_>,
        facet: &Facet,
        (at, mask): (&Footprint, f32x4),
        base: Vectors,
        flat: Vectors,
        ray: Vectors,
    ) -> Surface {
        let material = look.material;
        let is_turned = look.has(material::DOUBLE_SIDED) && !facet.is_front;
        let mut normal = if is_turned { flat.scale(f32x4::splat(-1.0)) } else { flat };
        if look.has(material::NORMAL_MAP) {
            normal = bent(facet, normal, sample(look, 1, at, mask).color);
        }
        let mut surface = Surface {
            base,
            normal,
            reflectance: Vectors::splat(material.specular),
            roughness: f32x4::splat(material.roughness),
            shininess: f32x4::splat(material.shininess.max(1.0)),
            view: ray.scale(f32x4::splat(-1.0)),
            is_physical: look.has(material::PHYSICAL),
            has_highlights: look.has(material::PHYSICAL | material::HIGHLIGHTS),
        };
        if look.has(material::ROUGHNESS_MAP) {
            surface.roughness = sample(look, 2, at, mask).color.y;
        }
        if look.has(material::METAL) {
            let metalness = match look.has(material::METALNESS_MAP) {
                true => sample(look, 3, at, mask).color.z,
                false => f32x4::splat(material.metalness),
            };
            let plastic = Vectors::splat(Vec3::splat(0.04));
            surface.base = base.scale(f32x4::ONE - metalness);
            surface.reflectance = plastic.plus(base.minus(plastic).scale(metalness));
        }
        surface
    }

    /// Returns what a light adds.
    #[inline(always)]
    fn lit(&self, light: &Light, surface: &Surface, flat: Vectors, position: Vectors) -> Vectors {
        let (direction, mut strength) = incoming(light, position);
        let cosine = surface.normal.dot(direction).at_least(f32x4::ZERO);
        let is_reached = (cosine * strength).simd_gt(f32x4::ZERO);
        if !is_reached.any() {
            return Vectors::splat(Vec3::ZERO);
        }
        if let Some(map) = light.shadow.and_then(|shadow| self.shadows.get(shadow.layer as usize)) {
            strength *= self.share(map, light, flat, position);
        }
        let mut color = surface.base.times(Vectors::splat(light.diffuse)).scale(cosine);
        if surface.has_highlights {
            let highlight = surface.highlight(direction, cosine).times(Vectors::splat(light.specular));
            color = color.plus(highlight.select(is_reached, Vectors::splat(Vec3::ZERO)));
        }
        color.scale(strength)
    }
}

impl Surface {
    /// Blinn's model, or that of microfacets with the distribution of Trowbridge and Reitz and the terms of Smith and
    /// Schlick, times pi, because lights here are given by the brightness of a white surface.
    #[inline(always)]
    fn highlight(&self, to_light: Vectors, cosine: f32x4) -> Vectors {
        let one = f32x4::ONE;
        let middle = self.view.plus(to_light).normalize();
        let n_h = self.normal.dot(middle).at_least(f32x4::ZERO);
        if !self.is_physical {
            return self.reflectance.scale(power(n_h, self.shininess));
        }
        let n_v = self.normal.dot(self.view).at_least(f32x4::splat(1e-4));
        let alpha = (self.roughness * self.roughness).at_least(f32x4::splat(2e-3));
        let a2 = alpha * alpha;
        let d = n_h * n_h * (a2 - one) + one;
        let smith = |one_way: f32x4, other: f32x4| one_way * (other * other * (one - a2) + a2).sqrt();
        let visible =
            f32x4::splat(0.5) / (smith(cosine, n_v) + smith(n_v, cosine)).at_least(f32x4::splat(1e-12));
        let grazing = one - self.view.dot(middle).at_least(f32x4::ZERO);
        let square = grazing * grazing;
        let fifth = square * square * grazing;
        let white = Vectors::splat(Vec3::ONE);
        let fresnel = self.reflectance.plus(white.minus(self.reflectance).scale(fifth));
        fresnel.scale(a2 / (d * d) * visible * cosine)
    }
}

/// Returns where pixels are in the textures.
#[inline(always)]
pub(super) fn footprint(facet: &Facet, spot: &Spot) -> Footprint {
    let (x, y) = spot.center();
    let [of_u, of_v] = &facet.uv;
    let u = lanes(of_u, x, y) * spot.depth;
    let v = lanes(of_v, x, y) * spot.depth;
    // The derivative of a quotient of two planes.
    let change = |value: f32x4, plane: f64, inverse: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "pixels have 32 bits")]
        let [plane, inverse] = [plane, inverse].map(|number| f32x4::splat(number as f32));
        (plane - value * inverse) * spot.depth
    };
    let inverse = &facet.inverse;
    Footprint {
        u,
        v,
        across: [change(u, of_u.across, inverse.across), change(v, of_v.across, inverse.across)],
        down: [change(u, of_u.down, inverse.down), change(v, of_v.down, inverse.down)],
    }
}

#[inline(always)]
pub(super) fn sample(look: &Look<'_>, map: usize, at: &Footprint, mask: f32x4) -> Texels {
    match look.maps.and_then(|maps| maps.get(map)) {
        Some(texture) => texture.sample(at, mask.to_bitmask()),
        None => Texels { color: Vectors::splat(Vec3::ONE), opacity: f32x4::ONE },
    }
}

/// Returns the normals that a normal map makes of those of the surface.
#[inline(always)]
fn bent(facet: &Facet, normal: Vectors, texel: Vectors) -> Vectors {
    let [p_x, p_y] = facet.frame.along.map(Vectors::splat);
    let [uv_x, uv_y] = facet.frame.uv;
    let cross = |a: Vectors, b: Vectors| Vectors {
        x: a.y * b.z - a.z * b.y,
        y: a.z * b.x - a.x * b.z,
        z: a.x * b.y - a.y * b.x,
    };
    let (across, along) = (cross(p_y, normal), cross(normal, p_x));
    let mix = |x: f32, y: f32| across.scale(f32x4::splat(x)).plus(along.scale(f32x4::splat(y)));
    let (tangent, bitangent) = (mix(uv_x.x, uv_y.x), mix(uv_x.y, uv_y.y));
    let size = tangent.dot(tangent).at_least(bitangent.dot(bitangent));
    let scale = f32x4::ONE / size.at_least(f32x4::splat(1e-30)).sqrt();
    let two = |value: f32x4| value * f32x4::splat(2.0) - f32x4::ONE;
    // Texture coordinates point down in the image, and the y of its directions points up.
    let bent = tangent
        .scale(scale * two(texel.x))
        .minus(bitangent.scale(scale * two(texel.y)))
        .plus(normal.scale(two(texel.z)))
        .normalize();
    bent.select(size.simd_gt(f32x4::ZERO), normal)
}
