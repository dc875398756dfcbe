//! The start of an instance on its thread `start:<label>`, and the lifecycle calls that an instance of a running
//! simulation has missed by then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use bridgehead_plugin_api::objects::ModelRef;

use super::{Fault, ModelPlugin, Stage};
use crate::api::context::Context;
use crate::bus::Subscription;
use crate::description::Server;
use crate::model_plugin::sampling::Sampling;
use crate::model_plugin::set::is_read_by_host;
use crate::{call, clock};

/// Poll interval while waiting for a start.
const POLL_INTERVAL: Duration = Duration::from_millis(1);

/// Lifecycle calls made since the last start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Notified {
    pub(super) reset: bool,
    pub(super) all_started: bool,
    pub(super) pause: bool,
}

/// Result of a start thread.
pub(super) struct StartResult {
    pub(super) code: bridgehead_abi::Status,
    /// True if `awake` has succeeded.
    pub(super) is_awake: bool,
    pub(super) sampling: Sampling,
}

/// Body of a start thread.
pub(super) fn start(raw: &ModelRef, is_awake: bool, context: &Context) -> StartResult {
    drop(context.take_explanation());
    if !is_awake {
        let code = awake(raw, context);
        if code < 0 {
            return StartResult { code, is_awake: false, sampling: Sampling::EVERY_STEP };
        }
    }
    let code = call::during(&context.label, "start", || raw.start());
    let sampling = call::during(&context.label, "get_extension", || Sampling::of(raw));
    StartResult { code, is_awake: true, sampling }
}

fn awake(raw: &ModelRef, context: &Context) -> bridgehead_abi::Status {
    // No other call of this instance runs during its start.
    call::during(&context.label, "awake", || raw.awake())
}

impl ModelPlugin {
    /// Calls `awake` alone, to find out whether it accepts its parameters. Returns the reason if it does not.
    pub(in crate::model_plugin) fn try_awake(&mut self) -> Option<String> {
        drop(self.context.take_explanation());
        let code = awake(&self.raw, &self.context);
        self.is_awake = code >= 0;
        (code < 0).then(|| self.reason(code))
    }

    /// Describes how it serves its element.
    pub(in crate::model_plugin) fn server(&self) -> Server {
        Server {
            plugin: self.plugin.clone(),
            label: Some(self.label().to_owned()),
            opened: Some(Arc::clone(&self.context.opened)),
            is_built_in: false,
        }
    }

    /// Returns true if it takes part and its first reset is missing.
    pub(in crate::model_plugin) fn lacks_reset(&self) -> bool {
        self.is_started() && !self.notified.reset
    }

    /// Returns true if it takes part and its `all_started` call is missing.
    pub(in crate::model_plugin) fn lacks_all_started(&self) -> bool {
        self.is_started() && !self.notified.all_started
    }

    /// `pause`, unless it was called for the current pause.
    pub(in crate::model_plugin) fn pause_once(&mut self) -> Option<Fault> {
        (!self.notified.pause).then(|| self.pause()).flatten()
    }

    /// Waits until `end` for a running start, so that the instance can be stopped and destroyed. After that, it is
    /// leaked.
    pub(in crate::model_plugin) fn await_start(&mut self, end: Instant) {
        while self.start.as_ref().is_some_and(|start| !start.is_finished()) && clock::now() < end {
            std::thread::sleep(POLL_INTERVAL);
        }
        drop(self.poll_start());
    }

    /// Ends the wait for its start, because the run ends. The instance is not to blame.
    pub(in crate::model_plugin) fn interrupt_start(&mut self) {
        if matches!(self.stage, Stage::Starting | Stage::Pending) {
            self.stage = Stage::Interrupted;
        }
    }

    /// All its subscriptions.
    pub(in crate::model_plugin) fn subscriptions(&self) -> Vec<Arc<Subscription>> {
        self.context.subscriptions_from(0)
    }

    /// Returns true if it is attached to that model.
    pub(in crate::model_plugin) fn belongs_to(&self, model: usize) -> bool {
        self.context.attachment.entity == Some(model)
    }

    /// Returns true if no start was requested yet.
    pub(in crate::model_plugin) fn is_new(&self) -> bool {
        self.stage == Stage::Created
    }

    /// Warns about parameters that neither the plugin nor the host has read.
    pub(super) fn name_unread(&self) {
        for path in self.context.params.unread() {
            let head = path.split(['/', ' ']).next().unwrap_or_default();
            if !is_read_by_host(self.kind, head) {
                log::warn!(
                    target: self.label(),
                    "[BH-PLG-090] parameter `{path}` is not used by plugin `{}`: misspelt, or not supported",
                    self.plugin
                );
            }
        }
    }
}
