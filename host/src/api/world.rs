//! `bridgehead.world/1`: the world as plugins look at it.

use bridgehead_abi::host::{HostWorld, JointState, LinkState, NO_LINK, RayBatch, RayHit};
use bridgehead_abi::{Host, Status, status};
use bridgehead_physics::rays::Hit;
use bridgehead_plugin_api::rules;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::caller::{caller, check_out, check_pointer, checked, wrong_thread};
use super::model::raw_pose;
use super::scope::{self, answer};
use crate::guard::host_call;
use crate::world::RayQuery;

pub(super) static TABLE: HostWorld =
    HostWorld { struct_size: HostWorld::SIZE, reserved: 0, link_state, joint_state, cast_rays, gravity };

unsafe extern "C" fn link_state(host: *const Host, link: u32, out: *mut LinkState) -> Status {
    host_call("world.link_state", status::PANIC, || {
        let context = caller!(host, "world.link_state");
        // SAFETY: `out` is memory for a result.
        unsafe {
            checked!(check_out(&context.label, out, "world.link_state"));
            answer(&context.label, "world.link_state", out, |world| {
                let state = world.link_state(link)?;
                Some(LinkState {
                    struct_size: LinkState::SIZE,
                    reserved: 0,
                    pose: raw_pose(&state.pose),
                    linear: state.linear.to_array(),
                    angular: state.angular.to_array(),
                })
            })
        }
    })
}

unsafe extern "C" fn joint_state(host: *const Host, joint: u32, out: *mut JointState) -> Status {
    host_call("world.joint_state", status::PANIC, || {
        let context = caller!(host, "world.joint_state");
        // SAFETY: `out` is memory for a result.
        unsafe {
            checked!(check_out(&context.label, out, "world.joint_state"));
            answer(&context.label, "world.joint_state", out, |world| {
                let state = world.joint_state(joint)?;
                Some(JointState {
                    struct_size: JointState::SIZE,
                    reserved: 0,
                    position: state.position,
                    velocity: state.velocity,
                    effort: state.effort,
                })
            })
        }
    })
}

unsafe extern "C" fn cast_rays(host: *const Host, batch: *const RayBatch, hits: *mut RayHit) -> Status {
    host_call("world.cast_rays", status::PANIC, || {
        let context = caller!(host, "world.cast_rays");
        checked!(check_pointer(&context.label, batch, "batch", "world.cast_rays"));
        // SAFETY: the batch is valid for the call.
        let batch = unsafe { &*batch };
        if !rules::is_castable(batch, hits) {
            let text = format!(
                "passed a batch of {} rays to `world.cast_rays` with a null pointer, a range that is not a number, or more than {} rays",
                batch.count,
                rules::MAX_RAYS
            );
            crate::call::breach(crate::call::Rule::Size, None, &text);
            return status::INVALID_ARG;
        }
        if batch.count == 0 {
            return status::OK;
        }
        // SAFETY: directions, origins where given, and hits hold `count` entries each.
        let (directions, origins, hits) = unsafe {
            (
                std::slice::from_raw_parts(batch.directions, batch.count),
                (!batch.origins.is_null()).then(|| std::slice::from_raw_parts(batch.origins, batch.count)),
                std::slice::from_raw_parts_mut(hits, batch.count),
            )
        };
        let query = RayQuery {
            frame: Pose {
                position: DVec3::from_array(batch.frame.position),
                rotation: DQuat::from_array(batch.frame.orientation),
            },
            directions,
            origins,
            range: [batch.range_min, batch.range_max],
            ignore: (batch.ignore_link != NO_LINK).then_some(batch.ignore_link),
        };
        let mut take = |index: usize, hit: &Hit| {
            hits[index] =
                RayHit { distance: hit.distance, normal: hit.normal.to_array(), entity: hit.object };
        };
        let cast = scope::with(|world| match context.sees_visuals {
            true => world.cast_rays_at_visuals(&query, &mut take),
            false => world.cast_rays(&query, &mut take),
        });
        if cast.is_some() { status::OK } else { wrong_thread(&context.label, "world.cast_rays") }
    })
}

unsafe extern "C" fn gravity(host: *const Host, out: *mut [f64; 3]) -> Status {
    host_call("world.gravity", status::PANIC, || {
        let context = caller!(host, "world.gravity");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "world.gravity"));
        // SAFETY: `out` is writable.
        unsafe { out.write(context.attachment.surroundings.gravity.to_array()) };
        status::OK
    })
}
