//! Pauses while a large sample is sent, so that its receiver can empty its socket.
//!
//! `rustdds` sends the thousands of fragments of an image without a pause. A receiver that is not scheduled meanwhile loses
//! what does not fit into its socket, which is 200 KiB on a usual Linux system. `rustdds` sends lost fragments again, but
//! only eight of 256 bytes in 10 ms: a reliable reader that loses a part of each image never catches up, and its writer
//! blocks for ever. As for the guard, the linker redirects the calls of this library (`build.rs`): after [`BURST`] bytes
//! to one address, the thread that sends sleeps for [`PAUSE`], in which the receiver is scheduled also on a busy machine.
//!
//! The thread of a participant sends for all its writers, so the pauses limit it to about 200 MB/s for each reader.

use std::cell::RefCell;
use std::ffi::{c_int, c_void};
use std::time::{Duration, Instant};

use bridgehead_ros2_node::wall_clock;

use libc::{size_t, sockaddr, sockaddr_in, socklen_t, ssize_t};

/// Bytes that are sent without a pause. With the kernel's overhead they fit into the smallest usual socket.
const BURST: usize = 128 << 10;
/// Length of a pause, and of a silence that makes one unnecessary.
const PAUSE: Duration = Duration::from_micros(500);
/// Addresses that are remembered for each thread; the oldest one is forgotten for another.
const ADDRESSES: usize = 32;

/// What a thread has sent to an address since its last pause.
#[derive(Clone, Copy, Debug)]
struct Burst {
    address: (u32, u16),
    bytes: usize,
    last: Instant,
}

/// What a thread has sent lately.
#[derive(Debug, Default)]
struct Bursts(Vec<Burst>);

impl Bursts {
    /// Records a datagram. Returns true if a pause is due after it.
    fn record(&mut self, address: (u32, u16), bytes: usize, now: Instant) -> bool {
        let burst = self.of(address, now);
        if now.saturating_duration_since(burst.last) >= PAUSE {
            burst.bytes = 0;
        }
        burst.last = now;
        burst.bytes += bytes;
        let is_due = burst.bytes >= BURST;
        if is_due {
            burst.bytes = 0;
        }
        is_due
    }

    fn of(&mut self, address: (u32, u16), now: Instant) -> &mut Burst {
        let known = self.0.iter().position(|burst| burst.address == address);
        let place = known.unwrap_or_else(|| {
            if self.0.len() >= ADDRESSES {
                let oldest = (0..self.0.len()).min_by_key(|place| self.0[*place].last);
                self.0.swap_remove(oldest.unwrap_or(0));
            }
            self.0.push(Burst { address, bytes: 0, last: now });
            self.0.len() - 1
        });
        &mut self.0[place]
    }
}

thread_local! {
    static BURSTS: RefCell<Bursts> = RefCell::default();
}

/// Sends a datagram, and then sleeps if the receiver needs it.
///
/// # Safety
/// As of `sendto`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_sendto(
    socket: c_int,
    bytes: *const c_void,
    length: size_t,
    flags: c_int,
    address: *const sockaddr,
    address_length: socklen_t,
) -> ssize_t {
    // SAFETY: as of this function. The number of a system call is not redirected.
    let sent =
        unsafe { libc::syscall(libc::SYS_sendto, socket, bytes, length, flags, address, address_length) };
    // SAFETY: the caller passes a valid address of this length, or none.
    let address = unsafe { v4(address, address_length) };
    if let Some(address) = address.filter(|_| sent > 0) {
        let is_due = BURSTS.try_with(|bursts| bursts.borrow_mut().record(address, length, wall_clock::now()));
        if is_due.unwrap_or(false) {
            std::thread::sleep(PAUSE);
        }
    }
    ssize_t::try_from(sent).unwrap_or(-1)
}

/// Returns address and port in the order of the network.
///
/// # Safety
/// The address is valid, or null.
unsafe fn v4(address: *const sockaddr, length: socklen_t) -> Option<(u32, u16)> {
    let is_whole = usize::try_from(length).is_ok_and(|length| length >= size_of::<sockaddr_in>());
    // SAFETY: as of this function.
    let family = unsafe { address.as_ref() }.map(|address| c_int::from(address.sa_family))?;
    if family != libc::AF_INET || !is_whole {
        return None;
    }
    // SAFETY: an address of this family and length has this form.
    let address = unsafe { address.cast::<sockaddr_in>().read_unaligned() };
    Some((address.sin_addr.s_addr, address.sin_port))
}

#[cfg(test)]
mod tests {
    use super::*;

    const READER: (u32, u16) = (1, 1);

    #[test]
    fn a_large_sample_is_interrupted_and_small_ones_are_not() {
        let (mut bursts, start) = (Bursts::default(), wall_clock::now());
        let due = |bursts: &mut Bursts, count: usize, at: Instant| {
            (0..count).filter(|_| bursts.record(READER, 8 << 10, at)).count()
        };
        assert_eq!(due(&mut bursts, 15, start), 0);
        assert_eq!(due(&mut bursts, 1, start), 1);
        assert_eq!(due(&mut bursts, 320, start), 20);
        // Who sends slowly makes pauses anyway.
        for step in 1..100 {
            assert_eq!(due(&mut bursts, 15, start + step * PAUSE), 0, "{step}");
        }
    }

    #[test]
    fn each_address_has_its_own_pauses_and_old_ones_are_forgotten() {
        let (mut bursts, start) = (Bursts::default(), wall_clock::now());
        assert!(!bursts.record(READER, BURST - 1, start));
        assert!(!bursts.record((2, 1), BURST - 1, start));
        assert!(bursts.record(READER, 1, start));
        for address in 3..1000 {
            bursts.record((address, 1), 1, start + PAUSE / 2);
        }
        assert_eq!(bursts.0.len(), ADDRESSES);
        assert!(!bursts.record((2, 1), 1, start + PAUSE / 2), "it was forgotten");
    }
}
