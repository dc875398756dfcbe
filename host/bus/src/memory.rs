//! Memory for payloads, mapped twice: at one address for the publisher that fills it, at another, which cannot be
//! written, for everyone who reads it. A reader that writes into a payload crashes in its own call, and the message of all
//! others stays as it was published.
//!
//! Small regions share mappings; between them lie borders, which show that a publisher has written too far. Behind each
//! mapping lies a page that cannot be written. Usable from any thread.

use std::alloc::{Layout, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::{NonNull, null_mut};
use std::sync::Mutex;

use rustix::mm::{
    Advice, MapFlags, MprotectFlags, MremapFlags, ProtFlags, madvise, mmap_anonymous, mprotect, mremap,
    munmap,
};
use rustix::param::page_size;

use bridgehead_runtime::thread::lock;

/// Bytes of the regions that share mappings, borders included. Larger ones have mappings of their own.
const SLOTS: [usize; 5] = [256, 1 << 10, 4 << 10, 16 << 10, 64 << 10];

/// Bytes of a shared mapping: Linux allows a process some 65,000 mappings.
const SHARED: usize = 256 << 10;

/// Bytes before and behind those of a region.
const BORDER: usize = 16;

/// What lies in the borders. glibc reads the second half of the front one as the size of a block, if a plugin calls `free`
/// with the address of a region, and aborts the call: no block has this size.
const BORDER_BYTES: [u8; BORDER] =
    [0xb0, 0x8d, 0xe8, 0x5e, 0x81, 0x1d, 0x6e, 0xad, 0xf1, 0xff, 0xad, 0xbe, 0xff, 0xff, 0xff, 0xff];

/// Free slots of the shared mappings, by size. They are used again and never unmapped.
static FREE: Mutex<[Vec<Place>; SLOTS.len()]> = Mutex::new([const { Vec::new() }; SLOTS.len()]);

/// The two addresses of the same memory.
#[derive(Clone, Copy)]
struct Place {
    write: NonNull<u8>,
    read: NonNull<u8>,
}

// SAFETY: the addresses of memory that no thread owns.
unsafe impl Send for Place {}

/// Where the memory of a region is from.
#[derive(Clone, Copy)]
enum Origin {
    /// A slot of a shared mapping.
    Shared,
    /// A mapping of its own.
    Own,
    /// The heap, because the system allows no further mapping: readers can write into it.
    Heap,
}

/// Memory for one payload. Its bytes are initialised; what they are is not defined.
pub(super) struct Region {
    place: Place,
    /// Borders included.
    len: usize,
    origin: Origin,
}

impl Region {
    /// Returns memory for at least `capacity` bytes.
    pub(super) fn new(capacity: usize) -> Self {
        let needed = capacity + 2 * BORDER;
        let slot = SLOTS.iter().position(|slot| *slot >= needed);
        let found = match slot {
            Some(slot) => shared(slot).map(|place| (place, SLOTS[slot], Origin::Shared)),
            None => {
                let len = needed.next_power_of_two();
                map(len).map(|place| (place, len, Origin::Own))
            }
        };
        let (place, len, origin) = found.unwrap_or_else(|| (on_heap(needed), needed, Origin::Heap));
        let region = Region { place, len, origin };
        region.set_borders();
        region
    }

    /// Returns the bytes between the borders.
    pub(super) fn capacity(&self) -> usize {
        self.len - 2 * BORDER
    }

    /// Returns the bytes for the publisher.
    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: the bytes exist and are initialised; the region is borrowed.
        unsafe { std::slice::from_raw_parts_mut(self.place.write.as_ptr().add(BORDER), self.capacity()) }
    }

    /// Returns the address of the bytes for readers.
    pub(super) fn readable(&self) -> *const u8 {
        // SAFETY: the bytes begin behind the border.
        unsafe { self.place.read.as_ptr().add(BORDER).cast_const() }
    }

    /// Returns whether nothing was written before or behind the bytes since the last call, and repairs the borders.
    pub(super) fn check_borders(&self) -> bool {
        // SAFETY: both borders are inside of the region, whose owner calls this.
        let is_whole = unsafe {
            let border =
                |offset: usize| self.place.write.as_ptr().add(offset).cast::<[u8; BORDER]>().read_unaligned();
            border(0) == BORDER_BYTES && border(self.len - BORDER) == BORDER_BYTES
        };
        if !is_whole {
            self.set_borders();
        }
        is_whole
    }

    fn set_borders(&self) {
        for offset in [0, self.len - BORDER] {
            // SAFETY: both borders are inside of the region.
            unsafe {
                self.place.write.as_ptr().add(offset).cast::<[u8; BORDER]>().write_unaligned(BORDER_BYTES)
            };
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        match self.origin {
            Origin::Shared => {
                if let Some(slot) = SLOTS.iter().position(|slot| *slot == self.len) {
                    lock(&FREE)[slot].push(self.place);
                }
            }
            // SAFETY: `map` has made it with this size, and nobody uses it any more.
            Origin::Own => unsafe { unmap(self.place, self.len) },
            // SAFETY: as above, by `on_heap`.
            Origin::Heap => unsafe { dealloc(self.place.write.as_ptr(), heap_layout(self.len)) },
        }
    }
}

/// Takes a free slot of a size, if need be of a new mapping.
fn shared(slot: usize) -> Option<Place> {
    let mut free = lock(&FREE);
    if let Some(place) = free[slot].pop() {
        return Some(place);
    }
    let start = map(SHARED)?;
    let parts = (0..SHARED).step_by(SLOTS[slot]).map(|offset| {
        // SAFETY: the slots are inside of both mappings.
        unsafe { Place { write: start.write.add(offset), read: start.read.add(offset) } }
    });
    free[slot].extend(parts.rev());
    free[slot].pop()
}

/// Maps new memory twice, with a page behind the writable bytes that cannot be written. A forked child has neither.
fn map(len: usize) -> Option<Place> {
    let guard = page_size();
    // SAFETY: all are calls on the new mappings only. A mapping of length 0 that is moved stays, and is mapped a second
    // time, because it is shared.
    unsafe {
        let both = ProtFlags::READ | ProtFlags::WRITE;
        let write = mmap_anonymous(null_mut(), len + guard, both, MapFlags::SHARED).ok()?;
        let Ok(read) = mremap(write, 0, len, MremapFlags::MAYMOVE) else {
            unmap_part(write.cast(), len + guard);
            return None;
        };
        let is_protected = mprotect(read, len, MprotectFlags::READ)
            .and_then(|()| mprotect(write.byte_add(len), guard, MprotectFlags::empty()))
            .and_then(|()| madvise(write, len + guard, Advice::LinuxDontFork))
            .and_then(|()| madvise(read, len, Advice::LinuxDontFork));
        let place = Place { write: NonNull::new(write.cast())?, read: NonNull::new(read.cast())? };
        if is_protected.is_err() {
            unmap(place, len);
            return None;
        }
        Some(place)
    }
}

/// # Safety
/// `map` must have made the place with this length, and nobody use it.
unsafe fn unmap(place: Place, len: usize) {
    // SAFETY: the caller vouches for it.
    unsafe {
        unmap_part(place.write.as_ptr(), len + page_size());
        unmap_part(place.read.as_ptr(), len);
    }
}

/// # Safety
/// `map` must have made the part, and nobody use it.
unsafe fn unmap_part(start: *mut u8, len: usize) {
    // SAFETY: the caller vouches for it.
    if let Err(error) = unsafe { munmap(start.cast(), len) } {
        log::debug!("{len} bytes of payload memory stay mapped: {error}");
    }
}

fn heap_layout(len: usize) -> Layout {
    Layout::from_size_align(len, BORDER).unwrap_or(Layout::new::<[u8; BORDER]>())
}

fn on_heap(len: usize) -> Place {
    let layout = heap_layout(len);
    // SAFETY: the size is not zero, because of the borders.
    let bytes = NonNull::new(unsafe { alloc_zeroed(layout) }).unwrap_or_else(|| handle_alloc_error(layout));
    Place { write: bytes, read: bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_of_all_sizes_are_read_at_another_address_than_they_are_written() {
        for capacity in [0, 1, 224, 225, 4064, 65_504, 65_505, 3_000_000] {
            let mut region = Region::new(capacity);
            assert!(region.capacity() >= capacity, "{capacity}");
            region.bytes_mut().fill(7);
            assert_ne!(region.bytes_mut().as_ptr(), region.readable(), "{capacity}");
            // SAFETY: the bytes are alive, and nobody writes them.
            let read = unsafe { std::slice::from_raw_parts(region.readable(), region.capacity()) };
            assert!(read.iter().all(|byte| *byte == 7), "{capacity}");
            assert!(region.check_borders(), "{capacity}");
            assert_eq!(region.readable().align_offset(BORDER), 0, "{capacity}");
        }
    }

    #[test]
    fn a_byte_before_or_behind_a_region_is_found_once() {
        for (capacity, offset) in [(100, -1_isize), (100, 224), (100_000, -16), (100_000, (1 << 17) - 32)] {
            let mut region = Region::new(capacity);
            let bytes = region.bytes_mut().as_mut_ptr();
            // SAFETY: the byte is in a border.
            unsafe { bytes.offset(offset).write(0) };
            assert!(!region.check_borders(), "{capacity} {offset}");
            assert!(region.check_borders(), "{capacity} {offset}");
        }
    }

    /// Writes at an address in a child; returns the signal that ends it.
    fn signal_of_write(address: *mut u8) -> i32 {
        // SAFETY: the child writes one byte and ends; it allocates nothing.
        unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::signal(libc::SIGSEGV, libc::SIG_DFL);
                address.write_volatile(1);
                libc::_exit(0);
            }
            let mut status = 0;
            assert_eq!(libc::waitpid(child, &raw mut status, 0), child);
            if libc::WIFSIGNALED(status) { libc::WTERMSIG(status) } else { 0 }
        }
    }

    #[test]
    fn what_readers_get_cannot_be_written_and_no_child_has_it() {
        let mut region = Region::new(100);
        assert_eq!(signal_of_write(region.readable().cast_mut()), libc::SIGSEGV);
        assert_eq!(signal_of_write(region.bytes_mut().as_mut_ptr()), libc::SIGSEGV, "a child has no loans");
        // The kernel refuses to read into memory that cannot be written, and ends nobody.
        let zero = std::fs::File::open("/dev/zero").expect("the device");
        let into = |address: *mut u8| {
            // SAFETY: the kernel writes the byte, or refuses it.
            unsafe { libc::read(std::os::fd::AsRawFd::as_raw_fd(&zero), address.cast(), 1) }
        };
        assert_eq!(into(region.readable().cast_mut()), -1);
        assert_eq!(into(region.bytes_mut().as_mut_ptr()), 1);
        let mut large = Region::new(100_000);
        let capacity = large.capacity();
        // SAFETY: the address is that of the page behind the region.
        let behind = unsafe { large.bytes_mut().as_mut_ptr().add(capacity + BORDER) };
        assert_eq!(into(behind), -1, "the page behind the loan");
    }

    #[test]
    fn a_slot_is_used_again() {
        let region = Region::new(60_000);
        let before = region.readable();
        drop(region);
        let free = lock(&FREE)[SLOTS.len() - 1]
            .iter()
            .any(|place| place.read.as_ptr().cast_const() == before.wrapping_sub(BORDER));
        assert!(free || Region::new(60_000).readable() == before);
    }
}
