//! Payload memory of the host: lent to a publisher, filled, published, and taken back when the last reader
//! is done. In a steady state no message allocates.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi;

use crate::guard::host_call;

/// Free buffers of one publisher.
#[derive(Debug, Default)]
#[expect(
    clippy::vec_box,
    reason = "plugins and queues hold the addresses of buffers, so that they must not move"
)]
pub struct BufferPool {
    free: Mutex<Vec<Box<Pooled>>>,
}

/// Buffers a pool keeps; more than a deep queue needs would only hold memory.
const KEPT: usize = 64;

/// One buffer. The header comes first, so that both have one address.
#[repr(C)]
struct Pooled {
    header: abi::Buffer,
    references: AtomicUsize,
    bytes: Vec<u8>,
    /// The pool to go back to while lent; `None` while free, which keeps pools from keeping themselves.
    home: Option<Arc<BufferPool>>,
}

// SAFETY: the header's pointers lead to the buffer itself; the bytes are written by one borrower only, before
// the first reader sees them.
unsafe impl Send for Pooled {}

impl std::fmt::Debug for Pooled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pooled({} bytes)", self.bytes.len())
    }
}

/// A buffer lent out for writing.
pub struct Lent {
    buffer: *mut Pooled,
}

impl Lent {
    /// Takes back what [`Lent::into_raw`] gave away.
    ///
    /// # Safety
    /// `raw` must come from `into_raw`, once.
    pub unsafe fn from_raw(raw: *mut c_void) -> Self {
        Lent { buffer: raw.cast() }
    }

    /// Gives the loan away as a pointer.
    #[must_use]
    pub fn into_raw(self) -> *mut c_void {
        let raw = self.buffer.cast();
        #[expect(clippy::mem_forget, reason = "ownership moves into the pointer; from_raw takes it back")]
        std::mem::forget(self);
        raw
    }

    /// The writable bytes.
    #[must_use]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: a loan is the only way to its buffer.
        unsafe { &mut (*self.buffer).bytes }
    }

    /// Makes the first `len` bytes a payload. A `len` beyond the loan is cut.
    #[must_use]
    pub fn publish(self, len: usize) -> Payload {
        let buffer = self.buffer;
        #[expect(clippy::mem_forget, reason = "the buffer lives on in the payload")]
        std::mem::forget(self);
        // SAFETY: the loan was the only way to the buffer; from here on it is only read. The count starts
        // at 0 and the payload takes the one reference there is.
        unsafe {
            (*buffer).header.data = (*buffer).bytes.as_ptr();
            (*buffer).header.len = len.min((*buffer).bytes.len());
            (*buffer).references.store(0, Ordering::Relaxed);
            Payload::retain(&raw const (*buffer).header)
        }
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        // SAFETY: an unpublished loan is the only way to its buffer.
        unsafe { go_home(self.buffer) };
    }
}

impl BufferPool {
    /// Lends a buffer of at least `capacity` initialised bytes.
    #[must_use]
    pub fn lend(self: &Arc<Self>, capacity: usize) -> Lent {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut buffer = free.unwrap_or_else(new_buffer);
        if buffer.bytes.len() < capacity {
            buffer.bytes.resize(capacity.next_power_of_two(), 0);
        }
        buffer.home = Some(Arc::clone(self));
        let raw = Box::into_raw(buffer);
        // SAFETY: `raw` was just boxed; the header points back at its own buffer.
        unsafe { (*raw).header.ctx = raw.cast::<c_void>() };
        Lent { buffer: raw }
    }
}

fn new_buffer() -> Box<Pooled> {
    Box::new(Pooled {
        header: abi::Buffer {
            struct_size: abi::Buffer::SIZE,
            reserved: 0,
            data: std::ptr::null(),
            len: 0,
            ctx: std::ptr::null_mut(),
            retain,
            release,
        },
        references: AtomicUsize::new(0),
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
        let pooled = unsafe { (*buffer).ctx.cast::<Pooled>() };
        // SAFETY: as above; the count orders all reads before the buffer is used again.
        if unsafe { (*pooled).references.fetch_sub(1, Ordering::AcqRel) } == 1 {
            // SAFETY: this was the last reference.
            unsafe { go_home(pooled) };
        }
    })
}

/// # Safety
/// `buffer` must be a boxed buffer that nobody else uses.
unsafe fn go_home(buffer: *mut Pooled) {
    // SAFETY: the caller vouches for it.
    let mut buffer = unsafe { Box::from_raw(buffer) };
    let Some(home) = buffer.home.take() else {
        return;
    };
    let mut free = home.free.lock().unwrap_or_else(PoisonError::into_inner);
    if free.len() < KEPT {
        free.push(buffer);
    }
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
}
