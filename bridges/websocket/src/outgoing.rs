//! The queue of frames that wait for one client.
//!
//! Data and replies wait in two lists with one numbering, so that they leave in the order in which they came, and the
//! oldest data is found at once.

use std::collections::VecDeque;

use crate::frame::Frame;
use crate::options::Backlog;

/// Close code for a client that does not take its replies.
const TOO_SLOW: u16 = 1008;

/// What the sending side does next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// Call [`crate::Protocol::poll`].
    Poll,
    /// Call [`crate::Protocol::lost`] with this number of frames.
    ReportLoss(u64),
    /// Send this frame.
    Send(Frame),
    /// Send a close frame and end.
    Close(u16, String),
}

#[derive(Debug)]
enum State {
    Open,
    Closing(u16, String),
    Ended,
}

/// Frames of one kind.
#[derive(Debug, Default)]
struct Waiting {
    frames: VecDeque<(u64, Frame)>,
    bytes: usize,
}

impl Waiting {
    fn push(&mut self, number: u64, frame: Frame) {
        self.bytes += frame.size();
        self.frames.push_back((number, frame));
    }

    fn pop(&mut self) -> Option<Frame> {
        let (_, frame) = self.frames.pop_front()?;
        self.bytes -= frame.size();
        Some(frame)
    }

    fn is_over(&self, limit: Backlog) -> bool {
        self.frames.len() > limit.frames || (self.bytes > limit.bytes && self.frames.len() > 1)
    }

    fn clear(&mut self) {
        *self = Waiting::default();
    }

    /// Returns the number of the oldest frame.
    fn oldest(&self) -> Option<u64> {
        self.frames.front().map(|(number, _)| *number)
    }
}

/// The queue of one client.
#[derive(Debug)]
pub(crate) struct Outgoing {
    state: State,
    data: Waiting,
    replies: Waiting,
    data_limit: Backlog,
    reply_limit: Backlog,
    next: u64,
    dropped: u64,
    unreported: u64,
    is_awake: bool,
}

impl Outgoing {
    pub(crate) fn new(data_limit: Backlog, reply_limit: Backlog) -> Self {
        Outgoing {
            state: State::Open,
            data: Waiting::default(),
            replies: Waiting::default(),
            data_limit,
            reply_limit,
            next: 0,
            dropped: 0,
            unreported: 0,
            is_awake: false,
        }
    }

    /// Queues data and returns the number of frames that were dropped for it.
    pub(crate) fn data(&mut self, frame: Frame) -> u64 {
        if !self.is_open() {
            return 0;
        }
        let number = self.number();
        self.data.push(number, frame);
        let mut dropped = 0;
        while self.data.is_over(self.data_limit) && self.data.pop().is_some() {
            dropped += 1;
        }
        self.lose(dropped);
        dropped
    }

    /// Counts data that was dropped.
    pub(crate) fn lose(&mut self, count: u64) {
        self.dropped += count;
        self.unreported += count;
    }

    pub(crate) fn data_limit(&self) -> Backlog {
        self.data_limit
    }

    /// Queues a reply; closes the connection if too many wait.
    pub(crate) fn reply(&mut self, frame: Frame) {
        if !self.is_open() {
            return;
        }
        let number = self.number();
        self.replies.push(number, frame);
        if self.replies.is_over(self.reply_limit) {
            self.replies.clear();
            self.close(TOO_SLOW, "the client does not read its replies");
        }
    }

    /// Closes the connection after the queued replies.
    pub(crate) fn close(&mut self, code: u16, reason: &str) {
        if self.is_open() {
            self.data.clear();
            self.state = State::Closing(code, reason.to_owned());
        }
    }

    /// Closes the connection after everything that is queued.
    pub(crate) fn finish(&mut self, code: u16, reason: &str) {
        if self.is_open() {
            self.state = State::Closing(code, reason.to_owned());
        }
    }

    /// Drops everything.
    pub(crate) fn end(&mut self) {
        self.data.clear();
        self.replies.clear();
        self.state = State::Ended;
    }

