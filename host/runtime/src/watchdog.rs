//! Time limits for calls of the simulation thread into plugins, and for lifecycle states; and whether that thread
//! responds at all. A call that does not return cannot be ended, so the run ends and the report names the plugin.
//!
//! The simulation thread records each call in two words; the watchdog thread polls them. The caller of
//! [`Watchdog::watch`] decides what happens when a limit is exceeded.

mod call;
mod call_budget;
mod heartbeat;
mod seen;
mod states;
mod waits;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

pub use self::call::Call;
pub use call_budget::{CallLimits, OVER_BUDGET, Stopwatch, TOO_OFTEN, Timing};
pub use states::{Late, Mode};
pub use waits::Counted;

use seen::{LOOKS_PER_LIMIT, Tracked};

use crate::call::{Preparation, preparation};
use crate::thread::{Named, lock, spawn};

/// A call that does not return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hang {
    /// Label of the instance; before there is one, the library or the plugin.
    pub owner: String,
    /// Name of the call; `constructor` for the code that runs while a library is loaded.
    pub call: &'static str,
    /// How long it had been running when it was detected, without the time in which it waited for a processor.
    pub running: Duration,
}

/// Number of an instance that calls are made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watched(u32);

/// The current call of the simulation thread.
#[derive(Debug, Default)]
pub struct Watchdog {
    names: Mutex<Vec<String>>,
    /// `(instance number + 1) << 8 | call`, or [`IN_WORKER`]; 0 outside of calls.
    call: AtomicU64,
    /// Counts calls, so that one long call differs from many short ones.
    count: AtomicU64,
    excused: Mutex<Excused>,
    states: states::States,
    heartbeat: heartbeat::Heartbeat,
}

