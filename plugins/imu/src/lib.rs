//! Inertial measurement unit: orientation, angular velocity and specific force of a point of a link.
//!
//! [`Motion`] is what an ideal sensor measures and contains all the mechanics; [`Settings`] is the `<imu>` element;
//! this file connects them to the host. Runs on the simulation thread.

mod motion;
mod settings;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, LinkState, Pose};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::geometry_msgs::{Quaternion, Vector3};
use bridgehead_plugin_api::messages::sensor_msgs;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Result, export_plugin};

use crate::motion::{Motion, Reference};
use crate::settings::{Axes, AxisNoise, Frame, Settings};

export_plugin! {
    model Imu { id: "org.bridgehead.sensor.imu", name: "imu", vendor: "Bridgehead" }
}

/// Default topic.
const TOPIC: &str = "imu";

/// One inertial measurement unit.
struct Imu {
    sensor: LinkSensor<sensor_msgs::Imu>,
    settings: Settings,
    /// Velocity of the sensor at the end of the last step, world frame, m/s; `None` before the first step.
    velocity: Option<[f64; 3]>,
    /// Its change over the last step.
    change: [f64; 3],
    /// Motion of the sensor in the last step that it has seen.
    seen: Option<LinkState>,
    /// Orientation of the sensor in the world after the last reset: a quaternion x, y, z, w.
    start: [f64; 4],
    /// Reused for every sample; frame and covariances do not change.
    message: sensor_msgs::Imu,
}

impl Sensor for Imu {
    type Message = sensor_msgs::Imu;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };
    /// Acceleration is the difference over the last step alone, at any sampling rate.
    const STEPS_BEFORE: u32 = 1;

    fn awake(host: HostHandle) -> Result<Self> {
        let sensor = LinkSensor::attach(host, TOPIC)?;
        let settings = Settings::read(host, sensor.key())?;
        Ok(Imu {
            velocity: None,
            change: [0.0; 3],
            seen: None,
            start: Pose::IDENTITY.orientation,
            message: message_for(&settings, sensor.frame_id().to_owned()),
            settings,
            sensor,
        })
    }

    fn output(&self) -> &SensorOutput<sensor_msgs::Imu> {
        &self.sensor
    }

    /// Makes the velocity after the reset the start of the first difference.
    fn restart(&mut self) -> Result {
        let state = self.sensor.state().ok();
        self.velocity = state.map(|state| state.linear);
        self.start = state.map_or(Pose::IDENTITY, |state| state.pose).orientation;
        Ok(())
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.velocity, self.start))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.velocity, self.start) = state.take()?;
        Ok(())
    }

    fn watch(&mut self, _: &Step) -> Result {
        let state = self.sensor.state()?;
        let (velocity, before) = (state.linear, self.velocity.replace(state.linear).unwrap_or(state.linear));
        self.change = std::array::from_fn(|axis| velocity[axis] - before[axis]);
        self.seen = Some(state);
        Ok(())
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let Some(state) = self.seen else { return Ok(()) };
        let acceleration = self.change.map(|change| change / step.width());
        let gravity = self.sensor.world().gravity()?;
        let motion = Motion::new(state.pose, state.angular, acceleration, gravity);
        let reference = self.reference()?;
        self.fill(step, sample, &motion, reference);
        self.sensor.publish(step, &self.message)
    }
}

impl Imu {
    /// Returns the axes relative to which orientation is given now.
    fn reference(&self) -> Result<Reference> {
        let (frame, turn) = match self.settings.axes {
            Axes::Named(reference) => return Ok(reference),
            Axes::Custom(frame, turn) => (frame, turn),
        };
        let parent = match frame {
            Frame::World => Pose::IDENTITY,
            Frame::Start => Pose { orientation: self.start, ..Pose::IDENTITY },
            Frame::Link(link) => self.sensor.world().link_state(link)?.pose,
        };
        Ok(Reference::Turned(parent.compose(turn).orientation))
    }

    /// Writes one sample with its noise into the message.
    fn fill(&mut self, step: &Step, sample: u64, motion: &Motion, reference: Reference) {
        let mut random = self.sensor.random(sample);
        let message = &mut self.message;
        message.header.get_or_insert_default().stamp = Some(Time::from_nanos(step.time_ns));
        if self.settings.has_orientation {
            message.orientation = Some(quaternion(motion.orientation_in(reference)));
        }
        let mut measure = |noise: &AxisNoise, value: [f64; 3]| {
            let [x, y, z] =
                std::array::from_fn(|axis| noise[axis].apply(value[axis], step.time_ns, &mut random));
            Some(Vector3::new(x, y, z))
        };
        message.angular_velocity = measure(&self.settings.angular_velocity, motion.angular_velocity);
        message.linear_acceleration = measure(&self.settings.linear_acceleration, motion.specific_force);
    }
}

/// Returns a message with everything that does not change between samples.
fn message_for(settings: &Settings, frame_id: String) -> sensor_msgs::Imu {
    let mut orientation_covariance = vec![0.0; 9];
    if !settings.has_orientation {
        // sensor_msgs/Imu: -1 as the first element means that there is no orientation.
        orientation_covariance[0] = -1.0;
    }
    sensor_msgs::Imu {
        header: Some(Header { frame_id, stamp: None }),
        orientation: Some(Quaternion::IDENTITY),
        orientation_covariance,
        angular_velocity_covariance: covariance(&settings.angular_velocity),
        linear_acceleration_covariance: covariance(&settings.linear_acceleration),
        ..Default::default()
    }
}

/// Returns a 3 x 3 matrix by rows, with the variances of the noise on the diagonal.
fn covariance(noise: &AxisNoise) -> Vec<f64> {
    let [x, y, z] = noise.each_ref().map(|axis| axis.variance());
    vec![x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z]
}

fn quaternion([x, y, z, w]: [f64; 4]) -> Quaternion {
    Quaternion { x, y, z, w }
}
