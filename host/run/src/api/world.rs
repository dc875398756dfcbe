//! `bridgehead.world/1`: the world as plugins look at it.

use bridgehead_abi::host::{JointState, LinkState, NO_LINK, RayHit};
use bridgehead_abi::{Status, status};
use bridgehead_physics::rays::Hit;
use bridgehead_plugin_api::hosting::{Rays, Vector, WorldHost};
use bridgehead_plugin_api::rules;
use bridgehead_sdf::pose::{DQuat, DVec3, Pose};

use super::context::Context;
use super::model::raw_pose;
use super::scope::{look, within};
use crate::world::RayQuery;

impl WorldHost for Context {
    fn link_state(&self, link: u32) -> Result<LinkState, Status> {
        look(|world| {
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

    fn joint_state(&self, joint: u32) -> Result<JointState, Status> {
        look(|world| {
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

    fn cast_rays(&self, rays: Rays<'_>, hits: &mut [RayHit]) -> Result<(), Status> {
        if rays.directions.is_empty() {
            return Ok(());
        }
        if let Err(text) = rules::check_range(rays.range) {
            self.explain(text);
            return Err(status::INVALID_ARG);
        }
        let query = RayQuery {
            frame: Pose {
                position: DVec3::from_array(rays.frame.position),
                rotation: DQuat::from_array(rays.frame.orientation),
            },
            directions: rays.directions,
            origins: rays.origins,
            range: rays.range,
            ignore: (rays.ignore_link != NO_LINK).then_some(rays.ignore_link),
        };
        let mut take = |index: usize, hit: &Hit| {
            hits[index] =
                RayHit { distance: hit.distance, normal: hit.normal.to_array(), entity: hit.object };
        };
        within(|world| match self.sees_visuals {
            true => world.cast_rays_at_visuals(&query, &mut take),
            false => world.cast_rays(&query, &mut take),
        })
    }

    fn gravity(&self) -> Result<Vector, Status> {
        Ok(self.attachment.surroundings.gravity.to_array())
    }
}
