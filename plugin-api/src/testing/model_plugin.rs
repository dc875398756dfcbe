//! Drives one model plugin through its life, through the same C functions as the host.

use std::marker::PhantomData;
use std::mem::MaybeUninit;

use bridgehead_abi::model::{ModelFactory, ModelInstance, StepInfo};
use bridgehead_abi::{Status, status};

use super::calls::{Class, InstanceState};
use super::host::{TestHost, lock};
use super::outcome::Outcome;
use crate::export;
use crate::model::{ModelPlugin, ResetScope};
use crate::objects::{Collector, ModelRef, WriterRef, model_has};

/// A model plugin under test.
///
/// Calls out of order fail the test, as do host functions that the plugin calls where they are not allowed.
/// Dropping it stops and destroys the plugin.
pub struct TestModel<P: ModelPlugin> {
    host: TestHost,
    instance: ModelRef,
    has_been_reset: bool,
    plugin: PhantomData<fn() -> P>,
}

impl<P: ModelPlugin> TestModel<P> {
    /// Registers the plugin's types and makes an instance, on which nothing was called yet.
    ///
    /// # Panics
    /// Panics if the registration or the creation fails.
    #[must_use]
    #[track_caller]
    pub fn create(host: TestHost) -> Self {
        let factory: ModelFactory = export::model_factory::<P>();
        // SAFETY: the host lives as long as the process.
        host.call("register", Class::Main, || unsafe { (factory.register)(host.raw()) }).expect_done();
        let mut out = MaybeUninit::<ModelInstance>::uninit();
        // SAFETY: as above; `out` is writable.
        let created =
            host.call("create", Class::Main, || unsafe { (factory.create)(host.raw(), out.as_mut_ptr()) });
        created.expect_done();
        // SAFETY: `create` succeeded, so it filled `out`.
        let instance = unsafe { ModelRef::new(out.assume_init()) };
        TestModel { host, instance, has_been_reset: false, plugin: PhantomData }
    }

    /// Makes an instance and takes it to where the first step follows, as the host does: awake, start, a
    /// first reset, all_started. A start in the background is waited for.
    ///
    /// # Panics
    /// Panics if one of these does not succeed.
    #[must_use]
    #[track_caller]
    pub fn started(host: TestHost) -> Self {
        let mut model = Self::create(host);
        model.awake().expect_done();
        match model.start() {
            Outcome::Pending => model.wait_started().expect_done(),
            outcome => outcome.expect_done(),
        }
        model.reset(ResetScope::ALL).expect_done();
        model.all_started().expect_done();
        model
    }

    /// The host, for inspection.
    #[must_use]
    pub fn host(&self) -> TestHost {
        self.host
    }

    /// Where the instance stands.
    #[must_use]
    pub fn state(&self) -> InstanceState {
        self.host.shared.calls.state()
    }

    /// The C functions, for calls that no host makes.
    #[must_use]
    pub fn raw(&self) -> &ModelInstance {
        self.instance.raw()
    }

    /// Calls [`ModelPlugin::awake`].
    ///
    /// # Panics
    /// Panics if it was called before.
    #[track_caller]
    pub fn awake(&mut self) -> Outcome {
        self.require("awake", &[InstanceState::Created]);
        self.host.shared.calls.set_state(InstanceState::Awake);
        self.main("awake", ModelRef::awake)
    }

    /// Calls [`ModelPlugin::start`].
    ///
    /// # Panics
    /// Panics if the plugin is not awake or stopped.
    #[track_caller]
    pub fn start(&mut self) -> Outcome {
        self.require("start", &[InstanceState::Awake, InstanceState::Stopped]);
        self.host.shared.calls.set_state(InstanceState::Awake);
        self.host.allow_threads();
        let outcome = self.main("start", ModelRef::start);
        match outcome {
            Outcome::Done | Outcome::Asked(..) => self.host.shared.calls.set_state(InstanceState::Started),
            Outcome::Pending => self.host.shared.calls.set_state(InstanceState::Starting),
            Outcome::Failed(_) | Outcome::Panicked(_) => {}
        }
        outcome
    }

