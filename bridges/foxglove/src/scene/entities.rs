//! The visuals of a scene as entities: those of a link are one entity.
//!
//! Links that can move have their entity in their own frame, which transforms place. Those of static models have it in the
//! frame of the world, so that viewers show them without transforms.

use std::collections::BTreeMap;

use bridgehead_plugin_api::host::Pose;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{Scene, SceneNode, SceneVisual};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;

use super::color::{opacity, rgba};
use super::messages as fox;
use super::models::Models;
use super::shapes::{self, Triangles};
use super::{WORLD, pose, pose_message, vector};

/// Entities by their ids, without a time.
pub(super) type Entities = BTreeMap<String, fox::SceneEntity>;

/// Returns the entities of a scene whose nodes have these poses.
pub(super) fn entities(scene: &Scene, poses: &[Pose], models: &Models) -> Entities {
    let mut entities = Entities::new();
    for (index, visual) in scene.visuals.iter().enumerate() {
        let Ok(node) = usize::try_from(visual.node) else { continue };
        let (Some(of), Some(at)) = (scene.nodes.get(node), poses.get(node)) else { continue };
        let base = if of.is_static { *at } else { Pose::IDENTITY };
        let place = base.compose(pose(visual.pose.as_ref()));
        let entity = entities.entry(id(of)).or_insert_with(|| empty(of));
        add(entity, visual, place, &material(scene, visual));
        if let Some(model) = models.of_visual(index) {
            entity.models.push(model.at(place));
        }
    }
    entities.retain(|_, entity| !is_empty(entity));
    entities
}

/// Returns the id of an entity, which is also the frame of its link: `car1/arm/hand`.
fn id(node: &SceneNode) -> String {
    node.name.replace("::", "/")
}

fn empty(node: &SceneNode) -> fox::SceneEntity {
    fox::SceneEntity {
        frame_id: if node.is_static { WORLD.to_owned() } else { id(node) },
        id: id(node),
        // Zero has no end. It is present, because some viewers read it without a check.
        lifetime: Some(prost_types::Duration::default()),
        frame_locked: true,
        ..fox::SceneEntity::default()
    }
}

fn is_empty(entity: &fox::SceneEntity) -> bool {
    let fox::SceneEntity { cubes, spheres, cylinders, triangles, models, .. } = entity;
    cubes.is_empty()
        && spheres.is_empty()
        && cylinders.is_empty()
        && triangles.is_empty()
        && models.is_empty()
}

/// Returns the colour of a visual that has no texture.
fn material(scene: &Scene, visual: &SceneVisual) -> fox::Color {
    let written = usize::try_from(visual.material).ok().and_then(|index| scene.materials.get(index));
    rgba(written, opacity(visual))
}

/// Adds a shape. Meshes are models, and not added here.
fn add(entity: &mut fox::SceneEntity, visual: &SceneVisual, place: Pose, color: &fox::Color) {
    let Vector3 { x, y, z } = visual.size.unwrap_or_default();
    let (pose, size, color) = (Some(pose_message(place)), vector([x, y, z]), Some(*color));
    match visual.r#type {
        SceneVisual::BOX => entity.cubes.push(fox::CubePrimitive { pose, size, color }),
        SceneVisual::SPHERE | SceneVisual::ELLIPSOID => {
            entity.spheres.push(fox::SpherePrimitive { pose, size, color });
        }
        SceneVisual::CYLINDER | SceneVisual::CONE => {
            let top_scale = if visual.r#type == SceneVisual::CONE { 0.0 } else { 1.0 };
            let cylinder = fox::CylinderPrimitive { pose, size, bottom_scale: 1.0, top_scale, color };
            entity.cylinders.push(cylinder);
        }
        SceneVisual::CAPSULE => entity.triangles.push(triangles(pose, color, shapes::capsule(x, z))),
        SceneVisual::PLANE => entity.triangles.push(triangles(pose, color, shapes::plane(x, y))),
        _ => {}
    }
}

fn triangles(
    pose: Option<fox::Pose>,
    color: Option<fox::Color>,
    (points, indices): Triangles,
) -> fox::TriangleListPrimitive {
    fox::TriangleListPrimitive { pose, points, color, colors: Vec::new(), indices }
}
