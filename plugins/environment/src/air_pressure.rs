//! Air pressure at a point of a link: the world's atmosphere, whose temperature changes linearly with height.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Surroundings};
use bridgehead_plugin_api::messages::sensor_msgs::FluidPressure;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};

/// Standard gravity times the molar mass of dry air over the gas constant, K/m (U.S. Standard Atmosphere 1976:
/// 9.80665 m/s², 0.0289644 kg/mol, 8.31432 J/(mol K)).
const KELVIN_PER_METRE: f64 = 9.80665 * 0.028_964_4 / 8.314_32;

/// One air pressure sensor.
pub(crate) struct AirPressure {
    sensor: LinkSensor<FluidPressure>,
    surroundings: Surroundings,
    /// Height of the world's origin, metres.
    reference_altitude: f64,
    /// Noise, pascal.
    noise: Noise,
}

impl Sensor for AirPressure {
    type Message = FluidPressure;

    fn awake(host: HostHandle) -> Result<Self> {
        let sensor = LinkSensor::attach(host, "air_pressure")?;
        let params = host.params()?;
        Ok(AirPressure {
            surroundings: host.environment()?.read()?,
            reference_altitude: params.get_or("air_pressure/reference_altitude", 0.0)?,
            noise: Noise::read(params, "air_pressure/pressure/noise", sensor.key())?,
            sensor,
        })
    }

    fn output(&self) -> &SensorOutput<FluidPressure> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let [_, _, height] = self.sensor.state()?.pose.position;
        let pressure = pressure_at(&self.surroundings, self.reference_altitude + height);
        let message = FluidPressure {
            header: Some(self.sensor.header(step)),
            fluid_pressure: self.noise.apply(pressure, step.time_ns, &mut self.sensor.random(sample)),
            variance: self.noise.variance(),
        };
        self.sensor.publish(step, &message)
    }
}

/// The least temperature, kelvin: the linear model is clamped above 0.
const COLDEST: f64 = 1.0;

/// Returns the temperature of air at `altitude` metres, kelvin.
pub(crate) fn temperature_at(air: &Surroundings, altitude: f64) -> f64 {
    (air.temperature + air.temperature_gradient * altitude).max(COLDEST)
}

/// Returns the pressure of air in equilibrium at `altitude` metres, Pa; 0 above the end of the atmosphere.
pub(crate) fn pressure_at(air: &Surroundings, altitude: f64) -> f64 {
    let gradient = air.temperature_gradient;
    if gradient == 0.0 {
        return air.pressure * libm::exp(-KELVIN_PER_METRE * altitude / air.temperature);
    }
    let temperature = air.temperature + gradient * altitude;
    if temperature <= 0.0 && gradient < 0.0 {
        return 0.0;
    }
    air.pressure * libm::pow(temperature.max(COLDEST) / air.temperature, -KELVIN_PER_METRE / gradient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{LinkState, Pose};
    use bridgehead_plugin_api::testing::{TestHost, TestModel};

    /// Values of the U.S. Standard Atmosphere 1976 at geopotential height.
    #[test]
    fn the_standard_atmosphere_has_its_pressures() {
        let air = Surroundings::default();
        for (altitude, pressure) in
            [(0.0, 101_325.0), (1_000.0, 89_874.6), (5_000.0, 54_019.9), (-500.0, 107_477.0)]
        {
            let found = pressure_at(&air, altitude);
            assert!((found / pressure - 1.0).abs() < 2e-5, "{found} Pa at {altitude} m, not {pressure}");
        }
    }

    #[test]
    fn air_of_constant_temperature_thins_out_exponentially() {
        let air = Surroundings { temperature_gradient: 0.0, ..Surroundings::default() };
        let scale_height = air.temperature / KELVIN_PER_METRE;
        let found = pressure_at(&air, scale_height);
        assert!((found - air.pressure / std::f64::consts::E).abs() < 1e-6, "{found}");
        let nearly = Surroundings { temperature_gradient: -1e-9, ..air };
        assert!((pressure_at(&nearly, 1000.0) / pressure_at(&air, 1000.0) - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_sensor_reads_the_air_at_its_height_above_the_reference() {
        let host = TestHost::builder()
            .vehicle("car")
            .link("base")
            .parent_link("base")
            .param("air_pressure/reference_altitude", 900)
            .param("air_pressure/pressure/noise/mean", 10)
            .build();
        let pose = Pose { position: [0.0, 0.0, 100.0], ..Pose::IDENTITY };
        host.set_link_state("base", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
        host.listen("air_pressure");
        TestModel::<AirPressure>::started(host).step().expect_done();
        let found = host.last::<FluidPressure>("air_pressure").fluid_pressure;
        assert!((found - 89_884.6).abs() < 2.0, "{found}");
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }
}
