//! The headers of a buffer: one for the host, and one for plugins, which counts their references.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

use bridgehead_plugin_api::objects::BorrowedPayload;
use bridgehead_plugin_api::{Payload, abi};

use super::{MAX_FREE, Pooled};
use bridgehead_runtime::call::{self, Rule};
use bridgehead_runtime::guard::host_call;
use bridgehead_runtime::thread::lock;

/// In `reserved` of the host's header: its `ctx` is the [`Pooled`] itself.
const IS_POOLED: u32 = 0x4268_6276;

/// Returns the buffer of a payload for plugins: the one that counts their references, if it is a buffer of the host.
#[must_use]
pub fn lent(payload: &Payload) -> *const abi::Buffer {
    let raw = payload.as_raw();
    // SAFETY: the payload keeps its buffer alive.
    of_host(raw).map_or(raw, |pooled| unsafe { &raw const (*pooled).lent })
}

/// Lends a payload to a plugin: [`lent`].
#[must_use]
pub fn lend(payload: &Payload) -> BorrowedPayload<'_> {
    // SAFETY: the payload keeps the buffer alive.
    unsafe { BorrowedPayload::of(lent(payload)) }
}

/// Returns the buffer that begins with a header of the host.
pub(super) fn of_host(raw: *const abi::Buffer) -> Option<*const Pooled> {
    // SAFETY: the caller has a reference. No buffer of a plugin has all three marks of the host's header.
    let is_host = unsafe {
        call::IS_GUARDED
            && (*raw).reserved == IS_POOLED
            && (*raw).ctx.cast_const() == raw.cast()
            && std::ptr::fn_addr_eq((*raw).retain, retain as unsafe extern "C" fn(*const abi::Buffer))
    };
    is_host.then_some(raw.cast())
}

/// Returns the header of the host, if this is the one that plugins get of the same buffer.
pub(super) fn of_lent(raw: *const abi::Buffer) -> Option<*const abi::Buffer> {
    // SAFETY: the caller has a reference; only the host gives this function away.
    unsafe {
        let is_lent =
            std::ptr::fn_addr_eq((*raw).retain, retain_lent as unsafe extern "C" fn(*const abi::Buffer));
        let pooled = (*raw).ctx.cast_const().cast::<Pooled>();
        (is_lent && std::ptr::eq(&raw const (*pooled).lent, raw)).then_some(&raw const (*pooled).header)
    }
}

pub(super) fn new_buffer() -> Box<Pooled> {
    let header = abi::Buffer {
        struct_size: abi::Buffer::SIZE,
        reserved: IS_POOLED,
        data: std::ptr::null(),
        len: 0,
        ctx: std::ptr::null_mut(),
        retain,
        release,
    };
    Box::new(Pooled {
        lent: abi::Buffer { reserved: 0, retain: retain_lent, release: release_lent, ..header },
        header,
        references: AtomicUsize::new(0),
        lent_references: AtomicUsize::new(0),
        loan: AtomicU32::new(0),
        region: None,
        foreign: None,
        sum: None,
        home: None,
    })
}

unsafe extern "C" fn retain(buffer: *const abi::Buffer) {
    host_call("buffer.retain", (), || {
        // SAFETY: `ctx` is the buffer itself, alive while anyone holds a reference.
        unsafe { &*(*buffer).ctx.cast::<Pooled>() }.references.fetch_add(1, Ordering::Relaxed);
    })
}

unsafe extern "C" fn release(buffer: *const abi::Buffer) {
    host_call("buffer.release", (), || {
        // SAFETY: as in `retain`.
        unsafe { drop_reference((*buffer).ctx.cast::<Pooled>()) };
    })
}

unsafe extern "C" fn retain_lent(buffer: *const abi::Buffer) {
    host_call("buffer.retain", (), || {
        // SAFETY: as in `retain`.
        let pooled = unsafe { &*(*buffer).ctx.cast::<Pooled>() };
        pooled.references.fetch_add(1, Ordering::Relaxed);
        pooled.lent_references.fetch_add(1, Ordering::Relaxed);
    })
}

unsafe extern "C" fn release_lent(buffer: *const abi::Buffer) {
    host_call("buffer.release", (), || {
        // SAFETY: `ctx` is the buffer itself, whose header lives as long as its pool.
        let pooled = unsafe { (*buffer).ctx.cast::<Pooled>() };
        // SAFETY: as above.
        let held = unsafe { &(*pooled).lent_references };
        if held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |held| held.checked_sub(1)).is_err() {
            call::breach(Rule::Release, None, "released a payload more often than it has retained it");
            return;
        }
        // SAFETY: the plugin held this reference.
        unsafe { drop_reference(pooled) };
    })
}

/// # Safety
/// `pooled` must have a reference, which the caller gives up.
unsafe fn drop_reference(pooled: *mut Pooled) {
    // SAFETY: the caller guarantees it; the count orders all reads before the buffer is used again.
    if unsafe { (*pooled).references.fetch_sub(1, Ordering::AcqRel) } == 1 {
        // SAFETY: this was the last reference.
        unsafe { return_to_pool(pooled) };
    }
}

/// # Safety
/// `buffer` must be a boxed buffer without other users.
pub(super) unsafe fn return_to_pool(buffer: *mut Pooled) {
    // SAFETY: the caller guarantees it.
    let mut buffer = unsafe { Box::from_raw(buffer) };
    if buffer.sum.take().is_some_and(|sum| sum != buffer.sum_now()) {
        buffer.report_change();
    }
    let foreign = buffer.foreign.take();
    let Some(home) = buffer.home.take() else {
        return;
    };
    let mut free = lock(&home.free);
    if free.len() >= MAX_FREE {
        // The header stays: a plugin may still have a pointer to it.
        buffer.region = None;
    }
    free.push(buffer);
    drop(free);
    // Its owner may call the host while it releases it.
    drop(foreign);
}
