//! Resolves frame names into poses, and attachments into links. Takes typed elements and returns
//! [`resolved`](super::resolved) data. An invalid reference is a finding, and is ignored. Pure functions,
//! usable from any thread.

mod graph;
mod joint;
mod mimic;
mod model;

use super::element;
use super::findings::Findings;
use super::resolved::{Placed, World, WorldFrame};
use graph::{Carrier, Graph};

/// Resolves a world.
pub(super) fn resolve(world: &element::World, diagnostics: &mut Findings) -> World {
    let mut graph = Graph::new(world, diagnostics.budget());
    let models = model::resolve_models(&mut graph, world);
    let frames = world.frames.iter().map(|frame| resolve_frame(&mut graph, frame)).collect();
    let lights = world.lights.iter().map(|light| Placed {
        pose: graph.place_in_world(&light.pose, &light.origin),
        element: light.clone(),
    });
    let lights = lights.collect();
    let poses = world.poses.iter().map(|named| Placed {
        pose: graph.place_in_world(&named.pose, &named.origin),
        element: named.clone(),
    });
    let poses = poses.collect();
    let placed = world.actors.iter().map(|actor| (actor, graph.place_in_world(&actor.pose, &actor.origin)));
    let placed: Vec<_> = placed.collect();
    let joints = joint::resolve_world_joints(&mut graph, world, &models);
    diagnostics.append(graph.into_diagnostics());
    let actors =
        placed.into_iter().filter_map(|(actor, pose)| model::resolve_actor(actor, pose, diagnostics));
    let actors = actors.collect();
    World {
        name: world.name.clone(),
        gravity: world.gravity,
        magnetic_field: world.magnetic_field,
        environment: world.environment,
        physics: world.physics.clone(),
        profiles: world.profiles.clone(),
        scene: world.scene.clone(),
        models,
        joints,
        frames,
        actors,
        lights,
        poses,
        plugins: world.plugins.clone(),
        origin: world.origin.clone(),
    }
}

fn resolve_frame(graph: &mut Graph<'_>, frame: &element::Frame) -> WorldFrame {
    let carrier = graph.lookup(Graph::WORLD, &frame.name).and_then(|target| graph.carrier(target));
    let link = match carrier {
        Some(Carrier::Link(link)) => Some((link.model, link.link)),
        Some(Carrier::World) | None => None,
    };
    WorldFrame { pose: graph.pose_of(Graph::WORLD, &frame.name), link, element: frame.clone() }
}

#[cfg(test)]
mod tests;
