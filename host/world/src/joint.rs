//! Joints of the world, which connect a model to the world or to another model. Simulation thread only.

use bridgehead_physics::{LinkId, PhysicsError};
use bridgehead_sdf::resolved;
use bridgehead_sdf::resolved::{Body, WorldJoint};

use super::convert::world_joint_spec;
use super::world::World;

impl World {
    /// Adds a joint of the world, after its models.
    pub(super) fn add_world_joint(
        &mut self,
        source: &resolved::World,
        joint: &WorldJoint,
    ) -> Result<(), PhysicsError> {
        let parent = self.side(source, joint.parent_model, joint.joint.parent);
        let child = self.side(source, joint.child_model, joint.joint.child);
        // Physics needs the moving side as the child, which reverses the axis.
        let (parent, child, sign) = match (parent, child) {
            (parent, Some(child)) => (parent, child, 1.0),
            (Some(parent), None) => (None, parent, -1.0),
            (None, None) => return Ok(()),
        };
        let Some(spec) = world_joint_spec(&joint.joint, sign) else { return Ok(()) };
        let id = self.physics.add_joint(&spec, parent, child)?;
        self.add_joint_entity(joint.joint.name.clone(), id);
        Ok(())
    }

    /// Returns the link of one side; `None` for the world, or for a model that physics rejected.
    fn side(&self, source: &resolved::World, model: Option<usize>, body: Body) -> Option<LinkId> {
        let Body::Link(link) = body else { return None };
        let model = source.models.get(model?)?;
        let name = format!("{}::{}", model.name, model.links.get(link)?.name);
        let handle = self.find_link(&name)?;
        Some(self.links.get(handle)?.physics)
    }
}
