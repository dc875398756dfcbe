//! Converts SDF models into models of the physics crate. Plain functions.

use bridgehead_physics::{CollisionSpec, Inertial as InertialSpec, LinkSpec, ModelSpec};
use bridgehead_sdf::element::Inertial;
use bridgehead_sdf::resolved::{Link, Model};

use super::auto_inertia;
use super::solid::Solid;

mod joint;
pub(super) mod surface;

pub(super) use joint::world_joint_spec;

/// The solids of each link's collisions, in their order.
pub(super) type Solids = Vec<Vec<Option<Solid>>>;

/// Returns the physics model. Joints that physics does not support (both sides in the world, gears without a reference)
/// are omitted, and their indices are `None`.
pub(super) fn model_spec(model: &Model, solids: &Solids) -> (ModelSpec, Vec<Option<usize>>) {
    let mut spec = ModelSpec {
        name: model.name.clone(),
        is_static: model.is_static,
        never_sleeps: !model.allow_auto_disable,
        ..ModelSpec::default()
    };
    spec.links =
        model.links.iter().zip(solids).map(|(link, solids)| link_spec(model, link, solids)).collect();
    let (joints, indices) = joint::joint_specs(model);
    spec.joints = joints;
    (spec, indices)
}

fn link_spec(model: &Model, link: &Link, solids: &[Option<Solid>]) -> LinkSpec {
    LinkSpec {
        inertial: link_inertial(link, solids),
        collisions: link
            .collisions
            .iter()
            .zip(solids)
            .filter_map(|(placed, solid)| {
                Some(CollisionSpec {
                    name: placed.element.name.clone(),
                    pose: placed.pose,
                    shape: solid.as_ref()?.shape.clone(),
                    surface: surface::surface_spec(model, link, placed),
                })
            })
            .collect(),
        gravity: link.gravity,
        kinematic: link.kinematic,
        self_collide: link.self_collide,
        linear_decay: link.velocity_decay.linear,
        angular_decay: link.velocity_decay.angular,
        ..LinkSpec::new(&link.name, model.link_pose_world(link))
    }
}

/// Returns mass and inertia of a link, computed from its collisions if the file asks for that.
pub(super) fn link_inertial(link: &Link, solids: &[Option<Solid>]) -> InertialSpec {
    auto_inertia::of_link(link, solids).unwrap_or_else(|| inertial_spec(&link.inertial))
}

fn inertial_spec(inertial: &Inertial) -> InertialSpec {
    InertialSpec {
        mass: inertial.mass,
        pose: inertial.pose,
        moments: inertial.diagonal,
        products: inertial.products,
    }
}
