//! A scene in the form in which it is drawn.

use std::sync::Arc;

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;

use crate::batch::Batches;
use crate::device;
use crate::processor::Memory;

/// A scene in the form in which it is drawn. Images may still need it when there is a newer one.
pub struct Stage {
    pub(crate) scene: Scene,
    pub(crate) content: Content,
}

pub(crate) enum Content {
    Device(device::Content),
    Processor(Arc<Batches<Memory>>),
}

impl Stage {
    /// What it shows.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }
}
