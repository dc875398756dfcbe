//! Calls into plugins: which one a thread executes, and what each call must leave unchanged.
//!
//! Every call into a plugin is made within [`during`], or [`in_step`] if it is made in every step. Both record the call
//! for the reports of [`crash`](crate::crash) and [`guard`](crate::guard). After the call they check what a plugin could
//! change to the damage of everyone else: the floating-point mode, and, after `during`, the table of `state`: descriptors,
//! limits, locale, handlers of signals and so on. A change is undone and reported with the plugin and the call; with all
//! calls that were running, if several could have made it. Usable from any thread.

use std::cell::Cell;
use std::hint::black_box;
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::ledger::{self, Name};

mod active;
mod breaches;
mod float_mode;
mod fork;
mod preparation;
mod state;

use state::{Cost, OfThread};

pub use crate::ledger::StepCall;
#[cfg(any(test, feature = "testing"))]
pub use breaches::take_of as take_breaches_of;
pub use breaches::{Rule, breach, breach_of, take as take_breaches};
pub use fork::is_child;
pub use preparation::{Preparation, during_preparation, preparation};

/// A call into a plugin. Points to the name of its owner, which outlives the call.
#[derive(Clone, Copy)]
pub struct Call {
    owner: *const str,
    name: &'static str,
}

impl Call {
    /// The function of the ABI; empty for the body of a thread.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// The plugin instance, or the thread.
    #[expect(unsafe_code, reason = "a signal handler cannot borrow from the code it interrupts")]
    pub fn owner(&self) -> &str {
        // SAFETY: only `current` gives a call away, to the thread that executes it; `run` keeps the name alive as long.
        unsafe { &*self.owner }
    }
}

/// The name of an instance that is called in every step.
#[derive(Debug)]
pub struct Owner {
    label: String,
    /// For the supervisor; `None` if it knows too many.
    name: Option<Name>,
}

impl Owner {
    /// Registers an instance.
    #[must_use]
    pub fn new(label: &str) -> Self {
        Owner { label: label.to_owned(), name: Name::register(label) }
    }
}

impl Deref for Owner {
    type Target = str;

    fn deref(&self) -> &str {
        &self.label
    }
}

/// False only in the program with which `tests/bench.sh` measures what the checks cost: nothing is checked in it.
pub const IS_GUARDED: bool = option_env!("BRIDGEHEAD_UNGUARDED").is_none();

thread_local! {
    /// The current call of this thread. Const-initialised and without a destructor, so that a signal handler may read
    /// it.
    static CURRENT: Cell<Option<Call>> = const { Cell::new(None) };
}

/// True if calls of every step are checked like those of the lifecycle.
static CHECKS_STEPS: AtomicBool = AtomicBool::new(false);

/// True if messages and objects are checked too.
static IS_THOROUGH: AtomicBool = AtomicBool::new(false);

/// Calls that are made once for a library or an instance. The other ones of the lifecycle are those of resets, snapshots and
/// endpoints, of which there may be thousands at a time.
const ONCE: [&str; 14] = [
    "constructor",
    "init",
    "deinit",
    "register",
    "converters",
    "validate",
    "create",
    "awake",
    "start",
    "all_started",
    "connect",
    "disconnect",
    "stop",
    "destroy",
];

/// Runs `body`, which calls the function `name` of the plugin instance `owner`, and checks what it has changed. An empty
/// name stands for the body of the thread `owner`, after which nothing is checked.
///
/// A C++ exception that leaves the plugin aborts the process here, while the call is still known. Otherwise it would
/// unwind the whole stack of the host.
pub fn during<T>(owner: &str, name: &'static str, body: impl FnOnce() -> T) -> T {
    if name.is_empty() {
        return run(owner, name, body, |_| ());
    }
    let is_once = ONCE.contains(&name) || CHECKS_STEPS.load(Ordering::Relaxed);
    let _active = active::Active::new(Call { owner, name });
    let before = is_once.then(|| state::begin(Cost::High, 1)).flatten();
    run(owner, name, body, |call| {
        check_thread(call);
        match is_once {
            true => state::end(before, call, Cost::High),
            false => state::check(Some(call), Cost::Low),
        }
    })
}

/// Like [`during`], for calls that are made in every step: of the process, only what costs no system call is checked,
/// unless [`check_every_call`] was called. [`check_steps`] does the rest.
pub fn in_step<T>(owner: &Owner, call: StepCall, body: impl FnOnce() -> T) -> T {
    if !CHECKS_STEPS.load(Ordering::Relaxed) {
        return run_step(owner, call, body, check_thread);
    }
    let before = state::begin(Cost::Medium, 0);
    run_step(owner, call, body, |call| check_all(before, call))
}

/// Like [`in_step`], for the calls of the lifecycle around each step that a client counts.
pub fn around_step<T>(owner: &str, name: &'static str, body: impl FnOnce() -> T) -> T {
    if CHECKS_STEPS.load(Ordering::Relaxed) {
        return during(owner, name, body);
    }
    run(owner, name, body, check_thread)
}

/// Like [`in_step`], for the call of a converter on any thread, on behalf of the bridge `owner`.
pub fn in_conversion<T>(owner: &str, body: impl FnOnce() -> T) -> T {
    if !CHECKS_STEPS.load(Ordering::Relaxed) {
        return run(owner, "convert", body, check_thread);
    }
    let before = state::begin(Cost::Medium, 0);
    run(owner, "convert", body, |call| check_all(before, call))
}

fn check_all(before: Option<OfThread>, call: Call) {
    check_thread(call);
    state::end(before, call, Cost::Medium);
}

