//! What the world looks like: visuals, lights, materials, and the poses of what moves.

use std::time::Duration;

use bridgehead_abi::scene as abi;
use bridgehead_abi::{extension, status};

use crate::error::{Error, Result};
use crate::host::{Pose, extension_handle};
use crate::hosting::Refused;
use crate::messages::bridgehead_simulation_interfaces as own;
use crate::messages::prost::Message as _;
use crate::payload::Payload;

extension_handle! {
    /// What the world looks like, for cameras and for programs that show it. `[any]`
    ///
    /// A reader keeps the scene together with its revision, reads it again once [`Scene::revision`] has grown, and asks
    /// for poses as often as it draws. The host does nothing for a scene that nobody reads.
    ///
    /// ```
    /// use std::collections::HashMap;
    /// use std::time::Duration;
    ///
    /// use bridgehead_plugin_api::host::{HostHandle, Pose};
    /// use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;
    /// use bridgehead_plugin_api::{Payload, Result};
    ///
    /// /// What a viewer draws.
    /// #[derive(Default)]
    /// struct View {
    ///     scene: Scene,
    ///     /// Meshes as binary glTF, and textures, by their hashes.
    ///     content: HashMap<String, Payload>,
    ///     /// Poses of the nodes in the world.
    ///     poses: Vec<Pose>,
    /// }
    ///
    /// impl View {
    ///     /// Updates the view. To be called for each picture, on a thread of the plugin (`HostHandle::threads`).
    ///     fn update(&mut self, host: HostHandle) -> Result {
    ///         let scene = host.scene()?;
    ///         if self.scene.revision != scene.revision() {
    ///             // Waits until the host has read the files of the new scene.
    ///             self.scene = scene.read()?;
    ///             let meshes = self.scene.meshes.iter().map(|mesh| &mesh.hash);
    ///             let textures = self.scene.textures.iter().map(|texture| &texture.hash);
    ///             for hash in meshes.chain(textures) {
    ///                 if !self.content.contains_key(hash) {
    ///                     self.content.insert(hash.clone(), scene.asset(hash)?);
    ///                 }
    ///             }
    ///         }
    ///         // `None` during a step that takes longer than that. A block of another revision has other nodes.
    ///         let block = scene.poses(Duration::from_millis(100))?;
    ///         if let Some(block) = block.filter(|block| block.revision() == self.scene.revision) {
    ///             self.poses = block.poses().collect();
    ///         }
    ///         Ok(())
    ///     }
    ///
    ///     /// Returns each visual with its pose in the world.
    ///     fn visuals(&self) -> impl Iterator<Item = (&str, Pose)> {
    ///         self.scene.visuals.iter().filter_map(|visual| {
    ///             let node = *self.poses.get(usize::try_from(visual.node).ok()?)?;
    ///             let pose = visual.pose.as_ref()?;
    ///             let (at, turn) = (pose.position.as_ref()?, pose.orientation.as_ref()?);
    ///             let position = [at.x, at.y, at.z];
    ///             let orientation = [turn.x, turn.y, turn.z, turn.w];
    ///             Some((visual.name.as_str(), node.compose(Pose { position, orientation })))
    ///         })
    ///     }
    /// }
    /// ```
    Scene, abi::HostScene, extension::SCENE
}

impl Scene {
    /// Grows when something comes or goes that is drawn; 0 as long as no world was loaded. `[any]`
    #[must_use]
    pub fn revision(self) -> u64 {
        self.extension.revision().unwrap_or(0)
    }

    /// Reads the scene. The first call for a revision waits until its meshes and textures are read, which can take
    /// seconds: call it on a thread of your own. `[any]`
    ///
    /// # Errors
    /// Returns an error in `reset`, `sample` and `control`, or if the run ends.
    pub fn read(self) -> Result<own::Scene> {
        own::Scene::decode(&*self.extension.read()?)
            .map_err(|error| Error::new(format!("the host's scene cannot be decoded: {error}")))
    }

    /// Returns the content with that hash: binary glTF for meshes, PNG or JPEG for textures. `[any]`
    ///
    /// # Errors
    /// Returns an error if the newest scene that was read has no such content.
    pub fn asset(self, hash: &str) -> Result<Payload> {
        Ok(self.extension.asset(hash)?)
    }

    /// Returns the poses of the nodes: those of this moment in `reset`, `sample` and `control`; on a thread of your own
    /// those after the step that is running, for which it waits. `None` if that takes longer than `timeout`. `[any]`
    ///
    /// # Errors
    /// Returns an error if the run ends.
    pub fn poses(self, timeout: Duration) -> Result<Option<PoseBlock>> {
        let timeout = i64::try_from(timeout.as_nanos()).unwrap_or(i64::MAX);
        match self.extension.poses(timeout) {
            Err(Refused::Status(_, status::TIMEOUT)) => Ok(None),
            block => PoseBlock::read(block?).map(Some),
        }
    }
}

/// The poses of all nodes at one moment; shared with all others who asked for it.
pub struct PoseBlock {
    head: abi::ScenePoses,
    bytes: Payload,
}

/// Bytes of the numbers of a pose.
const POSE: usize = 7 * size_of::<f64>();
const HEAD: usize = size_of::<abi::ScenePoses>();

impl PoseBlock {
    fn read(bytes: Payload) -> Result<Self> {
        let head = bytes.get(..HEAD).ok_or_else(|| Error::new("the block of poses is cut off"))?;
        // SAFETY: the bytes are as many as the struct has, which holds numbers only.
        let head: abi::ScenePoses = unsafe { head.as_ptr().cast::<abi::ScenePoses>().read_unaligned() };
        if bytes.len() != HEAD + head.count as usize * POSE {
            return Err(Error::new("the block of poses has another size than its head says"));
        }
        Ok(PoseBlock { head, bytes })
    }

    /// Revision of the scene whose nodes these are.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.head.revision
    }

    /// Completed steps since the last reset of time.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.head.step
    }

    /// Simulated time.
    #[must_use]
    pub fn time_ns(&self) -> i64 {
        self.head.time_ns
    }

    /// Counts the resets so far.
    #[must_use]
    pub fn reset_epoch(&self) -> u32 {
        self.head.reset_epoch
    }

    /// Number of poses.
    #[must_use]
    pub fn len(&self) -> usize {
        self.head.count as usize
    }

    /// True without poses.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.head.count == 0
    }

    /// The poses in the world, in the order of the nodes.
    pub fn poses(&self) -> impl Iterator<Item = Pose> + '_ {
        self.bytes.get(HEAD..).unwrap_or_default().chunks_exact(POSE).map(|pose| {
            let number = |index: usize| {
                let bytes = pose.get(index * 8..index * 8 + 8).and_then(|bytes| bytes.try_into().ok());
                bytes.map_or(0.0, f64::from_ne_bytes)
            };
            Pose {
                position: std::array::from_fn(number),
                orientation: std::array::from_fn(|index| number(index + 3)),
            }
        })
    }
}
