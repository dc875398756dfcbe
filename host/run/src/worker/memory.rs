//! Memory that the host and a worker share, for payloads that are too large for a socket.
//!
//! It is a file in memory with slots of a fixed size, of which only the pages that were used exist. The host writes into
//! the first slots, and the worker frees them; each lane of the worker has one of the others, which it uses again for
//! each request. The file is sealed, so that the worker cannot shrink it under the host. The worker can overwrite all of
//! it at any time: the host copies what it reads, and trusts neither content nor flags.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::sync::atomic::{AtomicU32, Ordering};

use memmap2::{MmapOptions, MmapRaw};
use rustix::fs::{FallocateFlags, MemfdFlags, SealFlags};

use super::wire::Lane;

/// Payloads of fewer bytes are sent through the socket.
pub(super) const SMALLEST: usize = 32 << 10;

/// Slots that the host writes.
pub(super) const HOST_SLOTS: usize = 8;
/// Slots of both.
const SLOTS: usize = HOST_SLOTS + Lane::ALL.len();
/// Bytes of a slot: larger payloads are sent through the socket.
pub(super) const SLOT: usize = 64 << 20;
/// Bytes before the first slot: the flags of the slots.
pub(super) const HEADER: usize = 4096;
const TOTAL: usize = HEADER + SLOTS * SLOT;

/// The shared memory, on either side.
#[derive(Debug)]
pub(super) struct SharedMemory {
    file: File,
    map: MmapRaw,
    /// Bytes of each slot that are known to exist.
    present: [AtomicU32; SLOTS],
}

/// A slot is free if its flag is 0.
const FREE: u32 = 0;
const IN_USE: u32 = 1;

