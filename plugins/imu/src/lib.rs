//! Inertial measurement unit: orientation, angular velocity and specific force of a point of a link.
//!
//! [`Motion`] is what an ideal sensor measures and contains all the mechanics; [`Settings`] is the `<imu>` element;
//! this file connects them to the host. Runs on the simulation thread.

mod motion;
mod settings;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, LinkId, Pose, Publisher, Qos, World};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::geometry_msgs::{Quaternion, Vector3};
use bridgehead_plugin_api::messages::sensor_msgs;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result, export_plugin};

use crate::motion::{Motion, Reference};
use crate::settings::{Axes, AxisNoise, Frame, Settings};

export_plugin! {
    model Imu { id: "org.bridgehead.sensor.imu", name: "imu", vendor: "Bridgehead" }
}

/// Default topic.
const TOPIC: &str = "imu";

/// One inertial measurement unit.
struct Imu {
    world: World,
    link: LinkId,
    /// Pose of the sensor in its link.
    mount: Pose,
    settings: Settings,
    schedule: Schedule,
    random: RandomKey,
    publisher: Publisher<sensor_msgs::Imu>,
    /// Velocity of the sensor at the end of the last step, world frame, m/s; `None` before the first step.
    velocity: Option<[f64; 3]>,
    /// Orientation of the sensor in the world after the last reset: a quaternion x, y, z, w.
    start: [f64; 4],
    /// Reused for every sample; frame and covariances do not change.
    message: sensor_msgs::Imu,
}

impl ModelPlugin for Imu {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Saved { version: 2 };

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let link = attachment.parent_link.ok_or_else(|| {
            Error::invalid("an imu must be on a link; put its <sensor> element into a <link>")
        })?;
        let random = RandomKey::new(attachment.seed, &attachment.path);
        let settings = Settings::read(host, random)?;
        let topic = attachment.topic.as_deref().unwrap_or(TOPIC);
        Ok(Imu {
            world: host.world()?,
            link,
            mount: attachment.pose,
            schedule: Schedule::with_period(attachment.update_period),
            random,
            publisher: host.bus()?.advertise(topic, Qos::sensor_data())?,
            velocity: None,
            start: Pose::IDENTITY.orientation,
            message: message_for(&settings, attachment.frame_id),
            settings,
        })
    }

    /// Makes the velocity after the reset the start of the first difference.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        let link = self.world.link_state(self.link).ok();
        self.velocity = link.map(|link| link.velocity_at(self.mount.position));
        self.start = link.map_or(Pose::IDENTITY, |link| link.pose.compose(self.mount)).orientation;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.velocity, self.start))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.velocity, self.start) = state.take()?;
        Ok(())
    }

    /// Acceleration is the difference over the last step alone, at any sampling rate: the step before each sample is
    /// read too.
    fn sample_times(&self) -> SampleTimes {
        SampleTimes::from(self.schedule).with_steps_before(1)
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let link = self.world.link_state(self.link)?;
        let velocity = link.velocity_at(self.mount.position);
        let before = self.velocity.replace(velocity).unwrap_or(velocity);
        let Some(sample) = self.schedule.due(step).filter(|_| self.publisher.has_listeners()) else {
            return Ok(Flow::Continue);
        };
        let acceleration = std::array::from_fn(|axis| (velocity[axis] - before[axis]) / step.width());
        let orientation = link.pose.compose(self.mount);
        let motion = Motion::new(orientation, link.angular, acceleration, self.world.gravity()?);
        let reference = self.reference()?;
        self.fill(step, sample, &motion, reference);
        self.publisher.publish(step.time_ns, &self.message)?;
        Ok(Flow::Continue)
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
            Frame::Link(link) => self.world.link_state(link)?.pose,
        };
        Ok(Reference::Turned(parent.compose(turn).orientation))
    }

    /// Writes one sample with its noise into the message.
    fn fill(&mut self, step: &Step, sample: u64, motion: &Motion, reference: Reference) {
        let mut random = self.random.sample(sample);
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
