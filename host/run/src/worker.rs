//! Plugins in processes of their own: a crash, a hang or an `exit` of such a plugin leaves the run as it is.
//!
//! The host starts this program again as a worker, which opens the library with the same loader and offers it the same
//! functions. Each call crosses a socket, in both directions ([`wire`]); large payloads are in memory that both map
//! ([`memory`]). Neither the plugin nor the rest of the host notices: here, [`library`] is a factory like any other, and
//! [`bridge`] and [`model`] are instances; there, [`child`] is a host.
//!
//! A plugin in Python is opened by an interpreter instead ([`python`]): the package `bridgehead` is the child then, and
//! speaks the same protocol.
//!
//! Converters of a library in a worker are not used: a bridge in another process cannot call them.
//!
//! What a worker says is checked like what a client says: it can end its own connection, and nothing else.

mod answers;
mod bridge;
pub mod child;
mod connection;
mod dispatcher;
mod endpoint;
mod forward;
mod lane;
mod launch;
mod library;
mod made;
mod memory;
mod model;
mod payload;
mod plugin;
mod process;
mod python;
mod registering;
mod slot;
mod wire;

pub use launch::WorkerLimits;
pub use library::{open, try_script};
