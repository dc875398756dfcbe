//! `<actor>`: a figure that follows waypoints through all obstacles.

use super::frame::FramePose;
use super::link::Link;
use super::plugin::Plugin;
use crate::document::Origin;
use bridgehead_pose::Pose;

/// An `<actor>` of a world.
#[derive(Clone, Debug, Default)]
pub struct Actor {
    /// Name among its siblings.
    pub name: String,
    /// Its pose; its waypoints are relative to it.
    pub pose: FramePose,
    /// Names of its animations.
    pub animations: Vec<String>,
    /// True if the script begins again when it has ended.
    pub is_looped: bool,
    /// Seconds before the script begins.
    pub delay_start: f64,
    /// True if the script begins by itself.
    pub auto_start: bool,
    /// The parts of its script.
    pub trajectories: Vec<Trajectory>,
    /// Its collisions and visuals, which move as a whole.
    pub links: Vec<Link>,
    /// The label of its visuals that have none of their own.
    pub label: Option<u32>,
    /// Plugins attached to it.
    pub plugins: Vec<Plugin>,
    /// The element in its file.
    pub origin: Origin,
}

/// A `<trajectory>`: waypoints with their times, each time once.
#[derive(Clone, Debug, Default)]
pub struct Trajectory {
    /// Number among the trajectories of the actor.
    pub id: u32,
    /// The animation that is played with it.
    pub animation: String,
    /// Waypoints by time.
    pub waypoints: Vec<Waypoint>,
}

/// A `<waypoint>`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waypoint {
    /// Seconds; the trajectory starts at its first waypoint, regardless of its time.
    pub time: f64,
    /// The pose of the actor at that time, relative to its own pose.
    pub pose: Pose,
}
