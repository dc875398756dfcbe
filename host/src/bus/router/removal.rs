//! What leaves the routing table while the run goes on: topics of vehicles that are gone, subscriptions of their
//! plugins.

use std::sync::Arc;

use super::Router;
use crate::bus::Subscription;

impl Router {
    /// Nobody publishes on these topics any more. Totals stay, for a vehicle of that name may come again.
    pub fn withdraw(&mut self, topics: &[u32]) {
        for topic in topics {
            let Some(lane) = self.lane(*topic) else { continue };
            lane.next_sequence = 0;
            lane.latched = None;
            lane.count_listeners();
        }
    }

    /// Ends subscriptions, on every topic that they are for.
    pub fn unsubscribe(&mut self, gone: &[Arc<Subscription>]) {
        if gone.is_empty() {
            return;
        }
        let is_gone = |one: &Arc<Subscription>| gone.iter().any(|other| Arc::ptr_eq(one, other));
        for lane in &mut self.lanes {
            let before = lane.subscriptions.len();
            lane.subscriptions.retain(|one| !is_gone(one));
            if lane.subscriptions.len() < before {
                lane.count_listeners();
            }
        }
    }
}
