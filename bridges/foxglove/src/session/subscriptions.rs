//! Subscriptions of clients to channels.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use bridgehead_websocket::Link;

use super::callbacks::{Failure, unsubscribe};
use super::channel::Channel;
use super::{Session, State};
use crate::codes;
use crate::lock::lock;
use crate::protocol::request::Subscription;

impl Session {
    pub(super) fn subscribe(&self, link: &Link, subscriptions: &[Subscription]) -> Vec<Failure> {
        let mut failures = Vec::new();
        for subscription in subscriptions {
            // A channel sends its latched messages before the next subscription is looked at.
            let mut state = lock(&self.state);
            match channel_for(&mut state, link, *subscription) {
                Ok(channel) => {
                    channel.subscribe(link, subscription.id);
                    drop(state);
                    self.display.begin(&channel, link, subscription.id);
                }
                Err(reason) => failures.push(Failure::new(codes::ID, reason)),
            }
        }
        self.has_new_graph.store(true, Ordering::Release);
        failures
    }

    pub(super) fn unsubscribe(&self, link: &Link, ids: &[u32]) -> Vec<Failure> {
        let mut state = lock(&self.state);
        let mut failures = Vec::new();
        for id in ids {
            let client = state.clients.get_mut(&link.id());
            match client.and_then(|client| client.subscriptions.remove(id)) {
                Some(channel) => unsubscribe(&state, channel, link),
                None => failures.push(Failure::new(codes::ID, unknown_subscription(*id))),
            }
        }
        self.has_new_graph.store(true, Ordering::Release);
        failures
    }
}

/// Records a subscription and returns its channel.
fn channel_for(state: &mut State, link: &Link, subscription: Subscription) -> Result<Arc<Channel>, String> {
    let Subscription { id, channel } = subscription;
    let Some(offered) = state.channels.get(&channel) else {
        return Err(format!("there is no channel {channel}; it may have been withdrawn"));
    };
    let found = Arc::clone(&offered.channel);
    let Some(client) = state.clients.get_mut(&link.id()) else {
        return Err("the client is disconnected".to_owned());
    };
    if client.subscriptions.contains_key(&id) {
        return Err(format!("the subscription id {id} is in use; choose another one"));
    }
    if client.subscriptions.values().any(|subscribed| *subscribed == channel) {
        let topic = &found.topic;
        return Err(format!("the client has subscribed to channel {channel} ({topic}) already"));
    }
    client.subscriptions.insert(id, channel);
    Ok(found)
}

/// Clients often unsubscribe from channels that were withdrawn at the same time.
fn unknown_subscription(id: u32) -> String {
    format!("there is no subscription {id}; its channel may have been withdrawn")
}
