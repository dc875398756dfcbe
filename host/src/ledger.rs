//! What the process of a run leaves for its supervisor, in memory that both share: the step, the calls that are running, and
//! how it ends.
//!
//! Any thread may write; a thread describes its calls in a slot of its own, which only the supervisor reads, when there is
//! no thread any more. Handlers of signals may write too: nothing here allocates or locks.

use std::cell::{Cell, UnsafeCell};
use std::ffi::c_int;
use std::io;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Threads whose calls are known; more than a run has.
const SLOTS: usize = 512;
/// Bytes of the label of a plugin, or of the name of a thread; longer ones are cut.
const OWNER: usize = 100;
/// Bytes of the name of a call.
const NAME: usize = 24;
/// Bytes of the last words.
const WORDS: usize = 512;

/// How the host says that it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With this exit code.
    Exit(u8),
    /// By this signal, after its report.
    Signal(c_int),
}

/// Whether the host has written its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultFile {
    /// It has not tried.
    None,
    /// It has.
    Written,
    /// It could not.
    Unwritten,
}

const EXIT: u32 = 0x100;
const SIGNAL: u32 = 0x200;

/// The shared memory; all zeros at first.
#[derive(Debug)]
pub struct Ledger {
    step: AtomicU64,
    time_ns: AtomicI64,
    ending: AtomicU32,
    result: AtomicU8,
    /// Not 0 once signals are handled. A plugin may have written anything here, so no value is invalid.
    takes_signals: AtomicU8,
    /// Not 0 once a signal that ends a run was handled.
    has_signal: AtomicU8,
    words_len: AtomicUsize,
    words: [AtomicU8; WORDS],
    slots: [Slot; SLOTS],
}

/// The call that a thread makes.
#[derive(Debug)]
struct Slot {
    is_taken: AtomicU8,
    /// Lengths of the texts; 0 outside of calls.
    owner_len: AtomicU8,
    name_len: AtomicU8,
    owner: UnsafeCell<[u8; OWNER]>,
    name: UnsafeCell<[u8; NAME]>,
}

// SAFETY: only the thread that has taken a slot writes to its texts, and only the supervisor reads them, when the process
// with that thread has ended.
#[expect(unsafe_code, reason = "atomic bytes would be written one by one")]
unsafe impl Sync for Slot {}

/// The ledger without a supervisor.
static OWN: Ledger = Ledger {
    step: AtomicU64::new(0),
    time_ns: AtomicI64::new(0),
    ending: AtomicU32::new(0),
    result: AtomicU8::new(0),
    takes_signals: AtomicU8::new(0),
    has_signal: AtomicU8::new(0),
    words_len: AtomicUsize::new(0),
    words: [const { AtomicU8::new(0) }; WORDS],
    slots: [const {
        Slot {
            is_taken: AtomicU8::new(0),
            owner_len: AtomicU8::new(0),
            name_len: AtomicU8::new(0),
            owner: UnsafeCell::new([0; OWNER]),
            name: UnsafeCell::new([0; NAME]),
        }
    }; SLOTS],
};

/// The ledger of this process; null for its own.
static SHARED: AtomicPtr<Ledger> = AtomicPtr::new(null_mut());

thread_local! {
    /// The slot of this thread. Without a destructor, because handlers of signals run while threads end.
    static SLOT: Cell<Option<&'static Slot>> = const { Cell::new(None) };
}

/// Uses this ledger from now on.
pub fn share(ledger: &'static Ledger) {
    SHARED.store(std::ptr::from_ref(ledger).cast_mut(), Ordering::Release);
}

#[expect(unsafe_code, reason = "the ledger is behind a pointer")]
fn ledger() -> &'static Ledger {
    // SAFETY: the pointer is null or from a static reference.
    NonNull::new(SHARED.load(Ordering::Acquire)).map_or(&OWN, |ledger| unsafe { ledger.as_ref() })
}

/// Says how the process ends. The last one counts: whoever was there before may have repaired a fault.
pub fn set_ending(ending: Ending) {
    let value = match ending {
        Ending::Exit(code) => EXIT | u32::from(code),
        Ending::Signal(signal) => SIGNAL | (u32::try_from(signal).unwrap_or(0) & 0xff),
    };
    ledger().ending.store(value, Ordering::Release);
}

/// Says why, for the result if this process cannot write it.
pub fn set_words(text: &[u8]) {
    let ledger = ledger();
    let len = ledger.words.iter().zip(text).map(|(to, from)| to.store(*from, Ordering::Relaxed)).count();
    ledger.words_len.store(len, Ordering::Release);
}

/// Says whether the result was written.
pub fn set_result(result: ResultFile) {
    ledger().result.store(result as u8, Ordering::Release);
}

/// Says that signals are handled.
pub fn set_takes_signals() {
    ledger().takes_signals.store(1, Ordering::Release);
}

/// Says that a signal has arrived.
pub fn set_signal() {
    ledger().has_signal.store(1, Ordering::Release);
}

/// Says how many steps were taken, and the simulated time.
pub fn set_step(step: u64, time_ns: i64) {
    let ledger = ledger();
    ledger.step.store(step, Ordering::Relaxed);
    ledger.time_ns.store(time_ns, Ordering::Relaxed);
}

/// Describes the call that this thread makes now.
#[inline]
pub fn enter(owner: &str, name: &str) {
    if let Some(slot) = SLOT.get().or_else(take_slot) {
        slot.write(owner, name);
    }
}

