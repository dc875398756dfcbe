//! Restores nested models. Before SDF 1.8 they were flattened: a link `arm::hand` of the model represented
//! the link `hand` of a model `arm` inside it. From 1.8 on `::` separates scopes, so such names become nested
//! models again (sdformat `sdf/1.8/1_7.convert`, operation `unflatten`).
//!
//! A frame `arm::__model__` gives the pose of the nested model and the link it is attached to.

use crate::element::{Axis, Frame, FramePose, Joint, Link, Model};

/// The frame that represents the own frame of a flattened model.
const MODEL_FRAME: &str = "__model__";

/// Puts flattened parts back into nested models, at any depth.
pub(super) fn unflatten(model: &mut Model) {
    for name in scopes(model) {
        let mut nested = take_scope(model, &name);
        unflatten(&mut nested);
        model.models.push(nested);
    }
}

/// The first scopes of all names that have one, in document order of links, then joints, frames and models.
fn scopes(model: &Model) -> Vec<String> {
    let links = model.links.iter().map(|link| &link.name);
    let joints = model.joints.iter().map(|joint| &joint.name);
    let frames = model.frames.iter().map(|frame| &frame.name);
    let models = model.models.iter().map(|model| &model.name);
    let mut scopes: Vec<String> = Vec::new();
    for name in links.chain(joints).chain(frames).chain(models) {
        if let Some((scope, _)) = name.split_once("::")
            && !scopes.iter().any(|known| known == scope)
        {
            scopes.push(scope.to_owned());
        }
    }
    scopes
}

/// Moves everything of one scope out of a model into a model of that name.
fn take_scope(model: &mut Model, name: &str) -> Model {
    let prefix = format!("{name}::");
    let mut nested = Model {
        name: name.to_owned(),
        is_static: model.is_static,
        self_collide: model.self_collide,
        allow_auto_disable: model.allow_auto_disable,
        links: take(&mut model.links, |link| &mut link.name, &prefix),
        joints: take(&mut model.joints, |joint| &mut joint.name, &prefix),
        frames: take(&mut model.frames, |frame| &mut frame.name, &prefix),
        models: take(&mut model.models, |model| &mut model.name, &prefix),
        origin: model.origin.clone(),
        ..Model::default()
    };
    take_model_frame(&mut nested, &prefix);
    nested.links.iter_mut().for_each(|link| rename_in_link(link, &prefix));
    nested.joints.iter_mut().for_each(|joint| rename_in_joint(joint, &prefix));
    nested.frames.iter_mut().for_each(|frame| rename_in_frame(frame, &prefix));
    nested.models.iter_mut().for_each(|model| rename_in_pose(&mut model.pose, &prefix));
    nested
}

/// Removes the items whose names begin with the prefix, and removes the prefix from their names.
fn take<T>(all: &mut Vec<T>, name: impl Fn(&mut T) -> &mut String, prefix: &str) -> Vec<T> {
    let mut taken = Vec::new();
    for mut item in std::mem::take(all) {
        match name(&mut item).strip_prefix(prefix).map(str::to_owned) {
            Some(own) => {
                *name(&mut item) = own;
                taken.push(item);
            }
            None => all.push(item),
        }
    }
    taken
}

/// The model's own frame tells pose and canonical link; it is a frame no longer.
fn take_model_frame(nested: &mut Model, prefix: &str) {
    let Some(at) = nested.frames.iter().position(|frame| frame.name == MODEL_FRAME) else { return };
    let frame = nested.frames.remove(at);
    nested.pose = frame.pose;
    nested.canonical_link = frame.attached_to.map(|link| without(&link, prefix));
}

fn rename_in_link(link: &mut Link, prefix: &str) {
    rename_in_pose(&mut link.pose, prefix);
    link.collisions.iter_mut().for_each(|collision| rename_in_pose(&mut collision.pose, prefix));
    link.visuals.iter_mut().for_each(|visual| rename_in_pose(&mut visual.pose, prefix));
    link.sensors.iter_mut().for_each(|sensor| rename_in_pose(&mut sensor.pose, prefix));
    link.lights.iter_mut().for_each(|light| rename_in_pose(&mut light.pose, prefix));
}

fn rename_in_joint(joint: &mut Joint, prefix: &str) {
    rename_in_pose(&mut joint.pose, prefix);
    joint.parent = without(&joint.parent, prefix);
    joint.child = without(&joint.child, prefix);
    for Axis { expressed_in, mimic, .. } in [&mut joint.axis, &mut joint.axis2].into_iter().flatten() {
        *expressed_in = expressed_in.take().map(|frame| without(&frame, prefix));
        if let Some(mimic) = mimic {
            mimic.joint = without(&mimic.joint, prefix);
        }
    }
    joint.sensors.iter_mut().for_each(|sensor| rename_in_pose(&mut sensor.pose, prefix));
}

fn rename_in_frame(frame: &mut Frame, prefix: &str) {
    rename_in_pose(&mut frame.pose, prefix);
    frame.attached_to = frame.attached_to.take().map(|target| without(&target, prefix));
}

fn rename_in_pose(pose: &mut FramePose, prefix: &str) {
    pose.relative_to = pose.relative_to.take().map(|frame| without(&frame, prefix));
}

/// A name without the scope.
fn without(name: &str, prefix: &str) -> String {
    name.strip_prefix(prefix).unwrap_or(name).to_owned()
}
