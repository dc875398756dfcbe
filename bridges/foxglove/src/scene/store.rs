//! The marker arrays of the run, one for the world and for each vehicle, and the messages that describe them.
//!
//! Arrays are kept encoded. They are decoded when a client needs the scene or a mesh.

use std::collections::BTreeMap;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::visualization_msgs::MarkerArray;

use super::entities::entities;
use super::messages as fox;
use super::timestamp;
use crate::assets::address::viewer_address;

/// The arrays by the topics that published them.
#[derive(Default)]
pub(crate) struct Scene {
    arrays: BTreeMap<u64, Payload>,
    /// Meshes of all arrays by the addresses that clients may use, once they were needed.
    meshes: Option<BTreeMap<String, String>>,
}

impl Scene {
    /// Stores the array of a topic and returns the change from its previous one.
    pub(crate) fn set(&mut self, topic: u64, array: Payload) -> Change {
        self.meshes = None;
        let before = self.arrays.insert(topic, array.clone());
        Change { before, after: Some(array) }
    }

    /// Removes the array of a topic and returns the change, if it had one.
    pub(crate) fn remove(&mut self, topic: u64) -> Option<Change> {
        self.meshes = None;
        self.arrays.remove(&topic).map(|before| Change { before: Some(before), after: None })
    }

    /// Returns a message that replaces everything a viewer has.
    pub(crate) fn whole(&self, time_ns: i64) -> Vec<u8> {
        let all = fox::scene_entity_deletion::Type::All;
        let update = fox::SceneUpdate {
            deletions: vec![deletion(all, String::new(), time_ns)],
            entities: self
                .arrays
                .values()
                .flat_map(|array| entities_of(array, time_ns).into_values())
                .collect(),
        };
        update.encode_to_vec()
    }

    /// Returns the mesh that a client means by an address: that of a marker, or the one that viewers request for it.
    pub(crate) fn mesh(&mut self, address: &str) -> Option<String> {
        let arrays = &self.arrays;
        let meshes = self.meshes.get_or_insert_with(|| arrays.values().flat_map(meshes_of).collect());
        meshes.get(address).cloned()
    }
}

/// A change of the array of one topic.
pub(crate) struct Change {
    before: Option<Payload>,
    after: Option<Payload>,
}

impl Change {
    /// Returns the message that makes this change in a viewer; `None` if nothing changes.
    pub(crate) fn message(&self, time_ns: i64) -> Option<Vec<u8>> {
        let of = |array: &Option<Payload>| array.as_ref().map(|array| entities_of(array, time_ns));
        let (before, after) = (of(&self.before).unwrap_or_default(), of(&self.after).unwrap_or_default());
        let matching = fox::scene_entity_deletion::Type::MatchingId;
        let gone = before.into_keys().filter(|id| !after.contains_key(id));
        let deletions: Vec<_> = gone.map(|id| deletion(matching, id, time_ns)).collect();
        if deletions.is_empty() && after.is_empty() {
            return None;
        }
        Some(fox::SceneUpdate { deletions, entities: after.into_values().collect() }.encode_to_vec())
    }
}

fn deletion(of: fox::scene_entity_deletion::Type, id: String, time_ns: i64) -> fox::SceneEntityDeletion {
    fox::SceneEntityDeletion { timestamp: Some(timestamp(time_ns)), r#type: of.into(), id }
}

/// Returns nothing for bytes that are not a marker array.
fn entities_of(array: &Payload, time_ns: i64) -> BTreeMap<String, fox::SceneEntity> {
    MarkerArray::decode(&**array).map(|array| entities(&array, time_ns)).unwrap_or_default()
}

/// Returns each mesh under its own address and under that of viewers.
fn meshes_of(array: &Payload) -> Vec<(String, String)> {
    let markers = MarkerArray::decode(&**array).map(|array| array.markers).unwrap_or_default();
    let meshes = markers.into_iter().map(|marker| marker.mesh_resource).filter(|mesh| !mesh.is_empty());
    meshes.flat_map(|mesh| [(viewer_address(&mesh), mesh.clone()), (mesh.clone(), mesh)]).collect()
}

#[cfg(test)]
mod tests;
