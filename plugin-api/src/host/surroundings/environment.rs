//! Where the world stands and what fills it. It does not change during a run: read it once in `awake`.

use bridgehead_abi::extension;
use bridgehead_abi::surroundings as abi;

use crate::error::Result;
use crate::host::extension_handle;

/// Where on Earth the world's origin stands (WGS 84).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Origin {
    /// Geodetic latitude, radians.
    pub latitude: f64,
    /// Longitude, radians.
    pub longitude: f64,
    /// Height above the ellipsoid, metres.
    pub elevation: f64,
    /// Turn from east to the world's x axis about up, radians, counterclockwise.
    pub heading: f64,
}

/// The physical surroundings of a world; vectors in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Where on Earth it stands; `None` if the world does not say.
    pub origin: Option<Origin>,
    /// Magnetic flux density, tesla.
    pub magnetic_field: [f64; 3],
    /// Velocity of the air, m/s.
    pub wind: [f64; 3],
    /// Gravity, m/s².
    pub gravity: [f64; 3],
    /// Air temperature at height 0, kelvin.
    pub temperature: f64,
    /// Change of the temperature with height, K/m.
    pub temperature_gradient: f64,
    /// Air pressure at height 0, pascal.
    pub pressure: f64,
}

impl Default for Surroundings {
    /// SDF's defaults (sdformat `sdf/1.12/world.sdf`, `atmosphere.sdf`): a world that says nothing of itself.
    fn default() -> Self {
        Surroundings {
            origin: None,
            magnetic_field: [5.5645e-6, 22.8758e-6, -42.3884e-6],
            wind: [0.0; 3],
            gravity: [0.0, 0.0, -9.8],
            temperature: 288.15,
            temperature_gradient: -0.0065,
            pressure: 101_325.0,
        }
    }
}

impl Surroundings {
    pub(crate) fn to_abi(self) -> abi::Environment {
        let origin =
            self.origin.unwrap_or(Origin { latitude: 0.0, longitude: 0.0, elevation: 0.0, heading: 0.0 });
        abi::Environment {
            struct_size: abi::Environment::SIZE,
            flags: if self.origin.is_some() { abi::ENVIRONMENT_HAS_ORIGIN } else { 0 },
            latitude: origin.latitude,
            longitude: origin.longitude,
            elevation: origin.elevation,
            heading: origin.heading,
            magnetic_field: self.magnetic_field,
            wind: self.wind,
            gravity: self.gravity,
            temperature: self.temperature,
            temperature_gradient: self.temperature_gradient,
            pressure: self.pressure,
        }
    }

    fn from_abi(raw: &abi::Environment) -> Self {
        let has_origin = raw.flags & abi::ENVIRONMENT_HAS_ORIGIN != 0;
        Surroundings {
            origin: has_origin.then_some(Origin {
                latitude: raw.latitude,
                longitude: raw.longitude,
                elevation: raw.elevation,
                heading: raw.heading,
            }),
            magnetic_field: raw.magnetic_field,
            wind: raw.wind,
            gravity: raw.gravity,
            temperature: raw.temperature,
            temperature_gradient: raw.temperature_gradient,
            pressure: raw.pressure,
        }
    }
}

extension_handle! {
    /// Reads the surroundings. `[any]`
    Environment, abi::HostEnvironment, extension::ENVIRONMENT
}

impl Environment {
    /// The surroundings of the world.
    ///
    /// # Errors
    /// Returns an error if the host cannot say.
    pub fn read(self) -> Result<Surroundings> {
        Ok(Surroundings::from_abi(&self.extension.read()?))
    }
}
