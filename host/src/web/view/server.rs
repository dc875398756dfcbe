//! The server of a recording: started by `bridgehead view`, stopped at its end.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;

use super::app::ViewApp;
use super::{client, services};
use crate::recording::Recording;
use crate::thread::{self, Named};
use crate::web::guard::{Access, Guard};
use crate::web::place::Place;
use crate::web::problem::{self, Problem, typed};
use crate::web::{Page, WebError, body, listen, page, query, routes, scene};

/// Largest number of connections at the same time.
const CONNECTIONS: usize = 64;
/// Longest wait for the end of the server.
const END: Duration = Duration::from_secs(3);

/// A server of a recording. Stopped when it is dropped.
pub struct ViewServer {
    address: SocketAddr,
    stop: watch::Sender<bool>,
    thread: Option<Named<()>>,
}

impl ViewServer {
    /// Starts a server.
    ///
    /// # Errors
    /// Returns an error if the address cannot be used, or is one that other machines can reach.
    pub fn start(address: SocketAddr, recording: Recording, page: Page) -> Result<Self, WebError> {
        if !address.ip().is_loopback() {
            return Err(WebError::Open(address));
        }
        let listener = TcpListener::bind(address).map_err(|source| WebError::Bind { address, source })?;
        Self::over(listener, recording, page).map_err(WebError::Thread)
    }

    fn over(listener: TcpListener, recording: Recording, page: Page) -> io::Result<Self> {
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let (stop, stopped) = watch::channel(false);
        let guard = Guard { token: None, is_loopback: true };
        let app = Arc::new(ViewApp::new(recording, guard, page, stopped.clone()));
        let thread = thread::spawn("view", move || run(&runtime, listener, &app, stopped))?;
        Ok(ViewServer { address, stop, thread: Some(thread) })
    }

    /// Returns its address.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for ViewServer {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(thread) = self.thread.take()
            && thread.join(END).is_err()
        {
            log::warn!("the HTTP server has not ended");
        }
    }
}

/// The thread of the server.
fn run(runtime: &Runtime, listener: TcpListener, app: &Arc<ViewApp>, stop: watch::Receiver<bool>) {
    runtime.block_on(async {
        match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => listen::serve(listener, router(app), CONNECTIONS, stop).await,
            Err(error) => log::error!("the HTTP server ends at once: {error}"),
        }
    });
}

fn router(app: &Arc<ViewApp>) -> Router {
    let files = app.page.paths().filter(|path| *path != page::ROOT);
    files
        .fold(Router::new(), |router, path| router.route(path, get(page::file)))
        .route(page::ROOT, get(page::file))
        .route("/healthz", get(health))
        .route("/api", get(list))
        .route("/api/{*name}", any(service))
        .route("/scene/assets/{hash}", get(asset))
        .route("/ws", get(client::open))
        .fallback(routes::nothing)
        .method_not_allowed_fallback(routes::other_method)
        .layer(from_fn_with_state(Arc::clone(app), enter))
        .with_state(Arc::clone(app))
}

/// Handles every request.
async fn enter(
    State(app): State<Arc<ViewApp>>,
    Extension(place): Extension<Arc<Place>>,
    request: Request,
    next: Next,
) -> Response {
    place.begin();
    let access = if app.page.is_open(request.uri().path()) { Access::Everybody } else { Access::Clients };
    let mut response = match app.guard.check(request.method(), request.headers(), access) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    if place.end() && response.status() != StatusCode::SWITCHING_PROTOCOLS {
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
    routes::not_allowed(method, uri, "POST")
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