    /// Waits for the end of a start that goes on in the background.
    ///
    /// # Panics
    /// Panics if no start is pending, or none ended within ten seconds.
    #[track_caller]
    pub fn wait_started(&mut self) -> Outcome {
        self.require("wait_started", &[InstanceState::Starting]);
        self.host.wait_until("the plugin reported that it started", TestHost::has_started);
        let outcome = self.host.take_started().unwrap_or(Outcome::Pending);
        if outcome.is_done() {
            self.host.shared.calls.set_state(InstanceState::Started);
        }
        outcome
    }

    /// Calls [`ModelPlugin::all_started`].
    ///
    /// # Panics
    /// Panics if the plugin is not started.
    #[track_caller]
    pub fn all_started(&mut self) -> Outcome {
        self.require("all_started", &[InstanceState::Started]);
        self.main("all_started", ModelRef::all_started)
    }

    /// Resets the simulation: a new epoch with empty queues (except for the first reset of a run, which
    /// only starts it), then [`ModelPlugin::reset`].
    ///
    /// # Panics
    /// Panics if the plugin is not started.
    #[track_caller]
    pub fn reset(&mut self, scope: ResetScope) -> Outcome {
        self.require("reset", &[InstanceState::Started]);
        if std::mem::replace(&mut self.has_been_reset, true) {
            lock(&self.host.shared.clock).reset(scope.covers_time());
            lock(&self.host.shared.bus).reset();
        }
        self.host.call("reset", Class::Sim, || self.instance.reset(scope.bits()))
    }

    /// Runs one step: time advances by one width, then `sample`, then what was sent is latched in, then
    /// `control`, as far as [`ModelPlugin::PHASES`] wants them.
    ///
    /// # Panics
    /// Panics if the plugin is not started.
    #[track_caller]
    pub fn step(&mut self) -> Outcome {
        self.require("step", &[InstanceState::Started]);
        lock(&self.host.shared.bus).empty_outbox();
        self.host.advance(1);
        let sampled = self.phase("sample", ModelRef::sample);
        if !sampled.is_done() {
            return sampled;
        }
        let mut bus = lock(&self.host.shared.bus);
        bus.empty_outbox();
        bus.latch();
        drop(bus);
        self.phase("control", ModelRef::control)
    }

    /// Runs steps until one does not succeed.
    ///
    /// # Panics
    /// As [`TestModel::step`].
    #[track_caller]
    pub fn run(&mut self, steps: u64) -> Outcome {
        (0..steps).map(|_| self.step()).find(|outcome| !outcome.is_done()).unwrap_or(Outcome::Done)
    }

    /// Calls [`ModelPlugin::pause`].
    ///
    /// # Panics
    /// Panics if the plugin is not started.
    #[track_caller]
    pub fn pause(&mut self) -> Outcome {
        self.require("pause", &[InstanceState::Started]);
        lock(&self.host.shared.clock).set_paused(true);
        self.main("pause", ModelRef::pause)
    }

    /// Calls [`ModelPlugin::resume`].
    ///
    /// # Panics
    /// Panics if the plugin is not started.
    #[track_caller]
    pub fn resume(&mut self) -> Outcome {
        self.require("resume", &[InstanceState::Started]);
        lock(&self.host.shared.clock).set_paused(false);
        self.main("resume", ModelRef::resume)
    }

    /// Joins the plugin's threads and calls [`ModelPlugin::stop`].
    ///
    /// # Panics
    /// Panics if the plugin is not started, or a thread of it does not end within ten seconds.
    #[track_caller]
    pub fn stop(&mut self) -> Outcome {
        self.require("stop", &[InstanceState::Started, InstanceState::Starting]);
        self.host.join_threads();
        let outcome = self.main("stop", ModelRef::stop);
        self.host.shared.calls.set_state(InstanceState::Stopped);
        outcome
    }

