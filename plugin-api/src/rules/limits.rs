//! How much waits where, and when a transmit loop should end.

/// How much may wait in one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Messages.
    pub messages: usize,
    /// Bytes of payload.
    pub bytes: usize,
}

/// What one plugin instance may publish between two looks of the simulation. A plugin that publishes in step with the
/// simulation stays far below; one whose own thread does not must not fill the memory while a step takes long.
pub const OUTBOX: Room = Room { messages: 1 << 16, bytes: 64 << 20 };

/// What waits in front of a bridge, if its configuration does not say otherwise.
pub const TX_QUEUE: Room = Room { messages: 1024, bytes: 64 << 20 };

/// Longest text that a plugin may pass, in bytes: a model as SDF is the longest that makes sense.
pub const MAX_TEXT: usize = 64 << 20;

/// Largest payload of a message in bytes. An image of 3840 × 2160 points with four values of 32 bits each has half of it.
pub const MAX_PAYLOAD: usize = 256 << 20;

/// Most rays of one batch.
pub const MAX_RAYS: usize = 1 << 24;

/// Addresses that one bridge instance may report; one that has more has run wild.
pub const MAX_ENDPOINTS: usize = 4096;

/// Topics and services that one plugin instance may open.
pub const MAX_TOPICS: usize = 4096;

/// Messages that a subscription holds if its quality of service does not say.
const SUBSCRIPTION_DEPTH: usize = 64;

/// Messages that a subscription of the depth `asked` holds; 0 leaves it to the host. Beyond that the oldest goes.
#[must_use]
pub fn subscription_depth(asked: u32) -> usize {
    usize::try_from(asked).ok().filter(|depth| *depth > 0).unwrap_or(SUBSCRIPTION_DEPTH)
}

/// Whether `needed` further bytes fit where `waiting` messages and bytes are. A single message beyond the limit is taken
/// when it is alone.
#[must_use]
pub fn has_room(limit: Room, waiting: Room, needed: usize) -> bool {
    waiting.messages == 0 || fits(limit, waiting, needed)
}

/// Whether `needed` further bytes stay within the limit.
#[must_use]
pub fn fits(limit: Room, waiting: Room, needed: usize) -> bool {
    waiting.messages < limit.messages && waiting.bytes.saturating_add(needed) <= limit.bytes
}

/// Whether a transmit loop should end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TransmitEnd {
    /// Not yet.
    #[default]
    No,
    /// Once what waits is handed out.
    AfterDraining,
    /// At once.
    Now,
}

impl TransmitEnd {
    /// Whether the loop should end while `waiting` messages wait: what `interrupted` says, and when `next` returns
    /// INTERRUPTED.
    #[must_use]
    pub fn has_come(self, waiting: usize) -> bool {
        match self {
            TransmitEnd::No => false,
            TransmitEnd::AfterDraining => waiting == 0,
            TransmitEnd::Now => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_of_nothing_is_the_default() {
        assert_eq!([0, 1, 64, 1000].map(subscription_depth), [64, 1, 64, 1000]);
    }

    #[test]
    fn messages_and_bytes_are_limited_but_a_lonely_message_is_not() {
        let limit = Room { messages: 2, bytes: 10 };
        let waiting = |messages, bytes| Room { messages, bytes };
        assert!(has_room(limit, waiting(0, 0), 11) && has_room(limit, waiting(1, 4), 6));
        assert!(!has_room(limit, waiting(1, 4), 7) && !has_room(limit, waiting(2, 2), 0));
    }

    #[test]
    fn a_loop_ends_when_what_it_should_send_is_handed_out() {
        let ends = |end: TransmitEnd| [0, 1].map(|waiting| end.has_come(waiting));
        assert_eq!(ends(TransmitEnd::No), [false, false]);
        assert_eq!(ends(TransmitEnd::AfterDraining), [true, false]);
        assert_eq!(ends(TransmitEnd::Now), [true, true]);
    }
}
