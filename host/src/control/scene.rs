//! What the world looks like, for programs that draw it.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces as own;
use bridgehead_plugin_api::messages::prost::Message as _;

use super::call::{Reply, ok};
use super::session::Session;

/// Returns the scene, unless the client has it. The thread of the scene answers, because it reads files.
pub(super) fn scene(
    session: &mut Session<'_>,
    request: &own::GetSceneRequest,
    reply: Reply<own::GetSceneResponse>,
) {
    let scene = &session.simulation.shared().scene;
    let revision = scene.revision();
    if request.known_revision == revision && revision > 0 {
        return reply.send(own::GetSceneResponse { result: ok(), revision, scene: None });
    }
    // If the thread cannot be started, the reply is dropped, which ends the call.
    scene.read(move |payload| {
        let scene = own::Scene::decode(&*payload).ok();
        let revision = scene.as_ref().map_or(revision, |scene| scene.revision);
        reply.send(own::GetSceneResponse { result: ok(), revision, scene });
    });
}
