//! The state of the thread and of the process that calls must not change, in one table.
//!
//! A row reads a state, says what has changed, and undoes it. The same table serves the calls of the lifecycle, the calls of
//! every step with `--check-plugins`, worker processes and `plugin validate`. What is found at the beginning of a call was
//! not changed by it. Usable from any thread; no call is made while the table is locked.

mod descriptors;
mod environment;
mod files;
mod limits;
mod locale;
mod schedule;
mod signals;
mod timers;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use super::{Call, Rule, active, breaches};

/// What it costs to look at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Cost {
    /// A few system calls: after every call of the lifecycle, also those of a reset.
    Low,
    /// Up to twenty: after calls that are made once.
    Medium,
    /// A file of the system is read: after calls that are made once, and not in steps.
    High,
}

/// A row of the table.
trait State: Sized + Send + 'static {
    const RULE: Rule;
    const COST: Cost;
    /// True if other processes may change it too. Then a change between calls is kept, because it may be wanted.
    const IS_OPEN: bool = false;
    /// True if each thread has its own: then no call on another thread can have changed it.
    const IS_OF_THREAD: bool = false;
    /// True if the host cannot go on without it.
    const IS_VITAL: bool = false;
    /// What is said after a change was undone.
    const UNDONE: &'static str = "it was restored";

    /// Reads the state; `None` if the system does not tell.
    fn read() -> Option<Self>;

    /// Describes how the current state differs from this one, as the rest of a sentence: `changed the umask from 022 to 0`.
    fn change(&self) -> Option<String>;

    /// Brings this state back. Returns false if that is not possible.
    fn restore(&self) -> bool;

    /// Keeps the current state from now on.
    fn rebase(&mut self) {
        if let Some(now) = Self::read() {
            *self = now;
        }
    }
}

/// A row with the state to be kept.
trait Kept: Send {
    fn cost(&self) -> Cost;
    /// Undoes and reports a change. Without a call, one of the last steps has made it.
    fn check(&mut self, call: Option<Call>);
}

impl<T: State> Kept for T {
    fn cost(&self) -> Cost {
        T::COST
    }

    fn check(&mut self, call: Option<Call>) {
        let Some(change) = self.change() else { return };
        let is_wanted = call.is_none() && T::IS_OPEN;
        let is_undone = !is_wanted && self.restore();
        let text = match (is_wanted, is_undone) {
            (true, _) => change,
            (false, true) => format!("{change}; {}", T::UNDONE),
            (false, false) => format!("{change}; it cannot be restored"),
        };
        if !is_undone {
            self.rebase();
        }
        let report = if T::IS_OF_THREAD { breaches::change } else { breaches::change_of_process };
        let cause = report(T::RULE, call, &text);
        if let Some(give_up) = GIVES_UP.get().filter(|_| T::IS_VITAL && !is_undone) {
            give_up(cause);
        }
    }
}

/// The states of the process; empty in commands that run no plugin for long, which check nothing.
static OF_PROCESS: Mutex<Vec<Box<dyn Kept>>> = Mutex::new(Vec::new());

/// Ends the process: without what was lost the host cannot go on.
static GIVES_UP: OnceLock<fn(String)> = OnceLock::new();

/// Sets what ends the process when a call has taken what the host cannot go on without; it gets the cause.
pub(super) fn on_vital_loss(give_up: fn(String)) {
    GIVES_UP.get_or_init(|| give_up);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// True once the table is filled.
static IS_KEPT: AtomicBool = AtomicBool::new(false);

fn row<T: State>() -> Option<Box<dyn Kept>> {
    Some(Box::new(T::read()?))
}

/// Records the state of the process.
pub(super) fn keep() {
    let mut rows = lock(&OF_PROCESS);
    if !rows.is_empty() {
        return;
    }
    let all = [
        row::<files::Folder>(),
        row::<files::Umask>(),
        row::<signals::Ending>(),
        row::<signals::Crashes>(),
        row::<timers::Timers>(),
        row::<limits::Limits>(),
        row::<locale::Locale>(),
        row::<environment::Environment>(),
        row::<descriptors::Descriptors>(),
    ];
    rows.extend(all.into_iter().flatten());
    signals::keep_mask();
    IS_KEPT.store(true, Ordering::Release);
}

/// The states of the thread at the beginning of a call.
pub(super) struct OfThread(Vec<Box<dyn Kept>>);

/// Begins a call after which what costs at most this is compared. What was changed before it is found now; while other
/// calls of the lifecycle are running, it cannot be told apart from what they change.
///
/// `own` is 1 if the call is in the list of those of the lifecycle, otherwise 0.
pub(super) fn begin(most: Cost, own: usize) -> Option<OfThread> {
    if !IS_KEPT.load(Ordering::Acquire) {
        return None;
    }
    // Locked also if nothing is checked: who begins later waits until this call knows what was there before.
    let mut kept = lock(&OF_PROCESS);
    if active::is_alone(own) {
        check_rows(&mut kept, None, most);
    }
    drop(kept);
    let rows = [
        row::<schedule::Affinity>(),
        row::<schedule::Priority>(),
        row::<signals::AlternateStack>(),
        row::<locale::OfThread>(),
    ];
    Some(OfThread(rows.into_iter().flatten().collect()))
}

/// Undoes and reports what the call has changed.
pub(super) fn end(before: Option<OfThread>, call: Call, most: Cost) {
    if let Some(OfThread(mut rows)) = before {
        rows.iter_mut().for_each(|row| row.check(Some(call)));
        check(Some(call), most);
    }
}

/// Undoes and reports changes of what costs at most this. Without a call, one of the last steps has made them.
pub(super) fn check(call: Option<Call>, most: Cost) {
    if IS_KEPT.load(Ordering::Acquire) {
        signals::check_mask(call);
        check_process(call, most);
    }
}

fn check_process(call: Option<Call>, most: Cost) {
    check_rows(&mut lock(&OF_PROCESS), call, most);
}

fn check_rows(rows: &mut [Box<dyn Kept>], call: Option<Call>, most: Cost) {
    rows.iter_mut().filter(|row| row.cost() <= most).for_each(|row| row.check(call));
}

#[cfg(test)]
mod tests;
