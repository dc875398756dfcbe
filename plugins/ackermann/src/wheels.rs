//! The wheels of a car: joints that are driven and joints that are steered. `[sim]`

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Command, HostHandle, JointId, World};

use crate::geometry::Turn;
use crate::odometry::Stand;
use crate::settings::{Mode, Settings};

/// Driven and steered wheels, each left and right.
pub(crate) struct Wheels {
    world: World,
    command: Command,
    driven: [Vec<JointId>; 2],
    steered: [Vec<JointId>; 2],
    /// How fast a steered wheel turns per radian that it is off, 1/s.
    steering_gain: f64,
    mode: Mode,
}

impl Wheels {
    pub(crate) fn new(host: HostHandle, settings: Settings) -> Result<Self> {
        Ok(Wheels {
            world: host.world()?,
            command: host.command()?,
            driven: settings.driven,
            steered: settings.steered,
            steering_gain: settings.steering_gain,
            mode: settings.mode,
        })
    }

    /// Turns every wheel as told; with steering alone the driven ones are left to others.
    pub(crate) fn drive(&self, turn: &Turn) -> Result {
        for (joints, target) in self.steered.iter().zip(turn.steer) {
            for joint in joints {
                let off = target - self.world.joint_state(*joint)?.position;
                self.command.joint_velocity(*joint, self.steering_gain * off, f64::INFINITY)?;
            }
        }
        if self.mode == Mode::SteeringOnly {
            return Ok(());
        }
        for (joints, speed) in self.driven.iter().zip(turn.wheels) {
            for joint in joints {
                self.command.joint_velocity(*joint, speed, f64::INFINITY)?;
            }
        }
        Ok(())
    }

    /// How the wheels stand: the mean of each side.
    pub(crate) fn read(&self) -> Result<Stand> {
        let [left, right] = &self.driven;
        let [steer_left, steer_right] = &self.steered;
        Ok(Stand {
            wheels: [self.mean(left)?, self.mean(right)?],
            steer: [self.mean(steer_left)?, self.mean(steer_right)?],
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "a car has few wheels")]
    fn mean(&self, joints: &[JointId]) -> Result<f64> {
        let mut angle = 0.0;
        for joint in joints {
            angle += self.world.joint_state(*joint)?.position;
        }
        Ok(if joints.is_empty() { 0.0 } else { angle / joints.len() as f64 })
    }
}
