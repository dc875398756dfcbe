//! Bytes that a message contains, or that are in shared memory.

use serde::{Deserialize, Serialize};

/// Bytes of a message.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub(in crate::worker) enum Bytes<'a> {
    /// In the socket.
    Inline(&'a [u8]),
    /// In a slot of the shared memory.
    Shared {
        /// Number of the slot.
        slot: u32,
        /// Their number.
        len: u64,
    },
}
