//! What waits to be sent on one port: bounded in bytes, and the newest wins.
//!
//! ZeroMQ has queues of its own behind this one, but those drop the newest and count messages, not bytes.

use std::collections::VecDeque;

/// Frames on their way to a port.
#[derive(Debug)]
pub(crate) struct Queue {
    frames: VecDeque<Vec<u8>>,
    bytes: usize,
    limit: usize,
    dropped: u64,
}

impl Queue {
    /// A queue that holds at most `limit` bytes, a single larger frame excepted.
    pub(crate) fn new(limit: usize) -> Self {
        Queue { frames: VecDeque::new(), bytes: 0, limit, dropped: 0 }
    }

    /// Adds a frame; the oldest ones make room.
    pub(crate) fn push(&mut self, frame: Vec<u8>) {
        while self.bytes + frame.len() > self.limit {
            let Some(oldest) = self.frames.pop_front() else { break };
            self.bytes -= oldest.len();
            self.dropped += 1;
        }
        self.bytes += frame.len();
        self.frames.push_back(frame);
    }

    pub(crate) fn pop(&mut self) -> Option<Vec<u8>> {
        let frame = self.frames.pop_front()?;
        self.bytes -= frame.len();
        Some(frame)
    }

    /// Throws everything away, which counts as no loss: a reset.
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.bytes = 0;
    }

    /// How many frames made room for newer ones.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(limit: usize, lengths: &[usize]) -> Queue {
        let mut queue = Queue::new(limit);
        lengths.iter().for_each(|len| queue.push(vec![0; *len]));
        queue
    }

    #[test]
    fn the_oldest_make_room() {
        let mut queue = queue(10, &[4, 4, 1, 3]);
        let lengths: Vec<usize> = std::iter::from_fn(|| queue.pop()).map(|frame| frame.len()).collect();
        assert_eq!((lengths, queue.dropped(), queue.bytes), (vec![4, 1, 3], 1, 0));
    }

    #[test]
    fn a_frame_larger_than_the_limit_is_alone() {
        let mut queue = queue(10, &[4, 50]);
        assert_eq!(queue.pop().map(|frame| frame.len()), Some(50));
        assert_eq!((queue.pop(), queue.dropped()), (None, 1));
    }

    #[test]
    fn clearing_is_no_loss() {
        let mut queue = queue(10, &[4, 4]);
        queue.clear();
        assert_eq!((queue.pop(), queue.dropped(), queue.bytes), (None, 0, 0));
    }
}
