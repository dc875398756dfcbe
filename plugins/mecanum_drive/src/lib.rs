//! Drives a vehicle with four mecanum wheels from Twist commands, forwards, sideways and turning, and publishes its wheel
//! odometry.
//!
//! Kinematics of Muir and Neuman, Kinematic Modeling for Feedback Control of an Omnidirectional Wheeled Mobile Robot (1987),
//! for rollers at 45°: a wheel runs at (v_x ∓ v_y ∓ ω (a + b)) / r, with half of the wheel base a and of the separation b.
//! The parameters are those of Gazebo's mecanum drive. Everything except `awake` runs on the simulation thread.

mod kinematics;

use bridgehead_plugin_api::drive::{
    HeldCommand, Limiter, Limits, OdometryReport, Planar, Speed, check_twist, command_timeout, turning_joints,
};
use bridgehead_plugin_api::host::{Command, HostHandle, JointId, Qos, Subscription, World};
use bridgehead_plugin_api::messages::geometry_msgs::Twist;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result, export_plugin};

use crate::kinematics::{Corners, Kinematics, Motion};

export_plugin! {
    model MecanumDrive {
        id: "org.bridgehead.controller.mecanum_drive", name: "mecanum_drive", vendor: "Bridgehead"
    }
}

/// The joints of the wheels, in the order of [`Corners`].
const JOINTS: [&str; 4] = ["front_left_joint", "front_right_joint", "back_left_joint", "back_right_joint"];

/// The drive of one vehicle.
struct MecanumDrive {
    world: World,
    command: Command,
    joints: [Vec<JointId>; 4],
    kinematics: Kinematics,
    commands: Subscription<Twist>,
    /// Forwards and turning.
    held: HeldCommand,
    limiter: Limiter,
    /// Sideways.
    held_sideways: HeldCommand,
    sideways_limiter: Limiter,
    /// Angles of the wheels in the last step.
    before: Option<Corners>,
    planar: Planar,
    /// Speed to the left, m/s.
    sideways: f64,
    report: OdometryReport,
}

impl ModelPlugin for MecanumDrive {
    const PHASES: Phases = Phases::BOTH;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, model) = (host.params()?, host.model()?);
        let mut joints: [Vec<JointId>; 4] = Default::default();
        for (corner, path) in joints.iter_mut().zip(JOINTS) {
            *corner = turning_joints(params, model, path)?;
        }
        let (linear, angular) = (Limits::read(params, "linear")?, Limits::read(params, "angular")?);
        let timeout = command_timeout(params)?;
        let topic = params.get_or("topic", "cmd_vel".to_owned())?;
        Ok(MecanumDrive {
            world: host.world()?,
            command: host.command()?,
            joints,
            kinematics: Kinematics::new(
                params.positive_or("wheel_radius", 0.2)?,
                params.positive_or("wheel_separation", 1.0)?,
                params.positive_or("wheelbase", 1.0)?,
            ),
            commands: host.bus()?.subscribe(&topic, Qos::default())?,
            held: HeldCommand::new(timeout),
            limiter: Limiter::new(linear, angular),
            held_sideways: HeldCommand::new(timeout),
            sideways_limiter: Limiter::new(linear, angular),
            before: None,
            planar: Planar::default(),
            sideways: 0.0,
            report: OdometryReport::new(host)?,
        })
    }

    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        self.held.clear();
        self.held_sideways.clear();
        self.limiter.stop();
        self.sideways_limiter.stop();
        if scope.covers_state() {
            (self.before, self.planar, self.sideways) = (None, Planar::default(), 0.0);
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        self.held.save(state)?;
        self.limiter.save(state)?;
        self.held_sideways.save(state)?;
        self.sideways_limiter.save(state)?;
        state.put(&(self.before, self.planar, self.sideways))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.held.load(state)?;
        self.limiter.load(state)?;
        self.held_sideways.load(state)?;
        self.sideways_limiter.load(state)?;
        (self.before, self.planar, self.sideways) = state.take()?;
        Ok(())
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let angles = self.angles()?;
        let before = self.before.replace(angles).unwrap_or(angles);
        let turned = std::array::from_fn(|corner| angles[corner] - before[corner]);
        let moved = self.kinematics.motion(&turned);
        let middle = self.planar.heading + moved.turn / 2.0;
        let (sin, cos) = libm::sincos(middle);
        self.planar.x += moved.forward * cos - moved.left * sin;
        self.planar.y += moved.forward * sin + moved.left * cos;
        self.planar.heading += moved.turn;
        self.planar.speed =
            Speed { linear: moved.forward / step.width(), angular: moved.turn / step.width() };
        self.sideways = moved.left / step.width();
        self.report.publish_sideways(step, &self.planar, self.sideways)?;
        Ok(Flow::Continue)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(received) = self.commands.take_latest() {
            self.accept(&received.message, step);
        }
        self.held.expiry(step.time_ns).iter().for_each(|text| log::info!("{text}"));
        let along = self.limiter.advance(self.held.at(step.time_ns), step.width());
        let across = self.sideways_limiter.advance(self.held_sideways.at(step.time_ns), step.width());
        let motion = Motion { forward: along.linear, left: across.linear, turn: along.angular };
        for (joints, rate) in self.joints.iter().zip(self.kinematics.rates(&motion)) {
            for joint in joints {
                self.command.joint_velocity(*joint, rate, f64::INFINITY)?;
            }
        }
        Ok(Flow::Continue)
    }
}

impl MecanumDrive {
    /// Keeps a command. Commands with invalid numbers are ignored; the first one is logged.
    fn accept(&mut self, twist: &Twist, step: &Step) {
        let speed = Speed::from_twist(twist);
        let left = twist.linear.as_ref().map_or(0.0, |linear| linear.y);
        match check_twist([speed.linear, left, 0.0], [0.0, 0.0, speed.angular]) {
            Ok(()) => {
                self.held.set(speed, step.time_ns);
                self.held_sideways.set(Speed { linear: left, angular: 0.0 }, step.time_ns);
            }
            Err(error) if self.held.refuse() => {
                log::warn!("ignored a command: {error}; further ones like it are ignored without a warning");
            }
            Err(_) => {}
        }
    }

    /// The angle of the wheels of each corner: the mean of them.
    #[expect(clippy::cast_precision_loss, reason = "a vehicle has few wheels")]
    fn angles(&self) -> Result<Corners> {
        let mut angles = [0.0; 4];
        for (angle, joints) in angles.iter_mut().zip(&self.joints) {
            for joint in joints {
                *angle += self.world.joint_state(*joint)?.position / joints.len() as f64;
            }
        }
        Ok(angles)
    }
}

#[cfg(test)]
mod tests;
