//! The host object of a test: what every extension stands on, and the door to them by id.
//!
//! What the single extensions remember and offer to the test is in the files named after them.

use std::ffi::c_void;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bridgehead_abi as abi;

use super::bus::BusRecord;
use super::calls::{Calls, Class, InstanceState};
use super::clock::VirtualClock;
use super::command::CommandRecord;
use super::description::DescriptionRecord;
use super::lifecycle::LifecycleRecord;
use super::log::LogRecord;
use super::params::ParamTable;
use super::report::ReportRecord;
use super::service::ServiceRecord;
use super::setup::{Setup, TestHostBuilder};
use super::stepping::StepHold;
use super::surroundings::SurroundingsState;
use super::threads::ThreadRecord;
use super::types::TypeTable;
use super::world::WorldState;
use super::{actions, service_calls};
use crate::host::HostHandle;
use crate::hosting::{self, Breach, Checked, Function, Hosting, Place};
use crate::payload::Payload;
use crate::rules::{self, Caller};

/// How long a test waits for something that must happen before it fails.
const PATIENCE: Duration = Duration::from_secs(10);

/// A host in the test process, seen by one plugin under test.
///
/// Cheap to copy. Its memory is never given back: the handles that a plugin holds may then be copied freely
/// and used from any thread, and a test process is short.
#[derive(Clone, Copy)]
pub struct TestHost {
    pub(super) shared: &'static Shared,
}

/// Everything behind a [`TestHost`]. `raw` comes first: the pointer that plugins pass back is this struct's.
#[repr(C)]
pub(super) struct Shared {
    raw: abi::Host,
    pub(super) setup: Setup,
    pub(super) calls: Calls,
    pub(super) log: Mutex<LogRecord>,
    pub(super) clock: Mutex<VirtualClock>,
    pub(super) params: ParamTable,
    pub(super) types: Mutex<TypeTable>,
    pub(super) bus: Mutex<BusRecord>,
    pub(super) services: Mutex<ServiceRecord>,
    pub(super) service_calls: Mutex<service_calls::ServiceCallRecord>,
    pub(super) bridges: Mutex<&'static [crate::host::BridgeState]>,
    pub(super) world: Mutex<WorldState>,
    pub(super) surroundings: Mutex<SurroundingsState>,
    pub(super) commands: Mutex<CommandRecord>,
    pub(super) description: Mutex<DescriptionRecord>,
    pub(super) actions: Mutex<actions::ActionRecord>,
    pub(super) report: Mutex<ReportRecord>,
    pub(super) lifecycle: Mutex<LifecycleRecord>,
    pub(super) stepping: Mutex<StepHold>,
    pub(super) threads: Mutex<ThreadRecord>,
    changes: Mutex<u64>,
    changed: Condvar,
}

// SAFETY: the only pointer in here, `raw.ctx`, is null; everything that changes is behind a lock.
unsafe impl Send for Shared {}
// SAFETY: as above.
unsafe impl Sync for Shared {}

impl Shared {
    /// The host behind the pointer that a plugin passed back.
    ///
    /// # Safety
    /// `host` must come from a [`TestHost`].
    pub(super) unsafe fn of(host: *const abi::Host) -> &'static Shared {
        // SAFETY: the caller vouches for the pointer; `raw` is the first field of a leaked `Shared`.
        unsafe { &*host.cast::<Shared>() }
    }

    /// The host for what lives as long as the process, as every host of a test does.
    pub(super) fn leaked(&self) -> &'static Shared {
        // SAFETY: hosts of tests are leaked.
        unsafe { &*std::ptr::from_ref(self) }
    }

    /// Wakes the threads that wait for something to happen.
    pub(super) fn announce(&self) {
        *lock(&self.changes) += 1;
        self.changed.notify_all();
    }

    /// Waits until `happened`, at most ten seconds; whether it did.
    pub(super) fn wait(&self, happened: impl FnMut() -> bool) -> bool {
        self.wait_within(PATIENCE, happened)
    }

    /// Waits until `happened`, at most `time`; whether it did.
    pub(super) fn wait_within(&self, time: Duration, mut happened: impl FnMut() -> bool) -> bool {
        let guard = lock(&self.changes);
        let waited = self.changed.wait_timeout_while(guard, time, |_| !happened());
        !waited.unwrap_or_else(PoisonError::into_inner).1.timed_out()
    }
}

/// An object of a test, which has the `host` that breaches are noted in.
macro_rules! of_test {
    ($object:ty) => {
        impl $crate::hosting::Checked for $object {
            fn breach(&self, _: $crate::hosting::Breach, text: &str) {
                self.host.shared.calls.note(format!("the plugin {text}"));
            }
        }

        impl $crate::objects::Object for $object {
            fn guarded<R>(&self, _: &'static str, _: R, body: impl FnOnce() -> R) -> R {
                // A panic is one of the test: it ends the test process.
                body()
            }
        }
    };
}
pub(super) use of_test;

impl Hosting for Shared {
    fn guarded<T>(_: &'static str, _: T, body: impl FnOnce() -> T) -> T {
        // A panic is one of the test, for example in its ray caster: it ends the test process.
        body()
    }

