//! Message totals of each topic, over all worlds of a process. Plain values.

use std::collections::BTreeMap;

/// Totals of one topic for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TopicReport {
    /// Vehicle; empty for the world.
    pub vehicle: String,
    /// Full name.
    pub name: String,
    /// ROS name of the type.
    pub type_name: String,
    /// Messages published or received from peers.
    pub published: u64,
    /// Payload bytes of those.
    pub bytes: u64,
    /// Deliveries to bridges.
    pub delivered: u64,
    /// Messages dropped by a connected bridge or a subscription, or because they were published faster than the
    /// simulation takes them.
    pub dropped: u64,
    /// Of the dropped ones, those that were published faster than the simulation takes them.
    pub overflowed: u64,
    /// Messages that bridges missed while they were not connected.
    pub missed: u64,
    /// Bridges and subscriptions that receive it now.
    pub listeners: u32,
}

/// Totals by vehicle, name and type. Topics of the same name in consecutive worlds are added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Totals(BTreeMap<(String, String, String), TopicReport>);

impl Totals {
    /// Adds the totals of a topic.
    pub(super) fn add(&mut self, more: TopicReport) {
        let key = (more.vehicle.clone(), more.name.clone(), more.type_name.clone());
        let Some(sum) = self.0.get_mut(&key) else {
            self.0.insert(key, more);
            return;
        };
        sum.published += more.published;
        sum.bytes += more.bytes;
        sum.delivered += more.delivered;
        sum.dropped += more.dropped;
        sum.overflowed += more.overflowed;
        sum.missed += more.missed;
        sum.listeners += more.listeners;
    }

    /// Total number of published messages.
    pub(super) fn published(&self) -> u64 {
        self.0.values().map(|topic| topic.published).sum()
    }

    /// Returns all totals, ordered by vehicle and name.
    pub(super) fn into_reports(self) -> Vec<TopicReport> {
        self.0.into_values().collect()
    }
}
