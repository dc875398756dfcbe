//! Motion of bodies as samples over time, and how far poses are apart.

use std::collections::BTreeMap;

use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

/// Poses of links in the world by the names of model and link.
pub(crate) type Poses = BTreeMap<String, Pose>;

/// The state of a body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Of its centre of mass, world.
    pub(crate) pose: Pose,
    /// Of its centre of mass, world, m/s.
    pub(crate) velocity: DVec3,
    /// World, rad/s.
    pub(crate) spin: DVec3,
}

impl State {
    /// A state as the peers print it: position, quaternion with w first, velocity, angular velocity.
    pub(crate) fn from_numbers([x, y, z, w, i, j, k, vx, vy, vz, wx, wy, wz]: [f64; 13]) -> Self {
        let pose = Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(i, j, k, w));
        State { pose, velocity: DVec3::new(vx, vy, vz), spin: DVec3::new(wx, wy, wz) }
    }
}

impl State {
    /// How far the z axis of the body is from the vertical, degrees.
    pub(crate) fn tilt(&self) -> f64 {
        let up = self.pose.rotation * DVec3::Z;
        up.cross(DVec3::Z).length().atan2(up.z).to_degrees()
    }
}

/// The motion of all bodies of a scene.
#[derive(Clone, Debug, Default)]
pub(crate) struct Motion {
    /// Times of the samples, seconds.
    pub(crate) times: Vec<f64>,
    /// Samples by `model::body`.
    pub(crate) bodies: BTreeMap<String, Vec<State>>,
}

impl Motion {
    /// All samples of a body; none if it is not in the scene.
    pub(crate) fn of(&self, body: &str) -> &[State] {
        self.bodies.get(body).map_or(&[], Vec::as_slice)
    }

    /// The last sample of a body.
    pub(crate) fn last(&self, body: &str) -> Option<&State> {
        self.of(body).last()
    }

    /// The first and the last position of a body.
    pub(crate) fn ends(&self, body: &str) -> Option<[DVec3; 2]> {
        let samples = self.of(body);
        Some([samples.first()?.pose.position, samples.last()?.pose.position])
    }
}

/// How far two poses are apart.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Apart {
    /// Metres.
    pub(crate) distance: f64,
    /// Degrees.
    pub(crate) angle: f64,
}

impl Apart {
    /// Farther than anything.
    pub(crate) const INFINITE: Self = Apart { distance: f64::INFINITY, angle: f64::INFINITY };

    pub(crate) fn between(one: &Pose, other: &Pose) -> Self {
        let angle = (one.rotation.conjugate() * other.rotation).normalize();
        let turn = 2.0 * DVec3::new(angle.x, angle.y, angle.z).length().atan2(angle.w.abs());
        Apart { distance: one.position.distance(other.position), angle: turn.to_degrees() }
    }

    /// True if either is larger, or not a number.
    pub(crate) fn exceeds(self, distance: f64, angle: f64) -> bool {
        !(self.distance <= distance && self.angle <= angle)
    }

    /// For comparisons: 1 at 2 cm, and at 2 degrees.
    pub(crate) fn size(self) -> f64 {
        (self.distance / 0.02).max(self.angle / 2.0)
    }
}

/// Returns the link whose poses differ most, of those in both.
pub(crate) fn farthest<'a>(one: &'a Poses, other: &Poses) -> Option<(&'a str, Apart)> {
    let apart =
        one.iter().filter_map(|(name, pose)| Some((name.as_str(), Apart::between(pose, other.get(name)?))));
    apart.max_by(|(_, one), (_, other)| one.size().total_cmp(&other.size()))
}
