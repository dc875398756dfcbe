//! Latched messages: kept for listeners that connect later, and restored from a snapshot. Simulation thread only.

use super::{Delivery, Moment, Route, Router, TopicEntry};
use crate::{Queued, SavedTopic};

/// The last message of a latched topic.
pub(super) struct Latched {
    /// Its place among the latched messages of all topics, so that a new connection gets them in this order.
    order: u64,
    pub(super) delivery: Delivery,
}

impl TopicEntry {
    /// Keeps a message for listeners that connect later, if the topic is latched.
    pub(super) fn latch(&mut self, delivery: &Delivery, next_latched: &mut u64) {
        if self.topic.is_latched() {
            self.latched = Some(Latched { order: *next_latched, delivery: delivery.clone() });
            *next_latched += 1;
        }
    }
}

impl Router {
    /// Sends latched messages to the routes for which `is_meant` returns true, in the order of their publication.
    pub(super) fn replay_latched(&self, is_meant: impl Fn(&Latched, &Route) -> bool) {
        let mut meant = Vec::new();
        for entry in &self.entries {
            let Some(latched) = &entry.latched else { continue };
            let routes = entry.routes.iter().filter(|route| is_meant(latched, route));
            meant.extend(routes.map(|route| (latched, route)));
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
            if let Some((order, kept)) = (first..).zip(&topics).find(|(_, kept)| is_of(kept)) {
                entry.next_sequence = kept.next_sequence;
                entry.latched =
                    kept.latched.as_ref().map(|latched| Latched { order, delivery: latched.delivery(now) });
            }
        }
        self.next_latched += topics.len() as u64;
        self.replay_latched(|latched, route| latched.order >= first && route.queue.is_open());
    }
}
