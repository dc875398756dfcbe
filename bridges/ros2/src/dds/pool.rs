//! The participants of one node. Endpoints that come and go get a new participant from time to time, and endpoints that
//! stay move to a new one.
//!
//! `rustdds` keeps the last 8,192 announcements of a participant, those of endpoints that are gone too. Older ones are
//! lost to peers that join later, even if their endpoints still exist. So a participant creates a limited number of
//! endpoints, and is closed with the last of them, which frees its announcements.
//!
//! It also keeps something of each remote endpoint that was ever announced to a participant. So a participant that many
//! remote endpoints have left is renewed ([`renewal`]): its endpoints move to a new participant ([`moving`]), and it is closed.
//!
//! The first participant, or the one that has replaced it, has the name of the node and lists the endpoints of all. The
//! others list their own under a hidden name (`_bridgehead_2`), since a name that is listed twice is a conflict in ROS 2.

mod moving;
mod open_participants;
mod renewal;

use std::sync::Arc;
use std::time::Duration;

use bridgehead_plugin_api::Result;

use super::options::ParticipantOptions;
use super::participant::Participant;
use open_participants::OpenParticipants;
use renewal::{Renewal, Times};

/// When another participant takes over.
#[derive(Clone, Copy)]
struct Limits {
    open: open_participants::Limits,
    /// Remote endpoints that may depart before a participant is renewed.
    departed: u32,
    times: Times,
}

/// 256 endpoints are those of some forty vehicles: a small run needs one participant, and the announcements of one need
/// less than half a megabyte. Each participant has a port of its domain, three threads and some ten descriptors; 16 of
/// them can create tens of thousands of endpoints before announcements are lost. `rustdds` keeps some 2 KB of each
/// remote endpoint, so 512 keep one megabyte.
const LIMITS: Limits = Limits {
    open: open_participants::Limits { endpoints: 256, participants: 16 },
    departed: 512,
    times: Times {
        last_joining: Duration::from_secs(1),
        discovery: Duration::from_secs(60),
        settling: Duration::from_secs(5),
        late_requests: Duration::from_secs(5),
        acknowledgments: Duration::from_secs(10),
        before_close: Duration::from_millis(500),
        interval: Duration::from_secs(30),
    },
};

/// The participants of one node.
pub struct ParticipantPool {
    participants: Arc<OpenParticipants>,
    renewal: Arc<Renewal>,
}

impl ParticipantPool {
    /// Opens the first participant.
    ///
    /// # Errors
    /// Like [`Participant::open`].
    pub fn open(options: ParticipantOptions) -> Result<Self> {
        Self::with_limits(options, LIMITS)
    }

    fn with_limits(options: ParticipantOptions, limits: Limits) -> Result<Self> {
        let participants = Arc::new(OpenParticipants::new(options, limits.open)?);
        let renewal = Arc::new(Renewal::new(&participants, limits.departed, limits.times));
        let weak = Arc::downgrade(&renewal);
        participants.node().set_on_departure(Box::new(move |departed| {
            if let Some(renewal) = weak.upgrade() {
                renewal.renew_if_due(departed);
            }
        }));
        Ok(ParticipantPool { participants, renewal })
    }

    /// Returns the options of its participants.
    #[must_use]
    pub fn options(&self) -> &ParticipantOptions {
        self.participants.options()
    }

    /// Returns the participant that creates the next endpoints. May take some tens of milliseconds. Endpoints that
    /// belong together, such as those of a service, are created by the same one.
    #[must_use]
    pub fn participant(&self) -> Arc<Participant> {
        self.participants.current()
    }
}

impl Drop for ParticipantPool {
    fn drop(&mut self) {
        self.renewal.end();
    }
}

#[cfg(test)]
mod tests;
