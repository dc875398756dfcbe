//! The plain form: topics and services of the run at keys of Zenoh, without ROS.
//!
//! 1. [`bridge`] is the plugin. [`connection`] parses the connection string: a prefix of all keys, and an encoding.
//! 2. [`space`] is shared by all instances with the same prefix: one session, which answers `get` with the latest message of
//!    each topic and with the list of topics and services; [`registry`] knows them.
//! 3. [`outgoing`], [`incoming`] and [`service`] are what the host has opened; [`codec`] converts their messages.

pub(crate) mod bridge;
mod codec;
mod connection;
mod incoming;
mod key;
mod outgoing;
mod registry;
mod service;
mod space;