/// Like [`run`], described to the supervisor by numbers: texts would be copied in each call.
fn run_step<T>(owner: &Owner, name: StepCall, body: impl FnOnce() -> T, check: impl FnOnce(Call)) -> T {
    let Some(number) = owner.name.as_ref().filter(|_| CURRENT.get().is_none()) else {
        return run(owner, name.name(), body, check);
    };
    let call = Call { owner: &raw const **owner, name: name.name() };
    CURRENT.set(Some(call));
    if IS_GUARDED {
        ledger::enter_step(number, name);
    }
    let outcome = catch(body);
    check(call);
    CURRENT.set(None);
    if IS_GUARDED {
        ledger::leave_step();
    }
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

fn run<T>(owner: &str, name: &'static str, body: impl FnOnce() -> T, check: impl FnOnce(Call)) -> T {
    let call = Call { owner, name };
    let outer = CURRENT.replace(Some(call));
    note(Some(call));
    let outcome = catch(body);
    check(call);
    CURRENT.set(outer);
    note(outer);
    if outer.is_none() && name.is_empty() {
        ledger::end_thread();
    }
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Tells the supervisor which call this thread makes now.
fn note(call: Option<Call>) {
    match call {
        _ if !IS_GUARDED => {}
        Some(call) => ledger::enter(call.owner(), call.name),
        None => ledger::leave(),
    }
}

/// Checks what a call can change of its thread, and whether it has forked the process.
fn check_thread(call: Call) {
    if IS_GUARDED {
        fork::check(call);
        float_mode::check(call);
    }
}

/// Starts a program within a call: the fork for it is that of the host.
pub fn starting_program<T>(start: impl FnOnce() -> T) -> T {
    fork::by_host(start)
}

/// Checks after every call what is otherwise checked after those of the lifecycle.
pub fn check_every_call() {
    CHECKS_STEPS.store(true, Ordering::Relaxed);
}

/// Like [`check_every_call`]; messages and objects are checked too.
pub fn check_thoroughly() {
    check_every_call();
    IS_THOROUGH.store(true, Ordering::Relaxed);
}

/// Returns true after [`check_thoroughly`].
#[must_use]
pub fn is_thorough() -> bool {
    IS_THOROUGH.load(Ordering::Relaxed)
}

/// Calls that are made in steps, on the simulation thread; the other ones belong to the lifecycle.
const STEP_CALLS: [&str; 4] = ["reset", "sample", "control", "status"];

/// Returns true if this thread runs a lifecycle call of that instance.
#[must_use]
pub fn is_lifecycle_call_of(label: &str) -> bool {
    current().is_some_and(|call| {
        !call.name.is_empty() && !STEP_CALLS.contains(&call.name) && call.owner() == label
    })
}

/// Returns true if this thread runs a call that is made in steps.
#[must_use]
pub fn is_step_call() -> bool {
    current().is_some_and(|call| STEP_CALLS.contains(&call.name))
}

/// Records the state of the process that calls must not change. Call it after the handlers of signals are installed, and
/// before any code of a plugin runs.
///
/// `give_up` ends the process with a cause, if a call takes what the host cannot go on without.
pub fn keep(give_up: fn(String)) {
    fork::watch();
    state::on_vital_loss(give_up);
    state::keep();
}

/// Number of steps after which [`check_steps`] looks at the process, with some fifty system calls.
const STEPS: u64 = 64;

/// Checks from time to time what calls of the last steps have changed of the process. The plugin is then not known.
pub fn check_steps(step: u64, time_ns: i64) {
    ledger::set_step(step, time_ns);
    if IS_GUARDED && step.is_multiple_of(STEPS) {
        state::check(None, Cost::Medium);
    }
}

/// Returns the call that this thread executes. The call must not leave the thread.
pub fn current() -> Option<Call> {
    CURRENT.get()
}

/// Returns the plugin call that this thread executes: `sample` of plugin `car1/imu`, with its backquotes.
#[must_use]
pub fn current_call() -> Option<String> {
    current().map(describe)
}

fn describe(call: Call) -> String {
    match call.name {
        "" => format!("thread `{}`", call.owner()),
        name => format!("`{name}` of plugin `{}`", call.owner()),
    }
}

/// Runs `body` and stops all unwinding. The compiler assumes that functions of the C ABI never unwind and would
/// optimise the catch away, so the call is hidden from it.
fn catch<T>(body: impl FnOnce() -> T) -> std::thread::Result<T> {
    let (mut body, mut value) = (Some(body), None);
    let mut run = || value = body.take().map(|body| body());
    let hidden: &mut dyn FnMut() = black_box(&mut run);
    catch_unwind(AssertUnwindSafe(hidden))?;
    value.ok_or_else(|| -> Box<dyn std::any::Any + Send> { Box::new("the body did not run") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_call_is_the_current_one() {
        during("tx:car1/logging", "", || {
            assert_eq!(current_call().as_deref(), Some("thread `tx:car1/logging`"));
            in_step(&Owner::new("car1/imu"), StepCall::Sample, || {
                assert_eq!(current_call().as_deref(), Some("`sample` of plugin `car1/imu`"));
            });
            assert_eq!(current_call().as_deref(), Some("thread `tx:car1/logging`"));
        });
        assert_eq!(current_call(), None);
    }

    #[test]
    fn a_call_that_panics_is_over() {
        let outcome = catch_unwind(|| during("car1/imu", "sample", || panic!("inside")));
        assert!(outcome.is_err());
        assert_eq!(current_call(), None);
    }
}
