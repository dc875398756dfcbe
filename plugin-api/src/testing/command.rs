//! `bridgehead.command/1` of a test: records the commands.

use bridgehead_abi as abi;
use bridgehead_abi::{Status, status};

use super::host::{Shared, TestHost, lock};
use crate::host::{CollisionId, JointId, LinkId, Pose, SurfaceMotion};
use crate::hosting::CommandHost;
use crate::rules::{self, CommandFault};

/// A command that the plugin gave. Units as at the methods of [`crate::host::Command`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TestCommand {
    /// Drive a joint towards a velocity.
    JointVelocity {
        /// The joint.
        joint: JointId,
        /// rad/s or m/s.
        velocity: f64,
        /// N·m or N.
        max_effort: f64,
    },
    /// Drive a joint towards a position.
    JointPosition {
        /// The joint.
        joint: JointId,
        /// Radians or metres.
        target: f64,
        /// Effort per unit of position.
        stiffness: f64,
        /// Effort per unit of velocity.
        damping: f64,
        /// N·m or N.
        max_effort: f64,
    },
    /// Apply an effort to a joint.
    JointEffort {
        /// The joint.
        joint: JointId,
        /// N·m or N.
        effort: f64,
    },
    /// Apply a force and a torque to a link.
    LinkWrench {
        /// The link.
        link: LinkId,
        /// N, world frame.
        force: [f64; 3],
        /// N·m, world frame.
        torque: [f64; 3],
    },
    /// Apply a force to a point of a link.
    ForceAt {
        /// The link.
        link: LinkId,
        /// N, world frame.
        force: [f64; 3],
        /// Metres, world frame.
        point: [f64; 3],
    },
    /// Set the slips of a surface.
    Slip {
        /// The collision.
        collision: CollisionId,
        /// m/(s N), along both directions of friction.
        slips: [f64; 2],
    },
    /// Let a surface run.
    Drive {
        /// The collision.
        collision: CollisionId,
        /// Its motion.
        motion: SurfaceMotion,
    },
    /// Move a link.
    MoveLink {
        /// The link.
        link: LinkId,
        /// World frame.
        pose: Pose,
    },
    /// Set the velocity of a model.
    ModelVelocity {
        /// A link of the model.
        link: LinkId,
        /// m/s, world frame.
        linear: [f64; 3],
        /// rad/s, world frame.
        angular: [f64; 3],
    },
    /// Place the model.
    ModelPose(Pose),
}

impl TestCommand {
    /// What is wrong with its numbers.
    fn check(&self) -> Result<(), CommandFault> {
        match *self {
            TestCommand::JointVelocity { velocity, max_effort, .. } => {
                rules::check_velocity(velocity, max_effort)
            }
            TestCommand::JointPosition { target, stiffness, damping, max_effort, .. } => {
                rules::check_position(target, stiffness, damping, max_effort)
            }
            TestCommand::JointEffort { effort, .. } => rules::check_effort(effort),
            TestCommand::LinkWrench { force, torque, .. } => rules::check_wrench(force, torque),
            TestCommand::ForceAt { force, point, .. } => rules::check_force_at(force, point),
            TestCommand::Slip { slips, .. } => rules::check_slips(slips),
            TestCommand::Drive { motion, .. } => {
                rules::check_surface(motion.axis, motion.speed, motion.center)
            }
            TestCommand::ModelVelocity { linear, angular, .. } => rules::check_motion(linear, angular),
            TestCommand::ModelPose(pose) | TestCommand::MoveLink { pose, .. } => {
                rules::check_pose(pose.position, pose.orientation)
            }
        }
    }

    /// What it moves.
    fn target(&self) -> Option<Target> {
        Some(match *self {
            TestCommand::JointVelocity { joint, .. }
            | TestCommand::JointPosition { joint, .. }
            | TestCommand::JointEffort { joint, .. } => Target::Joint(joint),
            TestCommand::LinkWrench { link, .. }
            | TestCommand::ForceAt { link, .. }
            | TestCommand::MoveLink { link, .. }
            | TestCommand::ModelVelocity { link, .. } => Target::Link(link),
            TestCommand::Slip { collision, .. } | TestCommand::Drive { collision, .. } => {
                Target::Collision(collision)
            }
            TestCommand::ModelPose(_) => return None,
        })
    }
}

/// What a command moves.
enum Target {
    Joint(JointId),
    Link(LinkId),
    Collision(CollisionId),
}

