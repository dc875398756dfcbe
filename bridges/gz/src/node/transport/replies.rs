//! Answers on their way to callers.
//!
//! The replier connects to the socket that a request names. Until the peer has told its identity, the library knows no way
//! to it; the answer waits meanwhile. Each call of a command line program comes from a new process, whose connection is
//! closed some time after its last answer.

use std::time::{Duration, Instant};

use zmq::{DONTWAIT, Socket};

use crate::node::answer::Reply;

/// How long an answer waits for its connection.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long a connection is kept without an answer.
const IDLE: Duration = Duration::from_secs(60);
/// Connections that are kept; of more, the one unused for longest is closed.
const MAX_CALLERS: usize = 64;
/// Answers that may wait.
const MAX_WAITING: usize = 1000;

#[derive(Debug, Default)]
pub(super) struct Replies {
    /// The addresses of callers, and when each was answered last.
    callers: Vec<(String, Instant)>,
    waiting: Vec<(Reply, Instant)>,
}

impl Replies {
    pub(super) fn are_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Adds an answer, and connects to its caller.
    pub(super) fn add(&mut self, socket: &Socket, reply: Reply, now: Instant) {
        let address = &reply.caller.address;
        if let Some(place) = self.callers.iter().position(|(known, _)| known == address) {
            self.callers.remove(place);
        } else if let Err(error) = socket.connect(address) {
            log::debug!("connecting to {address}: {error}");
            return;
        }
        self.callers.push((address.clone(), now));
        if self.waiting.len() < MAX_WAITING {
            self.waiting.push((reply, now));
        }
    }

    /// Sends the answers whose connections are ready; gives up those that have waited for too long.
    pub(super) fn send(&mut self, socket: &Socket, now: Instant) {
        self.waiting.retain(|(reply, since)| {
            let is_sent = socket.send_multipart(reply.frames(), DONTWAIT).is_ok();
            !is_sent && now.saturating_duration_since(*since) < PATIENCE
        });
        let waiting = &self.waiting;
        let excess = self.callers.len().saturating_sub(MAX_CALLERS);
        let mut place = 0;
        self.callers.retain(|(address, last)| {
            place += 1;
            let is_old = place <= excess || now.saturating_duration_since(*last) > IDLE;
            let is_needed = waiting.iter().any(|(reply, _)| reply.caller.address == *address);
            if is_old
                && !is_needed
                && let Err(error) = socket.disconnect(address)
            {
                log::debug!("disconnecting from {address}: {error}");
            }
            !is_old || is_needed
        });
    }
}