    unsafe fn entered<'a>(
        host: *const abi::Host,
        function: &'static Function,
    ) -> Result<&'a Self, abi::Status> {
        if host.is_null() || !host.is_aligned() {
            return Err(abi::status::INVALID_ARG);
        }
        // SAFETY: plugins pass back the pointer they were given.
        let shared = unsafe { Shared::of(host) };
        match function.place {
            Place::Any => {}
            Place::Main => shared.calls.require(function.name, Class::Main)?,
            Place::Sim => shared.calls.require(function.name, Class::Sim)?,
        }
        Ok(shared)
    }

    fn give(payload: Payload) -> *const abi::Buffer {
        payload.into_raw()
    }
}

impl Checked for Shared {
    fn breach(&self, _: Breach, text: &str) {
        self.calls.note(format!("the plugin {text}"));
    }
}

/// Locks, also after a test that panicked while it held the lock.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TestHost {
    /// A host for a plugin of the world, without parameters, links or joints.
    #[must_use]
    pub fn new() -> Self {
        Self::builder().build()
    }

    /// Describes a host: what the plugin is attached to and what it is told.
    pub fn builder() -> TestHostBuilder {
        TestHostBuilder::new()
    }

    pub(super) fn from_setup(setup: Setup, params: ParamTable) -> Self {
        super::capture::start();
        let shared = Shared {
            raw: abi::Host {
                struct_size: abi::Host::SIZE,
                reserved: 0,
                ctx: std::ptr::null_mut(),
                get_extension,
                explain,
            },
            calls: Calls::default(),
            log: Mutex::default(),
            clock: Mutex::new(VirtualClock::new(setup.step_width)),
            params,
            types: Mutex::default(),
            bus: Mutex::default(),
            services: Mutex::default(),
            service_calls: Mutex::default(),
            bridges: Mutex::default(),
            world: Mutex::new(WorldState::new(&setup)),
            surroundings: Mutex::default(),
            commands: Mutex::default(),
            description: Mutex::new(DescriptionRecord::new(setup.description.clone())),
            actions: Mutex::default(),
            report: Mutex::default(),
            lifecycle: Mutex::default(),
            stepping: Mutex::default(),
            threads: Mutex::default(),
            changes: Mutex::new(0),
            changed: Condvar::new(),
            setup,
        };
        TestHost { shared: Box::leak(Box::new(shared)) }
    }

    /// The handle that the plugin under test gets, for testing a part of a plugin on its own: use it inside
    /// [`TestHost::on_main`] or [`TestHost::on_sim`] where a function is bound to a thread.
    #[must_use]
    pub fn handle(self) -> HostHandle {
        // SAFETY: the shared part is never given back.
        unsafe { HostHandle::from_raw(self.raw()) }
    }

    /// The pointer that crosses the boundary.
    pub(super) fn raw(self) -> *const abi::Host {
        std::ptr::from_ref(self.shared).cast()
    }

    /// Waits until `happened` is true: it is asked again after everything the plugin does through the host.
    ///
    /// # Panics
    /// After ten seconds, with `what`.
    #[track_caller]
    pub fn wait_until(self, what: &str, mut happened: impl FnMut(TestHost) -> bool) {
        assert!(self.shared.wait(|| happened(self)), "waited ten seconds in vain until {what}");
    }
}

impl Default for TestHost {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for TestHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TestHost").field("path", &self.shared.setup.path).finish_non_exhaustive()
    }
}

/// Whether the host offers an extension to the kind of plugin under test.
fn is_for(state: InstanceState, id: &str) -> bool {
    match state {
        InstanceState::Bridge => rules::is_offered(Caller::Bridge, id),
        // A test that has made no plugin may look at what only bridges get.
        InstanceState::Created => rules::is_offered(Caller::Model, id),
        InstanceState::Awake | InstanceState::Starting | InstanceState::Started | InstanceState::Stopped => {
            rules::is_offered(Caller::Model, id)
        }
    }
}

/// The table of an extension.
fn table(id: &str) -> Option<*const c_void> {
    let table: *const c_void = match id {
        abi::extension::BUS => std::ptr::from_ref(hosting::bus_table::<Shared>(false)).cast(),
        abi::extension::SERVICES => std::ptr::from_ref(hosting::services_table::<Shared>()).cast(),
        abi::extension::ENCODINGS => std::ptr::from_ref(hosting::encodings_table::<Shared>()).cast(),
        abi::extension::THREADS => std::ptr::from_ref(hosting::threads_table::<Shared>()).cast(),
        _ => return hosting::table::<Shared>(id),
    };
    Some(table)
}

unsafe extern "C" fn get_extension(host: *const abi::Host, id: abi::Str) -> *const c_void {
    // SAFETY: plugins pass back the pointer they were given, and a text that lives for the call.
    let (shared, id) = unsafe { (Shared::of(host), id.as_str().unwrap_or_default()) };
    shared.calls.forbid_during_create("get_extension");
    let is_offered = !shared.setup.withheld.contains(id) && is_for(shared.calls.state(), id);
    table(id).filter(|_| is_offered).unwrap_or(std::ptr::null())
}

unsafe extern "C" fn explain(host: *const abi::Host, text: abi::Str) {
    // SAFETY: as above.
    let (shared, text) = unsafe { (Shared::of(host), String::from_utf8_lossy(text.as_bytes())) };
    shared.calls.explain(text.into_owned());
    shared.announce();
}