impl Watchdog {
    fn names(&self) -> MutexGuard<'_, Vec<String>> {
        lock(&self.names)
    }

    /// Registers an instance.
    pub fn register(&self, label: &str) -> Watched {
        let mut names = self.names();
        // An instance that returns with the next world gets the same number again.
        let known = names.iter().position(|name| name == label);
        let index = known.or_else(|| names.iter().position(String::is_empty)).unwrap_or(names.len());
        match names.get_mut(index) {
            Some(name) => label.clone_into(name),
            None => names.push(label.to_owned()),
        }
        Watched(u32::try_from(index).unwrap_or(u32::MAX))
    }

    /// Removes an instance. Its number may be used again.
    pub fn forget(&self, instance: Watched) {
        self.names().get_mut(instance.0 as usize).into_iter().for_each(String::clear);
    }

    /// Runs a call. `[simulation thread]`
    pub fn during<T>(&self, instance: Watched, call: Call, body: impl FnOnce() -> T) -> T {
        self.mark((u64::from(instance.0) + 1) << 8 | call as u64, body)
    }

    /// Runs a call in a worker process, which is ended if it does not return: only its wait for a processor is
    /// measured. `[simulation thread]`
    pub fn during_in_worker<T>(&self, body: impl FnOnce() -> T) -> T {
        self.mark(IN_WORKER, body)
    }

    fn mark<T>(&self, word: u64, body: impl FnOnce() -> T) -> T {
        self.count.store(self.count.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
        self.call.store(word, Ordering::Release);
        let result = body();
        self.call.store(0, Ordering::Release);
        result
    }

    /// The running call, with its count.
    fn running(&self) -> Option<(u64, u64)> {
        let word = self.call.load(Ordering::Acquire);
        (word != 0).then(|| (word, self.count.load(Ordering::Relaxed)))
    }

    /// Returns the call that the simulation thread makes: `` `sample` of `car1/imu` ``.
    #[must_use]
    pub fn running_call(&self) -> Option<String> {
        let (word, _) = self.running()?;
        let call = self.describe(word, Duration::ZERO)?;
        Some(format!("`{}` of `{}`", call.call, call.owner))
    }

    fn describe(&self, word: u64, running: Duration) -> Option<Hang> {
        let index = usize::try_from((word >> 8).checked_sub(1)?).ok()?;
        let call = *Call::ALL.get(usize::try_from(word & 0xff).ok()?)?;
        Some(Hang { owner: self.names().get(index)?.clone(), call: call.name(), running })
    }

    /// Returns how long the call that has just returned waited for a processor, as far as the watchdog thread saw it.
    /// `[simulation thread]`
    pub fn waited(&self) -> Duration {
        let excused = *lock(&self.excused);
        let is_this = excused.count == self.count.load(Ordering::Relaxed);
        if is_this { excused.waited } else { Duration::ZERO }
    }

    /// Adds to the time that a call waited for a processor.
    fn excuse(&self, count: u64, waited: Duration) {
        let mut excused = lock(&self.excused);
        let before = if excused.count == count { excused.waited } else { Duration::ZERO };
        *excused = Excused { count, waited: before + waited };
    }

    /// Calls `on_hang` once, from another thread, when a call has not returned after `limit`.
    ///
    /// # Errors
    /// Returns an error if the operating system cannot create a thread.
    pub fn watch(
        self: &Arc<Self>,
        limit: Duration,
        on_hang: impl FnOnce(&Hang) + Send + 'static,
    ) -> std::io::Result<Watch> {
        self.watch_with(limit, preparation, on_hang)
    }

    fn watch_with(
        self: &Arc<Self>,
        limit: Duration,
        preparation: impl Fn() -> Option<Preparation> + Send + 'static,
        on_hang: impl FnOnce(&Hang) + Send + 'static,
    ) -> std::io::Result<Watch> {
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let (watchdog, end) = (Arc::clone(self), Arc::clone(&ended));
        let look = move || watchdog.look(limit, &end, preparation, on_hang);
        let thread = spawn("watchdog", look)?;
        Ok(Watch { ended, thread: Some(thread) })
    }

    fn look(
        &self,
        limit: Duration,
        ended: &(Mutex<bool>, Condvar),
        preparation: impl Fn() -> Option<Preparation>,
        on_hang: impl FnOnce(&Hang),
    ) {
        let period = (limit / LOOKS_PER_LIMIT).min(LONGEST_PERIOD);
        let (mut of_calls, mut of_preparations) = (Tracked::default(), Tracked::default());
        let mut last = crate::clock::now();
        loop {
            let guard = lock(&ended.0);
            let waited = ended.1.wait_timeout_while(guard, period, |is_over| !*is_over);
            if *waited.unwrap_or_else(PoisonError::into_inner).0 {
                return;
            }
            let now = crate::clock::now();
            let elapsed = now.saturating_duration_since(last);
            last = now;
            let preparing = preparation();
            let as_call = preparing.as_ref().map(|running| (PREPARATION, running.number));
            of_preparations.look(as_call, elapsed, limit);
            if let (Some(Preparation { owner, call, .. }), true) =
                (preparing, of_preparations.running() >= limit)
            {
                return on_hang(&Hang { owner, call, running: of_preparations.running() });
            }
            let call = self.running();
            let excused = of_calls.look(call, elapsed, limit);
            let Some((word, count)) = call else { continue };
            if !excused.is_zero() {
                self.excuse(count, excused);
            }
            if word != IN_WORKER && of_calls.running() >= limit {
                if let Some(hang) = self.describe(word, of_calls.running()) {
                    on_hang(&hang);
                }
                return;
            }
        }
    }
}

/// Stands for a call in a worker process: no instance has this number.
const IN_WORKER: u64 = 1;
/// Stands for a call before there is an instance.
const PREPARATION: u64 = 2;

/// How long a call waited for a processor.
#[derive(Clone, Copy, Debug, Default)]
struct Excused {
    /// Count of the call.
    count: u64,
    waited: Duration,
}

/// The longest time between two looks: what a call waits before the second look and after the last one is not seen, and
/// together must be less than the default budget of a call.
const LONGEST_PERIOD: Duration = Duration::from_millis(250);

/// A running watch, which ends on drop.
#[must_use]
#[derive(Debug)]
pub struct Watch {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<Named<()>>,
}

