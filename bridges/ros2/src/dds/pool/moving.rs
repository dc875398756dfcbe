//! The endpoints of a participant while they move to another one. Runs on the thread of a renewal.

use std::collections::HashSet;
use std::sync::{Arc, Weak};

use bridgehead_plugin_api::Result;

use crate::dds::guid::Guid;
use crate::dds::movable::Movable;
use crate::dds::participant::Participant;

/// A participant ignores peers that are new while this exists. If it still has endpoints then, new peers find them.
pub(super) struct IgnoringNewPeers<'a>(&'a Participant);

impl<'a> IgnoringNewPeers<'a> {
    pub(super) fn begin(participant: &'a Participant) -> Self {
        participant.ignore_new(true);
        IgnoringNewPeers(participant)
    }
}

impl Drop for IgnoringNewPeers<'_> {
    fn drop(&mut self) {
        self.0.ignore_new(false);
    }
}

/// Endpoints that move. Some may be dropped meanwhile.
pub(super) struct Moving(pub(super) Vec<Weak<dyn Movable<Participant>>>);

/// The remote endpoints that the new ones must still discover, by endpoint.
pub(super) type Missing = Vec<HashSet<Guid>>;

impl Moving {
    /// Acts on those that still exist.
    pub(super) fn for_each(&self, act: impl FnMut(Arc<dyn Movable<Participant>>)) {
        self.0.iter().filter_map(Weak::upgrade).for_each(act);
    }

    /// Opens the second one of each.
    ///
    /// # Errors
    /// Returns the error of the first endpoint that cannot be opened, after those before it were closed.
    pub(super) fn open_others(&self, to: &Arc<Participant>) -> Result {
        for endpoint in self.0.iter().filter_map(Weak::upgrade) {
            if let Err(error) = endpoint.open_other(to) {
                self.for_each(|endpoint| endpoint.close_other());
                return Err(error);
            }
        }
        Ok(())
    }

    /// Returns whether the readers of all second ones have what was written to them.
    pub(super) fn have_others_delivered(&self) -> bool {
        self.0.iter().filter_map(Weak::upgrade).all(|endpoint| endpoint.has_other_delivered())
    }

    /// Returns the remote endpoints with which they are matched now.
    pub(super) fn matches(&self) -> Missing {
        let matched =
            |endpoint: &Weak<dyn Movable<Participant>>| endpoint.upgrade().map(|endpoint| endpoint.matched());
        self.0.iter().map(|endpoint| matched(endpoint).unwrap_or_default()).collect()
    }

    /// Removes what was discovered or has departed, and returns whether something is left.
    pub(super) fn is_any_missing(&self, missing: &mut Missing) -> bool {
        for (endpoint, missing) in self.0.iter().zip(missing.iter_mut()) {
            if missing.is_empty() {
                continue;
            }
            match endpoint.upgrade() {
                Some(endpoint) => {
                    let (matched, found) = (endpoint.matched(), endpoint.other_matched());
                    missing.retain(|remote| matched.contains(remote) && !found.contains(remote));
                }
                None => missing.clear(),
            }
        }
        missing.iter().any(|missing| !missing.is_empty())
    }
}
