//! The terminal that the program runs in: keys as they are pressed, and everything as it was in the end.
//!
//! Between [`Keys::begin`] and its end the terminal gives every key at once and does not show it. [`restore`] undoes
//! that from anywhere, also from a signal handler.

use std::io;
use std::mem::MaybeUninit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// What the terminal was like, once it was changed.
static BEFORE: OnceLock<libc::termios> = OnceLock::new();
/// Whether it is changed now.
static IS_CHANGED: AtomicBool = AtomicBool::new(false);

/// How long a look for a key waits for one, in tenths of a second.
const WAIT: libc::cc_t = 1;
/// Pause where a look does not wait by itself: in the background, and at a terminal that is gone.
const NAP: Duration = Duration::from_millis(20);

/// Keys of standard input, as they are pressed.
#[derive(Debug)]
pub struct Keys(());

impl Keys {
    /// Changes the terminal; `None` where standard input is none.
    #[must_use]
    pub fn begin() -> Option<Self> {
        let before = settings()?;
        BEFORE.get_or_init(|| before);
        Some(Keys(()))
    }

    /// The next key; `None` where there was none for a while.
    ///
    /// # Errors
    /// The terminal is gone.
    pub fn next(&self) -> io::Result<Option<u8>> {
        if !is_in_front() {
            // Whoever reads from the background is stopped by the kernel.
            std::thread::sleep(NAP);
            return Ok(None);
        }
        // A shell that had the terminal for a while has set it as it likes.
        if settings().is_some_and(|now| now.c_lflag & libc::ICANON != 0) {
            change();
        }
        read_byte()
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        restore();
    }
}

/// Sets the terminal as it was before. Does nothing where it was not changed.
#[expect(unsafe_code, reason = "std knows no settings of terminals")]
pub fn restore() {
    if let Some(before) = BEFORE.get().filter(|_| is_in_front() && IS_CHANGED.swap(false, Ordering::AcqRel)) {
        // SAFETY: the settings live for the call. Allowed in a signal handler.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, before) };
    }
}

/// The settings of the terminal; `None` where standard input is none.
#[expect(unsafe_code, reason = "std knows no settings of terminals")]
fn settings() -> Option<libc::termios> {
    let mut found = MaybeUninit::<libc::termios>::zeroed();
    // SAFETY: `found` is writable; it is read only where the call has filled it in.
    unsafe { (libc::tcgetattr(libc::STDIN_FILENO, found.as_mut_ptr()) == 0).then(|| found.assume_init()) }
}

/// Keys come at once, are not shown, and a look for one ends after a while.
#[expect(unsafe_code, reason = "std knows no settings of terminals")]
fn change() {
    let Some(mut settings) = BEFORE.get().copied() else { return };
    settings.c_lflag &= !(libc::ICANON | libc::ECHO);
    for (place, value) in [(libc::VTIME, WAIT), (libc::VMIN, 0)] {
        if let Some(code) = settings.c_cc.get_mut(place) {
            *code = value;
        }
    }
    IS_CHANGED.store(true, Ordering::Release);
    // SAFETY: the settings live for the call.
    unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, &raw const settings) };
}

/// Whether the terminal is ours to read from and to change, and not that of a shell that we are in the background of.
#[expect(unsafe_code, reason = "std knows no process groups")]
fn is_in_front() -> bool {
    // SAFETY: both only ask. Allowed in a signal handler.
    unsafe { libc::tcgetpgrp(libc::STDIN_FILENO) == libc::getpgrp() }
}

#[expect(unsafe_code, reason = "std's standard input takes a lock and reads ahead")]
fn read_byte() -> io::Result<Option<u8>> {
    let mut byte = 0_u8;
    // SAFETY: one byte is writable.
    let count = unsafe { libc::read(libc::STDIN_FILENO, (&raw mut byte).cast(), 1) };
    match count {
        1 => Ok(Some(byte)),
        0 => {
            std::thread::sleep(NAP);
            Ok(None)
        }
        _ => match io::Error::last_os_error() {
            error if error.kind() == io::ErrorKind::Interrupted => Ok(None),
            error => Err(error),
        },
    }
}
