//! One connection to a publisher.

use std::collections::VecDeque;
use std::io::{self, IoSlice, Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::subscriptions::Subscriptions;
use super::wire::{self, Fault, Frame, GREETING};

/// Longest time until a peer has said who it is.
const HANDSHAKE: Duration = Duration::from_secs(5);
/// Bytes that are read from one peer before the next is served.
const READ: usize = 4 << 10;
/// Messages that wait for a peer.
const MAX_WAITING: usize = 64;
/// Bytes of these; one message always may wait.
const MAX_WAITING_BYTES: usize = 64 << 20;

/// Bytes on their way to several peers: the head, the body and the tail of a message.
#[derive(Debug)]
pub(super) struct Bytes(pub(super) [Vec<u8>; 3]);

impl Bytes {
    fn len(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }
}

/// How far a peer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Its greeting is awaited.
    Greeting,
    /// What its socket is, is awaited.
    Ready,
    Open,
}

/// Why a peer was disconnected, as the end of a sentence about it: "it …".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not speak as a subscriber does.
    Foreign(&'static str),
    /// It exceeds a limit.
    Excess(&'static str),
}

/// Why a connection has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The peer has left.
    Left,
    /// It was disconnected.
    Refused(Refusal),
}

impl From<Fault> for End {
    fn from(fault: Fault) -> Self {
        End::Refused(Refusal::Foreign(fault.0))
    }
}

impl From<io::Error> for End {
    fn from(_: io::Error) -> Self {
        End::Left
    }
}

/// What a peer has changed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Beginnings of names that are received from now on.
    pub(super) subscribed: Vec<Vec<u8>>,
    pub(super) is_any: bool,
}

/// A connection.
#[derive(Debug)]
pub(super) struct Peer {
    stream: TcpStream,
    since: Instant,
    stage: Stage,
    arrived: Vec<u8>,
    subscriptions: Subscriptions,
    waiting: VecDeque<Arc<Bytes>>,
    waiting_bytes: usize,
    /// Bytes of the first that were sent.
    sent: usize,
}

impl Peer {
    /// Greets a peer. Its stream does not block.
    pub(super) fn new(stream: TcpStream, now: Instant) -> Self {
        let mut peer = Peer {
            stream,
            since: now,
            stage: Stage::Greeting,
            arrived: Vec::new(),
            subscriptions: Subscriptions::default(),
            waiting: VecDeque::new(),
            waiting_bytes: 0,
            sent: 0,
        };
        peer.queue(Arc::new(Bytes([wire::greeting().to_vec(), Vec::new(), Vec::new()])));
        peer
    }

    pub(super) fn stream(&self) -> &TcpStream {
        &self.stream
    }

    /// Returns true if something waits until the peer reads.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns true if it receives this topic.
    pub(super) fn receives(&self, topic: &[u8]) -> bool {
        self.subscriptions.has(topic)
    }

    /// Takes what has arrived, and sends what waits.
    pub(super) fn turn(&mut self, now: Instant, changes: &mut Changes) -> Result<(), End> {
        self.read()?;
        let mut arrived = std::mem::take(&mut self.arrived);
        let mut taken = 0;
        while let Some(length) = self.act(&arrived[taken..], changes)? {
            taken += length;
        }
        arrived.drain(..taken);
        self.arrived = arrived;
        if self.stage != Stage::Open && now.saturating_duration_since(self.since) > HANDSHAKE {
            return Err(Fault("it has not said within 5 s who it is").into());
        }
        Ok(self.flush()?)
    }

    fn read(&mut self) -> Result<(), End> {
        let mut buffer = [0; READ];
        match self.stream.read(&mut buffer) {
            Ok(0) => Err(End::Left),
            Ok(length) => {
                self.arrived.extend(&buffer[..length]);
                Ok(())
            }
            Err(error) if is_later(&error) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Acts on the first frame of what has arrived; returns its length, or `None` if it is incomplete.
    fn act(&mut self, arrived: &[u8], changes: &mut Changes) -> Result<Option<usize>, End> {
        if self.stage == Stage::Greeting {
            if !wire::check_greeting(arrived)? {
                return Ok(None);
            }
            self.stage = Stage::Ready;
            self.queue(Arc::new(Bytes([wire::ready(), Vec::new(), Vec::new()])));
            return Ok(Some(GREETING));
        }
        let Some((frame, length)) = wire::take_frame(arrived)? else { return Ok(None) };
        match (frame, self.stage) {
            (Frame::Ready(properties), _) => {
                wire::check_ready(properties)?;
                self.stage = Stage::Open;
            }
            (_, Stage::Ready | Stage::Greeting) => {
                return Err(Fault("it does not say first who it is").into());
            }
            (Frame::Subscribe(prefix), Stage::Open) => {
                if !self.subscriptions.add(prefix) {
                    return Err(End::Refused(Refusal::Excess("it has too many subscriptions")));
                }
                changes.subscribed.push(prefix.to_vec());
                changes.is_any = true;
            }
            (Frame::Cancel(prefix), Stage::Open) => {
                self.subscriptions.remove(prefix);
                changes.is_any = true;
            }
            (Frame::Ping(context), Stage::Open) => {
                let pong = Arc::new(Bytes([wire::pong(context), Vec::new(), Vec::new()]));
                if !self.queue(pong) {
                    return Err(End::Refused(Refusal::Excess("it asks without reading the answers")));
                }
            }
            (Frame::Other, Stage::Open) => {}
        }
        Ok(Some(length))
    }

    /// Lets a message wait for the peer. Returns false if too many wait already.
    pub(super) fn queue(&mut self, bytes: Arc<Bytes>) -> bool {
        let total = self.waiting_bytes.saturating_add(bytes.len());
        if !self.waiting.is_empty() && (self.waiting.len() >= MAX_WAITING || total > MAX_WAITING_BYTES) {
            return false;
        }
        self.waiting_bytes = total;
        self.waiting.push_back(bytes);
        true
    }

    /// Sends what waits, until the peer must read first.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        while let Some(bytes) = self.waiting.front() {
            let mut parts = bytes.0.each_ref().map(|part| IoSlice::new(part));
            let mut left = &mut parts[..];
            IoSlice::advance_slices(&mut left, self.sent);
            match self.stream.write_vectored(left) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(length) => self.sent += length,
                Err(error) if is_later(&error) => return Ok(()),
                Err(error) => return Err(error),
            }
            if self.sent == bytes.len() {
                self.waiting_bytes -= self.sent;
                self.sent = 0;
                self.waiting.pop_front();
            }
        }
        Ok(())
    }
}

/// Returns true if it is to be tried again.
fn is_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
