//! Payload memory of the host: loaned to a publisher, filled, published, and returned to its pool after the last reader
//! has released it. In a steady state no message allocates. Usable from any thread.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::thread::lock;
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

/// Maximum number of free buffers in a pool. More than a deep queue needs would only waste memory.
const MAX_FREE: usize = 64;

/// One buffer. The header is the first field, so that both have the same address.
#[repr(C)]
struct Pooled {
    header: abi::Buffer,
    references: AtomicUsize,
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
pub struct LoanedBuffer {
    buffer: *mut Pooled,
}

impl LoanedBuffer {
    /// Reverses [`LoanedBuffer::into_raw`].
    ///
    /// # Safety
    /// `raw` must come from `into_raw`, once.
    pub unsafe fn from_raw(raw: *mut c_void) -> Self {
        LoanedBuffer { buffer: raw.cast() }
    }

    /// Converts the loan into a pointer, for the ABI.
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
        // SAFETY: `raw` was just boxed; the header points to its own buffer.
        unsafe { (*raw).header.ctx = raw.cast::<c_void>() };
        LoanedBuffer { buffer: raw }
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
            unsafe { return_to_pool(pooled) };
        }
    })
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
    if free.len() < MAX_FREE {
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
