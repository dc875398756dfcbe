//! What the world looks like, as topics of the world: for recordings, which `bridgehead view` shows.
//!
//! The description of a revision and the files it names come before the first poses of that revision. Everything is
//! published in a step, so equal runs give equal recordings; the simulation waits while the files of a new revision are
//! read. Nothing is made if nobody listens.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::sync_channel;

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::host::Qos;
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    Scene, SceneAsset, ScenePoses, WorldDescription,
};
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_scene::message::pose as pose_message;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use crate::api::shared::Shared;
use crate::bus::{Moment, Role, Topic};
use crate::scene::PoseBlock;
use crate::sim::traffic::Traffic;
use crate::world::World;

/// The topics.
const SCENE: &str = "/scene";
const ASSETS: &str = "/scene/assets";
const DESCRIPTION: &str = "/scene/description";
const POSES: &str = "/scene/poses";

/// Simulated time between two messages with the poses of all nodes, nanoseconds: a reader that begins anywhere needs no
/// more than this to know all of them.
const COMPLETE_EVERY: i64 = 1_000_000_000;

/// Which poses are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sim) enum When {
    /// Those that are due.
    Due,
    /// The first or last ones of a run, whether or not they are due.
    Now,
}

/// The scene of a loaded world on its topics.
pub(in crate::sim) struct SceneTopics {
    /// Simulated time between two messages with poses, nanoseconds.
    period: i64,
    topics: Option<Topics>,
    /// Hashes of the files that were published.
    sent: HashSet<String>,
    /// Revision and epoch of the poses below; `None` before the first ones.
    of: Option<(u64, u32)>,
    known: KnownPoses,
    /// Simulated times of the next poses, and of the next complete ones.
    due: i64,
    complete_due: i64,
}

/// The poses that were published last.
#[derive(Default)]
struct KnownPoses(Vec<[f64; 7]>);

struct Topics {
    scene: Arc<Topic>,
    assets: Arc<Topic>,
    description: Arc<Topic>,
    poses: Arc<Topic>,
}

impl SceneTopics {
    /// Creates the topics' state; `None` if no rate is configured. `rate` is in poses per simulated second.
    pub(in crate::sim) fn new(rate: Option<f64>) -> Option<Self> {
        #[expect(clippy::cast_possible_truncation, reason = "the setting has limits")]
        let period = rate.map(|rate| (1e9 / rate).round() as i64)?;
        Some(SceneTopics {
            period,
            topics: None,
            sent: HashSet::new(),
            of: None,
            known: KnownPoses::default(),
            due: 0,
            complete_due: 0,
        })
    }

    /// Opens the topics, so that bridges create endpoints for them.
    pub(in crate::sim) fn open(&mut self, shared: &Shared) {
        if self.topics.is_none() {
            self.topics = Topics::open(shared);
        }
    }

    /// Publishes poses, and the scene before them if it is new.
    pub(in crate::sim) fn publish(&mut self, world: &World, traffic: &mut Traffic, now: Moment, when: When) {
        let Some(topics) = &self.topics else { return };
        if topics.poses.listeners.load(Ordering::Relaxed) == 0 {
            self.of = None;
            return;
        }
        let is_new_time = self.of.is_none_or(|(_, epoch)| epoch != now.reset_epoch);
        if when == When::Due && !is_new_time && now.time_ns < self.due {
            return;
        }
        self.due = next_multiple(now.time_ns, self.period);
        let block = traffic.shared().scene.block(Some(world), now);
        let of = (block.revision, now.reset_epoch);
        if self.of.is_none_or(|(revision, _)| revision != block.revision) {
            topics.publish_scene(&mut self.sent, traffic, now);
        }
        let is_complete = self.of != Some(of) || now.time_ns >= self.complete_due || when == When::Now;
        if is_complete {
            self.complete_due = next_multiple(now.time_ns, COMPLETE_EVERY);
            self.of = Some(of);
            self.known.0.clear();
        }
        let poses = self.known.update(&block, is_complete);
        if is_complete || !poses.nodes.is_empty() {
            topics.send(&topics.poses, &poses, traffic, now);
        }
    }
}

