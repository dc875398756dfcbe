//! The wheels of a vehicle: their joints, driven and read per side. `[sim]`

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::drive::Speed;
use bridgehead_plugin_api::host::{Command, HostHandle, JointId, World};

use crate::odometry::Travel;
use crate::settings::Settings;

/// Wheels of one radius on two sides.
pub(crate) struct Wheels {
    world: World,
    command: Command,
    /// Left wheels, then right wheels.
    joints: Vec<JointId>,
    /// Number of left wheels.
    left: usize,
    radius: f64,
    separation: f64,
    /// Torque limit per wheel, N·m.
    max_torque: f64,
}

impl Wheels {
    pub(crate) fn new(host: HostHandle, settings: &Settings) -> Result<Self> {
        Ok(Wheels {
            world: host.world()?,
            command: host.command()?,
            joints: [settings.left.as_slice(), &settings.right].concat(),
            left: settings.left.len(),
            radius: settings.wheel_radius,
            separation: settings.wheel_separation,
            max_torque: settings.max_wheel_torque,
        })
    }

    /// Drives every wheel at the speed for the vehicle's motion.
    pub(crate) fn drive(&self, speed: Speed) -> Result {
        let (left, right) = speed.sides(self.separation);
        let (left_joints, right_joints) = self.joints.split_at(self.left);
        for (joints, over_ground) in [(left_joints, left), (right_joints, right)] {
            for joint in joints {
                self.command.joint_velocity(*joint, over_ground / self.radius, self.max_torque)?;
            }
        }
        Ok(())
    }

    /// Returns the distance that each side has rolled: the mean of its wheels.
    pub(crate) fn travelled(&self) -> Result<Travel> {
        let (left, right) = self.joints.split_at(self.left);
        Ok(Travel { left: self.side_travelled(left)?, right: self.side_travelled(right)? })
    }

    #[expect(clippy::cast_precision_loss, reason = "a vehicle has few wheels")]
    fn side_travelled(&self, joints: &[JointId]) -> Result<f64> {
        let mut angle = 0.0;
        for joint in joints {
            angle += self.world.joint_state(*joint)?.position;
        }
        Ok(angle / joints.len() as f64 * self.radius)
    }
}
