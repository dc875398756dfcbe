//! The sensor `@name@`: publishes how fast its link moves along its own x axis, as a message of its own.

use bridgehead_plugin_api::prelude::*;
use bridgehead_plugin_api::sensor::LinkSensor;

bridgehead_plugin_api::include_messages!(mod messages);
use messages::@Type@Reading;

/// One per `<sensor>` element.
struct @Type@ {
    /// Its place, its rate, its topic and its random numbers.
    sensor: LinkSensor<@Type@Reading>,
    /// Standard deviation of the noise, m/s.
    deviation: f64,
}

impl ModelPlugin for @Type@ {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    /// Registers the message, so that every bridge can carry it.
    fn register(library: HostHandle) -> Result {
        library.register::<@Type@Reading>().map(|_| ())
    }

    fn awake(host: HostHandle) -> Result<Self> {
        Ok(@Type@ {
            sensor: LinkSensor::attach(host, "@name@")?,
            deviation: host.params()?.not_negative_or("deviation", 0.0)?,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        // Nothing changes during a run: the noise depends on the number of the sample.
        Ok(Flow::Continue)
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        // `None` between two samples, and if nobody listens.
        if let Some(sample) = self.sensor.due(step) {
            let state = self.sensor.state()?;
            let [x, y, z] = state.pose.rotate([1.0, 0.0, 0.0]);
            let [vx, vy, vz] = state.linear;
            let noise = self.sensor.random(sample).gaussian(0.0, self.deviation);
            let speed = x * vx + y * vy + z * vz + noise;
            let header = Some(self.sensor.header(step));
            self.sensor.publish(
                step,
                &@Type@Reading {
                    header,
                    speed,
                    ..Default::default()
                },
            )?;
        }
        Ok(Flow::Continue)
    }
}

bridgehead_plugin_api::export_plugin! {
    model @Type@ { id: "@id@", name: "@name@", vendor: "@vendor@",
                   requires: ["bridgehead.world/1"], provides: ["@package@.@Type@Reading"] }
}

#[cfg(test)]
mod tests;
