//! One socket between the host and a worker: frames of a length and that many bytes. Blocking, for one thread at a time.

use std::io;
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::clock;

/// Bytes of the length before each frame.
const PREFIX: usize = 4;
/// Longest frame: a payload of the largest size that plugins may send, and its address.
const MAX_FRAME: usize = bridgehead_plugin_api::rules::MAX_PAYLOAD + (1 << 20);
/// How much is read at once.
const CHUNK: usize = 64 << 10;

/// Why nothing more comes from the other side.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// It has closed the socket: the process has ended.
    Ended,
    /// It did not answer before the deadline.
    TimedOut,
    /// It has sent something that is not a frame or not a value.
    Garbage(String),
}

impl From<io::Error> for Lost {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Lost::TimedOut,
            // Whatever else a local socket says, nobody is at its other end.
            _ => Lost::Ended,
        }
    }
}

/// One end. Its halves are apart, so that an answer can be sent while the request is still borrowed from what was received.
#[derive(Debug)]
pub(super) struct LaneSocket {
    pub(super) sender: LaneSender,
    pub(super) receiver: LaneReceiver,
}

/// The half that sends.
#[derive(Debug)]
pub(super) struct LaneSender {
    stream: UnixStream,
    sent: Vec<u8>,
}

/// The half that receives.
#[derive(Debug)]
pub(super) struct LaneReceiver {
    stream: UnixStream,
    received: Vec<u8>,
    /// Bytes of `received` that have come.
    filled: usize,
    /// Bytes of `received` that belong to frames already returned.
    used: usize,
    has_time_limit: bool,
}

impl LaneSocket {
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        let other = stream.try_clone()?;
        Ok(LaneSocket {
            sender: LaneSender { stream: other, sent: Vec::new() },
            receiver: LaneReceiver {
                stream,
                received: vec![0; CHUNK],
                filled: 0,
                used: 0,
                has_time_limit: false,
            },
        })
    }
}

impl LaneSender {
    /// Sends a value.
    pub(super) fn send(&mut self, value: &impl Serialize) -> Result<(), Lost> {
        self.sent.clear();
        self.sent.resize(PREFIX, 0);
        let sent = std::mem::take(&mut self.sent);
        self.sent = postcard::to_extend(value, sent).map_err(|error| Lost::Garbage(error.to_string()))?;
        let len =
            u32::try_from(self.sent.len() - PREFIX).map_err(|error| Lost::Garbage(error.to_string()))?;
        if let Some(prefix) = self.sent.first_chunk_mut::<PREFIX>() {
            *prefix = len.to_le_bytes();
        }
        self.stream.write_all(&self.sent)?;
        Ok(())
    }

    /// Tells the other side that nothing more comes.
    pub(super) fn close(&self) {
        // It may be gone already.
        drop(self.stream.shutdown(std::net::Shutdown::Write));
    }

    /// Makes a send fail that takes longer.
    pub(super) fn limit(&self, time: Duration) -> io::Result<()> {
        self.stream.set_write_timeout(Some(time))
    }
}

impl LaneReceiver {
    /// Waits for the next value, until the deadline if there is one.
    pub(super) fn receive<'a, T: Deserialize<'a>>(
        &'a mut self,
        deadline: Option<Instant>,
    ) -> Result<T, Lost> {
        let bytes = self.receive_bytes(deadline)?;
        postcard::from_bytes(bytes).map_err(|error| Lost::Garbage(error.to_string()))
    }

    /// Waits for the bytes of the next value, until the deadline if there is one.
    pub(super) fn receive_bytes(&mut self, deadline: Option<Instant>) -> Result<&[u8], Lost> {
        let frame = self.next_frame(deadline)?;
        self.received.get(frame).ok_or(Lost::Ended)
    }

    /// Reads until a whole frame has come. Returns its place.
    fn next_frame(&mut self, deadline: Option<Instant>) -> Result<std::ops::Range<usize>, Lost> {
        self.received.copy_within(self.used..self.filled, 0);
        self.filled -= self.used;
        self.used = 0;
        self.read_until(PREFIX, deadline)?;
        let prefix = self.received.first_chunk().copied().ok_or(Lost::Ended)?;
        let len = u32::from_le_bytes(prefix) as usize;
        if len > MAX_FRAME {
            return Err(Lost::Garbage(format!("a frame of {len} bytes")));
        }
        self.read_until(PREFIX + len, deadline)?;
        self.used = PREFIX + len;
        Ok(PREFIX..PREFIX + len)
    }

