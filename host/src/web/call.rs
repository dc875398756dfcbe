//! One call: JSON in, the service, JSON out. The response may take any time; a client may disconnect before it.

use axum::http::StatusCode;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::{Status, status};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::simulation_interfaces as si;
use tokio::sync::oneshot;

use super::endpoint::Endpoint;
use super::problem::Problem;
use crate::bus::ServicePoint;

/// Calls a service with a JSON request. Returns the HTTP status and the JSON response.
pub(super) async fn call(endpoint: &Endpoint, request: &str) -> Result<(StatusCode, Vec<u8>), Problem> {
    let mut payload = Vec::new();
    endpoint.request().decode(request, &mut payload).map_err(|error| Problem::payload(&error))?;
    let response = ask(&endpoint.point, payload).await?;
    let mut json = Vec::with_capacity(4 * response.len());
    endpoint.response().encode(&response, &mut json).map_err(|error| unwritable(&error.to_string()))?;
    let status = if endpoint.is_own() { status_of(endpoint, &response) } else { StatusCode::OK };
    Ok((status, json))
}

/// Calls a service with the bytes of a request.
pub(super) async fn ask(point: &ServicePoint, request: Vec<u8>) -> Result<Payload, Problem> {
    let (sender, answer) = oneshot::channel();
    // The receiver is gone if the client has disconnected.
    let send = move |status, response| drop(sender.send((status, response)));
    point.call(Payload::from_vec(request), Box::new(send));
    match answer.await {
        Ok((status::OK, Some(response))) => Ok(response),
        Ok((status, _)) => Err(unanswered(&point.name, status)),
        Err(_) => Err(unanswered(&point.name, status::INTERRUPTED)),
    }
}

fn unanswered(name: &str, status: Status) -> Problem {
    if status == status::INTERRUPTED {
        let message = format!("the run ended before `{name}` was answered");
        return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "BH-WEB-030", message);
    }
    failed(format!("`{name}` failed: {}", status::name(status)))
}

/// Returns a problem with status 500: the service failed.
pub(super) fn failed(why: String) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "BH-WEB-031", why)
}

fn unwritable(why: &str) -> Problem {
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "BH-WEB-032", format!("the response is not JSON: {why}"))
}

/// Returns the HTTP status for the result of one of our own services.
fn status_of(endpoint: &Endpoint, response: &[u8]) -> StatusCode {
    let result = endpoint.result(response);
    result.map_or(StatusCode::OK, |result| status_for(result, endpoint.declared.is_transition))
}

/// Returns bytes as a message; `None` if they are another message.
pub(super) fn decoded<M: Message>(bytes: &[u8]) -> Option<M> {
    M::decode(bytes).ok()
}

fn status_for(result: u32, is_transition: bool) -> StatusCode {
    match result {
        si::Result::RESULT_OK => StatusCode::OK,
        si::Result::RESULT_FEATURE_UNSUPPORTED => StatusCode::BAD_REQUEST,
        si::Result::RESULT_NOT_FOUND => StatusCode::NOT_FOUND,
        si::Result::RESULT_INCORRECT_STATE => StatusCode::CONFLICT,
        _ if is_transition => StatusCode::CONFLICT,
        _ => StatusCode::OK,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_our_own_verbs_are_told_by_the_status() {
        let status = |result, is_transition| status_for(result, is_transition).as_u16();
        assert_eq!(status(si::Result::RESULT_OK, true), 200);
        assert_eq!(status(si::Result::RESULT_FEATURE_UNSUPPORTED, true), 400);
        assert_eq!(status(si::Result::RESULT_NOT_FOUND, false), 404);
        assert_eq!(status(si::Result::RESULT_INCORRECT_STATE, false), 409);
        assert_eq!(status(si::Result::RESULT_OPERATION_FAILED, true), 409);
        assert_eq!(status(si::Result::RESULT_OPERATION_FAILED, false), 200);
    }
}
