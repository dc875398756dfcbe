//! The renderer of the processor: scenes in memory, and what images need of them.

use std::sync::Arc;

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;

use super::job::{Casters, Job};
use super::store::Memory;
use super::target::Target;
use crate::batch::{Batches, Instances};
use crate::camera::{Placement, View};
use crate::error::RenderError;
use crate::frame::Frame;
use crate::geometry::Geometries;
use crate::lights;
use crate::material::linear;
use crate::shadow;
use crate::target::Wanted;
use crate::textures::Textures;

/// What does not belong to one scene.
pub(crate) struct Renderer {
    geometries: Geometries<Memory>,
    textures: Textures<Memory>,
}

impl Renderer {
    pub(crate) fn new() -> Self {
        Renderer { geometries: Geometries::default(), textures: Textures::new(&Memory) }
    }

    pub(crate) fn load(
        &mut self,
        scene: &Scene,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Arc<Batches<Memory>> {
        let batches = Batches::new(scene, &Memory, &mut self.geometries, &mut self.textures, content);
        self.geometries.keep(scene.revision);
        self.textures.keep(scene.revision);
        Arc::new(batches)
    }

    pub(crate) fn target(size: [u32; 2], wanted: Wanted) -> Result<Target, RenderError> {
        Target::new(size, wanted)
    }

    /// Collects what an image needs; [`Target::read`] draws it.
    pub(crate) fn draw(
        (scene, batches): (&Scene, &Arc<Batches<Memory>>),
        target: &mut Target,
        view: &View,
        nodes: &[Placement],
    ) {
        let axes = view.axes();
        let mut instances = Instances::default();
        batches.see(view, nodes, &mut instances);
        let lamps = if target.wanted().color { lights::lamps(scene, view, nodes) } else { Vec::new() };
        let shadow_size = shadow::SIZE_IN_SOFTWARE;
        let casting = match lamps.iter().any(|lamp| lamp.casts) {
            true => batches.casters(view, nodes),
            false => Vec::new(),
        };
        let bounds = (casting.as_slice(), instances.seen.as_slice());
        let (shadows, fits) = shadow::fits(&lamps, view, &axes, shadow_size, bounds);
        let casters = fits.into_iter().map(|fit| {
            let (mut list, mut draws) = (Vec::new(), Vec::new());
            batches.cast(view, nodes, |index, bound| fit.touches(index, bound), &mut list, &mut draws);
            Casters { fit, list, draws }
        });
        let around = scene.surroundings.as_ref();
        target.job = Some(Job {
            batches: Arc::clone(batches),
            frame: Frame::new(scene, view, &axes),
            lights: lights::lights(scene, &lamps, &shadows),
            casters: casters.collect(),
            instances,
            shadow_size,
            background: linear(around.and_then(|around| around.background.as_ref())),
            has_sky: around.is_some_and(|around| around.sky),
        });
    }
}
