//! The poses of all nodes between two steps.

use std::sync::Arc;

use bridgehead_abi::scene::ScenePoses;
use bridgehead_plugin_api::Payload;
use bridgehead_sdf::pose::Pose;

use crate::bus::Moment;

/// Numbers of a pose.
const POSE: usize = 7;

/// A block of poses, shared by all who asked for it. Its bytes are a [`ScenePoses`] and the poses: position x, y, z and
/// orientation x, y, z, w as `f64`, in the order of the nodes of its revision.
#[derive(Clone)]
pub struct PoseBlock {
    /// Revision of the scene.
    pub revision: u64,
    /// Step and time of the poses.
    pub moment: Moment,
    /// Number of poses.
    pub count: usize,
    /// The bytes.
    pub bytes: Payload,
}

impl PoseBlock {
    /// Creates a block of the poses that `poses` returns.
    #[must_use]
    pub fn new(revision: u64, moment: Moment, poses: impl Iterator<Item = Pose>) -> Self {
        let mut bytes = vec![0; size_of::<ScenePoses>()];
        bytes.reserve(poses.size_hint().0 * POSE * size_of::<f64>());
        let mut count = 0;
        for pose in poses {
            let numbers = pose.position.to_array().into_iter().chain(pose.rotation.to_array());
            numbers.for_each(|number| bytes.extend_from_slice(&number.to_ne_bytes()));
            count += 1;
        }
        let head = [revision.to_ne_bytes(), moment.step.to_ne_bytes(), moment.time_ns.to_ne_bytes()];
        let counts = [moment.reset_epoch, u32::try_from(count).unwrap_or(u32::MAX)].map(u32::to_ne_bytes);
        let head = head.iter().flatten().chain(counts.iter().flatten());
        bytes.iter_mut().zip(head).for_each(|(byte, value)| *byte = *value);
        PoseBlock { revision, moment, count, bytes: Payload::from_vec(bytes) }
    }

    /// Returns the seven numbers of each pose.
    pub fn poses(&self) -> impl Iterator<Item = [f64; POSE]> + '_ {
        let bytes = self.bytes.get(size_of::<ScenePoses>()..).unwrap_or_default();
        bytes.chunks_exact(POSE * size_of::<f64>()).map(|pose| {
            std::array::from_fn(|index| {
                let number = pose.get(index * 8..index * 8 + 8).and_then(|bytes| bytes.try_into().ok());
                number.map_or(0.0, f64::from_ne_bytes)
            })
        })
    }
}

/// Receives a block.
pub(super) type Waiter = Box<dyn FnOnce(&Arc<PoseBlock>) + Send>;
