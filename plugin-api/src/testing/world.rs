//! `bridgehead.world/1` of a test: link and joint states that the test sets, and rays it answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_abi as abi;
use bridgehead_abi::host::RayHit;
use bridgehead_abi::{Status, status};

use super::host::{Shared, TestHost, lock};
use super::setup::Setup;
use crate::host::{JointState, LinkId, LinkState, Pose};
use crate::hosting::{Rays, WorldHost};
use crate::rules;

/// One ray in the world frame, as the test's ray caster sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: [f64; 3],
    /// Unit vector.
    pub direction: [f64; 3],
    /// Link whose shapes are ignored.
    pub ignore: Option<LinkId>,
}

/// Answers one ray with the distance in metres to what it hits.
type RayCaster = Arc<dyn Fn(&Ray) -> Option<f64> + Send + Sync>;

/// The world as the test set it.
pub(super) struct WorldState {
    links: BTreeMap<u32, LinkState>,
    joints: BTreeMap<u32, JointState>,
    gravity: [f64; 3],
    caster: RayCaster,
}

impl WorldState {
    /// Links rest at their loaded poses, joints at 0; gravity is SDF's default; no ray hits anything.
    pub(super) fn new(setup: &Setup) -> Self {
        let rest = |pose| LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] };
        let still = JointState { position: 0.0, velocity: 0.0, effort: 0.0 };
        WorldState {
            links: setup.links.iter().map(|link| (link.id.0, rest(link.pose))).collect(),
            joints: setup.joints.iter().map(|joint| (joint.id.0, still)).collect(),
            gravity: [0.0, 0.0, -9.8],
            caster: Arc::new(|_| None),
        }
    }
}

impl WorldState {
    /// Lets a link rest at the origin, unless it is known.
    pub(super) fn know_link(&mut self, link: LinkId) {
        let rest = LinkState { pose: Pose::IDENTITY, linear: [0.0; 3], angular: [0.0; 3] };
        self.links.entry(link.0).or_insert(rest);
    }
}

impl TestHost {
    /// Moves a link: pose, linear and angular velocity in the world frame.
    ///
    /// # Panics
    /// Panics if the test gave no such link.
    #[track_caller]
    pub fn set_link_state(self, name: &str, state: LinkState) {
        let id = self.link(name).id;
        lock(&self.shared.world).links.insert(id.0, state);
    }

    /// Moves a joint.
    ///
    /// # Panics
    /// Panics if the test gave no such joint.
    #[track_caller]
    pub fn set_joint_state(self, name: &str, state: JointState) {
        let id = self.joint(name).id;
        lock(&self.shared.world).joints.insert(id.0, state);
    }

    /// Sets gravity in the world frame, m/s².
    pub fn set_gravity(self, gravity: [f64; 3]) {
        lock(&self.shared.world).gravity = gravity;
    }

    /// Answers rays from now on: `caster` gives the distance in metres to the nearest surface. The host cuts
    /// it to the range of the batch, as the real one does, and lets the normal point back along the ray.
    pub fn set_ray_caster(self, caster: impl Fn(&Ray) -> Option<f64> + Send + Sync + 'static) {
        lock(&self.shared.world).caster = Arc::new(caster);
    }
}

impl WorldHost for Shared {
    fn link_state(&self, link: u32) -> Result<abi::host::LinkState, Status> {
        let state = lock(&self.world).links.get(&link).copied().ok_or(status::NOT_FOUND)?;
        Ok(abi::host::LinkState {
            struct_size: abi::host::LinkState::SIZE,
            reserved: 0,
            pose: state.pose.to_abi(),
            linear: state.linear,
            angular: state.angular,
        })
    }

    fn joint_state(&self, joint: u32) -> Result<abi::host::JointState, Status> {
        let state = lock(&self.world).joints.get(&joint).copied().ok_or(status::NOT_FOUND)?;
        Ok(abi::host::JointState {
            struct_size: abi::host::JointState::SIZE,
            reserved: 0,
            position: state.position,
            velocity: state.velocity,
            effort: state.effort,
        })
    }

    fn cast_rays(&self, rays: Rays<'_>, hits: &mut [RayHit]) -> Result<(), Status> {
        if rays.directions.is_empty() {
            return Ok(());
        }
        if let Err(text) = rules::check_range(rays.range) {
            self.calls.explain(text);
            return Err(status::INVALID_ARG);
        }
        let caster = Arc::clone(&lock(&self.world).caster);
        for (index, (hit, direction)) in hits.iter_mut().zip(rays.directions).enumerate() {
            let start = rays.origins.and_then(|origins| origins.get(index)).copied().unwrap_or_default();
            *hit = cast(&rays, &ray(&rays, *direction, start), &caster);
        }
        Ok(())
    }

    fn gravity(&self) -> Result<[f64; 3], Status> {
        Ok(lock(&self.world).gravity)
    }
}

fn ray(rays: &Rays<'_>, direction: [f64; 3], start: [f64; 3]) -> Ray {
    let frame = Pose::from_abi(rays.frame);
    let moved = frame.rotate(start);
    let ignore = (rays.ignore_link != abi::host::NO_LINK).then_some(LinkId(rays.ignore_link));
    Ray {
        origin: std::array::from_fn(|axis| frame.position[axis] + moved[axis]),
        direction: frame.rotate(direction),
        ignore,
    }
}

fn cast(rays: &Rays<'_>, ray: &Ray, caster: &RayCaster) -> RayHit {
    let [least, most] = rays.range;
    match caster(ray).filter(|distance| (least..=most).contains(distance)) {
        Some(distance) => RayHit { distance, normal: ray.direction.map(|value| -value), entity: 1 },
        None => RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 },
    }
}
