//! Limits on the peers of a port: how many are connected, and how much they may send to a port that only publishes.
//!
//! The library has neither limit, and its own threads end the process if an assertion of theirs fails. It reports the
//! descriptors of its connections, whose sockets can be shut down; it then sees that the peer has left.

use std::ffi::c_void;
use std::mem::{MaybeUninit, size_of};
use std::os::fd::RawFd;
use std::time::Duration;

/// Connections to one port: more than a vehicle has clients.
pub const CONNECTIONS: usize = 256;

/// Bytes that a subscriber may send at once if subscriptions are short: one takes about 12, and the greeting 100.
const SUBSCRIBER_BYTES: u64 = 64 << 10;
/// Bytes that it may send in each second besides: heartbeats of its own, and changes of its subscriptions.
const BYTES_PER_SECOND: u64 = 1 << 10;

/// `tcpi_bytes_received` of `struct tcp_info`, whose layout is part of the interface of the kernel (`linux/tcp.h`): after
/// 8 bytes, 24 numbers of 32 bits and 3 of 64 bits.
const BYTES_RECEIVED: usize = 8 + 24 * 4 + 3 * 8;

/// Returns true if a subscriber has sent more than a subscriber needs, `age` after it connected.
#[must_use]
pub fn has_sent_too_much(connection: RawFd, age: Duration) -> bool {
    received(connection).is_some_and(|bytes| is_too_much(bytes, age))
}

fn is_too_much(bytes: u64, age: Duration) -> bool {
    bytes > age.as_secs().saturating_mul(BYTES_PER_SECOND).saturating_add(SUBSCRIBER_BYTES)
}

/// Ends a connection to `port`. Its descriptor may lead to something else by now, which is left alone.
#[expect(unsafe_code, reason = "the library owns the socket")]
pub fn end(connection: RawFd, port: u16) {
    if local_port(connection) == Some(port) {
        // SAFETY: shuts a socket down, which stays open.
        unsafe { libc::shutdown(connection, libc::SHUT_RDWR) };
    }
}

/// Bytes that have arrived; `None` if this is no connection.
#[expect(unsafe_code, reason = "std has no such option")]
fn received(connection: RawFd) -> Option<u64> {
    let mut info = [0_u8; BYTES_RECEIVED + size_of::<u64>()];
    let mut len = libc::socklen_t::try_from(info.len()).ok()?;
    // SAFETY: the system writes at most `len` bytes to `info`.
    let code = unsafe {
        let place = info.as_mut_ptr().cast::<c_void>();
        libc::getsockopt(connection, libc::IPPROTO_TCP, libc::TCP_INFO, place, &raw mut len)
    };
    let is_known = code == 0 && usize::try_from(len).ok()? == info.len();
    is_known.then(|| u64::from_ne_bytes(*info.last_chunk().unwrap_or(&[0; 8])))
}

/// The port of this end.
#[expect(unsafe_code, reason = "the library owns the socket")]
fn local_port(connection: RawFd) -> Option<u16> {
    let mut address = MaybeUninit::<libc::sockaddr_in6>::zeroed();
    let mut len = libc::socklen_t::try_from(size_of::<libc::sockaddr_in6>()).ok()?;
    // SAFETY: the system writes at most `len` bytes; all zeros is a valid address. The port is at the same place in the
    // addresses of both families.
    let (code, address) = unsafe {
        let code = libc::getsockname(connection, address.as_mut_ptr().cast(), &raw mut len);
        (code, address.assume_init())
    };
    (code == 0).then(|| u16::from_be(address.sin6_port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heartbeats_of_a_day_are_not_too_much_and_a_flood_is() {
        let day = Duration::from_secs(86_400);
        // ZMTP: a PING of 10 bytes and its PONG in each second.
        assert!(!is_too_much(100 + 20 * 86_400, day));
        assert!(is_too_much((64 << 10) + 1, Duration::from_millis(999)));
        assert!(is_too_much(200 << 20, day));
    }
}
