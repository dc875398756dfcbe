//! Error responses: a status, a code, a message and what to try, as JSON.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bridgehead_plugin_api::messages::PayloadError;
use serde_json::{Map, Value};

/// The response to a request that is not served.
#[derive(Debug)]
pub(super) struct Problem(Box<Refusal>);

/// Boxed, so that results without a problem stay small.
#[derive(Debug)]
struct Refusal {
    status: StatusCode,
    members: Map<String, Value>,
    header: Option<(header::HeaderName, HeaderValue)>,
}

impl Problem {
    pub(super) fn new(status: StatusCode, code: impl Into<String>, message: impl Into<String>) -> Self {
        let mut members = Map::new();
        members.insert("code".to_owned(), Value::String(code.into()));
        members.insert("message".to_owned(), Value::String(message.into()));
        Problem(Box::new(Refusal { status, members, header: None }))
    }

    /// Returns the problem with one more member in the body.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.members.insert(name.to_owned(), value.into());
        self
    }

    /// Returns the problem with a header. A header with an invalid value is left out.
    pub(super) fn header(mut self, name: header::HeaderName, value: &str) -> Self {
        self.0.header = HeaderValue::from_str(value).ok().map(|value| (name, value));
        self
    }

    /// Returns a problem with status 400: the request does not fit its type.
    pub(super) fn payload(error: &PayloadError) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, error.code(), error.detail()).with("path", error.path())
    }

    pub(super) fn status(&self) -> StatusCode {
        self.0.status
    }

    /// Returns the body as text.
    pub(super) fn json(&self) -> String {
        Value::Object(self.0.members.clone()).to_string()
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = json(self.status(), self.json());
        if let Some((name, value)) = self.0.header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

/// Returns a response of JSON.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    typed(status, "application/json", body)
}

/// Returns a response of any type. Caches must not keep it, because the run continues.
pub(super) fn typed(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, body.into()).into_response()
}
