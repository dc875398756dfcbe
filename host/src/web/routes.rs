//! The paths of the server.

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Path, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};
use serde_json::{Value, json};

use super::action::Action;
use super::app::App;
use super::connection_slot::ConnectionSlot;
use super::endpoint::{Endpoint, Endpoints};
use super::guard::{Access, check_page};
use super::problem::{Problem, typed};
use super::refusal::{no_service, not_allowed, nothing, other_method};
use super::{action, body, call, metrics, openapi, problem, query, scene, socket};
use crate::clock;
use crate::watchdog::Watchdog;

/// Header with the reset epoch of the run at the time of the response.
const EPOCH: HeaderName = HeaderName::from_static("x-bridgehead-epoch");

type Shared = State<Arc<App>>;

/// Returns all routes.
pub(super) fn router(app: &Arc<App>) -> Router {
    app.page
        .routes()
        .route("/healthz", get(health))
        .route("/api", get(list))
        .route("/api/{*name}", any(service))
        .route("/metrics", get(numbers))
        .route("/openapi.json", get(description))
        .route("/scene/assets/{hash}", get(scene::asset))
        .route("/ws", get(socket::open))
        .fallback(nothing)
        .method_not_allowed_fallback(other_method)
        .layer(from_fn_with_state(Arc::clone(app), enter))
        .with_state(Arc::clone(app))
}

/// Handles every request.
async fn enter(
    State(app): Shared,
    Extension(slot): Extension<Arc<ConnectionSlot>>,
    request: Request,
    next: Next,
) -> Response {
    slot.begin();
    let method = request.method().clone();
    let access = if app.page.is_open(request.uri().path()) { Access::Everybody } else { Access::Clients };
    let mut response = match app.guard.check(request.method(), request.headers(), access) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    app.requests.count(&method, response.status().as_u16());
    let (now, _) = app.control.shared().clock.read();
    response.headers_mut().insert(EPOCH, HeaderValue::from(now.reset_epoch));
    if slot.end() && response.status() != StatusCode::SWITCHING_PROTOCOLS {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Time after which a simulation thread that does not respond is reported.
const LATE: Duration = Duration::from_secs(5);

/// Returns that the host works, in any state of the run.
async fn health(State(app): Shared) -> Result<Response, Problem> {
    health_at(&app.control.shared().watchdog, clock::now())
}

fn health_at(watchdog: &Watchdog, now: Instant) -> Result<Response, Problem> {
    let silence = watchdog.silence(now);
    if silence < LATE {
        return Ok(typed(StatusCode::OK, "text/plain; charset=utf-8", "ok\n"));
    }
    let (name, doing) = watchdog
        .state()
        .map_or(("the start of the host", "starting"), |state| (state.name(), state.plain_name()));
    let message = format!(
        "the simulation thread has not responded for {:.1} s; the simulation is {doing}",
        silence.as_secs_f64()
    );
    Err(Problem::new(StatusCode::SERVICE_UNAVAILABLE, "BH-WEB-014", message)
        .with("silence_ms", u64::try_from(silence.as_millis()).unwrap_or(u64::MAX))
        .with("state", name))
}

/// Metrics for Prometheus.
async fn numbers(State(app): Shared) -> Response {
    typed(StatusCode::OK, metrics::CONTENT_TYPE, metrics::page(&app).await)
}

/// The OpenAPI document.
async fn description(State(app): Shared) -> Response {
    problem::json(StatusCode::OK, openapi::text(&app).to_string())
}

/// The services.
async fn list(State(app): Shared) -> Response {
    let of_world = Endpoints::of_world(&app.control);
    let services = app.endpoints.services().cloned().chain(of_world);
    let services: Vec<Value> = services.map(|endpoint| described(&endpoint)).collect();
    let actions: Vec<Value> =
        Action::all(&app.endpoints).map(|(name, send)| described_action(name, send)).collect();
    problem::json(StatusCode::OK, json!({ "services": services, "actions": actions }).to_string())
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

fn described_action(name: &str, send: &Endpoint) -> Value {
    json!({ "name": name, "type": send.declared.ros_type, "comment": send.declared.comment })
}

/// A call of a service.
async fn service(
    State(app): Shared,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let of_world = || Endpoints::of_world(&app.control).find(|endpoint| endpoint.name == name);
    let Some(endpoint) = app.endpoints.find(&name).cloned().or_else(of_world) else {
        return goal(&app, &name, request).await;
    };
    let (parts, body) = request.into_parts();
    if endpoint.reads_files {
        check_page(&parts.headers)?;
    }
    let json = match parts.method {
        Method::POST if parts.uri.query().is_some_and(|query| !query.is_empty()) => {
            return Err(query::beside_a_body(&parts.uri));
        }
        Method::POST => body::text(&parts, body, app.body_limit).await?,
        Method::GET | Method::HEAD if endpoint.declared.is_reader => {
            query::request(parts.uri.query().unwrap_or_default(), endpoint.request_type())?
        }
        method => return Err(not_allowed(&method, &parts.uri, endpoint.allow())),
    };
    let (status, json) = call::call(&endpoint, &json).await?;
    Ok(problem::json(status, json))
}

/// A path below the name of an action, or an unknown path.
async fn goal(app: &Arc<App>, name: &str, request: Request) -> Result<Response, Problem> {
    if let Some(action) = Action::find(&app.endpoints, name) {
        return action::goal(app, action, request).await;
    }
    let one = name.rsplit_once('/').and_then(|(name, id)| Some((Action::find(&app.endpoints, name)?, id)));
    match one {
        Some((action, id)) => action::one(app, action, id, request).await,
        None => Err(unknown(app, name)),
    }
}

fn unknown(app: &App, name: &str) -> Problem {
    let services = app.endpoints.services().map(|endpoint| endpoint.name.as_str());
    no_service(name, &services.chain(Action::all(&app.endpoints).map(|(name, _)| name)).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use bridgehead_lifecycle::State as Lifecycle;

    use super::*;

    #[test]
    fn a_thread_that_does_not_respond_is_reported_with_its_state() {
        let (watchdog, start) = (Watchdog::default(), clock::now());
        let at = |seconds| health_at(&watchdog, start + Duration::from_secs(seconds));
        watchdog.beat(start + Duration::from_secs(100));
        watchdog.enter(Lifecycle::StepSimulator);
        assert_eq!(at(104).expect("healthy").status(), StatusCode::OK);
        let problem = at(106).expect_err("late");
        let text = problem.json();
        assert_eq!(problem.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(
            ["BH-WEB-014", "for 6.0 s; the simulation is playing", "StepSimulator"]
                .iter()
                .all(|part| text.contains(part)),
            "{text}"
        );
    }
}
