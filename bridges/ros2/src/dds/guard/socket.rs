//! The two system calls of `rustdds` that the guard replaces: `recvmsg`, and `bind`.
//!
//! `build.rs` tells the linker to redirect the calls of this library to the two functions here (`--wrap`). No other
//! library and no program is affected. `rustdds` reads its sockets with `recvmsg` on one thread for each participant, so
//! the state of the filter is a local of that thread.

use std::cell::RefCell;
use std::collections::HashMap;
use std::net::Ipv4Addr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Instant;

use bridgehead_ros2_node::lock::lock;
use bridgehead_ros2_node::log_limiter::{LogLimiter, more};
use bridgehead_ros2_node::wall_clock;

use libc::{c_int, msghdr, sockaddr, sockaddr_in, socklen_t, ssize_t};

use super::filter::Filter;
use super::guarded::GuardedParticipant;
use super::limits::BATCH;
use super::matched;
use super::reason::{Reason, Verdict};
use super::wire::{Prefix, sender};

/// The code of the warning about refused datagrams.
const REFUSED: &str = "BH-ROS-010";
/// The group of DDS discovery, on which `rustdds` receives multicast.
const GROUP: Ipv4Addr = Ipv4Addr::new(239, 255, 0, 1);
/// A descriptor that no socket has, for [`is_in_effect`].
const PROBE: c_int = c_int::MIN;

/// Whether the replaced `recvmsg` was called with [`PROBE`].
static WAS_PROBED: AtomicBool = AtomicBool::new(false);
/// The participant that is being opened.
static OPENING: Mutex<Option<Arc<GuardedParticipant>>> = Mutex::new(None);
/// The participants of sockets.
static SOCKETS: LazyLock<Mutex<HashMap<c_int, Arc<GuardedParticipant>>>> = LazyLock::new(Mutex::default);

thread_local! {
    static STATE: RefCell<State> = RefCell::new(State::new());
}

/// The filter of the participant whose thread this is.
struct State {
    filter: Filter,
    /// The socket that was read last, and what it delivered since it was empty.
    socket: c_int,
    count: u32,
    bytes: usize,
    log: LogLimiter,
}

impl State {
    fn new() -> Self {
        State { filter: Filter::new(), socket: PROBE, count: 0, bytes: 0, log: LogLimiter::default() }
    }

    /// Returns whether a socket has delivered so much that it must appear empty once.
    fn is_batch_full(&mut self, socket: c_int) -> bool {
        let is_full = self.socket == socket && (self.count >= BATCH.0 || self.bytes >= BATCH.1);
        if is_full || self.socket != socket {
            (self.socket, self.count, self.bytes) = (socket, 0, 0);
        }
        is_full
    }

    /// Checks a datagram for a participant, changes it if parts of it are refused, and returns whether it passes.
    fn check(&mut self, of: Option<&GuardedParticipant>, datagram: &mut [u8], source: Ipv4Addr) -> bool {
        #[cfg(test)]
        super::tests::capture(datagram);
        let now = wall_clock::now();
        self.count += 1;
        self.bytes += datagram.len();
        if let Some(participant) = of {
            if sender(datagram).is_some_and(|sender| self.ignores(participant, sender)) {
                return false;
            }
            self.filter.reuse_places(|most| participant.take_places(most));
        }
        let (passes, reason) = match self.filter.check(datagram, &matched::readers, now) {
            Verdict::Pass => return true,
            Verdict::Changed(reason) => (true, reason),
            Verdict::Drop(reason) => (false, reason),
        };
        self.report(passes, reason, source, now);
        passes
    }

    fn ignores(&mut self, participant: &GuardedParticipant, sender: Prefix) -> bool {
        participant.ignores(sender, || !self.filter.knows(sender))
    }

    /// Logs a refusal, at most once per interval.
    fn report(&mut self, passes: bool, reason: Reason, source: Ipv4Addr, now: Instant) {
        if let Some(suppressed) = self.log.admit(now) {
            let what = if passes { "this part is dropped or shortened" } else { "it is dropped" };
            let more = more(suppressed, "about datagrams");
            log::warn!("[{REFUSED}] a datagram from {source} {}; {what}{more}", reason.text());
        }
    }
}

