//! Leases: whether the object of the host behind a handle still exists.
//!
//! The host frees the object of an instance once `destroy` has returned, and a sink once its endpoint is destroyed.
//! Safe code may keep a handle for longer, in a static or in a thread of its own. Each handle therefore carries a lease
//! and enters it for the time of a call. Closing a lease makes later entries fail and waits for the calls that have
//! entered, so no call meets freed memory.
//!
//! A lease is `Copy`, like the handles. Its counter is a slot that is used again for later leases, told apart by a
//! generation: the slots of a process are as many as the leases that were open at the same time.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Counts the calls that have entered, in the lower half; the generation is in the upper half.
#[derive(Debug)]
struct Slot(AtomicU64);

/// Adds one to the generation.
const NEXT_GENERATION: u64 = 1 << 32;

/// Slots without an open lease.
static FREE: Mutex<Vec<&'static Slot>> = Mutex::new(Vec::new());

/// The slot of everything that lives as long as the process.
static FOREVER: Slot = Slot(AtomicU64::new(0));

/// How often `close` yields before it sleeps.
const YIELDS: u32 = 64;
/// How long it sleeps between two looks.
const PAUSE: Duration = Duration::from_millis(1);

/// A claim on one object of the host.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lease {
    slot: &'static Slot,
    generation: u32,
}

/// A call that has entered a lease. The object exists as long as this value.
#[derive(Debug)]
#[must_use]
pub(crate) struct Entered(#[expect(dead_code, reason = "dropped at the end of the call")] Option<Entry>);

/// An entry that its slot counts.
#[derive(Debug)]
struct Entry(&'static Slot);

impl Drop for Entry {
    fn drop(&mut self) {
        self.0.0.fetch_sub(1, Ordering::Release);
    }
}

fn generation_of(state: u64) -> u32 {
    // The upper half fits.
    u32::try_from(state >> 32).unwrap_or(u32::MAX)
}

fn entries_of(state: u64) -> u64 {
    state & (NEXT_GENERATION - 1)
}

impl Lease {
    /// A lease that is never closed, for what lives as long as the process.
    pub(crate) fn forever() -> Self {
        Lease { slot: &FOREVER, generation: 0 }
    }

    /// Opens a lease.
    pub(crate) fn open() -> Self {
        let free = FREE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let slot = free.unwrap_or_else(|| Box::leak(Box::new(Slot(AtomicU64::new(0)))));
        let before = slot.0.fetch_add(NEXT_GENERATION, Ordering::AcqRel);
        Lease { slot, generation: generation_of(before) + 1 }
    }

    /// Enters the lease for a call; `None` if it is closed.
    pub(crate) fn enter(self) -> Option<Entered> {
        let entry = Entry(self.slot);
        let before = self.slot.0.fetch_add(1, Ordering::Acquire);
        (generation_of(before) == self.generation).then_some(Entered(Some(entry)))
    }

    /// Vouches for a call that the host cannot outlive: it is made within a call of the host on the same object.
    pub(crate) fn within_call() -> Entered {
        Entered(None)
    }

    /// Whether both are leases of one object.
    pub(crate) fn is(self, other: Lease) -> bool {
        std::ptr::eq(self.slot, other.slot) && self.generation == other.generation
    }

    /// Closes the lease and waits until every call that has entered is over. To be called once, by the code that
    /// opened it, on a thread that has not entered it.
    pub(crate) fn close(self) {
        self.slot.0.fetch_add(NEXT_GENERATION, Ordering::AcqRel);
        let mut looks = 0;
        while entries_of(self.slot.0.load(Ordering::Acquire)) != 0 {
            if looks < YIELDS {
                looks += 1;
                std::thread::yield_now();
            } else {
                std::thread::sleep(PAUSE);
            }
        }
        // A slot whose generations are used up is not used again: an old lease must never look open.
        if self.generation < u32::MAX - 2 {
            FREE.lock().unwrap_or_else(PoisonError::into_inner).push(self.slot);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn a_closed_lease_is_not_entered() {
        let lease = Lease::open();
        let copy = lease;
        assert!(copy.enter().is_some());
        lease.close();
        assert!(copy.enter().is_none());
        assert!(Lease::forever().enter().is_some());
    }

    #[test]
    fn an_old_lease_does_not_enter_the_next_one_of_its_slot() {
        let leases: Vec<Lease> = (0..100).map(|_| Lease::open()).collect();
        leases.iter().for_each(|lease| lease.close());
        let later: Vec<Lease> = (0..100).map(|_| Lease::open()).collect();
        assert!(leases.iter().all(|old| old.enter().is_none() && !later.iter().any(|new| new.is(*old))));
        later.iter().for_each(|lease| lease.close());
    }

    #[test]
    fn closing_waits_for_the_calls_that_have_entered() {
        let lease = Lease::open();
        let entered = lease.enter().expect("open");
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let closing = scope.spawn(|| {
                lease.close();
                is_over.load(Ordering::Relaxed)
            });
            while lease.enter().is_some() {
                std::thread::yield_now();
            }
            is_over.store(true, Ordering::Relaxed);
            drop(entered);
            assert!(closing.join().expect("closed"), "the lease was closed before the call was over");
        });
    }
}
