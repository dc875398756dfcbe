//! What the session keeps of one client.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bridgehead_websocket::{Frame, Link};
use serde_json::{Map, Value};

use super::graph::Graph;
use super::later::Later;
use crate::codec::Encoding;
use crate::codes;
use crate::protocol::event::{self, Level};

/// Calls of one client that may be in progress, and readings for it.
const MAX_CALLS: usize = 128;
/// Interval between two reports of losses to a client.
const LOSS_INTERVAL: Duration = Duration::from_secs(5);

/// A connected client.
pub(super) struct Client {
    pub(super) link: Link,
    /// Channels by the ids that the client chose.
    pub(super) subscriptions: BTreeMap<u32, u32>,
    /// Channels of the client itself.
    pub(super) publications: BTreeMap<u32, Publication>,
    /// The connection graph that it has, if it asked for it.
    pub(super) graph: Option<Graph>,
    pub(super) parameters: ParameterSubscriptions,
    pub(super) calls: Arc<AtomicUsize>,
    pub(super) later: Arc<Later>,
    pub(super) losses: Losses,
}

/// A channel on which a client publishes.
#[derive(Clone)]
pub(super) struct Publication {
    pub(super) topic: String,
    pub(super) schema_name: String,
    pub(super) encoding: Encoding,
    /// The last error that was reported, so that a stream of wrong messages causes one report.
    pub(super) reported: String,
}

/// The parameters of which a client gets changes.
#[derive(Default)]
pub(super) struct ParameterSubscriptions {
    pub(super) has_all: bool,
    pub(super) names: BTreeSet<String>,
    /// The values that it has.
    pub(super) sent: Map<String, Value>,
}

impl Client {
    pub(super) fn new(link: &Link) -> Self {
        Client {
            link: link.clone(),
            subscriptions: BTreeMap::new(),
            publications: BTreeMap::new(),
            graph: None,
            parameters: ParameterSubscriptions::default(),
            calls: Arc::default(),
            later: Arc::new(Later::new(link)),
            losses: Losses::default(),
        }
    }

    /// Returns its name in the connection graph.
    pub(super) fn name(&self) -> String {
        format!("client {} ({})", self.link.id(), self.link.peer())
    }
}

impl ParameterSubscriptions {
    pub(super) fn is_empty(&self) -> bool {
        !self.has_all && self.names.is_empty()
    }

    /// Returns the values that the client does not have yet, and records that it has them.
    pub(super) fn changes(&mut self, values: &Map<String, Value>) -> Map<String, Value> {
        let wanted = values.iter().filter(|(name, _)| self.has_all || self.names.contains(*name));
        let changed = wanted.filter(|(name, value)| self.sent.get(*name) != Some(value));
        let changes: Map<_, _> = changed.map(|(name, value)| (name.clone(), value.clone())).collect();
        self.sent.extend(changes.clone());
        changes
    }
}

/// A call or a reading in progress, which counts until it is dropped.
pub(super) struct CallPlace(Arc<AtomicUsize>);

impl CallPlace {
    /// Returns a place for a further call of a client, if it has one.
    pub(super) fn of(calls: &Arc<AtomicUsize>) -> Option<Self> {
        let has_place = calls.fetch_add(1, Ordering::AcqRel) < MAX_CALLS;
        let place = CallPlace(Arc::clone(calls));
        has_place.then_some(place)
    }
}

impl Drop for CallPlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The messages that a client lost, for reports at a limited rate.
#[derive(Default)]
pub(super) struct Losses {
    unreported: u64,
    last: Option<Instant>,
}

impl Losses {
    /// Counts further losses. Returns a report if one is due.
    pub(super) fn add(&mut self, count: u64, now: Instant) -> Option<Frame> {
        self.unreported += count;
        let is_early = self.last.is_some_and(|last| now.saturating_duration_since(last) < LOSS_INTERVAL);
        if self.unreported == 0 || is_early {
            return None;
        }
        self.last = Some(now);
        let (code, count) = (codes::LOSS, std::mem::take(&mut self.unreported));
        let text = format!(
            "[{code}] {count} messages were dropped, because this client receives them more slowly than they are \
             published; subscribe to fewer topics, or raise `backlog=` of the bridge"
        );
        Some(Frame::text(event::status(Level::Warning, &text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_reported_at_once_and_then_every_five_seconds() {
        let (mut losses, start) = (Losses::default(), crate::wall_clock::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        let reported: Vec<bool> = [(0, 0), (3, 1), (2, 2), (0, 5), (1, 6), (0, 7)]
            .into_iter()
            .map(|(count, seconds)| losses.add(count, at(seconds)).is_some())
            .collect();
        assert_eq!(reported, [false, true, false, false, true, false]);
    }

    #[test]
    fn a_client_has_a_limited_number_of_calls() {
        let calls = Arc::default();
        let places: Vec<_> = (0..MAX_CALLS).map(|_| CallPlace::of(&calls)).collect();
        assert!(places.iter().all(Option::is_some));
        assert!(CallPlace::of(&calls).is_none());
        drop(places);
        assert!(CallPlace::of(&calls).is_some());
    }

    #[test]
    fn only_changed_and_subscribed_parameters_are_sent() {
        let values: Map<_, _> =
            [("a".to_owned(), 1.into()), ("b".to_owned(), 2.into())].into_iter().collect();
        let mut subscriptions = ParameterSubscriptions::default();
        assert!(subscriptions.is_empty() && subscriptions.changes(&values).is_empty());
        subscriptions.names.insert("b".to_owned());
        assert_eq!(subscriptions.changes(&values).keys().collect::<Vec<_>>(), ["b"]);
        assert!(subscriptions.changes(&values).is_empty());
        subscriptions.has_all = true;
        assert_eq!(subscriptions.changes(&values).keys().collect::<Vec<_>>(), ["a"]);
    }
}
