//! The poses of a scene, followed through a recording.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ScenePoses;
use bridgehead_scene::message::pose_of;
use bridgehead_sdf::pose::Pose;

use super::index::Recording;
use super::topic::Entry;
use crate::bus::Moment;
use crate::scene::PoseBlock;

/// Messages that are read one after the other rather than from the last complete one before.
const NEAR: usize = 64;

/// The poses of all nodes at a time.
#[derive(Default)]
pub struct Poses {
    /// Index of the next message.
    next: usize,
    revision: u64,
    poses: Vec<Pose>,
    moment: Moment,
}

impl Poses {
    /// Returns the poses at a time of the recording; `None` before the first ones, or if it has none.
    pub fn at(&mut self, recording: &Recording, time_ns: u64) -> Option<PoseBlock> {
        let topic = recording.poses_topic()?;
        let wanted = topic.count_at(time_ns);
        if wanted < self.next || wanted > self.next + NEAR {
            self.next = begin_before(recording, &topic.entries, wanted);
            self.poses.clear();
        }
        for entry in topic.entries.get(self.next..wanted).unwrap_or_default() {
            // A message that cannot be read is left out; the next complete one has everything.
            if let Some(message) = recording.message(entry) {
                self.apply(&message, entry);
            }
        }
        self.next = wanted;
        (wanted > 0).then(|| PoseBlock::new(self.revision, self.moment, self.poses.iter().copied()))
    }

    fn apply(&mut self, message: &ScenePoses, entry: &Entry) {
        self.moment = Moment { step: entry.step, time_ns: entry.stamp_ns, reset_epoch: entry.epoch };
        if message.is_complete {
            self.revision = message.revision;
            self.poses = message.poses.iter().map(pose_of).collect();
            return;
        }
        if message.revision != self.revision {
            return;
        }
        for (index, pose) in message.nodes.iter().zip(&message.poses) {
            if let Some(known) = self.poses.get_mut(*index as usize) {
                *known = pose_of(pose);
            }
        }
    }
}

/// Returns the index of the last complete message before `end`.
fn begin_before(recording: &Recording, entries: &[Entry], end: usize) -> usize {
    let before = entries.get(..end).unwrap_or_default().iter().enumerate().rev();
    let mut complete = before.filter(|(_, entry)| {
        recording.message::<ScenePoses>(entry).is_some_and(|message| message.is_complete)
    });
    complete.next().map_or(0, |(index, _)| index)
}
