//! How long the threads of this process and its workers have waited for a processor, while other work used all of them.
//!
//! A call that waits is not slow: on a busy machine, the same call needs several times as long. The watchdog thread looks
//! at the threads only while a call lasts, so that short calls cost nothing.

use std::collections::HashMap;
use std::fs;
use std::sync::Mutex;
use std::time::Duration;

use crate::thread::lock;

/// The worker processes.
static WORKERS: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// A worker process whose threads are looked at until drop.
#[derive(Debug)]
pub struct Counted(u32);

impl Counted {
    /// Adds a worker process.
    #[must_use]
    pub fn new(process: u32) -> Self {
        lock(&WORKERS).push(process);
        Counted(process)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        lock(&WORKERS).retain(|process| *process != self.0);
    }
}

/// The time of each thread in which it could have run, but had no processor, by the number of the thread, which is unique on
/// the machine.
#[derive(Debug, Default)]
struct Waits(HashMap<String, Duration>);

impl Waits {
    /// Reads the times; none if the kernel does not count them.
    fn read() -> Self {
        let workers: Vec<String> = lock(&WORKERS).iter().map(u32::to_string).collect();
        let processes = workers.iter().map(String::as_str).chain(["self"]);
        let folders = processes.filter_map(|process| fs::read_dir(format!("/proc/{process}/task")).ok());
        let threads = folders.flatten().flatten();
        let times = threads.filter_map(|thread| {
            let text = fs::read_to_string(thread.path().join("schedstat")).ok()?;
            Some((thread.file_name().into_string().ok()?, parse(&text)?))
        });
        Waits(times.collect())
    }

    /// Returns the longest time that one thread has waited since `earlier`.
    fn longest_since(&self, earlier: &Self) -> Duration {
        // A thread that is new has waited since it was created, which is later than `earlier`.
        let before = |thread| earlier.0.get(thread).copied().unwrap_or_default();
        let since = self.0.iter().map(|(thread, total)| total.saturating_sub(before(thread)));
        since.max().unwrap_or_default()
    }
}

/// Returns the second number of a `schedstat`: the time spent waiting for a processor, in nanoseconds.
fn parse(schedstat: &str) -> Option<Duration> {
    schedstat.split(' ').nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// Returns which part of `elapsed` does not count: `waited`, but at most nine tenths, because threads of a plugin that compete
/// with each other for ever must not excuse it for ever.
pub(super) fn excusable(waited: Duration, elapsed: Duration) -> Duration {
    waited.min(elapsed / 10 * 9)
}

/// Consecutive looks of the watchdog thread at the running call.
#[derive(Debug, Default)]
pub(super) struct Looks {
    /// The call and its count.
    call: Option<(u64, u64)>,
    waits: Option<Waits>,
}

impl Looks {
    /// Looks at the running call. Returns how long the thread that waited the longest has waited since the last look.
    ///
    /// It is not known which threads the call needs, for example those that draw an image. Zero until a call was seen
    /// three times: at the first, it is unknown whether the call is long, and there is nothing to compare the second with.
    pub(super) fn again(&mut self, running: Option<(u64, u64)>) -> Duration {
        if running.is_none() || self.call != running {
            *self = Looks { call: running, waits: None };
            return Duration::ZERO;
        }
        let now = Waits::read();
        let waited = self.waits.as_ref().map_or(Duration::ZERO, |before| now.longest_since(before));
        self.waits = Some(now);
        waited
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::hint::black_box;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    /// Runs a function while five threads for each processor use up its time.
    pub(in crate::watchdog) fn beside_load(body: impl FnOnce()) {
        let is_over = AtomicBool::new(false);
        let processors = thread::available_parallelism().map_or(1, usize::from);
        thread::scope(|scope| {
            for _ in 0..5 * processors {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        black_box(0);
                    }
                });
            }
            body();
            is_over.store(true, Ordering::Relaxed);
        });
    }

    #[test]
    fn threads_that_share_a_processor_wait() {
        let long = Duration::from_millis(500);
        let mut looks = Looks::default();
        beside_load(|| {
            let waited = [(); 3].map(|()| {
                // Wall time: the system counts how long threads wait for a processor.
                thread::sleep(long);
                looks.again(Some((1, 1)))
            });
            assert_eq!(waited[..2], [Duration::ZERO; 2]);
            assert!(waited[2] > long / 2, "{waited:?}");
        });
    }

    #[test]
    fn threads_of_workers_are_looked_at() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().expect("a process");
        let id = child.id().to_string();
        let counted = Counted::new(child.id());
        assert!(Waits::read().0.contains_key(&id));
        drop(counted);
        assert!(!Waits::read().0.contains_key(&id));
        child.kill().and_then(|()| child.wait()).expect("our child");
    }

    #[test]
    fn another_call_begins_anew() {
        let mut looks = Looks::default();
        beside_load(|| {
            for count in 0..4 {
                // Wall time: the system counts how long threads wait for a processor.
                thread::sleep(Duration::from_millis(20));
                assert_eq!(looks.again(Some((1, count))), Duration::ZERO);
                assert_eq!(looks.again(None), Duration::ZERO);
            }
        });
    }

    #[test]
    fn no_time_is_excused_completely() {
        let [one, nine, ten] = [1, 9, 10].map(Duration::from_secs);
        assert_eq!((excusable(one, ten), excusable(ten, ten), excusable(ten, one) < one), (one, nine, true));
    }

    #[test]
    fn times_are_compared_by_thread() {
        let waits = |times: &[(&str, u64)]| {
            Waits(
                times
                    .iter()
                    .map(|(thread, time)| ((*thread).to_owned(), Duration::from_secs(*time)))
                    .collect(),
            )
        };
        let (before, now) = (waits(&[("1", 5), ("2", 7)]), waits(&[("1", 6), ("2", 9), ("3", 1)]));
        assert_eq!(now.longest_since(&before), Duration::from_secs(2));
        assert_eq!(before.longest_since(&now), Duration::ZERO);
        let newer = waits(&[("1", 6), ("2", 9), ("4", 3)]);
        assert_eq!(
            newer.longest_since(&now),
            Duration::from_secs(3),
            "a new thread has waited since it was created"
        );
        assert_eq!(parse("828144 81842 2\n"), Some(Duration::from_nanos(81_842)));
        assert_eq!(["", "7", "7 x 2"].map(parse), [None; 3]);
    }
}
