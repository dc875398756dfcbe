//! Calls of a protocol, with their panics caught.

use std::any::Any;
use std::net::SocketAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bridgehead_plugin_api::serving::during;

use crate::protocol::Protocol;
use crate::report::{Kind, warn};

/// Calls `code`; `None` if it panics, which is logged. `what` names the call if it does not come back.
pub(crate) fn call<P: Protocol, R>(
    protocol: &P,
    what: &'static str,
    peer: SocketAddr,
    code: impl FnOnce(&P) -> R,
) -> Option<R> {
    // A callback that panicked may leave the state of its client inconsistent; the client is disconnected then.
    let work = AssertUnwindSafe(|| during(what, Some(peer), || code(protocol)));
    match catch_unwind(work) {
        Ok(result) => Some(result),
        Err(panic) => {
            let text = text_of(panic.as_ref());
            let line = format!("the client {peer} is disconnected, because the bridge has panicked: {text}");
            warn(protocol, Kind::Panic, &line);
            None
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a text")
}
