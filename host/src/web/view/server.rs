//! The server of a recording: started by `bridgehead view`, stopped at its end.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};

use super::app::ViewApp;
use super::{client, services};
use crate::recording::Recording;
use crate::web::connection_slot::ConnectionSlot;
use crate::web::error::WebError;
use crate::web::guard::{Access, Guard};
use crate::web::page::Page;
use crate::web::problem::{Problem, typed};
use crate::web::running::Running;
use crate::web::{body, problem, query, refusal, scene};

/// Largest number of connections at the same time.
const CONNECTIONS: usize = 64;
/// A server of a recording. Stopped when it is dropped.
pub struct ViewServer(Running);

impl ViewServer {
    /// Listens at an address of this machine.
    ///
    /// # Errors
    /// Returns an error if other machines can reach the address, or if it cannot be used.
    pub fn bind(address: SocketAddr) -> Result<TcpListener, WebError> {
        if !address.ip().is_loopback() {
            return Err(WebError::Open(address));
        }
        TcpListener::bind(address).map_err(|source| WebError::Bind { address, source })
    }

    /// Starts a server that accepts the clients of `listener`.
    ///
    /// # Errors
    /// Returns an error if a thread or a poll of sockets cannot be created.
    pub fn start(listener: TcpListener, recording: Recording, page: Page) -> Result<Self, WebError> {
        let guard = Guard { token: None, is_loopback: true };
        let routes = |stop| router(&Arc::new(ViewApp::new(recording, guard, page, stop)));
        Running::start("view", listener, CONNECTIONS, routes).map(ViewServer).map_err(WebError::Thread)
    }

    /// Returns its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.0.address()
    }
}

fn router(app: &Arc<ViewApp>) -> Router {
    app.page
        .routes()
        .route("/healthz", get(health))
        .route("/api", get(list))
        .route("/api/{*name}", any(service))
        .route("/scene/assets/{hash}", get(asset))
        .route("/ws", get(client::open))
        .fallback(refusal::nothing)
        .method_not_allowed_fallback(refusal::other_method)
        .layer(from_fn_with_state(Arc::clone(app), enter))
        .with_state(Arc::clone(app))
}

/// Handles every request.
async fn enter(
    State(app): State<Arc<ViewApp>>,
    Extension(slot): Extension<Arc<ConnectionSlot>>,
    request: Request,
    next: Next,
) -> Response {
    slot.begin();
    let access = if app.page.is_open(request.uri().path()) { Access::Everybody } else { Access::Clients };
    let mut response = match app.guard.check(request.method(), request.headers(), access) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    if slot.end() && response.status() != StatusCode::SWITCHING_PROTOCOLS {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

async fn health() -> Response {
    typed(StatusCode::OK, "text/plain; charset=utf-8", "ok\n")
}

async fn list(State(app): State<Arc<ViewApp>>) -> Response {
    problem::json(StatusCode::OK, services::list(&app))
}

/// A call of a service.
async fn service(
    State(app): State<Arc<ViewApp>>,
    Path(name): Path<String>,
    request: Request,
) -> Result<Response, Problem> {
    let service = services::find(&name)?;
    let (parts, body) = request.into_parts();
    let request = match parts.method {
        Method::POST if parts.uri.query().is_some_and(|query| !query.is_empty()) => {
            return Err(query::beside_a_body(&parts.uri));
        }
        Method::POST => body::text(&parts, body, app.body_limit).await?,
        Method::GET | Method::HEAD if service.is_reader && parts.uri.query().is_none() => String::new(),
        method => return Err(not_allowed(&method, &parts.uri)),
    };
    Ok(problem::json(StatusCode::OK, service.call(&app, &request)?))
}

fn not_allowed(method: &Method, uri: &Uri) -> Problem {
    refusal::not_allowed(method, uri, "POST")
}

/// A mesh or a texture.
async fn asset(State(app): State<Arc<ViewApp>>, Path(hash): Path<String>) -> Result<Response, Problem> {
    let Some(asset) = app.recording.asset(&hash) else {
        return Err(scene::no_asset());
    };
    // The media type is one of a few, because it becomes a header.
    let known = ["model/gltf-binary", "image/png", "image/jpeg"];
    let media_type = known.into_iter().find(|known| *known == asset.media_type);
    let mut response = asset.content.into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(media_type.unwrap_or("application/octet-stream")),
    );
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, max-age=31536000, immutable"));
    Ok(response)
}
