//! Air speed along the x axis of a sensor, as a pitot tube measures it: the difference of pressures q = ρ v |v| / 2.
//!
//! The density of the air is that of its pressure and temperature at the height of the sensor (ideal gas), as Gazebo takes
//! it from the standard atmosphere.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Surroundings};
use bridgehead_plugin_api::messages::sensor_msgs::FluidPressure;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::vector::sub;

use crate::air_pressure::{pressure_at, temperature_at};

/// Specific gas constant of dry air, J/(kg K) (U.S. Standard Atmosphere 1976: 8.31432 / 0.0289644).
const GAS: f64 = 8.314_32 / 0.028_964_4;

/// One sensor.
pub(crate) struct AirSpeed {
    sensor: LinkSensor<FluidPressure>,
    surroundings: Surroundings,
    /// Noise, pascal.
    noise: Noise,
}

impl Sensor for AirSpeed {
    type Message = FluidPressure;

    fn awake(host: HostHandle) -> Result<Self> {
        let sensor = LinkSensor::attach(host, "air_speed")?;
        Ok(AirSpeed {
            surroundings: host.environment()?.read()?,
            noise: Noise::read(host.params()?, "air_speed/pressure/noise", sensor.key())?,
            sensor,
        })
    }

    fn output(&self) -> &SensorOutput<FluidPressure> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let state = self.sensor.state()?;
        let [forward, ..] = state.pose.rotate_inverse(sub(state.linear, self.surroundings.wind));
        let height = state.pose.position[2];
        let density =
            pressure_at(&self.surroundings, height) / (GAS * temperature_at(&self.surroundings, height));
        let difference = 0.5 * density * forward * forward.abs();
        let message = FluidPressure {
            header: Some(self.sensor.header(step)),
            fluid_pressure: self.noise.apply(difference, step.time_ns, &mut self.sensor.random(sample)),
            variance: self.noise.variance(),
        };
        self.sensor.publish(step, &message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{LinkState, Pose};
    use bridgehead_plugin_api::testing::{TestHost, TestModel};

    /// Densities of the U.S. Standard Atmosphere 1976: 1.2250 kg/m³ at sea level, 1.1117 kg/m³ at 1000 m.
    #[test]
    fn the_pressure_is_that_of_the_air_from_the_front() {
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let facing_y = [0.0, 0.0, half, half];
        for (height, velocity, wind, expected) in [
            (0.0, [5.0, 20.0, 0.0], [0.0; 3], 0.5 * 1.225 * 400.0),
            (1000.0, [0.0, 20.0, 0.0], [0.0; 3], 0.5 * 1.1117 * 400.0),
            (0.0, [0.0, 20.0, 0.0], [0.0, -10.0, 0.0], 0.5 * 1.225 * 900.0),
            (0.0, [0.0, -20.0, 0.0], [0.0; 3], -0.5 * 1.225 * 400.0),
        ] {
            let host = TestHost::builder()
                .vehicle("plane")
                .link("nose")
                .parent_link("nose")
                .param("air_speed/pressure/noise/mean", 1)
                .build();
            host.set_surroundings(Surroundings { wind, ..Surroundings::default() });
            let pose = Pose { position: [0.0, 0.0, height], orientation: facing_y };
            host.set_link_state("nose", LinkState { pose, linear: velocity, angular: [0.0; 3] });
            host.listen("air_speed");
            TestModel::<AirSpeed>::started(host).step().expect_done();
            let found = host.last::<FluidPressure>("air_speed").fluid_pressure - 1.0;
            assert!((found - expected).abs() < 2e-4 * expected.abs(), "{found} Pa, expected {expected}");
            assert_eq!(host.unread_params(), Vec::<String>::new());
        }
    }
}