    /// What [`ModelPlugin::save`] writes, the version in front.
    ///
    /// # Panics
    /// Panics if the plugin is not started, saves no state, or fails to.
    #[track_caller]
    pub fn save(&mut self) -> Vec<u8> {
        self.require("save", &[InstanceState::Started]);
        self.expect_state(model_has::save);
        let (saved, outcome) = self.written("save", |instance, writer| instance.save(writer));
        outcome.expect_done();
        saved.unwrap_or_default()
    }

    /// Calls [`ModelPlugin::load`] with what `save` wrote, or something else. The host resets the plugin first.
    ///
    /// # Panics
    /// Panics if the plugin is not started, or saves no state.
    #[track_caller]
    pub fn load(&mut self, bytes: &[u8]) -> Outcome {
        self.require("load", &[InstanceState::Started]);
        self.expect_state(model_has::load);
        self.host.call("load", Class::Main, || self.instance.load(bytes))
    }

    /// What [`ModelPlugin::saved_elements`] contributes to a saved world; `None` if it leaves the file as it is.
    ///
    /// # Panics
    /// Panics if the plugin is not started, fails, or writes something else than UTF-8.
    #[track_caller]
    pub fn saved_elements(&mut self) -> Option<String> {
        self.require("saved_elements", &[InstanceState::Started]);
        let elements =
            |instance: &ModelRef, writer: WriterRef<'_>| instance.elements(writer).unwrap_or(status::OK);
        let (text, outcome) = self.written("saved_elements", elements);
        outcome.expect_done();
        text.map(|text| String::from_utf8(text).expect("UTF-8"))
    }

    /// What a call writes, and how it ends; `None` if it writes nothing.
    #[track_caller]
    fn written(
        &self,
        name: &'static str,
        call: impl FnOnce(&ModelRef, WriterRef<'_>) -> Status,
    ) -> (Option<Vec<u8>>, Outcome) {
        let writer = Collector::offer();
        let outcome = self.host.call(name, Class::Main, || call(&self.instance, writer.lend()));
        match writer.into_inner().finish() {
            Ok(written) => (written, outcome),
            Err(breach) => panic!("{breach}"),
        }
    }

    #[track_caller]
    fn expect_state(&self, function: u32) {
        assert!(self.instance.has() & function != 0, "a plugin with Remembers::Saved");
    }

    #[track_caller]
    fn require(&self, call: &str, allowed: &[InstanceState]) {
        let state = self.state();
        assert!(
            allowed.contains(&state),
            "`{call}` is not called on a plugin that is {state}; it must be {}",
            allowed.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
        );
    }

    #[track_caller]
    fn main(&self, name: &'static str, function: fn(&ModelRef) -> Status) -> Outcome {
        self.host.call(name, Class::Main, || function(&self.instance))
    }

    #[track_caller]
    fn phase(&self, name: &'static str, function: fn(&ModelRef, &StepInfo) -> Status) -> Outcome {
        let now = self.host.now();
        let info = StepInfo {
            struct_size: StepInfo::SIZE,
            reset_epoch: now.reset_epoch,
            time_ns: now.time_ns,
            width_ns: now.width_ns,
            step: now.number,
        };
        self.host.call(name, Class::Sim, || function(&self.instance, &info))
    }
}

impl<P: ModelPlugin> Drop for TestModel<P> {
    /// Fails the test where dropping the plugin panics. A test that fails already leaves the instance as it
    /// is: its threads may still use it.
    fn drop(&mut self) {
        if std::thread::panicking() {
            return;
        }
        let host = self.host;
        lock(&host.shared.services).close();
        host.join_threads();
        let instance = self.instance;
        let destroyed = host.call("destroy", Class::Main, || {
            // SAFETY: the last call on the instance.
            unsafe { instance.destroy() };
            // `destroy` has no status: a reason is all that a panic leaves.
            if host.shared.calls.has_reason() { status::PANIC } else { status::OK }
        });
        destroyed.expect_done();
    }
}
