//! What the world looks like, for plugins, bridges and clients: a description that changes by revision, the meshes and
//! textures that it names, and the poses of its nodes.
//!
//! The simulation thread maintains the parts, which costs a copy of their elements. A thread of its own reads files and
//! makes the message, once for each revision, if anybody asks; it begins with the first question. Poses are copied
//! between two steps into one block for all who asked since the last one. A run that nobody looks at pays for the parts
//! only.

mod block;
mod feed;
mod parts;
mod reader;

impl Scene {
    /// Makes a block and passes it to all who wait. Simulation thread, between two steps.
    pub fn serve_poses(&self, world: Option<&World>, now: Moment) {
        self.poses.has_waiting.store(false, Ordering::Release);
        let waiting = std::mem::take(&mut *lock(&self.poses.waiting));
        let block = Arc::new(self.block(world, now));
        waiting.into_iter().for_each(|take| take(&block));
    }

    /// Returns the poses at this moment. Simulation thread.
    #[must_use]
    pub fn block(&self, world: Option<&World>, now: Moment) -> PoseBlock {
        let revision = self.revision();
        let Some(world) = world else { return PoseBlock::new(revision, now, std::iter::empty()) };
        let mut nodes = lock(&self.poses.nodes);
        if nodes.revision != revision {
            let (revision, models) = self.models();
            let links = models.iter().flat_map(|model| world.links_of(*model)).collect();
            *nodes = Nodes { revision, links };
        }
        let poses = nodes.links.iter().map(|link| world.link_pose(*link).unwrap_or_default());
        PoseBlock::new(nodes.revision, now, poses)
    }
}

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_plugin_api::Payload;
use bridgehead_scene::{Asset, ModelPart, Parts, WorldPart};

pub use block::PoseBlock;
pub use feed::PoseFeed;

use crate::bus::Moment;
use crate::thread::lock;
use crate::world::World;
use feed::Nodes;
use parts::SceneParts;
use reader::{Job, Reader};

/// The scene of a run, for all threads.
#[derive(Default)]
pub struct Scene {
    shared: Arc<SceneParts>,
    reader: Reader,
    /// Poses of the nodes.
    pub poses: PoseFeed,
}

impl Scene {
    /// Grows with every change; 0 before the first world.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.shared.revision.load(Ordering::Acquire)
    }

    /// Replaces the world, with its models by index.
    pub fn load(&self, world: WorldPart, models: impl IntoIterator<Item = (usize, ModelPart)>) {
        let models = models.into_iter().map(|(index, part)| (index, Arc::new(part))).collect();
        self.shared.change(|parts| {
            *parts = Some(Parts { world: Arc::new(world), models });
            true
        });
    }

    /// Removes the world.
    pub fn unload(&self) {
        self.shared.change(|parts| parts.take().is_some());
    }

    /// Adds a model that was spawned or restored.
    pub fn add(&self, index: usize, part: ModelPart) {
        self.shared.change(|parts| {
            let parts = parts.as_mut();
            parts.map(|parts| parts.models.insert(index, Arc::new(part))).is_some()
        });
    }

    /// Removes a model.
    pub fn remove(&self, index: usize) {
        self.shared.change(|parts| parts.as_mut().is_some_and(|parts| parts.models.remove(&index).is_some()));
    }

    /// Returns the indices of the models, in the order of their nodes, and the revision.
    #[must_use]
    pub fn models(&self) -> (u64, Vec<usize>) {
        let (revision, parts) = self.shared.get();
        (revision, parts.models.keys().copied().collect())
    }

    /// Passes the encoded `Scene` to `take`, on another thread, as soon as its files are read. Returns false if that
    /// thread cannot be started; `take` is dropped then.
    pub fn read(&self, take: impl FnOnce(Payload) + Send + 'static) -> bool {
        self.reader.ask(&self.shared, Job::new(take))
    }

    /// Returns the content of a mesh or texture of the newest scene that was read.
    #[must_use]
    pub fn asset(&self, hash: &str) -> Option<Asset> {
        self.reader.asset(hash)
    }
}
