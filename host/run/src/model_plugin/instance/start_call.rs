//! The call of `start`, which a thread makes.

use std::time::Duration;

use bridgehead_plugin_api::objects::ModelRef;

use crate::api::context::Context;
use crate::call;
use crate::model_plugin::sampling::Sampling;

/// Poll interval while waiting for a start.
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(1);

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
pub(crate) fn start(raw: &ModelRef, is_awake: bool, context: &Context) -> StartResult {
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

pub(super) fn awake(raw: &ModelRef, context: &Context) -> bridgehead_abi::Status {
    // No other call of this instance runs during its start.
    call::during(&context.label, "awake", || raw.awake())
}
