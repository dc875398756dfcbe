//! `bridgehead.environment/1`: where the world stands and what fills it.

use bridgehead_abi::Status;
use bridgehead_abi::surroundings::{ENVIRONMENT_HAS_ORIGIN, Environment};
use bridgehead_plugin_api::hosting::EnvironmentHost;

use super::context::Context;

impl EnvironmentHost for Context {
    fn read(&self) -> Result<Environment, Status> {
        let of = self.attachment.surroundings;
        let origin = of.origin;
        let place = |read: fn(&bridgehead_sdf::element::SphericalCoordinates) -> f64| {
            origin.as_ref().map_or(0.0, read)
        };
        Ok(Environment {
            struct_size: Environment::SIZE,
            flags: if origin.is_some() { ENVIRONMENT_HAS_ORIGIN } else { 0 },
            latitude: place(|origin| origin.latitude),
            longitude: place(|origin| origin.longitude),
            elevation: place(|origin| origin.elevation),
            heading: place(|origin| origin.heading),
            magnetic_field: of.magnetic_field.to_array(),
            wind: of.wind.to_array(),
            gravity: of.gravity.to_array(),
            temperature: of.atmosphere.temperature,
            temperature_gradient: of.atmosphere.temperature_gradient,
            pressure: of.atmosphere.pressure,
        })
    }
}
