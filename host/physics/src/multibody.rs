//! Velocities of the links of multibodies.
//!
//! rapier computes them before the last solver iteration of a step, so that they lack what happened in it: a joint that
//! holds its position against gravity would report a velocity.

use bridgehead_sdf::pose::DVec3;
use rapier3d_f64::dynamics::{Multibody, RigidBodySet};

use super::world::Physics;

impl Physics {
    /// Computes the velocities of the links of moving multibodies from those of their joints.
    pub(super) fn update_multibody_velocities(&mut self) {
        for multibody in self.rapier.multibody_joints.multibodies() {
            update_velocities(multibody, &mut self.rapier.bodies);
        }
    }
}

/// Computes the velocities of the links from those of the joints.
pub(super) fn update_velocities(multibody: &Multibody, bodies: &mut RigidBodySet) {
    let velocities = multibody.generalized_velocity();
    for link in multibody.links() {
        let Some(body) = bodies.get_mut(link.rigid_body_handle()) else { continue };
        if body.is_sleeping() || !body.is_dynamic() {
            continue;
        }
        let moved = multibody.body_jacobian(link.link_id()) * velocities;
        body.set_linvel(DVec3::new(moved[0], moved[1], moved[2]), false);
        body.set_angvel(DVec3::new(moved[3], moved[4], moved[5]), false);
    }
}
