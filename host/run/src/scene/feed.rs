//! Poses for readers: made between two steps, once for all who asked, and only if somebody asked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::Scene;
use super::block::{PoseBlock, Waiter};
use crate::bus::Moment;
use crate::thread::lock;
use crate::world::World;

/// The readers that wait for poses. A reader asks for each block, so that its own rate decides how many are made, and a
/// slow one gets fewer.
#[derive(Default)]
pub struct PoseFeed {
    waiting: Mutex<Vec<Waiter>>,
    has_waiting: AtomicBool,
    /// The links of the nodes of a revision.
    nodes: Mutex<Nodes>,
}

#[derive(Default)]
struct Nodes {
    revision: u64,
    links: Vec<u32>,
}

impl PoseFeed {
    /// Passes the next block to `take`, on the simulation thread, which must not be kept waiting. The caller wakes the
    /// simulation.
    pub fn ask(&self, take: impl FnOnce(&Arc<PoseBlock>) + Send + 'static) {
        lock(&self.waiting).push(Box::new(take));
        self.has_waiting.store(true, Ordering::Release);
    }

    /// Waits for the next block; `None` after that time. `wake` wakes the simulation.
    pub fn wait(&self, time: Duration, wake: impl FnOnce()) -> Option<Arc<PoseBlock>> {
        let (sender, receiver) = sync_channel(1);
        self.ask(move |block| {
            // An error is a reader that waits no longer.
            drop(sender.try_send(Arc::clone(block)));
        });
        wake();
        receiver.recv_timeout(time).ok()
    }

    /// Returns true if somebody waits. Cheap.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        self.has_waiting.load(Ordering::Acquire)
    }
}

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
