//! Listeners that leave before the run ends.

use std::sync::Arc;

use super::Router;
use crate::bus::Subscription;

impl Router {
    /// Ends a subscription: whoever published for it alone may cease.
    pub fn unsubscribe(&mut self, subscription: &Arc<Subscription>) {
        for lane in self.lanes.iter_mut().filter(|lane| lane.topic.has_name_of(&subscription.topic)) {
            lane.subscriptions.retain(|other| !Arc::ptr_eq(other, subscription));
            lane.count_listeners();
        }
    }
}
