//! Payload memory of the host: loaned to a publisher, filled, published, and returned to its pool after the last reader
//! has released it. In a steady state no message allocates. Usable from any thread.
//!
//! Plugins see a buffer through a header of its own ([`lent`]), which counts their references apart from those of the
//! host: one that they release too often is reported, and does not take the memory away from others. The headers of a
//! pool are freed with the pool, so that a stale pointer of a plugin can be recognised until then.
//!
//! What readers get cannot be written (see [`memory`](super::memory)). A payload in the memory of a plugin is copied if it is
//! small; if it is large, a buffer stands for it that counts its readers, and `--check-plugins` compares its bytes after the
//! last one.

use std::ffi::c_void;
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering, compiler_fence};
use std::sync::{Arc, LazyLock, Mutex};

use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::{abi, rules};

pub use self::header::{lend, lent};
use self::header::{new_buffer, of_host, of_lent, return_to_pool};
use super::memory::Region;
use bridgehead_runtime::call::{self, Rule};
use bridgehead_runtime::thread::lock;

/// Payloads of plugins up to this size are copied: a copy of a page takes as long as a reference that is counted.
const COPIED: usize = 4000;

/// Free buffers of one publisher.
#[derive(Debug, Default)]
#[expect(
    clippy::vec_box,
    reason = "plugins and queues hold the addresses of buffers, so that they must not move"
)]
pub struct BufferPool {
    free: Mutex<Vec<Box<Pooled>>>,
    /// Plugin instance and topic, for reports; empty for the host.
    owner: String,
    topic: String,
}

/// Of payloads that the host itself makes for plugins.
static OF_HOST: LazyLock<Arc<BufferPool>> = LazyLock::new(Arc::default);

/// Maximum number of free buffers with memory in a pool. More than a deep queue needs would only waste memory.
const MAX_FREE: usize = 64;

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
    /// Its own memory, if it was needed so far.
    region: Option<Region>,
    /// The payload of a plugin that the buffer stands for, if it is too large to be copied.
    foreign: Option<Payload>,
    /// Of the bytes when they were published, if `--check-plugins` compares them.
    sum: Option<u64>,
    /// The pool to return to, while in use; `None` while free, because a pool must not own itself.
    home: Option<Arc<BufferPool>>,
}

// SAFETY: the header's pointers refer to the buffer itself; only one borrower writes the bytes, before the first reader
// sees them.
unsafe impl Send for Pooled {}

impl std::fmt::Debug for Pooled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Pooled({} bytes)", self.header.len)
    }
}

impl Pooled {
    /// Sets the bytes that readers get.
    fn publish(&mut self, data: *const u8, len: usize) {
        self.header.data = data;
        self.header.len = len;
        self.lent.data = data;
        self.lent.len = len;
        self.sum = call::is_thorough().then(|| self.sum_now());
        self.references.store(0, Ordering::Relaxed);
    }

    fn sum_now(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        // SAFETY: `publish` was called with bytes that live as long as the buffer is in use.
        hasher.write(unsafe { abi::Bytes { ptr: self.header.data, len: self.header.len }.as_slice() });
        hasher.finish()
    }

    /// Reports bytes that were changed after they were published. What the host has written cannot be written by readers.
    #[cold]
    fn report_change(&self) {
        let Some(home) = &self.home else { return };
        let by = if self.foreign.is_some() { "by itself or by a reader" } else { "through the loan" };
        let text = format!(
            "published a message on `{}` whose bytes were changed after that, {by}: a payload is never written again",
            home.topic
        );
        call::breach_of(Rule::Changed, &home.owner, &text);
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
        unsafe { (*self.buffer).region.as_mut().map_or(&mut [], Region::bytes_mut) }
    }

    /// Size of the loan in bytes.
    #[must_use]
    pub fn capacity(&self) -> usize {
        // SAFETY: a loan is the only reference to its buffer.
        unsafe { (*self.buffer).region.as_ref().map_or(0, Region::capacity) }
    }

    /// Returns whether nothing was written before or behind the bytes.
    #[must_use]
    pub fn is_within_bounds(&self) -> bool {
        // SAFETY: as above.
        !call::IS_GUARDED || unsafe { (*self.buffer).region.as_ref().is_none_or(Region::check_borders) }
    }

