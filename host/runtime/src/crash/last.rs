//! Writes the result of a run whose process crashes.
//!
//! A signal handler may neither allocate nor lock, so a thread of its own writes the result while the crashing thread waits
//! in its handler. If that takes too long, because the crashing thread holds a lock or has destroyed the memory, the process
//! ends without a result.

use std::mem::ManuallyDrop;
use std::os::fd::IntoRawFd as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, AtomicU8, AtomicU32, AtomicUsize, Ordering};
use std::time::Duration;

use rustix::thread::{Timespec, gettid, nanosleep};

use super::{LINE, Line, take_hook};
use crate::thread::spawn;

/// How often the crashing thread looks whether the result is written, and how many times.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 5_000_000 };
const LOOKS: u32 = 600;

/// How long the crashing thread may take to end the process once the result is written: it may write a core dump.
const GRACE: Duration = Duration::from_secs(10);

const IDLE: u32 = 0;
const WRITING: u32 = 1;
const DONE: u32 = 2;

// A handler of signals gets no arguments, so it uses globals.

static STATE: AtomicU32 = AtomicU32::new(IDLE);
/// The pipe on which the thread waits; -1 before it exists.
static WAKE: AtomicI32 = AtomicI32::new(-1);
/// Id of the thread that writes.
static WRITER: AtomicI32 = AtomicI32::new(0);
static SIGNAL: AtomicU8 = AtomicU8::new(0);
static TEXT: [AtomicU8; LINE] = [const { AtomicU8::new(0) }; LINE];
static TEXT_LEN: AtomicUsize = AtomicUsize::new(0);

/// Starts the thread. Without it, a crash leaves no result.
pub(super) fn prepare() {
    let Ok((wait, wake)) = std::io::pipe() else { return };
    let started = spawn("crash", move || {
        WRITER.store(this_thread(), Ordering::Release);
        // A plugin may close the pipe, and its number may then lead elsewhere: it is not closed a second time.
        let mut wait = ManuallyDrop::new(wait);
        if std::io::Read::read_exact(&mut *wait, &mut [0]).is_ok() {
            write();
            STATE.store(DONE, Ordering::Release);
        }
    });
    if started.is_ok() {
        // Open until the process ends.
        WAKE.store(wake.into_raw_fd(), Ordering::Release);
    }
}

fn this_thread() -> i32 {
    gettid().as_raw_nonzero().get()
}

/// Writes the result with the text that the handler has left.
fn write() {
    let len = TEXT_LEN.load(Ordering::Acquire);
    let mut line = Line::new();
    for byte in TEXT.iter().take(len) {
        line.add_byte(byte.load(Ordering::Relaxed));
    }
    // The exit code that a shell gives to a process that a signal has ended.
    let exit_code = 128_u8.saturating_add(SIGNAL.load(Ordering::Relaxed));
    if let Some(hook) = take_hook() {
        // A panic would leave the crashing thread waiting.
        drop(catch_unwind(AssertUnwindSafe(|| hook(line.finding(), exit_code))));
    }
}

/// Lets the result be written, and waits for it. For handlers of signals, on any thread.
pub(super) fn write_result(line: &Line, signal: i32) {
    if this_thread() == WRITER.load(Ordering::Acquire) {
        // There will be no result.
        STATE.store(DONE, Ordering::Release);
        return;
    }
    let wake = WAKE.load(Ordering::Acquire);
    if wake < 0 {
        return;
    }
    if STATE.compare_exchange(IDLE, WRITING, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        for (to, from) in TEXT.iter().zip(line.bytes()) {
            to.store(*from, Ordering::Relaxed);
        }
        SIGNAL.store(u8::try_from(signal).unwrap_or(0), Ordering::Relaxed);
        TEXT_LEN.store(line.bytes().len(), Ordering::Release);
        // SAFETY: writes one byte to a pipe that is never closed.
        unsafe { libc::write(wake, [0_u8].as_ptr().cast(), 1) };
    }
    await_result();
}

/// Waits until the result of a crash is written, if there is a crash. For any thread that would go on as if there were none.
pub(super) fn await_result() {
    for _ in 0..LOOKS {
        if STATE.load(Ordering::Acquire) != WRITING {
            return;
        }
        _ = nanosleep(&LOOK);
    }
}

/// Keeps this thread from ending the process first if another one is crashing, which then ends it.
pub(super) fn stop_if_crashing() {
    if STATE.load(Ordering::Acquire) != IDLE {
        await_result();
        // Not forever: an action that was there before ours may have repaired the fault.
        std::thread::sleep(GRACE);
    }
}
