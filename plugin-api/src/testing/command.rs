//! `bridgehead.command/1` of a test: records the commands.

use bridgehead_abi as abi;
use bridgehead_abi::{Host, Status, status};

use super::calls::Class;
use super::host::{Shared, TestHost, lock};
use crate::host::{CollisionId, JointId, LinkId, Pose, SurfaceMotion};
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

    fn joint(&self) -> Option<JointId> {
        match *self {
            TestCommand::JointVelocity { joint, .. }
            | TestCommand::JointPosition { joint, .. }
            | TestCommand::JointEffort { joint, .. } => Some(joint),
            TestCommand::LinkWrench { .. }
            | TestCommand::ForceAt { .. }
            | TestCommand::Slip { .. }
            | TestCommand::Drive { .. }
            | TestCommand::MoveLink { .. }
            | TestCommand::ModelVelocity { .. }
            | TestCommand::ModelPose(_) => None,
        }
    }

    fn collision(&self) -> Option<CollisionId> {
        match *self {
            TestCommand::Slip { collision, .. } | TestCommand::Drive { collision, .. } => Some(collision),
            TestCommand::JointVelocity { .. }
            | TestCommand::JointPosition { .. }
            | TestCommand::JointEffort { .. }
            | TestCommand::LinkWrench { .. }
            | TestCommand::ForceAt { .. }
            | TestCommand::MoveLink { .. }
            | TestCommand::ModelVelocity { .. }
            | TestCommand::ModelPose(_) => None,
        }
    }

    fn link(&self) -> Option<LinkId> {
        match *self {
            TestCommand::LinkWrench { link, .. }
            | TestCommand::ForceAt { link, .. }
            | TestCommand::MoveLink { link, .. }
            | TestCommand::ModelVelocity { link, .. } => Some(link),
            TestCommand::JointVelocity { .. }
            | TestCommand::JointPosition { .. }
            | TestCommand::JointEffort { .. }
            | TestCommand::Slip { .. }
            | TestCommand::Drive { .. }
            | TestCommand::ModelPose(_) => None,
        }
    }
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

pub(super) static TABLE: abi::host::HostCommand = abi::host::HostCommand {
    struct_size: abi::host::HostCommand::SIZE,
    reserved: 0,
    joint_velocity,
    joint_position,
    joint_effort,
    link_wrench,
    model_velocity,
    model_pose,
};

/// # Safety
/// `host` must come from a [`TestHost`].
pub(super) unsafe fn record(host: *const Host, function: &str, command: TestCommand) -> Status {
    // SAFETY: the caller vouches for the host.
    let shared = unsafe { Shared::of(host) };
    if let Err(code) = shared.calls.require(function, Class::Sim) {
        return code;
    }
    let setup = &shared.setup;
    let has_joint = command.joint().is_none_or(|id| setup.joints.iter().any(|joint| joint.id == id));
    let has_link = command.link().is_none_or(|id| shared.has_link(id));
    let has_collision = command.collision().is_none_or(|id| shared.has_collision(id));
    if !has_joint || !has_link || !has_collision {
        let (kind, handle) = if !has_collision {
            ("collision", command.collision().map(|collision| collision.0))
        } else if has_joint {
            ("link", command.link().map(|link| link.0))
        } else {
            ("joint", command.joint().map(|joint| joint.0))
        };
        shared.calls.explain(rules::no_such_handle(kind, u64::from(handle.unwrap_or_default())));
        return status::INVALID_ARG;
    }
    if let Err(fault) = command.check() {
        shared.calls.explain(fault.to_string());
        return status::INVALID_ARG;
    }
    let step = lock(&shared.clock).now().number;
    lock(&shared.commands).commands.push((step, command));
    status::OK
}

unsafe extern "C" fn joint_velocity(host: *const Host, joint: u32, velocity: f64, max_effort: f64) -> Status {
    let command = TestCommand::JointVelocity { joint: JointId(joint), velocity, max_effort };
    // SAFETY: plugins pass back the pointer they were given.
    unsafe { record(host, "command.joint_velocity", command) }
}

unsafe extern "C" fn joint_position(
    host: *const Host,
    joint: u32,
    target: f64,
    stiffness: f64,
    damping: f64,
    max_effort: f64,
) -> Status {
    let joint = JointId(joint);
    let command = TestCommand::JointPosition { joint, target, stiffness, damping, max_effort };
    // SAFETY: as above.
    unsafe { record(host, "command.joint_position", command) }
}

unsafe extern "C" fn joint_effort(host: *const Host, joint: u32, effort: f64) -> Status {
    let command = TestCommand::JointEffort { joint: JointId(joint), effort };
    // SAFETY: as above.
    unsafe { record(host, "command.joint_effort", command) }
}

unsafe extern "C" fn link_wrench(
    host: *const Host,
    link: u32,
    force: *const [f64; 3],
    torque: *const [f64; 3],
) -> Status {
    // SAFETY: as above; both vectors live for the call.
    unsafe {
        let command = TestCommand::LinkWrench { link: LinkId(link), force: *force, torque: *torque };
        record(host, "command.link_wrench", command)
    }
}

unsafe extern "C" fn model_velocity(
    host: *const Host,
    link: u32,
    linear: *const [f64; 3],
    angular: *const [f64; 3],
) -> Status {
    // SAFETY: as above; both vectors live for the call.
    unsafe {
        let command = TestCommand::ModelVelocity { link: LinkId(link), linear: *linear, angular: *angular };
        record(host, "command.model_velocity", command)
    }
}

unsafe extern "C" fn model_pose(host: *const Host, pose: *const abi::basic::Pose) -> Status {
    // SAFETY: as above; the pose lives for the call.
    unsafe { record(host, "command.model_pose", TestCommand::ModelPose(Pose::from_abi(*pose))) }
}