impl Drop for Watch {
    fn drop(&mut self) {
        *lock(&self.ended.0) = true;
        self.ended.1.notify_all();
        if let Some(thread) = self.thread.take() {
            drop(thread.join(Duration::from_secs(1)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, channel};

    /// Watches the calls of this test only: others prepare plugins, too.
    fn watch(watchdog: &Arc<Watchdog>, limit: Duration) -> (Watch, Receiver<Hang>) {
        watch_beside(watchdog, limit, || None)
    }

    fn watch_beside(
        watchdog: &Arc<Watchdog>,
        limit: Duration,
        preparation: impl Fn() -> Option<Preparation> + Send + 'static,
    ) -> (Watch, Receiver<Hang>) {
        let (report_sender, reports) = channel();
        let on_hang = move |hang: &Hang| drop(report_sender.send(hang.clone()));
        (watchdog.watch_with(limit, preparation, on_hang).expect("a thread"), reports)
    }

    #[test]
    fn a_call_that_does_not_return_is_named_while_it_runs() {
        let watchdog = Arc::new(Watchdog::default());
        let (quick, slow) = (watchdog.register("car1/imu"), watchdog.register("car1/lidar"));
        let (watch, reports) = watch(&watchdog, Duration::from_secs(1));
        watchdog.during(quick, Call::Sample, || ());
        let hang = watchdog
            .during(slow, Call::Control, || reports.recv_timeout(Duration::from_secs(60)).expect("a hang"));
        assert_eq!((hang.owner.as_str(), hang.call), ("car1/lidar", "control"));
        assert!(hang.running >= Duration::from_secs(1));
        drop(watch);
    }

    #[test]
    fn a_call_that_waits_for_a_processor_is_excused_and_does_not_hang() {
        let watchdog = Arc::new(Watchdog::default());
        let slow = watchdog.register("car1/camera");
        let (watch, reports) = watch(&watchdog, Duration::from_secs(2));
        let began = crate::clock::now();
        waits::tests::beside_load(|| {
            // Wall time: the system counts how long threads wait for a processor.
            watchdog.during(slow, Call::Sample, || std::thread::sleep(Duration::from_secs(4)));
        });
        let (took, waited) = (crate::clock::now() - began, watchdog.waited());
        assert!(reports.try_recv().is_err(), "it is taken for a hang");
        assert!(waited > Duration::from_secs(2) && waited < took, "{waited:?} of {took:?}");
        watchdog.during(slow, Call::Sample, || ());
        assert_eq!(watchdog.waited(), Duration::ZERO, "the next call");
        drop(watch);
    }

    #[test]
    fn a_call_in_a_worker_is_excused_but_never_hangs() {
        let watchdog = Arc::new(Watchdog::default());
        let limit = Duration::from_millis(200);
        let (watch, reports) = watch(&watchdog, limit);
        waits::tests::beside_load(|| {
            // Wall time: the system counts how long threads wait for a processor.
            watchdog.during_in_worker(|| std::thread::sleep(Duration::from_secs(2)));
        });
        assert!(watchdog.waited() > limit, "{:?}", watchdog.waited());
        assert!(reports.try_recv().is_err(), "it is taken for a hang");
        drop(watch);
    }

    #[test]
    fn a_call_before_there_is_an_instance_hangs_unless_it_waits_for_a_processor() {
        let long = || Some(Preparation { owner: String::from("libslow.so"), call: "init", number: 7 });
        let watchdog = Arc::new(Watchdog::default());
        let limit = Duration::from_secs(1);
        waits::tests::beside_load(|| {
            let (_watch, reports) = watch_beside(&watchdog, limit, long);
            // Wall time: shows that nothing is reported.
            assert!(reports.recv_timeout(limit * 2).is_err(), "it is taken for a hang");
        });
        let (_watch, reports) = watch_beside(&watchdog, limit, long);
        let hang = reports.recv_timeout(Duration::from_secs(60)).expect("a hang");
        assert_eq!((hang.owner.as_str(), hang.call), ("libslow.so", "init"));
        assert!(hang.running >= limit);
    }

    #[test]
    fn numbers_of_instances_that_are_gone_are_given_again() {
        let watchdog = Watchdog::default();
        let [first, second] = ["a", "b"].map(|label| watchdog.register(label));
        watchdog.forget(first);
        assert_eq!(watchdog.register("c"), first);
        assert_ne!(watchdog.register("d"), second);
    }

    #[test]
    fn every_call_has_its_place_and_name() {
        for (index, call) in Call::ALL.into_iter().enumerate() {
            assert_eq!((call as usize, Call::ALL[index].name()), (index, call.name()));
        }
    }
}
