//! Where a world stands and what fills it, for sensors. It does not change during a run.

use bridgehead_sdf::element::{Atmosphere, SphericalCoordinates};
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::resolved;

/// The surroundings of a world, vectors in the world frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Surroundings {
    /// Where on Earth it stands, if the file says so.
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
    /// Those of a world file.
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

impl Default for Surroundings {
    /// Those of a world that says nothing of itself.
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
