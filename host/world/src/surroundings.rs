//! Gravity, magnetic field, atmosphere and place on Earth of a world, for sensors. Constant during a run. Plain values.

use bridgehead_sdf::element::{Atmosphere, Ellipsoid, SphericalCoordinates};
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::resolved;

/// The surroundings of a world, vectors in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Place on Earth, if given in the file.
    pub origin: Option<SphericalCoordinates>,
    /// Gravity, m/s².
    pub gravity: DVec3,
    /// Magnetic flux density, tesla.
    pub magnetic_field: DVec3,
    /// Velocity of the air, m/s.
    pub wind: DVec3,
    /// The air.
    pub atmosphere: Atmosphere,
}

impl Surroundings {
    /// Reads the surroundings from a world file.
    #[must_use]
    pub fn of(source: &resolved::World) -> Self {
        Surroundings {
            origin: source.environment.origin,
            gravity: source.gravity,
            magnetic_field: source.magnetic_field,
            wind: source.environment.wind,
            atmosphere: source.environment.atmosphere,
        }
    }
}

impl Surroundings {
    /// Returns the ellipsoid of the world's body, unless it is that of Earth.
    pub(super) fn other_surface(&self) -> Option<Ellipsoid> {
        self.origin.map(|origin| origin.surface).filter(|surface| *surface != Ellipsoid::EARTH)
    }
}

impl Default for Surroundings {
    /// Returns the surroundings of a world without any of these elements.
    fn default() -> Self {
        use bridgehead_sdf::element::{DEFAULT_GRAVITY, DEFAULT_MAGNETIC_FIELD};
        Surroundings {
            origin: None,
            gravity: DEFAULT_GRAVITY,
            magnetic_field: DEFAULT_MAGNETIC_FIELD,
            wind: DVec3::ZERO,
            atmosphere: Atmosphere::default(),
        }
    }
}
