//! Links as parts of rigid bodies.
//!
//! Links that fixed joints hold together are one body. The frame of a body is at its centre of mass along its principal
//! axes, or, if forces do not move it, that of its first link.

use bridgehead_dynamics::{Mass, World};
use bridgehead_pose::{DMat3, DVec3, Pose};
use serde::{Deserialize, Serialize};

use super::id::{CollisionId, ModelId};
use super::inertia;
use super::spec::{Inertial, LinkSpec};

/// The greatest mass and moments that are simulated, kg and kg m²: no force of others moves more.
const MAX: [f64; 2] = [1e15, 1e18];

/// The least and the greatest radius of gyration that is simulated, m. With others, either the mass or the moments of a body
/// are lost in the last digits of its response to a force.
const GYRATION: [f64; 2] = [1e-6, 1e6];

/// A link in the table of the physics.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Link {
    pub(super) name: String,
    pub(super) model: ModelId,
    /// The body that it is a part of.
    pub(super) body: usize,
    /// The link frame in the frame of the body.
    pub(super) in_body: Pose,
    pub(super) inertial: Inertial,
    pub(super) gravity: bool,
    /// True if a joint may hold it: not a static or kinematic link.
    pub(super) is_carried: bool,
    pub(super) collisions: Vec<CollisionId>,
    /// The pose when it was added, in the world.
    pub(super) initial: Pose,
}

pub(super) fn to_core(pose: &Pose) -> bridgehead_dynamics::Pose {
    bridgehead_dynamics::Pose::from_parts(pose.position, pose.rotation)
}

pub(super) fn from_core(pose: &bridgehead_dynamics::Pose) -> Pose {
    Pose::new(pose.translation, pose.rotation)
}

/// The velocity of a point of a body, `arm` away from its origin in the axes of the body, and its angular velocity.
pub(super) fn velocity_at(world: &World, body: usize, arm: DVec3) -> [DVec3; 2] {
    let [linear, angular] = world.velocity(body);
    // For most bodies the point is the centre of mass, and the rotation can be skipped.
    if arm == DVec3::ZERO {
        return [linear, angular];
    }
    [linear + angular.cross(world.pose(body).rotation * arm), angular]
}

impl Link {
    /// The pose of the link frame in the world.
    pub(super) fn pose(&self, world: &World) -> Pose {
        from_core(&world.pose(self.body)) * self.in_body
    }

    /// The velocity of the origin of the link frame, and the angular velocity, in the world.
    pub(super) fn velocity(&self, world: &World) -> [DVec3; 2] {
        velocity_at(world, self.body, self.in_body.position)
    }

    /// The centre of mass in the frame of the body.
    pub(super) fn center_in_body(&self) -> DVec3 {
        self.in_body.transform_point(self.inertial.pose.position)
    }

    /// The angular momentum about its own centre of mass, in the world.
    pub(super) fn spin(&self, world: &World) -> DVec3 {
        let axes = DMat3::from_quat(self.pose(world).rotation * self.inertial.pose.rotation);
        axes * (inertia::tensor(&self.inertial) * (axes.transpose() * world.velocity(self.body)[1]))
    }
}

/// Combines the masses of links that are one body. Returns the mass, and the frame of the body in the world.
pub(super) fn combined(links: &[&LinkSpec]) -> (Mass, Pose) {
    let mass: f64 = links.iter().map(|link| link.inertial.mass).sum();
    let center_of = |link: &LinkSpec| link.pose.transform_point(link.inertial.pose.position);
    let center = match links {
        [link] => center_of(link),
        _ => links.iter().map(|link| center_of(link) * link.inertial.mass).sum::<DVec3>() / mass,
    };
    let (moments, axes) = match links {
        [link] => {
            let (moments, axes) = inertia::principal(inertia::tensor(&link.inertial));
            (moments, link.pose.rotation * link.inertial.pose.rotation * axes)
        }
        _ => inertia::principal(
            links.iter().map(|link| about(link, center)).fold(DMat3::ZERO, |sum, one| sum + one),
        ),
    };
    let frame = Pose::new(center, axes);
    let heavy: f64 = links.iter().filter(|link| link.gravity).map(|link| link.inertial.mass).sum();
    let heavy_center = if heavy == mass || heavy == 0.0 {
        DVec3::ZERO
    } else {
        let pulled = links.iter().filter(|link| link.gravity);
        let sum = pulled.map(|link| center_of(link) * link.inertial.mass).sum::<DVec3>();
        frame.inverse().transform_point(sum / heavy)
    };
    let mean = |decay: fn(&LinkSpec) -> f64| {
        links.iter().map(|link| decay(link) * link.inertial.mass).sum::<f64>() / mass
    };
    let decay = match links {
        [link] => [link.linear_decay, link.angular_decay],
        _ => [mean(|link| link.linear_decay), mean(|link| link.angular_decay)],
    };
    let mass = mass.min(MAX[0]);
    let [least, greatest] = GYRATION.map(|radius| DVec3::splat(mass * radius * radius));
    let moments = moments.clamp(least, greatest).min(DVec3::splat(MAX[1]));
    (Mass { mass, moments, heavy: heavy.min(mass), heavy_center, decay }, frame)
}

/// The inertia of a link about a point of the world, in world axes.
fn about(link: &LinkSpec, point: DVec3) -> DMat3 {
    let Inertial { mass, pose, .. } = link.inertial;
    let axes = DMat3::from_quat(link.pose.rotation * pose.rotation);
    let own = axes * inertia::tensor(&link.inertial) * axes.transpose();
    let arm = link.pose.transform_point(pose.position) - point;
    let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
    own + (DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer) * mass
}
