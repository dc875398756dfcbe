//! Where clients find out what there is: a WebSocket on which they send texts and get texts back.
//!
//! [`server`] keeps the connections, [`command`] answers what is asked on `/control`, [`markers`] what is asked on
//! `/markers`. None of them knows the simulation: that is behind [`command::Control`].

pub(crate) mod command;
pub(crate) mod markers;
pub(crate) mod server;
