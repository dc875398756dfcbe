//! A floor for a model that is alone in its file: without one, it would fall for as long as the run lasts.

use bridgehead_sdf::element::Geometry;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::{Body, Joint, Model};
use bridgehead_sdf::{Budget, Loaded, Root, parse_str};

use super::bounds::{around, of_model};
use super::populate::solids_of;
use super::solid::Meshes;

/// Name of the floor: that of Gazebo's empty world.
pub const FLOOR: &str = "ground_plane";

/// The model of the floor, with its surface at height 0.
const TEXT: &str = "<sdf version='1.11'><model name='ground_plane'><static>true</static><link name='link'>\
    <collision name='collision'><geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry></collision>\
    <visual name='visual'><geometry><plane><normal>0 0 1</normal><size>100 100</size></plane></geometry>\
    <material><ambient>0.8 0.8 0.8 1</ambient><diffuse>0.8 0.8 0.8 1</diffuse></material></visual></link></model></sdf>";

/// Puts a floor below a model that is alone in its file and would fall: at height 0, or at the lowest point of the model
/// if that is lower. Returns the height, in metres; `None` if the file needs no floor.
///
/// A world of a file is left as it is, and so is a model that is static, joined to the world, or without collisions.
/// Collisions are read within `budget`, and again when the world is built.
pub fn add_floor(loaded: &mut Loaded, budget: &Budget) -> Option<f64> {
    let Loaded { root: Root::Model(_), world, .. } = loaded else { return None };
    let model = world.models.first().filter(|model| falls(model, world.gravity))?;
    let mut floor = parse_str("floor", TEXT).ok()?.world.models.pop()?;
    // The meshes of a model that does not move are not divided into convex parts. What cannot be read is reported when the
    // model is built.
    let still = Model { is_static: true, ..model.clone() };
    let [low, high] = of_model(&still, &solids_of(&mut Meshes::default(), &still, budget, &mut Vec::new()));
    if low == high {
        return None;
    }
    let [lowest, _] = around(model.pose * Pose::from_position(low.midpoint(high)), (high - low) / 2.0);
    let height = lowest.z.min(0.0);
    floor.pose.position.z = height;
    world.models.push(floor);
    Some(height)
}

/// Whether gravity moves a model, and nothing of its own is below it.
fn falls(model: &Model, gravity: DVec3) -> bool {
    let is_held = |joint: &Joint| matches!(joint.parent, Body::World) || matches!(joint.child, Body::World);
    let mut collisions = model.links.iter().flat_map(|link| &link.collisions);
    let is_ground = |geometry: &Geometry| matches!(geometry, Geometry::Plane { .. } | Geometry::Heightmap(_));
    gravity.z < 0.0
        && !model.is_static
        && model.name != FLOOR
        && !model.joints.iter().any(is_held)
        && !collisions.any(|placed| is_ground(&placed.element.geometry))
}

#[cfg(test)]
mod tests;
