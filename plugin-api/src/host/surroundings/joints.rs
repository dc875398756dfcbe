//! Frames of joints and the forces in them.

use bridgehead_abi::extension;
use bridgehead_abi::surroundings as abi;

use crate::error::{Error, Result};
use crate::host::{JointId, LinkId, Pose, extension_handle};

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
        let mut joint = 0;
        // SAFETY: `joint` is writable for the call.
        let status = self.call(|table, host| unsafe { (table.attached)(host, &raw mut joint) }).ok()?;
        (status >= 0).then_some(JointId(joint))
    }

    /// Where a joint of the model sits. `[any]`
    ///
    /// # Errors
    /// Returns an error if the model has no such joint.
    pub fn frame(self, joint: JointId) -> Result<JointFrame> {
        let mut raw = abi::JointFrame {
            struct_size: abi::JointFrame::SIZE,
            parent_link: abi::WORLD_LINK,
            child_link: 0,
            reserved: 0,
            pose: bridgehead_abi::basic::Pose::IDENTITY,
            axis: [0.0; 3],
        };
        // SAFETY: `raw` is writable for the call.
        let status = self.call(|table, host| unsafe { (table.frame)(host, joint.0, &raw mut raw) })?;
        Error::check(status, "frame of a joint")?;
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
        // SAFETY: a plain value.
        Error::check(self.call(|table, host| unsafe { (table.watch)(host, joint.0) })?, "watching a joint")
    }

    /// What a watched joint transmitted during the last step; `None` before its first step. `[sim]`
    ///
    /// # Errors
    /// Returns an error if the joint is gone or the call comes from another thread.
    pub fn wrench(self, joint: JointId) -> Result<Option<JointWrench>> {
        let mut raw = abi::JointWrench {
            struct_size: abi::JointWrench::SIZE,
            reserved: 0,
            force: [0.0; 3],
            torque: [0.0; 3],
        };
        // SAFETY: `raw` is writable for the call.
        let status = self.call(|table, host| unsafe { (table.wrench)(host, joint.0, &raw mut raw) })?;
        if status == bridgehead_abi::status::NOT_FOUND {
            return Ok(None);
        }
        Error::check(status, "wrench of a joint")?;
        Ok(Some(JointWrench { force: raw.force, torque: raw.torque }))
    }
}
