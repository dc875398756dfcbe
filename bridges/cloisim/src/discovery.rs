//! The WebSocket service on which clients list devices, control the simulation and draw markers.
//!
//! [`server`] handles the connections, [`command`] the texts on `/control`, [`markers`] those on `/markers`. None of
//! them uses the simulation directly: that is behind [`command::Control`].

pub(crate) mod command;
pub(crate) mod markers;
pub(crate) mod server;
