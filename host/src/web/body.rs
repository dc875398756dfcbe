//! Reads the body of a request, within limits of size and time.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use tokio::time::timeout;

use super::connection_slot::ConnectionSlot;
use super::problem::Problem;

/// Longest time to send a body.
const PATIENCE: Duration = Duration::from_secs(20);
/// Limits of time and size for reading the rest of a refused body: a client that still sends would
/// lose the response.
const COURTESY: (Duration, usize) = (Duration::from_millis(500), 16);

/// Returns the body as text; whitespace is an empty request.
pub(super) async fn text(head: &Parts, body: Body, limit: usize) -> Result<String, Problem> {
    let slot = head.extensions.get::<Arc<ConnectionSlot>>();
    let _phase = slot.map(|slot| slot.reads_body());
    let announced =
        head.headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    if announced.is_some_and(|length| usize::try_from(length).is_ok_and(|length| length > limit)) {
        let (time, times) = COURTESY;
        drop(timeout(time, to_bytes(body, limit.saturating_mul(times))).await);
        return Err(too_long(limit));
    }
    match timeout(PATIENCE, to_bytes(body, limit)).await {
        Err(_) => {
            let message = format!("the body did not arrive within {} s", PATIENCE.as_secs());
            Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "BH-WEB-024", message))
        }
        Ok(Err(error)) if is_too_long(&error) => Err(too_long(limit)),
        Ok(Err(error)) => Err(unreadable(&error.to_string())),
        Ok(Ok(bytes)) => match std::str::from_utf8(&bytes) {
            Ok(text) if text.trim_ascii().is_empty() => Ok("{}".to_owned()),
            Ok(text) => Ok(text.to_owned()),
            Err(error) => Err(unreadable(&error.to_string())),
        },
    }
}

/// Returns true if the limit was reached, false at the end of the connection.
fn is_too_long(error: &axum::Error) -> bool {
    std::error::Error::source(error).is_some_and(|source| source.is::<http_body_util::LengthLimitError>())
}

fn too_long(limit: usize) -> Problem {
    let message = format!("the body exceeds the limit of {limit} bytes");
    Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "BH-WEB-023", message).with("limit", limit)
}

fn unreadable(why: &str) -> Problem {
    Problem::new(StatusCode::BAD_REQUEST, "BH-WEB-025", format!("the body cannot be read: {why}"))
}
