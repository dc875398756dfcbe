//! Latched messages: kept for listeners that connect later, and restored from a snapshot. Simulation thread only.
//!
//! The last message of each publisher is kept, as each writer of ROS 2 keeps its own: several plugins publish transforms
//! on `/tf_static`, and none of them may hide those of another.

use super::{Delivery, Moment, Route, Router, TopicEntry};
use crate::saved::SavedLatched;
use crate::{Queued, SavedMessage, SavedTopic};

/// The last message of a publisher on a latched topic.
pub(super) struct Latched {
    publisher: String,
    /// Its place among the latched messages of all topics, so that a new connection gets them in this order.
    order: u64,
    pub(super) delivery: Delivery,
}

impl TopicEntry {
    /// Keeps a message for listeners that connect later, if the topic is latched. The messages stay in the order of their
    /// publication.
    pub(super) fn latch(&mut self, publisher: &str, delivery: &Delivery, next_latched: &mut u64) {
        if !self.topic.is_latched() {
            return;
        }
        let (order, delivery) = (*next_latched, delivery.clone());
        let known = self.latched.iter().position(|kept| kept.publisher == publisher);
        let publisher = known.map_or_else(|| publisher.to_owned(), |at| self.latched.remove(at).publisher);
        self.latched.push(Latched { publisher, order, delivery });
        *next_latched += 1;
    }
}

impl Router {
    /// Returns the message that the topic keeps of a publisher.
    #[must_use]
    pub fn latched(&self, topic: u32, publisher: &str) -> Option<&Delivery> {
        let index = usize::try_from(topic.checked_sub(self.first)?).ok()?;
        let kept = self.entries.get(index)?.latched.iter().find(|kept| kept.publisher == publisher);
        kept.map(|kept| &kept.delivery)
    }

    /// Returns the state of every topic, for a snapshot.
    pub fn keep(&self) -> Vec<SavedTopic> {
        let mut orders: Vec<u64> =
            self.entries.iter().flat_map(|entry| &entry.latched).map(|kept| kept.order).collect();
        orders.sort_unstable();
        let saved = |kept: &Latched| SavedLatched {
            publisher: kept.publisher.clone(),
            order: orders.partition_point(|order| *order < kept.order) as u64,
            message: SavedMessage::of(&kept.delivery),
        };
        let topic = |entry: &TopicEntry| SavedTopic {
            vehicle: entry.topic.vehicle.clone(),
            name: entry.topic.name.clone(),
            type_name: entry.topic.data_type.full_name().to_owned(),
            next_sequence: entry.next_sequence,
            latched: entry.latched.iter().map(saved).collect(),
        };
        self.entries.iter().map(topic).collect()
    }

    /// Sends latched messages to the routes for which `is_meant` returns true, in the order of their publication.
    pub(super) fn replay_latched(&self, is_meant: impl Fn(&Latched, &Route) -> bool) {
        let mut meant = Vec::new();
        for entry in &self.entries {
            for latched in &entry.latched {
                let routes = entry.routes.iter().filter(|route| is_meant(latched, route));
                meant.extend(routes.map(|route| (latched, route)));
            }
        }
        meant.sort_by_key(|(latched, _)| latched.order);
        for (latched, route) in meant {
            route.queue.push(Queued::new(&route.endpoint, &latched.delivery), &|| true);
        }
    }

    /// Keeps topic states of a snapshot until [`Router::restore`].
    pub fn expect(&mut self, topics: Vec<SavedTopic>) {
        self.expected = topics;
    }

    /// Applies the kept topic states. Connected bridges get the restored latched messages; earlier subscriptions do not
    /// get them again.
    pub fn restore(&mut self, now: Moment) {
        let topics = std::mem::take(&mut self.expected);
        let first = self.next_latched;
        for entry in &mut self.entries {
            let is_of = |kept: &SavedTopic| {
                let topic = &entry.topic;
                (&*kept.vehicle, &*kept.name, &*kept.type_name)
                    == (&*topic.vehicle, &*topic.name, topic.data_type.full_name())
            };
            if let Some(kept) = topics.iter().find(|kept| is_of(kept)) {
                entry.next_sequence = kept.next_sequence;
                let restored = |latched: &SavedLatched| Latched {
                    publisher: latched.publisher.clone(),
                    order: first + latched.order,
                    delivery: latched.message.delivery(now),
                };
                entry.latched = kept.latched.iter().map(restored).collect();
            }
        }
        self.next_latched += topics.iter().map(|topic| topic.latched.len() as u64).sum::<u64>();
        self.replay_latched(|latched, route| latched.order >= first && route.queue.is_open());
    }
}
