//! The HTTP server: the control plane for clients, a page of the run, and news over WebSocket.
//!
//! It knows no service by itself: what the table of the control plane offers is found under `/api/<service>`, as JSON
//! with the field names of ROS. It runs on one thread of its own, named `web`, and touches the run through
//! [`ControlHandle`](crate::control::ControlHandle) only. [`Server`] is its way in.
//!
//! What a stranger sends is bounded here: connections, headers, bodies, and how long each may take; [`guard`] says who
//! is let in.

mod action;
mod body;
mod call;
mod config;
mod endpoint;
mod error;
mod goals;
mod guard;
mod listen;
mod mailbox;
mod message;
mod metrics;
mod openapi;
mod problem;
mod query;
mod room;
mod routes;
mod server;
mod socket;

pub use config::HttpConfig;
pub use error::WebError;
pub use server::Server;

#[cfg(test)]
mod tests;