    pub(crate) fn wake(&mut self) {
        self.is_awake = true;
    }

    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, State::Open)
    }

    pub(crate) fn waiting(&self) -> Backlog {
        Backlog {
            frames: self.data.frames.len() + self.replies.frames.len(),
            bytes: self.data.bytes + self.replies.bytes,
        }
    }

    /// Takes what to do next.
    pub(crate) fn take(&mut self) -> Option<Step> {
        if std::mem::take(&mut self.is_awake) && self.is_open() {
            return Some(Step::Poll);
        }
        if self.unreported > 0 && self.is_open() {
            return Some(Step::ReportLoss(std::mem::take(&mut self.unreported)));
        }
        if let Some(frame) = self.next_frame() {
            return Some(Step::Send(frame));
        }
        match std::mem::replace(&mut self.state, State::Ended) {
            State::Closing(code, reason) => Some(Step::Close(code, reason)),
            other @ (State::Open | State::Ended) => {
                self.state = other;
                None
            }
        }
    }

    fn next_frame(&mut self) -> Option<Frame> {
        let is_data_first = match (self.data.oldest(), self.replies.oldest()) {
            (Some(data), Some(reply)) => data < reply,
            (data, None) => data.is_some(),
            (None, Some(_)) => false,
        };
        if is_data_first { self.data.pop() } else { self.replies.pop() }
    }

    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(text: &str) -> Frame {
        Frame::text(text.to_owned())
    }

    fn queue(frames: usize, bytes: usize) -> Outgoing {
        Outgoing::new(Backlog { frames, bytes }, Backlog { frames: 2, bytes: 100 })
    }

    fn sent(queue: &mut Outgoing) -> Vec<Step> {
        std::iter::from_fn(|| queue.take()).collect()
    }

    #[test]
    fn data_and_replies_leave_in_their_order() {
        let mut queue = queue(10, 100);
        queue.data(frame("a"));
        queue.reply(frame("b"));
        queue.data(frame("c"));
        assert_eq!(queue.waiting(), Backlog { frames: 3, bytes: 3 });
        assert_eq!(sent(&mut queue), ["a", "b", "c"].map(|text| Step::Send(frame(text))));
        assert_eq!(queue.waiting(), Backlog { frames: 0, bytes: 0 });
    }

    #[test]
    fn the_oldest_data_is_dropped_counted_and_reported_first() {
        let mut queue = queue(2, 100);
        queue.data(frame("a"));
        queue.reply(frame("r"));
        assert_eq!(["b", "c", "d"].map(|text| queue.data(frame(text))), [0, 1, 1]);
        assert_eq!(queue.dropped(), 2);
        let rest = ["r", "c", "d"].map(|text| Step::Send(frame(text)));
        assert_eq!(queue.take(), Some(Step::ReportLoss(2)));
        assert_eq!(sent(&mut queue), rest);
    }

    #[test]
    fn bytes_are_bounded_but_one_frame_may_be_larger() {
        let mut queue = queue(10, 4);
        assert_eq!(queue.data(frame("abc")), 0);
        assert_eq!(queue.data(frame("de")), 1);
        assert_eq!(queue.data(frame("a long text")), 1);
        assert_eq!(queue.waiting().frames, 1);
    }

    #[test]
    fn a_client_with_too_many_replies_is_closed() {
        let mut queue = queue(10, 100);
        queue.data(frame("a"));
        for text in ["b", "c", "d", "e"] {
            queue.reply(frame(text));
        }
        assert!(!queue.is_open());
        let close = Step::Close(1008, "the client does not read its replies".to_owned());
        assert_eq!(sent(&mut queue), [close]);
        queue.data(frame("f"));
        assert_eq!(sent(&mut queue), []);
    }

    #[test]
    fn a_finish_follows_everything() {
        let mut queue = queue(10, 100);
        queue.reply(frame("a"));
        queue.data(frame("b"));
        queue.finish(1001, "end");
        queue.data(frame("c"));
        let end = Step::Close(1001, "end".to_owned());
        assert_eq!(sent(&mut queue), [Step::Send(frame("a")), Step::Send(frame("b")), end]);
    }

    #[test]
    fn a_close_follows_the_replies_and_drops_data() {
        let mut queue = queue(10, 100);
        queue.reply(frame("a"));
        queue.data(frame("b"));
        queue.wake();
        queue.close(1000, "done");
        let expected = [Step::Send(frame("a")), Step::Close(1000, "done".to_owned())];
        assert_eq!(sent(&mut queue), expected);
    }
}
