//! The terminal of the program: reads single key presses, and restores the settings at the end.
//!
//! While [`Keys`] exists, the terminal returns every key at once and does not echo it. [`restore`] resets that from any
//! thread, also from a signal handler.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::getpgrp;
use rustix::stdio::stdin;
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcgetpgrp, tcsetattr,
};

/// Original settings of the terminal.
static BEFORE: OnceLock<Termios> = OnceLock::new();
/// True while the settings are changed.
static IS_CHANGED: AtomicBool = AtomicBool::new(false);

/// Timeout of reading a key, in tenths of a second.
const WAIT: u8 = 1;
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
        if settings().is_some_and(|now| now.local_modes.contains(LocalModes::ICANON)) {
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

/// Restores the original settings, if they were changed. Allowed in a handler of a signal.
pub fn restore() {
    if let Some(before) = BEFORE.get().filter(|_| is_in_front() && IS_CHANGED.swap(false, Ordering::AcqRel)) {
        _ = tcsetattr(stdin(), OptionalActions::Now, before);
    }
}

/// Returns the settings of the terminal; `None` if standard input is not a terminal.
fn settings() -> Option<Termios> {
    tcgetattr(stdin()).ok()
}

/// Disables line mode and echo, and sets the read timeout.
fn change() {
    let Some(mut settings) = BEFORE.get().cloned() else { return };
    settings.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    settings.special_codes[SpecialCodeIndex::VTIME] = WAIT;
    settings.special_codes[SpecialCodeIndex::VMIN] = 0;
    IS_CHANGED.store(true, Ordering::Release);
    _ = tcsetattr(stdin(), OptionalActions::Now, &settings);
}

/// Returns true if this process is in the foreground of the terminal.
fn is_in_front() -> bool {
    tcgetpgrp(stdin()).is_ok_and(|group| group == getpgrp())
}

/// Reads a byte; the standard input of `std` takes a lock and reads ahead.
fn read_byte() -> io::Result<Option<u8>> {
    let mut byte = [0];
    match rustix::io::read(stdin(), &mut byte) {
        Ok(1) => Ok(byte.first().copied()),
        Ok(_) => {
            std::thread::sleep(NAP);
            Ok(None)
        }
        Err(Errno::INTR) => Ok(None),
        Err(error) => Err(error.into()),
    }
}
