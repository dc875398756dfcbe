//! Removal from the routing table during a run: topics of removed vehicles, and subscriptions of their plugins.
//! Simulation thread only.

use std::sync::Arc;

use super::Router;
use crate::Subscription;

impl Router {
    /// Clears the state of topics whose vehicle was removed. Totals stay, because a vehicle of that name may be spawned
    /// again.
    pub fn withdraw(&mut self, topics: &[u32]) {
        for topic in topics {
            let Some(entry) = self.entry(*topic) else { continue };
            entry.next_sequence = 0;
            entry.latched.clear();
            entry.count_listeners();
        }
    }

    /// Removes subscriptions from all their topics.
    pub fn unsubscribe(&mut self, removed: &[Arc<Subscription>]) {
        if removed.is_empty() {
            return;
        }
        let is_removed = |one: &Arc<Subscription>| removed.iter().any(|other| Arc::ptr_eq(one, other));
        for entry in &mut self.entries {
            let before = entry.subscriptions.len();
            entry.subscriptions.retain(|one| !is_removed(one));
            if entry.subscriptions.len() < before {
                entry.count_listeners();
            }
        }
    }
}
