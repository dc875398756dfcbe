//! What the threads of a library do for peers, so that one that does not come back is named.
//!
//! A server thread makes each piece of work for a peer within [`during`]. The host asks every bridge for its status in each
//! step; meanwhile work that lasts too long is reported, once, with the thread and the peer (`BH-BRG-037`): while it lasts,
//! the other peers of the thread wait.

use std::cell::OnceCell;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Longest work for a peer that is not reported. A server answers within milliseconds; a machine under load may keep a
/// thread waiting for seconds.
const LONGEST: Duration = Duration::from_secs(10);
/// Of so many calls of `status`, of which there is one in each step, one looks at the threads.
const CALLS: u32 = 256;

/// The threads that have worked for peers.
static THREADS: Mutex<Vec<Weak<Server>>> = Mutex::new(Vec::new());

thread_local! {
    static OWN: OnceCell<Arc<Server>> = const { OnceCell::new() };
}

/// A thread that works for peers.
#[derive(Debug)]
struct Server {
    thread: String,
    work: Mutex<Option<Work>>,
}

/// A piece of work.
#[derive(Clone, Copy, Debug)]
struct Work {
    what: &'static str,
    peer: Option<SocketAddr>,
    since: Instant,
    is_reported: bool,
}

/// Does a piece of work for a peer: `what` is a noun, such as "a message". Work within other work is a part of it.
pub fn during<T>(what: &'static str, peer: Option<SocketAddr>, body: impl FnOnce() -> T) -> T {
    let work = Work { what, peer, since: now(), is_reported: false };
    // Without a slot while the thread ends.
    let server = OWN.try_with(|own| Arc::clone(own.get_or_init(Server::register))).ok();
    let began = server.filter(|server| server.begin(work));
    let _end = began.map(End);
    body()
}

/// Ends the work of a thread, also if it panics.
struct End(Arc<Server>);

impl Drop for End {
    fn drop(&mut self) {
        *lock(&self.0.work) = None;
    }
}

impl Server {
    fn register() -> Arc<Self> {
        let thread = std::thread::current().name().unwrap_or("without a name").to_owned();
        let server = Arc::new(Server { thread, work: Mutex::new(None) });
        let mut threads = lock(&THREADS);
        threads.retain(|thread| thread.strong_count() > 0);
        threads.push(Arc::downgrade(&server));
        server
    }

    /// Notes the beginning of a piece of work; false within another one.
    fn begin(&self, work: Work) -> bool {
        let mut current = lock(&self.work);
        let is_outer = current.is_none();
        current.get_or_insert(work);
        is_outer
    }

    /// Returns what is said of work that lasts too long, once.
    fn complaint(&self, now: Instant) -> Option<String> {
        let mut current = lock(&self.work);
        let work = current.as_mut().filter(|work| !work.is_reported)?;
        let lasts = now.saturating_duration_since(work.since);
        if lasts < LONGEST {
            return None;
        }
        work.is_reported = true;
        let peer = work.peer.map(|peer| format!(" of the peer {peer}")).unwrap_or_default();
        Some(format!(
            "thread `{}` has not come back from {}{peer} for {} s; the other peers of this thread wait",
            self.thread,
            work.what,
            lasts.as_secs()
        ))
    }
}

/// Reports work that lasts too long. Called for each `status`, and looks at the threads now and then.
pub(crate) fn check() {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    if COUNT.fetch_add(1, Ordering::Relaxed).is_multiple_of(CALLS) {
        for complaint in complaints(now()) {
            log::warn!("[BH-BRG-037] {complaint}");
        }
    }
}

fn complaints(now: Instant) -> Vec<String> {
    let threads: Vec<_> = lock(&THREADS).iter().filter_map(Weak::upgrade).collect();
    threads.iter().filter_map(|thread| thread.complaint(now)).collect()
}

#[expect(clippy::disallowed_methods, reason = "peers wait in real time; nothing simulated depends on it")]
fn now() -> Instant {
    Instant::now()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The complaints of this thread, which the test has renamed.
    fn of(thread: &str, at: Instant) -> Vec<String> {
        complaints(at).into_iter().filter(|complaint| complaint.contains(thread)).collect()
    }

    fn on_thread(name: &str, body: impl FnOnce() + Send + 'static) {
        let thread = std::thread::Builder::new().name(name.to_owned()).spawn(body).expect("a thread");
        thread.join().expect("no panic");
    }

    #[test]
    fn work_that_does_not_end_is_named_once_and_other_work_is_not() {
        on_thread("slow-serve", || {
            let later = now() + 2 * LONGEST;
            during("a message", Some(([127, 0, 0, 1], 4711).into()), || {
                assert!(of("slow-serve", now()).is_empty(), "work has just begun");
                during("a part", None, || ());
                let found = of("slow-serve", later);
                assert_eq!(found.len(), 1, "{found:?}");
                let text =
                    "thread `slow-serve` has not come back from a message of the peer 127.0.0.1:4711 for ";
                assert!(found[0].starts_with(text), "{found:?}");
                assert!(of("slow-serve", later).is_empty(), "once");
            });
            assert!(of("slow-serve", later).is_empty(), "it has ended");
        });
    }

    #[test]
    fn work_that_panics_has_ended() {
        on_thread("panic-serve", || {
            let outcome = std::panic::catch_unwind(|| during("a message", None, || panic!("inside")));
            assert!(outcome.is_err());
            assert!(of("panic-serve", now() + 2 * LONGEST).is_empty());
        });
    }
}
