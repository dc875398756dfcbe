//! The ports that publish, and the thread that sends for all of them.
//!
//! Callers put frames into the port's [`Queue`] and return at once. The thread sends them and keeps every port alive:
//! a client shuts itself down if a device is silent for 22 seconds, even while the simulation is paused.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::codes::SOCKET_FAILED;
use crate::frame::frame;
use crate::lock::lock;
use crate::queue::Queue;
use crate::socket::{Publish, Sent};
use crate::tag::Tag;
use crate::wall_clock;

/// Longest silence of a port.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// Period at which the thread looks for silent ports.
const KEEP_ALIVE_CHECK: Duration = Duration::from_millis(200);
/// Bytes that may wait on one port: two high-resolution images, or seconds of anything else.
const LIMIT: usize = 16 << 20;

/// Makes the keep-alive payload of a port that has never sent.
pub(crate) type Idle = Box<dyn Fn() -> Vec<u8> + Send + Sync>;

/// A publish port.
pub(crate) struct PublishPort {
    tag: Tag,
    idle: Idle,
    queue: Mutex<Queue>,
    send_state: Mutex<SendState>,
    /// Messages that a client was too slow to receive.
    missed: AtomicU64,
}

/// State that only the sending thread uses.
struct SendState {
    socket: Box<dyn Publish>,
    /// The last frame, which is repeated to keep the port alive.
    last: Option<Vec<u8>>,
    at: Instant,
    has_logged_failure: bool,
}

impl PublishPort {
    pub(crate) fn new(tag: Tag, socket: Box<dyn Publish>, idle: Idle) -> Self {
        let long_ago = wall_clock::now().checked_sub(KEEP_ALIVE).unwrap_or_else(wall_clock::now);
        let send_state = SendState { socket, last: None, at: long_ago, has_logged_failure: false };
        PublishPort {
            tag,
            idle,
            queue: Mutex::new(Queue::new(LIMIT)),
            send_state: Mutex::new(send_state),
            missed: AtomicU64::new(0),
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        lock(&self.queue)
    }

    fn send_state(&self) -> MutexGuard<'_, SendState> {
        lock(&self.send_state)
    }

    /// Discards queued frames and the last frame after a reset.
    fn clear(&self) {
        self.queue().clear();
        self.send_state().last = None;
    }

    /// Returns the number of lost messages: dropped for newer ones or at a reset, or too fast for a client.
    pub(crate) fn lost(&self) -> u64 {
        self.queue().dropped() + self.missed.load(Ordering::Relaxed)
    }

    /// Sends queued frames, or a keep-alive frame if the port was silent for too long.
    fn send_pending(&self, now: Instant) {
        let mut send_state = self.send_state();
        let mut has_sent = false;
        // Not `while let`, which would hold the queue lock while sending.
        loop {
            let Some(frame) = self.queue().pop() else { break };
            if send_state.send(&frame) == Some(Sent::ToSome) {
                self.missed.fetch_add(1, Ordering::Relaxed);
            }
            send_state.last = Some(frame);
            has_sent = true;
        }
        if has_sent {
            send_state.at = now;
        } else if now.saturating_duration_since(send_state.at) >= KEEP_ALIVE {
            // The first keep-alive frame is rebuilt each time, since it contains the time.
            let first = send_state.last.is_none().then(|| frame(self.tag, &(self.idle)()));
            send_state.repeat_last(first.as_deref());
            send_state.at = now;
        }
    }
}

impl SendState {
    /// Sends `first`, or repeats the last frame.
    fn repeat_last(&mut self, first: Option<&[u8]>) {
        match (first, self.last.take()) {
            (Some(frame), last) => {
                _ = self.send(frame);
                self.last = last;
            }
            (None, Some(last)) => {
                _ = self.send(&last);
                self.last = Some(last);
            }
            (None, None) => {}
        }
    }

    /// Returns `None` if sending failed.
    fn send(&mut self, frame: &[u8]) -> Option<Sent> {
        match self.socket.send(frame) {
            Ok(sent) => Some(sent),
            Err(error) => {
                if !std::mem::replace(&mut self.has_logged_failure, true) {
                    log::error!(
                        "[{SOCKET_FAILED}] a port cannot send: {error}; further failures of this port are not logged"
                    );
                }
                None
            }
        }
    }
}

/// The sending thread and its ports.
#[derive(Default)]
pub(crate) struct PublishLoop {
    publish_ports: Mutex<Vec<Arc<PublishPort>>>,
    has_frames: Mutex<bool>,
    frames_queued: Condvar,
    is_over: AtomicBool,
}

