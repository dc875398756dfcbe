//! The `<imu>` element of a sensor: noise of each axis and the reference of the orientation.
//!
//! Read once in `awake`. Invalid values are errors; an unsupported reference is a warning, because angular velocity
//! and specific force are correct without it.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Level, Log, Params};
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::random::RandomKey;

use crate::motion::Reference;

/// Noise about x, y and z of the sensor.
pub(crate) type AxisNoise = [Noise; 3];

/// The parameters.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Whether orientation is measured.
    pub(crate) has_orientation: bool,
    /// Reference of the orientation.
    pub(crate) reference: Reference,
    /// Noise of the angular velocity, rad/s.
    pub(crate) angular_velocity: AxisNoise,
    /// Noise of the specific force, m/s².
    pub(crate) linear_acceleration: AxisNoise,
}

impl Settings {
    pub(crate) fn read(params: Params, log: Log, random: RandomKey) -> Result<Self> {
        Ok(Settings {
            has_orientation: params.get_or("imu/enable_orientation", true)?,
            reference: read_reference(params, log),
            angular_velocity: read_noise(params, "imu/angular_velocity", random)?,
            linear_acceleration: read_noise(params, "imu/linear_acceleration", random)?,
        })
    }
}

fn read_noise(params: Params, path: &str, random: RandomKey) -> Result<AxisNoise> {
    let axis = |name: &str| Noise::read(params, &format!("{path}/{name}/noise"), random);
    Ok([axis("x")?, axis("y")?, axis("z")?])
}

fn read_reference(params: Params, log: Log) -> Reference {
    const PATH: &str = "imu/orientation_reference_frame/localization";
    match params.text(PATH).as_deref() {
        None | Some("ENU") => Reference::Enu,
        Some("NED") => Reference::Ned,
        Some("NWU") => Reference::Nwu,
        Some(other) => {
            let refusal = params.refuse(PATH, other, "ENU, NED or NWU; orientation is given in ENU");
            log.write(Level::Warn, "imu", refusal.text(), file!(), line!());
            Reference::Enu
        }
    }
}
