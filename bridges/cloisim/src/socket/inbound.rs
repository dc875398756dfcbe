//! Checks what peers send to a port: the tag and the size. Rejected messages are logged at powers of ten.

use crate::codes::UNSUPPORTED_INPUT;
use crate::frame::payload;
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::tag::{LEN, Tag};

/// Largest accepted request or command in bytes; those of clients have a few hundred.
pub(super) const LARGEST: usize = 64 << 10;

/// Checks the input of one port, the same for both libraries.
pub(super) struct Inbound {
    port: u16,
    tag: Tag,
    large: RepeatCounter,
    foreign: RepeatCounter,
}

impl Inbound {
    pub(super) fn new(port: u16, tag: Tag) -> Self {
        Inbound { port, tag, large: RepeatCounter::default(), foreign: RepeatCounter::default() }
    }

    /// Returns the content of a request. The requester waits for a reply, so an invalid request has empty content
    /// instead of being dropped. The tag is not checked, as in CLOiSim.
    pub(super) fn request<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        if self.is_too_large(frame) { &[] } else { payload(frame).unwrap_or_default() }
    }

    /// Returns the content of a command if it carries the tag of this port.
    pub(super) fn command<'a>(&self, frame: &'a [u8]) -> Option<&'a [u8]> {
        if self.is_too_large(frame) {
            return None;
        }
        if frame.get(..LEN) == Some(&self.tag[..]) {
            return payload(frame);
        }
        if let Some(count) = self.foreign.record() {
            let (port, times_so_far) = (self.port, times_so_far(count));
            log::warn!(
                "[{UNSUPPORTED_INPUT}] a command on port {port} is ignored: it does not carry the tag of this \
                 port{times_so_far}"
            );
        }
        None
    }

    fn is_too_large(&self, frame: &[u8]) -> bool {
        let is_so = frame.len() > LARGEST;
        if is_so && let Some(count) = self.large.record() {
            log::warn!(
                "[{UNSUPPORTED_INPUT}] a message of {} bytes on port {} is ignored: the limit is {LARGEST} bytes{}",
                frame.len(),
                self.port,
                times_so_far(count)
            );
        }
        is_so
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_need_no_tag_and_commands_do() {
        let inbound = Inbound::new(1, [7; LEN]);
        let frame = |tag: u8, content: &[u8]| crate::frame::frame([tag; LEN], content);
        assert_eq!(inbound.request(&frame(7, b"a")), b"a");
        assert_eq!(inbound.request(&frame(8, b"a")), b"a");
        assert_eq!(inbound.request(b"short"), b"");
        assert_eq!(inbound.command(&frame(7, b"a")), Some(&b"a"[..]));
        assert_eq!(inbound.command(&frame(7, b"")), Some(&b""[..]));
        assert_eq!(inbound.command(&frame(8, b"a")), None);
        assert_eq!(inbound.command(b"short"), None);
        assert_eq!((inbound.foreign.total(), inbound.large.total()), (2, 0));
    }

    #[test]
    fn messages_over_the_limit_are_ignored() {
        let inbound = Inbound::new(1, [7; LEN]);
        let largest = vec![7; LARGEST];
        let larger = vec![7; LARGEST + 1];
        assert_eq!(inbound.request(&largest).len(), LARGEST - LEN);
        assert_eq!(inbound.command(&largest).map(<[u8]>::len), Some(LARGEST - LEN));
        assert_eq!((inbound.request(&larger), inbound.command(&larger)), (&b""[..], None));
        assert_eq!((inbound.foreign.total(), inbound.large.total()), (0, 2));
    }
}
