//! What is at which path.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use serde_json::{Value, json};

use super::endpoint::{Endpoint, Endpoints};
use super::guard::Guard;
use super::problem::{self, Problem, typed};
use super::{body, call, query};
use crate::config::nearest;
use crate::control::Desk;

/// The reset epoch of the run when an answer was sent.
const EPOCH: HeaderName = HeaderName::from_static("x-bridgehead-epoch");

/// What every request works with.
pub(super) struct App {
    pub(super) desk: Arc<Desk>,
    pub(super) endpoints: Endpoints,
    pub(super) guard: Guard,
    pub(super) body_limit: usize,
}

type Shared = State<Arc<App>>;

/// Everything that is served.
pub(super) fn router(app: &Arc<App>) -> Router {
    Router::new()
        .route("/healthz", get(health))
        .route("/api", get(list))
        .route("/api/{*name}", any(service))
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn_with_state(Arc::clone(app), enter))
        .with_state(Arc::clone(app))
}

/// What is done to every request.
async fn enter(State(app): Shared, request: Request, next: Next) -> Response {
    let mut response = match app.guard.check(request.method(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    let (now, _) = app.desk.shared().clock.read();
    response.headers_mut().insert(EPOCH, HeaderValue::from(now.reset_epoch));
    response
}

/// That the server serves; the run may be anywhere.
async fn health() -> Response {
    typed(StatusCode::OK, "text/plain; charset=utf-8", "ok\n")
}

/// The services.
async fn list(State(app): Shared) -> Response {
    let services: Vec<Value> = app.endpoints.all().map(|endpoint| described(endpoint)).collect();
    problem::json(StatusCode::OK, json!({ "services": services }).to_string())
}

fn described(endpoint: &Endpoint) -> Value {
    json!({
        "name": endpoint.name,
        "type": endpoint.declared.ros_type,
        "comment": endpoint.declared.comment,
        "reader": endpoint.declared.is_reader,
        "request": endpoint.request_type().full_name(),
        "response": endpoint.response_type().full_name(),
    })
}

/// A call of a service.
async fn service(
    State(app): Shared,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let endpoint = app.endpoints.find(&name).ok_or_else(|| unknown(&app.endpoints, &name))?;
    let (parts, body) = request.into_parts();
    let json = match parts.method {
        Method::POST => body::text(&parts.headers, body, app.body_limit).await?,
        Method::GET | Method::HEAD if endpoint.declared.is_reader => {
            query::request(parts.uri.query().unwrap_or_default(), endpoint.request_type())?
        }
        method => return Err(not_allowed(&method, &parts.uri, endpoint.allow())),
    };
    let (status, json) = call::call(endpoint, &json).await?;
    Ok(problem::json(status, json))
}

/// 404 with what there is.
fn unknown(endpoints: &Endpoints, name: &str) -> Problem {
    let names: Vec<&str> = endpoints.all().map(|endpoint| endpoint.name.as_str()).collect();
    let hint = nearest(name, &names).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    Problem::new(StatusCode::NOT_FOUND, "BH-WEB-021", format!("there is no service `{name}`{hint}"))
        .with("services", names)
}

async fn nothing(uri: Uri) -> Problem {
    Problem::new(StatusCode::NOT_FOUND, "BH-WEB-020", format!("there is nothing at `{}`", uri.path()))
}

/// The router adds the header `Allow`.
async fn other_method(method: Method, uri: Uri) -> Problem {
    not_allowed(&method, &uri, "GET, HEAD")
}

fn not_allowed(method: &Method, uri: &Uri, allow: &str) -> Problem {
    let message = format!("`{}` is not asked with {method}, but with {allow}", uri.path());
    Problem::new(StatusCode::METHOD_NOT_ALLOWED, "BH-WEB-022", message).header(header::ALLOW, allow)
}
