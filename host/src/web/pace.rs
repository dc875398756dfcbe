//! When the next message of a subscription with a rate is due. Thread of the server.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::endpoint::Endpoint;

/// When the next message is due.
pub(super) struct Pace {
    pub(super) period: Duration,
    pub(super) due: Instant,
    /// True if its content is asked for when it is due; otherwise messages are in the mailbox.
    pub(super) is_polled: bool,
    /// The service to poll.
    pub(super) service: Option<Arc<Endpoint>>,
}

impl Pace {
    /// Postpones the next message by the whole periods since `begin`.
    pub(super) fn postpone(&mut self, begin: Instant) {
        self.due += self.period * whole(begin.elapsed(), self.period);
    }

    /// Leaves out the messages that are late by more than a period; returns their number.
    pub(super) fn skip(&mut self) -> u32 {
        let skipped = whole(self.due.elapsed(), self.period);
        self.due += self.period * skipped;
        skipped
    }
}

/// Returns how many whole periods a time has.
fn whole(time: Duration, period: Duration) -> u32 {
    u32::try_from(time.as_nanos() / period.as_nanos().max(1)).unwrap_or(u32::MAX)
}
