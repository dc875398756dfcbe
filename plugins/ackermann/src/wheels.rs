//! The wheels of a car: driven joints and steered joints. `[sim]`

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{Command, HostHandle, JointId, World};

use crate::geometry::WheelTargets;
use crate::odometry::WheelState;
use crate::settings::{Mode, Settings};

/// Driven and steered wheels, each left and right.
pub(crate) struct Wheels {
    world: World,
    command: Command,
    driven: [Vec<JointId>; 2],
    steered: [Vec<JointId>; 2],
    /// Rate of a steered wheel per radian of deviation, 1/s.
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

    /// Sets the targets of every wheel; in steering mode the driven ones are not commanded.
    pub(crate) fn drive(&self, targets: &WheelTargets) -> Result {
        for (joints, target) in self.steered.iter().zip(targets.steer) {
            for joint in joints {
                let off = target - self.world.joint_state(*joint)?.position;
                self.command.joint_velocity(*joint, self.steering_gain * off, f64::INFINITY)?;
            }
        }
        if self.mode == Mode::SteeringOnly {
            return Ok(());
        }
        for (joints, speed) in self.driven.iter().zip(targets.wheels) {
            for joint in joints {
                self.command.joint_velocity(*joint, speed, f64::INFINITY)?;
            }
        }
        Ok(())
    }

    /// Returns the state of the wheels: the mean of each side.
    pub(crate) fn read(&self) -> Result<WheelState> {
        let [left, right] = &self.driven;
        let [steer_left, steer_right] = &self.steered;
        Ok(WheelState {
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