/// Opens a participant with `open`. If it uses the loopback interface only, its sockets get the loopback address only.
///
/// # Errors
/// Returns the error of `open`.
pub(crate) fn open_guarded<T, E>(
    participant: &Arc<GuardedParticipant>,
    open: impl FnOnce() -> Result<T, E>,
    prefix: impl FnOnce(&T) -> Prefix,
) -> Result<T, E> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = lock(&ONE_AT_A_TIME);
    // It stays set: `rustdds` opens its sending sockets on a thread of its own, perhaps after `open`.
    *lock(&OPENING) = Some(Arc::clone(participant));
    participant.learn(open, prefix)
}

/// Returns whether the calls of this library are redirected. They are if the library was linked as `build.rs` asks for.
pub(crate) fn is_in_effect() -> bool {
    WAS_PROBED.store(false, Ordering::Relaxed);
    // SAFETY: the descriptor is invalid, so the call accesses nothing.
    unsafe { libc::recvmsg(PROBE, std::ptr::null_mut(), 0) };
    WAS_PROBED.load(Ordering::Relaxed)
}

/// Receives a datagram that the filter passes. The other ones are read and forgotten.
///
/// # Safety
/// As of `recvmsg`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_recvmsg(socket: c_int, message: *mut msghdr, flags: c_int) -> ssize_t {
    if socket == PROBE {
        WAS_PROBED.store(true, Ordering::Relaxed);
    }
    // SAFETY: the caller passes a valid header or null.
    let Some(header) = (unsafe { message.as_mut() }) else {
        return -1;
    };
    let (name, control) = (header.msg_namelen, header.msg_controllen);
    loop {
        let is_full =
            STATE.try_with(|state| state.try_borrow_mut().is_ok_and(|mut state| state.is_batch_full(socket)));
        if is_full.unwrap_or(false) {
            nix::errno::Errno::EAGAIN.set();
            return -1;
        }
        (header.msg_namelen, header.msg_controllen) = (name, control);
        // SAFETY: as of this function. The number of a system call is not redirected.
        let length = unsafe { libc::syscall(libc::SYS_recvmsg, socket, &raw mut *header, flags) };
        let Ok(received) = usize::try_from(length) else {
            // The socket is empty: a new batch begins.
            let _ = STATE.try_with(|state| state.try_borrow_mut().map(|mut state| state.socket = PROBE));
            return ssize_t::try_from(length).unwrap_or(-1);
        };
        // SAFETY: the system call has filled the header and its buffers.
        if unsafe { passes(socket, header, received) } {
            return ssize_t::try_from(length).unwrap_or(-1);
        }
    }
}

/// Returns whether a received datagram passes, after it was changed if need be.
///
/// # Safety
/// `recvmsg` has filled the header and its buffers.
unsafe fn passes(socket: c_int, header: &msghdr, received: usize) -> bool {
    // SAFETY: the header has a name of this size if it is not null.
    let source = unsafe { header.msg_name.cast::<sockaddr_in>().as_ref() };
    let is_named = header.msg_namelen >= size::<sockaddr_in>();
    let Some(source) = source.filter(|source| is_named && c_int::from(source.sin_family) == libc::AF_INET)
    else {
        // Not a socket of DDS.
        return true;
    };
    let source = Ipv4Addr::from(u32::from_be(source.sin_addr.s_addr));
    if header.msg_iovlen != 1 {
        return false;
    }
    // SAFETY: the header has one buffer, of which the system call has written `received` bytes at most.
    let datagram = unsafe {
        let buffer = &*header.msg_iov;
        std::slice::from_raw_parts_mut(buffer.iov_base.cast::<u8>(), received.min(buffer.iov_len))
    };
    let participant = lock(&SOCKETS).get(&socket).cloned();
    let participant = participant.as_deref();
    if let Some(addresses) = participant.and_then(GuardedParticipant::addresses)
        && !source.is_loopback()
        // SAFETY: as of this function.
        && !unsafe { is_meant(addresses, header) }
    {
        return false;
    }
    let check = || {
        STATE.try_with(|state| {
            state.try_borrow_mut().is_ok_and(|mut state| state.check(participant, datagram, source))
        })
    };
    // A panic must not cross the boundary to C. There is none to be expected.
    catch_unwind(AssertUnwindSafe(check)).is_ok_and(|passed| passed.unwrap_or(false))
}