    /// Reads until so many bytes are there. Memory grows with what has come, not with what was announced.
    fn read_until(&mut self, wanted: usize, deadline: Option<Instant>) -> Result<(), Lost> {
        while self.filled < wanted {
            if self.filled == self.received.len() {
                let grown = (2 * self.received.len()).min(wanted.max(CHUNK));
                self.received.resize(grown.max(self.filled + 1), 0);
            }
            self.limit(deadline)?;
            let place = self.received.get_mut(self.filled..).unwrap_or_default();
            match self.stream.read(place) {
                Ok(0) => return Err(Lost::Ended),
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Sets the time limit of the next read.
    fn limit(&mut self, deadline: Option<Instant>) -> Result<(), Lost> {
        let Some(deadline) = deadline else {
            if std::mem::take(&mut self.has_time_limit) {
                self.stream.set_read_timeout(None)?;
            }
            return Ok(());
        };
        let left = deadline.saturating_duration_since(clock::now());
        if left < Duration::from_micros(1) {
            return Err(Lost::TimedOut);
        }
        self.has_time_limit = true;
        self.stream.set_read_timeout(Some(left))?;
        Ok(())
    }
}

/// Exit code of a worker that cannot reach its host: `EX_PROTOCOL` of sysexits.h.
pub(super) const LINK_LOST: u8 = 76;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::wire::{Answer, Bytes, FromWorker, Request, ToWorker};

    fn pair() -> (LaneSocket, LaneSocket) {
        let (one, other) = UnixStream::pair().expect("sockets");
        (LaneSocket::new(one).expect("a lane"), LaneSocket::new(other).expect("a lane"))
    }

    #[test]
    fn values_arrive_as_they_were_sent() {
        let (mut host, mut worker) = pair();
        let payload = vec![7; 3 * CHUNK];
        let sender = std::thread::scope(|scope| {
            let sent = scope.spawn(|| {
                let payload = Bytes::Inline(&payload);
                let request = Request::Deliver { endpoint: 1, at_step: 2, stamp_ns: -3, payload };
                worker.sender.send(&FromWorker::Request(request))?;
                worker.sender.send(&FromWorker::Request(Request::Pending))
            });
            let first = host.receiver.receive::<FromWorker<'_>>(None).expect("the first value");
            assert!(matches!(
                first,
                FromWorker::Request(Request::Deliver { payload: Bytes::Inline(bytes), stamp_ns: -3, .. })
                    if bytes == payload
            ));
            assert!(matches!(
                host.receiver.receive::<FromWorker<'_>>(None).expect("the second value"),
                FromWorker::Request(Request::Pending)
            ));
            sent.join()
        });
        assert_eq!(sender.expect("no panic"), Ok(()));
        host.sender.send(&ToWorker::Answer(Answer::Payload(Bytes::Inline(b"some")))).expect("sent");
        let answer = worker.receiver.receive::<ToWorker<'_>>(None).expect("an answer");
        assert!(matches!(answer, ToWorker::Answer(Answer::Payload(Bytes::Inline(b"some")))), "{answer:?}");
    }

    #[test]
    fn whoever_does_not_answer_ends_or_sends_garbage_is_told_apart() {
        let (mut host, worker) = pair();
        let deadline = clock::now() + Duration::from_millis(20);
        assert_eq!(host.receiver.receive::<FromWorker<'_>>(Some(deadline)).unwrap_err(), Lost::TimedOut);
        drop(worker);
        assert_eq!(host.receiver.receive::<FromWorker<'_>>(None).unwrap_err(), Lost::Ended);

        let (one, mut other) = UnixStream::pair().expect("sockets");
        let mut host = LaneSocket::new(one).expect("a lane");
        other.write_all(&u32::MAX.to_le_bytes()).expect("sent");
        let error = host.receiver.receive::<FromWorker<'_>>(None).unwrap_err();
        assert!(matches!(&error, Lost::Garbage(text) if text.contains("4294967295")), "{error:?}");
    }

    #[test]
    fn an_announced_length_takes_no_memory() {
        let (one, mut other) = UnixStream::pair().expect("sockets");
        let mut host = LaneSocket::new(one).expect("a lane");
        other.write_all(&(200_u32 << 20).to_le_bytes()).expect("sent");
        drop(other);
        assert_eq!(host.receiver.receive::<FromWorker<'_>>(None).unwrap_err(), Lost::Ended);
        assert!(host.receiver.received.len() <= 2 * CHUNK, "{}", host.receiver.received.len());
    }

    #[test]
    fn any_bytes_are_a_value_or_refused() {
        let mut state = 1_u64;
        for _ in 0..20_000 {
            let mut bytes = [0; 40];
            for byte in &mut bytes {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                *byte = (state >> 56) as u8 & if state & 1 == 0 { 0x0f } else { 0xff };
            }
            drop(postcard::from_bytes::<FromWorker<'_>>(&bytes));
            drop(postcard::from_bytes::<ToWorker<'_>>(&bytes));
        }
    }
}
