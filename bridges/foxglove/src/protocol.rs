//! The wire format of the protocol, version 1: what clients send and what the server sends. Plain functions.
//!
//! - [`request`] reads the JSON texts of clients, [`frame`] their binary messages.
//! - [`event`] writes the JSON texts of the server, [`frame`] its binary messages.

pub(crate) mod event;
pub(crate) mod frame;
pub(crate) mod request;
#[cfg(test)]
mod tests;

/// The subprotocols: that of the vendor's present clients, and the older one. Their messages are the same.
pub(crate) const SUBPROTOCOLS: [&str; 2] = ["foxglove.sdk.v1", "foxglove.websocket.v1"];

/// Most characters of a text of a client that an error repeats.
const QUOTED: usize = 80;

/// Returns a text of a client for an error message: at most [`QUOTED`] characters, control characters replaced.
pub(crate) fn quoted(text: &str) -> String {
    let mut characters = text.chars().map(|one| if one.is_control() { ' ' } else { one });
    let mut quoted: String = characters.by_ref().take(QUOTED).collect();
    if characters.next().is_some() {
        quoted.push('…');
    }
    quoted
}
