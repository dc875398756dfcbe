//! Local endpoints that should have no counterpart in another participant of the domain, and a warning if one appears:
//! two hosts in one domain answer every call twice, and the time of their readers jumps. Plain values.

use std::collections::HashMap;
use std::sync::Arc;

use super::guid::{Guid, Vendor};
use super::logged::Logged;

/// Another participant has an endpoint that only this one should have.
const NOT_ALONE: &str = "BH-ROS-012";

/// A side of a topic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Reads,
    Writes,
}

/// A local endpoint.
struct Sole {
    side: Side,
    topic: String,
    /// What it does, for the warning: `offers the service /load_world`.
    what: String,
}

/// The endpoints of one participant.
pub(super) struct SoleEndpoints {
    own: Guid,
    domain: u16,
    endpoints: HashMap<Guid, Sole>,
    logged: Arc<Logged>,
}

impl SoleEndpoints {
    pub(super) fn new(own: Guid, domain: u16, logged: Arc<Logged>) -> Self {
        SoleEndpoints { own, domain, endpoints: HashMap::new(), logged }
    }

    /// Adds a local endpoint.
    pub(super) fn add(&mut self, endpoint: Guid, side: Side, topic: &str, what: String) {
        self.endpoints.insert(endpoint, Sole { side, topic: topic.to_owned(), what });
    }

    /// Removes a local endpoint that was dropped.
    pub(super) fn remove(&mut self, endpoint: Guid) {
        self.endpoints.remove(&endpoint);
    }

    /// Returns a warning if a remote endpoint does what only a local one should do; one for each participant.
    pub(super) fn warning(&self, remote: Guid, vendor: Vendor, side: Side, topic: &str) -> Option<String> {
        if remote.prefix() == self.own.prefix() {
            return None;
        }
        let sole = self.endpoints.values().find(|sole| sole.side == side && sole.topic == topic)?;
        self.logged.admit_participant(remote.prefix()).then(|| {
            let (domain, what) = (self.domain, &sole.what);
            format!(
                "[{NOT_ALONE}] another participant of domain {domain}, which uses {vendor}, {what} too, as a second \
                 host does: clients get two replies, and two clocks contradict each other; give one of the two another \
                 `domain=` or ROS_DOMAIN_ID"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::logged::MAX_PARTICIPANTS;
    use super::*;

    fn guid(participant: u8, endpoint: u8) -> Guid {
        let mut bytes = [participant; 16];
        bytes[15] = endpoint;
        Guid(bytes)
    }

    fn services() -> SoleEndpoints {
        let mut sole = SoleEndpoints::new(guid(1, 0), 7, Arc::default());
        sole.add(guid(1, 1), Side::Reads, "rq/playRequest", "offers the service /play".to_owned());
        sole.add(guid(1, 2), Side::Writes, "rt/clock", "publishes /clock".to_owned());
        sole
    }

    #[test]
    fn a_second_server_and_a_second_clock_are_reported_once_for_each_participant() {
        let sole = services();
        let warning = |remote, side, topic| sole.warning(remote, Vendor::RustDds, side, topic);
        let text = warning(guid(2, 1), Side::Reads, "rq/playRequest").expect("a warning");
        assert!(
            text.starts_with("[BH-ROS-012] another participant of domain 7, which uses RustDDS, offers"),
            "{text}"
        );
        assert!(text.contains("the service /play too") && text.contains("`domain=`"), "{text}");
        assert_eq!(warning(guid(2, 2), Side::Writes, "rt/clock"), None, "the same participant");
        let text = warning(guid(3, 1), Side::Writes, "rt/clock").expect("a warning");
        assert!(text.contains("publishes /clock too"), "{text}");
    }

    #[test]
    fn clients_and_own_endpoints_are_not_reported() {
        let mut sole = services();
        let warning = |remote, side, topic| sole.warning(remote, Vendor::Cyclone, side, topic);
        for (side, topic) in
            [(Side::Writes, "rq/playRequest"), (Side::Reads, "rt/clock"), (Side::Reads, "rq/x")]
        {
            assert_eq!(warning(guid(2, 1), side, topic), None, "{side:?} {topic}");
        }
        assert_eq!(warning(guid(1, 9), Side::Reads, "rq/playRequest"), None);
        sole.remove(guid(1, 1));
        assert_eq!(sole.warning(guid(2, 1), Vendor::Cyclone, Side::Reads, "rq/playRequest"), None);
    }

    #[test]
    fn a_second_participant_of_this_node_does_not_report_it_again() {
        let logged = Arc::default();
        let warnings = [1, 2].map(|own| {
            let mut sole = SoleEndpoints::new(guid(own, 0), 7, Arc::clone(&logged));
            sole.add(guid(own, 1), Side::Reads, "rq/playRequest", "offers the service /play".to_owned());
            sole.warning(guid(3, 1), Vendor::FastDds, Side::Reads, "rq/playRequest")
        });
        assert!(warnings[0].is_some() && warnings[1].is_none(), "{warnings:?}");
    }

    #[test]
    fn a_flood_of_participants_is_not_a_flood_of_lines() {
        let sole = services();
        let warnings = (2..=255).filter_map(|participant| {
            sole.warning(guid(participant, 1), Vendor::FastDds, Side::Reads, "rq/playRequest")
        });
        assert_eq!(warnings.count(), MAX_PARTICIPANTS);
    }
}
