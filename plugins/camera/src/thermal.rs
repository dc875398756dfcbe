//! What a thermal camera measures: temperatures of visuals, and of the air where they have none.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Params};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::Scene;

use crate::format::Format;

/// Kelvin of one step of a pixel with 16 bits and with 8 bits, as in Gazebo.
const RESOLUTION: f64 = 0.01;
const COARSE_RESOLUTION: f64 = 3.0;

/// The parameters of the pixels, and the air.
#[derive(Clone, Debug)]
pub(crate) struct Thermometer {
    /// Measured range, kelvin.
    low: f64,
    high: f64,
    /// Kelvin of one step of a pixel.
    resolution: f64,
    is_coarse: bool,
    /// Temperature of the air at height 0, kelvin, and its change with height, K/m.
    air: f64,
    gradient: f64,
}

impl Thermometer {
    /// Reads the parameters of Gazebo's ThermalSensor system, which the host gives to its sensor.
    pub(crate) fn read(host: HostHandle, params: Params, format: Format) -> Result<Self> {
        let surroundings = host.environment()?.read()?;
        let is_coarse = format == Format::Mono8;
        let resolution = if is_coarse { COARSE_RESOLUTION } else { RESOLUTION };
        let found = Thermometer {
            low: params.get_or("min_temp", 0.0)?,
            high: params.get_or("max_temp", f64::INFINITY)?,
            resolution: params.get_or("resolution", resolution)?,
            is_coarse,
            air: surroundings.temperature,
            gradient: surroundings.temperature_gradient,
        };
        if found.low.is_nan() {
            return Err(params.refuse("min_temp", &found.low.to_string(), "kelvin"));
        }
        if found.high.is_nan() || found.high <= found.low {
            let expected = format!("more kelvin than min_temp, which is {}", found.low);
            return Err(params.refuse("max_temp", &found.high.to_string(), expected));
        }
        if !(found.resolution > 0.0 && found.resolution.is_finite()) {
            return Err(params.refuse("resolution", &found.resolution.to_string(), "kelvin above 0"));
        }
        Ok(found)
    }

    /// Encoding of the image in ROS, and bytes of a pixel.
    pub(crate) fn pixel(&self) -> (&'static str, u32) {
        if self.is_coarse { ("mono8", 1) } else { ("mono16", 2) }
    }

    /// Returns the temperature of a visual, or that of the air at this height if it has none, kelvin.
    pub(crate) fn temperature(&self, scene: &Scene, visual: u32, height: f64) -> f64 {
        let shown = usize::try_from(visual).ok().and_then(|number| scene.visuals.get(number.checked_sub(1)?));
        let own = shown.map(|visual| visual.temperature).filter(|kelvin| *kelvin >= 0.0);
        own.unwrap_or_else(|| (self.air + self.gradient * height).max(0.0))
    }

    /// Appends a pixel.
    pub(crate) fn write(&self, kelvin: f64, out: &mut Vec<u8>) {
        let steps = (kelvin.clamp(self.low, self.high) / self.resolution).round();
        if self.is_coarse {
            out.push(crate::planes::byte(steps));
        } else {
            out.extend(word(steps).to_le_bytes());
        }
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of a word")]
fn word(value: f64) -> u16 {
    value.clamp(0.0, f64::from(u16::MAX)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::SceneVisual;

    const FINE: Thermometer = Thermometer {
        low: 0.0,
        high: f64::INFINITY,
        resolution: 0.01,
        is_coarse: false,
        air: 300.0,
        gradient: -0.5,
    };

    fn word_of(thermometer: &Thermometer, kelvin: f64) -> u16 {
        let mut out = Vec::new();
        thermometer.write(kelvin, &mut out);
        u16::from_le_bytes(out.try_into().expect("two bytes"))
    }

    #[test]
    fn a_pixel_times_the_resolution_is_the_temperature_within_the_range() {
        let limited = Thermometer { low: 253.15, high: 400.0, ..FINE };
        assert_eq!([285.0, 285.004, 1000.0].map(|kelvin| word_of(&FINE, kelvin)), [28_500, 28_500, 65_535]);
        assert_eq!([0.0, 300.0, 1000.0].map(|kelvin| word_of(&limited, kelvin)), [25_315, 30_000, 40_000]);
        let coarse = Thermometer { resolution: 3.0, is_coarse: true, ..FINE };
        let mut bytes = Vec::new();
        [0.0, 285.0, 301.0, 5000.0].iter().for_each(|kelvin| coarse.write(*kelvin, &mut bytes));
        assert_eq!(bytes, [0, 95, 100, 255]);
        assert_eq!((FINE.pixel(), coarse.pixel()), (("mono16", 2), ("mono8", 1)));
    }

    #[test]
    fn visuals_without_a_temperature_have_that_of_the_air_at_their_height() {
        let visual = |temperature| SceneVisual { temperature, ..SceneVisual::default() };
        let scene = Scene { visuals: vec![visual(-1.0), visual(285.0), visual(0.0)], ..Scene::default() };
        assert_eq!(FINE.temperature(&scene, 2, 10.0), 285.0);
        assert_eq!(FINE.temperature(&scene, 3, 10.0), 0.0);
        assert_eq!([0, 1, 9].map(|number| FINE.temperature(&scene, number, 10.0)), [295.0; 3]);
        assert_eq!(FINE.temperature(&scene, 0, 10_000.0), 0.0);
    }
}
