//! The content of the world as one message, for bridges, plugins and clients.
//!
//! The simulation thread maintains the parts: one for the world itself and one for each model. Topics are added when
//! plugins open them. The reader assembles the message, once for each revision, so that a run without readers pays only
//! for the parts.
//!
//! Readers on any thread wait for each other and for short updates of the parts, never for a step. After a reader has
//! seen a revision, its next read contains that revision, and it contains every topic that the bus knows. A description
//! may contain more than its revision, but never less.

mod element;
mod frames;
mod model;
mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::messages::prost::Message as _;

pub use element::{Elements, Opened, Server};
pub use frames::StaticFrames;
pub use model::{ModelPart, WorldPart};

use crate::bus::{Role, Topic};
use crate::thread::lock;

/// The description of the world of a run, for all threads.
#[derive(Debug, Default)]
pub struct Description {
    revision: AtomicU64,
    world: Mutex<Option<Parts>>,
    /// The message read last, with its revision.
    made: Mutex<Option<(u64, Payload)>>,
}

/// The parts of a world.
#[derive(Clone, Debug, Default)]
struct Parts {
    world: Arc<WorldPart>,
    /// By index of the model: in document order, spawned ones last.
    models: BTreeMap<usize, Arc<ModelPart>>,
}

impl Description {
    /// Grows with every change; 0 before the first world.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Replaces the world, with its models by index.
    pub fn load(&self, world: WorldPart, models: impl IntoIterator<Item = (usize, ModelPart)>) {
        let models = models.into_iter().map(|(index, part)| (index, Arc::new(part))).collect();
        let mut parts = lock(&self.world);
        *parts = Some(Parts { world: Arc::new(world), models });
        self.grow();
    }

    /// Removes the world.
    pub fn unload(&self) {
        let mut parts = lock(&self.world);
        if parts.take().is_some() {
            self.grow();
        }
    }

    /// Adds a model that was spawned or restored.
    pub fn add(&self, index: usize, part: ModelPart) {
        let mut parts = lock(&self.world);
        if let Some(parts) = parts.as_mut() {
            parts.models.insert(index, Arc::new(part));
            self.grow();
        }
    }

    /// Removes a model with its sensors and plugins.
    pub fn remove(&self, index: usize) {
        let mut parts = lock(&self.world);
        if parts.as_mut().is_some_and(|parts| parts.models.remove(&index).is_some()) {
            self.grow();
        }
    }

    /// Opens a topic and records it among those of an instance.
    ///
    /// # Errors
    /// Returns the error of `open`.
    pub fn open<E>(
        &self,
        opened: &Opened,
        role: Role,
        open: impl FnOnce() -> Result<Arc<Topic>, E>,
    ) -> Result<Arc<Topic>, E> {
        // Announced before the bus knows the topic, while the list is locked: a reader that learns of it from the bus then
        // finds it in the description.
        opened.record(role, || {
            self.grow();
            open()
        })
    }

    /// Returns the frames that do not move in their parents, of every model that has any.
    #[must_use]
    pub fn static_frames(&self) -> Vec<StaticFrames> {
        let parts = lock(&self.world);
        let models = parts.iter().flat_map(|parts| parts.models.values());
        models.map(|part| part.frames.clone()).filter(|frames| !frames.is_empty()).collect()
    }

    /// Increments the revision.
    fn grow(&self) {
        self.revision.fetch_add(1, Ordering::Release);
    }

    /// Returns the encoded message; without a world it contains only the revision.
    #[must_use]
    pub fn read(&self) -> Payload {
        let mut made = lock(&self.made);
        // Read first: changes during the assembly get a greater revision.
        let revision = self.revision();
        if let Some((of, payload)) = made.as_ref()
            && *of == revision
        {
            return payload.clone();
        }
        let payload = Payload::from_vec(self.message_of(revision).encode_to_vec());
        *made = Some((revision, payload.clone()));
        payload
    }

    /// Assembles the message; without a world it contains only the revision.
    #[must_use]
    pub fn message(&self) -> WorldDescription {
        self.message_of(self.revision())
    }

    fn message_of(&self, revision: u64) -> WorldDescription {
        // Copies pointers only, so that a change of the world does not wait for the message.
        let parts = lock(&self.world).clone().unwrap_or_default();
        let mut message = WorldDescription {
            world: parts.world.name.clone(),
            revision,
            joints: parts.world.joints_of(|index| parts.models.contains_key(&index)),
            elements: parts.world.elements.messages(),
            ..WorldDescription::default()
        };
        for part in parts.models.values() {
            message.models.extend_from_slice(&part.models);
            message.links.extend_from_slice(&part.links);
            message.joints.extend_from_slice(&part.joints);
            message.elements.extend(part.elements.messages());
        }
        message
    }
}
