//! What viewers have of a scene, and the messages that change it.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;
use bridgehead_plugin_api::messages::prost::Message as _;
use bytes::Bytes;

use super::entities::{Entities, entities};
use super::messages as fox;
use super::models::Models;
use super::timestamp;

#[cfg(test)]
mod tests;

/// A scene with the entities that viewers have.
#[derive(Default)]
pub(crate) struct Drawing {
    /// The scene that is shown; `None` before the first one.
    shown: Option<Arc<Scene>>,
    models: Models,
    entities: Entities,
    /// Poses of the nodes at which the entities were made; `None` if they are of an older scene.
    poses: Option<Vec<Pose>>,
}

impl Drawing {
    /// Replaces the scene; `read` reads the content of a mesh or texture by its hash. Viewers keep what they have until
    /// [`Drawing::change`].
    pub(crate) fn replace(&mut self, scene: &Arc<Scene>, read: &dyn Fn(&str) -> Option<Bytes>) {
        self.models = Models::of(scene, read);
        self.shown = Some(Arc::clone(scene));
        self.poses = None;
    }

    /// Returns the revision of the scene.
    pub(crate) fn revision(&self) -> Option<u64> {
        self.shown.as_ref().map(|scene| scene.revision)
    }

    /// Returns the models that viewers request by their addresses.
    pub(crate) fn addressed(&self) -> &BTreeMap<String, Bytes> {
        self.models.addressed()
    }

    /// Returns the message with what has changed since the last one, if the nodes have these poses; `None` if nothing has.
    pub(crate) fn change(&mut self, poses: &[Pose], time_ns: i64) -> Option<Vec<u8>> {
        let scene = self.shown.as_ref()?;
        if self.poses.as_ref().is_some_and(|drawn| !has_fixed_moved(scene, drawn, poses)) {
            return None;
        }
        let after = entities(scene, poses, &self.models);
        let before = std::mem::replace(&mut self.entities, after);
        self.poses = Some(poses.to_vec());
        let matching = fox::scene_entity_deletion::Type::MatchingId;
        let gone = before.keys().filter(|id| !self.entities.contains_key(*id));
        let deletions: Vec<_> = gone.map(|id| deletion(matching, id.clone(), time_ns)).collect();
        let changed = self.entities.iter().filter(|(id, entity)| before.get(*id) != Some(*entity));
        let entities: Vec<_> = changed.map(|(_, entity)| stamped(entity, time_ns)).collect();
        let is_empty = deletions.is_empty() && entities.is_empty();
        (!is_empty).then(|| fox::SceneUpdate { deletions, entities }.encode_to_vec())
    }

    /// Returns the message that replaces everything a viewer has.
    pub(crate) fn whole(&self, time_ns: i64) -> Vec<u8> {
        let all = fox::scene_entity_deletion::Type::All;
        let deletions = vec![deletion(all, String::new(), time_ns)];
        let entities = self.entities.values().map(|entity| stamped(entity, time_ns)).collect();
        fox::SceneUpdate { deletions, entities }.encode_to_vec()
    }
}

/// Returns true if a node has moved whose entity is in the frame of the world.
fn has_fixed_moved(scene: &Scene, before: &[Pose], after: &[Pose]) -> bool {
    let mut fixed = scene.nodes.iter().enumerate().filter(|(_, node)| node.is_static);
    fixed.any(|(index, _)| before.get(index) != after.get(index))
}

fn stamped(entity: &fox::SceneEntity, time_ns: i64) -> fox::SceneEntity {
    fox::SceneEntity { timestamp: Some(timestamp(time_ns)), ..entity.clone() }
}

fn deletion(of: fox::scene_entity_deletion::Type, id: String, time_ns: i64) -> fox::SceneEntityDeletion {
    fox::SceneEntityDeletion { timestamp: Some(timestamp(time_ns)), r#type: of.into(), id }
}
