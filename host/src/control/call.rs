//! Calls of services with their types: a request as bytes, one response, and the results in responses.

use std::marker::PhantomData;

use bridgehead_lifecycle::{Refusal, RefusalKind, SimulationState};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::{Status, status};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::simulation_interfaces as si;

use crate::bus::Answer;

/// A response as bytes.
pub(super) struct Encoded<R> {
    bytes: Vec<u8>,
    response: PhantomData<fn(R)>,
}

impl<R: Message> Encoded<R> {
    pub(super) fn of(response: &R) -> Self {
        Encoded { bytes: response.encode_to_vec(), response: PhantomData }
    }

    /// Appends the fields that `encode` writes. The encoded parts of a message, one after the other, are the encoded
    /// message.
    pub(super) fn with(mut self, encode: impl FnOnce(&mut Vec<u8>)) -> Self {
        encode(&mut self.bytes);
        self
    }
}

/// Sends the response to one call. It may be kept, and used on any thread; if it is dropped without a response, the
/// call is answered with INTERRUPTED.
pub struct Reply<R> {
    answer: Option<Answer>,
    response: PhantomData<fn(R)>,
}

impl<R: Message> Reply<R> {
    pub(super) fn new(answer: Answer) -> Self {
        Reply { answer: Some(answer), response: PhantomData }
    }

    /// Sends the response.
    #[expect(clippy::needless_pass_by_value, reason = "a response is sent once")]
    pub fn send(self, response: R) {
        self.send_encoded(Encoded::of(&response));
    }

    /// Sends the response.
    pub(super) fn send_encoded(mut self, response: Encoded<R>) {
        if let Some(answer) = self.answer.take() {
            answer(status::OK, Some(Payload::from_vec(response.bytes)));
        }
    }

    /// Ends the call without a response.
    pub fn fail(mut self, status: Status) {
        if let Some(answer) = self.answer.take() {
            answer(status, None);
        }
    }
}

impl<R> Drop for Reply<R> {
    fn drop(&mut self) {
        if let Some(answer) = self.answer.take() {
            answer(status::INTERRUPTED, None);
        }
    }
}

/// A response with a result, so that a call can be refused without knowing its service.
pub(super) trait WithResult: Message + Default {
    /// Returns its result.
    fn result_mut(&mut self) -> &mut Option<si::Result>;

    /// Returns a response with this result and nothing else.
    fn with_result(result: Option<si::Result>) -> Self {
        let mut response = Self::default();
        *response.result_mut() = result;
        response
    }
}

/// Implements [`WithResult`] for messages with a field `result`.
macro_rules! with_result {
    ($($response:ty),* $(,)?) => {
        $(impl WithResult for $response {
            fn result_mut(&mut self) -> &mut Option<si::Result> {
                &mut self.result
            }
        })*
    };
}

with_result!(
    si::SetEntityStateResponse,
    si::SetEntityInfoResponse,
    si::SpawnEntityResponse,
    si::SpawnEntitiesResponse,
    si::DeleteEntityResponse,
    si::LoadWorldResponse,
    si::UnloadWorldResponse,
    own::ReloadWorldResponse,
    own::RestoreSnapshotResponse,
    own::SaveSnapshotResponse,
    own::SaveWorldResponse,
    own::SetGuiCameraResponse,
    own::SetRoadResponse,
    own::ResetStatisticsResponse,
    own::AddTriggersResponse,
    own::RemoveTriggerResponse,
    own::SetRealTimeFactorResponse,
    own::ConnectBridgeResponse,
    own::DisconnectBridgeResponse,
    own::PublishMessageResponse,
);

/// Decodes the request of a call. A malformed one is answered with SCHEMA.
pub(super) fn decoded<Q: Message>(request: &Payload, answer: Answer) -> Option<(Q, Answer)> {
    match Q::decode(&**request) {
        Ok(request) => Some((request, answer)),
        Err(error) => {
            log::warn!("a request is not a {}: {error}", Q::FULL_NAME);
            answer(status::SCHEMA, None);
            None
        }
    }
}

/// Returns `RESULT_OK`.
pub(super) fn ok() -> Option<si::Result> {
    noted(String::new())
}

/// Returns `RESULT_OK`, with a note.
pub(super) fn noted(message: String) -> Option<si::Result> {
    Some(si::Result { result: si::Result::RESULT_OK, error_message: message })
}

/// Returns a result other than OK, with its reason.
pub(super) fn failed(code: u32, message: impl Into<String>) -> Option<si::Result> {
    Some(si::Result { result: code, error_message: message.into() })
}

/// Returns the result of a refused request, for a service that has no result codes for transitions.
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

/// Returns the result of a call that needs a world while none is loaded.
pub(super) fn no_world(state: SimulationState) -> Option<si::Result> {
    let text = match state {
        SimulationState::LoadingWorld => "the world is still loading",
        SimulationState::Stopped
        | SimulationState::Playing
        | SimulationState::Paused
        | SimulationState::Quitting
        | SimulationState::NoWorld => "no world is loaded; load one first",
    };
    failed(si::Result::RESULT_INCORRECT_STATE, text)
}
