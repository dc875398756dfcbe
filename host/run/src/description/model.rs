//! Models, their links and joints, as resolved from the file, with every pose as numbers. Plain values.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    JointDescription, LinkDescription, ModelDescription,
};
use bridgehead_scene::message::{pose, vector};
use bridgehead_sdf::Origin;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::resolved::{Body, Joint, Link, Model, World};

use super::element::{Elements, scope_of};
use super::frames::{PUBLISHERS_OF_LINKS, StaticFrames};
use super::shape;

/// The content of the world other than its models.
#[derive(Debug, Default)]
pub struct WorldPart {
    pub(super) name: String,
    /// Joints between models, with the indices of the models.
    joints: Vec<(JointDescription, [Option<usize>; 2])>,
    pub(super) elements: Elements,
}

impl WorldPart {
    /// Creates the part of a world with its own plugins.
    #[must_use]
    pub fn new(source: &World, elements: Elements) -> Self {
        let model = |index: Option<usize>| source.models.get(index?);
        let describe = |between: &bridgehead_sdf::resolved::WorldJoint| {
            let models = [between.parent_model, between.child_model];
            let sides = models.map(model);
            let description = joint_description(&between.joint, "", sides);
            (description, models)
        };
        let joints = source.joints.iter().map(describe).collect();
        WorldPart { name: source.name.clone(), joints, elements }
    }

    /// Returns the joints whose models are both present.
    pub(super) fn joints_of(&self, is_there: impl Fn(usize) -> bool) -> Vec<JointDescription> {
        let stands = |(_, models): &&(JointDescription, [Option<usize>; 2])| {
            models.iter().flatten().all(|model| is_there(*model))
        };
        self.joints.iter().filter(stands).map(|(joint, _)| joint.clone()).collect()
    }
}

/// A top-level model with its nested models.
#[derive(Debug, Default)]
pub struct ModelPart {
    pub(super) models: Vec<ModelDescription>,
    pub(super) links: Vec<LinkDescription>,
    pub(super) joints: Vec<JointDescription>,
    pub(super) elements: Elements,
    pub(super) frames: StaticFrames,
}

impl ModelPart {
    /// Creates the part of a model with its sensors and plugins.
    #[must_use]
    pub fn new(model: &Model, is_spawned: bool, elements: Elements) -> Self {
        ModelPart {
            models: models(model, is_spawned),
            links: model.links.iter().map(|link| link_description(model, link)).collect(),
            joints: model
                .joints
                .iter()
                .map(|joint| joint_description(joint, &model.name, [Some(model), Some(model)]))
                .collect(),
            frames: StaticFrames::of(model, elements.frames(), elements.has_any(&PUBLISHERS_OF_LINKS)),
            elements,
        }
    }
}

/// Describes the model and its nested models.
fn models(model: &Model, is_spawned: bool) -> Vec<ModelDescription> {
    let link = |index: Option<usize>| {
        let link = index.and_then(|index| model.links.get(index));
        link.map(|link| format!("{}::{}", model.name, link.name)).unwrap_or_default()
    };
    let describe = |name: String, is_static: bool, at: &Pose, origin: &Origin| ModelDescription {
        name,
        vehicle: model.name.clone(),
        namespace: model.entity.namespace.clone(),
        is_static,
        is_spawned,
        pose: Some(pose(at)),
        urdf: origin.urdf().unwrap_or_default().to_owned(),
        ..ModelDescription::default()
    };
    let own = ModelDescription {
        canonical_link: link(model.canonical_link),
        ..describe(model.name.clone(), model.is_static, &model.pose, &model.origin)
    };
    let nested = model.submodels.iter().map(|nested| ModelDescription {
        canonical_link: link(nested.canonical_link),
        ..describe(
            format!("{}::{}", model.name, nested.name),
            nested.is_static,
            &model.pose.compose(&nested.pose),
            &nested.origin,
        )
    });
    std::iter::once(own).chain(nested).collect()
}

fn link_description(model: &Model, link: &Link) -> LinkDescription {
    let name = format!("{}::{}", model.name, link.name);
    LinkDescription {
        model: scope_of(&name).to_owned(),
        frame_id: name.replace("::", "/"),
        pose: Some(pose(&model.link_pose_world(link))),
        mass: link.inertial.mass,
        center_of_mass: Some(pose(&link.inertial.pose)),
        ixx: link.inertial.diagonal.x,
        iyy: link.inertial.diagonal.y,
        izz: link.inertial.diagonal.z,
        ixy: link.inertial.products.x,
        ixz: link.inertial.products.y,
        iyz: link.inertial.products.z,
        visuals: link.visuals.iter().map(|visual| shape::of_visual(&name, visual)).collect(),
        collisions: link.collisions.iter().map(|collision| shape::of_collision(&name, collision)).collect(),
        name,
    }
}

/// Describes a joint under the name of its scope, with the models of its two sides.
fn joint_description(joint: &Joint, scope: &str, sides: [Option<&Model>; 2]) -> JointDescription {
    let name = if scope.is_empty() { joint.name.clone() } else { format!("{scope}::{}", joint.name) };
    let [parent, child] = sides;
    let axis = joint.axis.as_ref();
    let limit = axis.map(|axis| axis.limit).unwrap_or_default();
    JointDescription {
        model: scope_of(&name).to_owned(),
        name,
        r#type: joint.kind.as_str().to_owned(),
        parent: body_name(joint.parent, parent),
        child: body_name(joint.child, child),
        pose: Some(pose(&joint.pose_in_child)),
        axis: Some(vector(axis.map_or(DVec3::ZERO, |axis| axis.direction))),
        lower: limit.lower,
        upper: limit.upper,
        effort: limit.effort,
        velocity: limit.velocity,
    }
}

fn body_name(body: Body, model: Option<&Model>) -> String {
    let link = |index: usize| {
        let model = model?;
        Some(format!("{}::{}", model.name, model.links.get(index)?.name))
    };
    match body {
        Body::World => None,
        Body::Link(index) => link(index),
    }
    .unwrap_or_else(|| "world".to_owned())
}
