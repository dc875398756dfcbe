//! Payload memory of the host: loaned to a publisher, filled, published, and returned to its pool after the last reader
//! has released it. In a steady state no message allocates. Usable from any thread.
//!
//! Plugins see a buffer through a header of its own ([`lent`]), which counts their references apart from those of the
//! host: one that they release too often is reported, and does not take the memory away from others. The headers of a
//! pool are freed with the pool, so that a stale pointer of a plugin can be recognised until then.

use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi;

use crate::call;
use crate::guard::host_call;
use crate::thread::lock;

/// Free buffers of one publisher.
#[derive(Debug, Default)]
#[expect(
    clippy::vec_box,
    reason = "plugins and queues hold the addresses of buffers, so that they must not move"
)]
pub struct BufferPool {
    free: Mutex<Vec<Box<Pooled>>>,
}

/// Maximum number of free buffers with memory in a pool. More than a deep queue needs would only waste memory.
const MAX_FREE: usize = 64;

/// In `reserved` of the host's header: its `ctx` is the [`Pooled`] itself.
const IS_POOLED: u32 = 0x4268_6276;

/// Bits of [`Pooled::loan`] below the number of the loan: the buffer is in the hands of a plugin.
const IS_LENT: u32 = 1;

/// Position of the number of a loan in the pointer that the plugin gets: user addresses of Linux have 47 bits, also on
/// processors with more, unless a program asks for them.
const NUMBER_SHIFT: u32 = 48;

/// One buffer. The header of the host is the first field, so that both have the same address.
#[repr(C)]
struct Pooled {
    header: abi::Buffer,
    /// The header that plugins get.
    lent: abi::Buffer,
    references: AtomicUsize,
    /// Those of the references that plugins hold.
    lent_references: AtomicUsize,
    /// Number of the last loan, with [`IS_LENT`].
    loan: AtomicU32,
    bytes: Vec<u8>,
    /// The pool to return to, while in use; `None` while free, because a pool must not own itself.
    home: Option<Arc<BufferPool>>,
}

// SAFETY: the header's pointers refer to the buffer itself; only one borrower writes the bytes, before the first reader
// sees them.
unsafe impl Send for Pooled {}

impl std::fmt::Debug for Pooled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pooled({} bytes)", self.bytes.len())
    }
}

/// A buffer loaned for writing.
#[derive(Debug)]
pub struct LoanedBuffer {
    buffer: *mut Pooled,
}

impl LoanedBuffer {
    /// Converts the loan into a pointer for the ABI, from which [`BufferPool::take_back`] makes it again.
    #[must_use]
    pub fn into_raw(self) -> *mut c_void {
        // SAFETY: a loan is the only reference to its buffer.
        let previous = unsafe { (*self.buffer).loan.fetch_add(2 | IS_LENT, Ordering::Relaxed) };
        let number = previous.wrapping_add(2) >> 1;
        let tag = usize::from(u16::try_from(number & 0xffff).unwrap_or_default()) << NUMBER_SHIFT;
        let raw = self.buffer.map_addr(|address| address | tag).cast();
        #[expect(clippy::mem_forget, reason = "ownership moves into the pointer; take_back returns it")]
        std::mem::forget(self);
        raw
    }

    /// The writable bytes.
    #[must_use]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: a loan is the only reference to its buffer.
        unsafe { &mut (*self.buffer).bytes }
    }

    /// Turns the first `len` bytes into a payload. A larger `len` is reduced to the size of the loan.
    #[must_use]
    pub fn publish(self, len: usize) -> Payload {
        let buffer = self.buffer;
        #[expect(clippy::mem_forget, reason = "the buffer lives on in the payload")]
        std::mem::forget(self);
        // SAFETY: the loan was the only reference to the buffer; from here on it is only read. The count starts at 0,
        // and the payload takes the only reference.
        unsafe {
            (*buffer).header.data = (*buffer).bytes.as_ptr();
            (*buffer).header.len = len.min((*buffer).bytes.len());
            (*buffer).lent.data = (*buffer).header.data;
            (*buffer).lent.len = (*buffer).header.len;
            (*buffer).references.store(0, Ordering::Relaxed);
            Payload::retain(&raw const (*buffer).header)
        }
    }
}

