//! Responses to requests for paths that do not exist, and to methods that a path does not support.

use axum::http::{Method, StatusCode, Uri, header};

use super::problem::Problem;
use crate::config::nearest;

/// Returns a problem with status 404 and the similar names.
pub(super) fn no_service(name: &str, names: &[&str]) -> Problem {
    let hint = nearest(name, names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Problem::new(StatusCode::NOT_FOUND, "BH-WEB-021", format!("there is no service `{name}`{hint}"))
        .with("services", names)
}

pub(super) async fn nothing(uri: Uri) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "BH-WEB-020", format!("there is nothing at `{}`", uri.path()))
}

/// The router adds the header `Allow`.
pub(super) async fn other_method(method: Method, uri: Uri) -> Problem {
    not_allowed(&method, &uri, "GET, HEAD")
}

pub(super) fn not_allowed(method: &Method, uri: &Uri, allow: &str) -> Problem {
    let message = format!("`{}` does not support {method}; it supports {allow}", uri.path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "BH-WEB-022", message).header(header::ALLOW, allow)
}