/// Returns whether a datagram arrived at one of these addresses.
///
/// # Safety
/// As of [`passes`].
unsafe fn is_meant(addresses: &[Ipv4Addr], header: &msghdr) -> bool {
    // SAFETY: the system call has filled the control messages.
    let mut next = unsafe { libc::CMSG_FIRSTHDR(header) };
    // SAFETY: as before; the functions return null at the end.
    while let Some(control) = unsafe { next.as_ref() } {
        if (control.cmsg_level, control.cmsg_type) == (libc::IPPROTO_IP, libc::IP_PKTINFO) {
            // SAFETY: a message of this type has this content, at any alignment.
            let info = unsafe { libc::CMSG_DATA(control).cast::<libc::in_pktinfo>().read_unaligned() };
            return addresses.contains(&Ipv4Addr::from(u32::from_be(info.ipi_spec_dst.s_addr)));
        }
        // SAFETY: as before.
        next = unsafe { libc::CMSG_NXTHDR(header, control) };
    }
    false
}

/// Binds a socket. One that is to receive at all addresses, of a participant that uses only the loopback interface, is
/// bound to the loopback address, or to the multicast group on that interface.
///
/// # Safety
/// As of `bind`.
#[expect(unreachable_pub, reason = "the linker refers to it by its name")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_bind(socket: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    let participant = lock(&OPENING).clone();
    // SAFETY: the caller passes a valid address of this length.
    let mut wanted = unsafe { v4(address, length) };
    let (mut address, mut length) = (address, length);
    if let Some(wanted) = wanted.as_mut().filter(|wanted| wanted.sin_addr.s_addr == libc::INADDR_ANY)
        && let Some(at) = assign(socket, participant)
    {
        wanted.sin_addr.s_addr = u32::from(at).to_be();
        (address, length) = ((&raw const *wanted).cast(), size::<sockaddr_in>());
    }
    // SAFETY: as of this function.
    let result = unsafe { libc::syscall(libc::SYS_bind, socket, address, length) };
    c_int::try_from(result).unwrap_or(-1)
}

/// # Safety
/// The address is valid.
unsafe fn v4(address: *const sockaddr, length: socklen_t) -> Option<sockaddr_in> {
    // SAFETY: as of this function.
    let family = unsafe { address.as_ref() }.map(|address| c_int::from(address.sa_family))?;
    let is_whole = length >= size::<sockaddr_in>();
    // SAFETY: an address of this family and length has this form.
    (family == libc::AF_INET && is_whole).then(|| unsafe { address.cast::<sockaddr_in>().read_unaligned() })
}

/// Returns the size of a type, as the socket functions expect it.
fn size<T>() -> socklen_t {
    socklen_t::try_from(size_of::<T>()).unwrap_or(0)
}

/// Records the participant of a socket, and returns the address to bind it to, if it is not to be bound to all.
fn assign(socket: c_int, participant: Option<Arc<GuardedParticipant>>) -> Option<Ipv4Addr> {
    let mut sockets = lock(&SOCKETS);
    // The descriptor may have belonged to another socket.
    sockets.remove(&socket);
    let participant = participant?;
    let is_local = participant.is_local();
    sockets.insert(socket, participant);
    if !is_local {
        return None;
    }
    Some(if is_multicast(socket) { GROUP } else { Ipv4Addr::LOCALHOST })
}

/// Returns whether a socket of `rustdds` is for multicast: only these share their port. It then receives only on the
/// interfaces on which it has joined the group.
fn is_multicast(socket: c_int) -> bool {
    let mut shares: c_int = 0;
    let mut size = size::<c_int>();
    let value = (&raw mut shares).cast();
    // SAFETY: the value has this size.
    unsafe { libc::getsockopt(socket, libc::SOL_SOCKET, libc::SO_REUSEADDR, value, &raw mut size) };
    if shares != 0 {
        let none: c_int = 0;
        // SAFETY: the value has this size.
        unsafe {
            libc::setsockopt(socket, libc::IPPROTO_IP, libc::IP_MULTICAST_ALL, (&raw const none).cast(), size)
        };
    }
    shares != 0
}
