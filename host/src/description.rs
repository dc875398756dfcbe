//! What the world consists of, as one message for whoever shows it or speaks of it to a peer.
//!
//! The simulation keeps the parts: one for the world itself and one for each model that stands in it. What plugins say
//! of topics is noted where they say it. The message is put together by whoever reads it, once for each revision, so
//! that a run without readers pays for nothing but the parts.
//!
//! Readers wait for each other and for the few instructions in which a part changes, never for a step. The order of
//! things is this: a revision that a reader has seen is in what it reads next, and a topic that the bus knows is in it
//! too. A description may therefore say more than its revision promises, but never less.

mod element;
mod model;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::WorldDescription;
use bridgehead_plugin_api::messages::geometry_msgs;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_sdf::pose::{DVec3, Pose};

use crate::thread::lock;

pub use self::element::{Elements, Opened, Server};
pub use self::model::{ModelPart, WorldPart};

/// The description of the world of a run, for all threads.
#[derive(Debug, Default)]
pub struct Description {
    revision: AtomicU64,
    world: Mutex<Option<Parts>>,
    /// The last message that somebody read, with its revision.
    made: Mutex<Option<(u64, Payload)>>,
}

/// What a world consists of.
#[derive(Clone, Debug, Default)]
struct Parts {
    world: Arc<WorldPart>,
    /// By index of the model: in document order, spawned ones last.
    models: BTreeMap<usize, Arc<ModelPart>>,
}

impl Description {
    /// Grows with every change; 0 as long as no world was described.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision.load(Ordering::Acquire)
    }

    /// Another world is loaded, with these models by their indices.
    pub fn load(&self, world: WorldPart, models: impl IntoIterator<Item = (usize, ModelPart)>) {
        let models = models.into_iter().map(|(index, part)| (index, Arc::new(part))).collect();
        let mut parts = lock(&self.world);
        *parts = Some(Parts { world: Arc::new(world), models });
        self.grow();
    }

    /// The world is gone.
    pub fn unload(&self) {
        let mut parts = lock(&self.world);
        if parts.take().is_some() {
            self.grow();
        }
    }

    /// A model has come, or come back.
    pub fn add(&self, index: usize, part: ModelPart) {
        let mut parts = lock(&self.world);
        if let Some(parts) = parts.as_mut() {
            parts.models.insert(index, Arc::new(part));
            self.grow();
        }
    }

    /// A model has gone, with its sensors and plugins.
    pub fn remove(&self, index: usize) {
        let mut parts = lock(&self.world);
        if parts.as_mut().is_some_and(|parts| parts.models.remove(&index).is_some()) {
            self.grow();
        }
    }

    /// From now on there is something new to read.
    fn grow(&self) {
        self.revision.fetch_add(1, Ordering::Release);
    }

    /// The encoded message, with nothing but a revision where there is no world.
    #[must_use]
    pub fn read(&self) -> Payload {
        let mut made = lock(&self.made);
        // Looked up first: what changes while the message is made has a greater one.
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

    /// The message, with nothing but a revision where there is no world.
    #[must_use]
    pub fn message(&self) -> WorldDescription {
        self.message_of(self.revision())
    }

    fn message_of(&self, revision: u64) -> WorldDescription {
        // A copy of pointers: nobody who changes the world waits for the message.
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

fn vector(value: DVec3) -> geometry_msgs::Vector3 {
    geometry_msgs::Vector3 { x: value.x, y: value.y, z: value.z }
}

fn pose(value: &Pose) -> geometry_msgs::Pose {
    let (at, turned) = (value.position, value.rotation);
    geometry_msgs::Pose {
        position: Some(geometry_msgs::Point { x: at.x, y: at.y, z: at.z }),
        orientation: Some(geometry_msgs::Quaternion { x: turned.x, y: turned.y, z: turned.z, w: turned.w }),
    }
}
