//! The moving world: its motion, commands to it, and what forces are computed from.

use bridgehead_abi::basic::Pose;
use bridgehead_abi::dynamics::{Body, HostDynamics, HostSurfaces, SurfaceMotion, Volume};
use bridgehead_abi::host::{HostCommand, HostWorld, JointState, LinkState, RayHit};
use bridgehead_abi::kinematics::HostKinematics;
use bridgehead_abi::{Host, Status, extension as id, status};

use super::argument::{Argument, Message, Plain, Posted, Vector};
use super::call::{Asking, Call, Refused, Served, answer, filled, memory, returned, sent, taken};
#[cfg(feature = "testing")]
use super::misuse;
use super::record::{Counted, RayBatch, Rays};
use super::{At, Function, Hosting, Outcome, Place};
use crate::host::Extension;

extension! {
    /// `bridgehead.world/1`: the world as it stands in the present phase of the step.
    WorldHost, world: HostWorld = id::WORLD;

    /// Returns the motion of a link.
    sim fn link_state(link: u32) -> LinkState;
    /// Returns the motion of a joint.
    sim fn joint_state(joint: u32) -> JointState;
    /// Casts rays.
    sim fn cast_rays(batch: RayBatch) -> [RayHit];
    /// Returns gravity in the world frame, m/s².
    any fn gravity() -> Vector;
}

extension! {
    /// `bridgehead.command/1`: effects on the world, applied before physics of the next step. Units as in the ABI.
    CommandHost, command: HostCommand = id::COMMAND;

    /// Drives a joint towards a velocity.
    sim fn joint_velocity(joint: u32, velocity: f64, max_effort: f64);
    /// Drives a joint towards a position.
    sim fn joint_position(joint: u32, position: f64, stiffness: f64, damping: f64, max_effort: f64);
    /// Applies an effort to a joint.
    sim fn joint_effort(joint: u32, effort: f64);
    /// Applies a force and a torque to a link.
    sim fn link_wrench(link: u32, force: Vector, torque: Vector);
    /// Sets the velocity of a link's whole model.
    sim fn model_velocity(link: u32, linear: Vector, angular: Vector);
    /// Places the model of the instance.
    sim fn model_pose(pose: Pose);
}

extension! {
    /// `bridgehead.dynamics/1`: masses, volumes, and forces at points.
    DynamicsHost, dynamics: HostDynamics = id::DYNAMICS;

    /// Returns a number above the handles of all links.
    sim fn links() -> u32;
    /// Describes a link.
    sim fn body(link: u32) -> Body;
    /// Returns which part of a link is below a plane.
    sim fn volume_below(link: u32, normal: Vector, height: f64) -> Volume;
    /// Applies a force at a point.
    sim fn force_at(link: u32, force: Vector, point: Vector);
}

extension! {
    /// `bridgehead.surfaces/1`: surfaces that slip or run.
    SurfacesHost, surfaces: HostSurfaces = id::SURFACES;

    /// Sets the slips of a collision along both directions of friction.
    sim fn slip(collision: u32, first: f64, second: f64);
    /// Lets a surface run.
    sim fn drive(collision: u32, motion: SurfaceMotion);
}

extension! {
    /// `bridgehead.kinematics/1`: links whose motion a plugin prescribes.
    KinematicsHost, kinematics: HostKinematics = id::KINEMATICS;

    /// Moves a link.
    sim fn move_link(link: u32, pose: Pose);
}
