//! A joint of an elevator: its target for a controller, and a motor if there is no controller.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Command, HostHandle, Joint, JointId, JointState, Publisher, Qos, World};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::state::{StateReader, StateWriter};

/// How fast a motor removes the rest of the way, 1/s.
const APPROACH: f64 = 5.0;

/// A joint.
pub(crate) struct Drive {
    world: World,
    command: Command,
    joint: JointId,
    /// Largest speed of the motor, m/s or rad/s.
    speed: f64,
    /// The topic of its target, as in the description of the world.
    pub(crate) topic: String,
    targets: Publisher<Float64>,
    /// True if a controller takes the target.
    pub(crate) is_controlled: bool,
    /// The target that was published last.
    published: Option<f64>,
}

impl Drive {
    /// Advertises the topic on which joint position controllers take the target of a joint by default.
    pub(crate) fn new(host: HostHandle, prefix: &str, joint: &Joint, speed: f64) -> Result<Self> {
        let topic = format!("{prefix}/{}/0/cmd_pos", joint.name);
        let vehicle = host.model()?.attachment()?.vehicle;
        Ok(Drive {
            world: host.world()?,
            command: host.command()?,
            joint: joint.id,
            speed,
            targets: host.bus()?.advertise(&topic, Qos::latched())?,
            topic: if topic.starts_with('/') { topic } else { format!("/{vehicle}/{topic}") },
            is_controlled: false,
            published: None,
        })
    }

    pub(crate) fn state(&self) -> Result<JointState> {
        self.world.joint_state(self.joint)
    }

    /// Publishes the target again: controllers have forgotten it.
    pub(crate) fn forget(&mut self) {
        self.published = None;
    }

    pub(crate) fn save(&self, state: &mut StateWriter) -> Result {
        state.put(&(self.is_controlled, self.published))
    }

    pub(crate) fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.is_controlled, self.published) = state.take()?;
        Ok(())
    }

    /// Drives the joint towards a position.
    pub(crate) fn drive(&mut self, target: f64, step: &Step) -> Result {
        if self.published.replace(target) != Some(target) {
            self.targets.publish(step.time_ns, &Float64 { data: target })?;
        }
        if self.is_controlled {
            return Ok(());
        }
        let velocity = ((target - self.state()?.position) * APPROACH).clamp(-self.speed, self.speed);
        self.command.joint_velocity(self.joint, velocity, f64::INFINITY)
    }
}
