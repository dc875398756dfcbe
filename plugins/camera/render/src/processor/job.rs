//! An image that is to be drawn: all that it needs, so that it can be drawn later and on another thread.

use std::sync::Arc;

use glam::Vec3;

use super::facet::{Drawn, Scratch, Sides, visit};
use super::samples::{Changes, Cover, Samples};
use super::shade::{Look, Painter};
use super::shadow_map::ShadowMap;
use super::sky::sky;
use super::srgb::Srgb;
use super::store::Memory;
use crate::batch::{Batches, Draw, Instance, Instances};
use crate::frame::Frame;
use crate::lights::Light;
use crate::material;
use crate::shadow;
use crate::target::Wanted;

/// The casters of a light.
pub(super) struct Casters {
    pub(super) fit: shadow::Fit,
    pub(super) list: Vec<Instance>,
    pub(super) draws: Vec<Draw<Memory>>,
}

/// An image to draw.
pub(super) struct Job {
    pub(super) batches: Arc<Batches<Memory>>,
    pub(super) frame: Frame,
    pub(super) instances: Instances<Memory>,
    pub(super) lights: Vec<Light>,
    /// By layer.
    pub(super) casters: Vec<Casters>,
    /// Pixels of a side of a shadow map.
    pub(super) shadow_size: u32,
    pub(super) background: Vec3,
    pub(super) has_sky: bool,
}

/// Memory that each image uses again.
#[derive(Default)]
pub(super) struct Workspace {
    scratch: Scratch,
    shadows: Vec<ShadowMap>,
}

impl Job {
    /// Draws the image: `colors` and `geometry` may be the same samples.
    pub(super) fn draw(
        &self,
        wanted: Wanted,
        size: [usize; 2],
        colors: &mut Samples,
        geometry: Option<&mut Samples>,
        work: &mut Workspace,
    ) {
        if wanted.color {
            self.cast(work);
        }
        let is_at_once = geometry.is_none();
        let has_geometry = wanted.geometry && is_at_once;
        let background = wanted.color.then(|| Srgb::new().pixel(self.background));
        colors.clear(background, has_geometry);
        let color = |cover: Cover| wanted.color.then_some(cover);
        let opaque = Changes { depth: true, color: color(Cover::Opaque), visual: has_geometry };
        self.fill(&self.instances.opaque, size, opaque, colors, work);
        if wanted.color {
            if self.has_sky {
                colors.fill_empty(|column, row| sky(&self.frame, column, row));
            }
            let over = Changes { depth: false, color: Some(Cover::Blended), visual: false };
            self.fill(&self.instances.blended, size, over, colors, work);
        }
        let hidden = Changes { depth: true, color: None, visual: true };
        if let Some(samples) = geometry {
            samples.clear(None, true);
            self.fill(&self.instances.opaque, size, hidden, samples, work);
            self.fill(&self.instances.blended, size, hidden, samples, work);
        } else if has_geometry {
            self.fill(&self.instances.blended, size, hidden, colors, work);
        }
    }

    fn cast(&self, work: &mut Workspace) {
        work.shadows.resize_with(self.casters.len().max(work.shadows.len()), ShadowMap::default);
        for (casters, map) in self.casters.iter().zip(&mut work.shadows) {
            map.clear(self.shadow_size as usize);
            for draw in &casters.draws {
                let mesh = &draw.geometry.mesh;
                let instances = draw.instances.clone().filter_map(|index| casters.list.get(index as usize));
                instances.for_each(|instance| {
                    map.cast(&casters.fit.matrix, mesh, instance, draw.geometry.is_closed);
                });
            }
        }
    }

    fn fill(
        &self,
        draws: &[Draw<Memory>],
        size: [usize; 2],
        changes: Changes,
        samples: &mut Samples,
        work: &mut Workspace,
    ) {
        let Workspace { scratch, shadows } = work;
        let painter = Painter { frame: &self.frame, lights: &self.lights, shadows };
        for draw in draws {
            let features = draw.style.features;
            for instance in draw.instances.clone() {
                let Some(instance) = self.instances.list.get(instance as usize) else { continue };
                let Some(material) = self.batches.materials.get(instance.material as usize) else { continue };
                let look = Look {
                    material,
                    opacity: material.opacity * instance.opacity,
                    features,
                    maps: self.batches.maps.get(draw.style.maps),
                    number: instance.number,
                };
                let drawn = Drawn {
                    projection: &self.frame.projection,
                    size,
                    sides: if look.has(material::DOUBLE_SIDED) { Sides::Both } else { Sides::Front },
                    has_normals: changes.color.is_some() && !look.has(material::UNLIT),
                    has_uvs: look.has_maps() && (changes.color.is_some() || look.has(material::CUTOFF)),
                };
                visit(&drawn, &draw.geometry.mesh, instance, scratch, &mut |facet| {
                    samples.fill(&painter, &look, facet, changes);
                });
            }
        }
    }
}
