//! The meshes that marker arrays name: viewers that show the markers request them.
//!
//! Arrays are kept encoded. They are decoded when a client requests a mesh.

use std::collections::BTreeMap;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::visualization_msgs::MarkerArray;

use super::address::viewer_address;

/// The latest latched array of each topic.
#[derive(Default)]
pub(crate) struct Markers {
    arrays: BTreeMap<u64, Payload>,
    /// Meshes of all arrays by the addresses that clients may use, once they were needed.
    meshes: Option<BTreeMap<String, String>>,
}

impl Markers {
    /// Stores the array of a topic; `None` if the topic is withdrawn.
    pub(crate) fn set(&mut self, topic: u64, array: Option<Payload>) {
        self.meshes = None;
        match array {
            Some(array) => self.arrays.insert(topic, array),
            None => self.arrays.remove(&topic),
        };
    }

    /// Returns the mesh that a client means by an address: that of a marker, or the one that viewers request for it.
    pub(crate) fn mesh(&mut self, address: &str) -> Option<String> {
        let arrays = &self.arrays;
        let meshes = self.meshes.get_or_insert_with(|| arrays.values().flat_map(meshes_of).collect());
        meshes.get(address).cloned()
    }
}

/// Returns each mesh under its own address and under that of viewers. Bytes that are not a marker array have none.
fn meshes_of(array: &Payload) -> Vec<(String, String)> {
    let markers = MarkerArray::decode(&**array).map(|array| array.markers).unwrap_or_default();
    let meshes = markers.into_iter().map(|marker| marker.mesh_resource).filter(|mesh| !mesh.is_empty());
    meshes.flat_map(|mesh| [(viewer_address(&mesh), mesh.clone()), (mesh.clone(), mesh)]).collect()
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::visualization_msgs::Marker;

    use super::*;

    #[test]
    fn meshes_are_known_by_their_address_and_by_that_of_viewers() {
        let mesh = Marker { mesh_resource: "model://car/a.dae".to_owned(), ..Marker::default() };
        let array = MarkerArray { markers: vec![mesh] };
        let mut markers = Markers::default();
        assert_eq!(markers.mesh("model://car/a.dae"), None);
        markers.set(1, Some(Payload::from_vec(array.encode_to_vec())));
        for address in ["model://car/a.dae", "package://car/a.dae"] {
            assert_eq!(markers.mesh(address).as_deref(), Some("model://car/a.dae"));
        }
        assert_eq!((markers.mesh(""), markers.mesh("package://car/b.dae")), (None, None));
        markers.set(2, Some(Payload::from_vec(vec![0xff; 9])));
        markers.set(1, None);
        assert_eq!(markers.mesh("package://car/a.dae"), None);
    }
}
