//! The names that sections behind the bodies refer to.

use crate::mjcf::robot::{JointRef, Robot, WORLD_BODY};
use std::collections::BTreeMap;

/// Bodies and joints by their names.
pub(super) struct Index<'d> {
    pub(super) bodies: BTreeMap<&'d str, usize>,
    pub(super) joints: BTreeMap<&'d str, JointRef>,
}

impl<'d> Index<'d> {
    /// All names of a robot.
    pub(super) fn new(robot: &Robot<'d>) -> Self {
        let bodies = robot.bodies.iter().enumerate().map(|(index, body)| (body.name, index));
        let joints = robot.joints().map(|joint| (robot.joint(joint).name, joint));
        let mut index = Self { bodies: bodies.collect(), joints: joints.collect() };
        index.bodies.insert("world", WORLD_BODY);
        index
    }
}
