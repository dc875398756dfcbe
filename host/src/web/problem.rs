//! What a client is told instead of an answer: a status, a code, what was asked and what to try, as JSON.

use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bridgehead_plugin_api::messages::PayloadError;
use serde_json::{Map, Value};

/// A request that is not served.
#[derive(Debug)]
pub(super) struct Problem(Box<Refusal>);

/// Boxed, so that the way without a problem stays narrow.
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

    /// With something more in the body.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.0.members.insert(name.to_owned(), value.into());
        self
    }

    /// With a header. One that cannot be written is left out.
    pub(super) fn header(mut self, name: header::HeaderName, value: &str) -> Self {
        self.0.header = HeaderValue::from_str(value).ok().map(|value| (name, value));
        self
    }

    /// 400: a request that is not of its type.
    pub(super) fn payload(error: &PayloadError) -> Self {
        Problem::new(StatusCode::BAD_REQUEST, error.code(), error.to_string()).with("path", error.path())
    }

    pub(super) fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The body as text.
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

/// A response of JSON.
pub(super) fn json(status: StatusCode, body: impl Into<Body>) -> Response {
    typed(status, "application/json", body)
}

/// A response of some type. Nothing is kept by those on the way: the run goes on.
pub(super) fn typed(status: StatusCode, content_type: &'static str, body: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-store"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, body.into()).into_response()
}
