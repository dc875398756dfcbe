//! Fuzz targets of this crate; see `tests/fuzz`.

use crate::link::Frames;
use crate::message::{Message, Sender, frame};
use crate::peer::Peer;

/// Any bytes of an autopilot: the messages that are in them, which can be sent and are then the same.
///
/// # Panics
/// Panics if they are not.
#[must_use]
pub fn messages(bytes: &[u8]) -> bool {
    let mut frames = Frames::new();
    let mut peer = Peer::default();
    let mut found = false;
    for part in bytes.chunks(61) {
        frames.push(part);
        while let Some(message) = frames.next() {
            found = true;
            check(&message);
            peer.sent(4000);
            let _ = peer.take(message);
        }
    }
    found
}

fn check(message: &Message) {
    let mut written = Vec::new();
    frame(&mut written, Sender { system: 1, component: 1 }, 0, message);
    let mut frames = Frames::new();
    frames.push(&written);
    let read = frames.next().expect("a message that was sent");
    // As bytes, because a number that is none is not equal to itself.
    let mut again = Vec::new();
    frame(&mut again, Sender { system: 1, component: 1 }, 0, &read);
    assert_eq!(again, written, "{message:?}");
}

#[cfg(test)]
mod tests {
    use bridgehead_fuzz::short_run;

    #[test]
    fn any_bytes_are_messages_or_left_out() {
        short_run("mavlink", 50_000, super::messages);
    }
}
