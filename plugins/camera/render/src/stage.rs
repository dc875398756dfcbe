//! A scene on the device.

use bridgehead_messages::bridgehead_simulation_interfaces::Scene;

use crate::batch::Batches;
use crate::buffer::Grown;

/// A scene on the device. Images may still need it when there is a newer one.
pub struct Stage {
    pub(crate) scene: Scene,
    pub(crate) batches: Batches,
    pub(crate) materials: Grown,
}

impl Stage {
    /// What it shows.
    #[must_use]
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    pub(crate) fn is_sky(&self) -> bool {
        self.scene.surroundings.as_ref().is_some_and(|around| around.sky)
    }

    pub(crate) fn has_fog(&self) -> bool {
        let around = self.scene.surroundings.as_ref();
        around.is_some_and(|around| !matches!(around.fog.as_str(), "" | "none"))
    }
}
