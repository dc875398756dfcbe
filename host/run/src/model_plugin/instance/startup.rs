//! The start of an instance on its thread `start:<label>`, and the lifecycle calls that an instance of a running
//! simulation has missed by then.

use std::sync::Arc;
use std::time::Instant;

use bridgehead_sdf::element::FRAME_ELEMENTS;

use super::ModelPlugin;
use super::start_call::{POLL_INTERVAL, awake};
use crate::bus::Subscription;
use crate::clock;
use crate::description::Server;
use crate::model_plugin::fault::{Fault, Stage};
use crate::world::SlotKind;

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
        (!self.notified.pause).then(|| self.pause(false)).flatten()
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

/// Children of a `<sensor>` that the host reads itself, besides those for its frame.
pub(crate) const HOST_READS_OF_SENSORS: &[&str] =
    &["pose", "topic", "update_rate", "always_on", "visualize", "enable_metrics", "plugin"];

/// Returns true for children of an element of that kind that the host reads itself.
pub(in crate::model_plugin) fn is_read_by_host(kind: SlotKind, name: &str) -> bool {
    match kind {
        SlotKind::Sensor => HOST_READS_OF_SENSORS.contains(&name) || FRAME_ELEMENTS.contains(&name),
        SlotKind::Plugin => false,
    }
}
