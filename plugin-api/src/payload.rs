//! Payloads: immutable bytes with a reference count that crosses the boundary.

use std::ffi::c_void;
use std::ops::Deref;
use std::sync::atomic::{AtomicUsize, Ordering};

use bridgehead_abi as abi;

/// One reference to an immutable payload, in memory of the host or of a plugin. Dropping it releases the reference.
pub struct Payload {
    raw: *const abi::Buffer,
}

// SAFETY: a buffer is immutable, and its retain and release may be called from any thread.
unsafe impl Send for Payload {}
// SAFETY: as above.
unsafe impl Sync for Payload {}

impl Payload {
    /// Wraps bytes of this library for use by others.
    #[must_use]
    pub fn from_vec(bytes: Vec<u8>) -> Self {
        let owned = Box::new(Owned { header: empty_header(), references: AtomicUsize::new(1), bytes });
        let raw = Box::into_raw(owned);
        // SAFETY: `raw` was just boxed and nobody else knows it.
        unsafe {
            (*raw).header.data = (*raw).bytes.as_ptr();
            (*raw).header.len = (*raw).bytes.len();
            (*raw).header.ctx = raw.cast::<c_void>();
            Payload { raw: &raw const (*raw).header }
        }
    }

    /// Takes a further reference to a buffer that someone else holds.
    ///
    /// # Safety
    /// `raw` must point at a live buffer.
    #[must_use]
    #[inline]
    pub unsafe fn retain(raw: *const abi::Buffer) -> Self {
        // SAFETY: the caller vouches for the buffer.
        unsafe { ((*raw).retain)(raw) };
        Payload { raw }
    }

    /// Takes over a reference that someone else held.
    ///
    /// # Safety
    /// `raw` must point at a live buffer, and one reference to it be given away with it.
    #[must_use]
    pub unsafe fn from_raw(raw: *const abi::Buffer) -> Self {
        Payload { raw }
    }

    /// Gives this reference away: the receiver of the pointer releases it once.
    #[must_use]
    pub fn into_raw(self) -> *const abi::Buffer {
        std::mem::ManuallyDrop::new(self).raw
    }

    /// Returns the size in bytes that the owner of the buffer states. The bytes are not read, so that the host can check
    /// the size first.
    #[must_use]
    #[inline]
    pub fn stated_len(&self) -> usize {
        // SAFETY: this reference keeps the header alive.
        unsafe { (*self.raw).len }
    }

    /// Returns true if the owner of the buffer states bytes and no address: they must not be read.
    #[must_use]
    #[inline]
    pub fn is_at_null(&self) -> bool {
        // SAFETY: this reference keeps the header alive.
        unsafe { (*self.raw).data.is_null() && (*self.raw).len > 0 }
    }

    /// The buffer, for passing on; valid as long as this reference.
    #[must_use]
    pub fn as_raw(&self) -> *const abi::Buffer {
        self.raw
    }
}

impl Clone for Payload {
    fn clone(&self) -> Self {
        // SAFETY: this reference keeps the buffer alive.
        unsafe { Payload::retain(self.raw) }
    }
}

impl Drop for Payload {
    fn drop(&mut self) {
        // SAFETY: this reference is given back exactly once.
        unsafe { ((*self.raw).release)(self.raw) }
    }
}

impl Deref for Payload {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: the buffer is alive and immutable as long as this reference.
        unsafe { abi::Bytes { ptr: (*self.raw).data, len: (*self.raw).len }.as_slice() }
    }
}

impl std::fmt::Debug for Payload {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Payload({} bytes)", self.len())
    }
}

/// A payload in memory of this library. The header comes first, so that both have one address.
#[repr(C)]
struct Owned {
    header: abi::Buffer,
    references: AtomicUsize,
    bytes: Vec<u8>,
}

fn empty_header() -> abi::Buffer {
    abi::Buffer {
        struct_size: abi::Buffer::SIZE,
        reserved: 0,
        data: std::ptr::null(),
        len: 0,
        ctx: std::ptr::null_mut(),
        retain: retain_owned,
        release: release_owned,
    }
}

unsafe extern "C" fn retain_owned(buffer: *const abi::Buffer) {
    // SAFETY: `ctx` is the `Owned` that made this buffer, alive while anyone holds a reference.
    let owned = unsafe { &*(*buffer).ctx.cast::<Owned>() };
    owned.references.fetch_add(1, Ordering::Relaxed);
}

unsafe extern "C" fn release_owned(buffer: *const abi::Buffer) {
    // SAFETY: as in `retain_owned`.
    let owned = unsafe { (*buffer).ctx.cast::<Owned>() };
    // SAFETY: as above; the count orders all uses of the bytes before the last release.
    if unsafe { (*owned).references.fetch_sub(1, Ordering::AcqRel) } == 1 {
        // SAFETY: this was the last reference to what `from_vec` boxed.
        drop(unsafe { Box::from_raw(owned) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_payload_lives_until_its_last_reference() {
        let first = Payload::from_vec(vec![1, 2, 3]);
        let second = first.clone();
        drop(first);
        assert_eq!(&*second, &[1, 2, 3]);
        let third = std::thread::scope(|scope| scope.spawn(|| second.clone()).join().expect("thread"));
        drop(second);
        assert_eq!(third.len(), 3);
    }

    #[test]
    fn a_reference_is_given_away_and_taken_over_as_it_is() {
        let kept = Payload::from_vec(vec![4, 5]);
        let raw = kept.clone().into_raw();
        drop(kept);
        // SAFETY: `raw` is the reference that was given away.
        assert_eq!(&*unsafe { Payload::from_raw(raw) }, &[4, 5]);
    }

    #[test]
    fn an_empty_payload_is_an_empty_slice() {
        assert!(Payload::from_vec(Vec::new()).is_empty());
    }
}
