//! What bridges that outlive a world do when it goes: its topics and services are withdrawn, and made anew for the next.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::instance::BridgeInstance;
use super::set::BridgeSet;
use crate::thread::lock;

/// How long bridges may take to send what waits before the ends of their topics are left standing.
const DRAIN_DEADLINE: Duration = Duration::from_secs(2);
/// Who holds an outgoing end that no message is on its way to: the instance and the router.
const HOLDERS: usize = 2;

impl BridgeInstance {
    /// Delivered, dropped and missed so far.
    pub(super) fn counted(&self) -> [u64; 3] {
        let counters = self.outgoing.iter().map(|endpoint| &endpoint.counters);
        counters.fold(self.past, |[delivered, dropped, missed], counters| {
            [
                delivered + counters.delivered.load(Ordering::Relaxed),
                dropped + counters.dropped.load(Ordering::Relaxed),
                missed + counters.missed.load(Ordering::Relaxed),
            ]
        })
    }

    /// Whether no message is on its way to any end, as far as the transmit loop has told.
    fn is_drained(&self) -> bool {
        self.outgoing.iter().all(|endpoint| Arc::strong_count(endpoint) <= HOLDERS)
    }

    /// Takes down the ends of the world that goes. False where the bridge hangs.
    fn withdraw(&mut self, deadline: Instant) -> bool {
        while !self.is_drained() && crate::clock::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let keeps_topics = !self.is_drained();
        if !keeps_topics {
            self.past = self.counted();
            self.outgoing.clear();
        }
        let endpoints = Arc::clone(&self.endpoints);
        let withdrawn = self.attendant.post(move || lock(&endpoints).withdraw(keeps_topics));
        let left = deadline.saturating_duration_since(crate::clock::now()).max(Duration::from_millis(500));
        withdrawn.wait(left).is_some()
    }
}

impl BridgeSet {
    /// The world goes, and these bridges stay: takes down their ends of its topics and services. To be called once
    /// nobody publishes any more, and before the router forgets the topics.
    pub fn withdraw(&mut self) {
        let deadline = crate::clock::now() + DRAIN_DEADLINE;
        for instance in &mut self.instances {
            if !instance.withdraw(deadline) {
                log::warn!(
                    target: &instance.label,
                    "[BH-RES-030] the bridge hangs while the topics of the world are withdrawn"
                );
            }
        }
        self.generation = None;
    }
}
