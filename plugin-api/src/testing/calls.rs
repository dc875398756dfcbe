//! Which call of the plugin runs, on which thread and in which state: what the host functions check.
//!
//! A wrong call is answered with WRONG_THREAD or WRONG_STATE as in the real host, and noted; the driver then
//! fails the test with the note, because a panic must not pass through the plugin's frames.

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;
use std::thread::{self, ThreadId};

use bridgehead_abi::{Status, status};

use super::host::{TestHost, lock};
use super::outcome::Outcome;
use crate::host::HostHandle;

/// Where the instance under test stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InstanceState {
    /// Made, nothing called yet.
    #[default]
    Created,
    /// `awake` was called.
    Awake,
    /// `start` answered that it goes on in the background.
    Starting,
    /// Started.
    Started,
    /// Stopped; may start again.
    Stopped,
    /// A bridge: its host functions do not depend on a state.
    Bridge,
}

impl fmt::Display for InstanceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InstanceState::Created => "created",
            InstanceState::Awake => "awake",
            InstanceState::Starting => "starting",
            InstanceState::Started => "started",
            InstanceState::Stopped => "stopped",
            InstanceState::Bridge => "a bridge's",
        })
    }
}

/// Thread class of a call into the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Main,
    Sim,
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Class::Main => "[main]",
            Class::Sim => "[sim]",
        })
    }
}

/// A call into the plugin that has not returned.
#[derive(Clone, Copy)]
struct Running {
    call: &'static str,
    class: Class,
    thread: ThreadId,
}

/// What is known about calls.
#[derive(Default)]
pub(super) struct Calls {
    state: Mutex<InstanceState>,
    running: Mutex<Option<Running>>,
    reasons: Mutex<HashMap<ThreadId, String>>,
    violations: Mutex<Vec<String>>,
}

impl Calls {
    pub(super) fn state(&self) -> InstanceState {
        *lock(&self.state)
    }

    pub(super) fn set_state(&self, state: InstanceState) {
        *lock(&self.state) = state;
    }

    /// Notes the reason for the status that this thread's call will return.
    pub(super) fn explain(&self, text: String) {
        lock(&self.reasons).insert(thread::current().id(), text);
    }

    /// Whether this thread's call gave a reason.
    pub(super) fn has_reason(&self) -> bool {
        lock(&self.reasons).contains_key(&thread::current().id())
    }

    /// Takes this thread's last reason.
    pub(super) fn take_reason(&self) -> String {
        lock(&self.reasons).remove(&thread::current().id()).unwrap_or_default()
    }

    /// Checks that `function` is called inside a `class` call, on its thread, in a state that allows it.
    pub(super) fn require(&self, function: &str, class: Class) -> Result<(), Status> {
        match self.running_here() {
            Some(running) if running.class == class => {}
            here => return Err(self.refuse_thread(function, class, here)),
        }
        let allowed = match (class, self.state()) {
            (_, InstanceState::Started | InstanceState::Bridge)
            | (Class::Main, InstanceState::Awake | InstanceState::Starting) => true,
            (Class::Main, InstanceState::Created | InstanceState::Stopped)
            | (
                Class::Sim,
                InstanceState::Created
                | InstanceState::Awake
                | InstanceState::Starting
                | InstanceState::Stopped,
            ) => false,
        };
        if allowed { Ok(()) } else { Err(self.refuse_state(function)) }
    }

    /// Checks that the plugin is started.
    pub(super) fn require_started(&self, function: &str) -> Result<(), Status> {
        match self.state() {
            InstanceState::Started | InstanceState::Bridge => Ok(()),
            InstanceState::Created
            | InstanceState::Awake
            | InstanceState::Starting
            | InstanceState::Stopped => Err(self.refuse_state(function)),
        }
    }

    /// Notes a host call inside `create`, which the ABI forbids.
    pub(super) fn forbid_during_create(&self, function: &str) {
        if self.running_here().is_some_and(|running| running.call == "create") {
            self.note(format!("`{function}` was called inside `create`, which must not call the host"));
        }
    }

    /// Notes a breach of the contract, to fail the test with.
    pub(super) fn note(&self, text: String) {
        lock(&self.violations).push(text);
    }

    pub(super) fn take_violations(&self) -> Vec<String> {
        std::mem::take(&mut *lock(&self.violations))
    }

    fn running_here(&self) -> Option<Running> {
        (*lock(&self.running)).filter(|running| running.thread == thread::current().id())
    }

    fn refuse_thread(&self, function: &str, class: Class, here: Option<Running>) -> Status {
        let place = match here {
            Some(running) => format!("inside `{}`, a {} call", running.call, running.class),
            None => format!("on thread `{}`, outside any call", thread::current().name().unwrap_or("?")),
        };
        self.note(format!("`{function}` may be called in {class} calls only; it was called {place}"));
        status::WRONG_THREAD
    }

    fn refuse_state(&self, function: &str) -> Status {
        let state = self.state();
        let within = self.running_here().map(|running| format!(" inside `{}`", running.call));
        self.note(format!(
            "`{function}` was called{} in state {state}, in which it is not allowed",
            within.unwrap_or_default()
        ));
        status::WRONG_STATE
    }
}

impl TestHost {
    /// Runs `code` as a `[main]` call of a started plugin.
    ///
    /// # Panics
    /// Panics if `code` calls a host function that is not allowed there.
    #[track_caller]
    pub fn on_main<T>(self, code: impl FnOnce(HostHandle) -> T) -> T {
        self.inside("the test's on_main", Class::Main, code)
    }

    /// Runs `code` as a `[sim]` call of a started plugin.
    ///
    /// # Panics
    /// Panics if `code` calls a host function that is not allowed there.
    #[track_caller]
    pub fn on_sim<T>(self, code: impl FnOnce(HostHandle) -> T) -> T {
        self.inside("the test's on_sim", Class::Sim, code)
    }

    /// Breaches of the contract that were answered with WRONG_THREAD or WRONG_STATE since the last time they
    /// were taken. A driver call that leaves some fails the test; take them first where they are expected.
    #[must_use]
    pub fn take_violations(self) -> Vec<String> {
        self.shared.calls.take_violations()
    }

    #[track_caller]
    fn inside<T>(self, name: &'static str, class: Class, code: impl FnOnce(HostHandle) -> T) -> T {
        let state = self.shared.calls.state();
        if state == InstanceState::Created {
            self.shared.calls.set_state(InstanceState::Started);
        }
        let value = self.entered(name, class, || code(self.handle()));
        self.shared.calls.set_state(state);
        self.fail_on_violations();
        value
    }

    /// Calls the plugin, and says how that ended.
    #[track_caller]
    pub(super) fn call(self, name: &'static str, class: Class, code: impl FnOnce() -> Status) -> Outcome {
        drop(self.shared.calls.take_reason());
        let code = self.entered(name, class, code);
        let outcome = Outcome::from_status(name, code, self.shared.calls.take_reason());
        self.fail_on_violations();
        outcome
    }

    #[track_caller]
    fn entered<T>(self, call: &'static str, class: Class, code: impl FnOnce() -> T) -> T {
        let calls = &self.shared.calls;
        let running = Running { call, class, thread: thread::current().id() };
        let outer = lock(&calls.running).replace(running);
        let value = code();
        *lock(&calls.running) = outer;
        value
    }

    /// # Panics
    /// Panics if the plugin broke a rule.
    #[track_caller]
    pub(super) fn fail_on_violations(self) {
        let violations = self.take_violations();
        assert!(violations.is_empty(), "the plugin broke the contract: {}", violations.join("; "));
    }
}
