//! The poses of links, for programs that show the world.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;

use super::call::{Encoded, no_world, ok};
use super::view::View;
use crate::world::World;

/// The view has the poses of models only.
pub(super) fn needs_world(_: &own::GetLinkPosesRequest) -> bool {
    true
}

/// Returns the poses of all links.
pub(super) fn poses(
    view: &View,
    world: Option<&World>,
    request: &own::GetLinkPosesRequest,
) -> Encoded<own::GetLinkPosesResponse> {
    let Some(world) = world.filter(|_| view.has_world) else {
        let result = no_world(view.simulation_state);
        return Encoded::of(&own::GetLinkPosesResponse { result, ..own::GetLinkPosesResponse::default() });
    };
    let revision = view.description.revision();
    let mut response = own::GetLinkPosesResponse {
        result: ok(),
        header: Some(view.header()),
        revision,
        ..own::GetLinkPosesResponse::default()
    };
    for (name, pose) in world.link_poses() {
        if request.known_revision != revision {
            response.links.push(name.to_owned());
        }
        response.poses.extend(pose.position.to_array().into_iter().chain(pose.rotation.to_array()));
    }
    Encoded::of(&response)
}
