//! A barometer with its own message type: air pressure from the height of its link.

use bridgehead_plugin_api::messages::prost;
use bridgehead_plugin_api::prelude::*;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};

bridgehead_plugin_api::include_messages!(mod messages);
use messages::{Pressure, Reading};

/// Pressure at sea level, Pa (ISO 2533, standard atmosphere).
const SEA_LEVEL: f64 = 101_325.0;

struct Barometer {
    /// Its place, its rate, its topic and its random numbers.
    sensor: LinkSensor<Pressure>,
    /// Standard deviation of the noise, Pa.
    deviation: f64,
}

/// ISO 2533 up to 11 km: temperature falls by 6.5 K per km from 288.15 K.
fn pressure_at(height: f64) -> f64 {
    // The same on every machine, unlike the powers of the standard library.
    SEA_LEVEL * libm::pow(1.0 - 0.0065 * height / 288.15, 5.255_88)
}

/// The format for peers of the bridges `udp` and `datagram`: hectopascals as text.
fn to_text(input: &[u8], output: &mut Vec<u8>) -> Result {
    let message =
        <Pressure as prost::Message>::decode(input).map_err(|error| Error::new(error.to_string()))?;
    output.extend_from_slice(format!("{:.2} hPa", message.reading.unwrap_or_default().pascal / 100.0).as_bytes());
    Ok(())
}

impl Sensor for Barometer {
    type Message = Pressure;

    fn register(library: HostHandle) -> Result {
        library.register::<Pressure>().map(|_| ())
    }

    fn converters(bridge: &BridgeInfo<'_>, registrar: &mut ConverterRegistrar<'_>) -> Result {
        match bridge.name {
            "udp" | "datagram" => registrar.add_publisher(Pressure::FULL_NAME, "text", to_text),
            _ => Ok(()),
        }
    }

    fn awake(host: HostHandle) -> Result<Self> {
        Ok(Barometer {
            sensor: LinkSensor::attach(host, "pressure")?,
            deviation: host.params()?.get_or("air_pressure/pressure/noise/stddev", 0.0)?,
        })
    }

    fn output(&self) -> &SensorOutput<Pressure> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let noise = self.sensor.random(sample).gaussian(0.0, self.deviation);
        let pascal = pressure_at(self.sensor.state()?.pose.position[2]) + noise;
        let reading = Some(Reading { pascal, variance: self.deviation * self.deviation });
        self.sensor.publish(step, &Pressure { header: Some(self.sensor.header(step)), reading })
    }
}

bridgehead_plugin_api::export_plugin! {
    model Barometer { id: "org.example.sensor.barometer", name: "barometer", vendor: "Example",
                      requires: ["bridgehead.world/1"], provides: ["org.example.v1.Pressure"] }
}

#[cfg(test)]
mod tests;
