//! What a port takes from peers: content behind the right tag, up to a size. The rest is told now and then.

use crate::codes::UNSUPPORTED_INPUT;
use crate::frame::payload;
use crate::repeat_counter::{RepeatCounter, times_so_far};
use crate::tag::{LEN, Tag};

/// Larger requests and commands are nobody's: those of clients have a few hundred bytes.
pub(super) const LARGEST: usize = 64 << 10;

/// Looks at what comes to a port, the same for both libraries.
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

    /// The content of a request. Whoever asks waits for an answer, so what is no request of a client has no content.
    /// The tag is not looked at: CLOiSim does not either.
    pub(super) fn request<'a>(&self, frame: &'a [u8]) -> &'a [u8] {
        if self.is_too_large(frame) { &[] } else { payload(frame).unwrap_or_default() }
    }

    /// The content of a command, where it is one for this port.
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
                "a command on port {port} is ignored: it has not the tag of this port{times_so_far} [{UNSUPPORTED_INPUT}]"
            );
        }
        None
    }

    fn is_too_large(&self, frame: &[u8]) -> bool {
        let is_so = frame.len() > LARGEST;
        if is_so && let Some(count) = self.large.record() {
            log::warn!(
                "a message of {} bytes on port {} is not read: larger than the {LARGEST} bytes that are taken{} \
                 [{UNSUPPORTED_INPUT}]",
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
    fn requests_have_content_and_commands_have_the_tag() {
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
    fn what_is_too_large_is_not_read() {
        let inbound = Inbound::new(1, [7; LEN]);
        let largest = vec![7; LARGEST];
        let larger = vec![7; LARGEST + 1];
        assert_eq!(inbound.request(&largest).len(), LARGEST - LEN);
        assert_eq!(inbound.command(&largest).map(<[u8]>::len), Some(LARGEST - LEN));
        assert_eq!((inbound.request(&larger), inbound.command(&larger)), (&b""[..], None));
        assert_eq!((inbound.foreign.total(), inbound.large.total()), (0, 2));
    }
}
