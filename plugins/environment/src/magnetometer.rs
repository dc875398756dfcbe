//! The world's magnetic field in the axes of the sensor.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::HostHandle;
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::messages::sensor_msgs::MagneticField;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};

/// One magnetometer.
pub(crate) struct Magnetometer {
    sensor: LinkSensor<MagneticField>,
    /// Field in the world frame, tesla.
    field: [f64; 3],
    /// Noise about x, y and z of the sensor, tesla.
    noise: [Noise; 3],
}

impl Sensor for Magnetometer {
    type Message = MagneticField;

    fn awake(host: HostHandle) -> Result<Self> {
        let sensor = LinkSensor::attach(host, "magnetometer")?;
        let axis =
            |name: &str| Noise::read(host.params()?, &format!("magnetometer/{name}/noise"), sensor.key());
        Ok(Magnetometer {
            field: host.environment()?.read()?.magnetic_field,
            noise: [axis("x")?, axis("y")?, axis("z")?],
            sensor,
        })
    }

    fn output(&self) -> &SensorOutput<MagneticField> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let mut random = self.sensor.random(sample);
        let field = self.sensor.state()?.pose.rotate_inverse(self.field);
        let [x, y, z] =
            std::array::from_fn(|axis| self.noise[axis].apply(field[axis], step.time_ns, &mut random));
        let [xx, yy, zz] = self.noise.each_ref().map(Noise::variance);
        let message = MagneticField {
            header: Some(self.sensor.header(step)),
            magnetic_field: Some(Vector3::new(x, y, z)),
            magnetic_field_covariance: vec![xx, 0.0, 0.0, 0.0, yy, 0.0, 0.0, 0.0, zz],
        };
        self.sensor.publish(step, &message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{LinkState, Pose, Surroundings};
    use bridgehead_plugin_api::testing::{TestHost, TestModel};

    #[test]
    fn a_sensor_turned_to_the_left_measures_east_on_its_right() {
        let host = TestHost::builder().vehicle("car").link("base").parent_link("base").build();
        host.set_surroundings(Surroundings { magnetic_field: [2e-5, 0.0, -4e-5], ..Surroundings::default() });
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let pose = Pose { position: [0.0; 3], orientation: [0.0, 0.0, half, half] };
        host.set_link_state("base", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
        host.listen("magnetometer");
        TestModel::<Magnetometer>::started(host).step().expect_done();
        let field = host.last::<MagneticField>("magnetometer").magnetic_field.expect("a field");
        let distance = field.x.abs().max((field.y + 2e-5).abs()).max((field.z + 4e-5).abs());
        assert!(distance < 1e-18, "{field:?}");
    }
}
