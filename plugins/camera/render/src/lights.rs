//! Lights as they are drawn.

use bridgehead_messages::bridgehead_simulation_interfaces::{Scene, SceneLight};
use glam::{DVec3, Mat4, Vec3};

use crate::batch::placement;
use crate::camera::{Placement, View, narrow, single};
use crate::material::factors;
use crate::words::Words;

/// More lights than these slow every pixel down; the first ones are drawn.
pub(crate) const MAX: usize = 16;

/// Types of lights, from `SceneLight`.
const SPOT: u32 = 1;
const DIRECTIONAL: u32 = 2;

/// A light in one image, relative to the camera.
#[derive(Clone, Debug)]
pub(crate) struct Lamp {
    pub(crate) kind: Kind,
    pub(crate) position: DVec3,
    /// Unit vector.
    pub(crate) direction: DVec3,
    /// Metres.
    pub(crate) range: f64,
    /// Whole outer angle, radians.
    pub(crate) outer_angle: f64,
    pub(crate) casts: bool,
    source: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Point,
    Spot,
    Directional,
}

/// The shadow map of a light.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shadow {
    pub(crate) layer: u32,
    pub(crate) matrix: Mat4,
    /// Metres above a surface at which it is looked up.
    pub(crate) offset: f32,
}

/// Returns the lights that are on, first the directional ones with shadows: the shadow of the first light is cheap if that is
/// directional.
pub(crate) fn lamps(scene: &Scene, view: &View, nodes: &[Placement]) -> Vec<Lamp> {
    let lit = scene.lights.iter().enumerate().filter(|(_, light)| light.is_on);
    let lamps = lit.filter_map(|(source, light)| {
        let node = match usize::try_from(light.node) {
            Ok(node) => *nodes.get(node)?,
            Err(_) => Placement::IDENTITY,
        };
        let placed = node.compose(&placement(light.pose.as_ref()));
        let direction = light.direction.as_ref().map_or(-DVec3::Z, |to| DVec3::new(to.x, to.y, to.z));
        let lamp = Lamp {
            kind: match light.r#type {
                DIRECTIONAL => Kind::Directional,
                SPOT => Kind::Spot,
                _ => Kind::Point,
            },
            position: placed.position - view.placement.position,
            direction: (placed.orientation * direction).normalize_or(-DVec3::Z),
            range: if light.attenuation_range > 0.0 { light.attenuation_range } else { f64::from(f32::MAX) },
            outer_angle: light.outer_angle,
            casts: light.cast_shadows && scene.surroundings.as_ref().is_none_or(|around| around.shadows),
            source,
        };
        lamp.position.is_finite().then_some(lamp)
    });
    let mut lamps: Vec<_> = lamps.take(MAX).collect();
    lamps.sort_by_key(|lamp| lamp.kind != Kind::Directional || !lamp.casts);
    lamps
}

/// A light as it is drawn, relative to the camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Light {
    pub(crate) kind: Kind,
    pub(crate) position: Vec3,
    /// Unit vector in which it shines.
    pub(crate) direction: Vec3,
    pub(crate) range: f32,
    /// Colours with the intensity.
    pub(crate) diffuse: Vec3,
    pub(crate) specular: Vec3,
    /// Factors of 1, of the distance and of its square in the divisor of the strength.
    pub(crate) attenuation: [f32; 3],
    /// Cosines of half the inner and half the outer angle.
    pub(crate) cosines: [f32; 2],
    pub(crate) falloff: f32,
    pub(crate) shadow: Option<Shadow>,
}

/// Returns what is drawn of the lights, with their shadows.
pub(crate) fn lights(scene: &Scene, lamps: &[Lamp], shadows: &[Option<Shadow>]) -> Vec<Light> {
    let sources = lamps.iter().enumerate().filter_map(|(index, lamp)| {
        let shadow = shadows.get(index).copied().flatten();
        scene.lights.get(lamp.source).map(|source| Light::new(source, lamp, shadow))
    });
    sources.collect()
}

/// Writes the lights; the shader has room for all.
pub(crate) fn write(words: &mut Words, lights: &[Light]) {
    words.clear();
    lights.iter().for_each(|light| light.write(words));
    let missing = (MAX * WORDS).saturating_sub(words.len());
    (0..missing / 4).for_each(|_| words.whole([0; 4]));
}

/// Words of a light.
const WORDS: usize = 40;

impl Light {
    fn new(light: &SceneLight, lamp: &Lamp, shadow: Option<Shadow>) -> Self {
        let intensity = single(light.intensity);
        let half = |angle: f64| single(libm::cos((angle / 2.0).clamp(0.0, std::f64::consts::PI)));
        // The cosine of the outer angle is the smaller one, even if the file has them the wrong way round.
        let outer = light.outer_angle.max(light.inner_angle + 1e-3);
        let attenuation = [light.attenuation_constant, light.attenuation_linear, light.attenuation_quadratic];
        Light {
            kind: lamp.kind,
            position: narrow(lamp.position),
            direction: narrow(lamp.direction),
            range: single(lamp.range.min(f64::from(f32::MAX))),
            diffuse: factors(light.diffuse.as_ref()) * intensity,
            specular: factors(light.specular.as_ref()) * intensity,
            attenuation: attenuation.map(single),
            cosines: [half(light.inner_angle), half(outer)],
            falloff: single(light.falloff),
            shadow,
        }
    }

    fn write(&self, words: &mut Words) {
        let kind = match self.kind {
            Kind::Point => 0.0,
            Kind::Spot => 1.0,
            Kind::Directional => 2.0,
        };
        let [constant, linear, quadratic] = self.attenuation;
        words.vector(self.position, kind);
        words.vector(self.direction, self.range);
        words.vector(self.diffuse, constant);
        words.vector(self.specular, linear);
        words.numbers([self.cosines[0], self.cosines[1], self.falloff, quadratic]);
        let layer = self.shadow.map_or(0, |shadow| shadow.layer + 1);
        words.whole([layer, self.shadow.map_or(0.0, |shadow| shadow.offset).to_bits(), 0, 0]);
        words.matrix(&self.shadow.map_or(Mat4::IDENTITY, |shadow| shadow.matrix));
    }
}

/// Ambient light, and whether the scene is lit at all.
pub(crate) fn ambient(scene: &Scene) -> Vec3 {
    factors(scene.surroundings.as_ref().and_then(|around| around.ambient.as_ref()))
}
