//! Images without a graphics adapter: one ray of the host for each pixel.
//!
//! Rays meet the shapes that make contact, not those that are drawn, and know only the model that they meet. Its first
//! visual with a label, or else with a temperature, or else its first one, stands for it: colours are those of its material, darker the more a surface
//! is turned away.

use std::collections::HashMap;

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, LinkId, Pose, RayBatch, RayHit, World};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;
use bridgehead_plugin_api::messages::std_msgs::ColorRgba;
use bridgehead_render::Wanted;
use glam::DVec3;

use crate::planes::{Planes, byte};

/// Share of the colour of a surface that rays only graze.
const DARKEST: f64 = 0.35;

/// What the rays of an exposure met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pixels: Vec<Pixel>,
    /// Names of the models.
    models: Vec<String>,
}

#[derive(Clone, Copy, Debug)]
struct Pixel {
    /// Metres along the optical axis; infinity for nothing.
    depth: f64,
    /// Cosine of the angle between the surface and the ray.
    cosine: f64,
    /// Index of the model; `None` for nothing.
    model: Option<usize>,
}

/// Casts rays on the simulation thread.
pub(crate) struct Caster {
    world: World,
    host: HostHandle,
    link: LinkId,
    /// Directions that the lens shows, and which pixels they are of.
    directions: Vec<[f64; 3]>,
    pixels: Vec<usize>,
    count: usize,
    hits: Vec<RayHit>,
}

impl Caster {
    pub(crate) fn new(host: HostHandle, link: LinkId, directions: &[Option<DVec3>]) -> Result<Self> {
        let shown = directions.iter().enumerate();
        let shown = shown.filter_map(|(pixel, ray)| ray.map(|ray| (pixel, ray.to_array())));
        let (pixels, rays): (Vec<_>, Vec<_>) = shown.unzip();
        let nothing = RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 };
        Ok(Caster {
            world: host.world()?,
            host,
            link,
            hits: vec![nothing; rays.len()],
            directions: rays,
            pixels,
            count: directions.len(),
        })
    }

    /// Casts a ray through each pixel.
    pub(crate) fn cast(&mut self, camera: Pose, (near, far): (f64, f64)) -> Result<Seen> {
        let longest = self.directions.iter().map(|ray| 1.0 / ray[0].max(1e-3)).fold(1.0, f64::max);
        let batch = RayBatch {
            frame: camera,
            directions: &self.directions,
            range_min: near,
            range_max: far * longest,
            ignore: Some(self.link),
        };
        self.world.cast_rays(&batch, &mut self.hits)?;
        let entities: Vec<_> = self.host.entities()?.iter().collect();
        let index: HashMap<u64, usize> =
            entities.iter().enumerate().map(|(index, entity)| (entity.id.0, index)).collect();
        let nothing = Pixel { depth: f64::INFINITY, cosine: 0.0, model: None };
        let mut pixels = vec![nothing; self.count];
        for ((hit, ray), pixel) in self.hits.iter().zip(&self.directions).zip(&self.pixels) {
            if !hit.distance.is_finite() {
                continue;
            }
            let along = camera.rotate(*ray);
            let cosine: f64 = along.iter().zip(hit.normal).map(|(ray, normal)| -ray * normal).sum();
            if let Some(seen) = pixels.get_mut(*pixel) {
                *seen = Pixel {
                    depth: hit.distance * ray[0],
                    cosine: cosine.clamp(0.0, 1.0),
                    model: index.get(&hit.entity).copied(),
                };
            }
        }
        Ok(Seen { pixels, models: entities.into_iter().map(|entity| entity.name).collect() })
    }
}

impl Seen {
    /// Fills the planes that are wanted.
    pub(crate) fn develop(&self, scene: &Scene, wanted: Wanted, planes: &mut Planes) {
        planes.clear();
        let numbers: Vec<u32> = self.models.iter().map(|name| representative(scene, name)).collect();
        let number = |pixel: &Pixel| pixel.model.and_then(|model| numbers.get(model)).copied().unwrap_or(0);
        if wanted.color {
            let around = scene.surroundings.as_ref().and_then(|around| around.background.as_ref());
            let background = color_of(around, 1.0);
            planes.color.extend(self.pixels.iter().map(|pixel| match pixel.model {
                None => background,
                Some(_) => color_of(diffuse(scene, number(pixel)), DARKEST + (1.0 - DARKEST) * pixel.cosine),
            }));
        }
        if wanted.geometry {
            planes.depth.extend(self.pixels.iter().map(|pixel| single(pixel.depth)));
            planes.visual.extend(self.pixels.iter().map(number));
        }
    }
}

/// Returns the number of the visual that stands for a model; 0 if it has none.
fn representative(scene: &Scene, model: &str) -> u32 {
    let of_model = (1_u32..).zip(&scene.visuals).filter(|(_, visual)| {
        let node = usize::try_from(visual.node).ok().and_then(|node| scene.nodes.get(node));
        node.is_some_and(|node| node.entity == model)
    });
    let best = of_model.min_by_key(|(_, visual)| (visual.label < 0, visual.temperature < 0.0));
    best.map_or(0, |(number, _)| number)
}

fn diffuse(scene: &Scene, number: u32) -> Option<&ColorRgba> {
    let visual = scene.visuals.get(usize::try_from(number).ok()?.checked_sub(1)?)?;
    let material = scene.materials.get(usize::try_from(visual.material).ok()?)?;
    material.diffuse.as_ref()
}

/// A colour with a brightness; light grey for none.
fn color_of(color: Option<&ColorRgba>, brightness: f64) -> [u8; 4] {
    let [r, g, b] = color.map_or([0.8; 3], |color| [color.r, color.g, color.b]);
    let channel = |value: f32| byte(255.0 * f64::from(value) * brightness);
    [channel(r), channel(g), channel(b), 255]
}

#[expect(clippy::cast_possible_truncation, reason = "images have 32-bit floats")]
fn single(number: f64) -> f32 {
    number as f32
}
