//! Measures the force and torque that a joint transmits.
//!
//! [`Settings`] is the `<force_torque>` element: the frame and direction of the wrench. The torque is about the
//! joint's origin. Runs on the simulation thread.

mod settings;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, JointFrame, JointId, JointWrench, Joints, Pose, World};
use bridgehead_plugin_api::messages::geometry_msgs::{Vector3, Wrench, WrenchStamped};
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::random::Random;
use bridgehead_plugin_api::sensor::{Sensor, SensorOutput};
use bridgehead_plugin_api::{Error, Result, export_plugin};

use crate::settings::{AxisNoise, Frame, Settings};

export_plugin! {
    model ForceTorque { id: "org.bridgehead.sensor.force_torque", name: "force_torque", vendor: "Bridgehead" }
}

/// Default topic.
const TOPIC: &str = "force_torque";

/// One sensor in a joint.
struct ForceTorque {
    joints: Joints,
    world: World,
    joint: JointId,
    frame: JointFrame,
    /// Pose of the sensor in the joint frame.
    mount: Pose,
    settings: Settings,
    output: SensorOutput<WrenchStamped>,
}

impl Sensor for ForceTorque {
    type Message = WrenchStamped;

    fn awake(host: HostHandle) -> Result<Self> {
        let attachment = host.model()?.attachment()?;
        let joints = host.joints()?;
        let joint = joints.attached().ok_or_else(|| {
            Error::invalid(
                "a force-torque sensor must be in a joint that transmits loads; put its <sensor> element into a <joint> \
                 of a model that is not static",
            )
        })?;
        let output = SensorOutput::new(host, &attachment, TOPIC)?;
        let (settings, frame) = (Settings::read(host.params()?, output.key())?, joints.frame(joint)?);
        // The frame id names the axes of the wrench.
        let link = match settings.frame {
            Frame::Child => Some(frame.child),
            Frame::Parent => frame.parent,
            Frame::Sensor => None,
        };
        let frame_id = match (settings.frame, link) {
            (Frame::Sensor, _) => attachment.frame_id,
            (_, None) => "world".to_owned(),
            (_, Some(id)) => host
                .model()?
                .links()
                .into_iter()
                .find(|link| link.id == id)
                .map_or(attachment.frame_id, |link| link.frame_id),
        };
        Ok(ForceTorque {
            frame,
            joints,
            world: host.world()?,
            joint,
            mount: attachment.pose,
            settings,
            output: output.with_frame_id(frame_id),
        })
    }

    fn output(&self) -> &SensorOutput<WrenchStamped> {
        &self.output
    }

    /// Requests that the host computes the joint's wrench from now on.
    fn restart(&mut self) -> Result {
        self.joints.watch(self.joint)
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let Some(wrench) = self.joints.wrench(self.joint)? else { return Ok(()) };
        let wrench = self.in_axes(&wrench, step.time_ns, &mut self.output.random(sample))?;
        let message = WrenchStamped { header: Some(self.output.header(step)), wrench: Some(wrench) };
        self.output.publish(step, &message)
    }
}

impl ForceTorque {
    /// Returns the wrench in the chosen direction and axes, with noise.
    fn in_axes(&self, wrench: &JointWrench, time_ns: i64, random: &mut Random) -> Result<Wrench> {
        let axes = self.axes()?;
        let sign = self.settings.direction.sign();
        let mut in_axes = |vector: [f64; 3], noise: &AxisNoise| {
            let vector = axes.rotate_inverse(vector);
            let [x, y, z] =
                std::array::from_fn(|axis| noise[axis].apply(sign * vector[axis], time_ns, random));
            Some(Vector3::new(x, y, z))
        };
        let force = in_axes(wrench.force, &self.settings.force);
        Ok(Wrench { force, torque: in_axes(wrench.torque, &self.settings.torque) })
    }

    /// Returns the pose of the wrench's frame in the world.
    fn axes(&self) -> Result<Pose> {
        let child = || Ok(self.world.link_state(self.frame.child)?.pose);
        match self.settings.frame {
            Frame::Child => child(),
            Frame::Parent => match self.frame.parent {
                Some(parent) => Ok(self.world.link_state(parent)?.pose),
                None => Ok(Pose::IDENTITY),
            },
            Frame::Sensor => Ok(child()?.compose(self.frame.pose).compose(self.mount)),
        }
    }
}
