//! A barometer with its own message type: air pressure from the height of its link.

use bridgehead_plugin_api::prelude::*;
use bridgehead_plugin_api::random::RandomKey;

include!(concat!(env!("OUT_DIR"), "/org.example.v1.rs"));

impl Message for Pressure {
    const FULL_NAME: &'static str = "org.example.v1.Pressure";
    const DESCRIPTOR_SET: &'static [u8] = include_bytes!(concat!(env!("OUT_DIR"), "/pressure.bin"));
}

/// Pressure at sea level, Pa (ISO 2533, standard atmosphere).
const SEA_LEVEL: f64 = 101_325.0;

struct Barometer {
    world: World,
    link: LinkId,
    /// Pose of the sensor in its link.
    pose: Pose,
    noise: RandomKey,
    deviation: f64,
    topic: Publisher<Pressure>,
}

/// ISO 2533 up to 11 km: temperature falls by 6.5 K per km from 288.15 K.
fn pressure_at(height: f64) -> f64 {
    SEA_LEVEL * (1.0 - 0.0065 * height / 288.15).powf(5.255_88)
}

/// The format for peers of the `udp` bridge: hectopascals as text.
fn to_text(input: &[u8], output: &mut Vec<u8>) -> Result {
    let message =
        <Pressure as prost::Message>::decode(input).map_err(|error| Error::new(error.to_string()))?;
    output.extend_from_slice(format!("{:.2} hPa", message.pascal / 100.0).as_bytes());
    Ok(())
}

impl ModelPlugin for Barometer {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn register(library: HostHandle) -> Result {
        library.register::<Pressure>().map(|_| ())
    }

    fn converters(bridge: &BridgeInfo<'_>, registrar: &mut ConverterRegistrar<'_>) -> Result {
        match bridge.name {
            "udp" => registrar.add_publisher(Pressure::FULL_NAME, "text", to_text),
            _ => Ok(()),
        }
    }

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let link = attachment.parent_link.ok_or_else(|| Error::invalid("a barometer must be inside a link"))?;
        Ok(Barometer {
            world: host.world()?,
            link,
            pose: attachment.pose,
            noise: RandomKey::new(attachment.seed, &attachment.path),
            deviation: host.params()?.get_or("air_pressure/pressure/noise/stddev", 0.0)?,
            topic: host
                .bus()?
                .advertise(attachment.topic.as_deref().unwrap_or("pressure"), Qos::sensor_data())?,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        // There is no random state: the noise depends on the number of the step.
        Ok(Flow::Continue)
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        if self.topic.has_listeners() {
            let sensor = self.world.link_state(self.link)?.pose.compose(self.pose);
            let noise = self.noise.sample(step.number).gaussian(0.0, self.deviation);
            let pascal = pressure_at(sensor.position[2]) + noise;
            self.topic.publish(step.time_ns, &Pressure { pascal, variance: self.deviation.powi(2) })?;
        }
        Ok(Flow::Continue)
    }
}

bridgehead_plugin_api::export_plugin! {
    model Barometer { id: "org.example.sensor.barometer", name: "barometer", vendor: "Example",
                      requires: ["bridgehead.world/1"], provides: ["org.example.v1.Pressure"] }
}

#[cfg(test)]
mod tests;
