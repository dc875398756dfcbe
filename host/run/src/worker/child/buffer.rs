//! Payloads of the host as the plugin of a worker sees them: in the shared memory, or in memory of this process.

use std::sync::atomic::{AtomicUsize, Ordering};

use bridgehead_abi::Buffer;
use bridgehead_plugin_api::Payload;

use super::super::wire::Bytes;
use super::link;
use crate::bus::give;
use crate::guard::host_call;

/// A payload in a slot of the shared memory, which is free again with the last reference.
#[repr(C)]
struct InSlot {
    header: Buffer,
    references: AtomicUsize,
    slot: u32,
}

/// A payload with one reference, for the plugin.
pub(super) fn received(bytes: Bytes<'_>) -> *const Buffer {
    give(payload(bytes))
}

/// A payload of the host.
pub(super) fn payload(bytes: Bytes<'_>) -> Payload {
    // SAFETY: the reference is ours.
    unsafe { Payload::from_raw(in_memory(bytes)) }
}

/// A payload with one reference.
fn in_memory(bytes: Bytes<'_>) -> *const Buffer {
    match bytes {
        Bytes::Inline(bytes) => Payload::from_vec(bytes.to_vec()).into_raw(),
        Bytes::Shared { slot, len } => match link().memory.lent(slot, len) {
            Some(data) => {
                let payload = Box::into_raw(Box::new(InSlot {
                    header: Buffer {
                        struct_size: Buffer::SIZE,
                        reserved: 0,
                        data,
                        len: usize::try_from(len).unwrap_or(0),
                        ctx: std::ptr::null_mut(),
                        retain,
                        release,
                    },
                    references: AtomicUsize::new(1),
                    slot,
                }));
                payload.cast_const().cast()
            }
            None => Payload::from_vec(Vec::new()).into_raw(),
        },
    }
}

unsafe extern "C" fn retain(buffer: *const Buffer) {
    host_call("buffer.retain", (), || {
        // SAFETY: the header is the first field, and the caller has a reference.
        unsafe { (*buffer.cast::<InSlot>()).references.fetch_add(1, Ordering::Relaxed) };
    })
}

unsafe extern "C" fn release(buffer: *const Buffer) {
    host_call("buffer.release", (), || {
        let payload = buffer.cast::<InSlot>();
        // SAFETY: as above; with the last reference the memory is ours again.
        unsafe {
            if (*payload).references.fetch_sub(1, Ordering::AcqRel) == 1 {
                let payload = Box::from_raw(payload.cast_mut());
                link().memory.give_back(payload.slot);
            }
        }
    })
}
