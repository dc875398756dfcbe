//! The HTTP server: the control plane for clients, a page for browsers, metrics of the run, and live messages over WebSocket.
//!
//! It contains no service itself: every service in the table of the control plane is at `/api/<service>`, as JSON
//! with the field names of ROS. It runs on one thread of its own, named `web`, which `web:watch` watches, and touches
//! the run through [`ControlHandle`](crate::control::ControlHandle) only. [`Server`] is its way in.
//!
//! Input of clients is limited here: connections, headers, bodies, and their durations; [`guard`] controls access.

mod action;
mod app;
mod body;
mod call;
mod client_stream;
mod config;
mod connection_limit;
mod connection_slot;
mod endpoint;
mod error;
mod goals;
mod guard;
mod listen;
mod log_lines;
mod mailbox;
mod message;
mod metrics;
mod openapi;
mod pace;
mod page;
mod problem;
mod pulse;
mod query;
mod refusal;
mod requests;
mod routes;
mod running;
mod scene;
mod server;
mod socket;
mod view;

pub use config::{HttpConfig, resolve};
pub use error::WebError;
pub use page::Page;
pub use server::Server;
pub use view::ViewServer;

#[cfg(test)]
mod tests;
