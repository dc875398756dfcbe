//! Lines about clients in the log, limited so that a client cannot fill it.

use std::sync::Mutex;
use std::time::Duration;

use tokio::time::Instant;

use crate::lock::lock;
use crate::protocol::Protocol;

/// Shortest time between two lines of one kind.
const INTERVAL: Duration = Duration::from_secs(10);

/// What a line is about.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// A refused handshake.
    Refused,
    /// A client that broke a rule.
    Fault,
    /// A panic of the bridge.
    Panic,
}

/// When the last line of each kind was logged.
static LOGGED: [Mutex<Option<Instant>>; 3] = [const { Mutex::new(None) }; 3];

/// Has the protocol log a line, unless one of its kind was logged a short time ago.
pub(crate) fn warn<P: Protocol>(protocol: &P, kind: Kind, text: &str) {
    let now = Instant::now();
    let mut logged = lock(&LOGGED[kind as usize]);
    if logged.is_none_or(|at| now.duration_since(at) >= INTERVAL) {
        *logged = Some(now);
        drop(logged);
        protocol.warn(text);
    }
}
