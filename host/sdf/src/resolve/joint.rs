//! Joints: their two bodies, poses and axes.

use super::graph::{Carrier, Graph, LinkRef, ScopeId};
use super::model::{Scoped, place, placed};
use crate::diagnostic::Code;
use crate::document::Origin;
use crate::element::{self, JointKind};
use crate::resolved::{Axis, Body, Joint, Model, WorldJoint};
use bridgehead_pose::Pose;

/// Resolves the joints of one scope into its top-level model.
pub(super) fn resolve_joints(graph: &mut Graph<'_>, model: &mut Model, at: Scoped<'_>, prefix: &str) {
    for element in &at.element.joints {
        let Some((parent, child)) = sides(graph, at.scope, element) else { continue };
        let mut joint = resolve_joint(graph, at.scope, &at.pose, element);
        joint.name.insert_str(0, prefix);
        joint.parent = body(parent);
        joint.child = body(child);
        joint.pose_in_parent = joint.pose.relative_to(&body_pose(model, joint.parent));
        joint.pose_in_child = joint.pose.relative_to(&body_pose(model, joint.child));
        model.joints.push(joint);
    }
}

/// Resolves the joints that belong to the world.
pub(super) fn resolve_world_joints(
    graph: &mut Graph<'_>,
    world: &element::World,
    models: &[Model],
) -> Vec<WorldJoint> {
    let mut joints = Vec::new();
    for element in &world.joints {
        let Some((parent, child)) = sides(graph, Graph::WORLD, element) else { continue };
        let mut joint = resolve_joint(graph, Graph::WORLD, &Pose::IDENTITY, element);
        super::mimic::refuse_in_world(graph, &joint);
        joint.parent = body(parent);
        joint.child = body(child);
        joint.pose_in_parent = joint.pose.relative_to(&carrier_pose(models, parent));
        joint.pose_in_child = joint.pose.relative_to(&carrier_pose(models, child));
        joints.push(WorldJoint {
            parent_model: carrier_model(parent),
            child_model: carrier_model(child),
            joint,
        });
    }
    joints
}

/// Resolves both sides; `None` if one is unknown or they are the same, which is reported.
fn sides(graph: &mut Graph<'_>, scope: ScopeId, joint: &element::Joint) -> Option<(Carrier, Carrier)> {
    let parent = side(graph, scope, &joint.parent, &joint.origin, Code::JointParentInvalid, true);
    let child = side(graph, scope, &joint.child, &joint.origin, Code::JointChildInvalid, false);
    let (parent, child) = (parent?, child?);
    if parent == child {
        let found = format!("joint `{}` ties `{}` to `{}`, one link", joint.name, joint.parent, joint.child);
        graph.report(Code::JointParentSameAsChild, &joint.origin, found, "two links");
        return None;
    }
    Some((parent, child))
}

fn side(
    graph: &mut Graph<'_>,
    scope: ScopeId,
    name: &str,
    origin: &Origin,
    code: Code,
    may_be_world: bool,
) -> Option<Carrier> {
    if name.is_empty() {
        // The reader has reported the missing element.
        return None;
    }
    if name == "world" && may_be_world {
        return Some(Carrier::World);
    }
    let Some(target) = graph.lookup(scope, name) else {
        graph.report(code, origin, format!("a joint side `{name}`"), "a link, frame or model of this scope");
        return None;
    };
    let carrier = graph.carrier(target);
    if carrier.is_none() {
        graph.report(
            code,
            origin,
            format!("`{name}`, which is attached to no link"),
            "something that moves with a link",
        );
    }
    carrier
}

/// Resolves everything that does not depend on the two sides; `scope_pose` is the scope's frame in the frame
/// of the result.
fn resolve_joint(
    graph: &mut Graph<'_>,
    scope: ScopeId,
    scope_pose: &Pose,
    element: &element::Joint,
) -> Joint {
    let in_scope = graph.pose_of(scope, &element.name);
    let pose = scope_pose.compose(&in_scope);
    let gear_reference = gear_reference(graph, scope, element);
    let mut axis = |axis: &element::Axis| resolve_axis(graph, scope, &in_scope, &pose, axis, &element.origin);
    Joint {
        name: element.name.clone(),
        kind: element.kind.clone(),
        parent: Body::World,
        child: Body::World,
        pose,
        pose_in_parent: Pose::IDENTITY,
        pose_in_child: Pose::IDENTITY,
        axis: element.axis.as_ref().map(&mut axis),
        axis2: element.axis2.as_ref().map(&mut axis),
        gear_reference,
        sensors: placed(&element.sensors, |item| place(graph, scope, &in_scope, &item.pose, &item.origin)),
        origin: element.origin.clone(),
    }
}

/// The reference body of a gearbox; reports names that cannot be resolved.
fn gear_reference(graph: &mut Graph<'_>, scope: ScopeId, joint: &element::Joint) -> Option<Body> {
    let JointKind::Gearbox { reference_body, .. } = &joint.kind else { return None };
    if reference_body.is_empty() {
        let found = format!("gearbox `{}` without `<gearbox_reference_body>`", joint.name);
        // libsdformat accepts it; physics cannot couple the gears.
        graph.warn(Code::GearboxInvalid, &joint.origin, found, "the link that carries both gears");
        return None;
    }
    side(graph, scope, reference_body, &joint.origin, Code::GearboxInvalid, true).map(body)
}

fn resolve_axis(
    graph: &mut Graph<'_>,
    scope: ScopeId,
    joint_in_scope: &Pose,
    joint_in_model: &Pose,
    axis: &element::Axis,
    origin: &Origin,
) -> Axis {
    let direction = axis.expressed_in.as_deref().and_then(|name| {
        let Some(target) = graph.lookup(scope, name) else {
            let found = format!("an axis expressed in `{name}`");
            graph.report(
                Code::AxisFrameInvalid,
                origin,
                found,
                "a frame of the same scope; the joint's is used",
            );
            return None;
        };
        let in_scope = graph.pose_in(scope, target).rotate(axis.xyz);
        Some(joint_in_scope.inverse().rotate(in_scope))
    });
    let direction = direction.unwrap_or(axis.xyz);
    Axis {
        direction,
        direction_in_model: joint_in_model.rotate(direction),
        limit: axis.limit,
        dynamics: axis.dynamics,
        mimic: axis.mimic.clone(),
        leader: None,
    }
}

fn body(carrier: Carrier) -> Body {
    match carrier {
        Carrier::World => Body::World,
        Carrier::Link(link) => Body::Link(link.link),
    }
}

/// The pose of a side in the top-level model frame.
fn body_pose(model: &Model, body: Body) -> Pose {
    match body {
        Body::World => model.pose.inverse(),
        Body::Link(link) => model.links.get(link).map_or(Pose::IDENTITY, |link| link.pose),
    }
}

fn carrier_model(carrier: Carrier) -> Option<usize> {
    match carrier {
        Carrier::World => None,
        Carrier::Link(LinkRef { model, .. }) => Some(model),
    }
}

/// The pose of a side in the world.
fn carrier_pose(models: &[Model], carrier: Carrier) -> Pose {
    let Carrier::Link(LinkRef { model, link }) = carrier else { return Pose::IDENTITY };
    let Some(model) = models.get(model) else { return Pose::IDENTITY };
    model.links.get(link).map_or(model.pose, |link| model.link_pose_world(link))
}