impl SharedMemory {
    /// Creates the memory.
    pub(super) fn create() -> io::Result<Self> {
        let flags = MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING;
        let file = rustix::fs::memfd_create("bridgehead-worker", flags)?;
        rustix::fs::ftruncate(&file, TOTAL as u64)?;
        rustix::fs::fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::SEAL)?;
        let memory = SharedMemory::map(file)?;
        memory.reserve(0, HEADER)?;
        Ok(memory)
    }

    /// Maps the memory that another process has created.
    pub(super) fn map(file: OwnedFd) -> io::Result<Self> {
        let file = File::from(file);
        if file.metadata()?.len() != TOTAL as u64 {
            return Err(io::Error::other("the shared memory has another size"));
        }
        let map = MmapOptions::new().len(TOTAL).map_raw(&file)?;
        Ok(SharedMemory { file, map, present: Default::default() })
    }

    /// Memory to which no page can be added.
    #[cfg(test)]
    pub(super) fn full() -> Self {
        let memory = SharedMemory::create().expect("memory");
        let path = format!("/proc/self/fd/{}", memory.descriptor());
        SharedMemory { file: File::open(path).expect("the same file, read-only"), ..memory }
    }

    /// The descriptor for the worker.
    pub(super) fn descriptor(&self) -> i32 {
        self.file.as_raw_fd()
    }

    /// Makes sure that bytes of the file exist: writing to others ends the process if there is no memory left.
    fn reserve(&self, offset: usize, len: usize) -> io::Result<()> {
        rustix::fs::fallocate(self.file.as_fd(), FallocateFlags::empty(), offset as u64, len as u64)?;
        Ok(())
    }

    fn flag(&self, slot: usize) -> Option<&AtomicU32> {
        if slot >= SLOTS {
            return None;
        }
        // SAFETY: the flag is inside of the map, which lives as long as `self`, and aligned, because the map begins at a
        // page; both sides access it as an atomic only.
        Some(unsafe { AtomicU32::from_ptr(self.map.as_mut_ptr().cast::<u32>().add(slot)) })
    }

    /// The first byte of a slot.
    fn start(&self, slot: usize) -> *mut u8 {
        debug_assert!(slot < SLOTS);
        // SAFETY: the slot is inside of the map.
        unsafe { self.map.as_mut_ptr().add(HEADER + slot * SLOT) }
    }

    /// Copies bytes into a slot that nobody else uses.
    fn fill(&self, slot: usize, bytes: &[u8]) -> io::Result<()> {
        let len = u32::try_from(bytes.len()).map_err(io::Error::other)?;
        let present = self.present.get(slot).ok_or(io::ErrorKind::InvalidInput)?;
        if bytes.len() > SLOT {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        if present.load(Ordering::Relaxed) < len {
            self.reserve(HEADER + slot * SLOT, bytes.len())?;
            present.store(len, Ordering::Relaxed);
        }
        // SAFETY: the bytes fit into the slot, which exists; no reference to memory of the map is ever made.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.start(slot), bytes.len()) };
        Ok(())
    }

    /// Host: copies bytes into a free slot. Returns its number; `None` if all are in use.
    pub(super) fn lend(&self, bytes: &[u8]) -> io::Result<Option<u32>> {
        if bytes.len() > SLOT {
            return Ok(None);
        }
        for slot in 0..HOST_SLOTS {
            let Some(flag) = self.flag(slot) else { break };
            if flag.compare_exchange(FREE, IN_USE, Ordering::Acquire, Ordering::Relaxed).is_ok() {
                if let Err(error) = self.fill(slot, bytes) {
                    flag.store(FREE, Ordering::Release);
                    return Err(error);
                }
                return Ok(u32::try_from(slot).ok());
            }
        }
        Ok(None)
    }

    /// Worker: gives a slot of the host back.
    pub(super) fn give_back(&self, slot: u32) {
        if let Some(flag) = self.flag(slot as usize) {
            flag.store(FREE, Ordering::Release);
        }
    }

    /// Worker: the bytes of a slot of the host, until it is given back; `None` if there are no such bytes.
    pub(super) fn lent(&self, slot: u32, len: u64) -> Option<*const u8> {
        let is_inside = (slot as usize) < HOST_SLOTS && len <= SLOT as u64;
        is_inside.then(|| self.start(slot as usize).cast_const())
    }

    /// Worker: copies bytes into the slot of a lane. Returns its number.
    pub(super) fn put(&self, lane: Lane, bytes: &[u8]) -> io::Result<u32> {
        let slot = HOST_SLOTS + lane.number();
        self.fill(slot, bytes)?;
        u32::try_from(slot).map_err(io::Error::other)
    }

    /// Host: copies the bytes that the worker has put into the slot of a lane; `None` if that is not its slot.
    pub(super) fn copy(&self, lane: Lane, slot: u32, len: u64) -> Option<Vec<u8>> {
        let own = HOST_SLOTS + lane.number();
        let len = usize::try_from(len).ok().filter(|len| *len <= SLOT)?;
        if slot as usize != own {
            return None;
        }
        let mut bytes = Vec::with_capacity(len);
        // SAFETY: the bytes are inside of the map, which the seals keep; the worker may change them while they are copied,
        // and every bit pattern is a byte.
        unsafe {
            std::ptr::copy_nonoverlapping(self.start(own).cast_const(), bytes.as_mut_ptr(), len);
            bytes.set_len(len);
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same memory as two processes see it.
    fn both() -> (SharedMemory, SharedMemory) {
        let host = SharedMemory::create().expect("memory");
        let file = host.file.try_clone().expect("a descriptor");
        let worker = SharedMemory::map(file.into()).expect("the same memory");
        (host, worker)
    }

    #[test]
    fn payloads_pass_in_both_directions() {
        let (host, worker) = both();
        let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
        let slot = host.lend(&bytes).expect("memory").expect("a slot");
        let start = worker.lent(slot, bytes.len() as u64).expect("the bytes");
        // SAFETY: the slot has so many bytes and is not given back before.
        assert_eq!(unsafe { std::slice::from_raw_parts(start, bytes.len()) }, bytes);
        let slot = worker.put(Lane::Others, &bytes).expect("memory");
        assert_eq!(host.copy(Lane::Others, slot, bytes.len() as u64), Some(bytes));
    }

    #[test]
    fn a_slot_is_used_again_after_it_was_given_back() {
        let (host, worker) = both();
        let slots: Vec<u32> =
            (0..HOST_SLOTS).map(|_| host.lend(b"x").expect("memory").expect("a slot")).collect();
        assert_eq!(host.lend(b"x").expect("memory"), None);
        worker.give_back(slots[3]);
        assert_eq!(host.lend(b"y").expect("memory"), Some(slots[3]));
    }

    #[test]
    fn numbers_that_the_worker_invents_give_nothing() {
        let (host, worker) = both();
        let own = worker.put(Lane::Main, b"abc").expect("memory");
        assert_eq!(host.copy(Lane::Transmit, own, 3), None, "the slot of another lane");
        assert_eq!(host.copy(Lane::Main, 0, 3), None, "a slot of the host");
        assert_eq!(host.copy(Lane::Main, own, u64::MAX), None);
        assert_eq!(worker.lent(own, 1), None, "a slot of the worker");
        worker.give_back(u32::MAX);
    }

    #[test]
    fn a_worker_cannot_shrink_the_memory() {
        let (_host, worker) = both();
        assert!(rustix::fs::ftruncate(&worker.file, 0).is_err());
    }
}
