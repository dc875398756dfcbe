//! Restores nested models. Before SDF 1.8 they were flattened: a link `arm::hand` of the model represented
//! the link `hand` of a model `arm` inside it. From 1.8 on `::` separates scopes, so such names become nested
//! models again (sdformat `sdf/1.8/1_7.convert`, operation `unflatten`).
//!
//! A frame `arm::__model__` gives the pose of the nested model and the link it is attached to.

use crate::element::{Axis, Frame, FramePose, Joint, Link, Model};
use std::collections::HashMap;

/// The frame that represents the own frame of a flattened model.
const MODEL_FRAME: &str = "__model__";

/// Puts flattened parts back into nested models, at any depth.
pub(super) fn unflatten(model: &mut Model) {
    let mut nested = Nested::default();
    let Model { is_static, self_collide, allow_auto_disable, ref origin, .. } = *model;
    let origin = origin.clone();
    let outer = Model { is_static, self_collide, allow_auto_disable, origin, ..Model::default() };
    nested.take(&outer, &mut model.links, |link| &mut link.name, |model| &mut model.links);
    nested.take(&outer, &mut model.joints, |joint| &mut joint.name, |model| &mut model.joints);
    nested.take(&outer, &mut model.frames, |frame| &mut frame.name, |model| &mut model.frames);
    nested.take(&outer, &mut model.models, |inner| &mut inner.name, |model| &mut model.models);
    for mut inner in nested.models {
        make_relative(&mut inner);
        unflatten(&mut inner);
        model.models.push(inner);
    }
}

/// The nested models, by the first scope of the names of their parts, in the order of these names: links, then joints,
/// frames and models.
#[derive(Default)]
struct Nested {
    models: Vec<Model>,
    by_scope: HashMap<String, usize>,
}

impl Nested {
    /// Moves the parts whose names have a scope out of a list into the models of these scopes, which have the flags of
    /// `outer`. The scope is removed from their names.
    fn take<T>(
        &mut self,
        outer: &Model,
        all: &mut Vec<T>,
        name: impl Fn(&mut T) -> &mut String,
        of: impl Fn(&mut Model) -> &mut Vec<T>,
    ) {
        for mut item in std::mem::take(all) {
            let split = name(&mut item).split_once("::");
            let Some((scope, own)) = split.map(|(scope, own)| (scope.to_owned(), own.to_owned())) else {
                all.push(item);
                continue;
            };
            *name(&mut item) = own;
            of(self.model(outer, scope)).push(item);
        }
    }

    fn model(&mut self, outer: &Model, scope: String) -> &mut Model {
        let next = self.models.len();
        let index = *self.by_scope.entry(scope.clone()).or_insert(next);
        if index == next {
            self.models.push(Model { name: scope, ..outer.clone() });
        }
        &mut self.models[index]
    }
}

/// Makes the references between the parts of a nested model relative to it.
fn make_relative(nested: &mut Model) {
    let prefix = format!("{}::", nested.name);
    take_model_frame(nested, &prefix);
    nested.links.iter_mut().for_each(|link| rename_in_link(link, &prefix));
    nested.joints.iter_mut().for_each(|joint| rename_in_joint(joint, &prefix));
    nested.frames.iter_mut().for_each(|frame| rename_in_frame(frame, &prefix));
    nested.models.iter_mut().for_each(|model| rename_in_pose(&mut model.pose, &prefix));
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
