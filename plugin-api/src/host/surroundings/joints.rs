//! Frames of joints and the forces in them.

use bridgehead_abi::extension;
use bridgehead_abi::surroundings as abi;

use crate::error::Result;
use crate::host::{JointId, LinkId, Pose, extension_handle};
use crate::hosting::found;

/// Where a joint sits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrame {
    /// Parent link; `None` is the world.
    pub parent: Option<LinkId>,
    /// Child link.
    pub child: LinkId,
    /// Pose of the joint frame in the child link.
    pub pose: Pose,
    /// First axis in the joint frame, a unit vector; zero for a joint without one.
    pub axis: [f64; 3],
}

/// What a joint transmits: the parent on the child, world frame, mean over the step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointWrench {
    /// Newtons.
    pub force: [f64; 3],
    /// Newton metres about the joint's origin.
    pub torque: [f64; 3],
}

extension_handle! {
    /// Frames of joints and the forces in them.
    Joints, abi::HostJoints, extension::JOINTS
}

impl Joints {
    /// The joint that carries the sensor; `None` for an instance that is not a sensor of a joint. `[any]`
    #[must_use]
    pub fn attached(self) -> Option<JointId> {
        self.extension.attached().ok().map(JointId)
    }

    /// Where a joint of the model sits. `[any]`
    ///
    /// # Errors
    /// Returns an error if the model has no such joint.
    pub fn frame(self, joint: JointId) -> Result<JointFrame> {
        let raw = self.extension.frame(joint.0)?;
        Ok(JointFrame {
            parent: (raw.parent_link != abi::WORLD_LINK).then_some(LinkId(raw.parent_link)),
            child: LinkId(raw.child_link),
            pose: Pose::from_abi(raw.pose),
            axis: raw.axis,
        })
    }

    /// Asks that the wrench of a joint be computed from the next step on. `[sim]`
    ///
    /// # Errors
    /// Returns an error if the joint is gone or the call comes from another thread.
    pub fn watch(self, joint: JointId) -> Result {
        Ok(self.extension.watch(joint.0)?)
    }

    /// What a watched joint transmitted during the last step; `None` before its first step. `[sim]`
    ///
    /// # Errors
    /// Returns an error if the joint is gone or the call comes from another thread.
    pub fn wrench(self, joint: JointId) -> Result<Option<JointWrench>> {
        let found = found(self.extension.wrench(joint.0))?;
        Ok(found.map(|raw| JointWrench { force: raw.force, torque: raw.torque }))
    }
}
