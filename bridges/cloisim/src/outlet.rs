//! The ports that send, and the one thread that does it.
//!
//! Whoever has something to send puts it into the port's [`Queue`] and goes on. The thread sends it, and keeps every
//! port alive: a client shuts itself down where a device is silent for 22 seconds, a paused one as well.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::codes::SOCKET;
use crate::frame::frame;
use crate::queue::Queue;
use crate::socket::{Publish, Sent};
use crate::tag::Tag;
use crate::wall;

/// How long a port may be silent.
pub(crate) const KEEP_ALIVE: Duration = Duration::from_secs(1);
/// How often silent ports are looked for.
const ROUND: Duration = Duration::from_millis(200);
/// Bytes that may wait on one port: two pictures of high resolution, or seconds of anything else.
const LIMIT: usize = 16 << 20;

/// Says what a port is kept alive with as long as it has never sent.
pub(crate) type Idle = Box<dyn Fn() -> Vec<u8> + Send + Sync>;

/// A port that sends.
pub(crate) struct Outlet {
    tag: Tag,
    idle: Idle,
    queue: Mutex<Queue>,
    line: Mutex<Line>,
    /// Messages that a client was too slow for.
    missed: AtomicU64,
}

/// What only the sending thread uses.
struct Line {
    socket: Box<dyn Publish>,
    /// What was sent last, to be said again.
    last: Option<Vec<u8>>,
    at: Instant,
    complained: bool,
}

impl Outlet {
    pub(crate) fn new(tag: Tag, socket: Box<dyn Publish>, idle: Idle) -> Self {
        let long_ago = wall::now().checked_sub(KEEP_ALIVE).unwrap_or_else(wall::now);
        let line = Line { socket, last: None, at: long_ago, complained: false };
        Outlet {
            tag,
            idle,
            queue: Mutex::new(Queue::new(LIMIT)),
            line: Mutex::new(line),
            missed: AtomicU64::new(0),
        }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets what waits and what was sent: a reset.
    fn forget(&self) {
        self.queue().clear();
        self.line().last = None;
    }

    /// Messages that were lost: they made room for newer ones, or a client was too slow for them.
    pub(crate) fn lost(&self) -> u64 {
        self.queue().dropped() + self.missed.load(Ordering::Relaxed)
    }

    /// Sends what waits, or a sign of life where the port was silent for long.
    fn attend(&self, now: Instant) {
        let mut line = self.line();
        let mut has_sent = false;
        // Not `while let`, which would hold the queue while sending.
        loop {
            let Some(frame) = self.queue().pop() else { break };
            if line.send(&frame) == Some(Sent::NotToAll) {
                self.missed.fetch_add(1, Ordering::Relaxed);
            }
            line.last = Some(frame);
            has_sent = true;
        }
        if has_sent {
            line.at = now;
        } else if now.saturating_duration_since(line.at) >= KEEP_ALIVE {
            // A first sign of life is made anew each time: it tells the time.
            let first = line.last.is_none().then(|| frame(self.tag, &(self.idle)()));
            line.again(first.as_deref());
            line.at = now;
        }
    }
}

impl Line {
    /// Sends `first`, or what was sent last.
    fn again(&mut self, first: Option<&[u8]>) {
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

    /// Nothing where the port failed.
    fn send(&mut self, frame: &[u8]) -> Option<Sent> {
        match self.socket.send(frame) {
            Ok(sent) => Some(sent),
            Err(error) => {
                if !std::mem::replace(&mut self.complained, true) {
                    log::error!(
                        "a port does not send: {error}; further failures of it are not told [{SOCKET}]"
                    );
                }
                None
            }
        }
    }
}

/// The thread that sends, and its ports.
#[derive(Default)]
pub(crate) struct Post {
    outlets: Mutex<Vec<Arc<Outlet>>>,
    has_mail: Mutex<bool>,
    mail: Condvar,
    is_over: AtomicBool,
}

impl Post {
    fn outlets(&self) -> MutexGuard<'_, Vec<Arc<Outlet>>> {
        self.outlets.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// These are the ports from now on.
    pub(crate) fn set(&self, outlets: Vec<Arc<Outlet>>) {
        *self.outlets() = outlets;
    }

    /// Sends a payload on a port, soon.
    pub(crate) fn send(&self, outlet: &Outlet, payload: &[u8]) {
        outlet.queue().push(frame(outlet.tag, payload));
        let mut has_mail = self.has_mail.lock().unwrap_or_else(PoisonError::into_inner);
        if !std::mem::replace(&mut *has_mail, true) {
            self.mail.notify_one();
        }
    }

