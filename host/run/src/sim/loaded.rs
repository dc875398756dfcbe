//! Everything that exists only while a world is loaded. Unloading drops it as one value.

use std::cell::RefCell;

use bridgehead_abi::model::StepInfo;
use bridgehead_lifecycle::Cause;
use bridgehead_sdf::Loaded;

use super::save::edits::Edits;
use super::scene::{Scene, SceneTopics, When};
use super::start::progress::StartUp;
use super::traffic::Traffic;
use super::triggers::TriggerSubscriptions;
use super::worlds::work::WorldLoad;
use crate::bus::Moment;
use crate::model_plugin::{Fault, ModelSet};
use crate::resources::WorldResource;
use crate::world::World;

/// A loaded world with its plugins.
pub struct LoadedWorld {
    /// Plugins access it during their calls, so it is borrowed for each call.
    pub(super) world: RefCell<World>,
    /// The document it was built from, for saving and for restoring deleted entities.
    pub(super) source: Loaded,
    /// The request it was loaded with, for a reload.
    pub(super) load: WorldLoad,
    pub(super) resource: WorldResource,
    pub(super) models: ModelSet,
    pub(super) start: StartUp,
    pub(super) subscriptions: TriggerSubscriptions,
    pub(super) scene: Scene,
    /// What the world looks like, for recordings; `None` if nothing is recorded.
    pub(super) scene_topics: Option<SceneTopics>,
    /// Changes for the next time it is saved that the simulation does not use.
    pub(super) edits: Edits,
    /// Cause of a failed first reset: the run is aborted as soon as it has begun.
    pub(super) reset_failure: Option<Cause>,
}

impl LoadedWorld {
    /// Returns the name and origin of the world.
    #[must_use]
    pub fn resource(&self) -> &WorldResource {
        &self.resource
    }

    /// Returns the request it was loaded with.
    #[must_use]
    pub fn load(&self) -> &WorldLoad {
        &self.load
    }

    /// Calls `sample` on every plugin.
    pub(super) fn sample(&mut self, step: &StepInfo) -> Vec<(String, Fault)> {
        self.models.sample(&self.world, step)
    }

    /// Calls `control` on every plugin.
    pub(super) fn control(&mut self, step: &StepInfo) -> Vec<(String, Fault)> {
        self.models.control(&self.world, step)
    }

    /// Publishes the scene and its poses, if the run is recorded.
    pub(super) fn publish_scene(&mut self, traffic: &mut Traffic, now: Moment, when: When) {
        if let Some(topics) = &mut self.scene_topics {
            topics.publish(&self.world.borrow(), traffic, now, when);
        }
    }

    pub(super) fn state_hash(&self) -> u64 {
        self.world.borrow().state_hash()
    }

    /// Returns the name of a model.
    pub(super) fn model_name(&self, index: usize) -> Option<String> {
        Some(self.world.borrow().models().get(index)?.name.clone())
    }
}
