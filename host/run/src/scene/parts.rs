//! What the simulation thread and the reader of a scene share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_scene::Parts;

use crate::thread::lock;

/// What the simulation thread and the reader share.
#[derive(Debug, Default)]
pub(super) struct SceneParts {
    pub(super) revision: AtomicU64,
    parts: Mutex<Option<Parts>>,
}

impl SceneParts {
    /// Returns the parts with their revision.
    pub(super) fn get(&self) -> (u64, Parts) {
        let parts = lock(&self.parts);
        (self.revision.load(Ordering::Acquire), parts.clone().unwrap_or_default())
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Option<Parts>) -> bool) {
        let mut parts = lock(&self.parts);
        if change(&mut parts) {
            self.revision.fetch_add(1, Ordering::Release);
        }
    }
}