    /// Turns the first `len` bytes into a payload. A larger `len` is reduced to the size of the loan.
    #[must_use]
    pub fn publish(self, len: usize) -> Payload {
        let buffer = self.buffer;
        #[expect(clippy::mem_forget, reason = "the buffer lives on in the payload")]
        std::mem::forget(self);
        // Readers see the same memory at another address, which the compiler does not know.
        compiler_fence(Ordering::SeqCst);
        // SAFETY: the loan was the only reference to the buffer; from here on it is only read. The count starts at 0,
        // and the payload takes the only reference.
        unsafe {
            let region = (*buffer).region.as_ref();
            let (data, capacity) =
                region.map_or((std::ptr::null(), 0), |region| (region.readable(), region.capacity()));
            (*buffer).publish(data, len.min(capacity));
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
    /// Creates the pool of a plugin instance for a topic.
    #[must_use]
    pub fn new(owner: &str, topic: &str) -> Self {
        BufferPool { free: Mutex::default(), owner: owner.to_owned(), topic: topic.to_owned() }
    }

    /// Loans a buffer of at least `capacity` initialised bytes.
    #[must_use]
    pub fn lend(self: &Arc<Self>, capacity: usize) -> LoanedBuffer {
        let buffer = self.take();
        // SAFETY: `take` gives a buffer without other users.
        let region = unsafe { &mut (*buffer).region };
        if region.as_ref().is_none_or(|region| region.capacity() < capacity) {
            *region = Some(Region::new(capacity));
        }
        LoanedBuffer { buffer }
    }

    /// Takes a free buffer, or makes one.
    fn take(self: &Arc<Self>) -> *mut Pooled {
        let free = lock(&self.free).pop();
        let mut buffer = free.unwrap_or_else(new_buffer);
        buffer.home = Some(Arc::clone(self));
        let raw = Box::into_raw(buffer);
        // SAFETY: `raw` was just boxed; the headers point to their own buffer.
        unsafe {
            (*raw).header.ctx = raw.cast::<c_void>();
            (*raw).lent.ctx = raw.cast::<c_void>();
        }
        raw
    }

    /// Returns whether a payload is one of the host, as [`BufferPool::keep`] returns it.
    #[must_use]
    pub fn is_kept(payload: &Payload) -> bool {
        of_host(payload.as_raw()).is_some()
    }

    /// Returns a payload with the same bytes whose readers cannot release it too often, nor change it unseen.
    #[must_use]
    pub fn keep(self: &Arc<Self>, payload: Payload) -> Payload {
        let len = payload.stated_len();
        if !call::IS_GUARDED
            || of_host(payload.as_raw()).is_some()
            || payload.is_at_null()
            || len > rules::MAX_PAYLOAD
        {
            return payload;
        }
        if len <= COPIED {
            let mut loan = self.lend(len);
            // The owner of the header may change it at any time.
            let bytes = payload.get(..len).unwrap_or_default();
            if let Some(copy) = loan.bytes_mut().get_mut(..bytes.len()) {
                copy.copy_from_slice(bytes);
            }
            return loan.publish(len);
        }
        if let Some(header) = of_lent(payload.as_raw()) {
            // SAFETY: the reference keeps the buffer alive.
            return unsafe { Payload::retain(header) };
        }
        let buffer = self.take();
        // SAFETY: `take` gives a buffer without other users; the payload lives until the last reference is dropped.
        unsafe {
            let data = payload.as_ptr();
            (*buffer).foreign = Some(payload);
            (*buffer).publish(data, len);
            Payload::retain(&raw const (*buffer).header)
        }
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
        lock(&self.free).iter_mut().for_each(|buffer| buffer.region = None);
    }
}

/// Returns a payload of the host with the same bytes: [`BufferPool::keep`] with a pool of the host.
#[must_use]
pub fn kept(payload: Payload) -> Payload {
    OF_HOST.keep(payload)
}

/// Gives a reference to a payload of the host to a plugin, which releases it once.
#[must_use]
pub fn give(payload: Payload) -> *const abi::Buffer {
    let payload = kept(payload);
    // SAFETY: the payload keeps its buffer alive for this call, and the new reference after it.
    unsafe { Payload::retain(lent(&payload)) }.into_raw()
}

mod header;
#[cfg(test)]
mod tests;
