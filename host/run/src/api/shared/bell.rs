//! A descriptor that another thread makes readable, for a thread that waits for several descriptors at once. Any thread.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{EventfdFlags, eventfd};

/// Wakes a thread that waits for descriptors.
#[derive(Debug)]
pub struct Bell {
    descriptor: OwnedFd,
    is_rung: AtomicBool,
}

impl Bell {
    /// Creates one that is silent.
    ///
    /// # Errors
    /// Returns an error if the process has too many descriptors.
    pub fn new() -> io::Result<Self> {
        let descriptor = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?;
        Ok(Bell { descriptor, is_rung: AtomicBool::new(false) })
    }

    /// Makes the descriptor readable.
    pub fn ring(&self) {
        if !self.is_rung.swap(true, Ordering::AcqRel) {
            // The counter cannot overflow: it is 0 before.
            let _ = rustix::io::write(&self.descriptor, &1_u64.to_ne_bytes());
        }
    }

    /// Makes the descriptor unreadable. Nobody may ring meanwhile.
    pub fn silence(&self) {
        if self.is_rung.swap(false, Ordering::AcqRel) {
            let _ = rustix::io::read(&self.descriptor, &mut [0_u8; 8]);
        }
    }
}

impl AsFd for Bell {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::*;
    use crate::api::RequestInbox;

    fn is_readable(bell: &Bell) -> bool {
        let mut waited = [PollFd::new(bell, PollFlags::IN)];
        poll(&mut waited, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).expect("a poll") == 1
    }

    #[test]
    fn a_rung_bell_is_readable_until_it_is_silenced() {
        let bell = Bell::new().expect("a descriptor");
        assert!(!is_readable(&bell));
        bell.ring();
        bell.ring();
        assert!(is_readable(&bell));
        bell.silence();
        assert!(!is_readable(&bell));
        bell.silence();
        bell.ring();
        assert!(is_readable(&bell), "it can be rung again");
    }

    #[test]
    fn a_request_rings_only_while_somebody_waits_with_the_bell() {
        let (inbox, bell) = (RequestInbox::default(), Arc::new(Bell::new().expect("a descriptor")));
        inbox.wake();
        inbox.wait_with(&bell, |_| panic!("a wait after a wake returns at once"));
        let mut was_rung = false;
        inbox.wait_with(&bell, |bell| {
            inbox.wake();
            was_rung = is_readable(bell);
        });
        assert!(was_rung);
        assert!(!is_readable(&bell), "silent after the wait");
        inbox.wake();
        assert!(!is_readable(&bell), "nobody waits with it");
        inbox.wait(Duration::ZERO);
    }
}