/// Says that this thread makes no call.
#[inline]
pub fn leave() {
    if let Some(slot) = SLOT.get() {
        slot.owner_len.store(0, Ordering::Release);
    }
}

/// Gives the slot of this thread back, which is about to end.
pub fn end_thread() {
    if let Some(slot) = SLOT.take() {
        slot.owner_len.store(0, Ordering::Release);
        slot.is_taken.store(0, Ordering::Release);
    }
}

#[cold]
fn take_slot() -> Option<&'static Slot> {
    let free = |slot: &&Slot| slot.is_taken.swap(1, Ordering::AcqRel) == 0;
    let slot = ledger().slots.iter().find(free);
    SLOT.set(slot);
    slot
}

impl Slot {
    #[inline]
    fn write(&self, owner: &str, name: &str) {
        self.owner_len.store(0, Ordering::Release);
        self.name_len.store(copy(name, &self.name), Ordering::Relaxed);
        self.owner_len.store(copy(owner, &self.owner), Ordering::Release);
    }

    /// `sample` of plugin `car1/imu`; `None` outside of calls to plugins.
    #[expect(unsafe_code, reason = "the texts are in shared memory")]
    fn call(&self) -> Option<String> {
        let (owner, name) = (self.owner_len.load(Ordering::Acquire), self.name_len.load(Ordering::Relaxed));
        // SAFETY: the writer has ended.
        let (owners, names) = unsafe { (&*self.owner.get(), &*self.name.get()) };
        let owner = String::from_utf8_lossy(owners.get(..owner.into())?);
        let name = String::from_utf8_lossy(names.get(..name.into())?);
        (!owner.is_empty() && !name.is_empty()).then(|| format!("`{name}` of plugin `{owner}`"))
    }
}

/// Copies as much of a text as there is room for; returns the number of bytes.
#[inline]
#[expect(unsafe_code, reason = "the texts are in shared memory")]
fn copy<const N: usize>(from: &str, to: &UnsafeCell<[u8; N]>) -> u8 {
    let len = from.len().min(N);
    // SAFETY: only this thread writes to its slot, `len` bytes are in both texts.
    unsafe { std::ptr::copy_nonoverlapping(from.as_ptr(), to.get().cast(), len) };
    u8::try_from(len).unwrap_or(0)
}

impl Ledger {
    /// Allocates a ledger that a forked process shares with this one.
    ///
    /// # Errors
    /// Returns an error if there is no memory.
    #[expect(unsafe_code, reason = "std has no shared memory")]
    pub fn shared() -> io::Result<&'static Ledger> {
        let (len, access) = (size_of::<Ledger>(), libc::PROT_READ | libc::PROT_WRITE);
        // SAFETY: new memory of zeros, which is a valid ledger, is aligned to a page, and stays until the process ends.
        unsafe {
            let memory = libc::mmap(null_mut(), len, access, libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1, 0);
            if memory == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            Ok(&*memory.cast())
        }
    }

    /// Returns the last step.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step.load(Ordering::Relaxed)
    }

    /// Returns the simulated time, ns.
    #[must_use]
    pub fn time_ns(&self) -> i64 {
        self.time_ns.load(Ordering::Relaxed)
    }

    /// Returns how the process has said that it ends.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let value = self.ending.load(Ordering::Acquire);
        let number = u8::try_from(value & 0xff).unwrap_or_default();
        match value & !0xff {
            EXIT => Some(Ending::Exit(number)),
            SIGNAL => Some(Ending::Signal(number.into())),
            _ => None,
        }
    }

    /// Returns whether the result was written.
    #[must_use]
    pub fn result(&self) -> ResultFile {
        match self.result.load(Ordering::Acquire) {
            1 => ResultFile::Written,
            2 => ResultFile::Unwritten,
            _ => ResultFile::None,
        }
    }

    /// Returns true once signals are handled.
    #[must_use]
    pub fn takes_signals(&self) -> bool {
        self.takes_signals.load(Ordering::Acquire) != 0
    }

    /// Returns true once a signal that ends a run was handled.
    #[must_use]
    pub fn has_signal(&self) -> bool {
        self.has_signal.load(Ordering::Acquire) != 0
    }

    /// Returns why the process ends.
    #[must_use]
    pub fn words(&self) -> String {
        let words = self.words.iter().take(self.words_len.load(Ordering::Acquire));
        let bytes: Vec<u8> = words.map(|byte| byte.load(Ordering::Relaxed)).collect();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Returns the calls to plugins that were running. Only after the process has ended.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        self.slots.iter().filter_map(Slot::call).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_of_zeros_says_nothing() {
        let ledger = Ledger::shared().expect("memory");
        assert_eq!((ledger.ending(), ledger.result(), ledger.step()), (None, ResultFile::None, 0));
        assert!(ledger.words().is_empty() && ledger.calls().is_empty());
    }

    #[test]
    fn long_names_are_cut() {
        let slot = &Ledger::shared().expect("memory").slots[0];
        slot.write(&"x".repeat(300), "sample");
        assert_eq!(slot.call(), Some(format!("`sample` of plugin `{}`", "x".repeat(OWNER))));
    }

    #[test]
    fn lengths_that_were_overwritten_are_harmless() {
        let slot = &Ledger::shared().expect("memory").slots[0];
        slot.owner_len.store(u8::MAX, Ordering::Relaxed);
        slot.name_len.store(u8::MAX, Ordering::Relaxed);
        assert_eq!(slot.call(), None);
    }
}
