//! What bridges need beside libzmq: the library neither reports nor limits its peers, and its own threads end the process if
//! an assertion of theirs fails.
//!
//! - [`Publisher`] is a PUB socket without libzmq, with limits on its peers.
//! - [`Monitor`] receives the events of a socket, and keeps its [`Connections`].
//! - [`limits`] tells which peer does more than a client does, and ends its connection.
//! - [`keep_alive`] sets the options by which a dead peer is noticed, [`set_option`] those that the crate `zmq` lacks.

mod connections;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod limits;
mod monitor;
mod publisher;

pub use connections::Connections;
pub use monitor::{Event, Monitor};
pub use publisher::{Message, PeerId, Publisher, Refusal, Turn};

use zmq::Socket;

/// After this silence the system asks whether the peer is still there, seconds; and how often, and how many times. Not
/// the heartbeats of the library: its version 4.3.4 ends the process (`!_io_error`) if the timer of a heartbeat fires for a
/// connection that has ended while messages of its peer were waiting.
const KEEPALIVE_IDLE_S: i32 = 2;
const KEEPALIVE_PERIOD_S: i32 = 2;
const KEEPALIVE_COUNT: i32 = 3;
/// Time after which a peer that confirms nothing is gone, milliseconds.
const MAX_SILENCE_MS: i32 = 8000;

/// Subscriptions of a client that wait until the socket is used, and the bytes of each. The library takes all that wait within
/// a call, and searches those of all clients when one leaves: without these limits, a flood keeps the thread that publishes
/// busy for minutes.
pub const WAITING_SUBSCRIPTIONS: i32 = 8;

/// Lets the system notice peers that are gone.
///
/// # Errors
/// Returns an error if the library does not support the options.
pub fn keep_alive(socket: &mut Socket) -> zmq::Result<()> {
    socket.set_tcp_keepalive(1)?;
    socket.set_tcp_keepalive_idle(KEEPALIVE_IDLE_S)?;
    socket.set_tcp_keepalive_intvl(KEEPALIVE_PERIOD_S)?;
    socket.set_tcp_keepalive_cnt(KEEPALIVE_COUNT)?;
    set_option(socket, zmq_sys::ZMQ_TCP_MAXRT, MAX_SILENCE_MS)
}

/// Sets an option for which the crate has no name.
///
/// # Errors
/// Returns an error if the library does not support the option.
#[expect(unsafe_code, reason = "the crate has no name for these options")]
pub fn set_option(socket: &mut Socket, option: u32, value: i32) -> zmq::Result<()> {
    let place = std::ptr::from_ref(&value).cast();
    // SAFETY: the socket is alive and exclusively borrowed; the option takes an `int`, which is copied.
    let code = unsafe {
        zmq_sys::zmq_setsockopt(socket.as_mut_ptr(), option.cast_signed(), place, size_of_val(&value))
    };
    match code {
        0 => Ok(()),
        // SAFETY: reads a thread-local number.
        _ => Err(zmq::Error::from_raw(unsafe { zmq_sys::zmq_errno() })),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    /// The time at which a test begins; it drives the clock from there.
    #[expect(clippy::disallowed_methods, reason = "the beginning of a clock that a test drives")]
    pub(crate) fn now() -> Instant {
        Instant::now()
    }
}
