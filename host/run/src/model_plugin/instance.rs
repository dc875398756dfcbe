//! One model plugin instance and the calls into it. Its start runs on a thread of its own, all other calls on the
//! simulation thread.

mod saved_state;
mod start_call;
pub(super) mod startup;
mod state;

use std::sync::Arc;
use std::time::Duration;

use bridgehead_abi::model::StepInfo;
use bridgehead_abi::{Status, status};
use bridgehead_plugin_api::objects::{ModelRef, model_has};
use bridgehead_sdf::Origin;

pub use saved_state::PluginState;

use super::fault::{Fault, Stage};
use super::sampling::Sampling;
use crate::api::context::Context;
use crate::api::interrupt_for;
use crate::api::shared::Shared;
use crate::bus::Outgoing;
use crate::call;
use crate::call::Owner;
use crate::plugin::{PluginMetadata, StateSupport};
use crate::report::PluginResult;
use crate::thread::{Named, spawn};
use crate::watchdog::{Call, Stopwatch, Timing, Watched};
use crate::world::{PluginSlot, SlotKind};
use start_call::{Notified, StartResult, start};

/// A model plugin instance.
///
/// The fields used in every step come first and close together: physics has just filled the caches with its own data,
/// and most calls do so little that fetching the instance dominates their cost.
#[repr(C)]
pub struct ModelPlugin {
    stage: Stage,
    sampling: Sampling,
    timing: Timing,
    watched: Watched,
    /// Copies of the context's label and services, so that a call does not fetch the context.
    label: Owner,
    shared: Arc<Shared>,
    /// The ABI allows calls from different threads if they do not overlap; the host makes them one after the other.
    raw: ModelRef,
    context: Arc<Context>,
    outgoing: Vec<Outgoing>,
    routed_subscriptions: usize,
    /// Name of the plugin.
    pub plugin: String,
    /// Place of the element that requested it; empty if unknown.
    pub place: String,
    /// The element itself.
    pub(super) element: Origin,
    /// Kind of the element.
    pub(super) kind: SlotKind,
    state_support: StateSupport,
    /// Position in the order of calls.
    pub(super) rank: u64,
    /// Whether its calls run in a worker process, which limits their time by itself: a call that does not return ends
    /// the worker and not the run.
    pub(super) is_isolated: bool,
    notified: Notified,
    /// The next call belongs to a step that a client counts: it is checked like those of the step.
    is_counted: bool,
    is_awake: bool,
    start: Option<Named<StartResult>>,
}

impl ModelPlugin {
    /// Wraps the instance that the factory created.
    pub(super) fn new(
        plugin: &PluginMetadata,
        slot: &PluginSlot,
        context: Arc<Context>,
        raw: ModelRef,
    ) -> Self {
        let watched = context.shared.watchdog.register(&context.label);
        ModelPlugin {
            plugin: plugin.name.clone(),
            state_support: plugin.state_support(),
            place: slot.place_prefix(),
            element: slot.element.clone(),
            kind: slot.kind,
            label: Owner::new(&context.label),
            shared: Arc::clone(&context.shared),
            context,
            raw,
            stage: Stage::Created,
            sampling: Sampling::EVERY_STEP,
            rank: 0,
            is_isolated: false,
            notified: Notified::default(),
            is_counted: false,
            is_awake: false,
            start: None,
            outgoing: Vec::new(),
            routed_subscriptions: 0,
            watched,
            timing: Timing::default(),
        }
    }

    /// Name in logs and reports.
    #[must_use]
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Its state.
    #[must_use]
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Returns true if it takes part in the simulation.
    pub(super) fn is_started(&self) -> bool {
        self.stage == Stage::Started
    }

    /// Its host object, with its outbox, parameters and requests.
    #[must_use]
    pub fn context(&self) -> &Arc<Context> {
        &self.context
    }

    /// Runs `awake` (once) and `start` on a thread of its own.
    pub(super) fn begin_start(&mut self) {
        if matches!(self.stage, Stage::Failed(_)) {
            return;
        }
        self.notified = Notified::default();
        self.context.threads.allow();
        let (raw, is_awake, context) = (self.raw, self.is_awake, Arc::clone(&self.context));
        let thread = spawn(format!("start:{}", self.context.label), move || start(&raw, is_awake, &context));
        match thread {
            Ok(thread) => {
                self.stage = Stage::Starting;
                self.start = Some(thread);
            }
            Err(error) => {
                self.stage = Stage::Failed(format!("the thread to start it could not be created: {error}"))
            }
        }
    }

