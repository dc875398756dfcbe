//! Height and vertical velocity of a point of a link, relative to its height at the start of the run.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::ros_gz_interfaces;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};

/// One altimeter.
pub(crate) struct Altimeter {
    sensor: LinkSensor<ros_gz_interfaces::Altimeter>,
    position_noise: Noise,
    velocity_noise: Noise,
    /// Height of the sensor in the world at the start of the run, metres.
    reference: f64,
}

impl Sensor for Altimeter {
    type Message = ros_gz_interfaces::Altimeter;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let sensor = LinkSensor::attach(host, "altimeter")?;
        let noise =
            |name: &str| Noise::read(host.params()?, &format!("altimeter/{name}/noise"), sensor.key());
        Ok(Altimeter {
            position_noise: noise("vertical_position")?,
            velocity_noise: noise("vertical_velocity")?,
            reference: 0.0,
            sensor,
        })
    }

    /// Makes the height after the reset the reference of later heights.
    fn restart(&mut self) -> Result {
        let [_, _, height] = self.sensor.state()?.pose.position;
        self.reference = height;
        Ok(())
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.reference)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.reference = state.take()?;
        Ok(())
    }

    fn output(&self) -> &SensorOutput<ros_gz_interfaces::Altimeter> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let mut random = self.sensor.random(sample);
        let state = self.sensor.state()?;
        let ([_, _, height], [_, _, climb]) = (state.pose.position, state.linear);
        let message = ros_gz_interfaces::Altimeter {
            header: Some(self.sensor.header(step)),
            vertical_position: self.position_noise.apply(height - self.reference, step.time_ns, &mut random),
            vertical_velocity: self.velocity_noise.apply(climb, step.time_ns, &mut random),
            vertical_reference: self.reference,
        };
        self.sensor.publish(step, &message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{LinkState, Pose};
    use bridgehead_plugin_api::model::ResetScope;
    use bridgehead_plugin_api::testing::{TestHost, TestModel};

    fn at(height: f64, climb: f64) -> LinkState {
        let pose = Pose { position: [0.0, 0.0, height], ..Pose::IDENTITY };
        LinkState { pose, linear: [0.0, 0.0, climb], angular: [0.0; 3] }
    }

    #[test]
    fn height_is_relative_to_the_start_of_the_run() {
        let host = TestHost::builder().vehicle("car").link("base").parent_link("base").build();
        host.listen("altimeter");
        host.set_link_state("base", at(3.0, 0.0));
        let mut model = TestModel::<Altimeter>::started(host);
        host.set_link_state("base", at(4.5, 0.25));
        model.step().expect_done();
        let reading: ros_gz_interfaces::Altimeter = host.last("altimeter");
        let found = (reading.vertical_position, reading.vertical_velocity, reading.vertical_reference);
        assert_eq!(found, (1.5, 0.25, 3.0));
        model.reset(ResetScope::ALL).expect_done();
        model.step().expect_done();
        assert_eq!(
            host.last::<ros_gz_interfaces::Altimeter>("altimeter").vertical_reference.to_bits(),
            4.5_f64.to_bits()
        );
    }

    #[test]
    fn both_noises_are_read_from_the_element() {
        let host = TestHost::builder()
            .vehicle("car")
            .link("base")
            .parent_link("base")
            .param("altimeter/vertical_position/noise/mean", 0.1)
            .param("altimeter/vertical_velocity/noise/mean", 0.2)
            .build();
        host.listen("altimeter");
        TestModel::<Altimeter>::started(host).step().expect_done();
        let reading: ros_gz_interfaces::Altimeter = host.last("altimeter");
        assert!((reading.vertical_position - 0.1).abs() < 1e-12, "{reading:?}");
        assert!((reading.vertical_velocity - 0.2).abs() < 1e-12, "{reading:?}");
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }
}
