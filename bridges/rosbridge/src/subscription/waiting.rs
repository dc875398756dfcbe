//! The messages of a topic that wait until they are due, bounded for all topics of a client together.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bridgehead_websocket::{Backlog, Frame};

/// Messages that wait, each as frames.
pub(super) struct Waiting {
    messages: VecDeque<Vec<Frame>>,
    bytes: usize,
    /// Bytes that wait for the client, of all topics.
    held: Arc<AtomicUsize>,
}

impl Waiting {
    pub(super) fn new(held: &Arc<AtomicUsize>) -> Self {
        Waiting { messages: VecDeque::new(), bytes: 0, held: Arc::clone(held) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.messages.is_empty()
    }

    /// Adds a message. Of more than `length` messages, the oldest are dropped as the client has requested. Of more than
    /// `limit`, further ones are dropped; returns the number of their frames.
    pub(super) fn push(&mut self, message: Vec<Frame>, length: usize, limit: Backlog) -> u64 {
        let bytes = size(&message);
        self.bytes += bytes;
        self.held.fetch_add(bytes, Ordering::Relaxed);
        self.messages.push_back(message);
        while self.messages.len() > length {
            self.pop();
        }
        let mut dropped = 0;
        while self.messages.len() > 1 && self.is_over(limit) {
            dropped += self.pop().map_or(0, |frames| frames.len());
        }
        u64::try_from(dropped).unwrap_or(u64::MAX)
    }

    /// Takes the oldest message.
    pub(super) fn pop(&mut self) -> Option<Vec<Frame>> {
        let message = self.messages.pop_front()?;
        let bytes = size(&message);
        self.bytes -= bytes;
        self.held.fetch_sub(bytes, Ordering::Relaxed);
        Some(message)
    }

    fn is_over(&self, limit: Backlog) -> bool {
        self.messages.len() > limit.frames || self.held.load(Ordering::Relaxed) > limit.bytes
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.held.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

fn size(message: &[Frame]) -> usize {
    message.iter().map(Frame::size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> Vec<Frame> {
        vec![Frame::text(text.to_owned())]
    }

    #[test]
    fn the_length_drops_as_requested_and_the_limit_with_a_count() {
        let (held, limit) = (Arc::default(), Backlog { frames: 3, bytes: 10 });
        let (mut first, mut second) = (Waiting::new(&held), Waiting::new(&held));
        assert_eq!(["a", "b", "c"].map(|text| first.push(message(text), 2, limit)), [0, 0, 0]);
        assert_eq!(["d", "e"].map(|text| first.push(message(text), 100, limit)), [0, 1]);
        assert_eq!(held.load(Ordering::Relaxed), 3);
        assert_eq!(second.push(message("12345"), 100, limit), 0);
        assert_eq!(second.push(message("6789"), 100, limit), 1, "both topics together have 12 bytes");
        assert_eq!(first.pop(), Some(message("c")));
        drop(first);
        assert_eq!(held.load(Ordering::Relaxed), 4);
        assert_eq!(second.pop(), Some(message("6789")));
        assert!(second.is_empty() && second.pop().is_none());
    }
}
