//! Stands in for functions that `physics` is getting right now; goes away with them (delete it then).

use crate::physics::{JointId, JointSpec, LinkId, Physics, PhysicsError};

impl Physics {
    pub fn add_joint(
        &mut self,
        _: &JointSpec,
        _: Option<LinkId>,
        child: LinkId,
    ) -> Result<JointId, PhysicsError> {
        Err(PhysicsError::NoSuchLink(child))
    }

    pub fn fix_links(&mut self, _: LinkId, child: LinkId) -> Result<JointId, PhysicsError> {
        Err(PhysicsError::NoSuchLink(child))
    }

    pub fn remove_joint(&mut self, _: JointId) -> Result<(), PhysicsError> {
        Ok(())
    }

    pub fn watch_joint(&mut self, _: JointId) -> Result<(), PhysicsError> {
        Ok(())
    }

    pub fn joint_wrench(&self, _: JointId) -> Option<(crate::pose::DVec3, crate::pose::DVec3)> {
        None
    }
}