impl PublishLoop {
    fn publish_ports(&self) -> MutexGuard<'_, Vec<Arc<PublishPort>>> {
        lock(&self.publish_ports)
    }

    /// Replaces the ports.
    pub(crate) fn set(&self, publish_ports: Vec<Arc<PublishPort>>) {
        *self.publish_ports() = publish_ports;
    }

    /// Queues a payload on a port and wakes the thread.
    pub(crate) fn send(&self, publish_port: &PublishPort, payload: &[u8]) {
        publish_port.queue().push(frame(publish_port.tag, payload));
        let mut has_frames = lock(&self.has_frames);
        if !std::mem::replace(&mut *has_frames, true) {
            self.frames_queued.notify_one();
        }
    }

    /// Discards everything that is queued, after a reset.
    pub(crate) fn clear(&self) {
        self.publish_ports().iter().for_each(|publish_port| publish_port.clear());
    }

    /// Lets [`PublishLoop::run`] return.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        drop(self.has_frames.lock());
        self.frames_queued.notify_all();
    }

    /// Sends until [`PublishLoop::end`] is called.
    pub(crate) fn run(&self) {
        while !self.is_over.load(Ordering::Acquire) {
            self.wait();
            let publish_ports = self.publish_ports().clone();
            let now = wall_clock::now();
            publish_ports.iter().for_each(|publish_port| publish_port.send_pending(now));
        }
    }

    fn wait(&self) {
        let has_frames = lock(&self.has_frames);
        let waits = |has_frames: &mut bool| !*has_frames && !self.is_over.load(Ordering::Acquire);
        let waited = self.frames_queued.wait_timeout_while(has_frames, KEEP_ALIVE_CHECK, waits);
        let (mut has_frames, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *has_frames = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::socket::SocketError;

    /// Records what is sent.
    #[derive(Clone, Default)]
    struct RecordingSocket(Arc<Mutex<Vec<Vec<u8>>>>);

    impl Publish for RecordingSocket {
        fn send(&mut self, frame: &[u8]) -> Result<Sent, SocketError> {
            self.0.lock().expect("the frames").push(frame[8..].to_vec());
            Ok(if frame.ends_with(b"missed") { Sent::ToSome } else { Sent::ToAll })
        }
    }

    fn publish_port(socket: &RecordingSocket) -> PublishPort {
        PublishPort::new([1; 8], Box::new(socket.clone()), Box::new(|| b"idle".to_vec()))
    }

    fn taken(socket: &RecordingSocket) -> Vec<Vec<u8>> {
        std::mem::take(&mut *socket.0.lock().expect("the frames"))
    }

    #[test]
    fn a_silent_port_repeats_its_last_frame() {
        let (socket, publish_loop) = (RecordingSocket::default(), PublishLoop::default());
        let publish_port = publish_port(&socket);
        let start = wall_clock::now();
        publish_port.send_pending(start);
        assert_eq!(taken(&socket), [b"idle"]);
        publish_loop.send(&publish_port, b"one");
        publish_loop.send(&publish_port, b"two");
        publish_port.send_pending(start);
        assert_eq!(taken(&socket), [b"one", b"two"]);
        publish_port.send_pending(start + KEEP_ALIVE / 2);
        assert!(taken(&socket).is_empty());
        publish_port.send_pending(start + KEEP_ALIVE);
        publish_port.send_pending(start + 2 * KEEP_ALIVE);
        assert_eq!(taken(&socket), [b"two", b"two"]);
    }

    #[test]
    fn a_reset_discards_the_last_frame() {
        let (socket, publish_loop) = (RecordingSocket::default(), PublishLoop::default());
        let publish_port = Arc::new(publish_port(&socket));
        publish_loop.set(vec![Arc::clone(&publish_port)]);
        let start = wall_clock::now();
        publish_loop.send(&publish_port, b"one");
        publish_port.send_pending(start);
        publish_loop.send(&publish_port, b"two");
        publish_loop.clear();
        taken(&socket);
        publish_port.send_pending(start + KEEP_ALIVE);
        publish_port.send_pending(start + 2 * KEEP_ALIVE);
        assert_eq!(taken(&socket), [b"idle", b"idle"]);
    }

    #[test]
    fn frames_lost_to_a_slow_client_are_counted_and_keep_alive_frames_are_not() {
        let (socket, publish_loop) = (RecordingSocket::default(), PublishLoop::default());
        let publish_port = publish_port(&socket);
        let start = wall_clock::now();
        for message in [&b"one"[..], b"missed", b"two", b"missed"] {
            publish_loop.send(&publish_port, message);
        }
        publish_port.send_pending(start);
        publish_port.send_pending(start + KEEP_ALIVE);
        assert_eq!((taken(&socket).len(), publish_port.lost()), (5, 2));
    }

    #[test]
    fn a_frame_is_sent_at_once() {
        let (socket, publish_loop) = (RecordingSocket::default(), Arc::new(PublishLoop::default()));
        let publish_port = Arc::new(publish_port(&socket));
        publish_loop.set(vec![Arc::clone(&publish_port)]);
        let thread = wall_clock::thread({
            let publish_loop = Arc::clone(&publish_loop);
            move || publish_loop.run()
        });
        publish_loop.send(&publish_port, b"one");
        let deadline = wall_clock::now() + Duration::from_secs(5);
        while taken(&socket).is_empty() {
            assert!(wall_clock::now() < deadline, "no frame is sent");
            std::thread::yield_now();
        }
        publish_loop.end();
        thread.join().expect("the thread");
    }
}
