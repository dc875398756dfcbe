//! Payloads on their way between both processes: in a message, or in the shared memory.

use bridgehead_abi::message::Buffer;
use bridgehead_plugin_api::Payload;

use super::memory::SharedMemory;
use super::wire::{Bytes, Lane};

/// Puts payloads for the worker into messages.
pub(super) trait Pack {
    /// Returns a payload for the worker: in the shared memory if it is large and there is room.
    fn packed<'a>(&self, bytes: &'a [u8], memory: &SharedMemory) -> Bytes<'a>;
}

/// # Safety
/// `buffer` must be null or a buffer that is alive for `'a`.
pub(super) unsafe fn bytes_of<'a>(buffer: *const Buffer) -> &'a [u8] {
    // SAFETY: the caller vouches for it.
    unsafe {
        match buffer.as_ref() {
            Some(buffer) if buffer.len > 0 && !buffer.data.is_null() => {
                std::slice::from_raw_parts(buffer.data, buffer.len)
            }
            _ => &[],
        }
    }
}

/// The payload of a request, in memory of this process.
pub(super) fn owned(memory: &SharedMemory, lane: Lane, payload: Bytes<'_>) -> Option<Payload> {
    let bytes = match payload {
        Bytes::Inline(bytes) => bytes.to_vec(),
        Bytes::Shared { slot, len } => memory.copy(lane, slot, len)?,
    };
    Some(Payload::from_vec(bytes))
}
