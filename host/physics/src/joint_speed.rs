//! Velocity limits of joints: a joint that is faster after a substep is slowed down to its limit.
//!
//! The engine limits positions only. The impulse that slows a joint down acts like a brake inside of it: between the two
//! bodies of an impulse joint, and on all links of a multibody. Momentum is kept, and so are the velocities that the joint
//! does not allow.

use bridgehead_sdf::pose::{DMat3, DVec3};
use rapier3d_f64::dynamics::{JointAxesMask, MultibodyJointHandle, RigidBody, RigidBodyHandle, RigidBodySet};
use rapier3d_f64::na::{DVector, Matrix6, Vector6};

use super::joint::{Attachment, Joint, freedom_of};
use super::multibody::update_velocities;
use super::spec::JointKind;
use super::world::Physics;

/// Slowing one joint down speeds its neighbours up a little: the most rounds over all joints.
const ROUNDS: usize = 8;

/// The share of a limit by which a joint may be faster, because of rounding.
const TOLERANCE: f64 = 1e-9;

impl Joint {
    /// Returns the velocity limit, rad/s or m/s. Zero means no limit: robot descriptions write it for "unknown".
    pub(super) fn speed_limit(&self) -> Option<f64> {
        let limit = self.spec.velocity;
        (limit > 0.0 && limit.is_finite()).then_some(limit)
    }
}

/// Returns by how much a velocity exceeds its limit, with its sign; `None` if it does not.
fn excess(velocity: f64, limit: f64) -> Option<f64> {
    (velocity.abs() > limit * (1.0 + TOLERANCE)).then(|| velocity - limit.copysign(velocity))
}

impl Physics {
    /// Slows down the joints that are faster than their limits.
    pub(super) fn limit_joint_speeds(&mut self) {
        for _ in 0..ROUNDS {
            let mut is_any_slowed = false;
            for place in 0..self.joints.len() {
                is_any_slowed |= self.limit_joint_speed(place).is_some();
            }
            if !is_any_slowed {
                return;
            }
        }
    }

    /// Slows down one joint if it is faster than its limit.
    fn limit_joint_speed(&mut self, place: usize) -> Option<()> {
        let (_, joint) = self.joints.at(place)?;
        let limit = joint.speed_limit()?;
        match joint.attachment {
            Attachment::Impulse(_) => {
                let excess = excess(joint.velocity(&self.rapier.bodies)?, limit)?;
                let brake = Brake::new(joint, excess, &self.rapier.bodies, |body| self.is_fixed_in(body))?;
                brake.apply(&mut self.rapier.bodies);
            }
            Attachment::Multibody(handle) => {
                let freedom = freedom_of(joint.spec.kind);
                self.limit_multibody_speed(handle, freedom, limit)?;
            }
            Attachment::Coupling => return None,
        }
        Some(())
    }

    /// Returns true if an impulse on a body alone does not move it: it is a link of a multibody, or fixed to the world.
    fn is_fixed_in(&self, body: RigidBodyHandle) -> bool {
        let is_anchor = |other| self.rapier.bodies.get(other).is_some_and(RigidBody::is_fixed);
        self.rapier.multibody_joints.rigid_body_link(body).is_some()
            || self.rapier.impulse_joints.attached_joints(body).any(|(one, other, _, joint)| {
                joint.data.locked_axes == JointAxesMask::LOCKED_FIXED_AXES
                    && (is_anchor(one) || is_anchor(other))
            })
    }

    /// Slows down one degree of freedom of a multibody, and with it the links that are moved by the impulse.
    fn limit_multibody_speed(
        &mut self,
        handle: MultibodyJointHandle,
        freedom: usize,
        limit: f64,
    ) -> Option<()> {
        let (multibody, link) = self.rapier.multibody_joints.get_mut(handle)?;
        let index = multibody.link(link)?.assembly_id() + freedom;
        let excess = excess(*multibody.generalized_velocity().get(index)?, limit)?;
        let mut change = DVector::zeros(multibody.ndofs());
        *change.get_mut(index)? = 1.0;
        // What a unit impulse in this degree of freedom changes of all velocities.
        if !multibody.inv_augmented_mass().solve_mut(&mut change) {
            return None;
        }
        let own = *change.get(index)?;
        if own.is_nan() || own <= 0.0 {
            return None;
        }
        multibody.generalized_velocity_mut().axpy(-excess / own, &change, 1.0);
        update_velocities(multibody, &mut self.rapier.bodies);
        Some(())
    }
}