    /// Polls the start. Returns its result once, when it has succeeded or failed.
    pub(super) fn poll_start(&mut self) -> Option<Result<(), String>> {
        if !self.start.as_ref()?.is_finished() {
            return None;
        }
        let ended = self.start.take()?.join(Duration::from_secs(1));
        let lost = StartResult { code: status::PANIC, is_awake: self.is_awake, sampling: self.sampling };
        let result_of_start = ended.unwrap_or(lost);
        (self.is_awake, self.sampling) = (result_of_start.is_awake, result_of_start.sampling);
        match result_of_start.code {
            status::PENDING => {
                self.stage = Stage::Pending;
                None
            }
            code if code < 0 => Some(self.end_start(Err(self.reason(code)))),
            _ => Some(self.end_start(Ok(()))),
        }
    }

    /// Ends a start that was pending.
    pub(super) fn end_start(&mut self, outcome: Result<(), String>) -> Result<(), String> {
        self.stage = match &outcome {
            Ok(()) => Stage::Started,
            Err(reason) => Stage::Failed(reason.clone()),
        };
        if outcome.is_ok() {
            self.name_unread();
        }
        outcome
    }

    /// Returns why a call failed: the plugin's explanation, or the name of the status.
    fn reason(&self, code: Status) -> String {
        self.context.take_explanation().unwrap_or_else(|| status::name(code).to_owned())
    }

    /// Interprets the status of a call, and disables the instance if it failed.
    fn judge(&mut self, call: &str, code: Status) -> Option<Fault> {
        if code == status::OK {
            return None;
        }
        if let Some(interrupt) = interrupt_for(code) {
            let may_request = self.context.may_request(&interrupt);
            return may_request.then(|| Fault::Requested(interrupt, self.reason(code)));
        }
        if code > 0 {
            return None;
        }
        let reason = format!("`{call}` failed: {}", self.reason(code));
        self.stage = Stage::Failed(reason.clone());
        Some(Fault::Failed(reason))
    }

    /// Runs a call of the simulation thread, registered with the watchdog and the crash report.
    fn guarded(&self, call: Call, body: impl FnOnce() -> Status) -> Status {
        let named = || match call.of_step() {
            Some(call) => call::in_step(&self.label, call, body),
            None if self.is_counted => call::around_step(&self.label, call.name(), body),
            None => call::during(&self.label, call.name(), body),
        };
        let watchdog = &self.shared.watchdog;
        if self.is_isolated {
            watchdog.during_in_worker(named)
        } else {
            watchdog.during(self.watched, call, named)
        }
    }

    /// Makes an optional call without arguments on a started instance.
    fn call(&mut self, call: Call, bit: u32, function: fn(&ModelRef) -> Status) -> Option<Fault> {
        if self.stage != Stage::Started || self.raw.has() & bit == 0 {
            return None;
        }
        let code = self.guarded(call, || function(&self.raw));
        self.is_counted = false;
        self.judge(call.name(), code)
    }

    /// Interprets a timed call that has just returned: its status first, then its duration.
    fn judge_timed(&mut self, call: Call, code: Status, watch: &mut Stopwatch) -> Option<Fault> {
        let waited = || self.shared.watchdog.waited();
        let slow = self.timing.add(&self.label, call, watch, waited).map(Fault::Failed);
        let fault = self.judge(call.name(), code).or(slow)?;
        if let Fault::Failed(reason) = &fault {
            self.stage = Stage::Failed(reason.clone());
        }
        Some(fault)
    }

    /// `all_started`.
    pub(super) fn all_started(&mut self) -> Option<Fault> {
        if !self.lacks_all_started() {
            return None;
        }
        self.notified.all_started = true;
        self.call(Call::AllStarted, model_has::all_started, ModelRef::all_started)
    }

    /// `pause`, of a run or after counted steps.
    pub(super) fn pause(&mut self, counted: bool) -> Option<Fault> {
        self.notified.pause = true;
        self.is_counted = counted;
        self.call(Call::Pause, model_has::pause, ModelRef::pause)
    }

    /// `resume`, of a run or before counted steps.
    pub(super) fn resume(&mut self, counted: bool) -> Option<Fault> {
        self.notified.pause = false;
        self.is_counted = counted;
        self.call(Call::Resume, model_has::resume, ModelRef::resume)
    }

