//! The state that all requests share.

use std::sync::Arc;

use axum::extract::FromRef;
use tokio::sync::watch;

use super::endpoint::Endpoints;
use super::goals::Goals;
use super::guard::Guard;
use super::openapi::document::Document;
use super::page::Page;
use super::requests::Requests;
use crate::control::ControlHandle;

/// The state that all requests share.
pub(super) struct App {
    pub(super) control: Arc<ControlHandle>,
    pub(super) endpoints: Endpoints,
    pub(super) guard: Guard,
    /// Goals that this server received.
    pub(super) goals: Arc<Goals>,
    /// Counts of responses.
    pub(super) requests: Requests,
    /// The description of the services and of the types of topics.
    pub(super) openapi: Document,
    /// True when the server must stop.
    pub(super) stop: watch::Receiver<bool>,
    pub(super) body_limit: usize,
    /// The page for browsers.
    pub(super) page: Page,
}

impl FromRef<Arc<App>> for Page {
    fn from_ref(app: &Arc<App>) -> Page {
        app.page.clone()
    }
}
