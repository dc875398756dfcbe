//! The newest message of each topic while a client steps the simulation, so that it can be read after the steps.
//!
//! A run that plays makes nothing that nobody subscribed to. A client that counts steps reads between them what it needs,
//! and cannot know before what that will be. So its steps have a listener on every topic, except those whose messages
//! cost more than the steps themselves; these are made from the first reading on. Belongs to the simulation thread.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_lifecycle::State;

use crate::bus::{Delivery, Subscription, Topic};
use crate::sim::Simulation;

/// Types of messages that are made only for subscribers: to render an image takes longer than many steps.
const COSTLY: [&str; 3] =
    ["sensor_msgs/msg/Image", "sensor_msgs/msg/CompressedImage", "sensor_msgs/msg/PointCloud2"];

/// The topics with a listener, by their ids.
#[derive(Default)]
pub(super) struct Kept {
    topics: BTreeMap<u32, Arc<Subscription>>,
    /// The topics of the bus when they were last compared.
    generation: Option<u64>,
}

impl Kept {
    /// Subscribes to topics that are new since the last steps.
    pub(super) fn before_steps(&mut self, simulation: &mut Simulation) {
        let generation = simulation.shared().bus.generation();
        if self.generation.replace(generation) == Some(generation) {
            return;
        }
        let all = simulation.shared().bus.all();
        self.topics.retain(|id, _| all.iter().any(|topic| topic.id == *id));
        for topic in all.into_iter().filter(|topic| is_kept(topic)) {
            let id = topic.id;
            self.topics.entry(id).or_insert_with(|| simulation.traffic.watch(topic));
        }
    }

    /// Returns the newest message of a topic since the last reset.
    pub(super) fn newest(&self, topic: &Topic, reset_epoch: u32) -> Option<Delivery> {
        let newest = self.topics.get(&topic.id)?.waiting(Delivery::clone).pop();
        newest.filter(|delivery| delivery.reset_epoch == reset_epoch)
    }

    /// Returns true if the subscriptions are no longer needed, because the simulation plays or has no world.
    pub(super) fn is_over(&self, simulation: &Simulation) -> bool {
        let machine = simulation.machine();
        let plays = machine.state().is_step() && machine.steps_left().is_none();
        self.generation.is_some() && (plays || matches!(machine.state(), State::NoWorld | State::Loading))
    }

    /// Ends the subscriptions.
    pub(super) fn end(&mut self, simulation: &mut Simulation) {
        self.generation = None;
        let ended = std::mem::take(&mut self.topics);
        ended.values().for_each(|subscription| simulation.traffic.unwatch(subscription));
    }
}

fn is_kept(topic: &Topic) -> bool {
    topic.is_published() && !COSTLY.contains(&topic.data_type.ros_name())
}