impl KnownPoses {
    /// Returns the poses of all nodes, or of those that have moved.
    fn update(&mut self, block: &PoseBlock, is_complete: bool) -> ScenePoses {
        let mut message = ScenePoses { revision: block.revision, is_complete, ..ScenePoses::default() };
        for (index, pose) in block.poses().enumerate() {
            match self.0.get_mut(index) {
                Some(known) if *known == pose => continue,
                Some(known) => *known = pose,
                None => self.0.push(pose),
            }
            if !is_complete {
                message.nodes.push(u32::try_from(index).unwrap_or(u32::MAX));
            }
            let [x, y, z, qx, qy, qz, qw] = pose;
            let pose = Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw));
            message.poses.push(pose_message(&pose));
        }
        message
    }
}

impl Topics {
    fn open(shared: &Shared) -> Option<Self> {
        Some(Topics {
            scene: opened::<Scene>(shared, SCENE, Qos::latched())?,
            assets: opened::<SceneAsset>(shared, ASSETS, Qos::default())?,
            description: opened::<WorldDescription>(shared, DESCRIPTION, Qos::latched())?,
            poses: opened::<ScenePoses>(shared, POSES, Qos::default())?,
        })
    }

    /// Publishes the description of what the world looks like and contains, after the files that are new. Waits until
    /// they are read.
    fn publish_scene(&self, sent: &mut HashSet<String>, traffic: &mut Traffic, now: Moment) {
        let (sender, receiver) = sync_channel(1);
        // An error of the sender is a receiver that is gone.
        traffic.shared().scene.read(move |payload| drop(sender.send(payload)));
        // The reader logs why it cannot read.
        let Ok(payload) = receiver.recv() else { return };
        let scene = Scene::decode(&*payload).unwrap_or_default();
        let meshes = scene.meshes.into_iter().map(|mesh| mesh.hash);
        for hash in meshes.chain(scene.textures.into_iter().map(|texture| texture.hash)) {
            let Some(asset) = traffic.shared().scene.asset(&hash) else { continue };
            if sent.insert(hash.clone()) {
                let (media_type, content) = (asset.media_type.to_owned(), asset.bytes.to_vec().into());
                self.send(&self.assets, &SceneAsset { hash, media_type, content }, traffic, now);
            }
        }
        traffic.route(self.scene.id, now, payload);
        let description = traffic.shared().description.read();
        traffic.route(self.description.id, now, description);
    }

    fn send<M: Message>(&self, topic: &Topic, message: &M, traffic: &mut Traffic, now: Moment) {
        traffic.route(topic.id, now, Payload::from_vec(message.encode_to_vec()));
    }
}

/// Opens a topic of the host; a failure is logged.
fn opened<M: Message>(shared: &Shared, name: &str, qos: Qos) -> Option<Arc<Topic>> {
    let data_type = match shared.types.register(M::FULL_NAME, M::DESCRIPTOR_SET, "host") {
        Ok(data_type) => data_type,
        Err(error) => {
            log::error!("the scene is not recorded: {error}");
            return None;
        }
    };
    match shared.bus.open("", name, &data_type, qos, Role::Publisher, "host") {
        Ok(topic) => Some(topic),
        Err(error) => {
            log::error!("the scene is not recorded: {error}");
            None
        }
    }
}

/// Returns the first multiple of `period` after a time.
fn next_multiple(time: i64, period: i64) -> i64 {
    (time.div_euclid(period) + 1).saturating_mul(period)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(places: &[f64]) -> PoseBlock {
        let pose = |x: &f64| Pose { position: DVec3::new(*x, 0.0, 0.0), ..Pose::IDENTITY };
        PoseBlock::new(3, Moment::default(), places.iter().map(pose))
    }

    #[test]
    fn only_nodes_that_moved_are_in_a_message() {
        let mut known = KnownPoses::default();
        let first = known.update(&block(&[1.0, 2.0, 3.0]), true);
        assert_eq!((first.is_complete, first.nodes.len(), first.poses.len()), (true, 0, 3));
        let second = known.update(&block(&[1.0, 2.5, 3.0]), false);
        assert_eq!((second.revision, second.is_complete, second.nodes), (3, false, vec![1]));
        assert_eq!(second.poses[0].position.map(|at| at.x), Some(2.5));
        assert!(known.update(&block(&[1.0, 2.5, 3.0]), false).poses.is_empty());
    }

    #[test]
    fn poses_are_due_at_multiples_of_the_period() {
        assert_eq!(SceneTopics::new(Some(30.0)).expect("a rate").period, 33_333_333);
        assert_eq!([0, 1, 9, 10, 11].map(|time| next_multiple(time, 10)), [10, 10, 10, 20, 20]);
        assert!(SceneTopics::new(None).is_none());
    }
}