impl Drop for LoanedBuffer {
    fn drop(&mut self) {
        // SAFETY: an unpublished loan is the only reference to its buffer.
        unsafe { return_to_pool(self.buffer) };
    }
}

impl BufferPool {
    /// Loans a buffer of at least `capacity` initialised bytes.
    #[must_use]
    pub fn lend(self: &Arc<Self>, capacity: usize) -> LoanedBuffer {
        let free = lock(&self.free).pop();
        let mut buffer = free.unwrap_or_else(new_buffer);
        if buffer.bytes.len() < capacity {
            buffer.bytes.resize(capacity.next_power_of_two(), 0);
        }
        buffer.home = Some(Arc::clone(self));
        let raw = Box::into_raw(buffer);
        // SAFETY: `raw` was just boxed; the headers point to their own buffer.
        unsafe {
            (*raw).header.ctx = raw.cast::<c_void>();
            (*raw).lent.ctx = raw.cast::<c_void>();
        }
        LoanedBuffer { buffer: raw }
    }

    /// Reverses [`LoanedBuffer::into_raw`]; `None` if the loan is not one of this pool, or was taken back before.
    ///
    /// # Safety
    /// `raw` must be null, or come from `into_raw` of a pool that still exists.
    #[must_use]
    pub unsafe fn take_back(self: &Arc<Self>, raw: *mut c_void) -> Option<LoanedBuffer> {
        let buffer = raw.cast::<Pooled>().map_addr(|address| address & ((1 << NUMBER_SHIFT) - 1));
        if buffer.is_null() || !buffer.is_aligned() {
            return None;
        }
        if !call::IS_GUARDED {
            return Some(LoanedBuffer { buffer });
        }
        let number = u32::try_from(raw.addr() >> NUMBER_SHIFT).unwrap_or_default();
        // SAFETY: headers live as long as their pool.
        let loan = unsafe { &(*buffer).loan };
        let current = loan.load(Ordering::Relaxed);
        if (current >> 1) & 0xffff != number
            || current & IS_LENT == 0
            || loan
                .compare_exchange(current, current & !IS_LENT, Ordering::AcqRel, Ordering::Relaxed)
                .is_err()
        {
            return None;
        }
        // SAFETY: the exchange has made this the only holder of the loan.
        let is_own = unsafe { (*buffer).home.as_ref().is_some_and(|home| Arc::ptr_eq(home, self)) };
        if !is_own {
            loan.store(current, Ordering::Release);
            return None;
        }
        Some(LoanedBuffer { buffer })
    }

    /// Frees the memory of the buffers that are not in use.
    pub fn clear(&self) {
        lock(&self.free).iter_mut().for_each(|buffer| buffer.bytes = Vec::new());
    }
}

/// Returns the buffer of a payload for plugins: the one that counts their references, if it is a buffer of the host.
#[must_use]
pub fn lent(payload: &Payload) -> *const abi::Buffer {
    let raw = payload.as_raw();
    // SAFETY: the payload keeps its buffer alive. No buffer of a plugin has all three marks of the host's header.
    unsafe {
        let is_pooled = call::IS_GUARDED
            && (*raw).reserved == IS_POOLED
            && (*raw).ctx.cast_const() == raw.cast()
            && std::ptr::fn_addr_eq((*raw).retain, retain as unsafe extern "C" fn(*const abi::Buffer));
        if is_pooled { &raw const (*raw.cast::<Pooled>()).lent } else { raw }
    }
}

