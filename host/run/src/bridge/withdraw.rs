//! Withdrawal: bridges that stay attached when a world is unloaded give up the endpoints of its topics and services.
//!
//! Called by the simulation thread after the last message was published. It waits with a deadline for messages that the
//! transmit threads have not finished; the endpoints are destroyed on the instance thread.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::instance::BridgeInstance;
use super::set::BridgeSet;
use crate::bus::Endpoint;
use crate::thread::lock;

/// Time limit for sending queued messages. After it, the endpoints of topics are kept.
const DRAIN_DEADLINE: Duration = Duration::from_secs(2);

impl BridgeInstance {
    /// Delivered, dropped and missed messages so far.
    pub(super) fn totals(&self) -> [u64; 3] {
        let counters = self.outgoing.iter().map(|endpoint| &endpoint.counters);
        counters.fold(self.past_totals, |[delivered, dropped, missed], counters| {
            [
                delivered + counters.delivered.load(Ordering::Relaxed),
                dropped + counters.dropped.load(Ordering::Relaxed),
                missed + counters.missed.load(Ordering::Relaxed),
            ]
        })
    }

    /// Destroys the endpoints of the unloaded world. Returns false if the bridge does not respond.
    fn withdraw(&mut self, deadline: Instant) -> bool {
        while !is_drained(&self.outgoing) && crate::clock::now() < deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
        let keeps_topics = !is_drained(&self.outgoing);
        if !keeps_topics {
            self.past_totals = self.totals();
            self.outgoing.clear();
        }
        self.late.clear();
        let endpoints = Arc::clone(&self.endpoints);
        let withdrawn = self.instance_thread.enqueue(move || lock(&endpoints).withdraw(keeps_topics));
        let left = deadline.saturating_duration_since(crate::clock::now()).max(Duration::from_millis(500));
        withdrawn.wait(left).is_some()
    }
}

impl BridgeSet {
    /// Destroys the endpoints of the topics and services of an unloaded world, in bridges that stay attached. Call it
    /// after the last message was published, and before the router forgets the topics.
    pub fn withdraw(&mut self) {
        let deadline = crate::clock::now() + DRAIN_DEADLINE;
        for instance in &mut self.instances {
            if !instance.withdraw(deadline) {
                log::warn!(
                    target: &instance.label,
                    "[BH-RES-030] the bridge does not respond while the topics of the world are withdrawn"
                );
            }
        }
        self.generation = None;
    }
}

/// Returns true if no endpoint has a message in flight.
fn is_drained(outgoing: &[Arc<Endpoint>]) -> bool {
    outgoing.iter().all(|endpoint| endpoint.counters.in_flight() == 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bus::testing::{endpoint, message};
    use crate::bus::{Limits, Next, Overflow, TxQueue};

    fn open(overflow: Overflow) -> TxQueue {
        let queue = TxQueue::new(Limits { messages: 1, overflow, ..Limits::default() });
        queue.open();
        queue
    }

    #[test]
    fn another_owner_of_an_endpoint_does_not_delay_its_withdrawal() {
        let endpoint = endpoint();
        let (_router, _reader, _other) =
            (Arc::clone(&endpoint), Arc::clone(&endpoint), Arc::clone(&endpoint));
        assert!(is_drained(&[endpoint]));
    }

    #[test]
    fn a_message_is_in_flight_until_the_transmit_loop_has_finished_it() {
        let (queue, endpoint) = (open(Overflow::DropOldest), endpoint());
        let outgoing = [Arc::clone(&endpoint)];
        queue.push(message(&endpoint, 0, 1), &|| false);
        assert!(!is_drained(&outgoing), "queued");
        let Next::Message(message) = queue.next(Some(Duration::ZERO)) else { panic!("no message") };
        assert!(!is_drained(&outgoing), "taken by the loop");
        message.delivered();
        assert!(is_drained(&outgoing));
        assert_eq!(endpoint.counters.delivered.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn dropped_refused_and_missed_messages_are_not_in_flight() {
        for (overflow, in_flight) in [(Overflow::DropOldest, 1), (Overflow::Error, 1), (Overflow::Block, 1)] {
            let (queue, endpoint) = (open(overflow), endpoint());
            queue.push(message(&endpoint, 0, 1), &|| true);
            queue.push(message(&endpoint, 0, 1), &|| true);
            assert_eq!(endpoint.counters.in_flight(), in_flight, "{overflow:?}");
            queue.discard();
            queue.close();
            queue.push(message(&endpoint, 0, 1), &|| true);
            assert!(is_drained(&[endpoint]), "{overflow:?}");
        }
    }

    #[test]
    fn a_message_that_is_lost_with_its_loop_is_not_in_flight() {
        let (queue, endpoint) = (open(Overflow::DropOldest), endpoint());
        queue.push(message(&endpoint, 0, 1), &|| false);
        drop(queue.next(Some(Duration::ZERO)));
        assert!(is_drained(&[Arc::clone(&endpoint)]));
        assert_eq!(endpoint.counters.dropped.load(Ordering::Relaxed), 1);
    }
}
