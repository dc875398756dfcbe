//! `bridgehead.scene/1` of a test: an empty scene without nodes.

use bridgehead_abi::scene::ScenePoses;
use bridgehead_abi::{Status, status};

use super::host::Shared;
use crate::hosting::SceneHost;
use crate::messages::bridgehead_simulation_interfaces::Scene;
use crate::messages::prost::Message as _;
use crate::payload::Payload;

/// The scene never changes.
const REVISION: u64 = 1;

impl SceneHost for Shared {
    fn revision(&self) -> u64 {
        REVISION
    }

    fn read(&self) -> Result<Payload, Status> {
        let scene = Scene { revision: REVISION, ..Scene::default() };
        Ok(Payload::from_vec(scene.encode_to_vec()))
    }

    fn asset(&self, _: &str) -> Result<Payload, Status> {
        Err(status::NOT_FOUND)
    }

    fn poses(&self, _: i64) -> Result<Payload, Status> {
        // Nothing but the head: its revision, and zeros.
        let mut head = REVISION.to_ne_bytes().to_vec();
        head.resize(size_of::<ScenePoses>(), 0);
        Ok(Payload::from_vec(head))
    }
}
