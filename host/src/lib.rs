//! host

pub mod api;
pub mod bridge;
pub mod bus;
pub mod cli;
pub mod clock;
pub mod config;
pub mod lifecycle;
pub mod model_plugin;
pub mod params;
pub mod physics;
pub mod plugin;
pub mod pose;
pub mod rays;
pub mod report;
pub mod sdf;
pub mod sim;
pub mod thread;
pub mod world;