    /// Throws away what waits: a reset.
    pub(crate) fn forget(&self) {
        self.outlets().iter().for_each(|outlet| outlet.forget());
    }

    /// Lets [`Post::run`] return.
    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Release);
        drop(self.has_mail.lock());
        self.mail.notify_all();
    }

    /// Sends until the end.
    pub(crate) fn run(&self) {
        while !self.is_over.load(Ordering::Acquire) {
            self.wait();
            let outlets = self.outlets().clone();
            let now = wall::now();
            outlets.iter().for_each(|outlet| outlet.attend(now));
        }
    }

    fn wait(&self) {
        let has_mail = self.has_mail.lock().unwrap_or_else(PoisonError::into_inner);
        let waits = |has_mail: &mut bool| !*has_mail && !self.is_over.load(Ordering::Acquire);
        let waited = self.mail.wait_timeout_while(has_mail, ROUND, waits);
        let (mut has_mail, _) = waited.unwrap_or_else(PoisonError::into_inner);
        *has_mail = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps what is sent.
    #[derive(Clone, Default)]
    struct Shelf(Arc<Mutex<Vec<Vec<u8>>>>);

    impl Publish for Shelf {
        fn send(&mut self, frame: &[u8]) -> Result<Sent, String> {
            self.0.lock().expect("the shelf").push(frame[8..].to_vec());
            Ok(if frame.ends_with(b"missed") { Sent::NotToAll } else { Sent::ToAll })
        }
    }

    fn outlet(shelf: &Shelf) -> Outlet {
        Outlet::new([1; 8], Box::new(shelf.clone()), Box::new(|| b"idle".to_vec()))
    }

    fn taken(shelf: &Shelf) -> Vec<Vec<u8>> {
        std::mem::take(&mut *shelf.0.lock().expect("the shelf"))
    }

    #[test]
    fn a_silent_port_says_what_it_said_last() {
        let (shelf, post) = (Shelf::default(), Post::default());
        let outlet = outlet(&shelf);
        let start = wall::now();
        outlet.attend(start);
        assert_eq!(taken(&shelf), [b"idle"]);
        post.send(&outlet, b"one");
        post.send(&outlet, b"two");
        outlet.attend(start);
        assert_eq!(taken(&shelf), [b"one", b"two"]);
        outlet.attend(start + KEEP_ALIVE / 2);
        assert!(taken(&shelf).is_empty());
        outlet.attend(start + KEEP_ALIVE);
        outlet.attend(start + 2 * KEEP_ALIVE);
        assert_eq!(taken(&shelf), [b"two", b"two"]);
    }

    #[test]
    fn a_reset_forgets_what_was_said() {
        let (shelf, post) = (Shelf::default(), Post::default());
        let outlet = Arc::new(outlet(&shelf));
        post.set(vec![Arc::clone(&outlet)]);
        let start = wall::now();
        post.send(&outlet, b"one");
        outlet.attend(start);
        post.send(&outlet, b"two");
        post.forget();
        taken(&shelf);
        outlet.attend(start + KEEP_ALIVE);
        outlet.attend(start + 2 * KEEP_ALIVE);
        assert_eq!(taken(&shelf), [b"idle", b"idle"]);
    }

    #[test]
    fn what_a_client_is_too_slow_for_is_counted_and_signs_of_life_are_not() {
        let (shelf, post) = (Shelf::default(), Post::default());
        let outlet = outlet(&shelf);
        let start = wall::now();
        for message in [&b"one"[..], b"missed", b"two", b"missed"] {
            post.send(&outlet, message);
        }
        outlet.attend(start);
        outlet.attend(start + KEEP_ALIVE);
        assert_eq!((taken(&shelf).len(), outlet.lost()), (5, 2));
    }

    #[test]
    fn mail_is_sent_at_once() {
        let (shelf, post) = (Shelf::default(), Arc::new(Post::default()));
        let outlet = Arc::new(outlet(&shelf));
        post.set(vec![Arc::clone(&outlet)]);
        let thread = wall::thread({
            let post = Arc::clone(&post);
            move || post.run()
        });
        post.send(&outlet, b"one");
        let deadline = wall::now() + Duration::from_secs(5);
        while taken(&shelf).is_empty() && wall::now() < deadline {
            std::thread::yield_now();
        }
        assert!(wall::now() < deadline);
        post.end();
        thread.join().expect("the thread");
    }
}