fn new_buffer() -> Box<Pooled> {
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
        bytes: Vec::new(),
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
            call::breach(call::Rule::Release, None, "released a payload more often than it has retained it");
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
unsafe fn return_to_pool(buffer: *mut Pooled) {
    // SAFETY: the caller guarantees it.
    let mut buffer = unsafe { Box::from_raw(buffer) };
    let Some(home) = buffer.home.take() else {
        return;
    };
    let mut free = lock(&home.free);
    if free.len() >= MAX_FREE {
        // The header stays: a plugin may still have a pointer to it.
        buffer.bytes = Vec::new();
    }
    free.push(buffer);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free_count(pool: &BufferPool) -> usize {
        pool.free.lock().expect("pool").len()
    }

    #[test]
    fn a_buffer_goes_home_with_its_last_reader_and_is_used_again() {
        let pool = Arc::new(BufferPool::default());
        let mut loan = pool.lend(3);
        loan.bytes_mut()[..3].copy_from_slice(&[7, 8, 9]);
        let first = loan.publish(3);
        let address = first.as_ptr();
        let second = first.clone();
        drop(first);
        assert_eq!(&*second, &[7, 8, 9]);
        assert_eq!(free_count(&pool), 0);
        drop(second);
        assert_eq!(free_count(&pool), 1);
        assert_eq!(pool.lend(2).bytes_mut().as_ptr(), address);
    }

    #[test]
    fn an_abandoned_loan_goes_home() {
        let pool = Arc::new(BufferPool::default());
        drop(pool.lend(100));
        assert_eq!(free_count(&pool), 1);
    }

    #[test]
    fn a_payload_outlives_its_pool() {
        let pool = Arc::new(BufferPool::default());
        let payload = pool.lend(1).publish(1);
        drop(pool);
        assert_eq!(payload.len(), 1);
    }

    #[test]
    fn a_loan_is_taken_back_once_and_by_its_own_pool() {
        let (pool, other) = (Arc::new(BufferPool::default()), Arc::new(BufferPool::default()));
        let loan = pool.lend(8).into_raw();
        // SAFETY: both pools exist.
        unsafe {
            assert!(other.take_back(loan).is_none(), "a loan of another pool");
            let taken = pool.take_back(loan).expect("outstanding");
            assert!(pool.take_back(loan).is_none(), "taken back before");
            drop(taken);
            assert!(pool.take_back(loan).is_none(), "the buffer is free");
            let again = pool.lend(8).into_raw();
            assert!(pool.take_back(loan).is_none(), "the buffer is on loan again, under another number");
            assert!(pool.take_back(again).is_some() && pool.take_back(std::ptr::null_mut()).is_none());
        }
    }

    #[test]
    fn a_payload_that_a_plugin_releases_too_often_stays() {
        let pool = Arc::new(BufferPool::default());
        let payload = pool.lend(1).publish(1);
        let raw = lent(&payload);
        assert_ne!(raw, payload.as_raw());
        // SAFETY: the payload keeps the buffer alive.
        unsafe {
            ((*raw).retain)(raw);
            ((*raw).release)(raw);
            call::in_step("car1/twice", "sample", || ((*raw).release)(raw));
        }
        let reports = call::take_breaches_of("car1/twice");
        assert!(
            reports.iter().any(|report| report.contains("BH-PLG-133") && report.contains("car1/twice")),
            "{reports:?}"
        );
        assert_eq!((payload.len(), free_count(&pool)), (1, 0));
        drop(payload);
        assert_eq!(free_count(&pool), 1);
    }

    #[test]
    fn a_payload_of_a_plugin_is_lent_as_it_is() {
        let payload = Payload::from_vec(vec![1]);
        assert_eq!(lent(&payload), payload.as_raw());
    }

    #[test]
    fn free_buffers_beyond_the_limit_keep_their_headers_only() {
        let pool = Arc::new(BufferPool::default());
        let loans: Vec<_> = (0..MAX_FREE + 3).map(|_| pool.lend(10)).collect();
        drop(loans);
        let free = pool.free.lock().expect("pool");
        assert_eq!(free.iter().filter(|buffer| buffer.bytes.is_empty()).count(), 3);
        assert_eq!(free.len(), MAX_FREE + 3);
    }
}
