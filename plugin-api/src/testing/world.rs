//! `bridgehead.world/1` of a test: link and joint states that the test sets, and rays it answers.

use std::collections::BTreeMap;
use std::sync::Arc;

use bridgehead_abi as abi;
use bridgehead_abi::host::RayHit;
use bridgehead_abi::{Host, Status, status};

use super::calls::Class;
use super::host::{Shared, TestHost, lock};
use super::setup::Setup;
use crate::host::{JointState, LinkId, LinkState, Pose};
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

pub(super) static TABLE: abi::host::HostWorld = abi::host::HostWorld {
    struct_size: abi::host::HostWorld::SIZE,
    reserved: 0,
    link_state,
    joint_state,
    cast_rays,
    gravity,
};

unsafe extern "C" fn link_state(host: *const Host, link: u32, out: *mut abi::host::LinkState) -> Status {
    // SAFETY: plugins pass back the pointer they were given.
    let shared = unsafe { Shared::of(host) };
    if let Err(code) = shared.calls.require("world.link_state", Class::Sim) {
        return code;
    }
    let Some(state) = lock(&shared.world).links.get(&link).copied() else {
        return status::NOT_FOUND;
    };
    let raw = abi::host::LinkState {
        struct_size: abi::host::LinkState::SIZE,
        reserved: 0,
        pose: state.pose.to_abi(),
        linear: state.linear,
        angular: state.angular,
    };
    // SAFETY: `out` is writable.
    unsafe { out.write(raw) };
    status::OK
}

unsafe extern "C" fn joint_state(host: *const Host, joint: u32, out: *mut abi::host::JointState) -> Status {
    // SAFETY: plugins pass back the pointer they were given.
    let shared = unsafe { Shared::of(host) };
    if let Err(code) = shared.calls.require("world.joint_state", Class::Sim) {
        return code;
    }
    let Some(state) = lock(&shared.world).joints.get(&joint).copied() else {
        return status::NOT_FOUND;
    };
    let raw = abi::host::JointState {
        struct_size: abi::host::JointState::SIZE,
        reserved: 0,
        position: state.position,
        velocity: state.velocity,
        effort: state.effort,
    };
    // SAFETY: `out` is writable.
    unsafe { out.write(raw) };
    status::OK
}

unsafe extern "C" fn cast_rays(
    host: *const Host,
    batch: *const abi::host::RayBatch,
    hits: *mut RayHit,
) -> Status {
    // SAFETY: plugins pass back the pointer they were given; the batch lives for the call.
    let (shared, batch) = unsafe { (Shared::of(host), &*batch) };
    if let Err(code) = shared.calls.require("world.cast_rays", Class::Sim) {
        return code;
    }
    if !rules::is_castable(batch, hits) {
        return status::INVALID_ARG;
    }
    let caster = Arc::clone(&lock(&shared.world).caster);
    for index in 0..batch.count {
        // SAFETY: directions, origins (where there are any) and hits hold `count` entries.
        unsafe { hits.add(index).write(hit(batch, &ray(batch, index), &caster)) };
    }
    status::OK
}

/// # Safety
/// `index` must be below the batch's count.
unsafe fn ray(batch: &abi::host::RayBatch, index: usize) -> Ray {
    let frame = Pose::from_abi(batch.frame);
    // SAFETY: the caller vouches for the index; origins may be null.
    let (direction, start) = unsafe {
        let start = if batch.origins.is_null() { [0.0; 3] } else { *batch.origins.add(index) };
        (*batch.directions.add(index), start)
    };
    let moved = frame.rotate(start);
    let ignore = (batch.ignore_link != abi::host::NO_LINK).then_some(LinkId(batch.ignore_link));
    Ray {
        origin: std::array::from_fn(|axis| frame.position[axis] + moved[axis]),
        direction: frame.rotate(direction),
        ignore,
    }
}

fn hit(batch: &abi::host::RayBatch, ray: &Ray, caster: &RayCaster) -> RayHit {
    let in_range = |distance: &f64| (batch.range_min..=batch.range_max).contains(distance);
    match caster(ray).filter(in_range) {
        Some(distance) => RayHit { distance, normal: ray.direction.map(|value| -value), entity: 1 },
        None => RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 },
    }
}

unsafe extern "C" fn gravity(host: *const Host, out: *mut [f64; 3]) -> Status {
    // SAFETY: plugins pass back the pointer they were given; `out` is writable.
    unsafe { out.write(lock(&Shared::of(host).world).gravity) };
    status::OK
}
