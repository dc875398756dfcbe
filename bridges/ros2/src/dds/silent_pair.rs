//! Socket pairs without sockets: what `rustdds` opens for each writer and reader would use up the file descriptors.
//!
//! `rustdds` opens a pair of connected sockets for each writer, two for each reader, and writes a byte to them when
//! something arrives, for programs that wait with `mio`. This bridge is woken by wakers and waits for none of them, so
//! their bytes are never read. As for the guard, the linker redirects the calls of this library (`build.rs`): a new pair
//! is [`SILENT`] twice, a number that the kernel gives to no file. Bytes that are written to it vanish, nothing arrives,
//! and closing it does nothing. All other descriptors go to the kernel.
//!
//! Only `rustdds` opens pairs in this library. If the linker redirects nothing, the pairs are real ones again.

use std::ffi::{c_int, c_void};

use libc::{size_t, ssize_t};
use nix::errno::Errno;

/// The descriptor of every silent socket: above all limits of the kernel, whose largest is 2^30.
const SILENT: c_int = c_int::MAX;

/// Opens a pair of connected sockets that are silent.
///
/// # Safety
/// As of `socketpair`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_socketpair(_: c_int, _: c_int, _: c_int, pair: *mut c_int) -> c_int {
    // SAFETY: the caller passes room for two descriptors.
    unsafe { pair.cast::<[c_int; 2]>().write([SILENT; 2]) };
    0
}

/// Sends bytes; to a silent socket successfully.
///
/// # Safety
/// As of `send`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_send(
    socket: c_int,
    bytes: *const c_void,
    length: size_t,
    flags: c_int,
) -> ssize_t {
    if socket == SILENT {
        return ssize_t::try_from(length).unwrap_or(ssize_t::MAX);
    }
    let nobody = std::ptr::null::<c_void>();
    // SAFETY: as of this function. The number of a system call is not redirected.
    let sent = unsafe { libc::syscall(libc::SYS_sendto, socket, bytes, length, flags, nobody, 0) };
    ssize_t::try_from(sent).unwrap_or(-1)
}

/// Receives bytes; from a silent socket none.
///
/// # Safety
/// As of `recv`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_recv(
    socket: c_int,
    bytes: *mut c_void,
    length: size_t,
    flags: c_int,
) -> ssize_t {
    if socket == SILENT {
        Errno::EAGAIN.set();
        return -1;
    }
    let nobody = std::ptr::null_mut::<c_void>();
    // SAFETY: as of this function.
    let received = unsafe { libc::syscall(libc::SYS_recvfrom, socket, bytes, length, flags, nobody, nobody) };
    ssize_t::try_from(received).unwrap_or(-1)
}

/// Controls a descriptor; a silent one, which is not blocking, needs no control.
///
/// # Safety
/// As of `ioctl`, which is declared with a variable third argument: it is passed like this one.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_ioctl(
    descriptor: c_int,
    request: libc::Ioctl,
    argument: *mut c_void,
) -> c_int {
    if descriptor == SILENT {
        return 0;
    }
    // SAFETY: as of this function.
    let result = unsafe { libc::syscall(libc::SYS_ioctl, descriptor, request, argument) };
    c_int::try_from(result).unwrap_or(-1)
}

/// Controls a descriptor. Builds with assertions ask before they close one whether it is open, which a silent one is.
///
/// # Safety
/// As of `fcntl`, whose third argument is variable as that of `ioctl`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_fcntl(descriptor: c_int, command: c_int, argument: *mut c_void) -> c_int {
    if descriptor == SILENT {
        return 0;
    }
    // SAFETY: as of this function.
    let result = unsafe { libc::syscall(libc::SYS_fcntl, descriptor, command, argument) };
    c_int::try_from(result).unwrap_or(-1)
}

/// Closes a descriptor, unless it is silent.
///
/// # Safety
/// As of `close`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_close(descriptor: c_int) -> c_int {
    if descriptor == SILENT {
        return 0;
    }
    // SAFETY: as of this function.
    let result = unsafe { libc::syscall(libc::SYS_close, descriptor) };
    c_int::try_from(result).unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use std::io::{ErrorKind, Read as _, Write as _};
    use std::os::fd::AsRawFd as _;
    use std::os::unix::net::UnixStream;

    use super::*;
    use crate::dds::tests::{participant, unique};
    use crate::dds::{Participant, Qos, Reader, Writer};

    /// Returns the number of open descriptors. Another test may run at the same time, so callers try again.
    fn descriptors() -> usize {
        std::fs::read_dir("/proc/self/fd").expect("a list").count()
    }

    #[test]
    fn a_pair_takes_bytes_delivers_none_and_is_not_blocking() {
        let (mut one, mut other) = UnixStream::pair().expect("a pair");
        assert_eq!([one.as_raw_fd(), other.as_raw_fd()], [SILENT; 2], "the linker redirects the calls");
        one.set_nonblocking(true).expect("set");
        assert_eq!(one.write(&[1, 2, 3]).expect("written"), 3);
        assert_eq!(other.read(&mut [0; 4]).map_err(|error| error.kind()), Err(ErrorKind::WouldBlock));
    }

    #[test]
    fn writers_and_readers_need_no_descriptors() {
        let participant = participant("descriptors");
        let make = |participant: &std::sync::Arc<Participant>| {
            let name = unique("rt/silent");
            let writer = Writer::open(participant, &name, "a::b", Qos::DEFAULT).expect("a writer");
            (writer, Reader::open(participant, &name, "a::b", Qos::DEFAULT, |_| {}).expect("a reader"))
        };
        let grown = (0..20).map(|_| {
            let before = descriptors();
            let endpoints: Vec<_> = (0..40).map(|_| make(&participant)).collect();
            let grown = descriptors().saturating_sub(before);
            drop(endpoints);
            grown
        });
        // Other tests open participants meanwhile, each with some descriptors.
        assert!(grown.min().is_some_and(|least| least < 40), "40 writers and 40 readers");
    }
}
