//! Instances that come and go while the run goes on: a start on a thread of its own, and what the others have behind
//! them by then.

use std::sync::Arc;
use std::time::Duration;

use bridgehead_abi::status;

use super::{Fault, ModelPlugin, Raw, Sampling, Stage};
use crate::api::Context;
use crate::bus::Subscription;
use crate::crash;
use crate::description::Server;

/// How often a start is looked at that somebody waits for.
const LOOK: Duration = Duration::from_millis(1);

/// What an instance has heard since its last start.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Heard {
    pub(super) reset: bool,
    pub(super) all_started: bool,
    pub(super) pause: bool,
}

/// What came of a start thread.
pub(super) struct Begun {
    pub(super) code: bridgehead_abi::Status,
    /// Whether the instance is awake now.
    pub(super) is_awake: bool,
    pub(super) sampling: Sampling,
}

/// Body of a start thread.
pub(super) fn start(raw: &Raw, is_awake: bool, context: &Context) -> Begun {
    drop(context.take_explanation());
    let ctx = raw.0.ctx;
    if !is_awake {
        // SAFETY: no other call of this instance runs while it starts.
        let code = crash::during(&context.label, "awake", || unsafe { (raw.0.awake)(ctx) });
        if code < 0 {
            return Begun { code, is_awake: false, sampling: Sampling::EVERY_STEP };
        }
    }
    // SAFETY: as above.
    let start = || raw.0.start.map_or(status::OK, |start| unsafe { start(ctx) });
    let code = crash::during(&context.label, "start", start);
    let sampling = crash::during(&context.label, "get_extension", || Sampling::of(&raw.0));
    Begun { code, is_awake: true, sampling }
}

impl ModelPlugin {
    /// How it serves its element.
    pub(in crate::model_plugin) fn server(&self) -> Server {
        Server {
            plugin: self.plugin.clone(),
            label: Some(self.label().to_owned()),
            opened: Some(Arc::clone(&self.context.opened)),
        }
    }

    /// Whether it takes part and has not had its first reset.
    pub(in crate::model_plugin) fn lacks_reset(&self) -> bool {
        self.is_started() && !self.heard.reset
    }

    /// Whether it takes part and has not been told that all have started.
    pub(in crate::model_plugin) fn lacks_all_started(&self) -> bool {
        self.is_started() && !self.heard.all_started
    }

    /// `pause`, where it was not told of this one.
    pub(in crate::model_plugin) fn pause_once(&mut self) -> Option<Fault> {
        (!self.heard.pause).then(|| self.pause()).flatten()
    }

    /// Waits for a start that runs, so that the instance can be stopped and destroyed. One that takes longer is
    /// destroyed without it, which means that it is left alone.
    pub(in crate::model_plugin) fn await_start(&mut self, patience: Duration) {
        let end = crate::clock::now() + patience;
        while self.start.as_ref().is_some_and(|start| !start.is_finished()) && crate::clock::now() < end {
            std::thread::sleep(LOOK);
        }
        drop(self.poll_start());
    }

    /// Every subscription that it made.
    pub(in crate::model_plugin) fn subscriptions(&self) -> Vec<Arc<Subscription>> {
        self.context.subscriptions_from(0)
    }

    /// Whether it is attached to that model.
    pub(in crate::model_plugin) fn belongs_to(&self, model: usize) -> bool {
        self.context.attachment.entity == Some(model)
    }

    /// Whether nobody has asked it to start yet.
    pub(in crate::model_plugin) fn is_new(&self) -> bool {
        self.stage == Stage::Created
    }
}