    /// Ends the threads of the instance, then calls `stop`.
    pub(super) fn stop(&mut self) -> Option<Fault> {
        if self.stage != Stage::Started {
            return None;
        }
        for thread in self.context.threads.stop(Duration::from_secs(2)) {
            log::error!(target: self.label(), "[BH-PLG-091] thread {thread} did not end");
        }
        let fault = self.call(Call::Stop, model_has::stop, ModelRef::stop);
        if self.stage == Stage::Started {
            self.stage = Stage::Stopped;
        }
        fault
    }

    /// `reset`.
    pub(super) fn reset(&mut self, scope: u32, watch: &mut Stopwatch) -> Option<Fault> {
        if self.stage != Stage::Started {
            return None;
        }
        self.notified.reset = true;
        self.sampling.restart();
        watch.begin();
        let code = self.guarded(Call::Reset, || self.raw.reset(scope));
        self.judge_timed(Call::Reset, code, watch)
    }

    /// `sample`, in the steps that the instance asked for.
    pub(super) fn sample(&mut self, step: &StepInfo, watch: &mut Stopwatch) -> Option<Fault> {
        if !self.sampling.take(step) {
            return None;
        }
        if self.stage != Stage::Started || self.raw.raw().sample.is_none() {
            return None;
        }
        watch.begin();
        let code = self.guarded(Call::Sample, || self.raw.sample(step));
        self.judge_timed(Call::Sample, code, watch)
    }

    /// `control`.
    pub(super) fn control(&mut self, step: &StepInfo, watch: &mut Stopwatch) -> Option<Fault> {
        if self.stage != Stage::Started || self.raw.raw().control.is_none() {
            return None;
        }
        watch.begin();
        let code = self.guarded(Call::Control, || self.raw.control(step));
        self.judge_timed(Call::Control, code, watch)
    }

    /// The label of the instance, and its messages that were published since the last call.
    pub(super) fn published(&mut self) -> (&str, &mut Vec<Outgoing>) {
        self.context.outbox.drain_into(&mut self.outgoing);
        (&self.context.label, &mut self.outgoing)
    }

    /// Subscriptions opened since the last call.
    pub(super) fn new_subscriptions(&mut self) -> Vec<Arc<crate::bus::Subscription>> {
        let new = self.context.subscriptions_from(self.routed_subscriptions);
        self.routed_subscriptions += new.len();
        new
    }

    /// Destroys the instance. If its start is still running, the instance is leaked with everything it may use.
    pub(super) fn destroy(mut self) -> Option<String> {
        self.context.close_services();
        if self.start.as_ref().is_some_and(|start| !start.is_finished()) {
            #[expect(clippy::mem_forget, reason = "the running start may still use its context")]
            std::mem::forget(Arc::clone(&self.context));
            let is_to_blame = self.stage != Stage::Interrupted;
            return is_to_blame.then(|| {
                format!("[BH-PLG-092] `{}` does not return from its start and was left running", self.label())
            });
        }
        drop(self.start.take());
        let left = self.context.threads.stop(Duration::from_secs(2));
        if !left.is_empty() {
            #[expect(clippy::mem_forget, reason = "a thread of the plugin may still use its context")]
            std::mem::forget(Arc::clone(&self.context));
            return Some(format!("[BH-PLG-091] thread {} did not end", left.join(", ")));
        }
        self.guarded(Call::Destroy, || {
            // SAFETY: the last call on this instance; no thread of it is left.
            unsafe { self.raw.destroy() };
            status::OK
        });
        self.shared.watchdog.forget(self.watched);
        self.context.retire();
        None
    }

    /// Resets its call statistics.
    pub(super) fn reset_timing(&mut self) {
        self.timing = Timing::default();
    }

    /// The result so far.
    #[must_use]
    pub fn result(&self) -> PluginResult {
        let failure = match &self.stage {
            Stage::Failed(reason) => reason.clone(),
            Stage::Starting | Stage::Pending => "not started".to_owned(),
            Stage::Created | Stage::Interrupted | Stage::Started | Stage::Stopped => String::new(),
        };
        PluginResult {
            label: self.label().to_owned(),
            plugin: self.plugin.clone(),
            failure,
            lost: self.context.report.lost(),
            timing: self.timing.clone(),
        }
    }
}
