//! Results of `simulation_interfaces`, made and read in one place.

use bridgehead_lifecycle::{Refusal, RefusalKind};
use bridgehead_plugin_api::messages::simulation_interfaces as si;

/// `RESULT_OK`.
pub(super) fn ok() -> Option<si::Result> {
    noted(String::new())
}

/// `RESULT_OK`, with something worth knowing.
pub(super) fn noted(message: String) -> Option<si::Result> {
    Some(si::Result { result: si::Result::RESULT_OK, error_message: message })
}

/// Not OK, and why.
pub(super) fn failed(code: u32, message: impl Into<String>) -> Option<si::Result> {
    Some(si::Result { result: code, error_message: message.into() })
}

/// What a refused request means for a service that has no codes of its own for transitions.
pub(super) fn refused(refusal: &Refusal) -> Option<si::Result> {
    let code = match refusal.kind {
        RefusalKind::IncorrectTransition | RefusalKind::IncorrectState => si::Result::RESULT_INCORRECT_STATE,
        RefusalKind::AlreadyInTarget
        | RefusalKind::OperationFailed
        | RefusalKind::Later
        | RefusalKind::Stale => si::Result::RESULT_OPERATION_FAILED,
    };
    failed(code, refusal.to_string())
}

/// What a call that needs a world gets without one.
pub(super) fn no_world() -> Option<si::Result> {
    failed(si::Result::RESULT_INCORRECT_STATE, "no world is loaded; load one first")
}
