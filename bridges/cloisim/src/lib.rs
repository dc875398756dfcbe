//! The bridge to CLOiSim's clients.

mod connection;
mod convert;
mod device;
pub mod frame;
mod info;
pub mod msgs;
mod outlet;
mod ports;
mod pose;
mod pseudo_json;
mod queue;
mod socket;
pub mod tag;
mod xml;
