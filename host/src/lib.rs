//! host

pub mod api;
pub mod bus;
pub mod clock;
pub mod lifecycle;
pub mod params;
pub mod physics;
pub mod plugin;
pub mod pose;
pub mod rays;
pub mod sdf;
pub mod thread;
pub mod world;
