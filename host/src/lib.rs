//! host

pub mod lifecycle;
pub mod params;
pub mod sdf;
