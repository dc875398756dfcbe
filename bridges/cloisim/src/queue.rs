//! The send queue of one port: bounded in bytes, the oldest frames are dropped first.
//!
//! ZeroMQ has its own queues behind this one, but those drop the newest messages and count messages instead of bytes.

use std::collections::VecDeque;

/// Frames waiting to be sent on a port.
#[derive(Debug)]
pub(crate) struct Queue {
    frames: VecDeque<Vec<u8>>,
    bytes: usize,
    limit: usize,
    dropped: u64,
}

impl Queue {
    /// A queue that holds at most `limit` bytes, or a single larger frame.
    pub(crate) fn new(limit: usize) -> Self {
        Queue { frames: VecDeque::new(), bytes: 0, limit, dropped: 0 }
    }

    /// Adds a frame and drops the oldest ones if there is no room.
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

    /// Drops all frames, after a reset: they are of the time before it.
    pub(crate) fn clear(&mut self) {
        self.dropped += self.frames.len() as u64;
        self.frames.clear();
        self.bytes = 0;
    }

    /// Returns the number of frames dropped for newer ones, or at a reset.
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
    fn the_oldest_frames_are_dropped() {
        let mut queue = queue(10, &[4, 4, 1, 3]);
        let lengths: Vec<usize> = std::iter::from_fn(|| queue.pop()).map(|frame| frame.len()).collect();
        assert_eq!((lengths, queue.dropped(), queue.bytes), (vec![4, 1, 3], 1, 0));
    }

    #[test]
    fn a_frame_larger_than_the_limit_is_kept_alone() {
        let mut queue = queue(10, &[4, 50]);
        assert_eq!(queue.pop().map(|frame| frame.len()), Some(50));
        assert_eq!((queue.pop(), queue.dropped()), (None, 1));
    }

    #[test]
    fn cleared_frames_are_dropped() {
        let mut queue = queue(10, &[4, 4]);
        queue.clear();
        assert_eq!((queue.pop(), queue.dropped(), queue.bytes), (None, 2, 0));
    }
}
