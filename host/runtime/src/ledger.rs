//! What the process of a run leaves for its supervisor, in memory that both share: the step, the calls that are running, and
//! how it ends.
//!
//! Any thread may write. Handlers of signals may write too: nothing here allocates or locks.

mod calls;

use std::ffi::c_int;
use std::io;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use self::calls::Calls;
pub use self::calls::{Name, StepCall, end_thread, enter, enter_step, leave, leave_step};

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
    calls: Calls,
}

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
    calls: Calls::none(),
};

/// The ledger of this process; null for its own.
static SHARED: AtomicPtr<Ledger> = AtomicPtr::new(null_mut());

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
        self.calls.running()
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
}