/// One of the two bodies of an impulse joint.
struct End {
    body: RigidBodyHandle,
    /// From the centre of mass to the joint, world.
    arm: DVec3,
    inverse_mass: f64,
    /// World.
    inverse_inertia: DMat3,
}

impl End {
    fn new(handle: RigidBodyHandle, body: &RigidBody, point: DVec3, is_fixed: bool) -> Self {
        let arm = point - body.translation();
        if is_fixed || !body.is_dynamic() {
            return End { body: handle, arm, inverse_mass: 0.0, inverse_inertia: DMat3::ZERO };
        }
        let local = &body.mass_properties().local_mprops;
        let axes = DMat3::from_quat(*body.rotation() * local.principal_inertia_local_frame);
        let inverse = local.principal_inertia().map(|moment| if moment > 0.0 { 1.0 / moment } else { 0.0 });
        End {
            body: handle,
            arm,
            inverse_mass: local.inv_mass,
            inverse_inertia: axes * DMat3::from_diagonal(inverse) * axes.transpose(),
        }
    }

    /// The change of the velocity at the joint, and of the angular velocity, by an impulse there.
    fn response(&self, [linear, angular]: [DVec3; 2]) -> [DVec3; 2] {
        let turn = self.inverse_inertia * (angular + self.arm.cross(linear));
        [linear * self.inverse_mass + turn.cross(self.arm), turn]
    }

    fn apply(&self, [linear, angular]: [DVec3; 2], bodies: &mut RigidBodySet) {
        let Some(body) = bodies.get_mut(self.body) else { return };
        let turn = self.inverse_inertia * (angular + self.arm.cross(linear));
        body.set_linvel(body.linvel() + linear * self.inverse_mass, false);
        body.set_angvel(body.angvel() + turn, false);
    }
}

/// The impulse between the bodies of a joint that reduces its velocity to the limit.
struct Brake {
    parent: End,
    child: End,
    /// Linear, N s, and angular, N m s, on the child; world.
    impulse: [DVec3; 2],
}

impl Brake {
    fn new(
        joint: &Joint,
        excess: f64,
        bodies: &RigidBodySet,
        is_fixed: impl Fn(RigidBodyHandle) -> bool,
    ) -> Option<Self> {
        let reading = joint.read(bodies)?;
        let (parent, child) = (bodies.get(joint.ends.parent)?, bodies.get(joint.ends.child)?);
        let point = reading.frame.position;
        let parent = End::new(joint.ends.parent, parent, point, is_fixed(joint.ends.parent));
        let child = End::new(joint.ends.child, child, point, is_fixed(joint.ends.child));
        let change = Joint::axis(&reading) * -excess;
        let wanted = match joint.spec.kind {
            JointKind::Prismatic => [change, DVec3::ZERO],
            JointKind::Revolute | JointKind::Continuous | JointKind::Screw { .. } => [DVec3::ZERO, change],
            JointKind::Fixed | JointKind::Ball | JointKind::Universal | JointKind::Revolute2 => return None,
            JointKind::Gearbox { .. } => return None,
        };
        let columns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [axis, DVec3::ZERO]);
        let turns = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| [DVec3::ZERO, axis]);
        let responses = columns.into_iter().chain(turns).map(|unit| {
            let ([one, turn_one], [two, turn_two]) = (parent.response(unit), child.response(unit));
            vector([one + two, turn_one + turn_two])
        });
        let matrix = Matrix6::from_columns(&responses.collect::<Vec<_>>());
        let impulse = matrix.lu().solve(&vector(wanted))?;
        let [linear, angular] =
            [0, 3].map(|first| DVec3::new(impulse[first], impulse[first + 1], impulse[first + 2]));
        (linear.is_finite() && angular.is_finite()).then_some(Brake {
            parent,
            child,
            impulse: [linear, angular],
        })
    }

    fn apply(&self, bodies: &mut RigidBodySet) {
        self.parent.apply(self.impulse.map(|part| -part), bodies);
        self.child.apply(self.impulse, bodies);
    }
}

fn vector([linear, angular]: [DVec3; 2]) -> Vector6<f64> {
    Vector6::new(linear.x, linear.y, linear.z, angular.x, angular.y, angular.z)
}
