//! Announcements that a bridge has not answered in time.

use std::collections::VecDeque;
use std::time::Instant;

use crate::bridge::endpoints::NewEndpoints;
use crate::bridge::instance_thread::Pending;

/// Announcements that the bridge has not answered in time, oldest first.
#[derive(Default)]
pub(in crate::bridge) struct LateAnnouncements(VecDeque<Late>);

pub(super) struct Late {
    since: Instant,
    endpoints: Pending<NewEndpoints>,
}

impl LateAnnouncements {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds an announcement that began at `since`.
    pub(super) fn push(&mut self, since: Instant, endpoints: Pending<NewEndpoints>) {
        self.0.push_back(Late { since, endpoints });
    }

    /// Forgets them: the endpoints that they will create are withdrawn on the instance thread.
    pub(in crate::bridge) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn take_answered(&mut self) -> Option<(Instant, NewEndpoints)> {
        let oldest = self.0.front()?;
        let answered = (oldest.since, oldest.endpoints.poll()?);
        self.0.pop_front();
        Some(answered)
    }
}
