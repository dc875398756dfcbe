//! The terminal of the program: reads single key presses, and restores the settings at the end.
//!
//! While [`Keys`] exists, the terminal returns every key at once and does not echo it. [`restore`] resets that from any
//! thread, also from a signal handler.

use std::io;
use std::mem::MaybeUninit;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Original settings of the terminal.
static BEFORE: OnceLock<libc::termios> = OnceLock::new();
/// True while the settings are changed.
static IS_CHANGED: AtomicBool = AtomicBool::new(false);

/// Timeout of reading a key, in tenths of a second.
const WAIT: libc::cc_t = 1;
/// Pause if reading does not wait by itself: in the background, and after the terminal was closed.
const NAP: Duration = Duration::from_millis(20);

/// Key presses of standard input.
#[derive(Debug)]
pub struct Keys(());

impl Keys {
    /// Changes the terminal settings. Returns `None` if standard input is not a terminal.
    #[must_use]
    pub fn begin() -> Option<Self> {
        let before = settings()?;
        BEFORE.get_or_init(|| before);
        Some(Keys(()))
    }

    /// Returns the next key; `None` after a timeout.
    ///
    /// # Errors
    /// Returns an error if the terminal was closed.
    pub fn next(&self) -> io::Result<Option<u8>> {
        if !is_in_front() {
            // The kernel stops a background process that reads.
            std::thread::sleep(NAP);
            return Ok(None);
        }
        // A shell may have changed the settings in between.
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

/// Remembers the settings for [`restore`], which a child of this process may change.
pub fn remember() {
    if let Some(before) = settings() {
        BEFORE.get_or_init(|| before);
        IS_CHANGED.store(true, Ordering::Release);
    }
}

/// Restores the original settings, if they were changed.
#[expect(unsafe_code, reason = "std knows no settings of terminals")]
pub fn restore() {
    if let Some(before) = BEFORE.get().filter(|_| is_in_front() && IS_CHANGED.swap(false, Ordering::AcqRel)) {
        // SAFETY: the settings live for the call. Allowed in a signal handler.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, before) };
    }
}

/// Returns the settings of the terminal; `None` if standard input is not a terminal.
#[expect(unsafe_code, reason = "std knows no settings of terminals")]
fn settings() -> Option<libc::termios> {
    let mut found = MaybeUninit::<libc::termios>::zeroed();
    // SAFETY: `found` is writable, and is read only after a successful call.
    unsafe { (libc::tcgetattr(libc::STDIN_FILENO, found.as_mut_ptr()) == 0).then(|| found.assume_init()) }
}

/// Disables line mode and echo, and sets the read timeout.
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

/// Returns true if this process is in the foreground of the terminal.
#[expect(unsafe_code, reason = "std knows no process groups")]
fn is_in_front() -> bool {
    // SAFETY: both calls only query. Allowed in a signal handler.
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