/// Commands with the step in which they were given.
#[derive(Default)]
pub(super) struct CommandRecord {
    commands: Vec<(u64, TestCommand)>,
}

impl TestHost {
    /// Every command so far, with the number of the step in which it was given.
    #[must_use]
    pub fn commands(self) -> Vec<(u64, TestCommand)> {
        lock(&self.shared.commands).commands.clone()
    }

    /// Takes the commands, so that the next ones stand alone.
    #[must_use]
    pub fn take_commands(self) -> Vec<TestCommand> {
        let taken = std::mem::take(&mut lock(&self.shared.commands).commands);
        taken.into_iter().map(|(_, command)| command).collect()
    }

    /// The velocity a joint was last driven towards: rad/s or m/s.
    ///
    /// # Panics
    /// Panics if the test gave no such joint.
    #[must_use]
    #[track_caller]
    pub fn commanded_velocity(self, joint: &str) -> Option<f64> {
        let id = self.joint(joint).id;
        lock(&self.shared.commands).commands.iter().rev().find_map(|(_, command)| match command {
            TestCommand::JointVelocity { joint, velocity, .. } if *joint == id => Some(*velocity),
            _ => None,
        })
    }
}

impl Shared {
    /// Takes note of a command, unless something is wrong with it.
    pub(super) fn record_command(&self, command: TestCommand) -> Result<(), Status> {
        let wrong =
            self.unknown(&command).map(|(kind, handle)| rules::no_such_handle(kind, u64::from(handle)));
        if let Some(text) = wrong.or_else(|| command.check().err().map(|fault| fault.to_string())) {
            self.calls.explain(text);
            return Err(status::INVALID_ARG);
        }
        let step = lock(&self.clock).now().number;
        lock(&self.commands).commands.push((step, command));
        Ok(())
    }

    /// The handle of a command that names nothing.
    fn unknown(&self, command: &TestCommand) -> Option<(&'static str, u32)> {
        let is_joint = |id: &JointId| self.setup.joints.iter().any(|joint| joint.id == *id);
        match command.target()? {
            Target::Joint(joint) => (!is_joint(&joint)).then_some(("joint", joint.0)),
            Target::Link(link) => (!self.has_link(link)).then_some(("link", link.0)),
            Target::Collision(collision) => {
                (!self.has_collision(collision)).then_some(("collision", collision.0))
            }
        }
    }
}

impl CommandHost for Shared {
    fn joint_velocity(&self, joint: u32, velocity: f64, max_effort: f64) -> Result<(), Status> {
        self.record_command(TestCommand::JointVelocity { joint: JointId(joint), velocity, max_effort })
    }

    fn joint_position(
        &self,
        joint: u32,
        target: f64,
        stiffness: f64,
        damping: f64,
        max_effort: f64,
    ) -> Result<(), Status> {
        let joint = JointId(joint);
        self.record_command(TestCommand::JointPosition { joint, target, stiffness, damping, max_effort })
    }

    fn joint_effort(&self, joint: u32, effort: f64) -> Result<(), Status> {
        self.record_command(TestCommand::JointEffort { joint: JointId(joint), effort })
    }

    fn link_wrench(&self, link: u32, force: [f64; 3], torque: [f64; 3]) -> Result<(), Status> {
        self.record_command(TestCommand::LinkWrench { link: LinkId(link), force, torque })
    }

    fn model_velocity(&self, link: u32, linear: [f64; 3], angular: [f64; 3]) -> Result<(), Status> {
        self.record_command(TestCommand::ModelVelocity { link: LinkId(link), linear, angular })
    }

    fn model_pose(&self, pose: abi::basic::Pose) -> Result<(), Status> {
        if self.setup.model.is_empty() {
            self.calls.explain(rules::NO_MODEL.to_owned());
            return Err(status::WRONG_STATE);
        }
        self.record_command(TestCommand::ModelPose(Pose::from_abi(pose)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plugin_of_the_world_has_no_model_to_place() {
        let place = |host: TestHost| {
            let command = host.handle().command().expect("offered");
            host.on_sim(|_| command.model_pose(Pose::IDENTITY).map_err(|error| error.status()))
        };
        assert_eq!(place(TestHost::new()), Err(status::WRONG_STATE));
        assert_eq!(place(TestHost::builder().vehicle("car1").build()), Ok(()));
    }
}
