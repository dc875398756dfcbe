//! `<include merge="true">`: the parts of a model become parts of the including one.
//!
//! A frame `_merged__NAME__model__` replaces the model frame, as in libsdformat: it has the pose of the
//! include, and what was relative to the model is relative to it.

use super::label::hand_down;
use super::names::Names;
use super::report::Report;
use crate::budget::Budget;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Axis, Frame, FramePose, Joint, Link, Model, World};
use crate::findings::Findings;
use crate::resolve::resolve;
use crate::resolved;
use bridgehead_pose::Pose;

/// How a model calls its own frame.
const MODEL_FRAME: &str = "__model__";

/// Adds the parts of `merged` to a model.
pub(super) fn merge_into_model(
    model: &mut Model,
    merged: Model,
    names: &mut Names,
    at: Element<'_>,
    report: &mut Report,
) {
    model.entity = model.entity.take().or_else(|| merged.entity.clone());
    let Model { links, joints, frames, models, plugins, .. } = with_proxy_frame(merged, MODEL_FRAME);
    for link in links {
        names.keep(&mut model.links, link, at, report);
    }
    for joint in joints {
        names.keep(&mut model.joints, joint, at, report);
    }
    for frame in frames {
        names.keep(&mut model.frames, frame, at, report);
    }
    for nested in models {
        names.keep(&mut model.models, nested, at, report);
    }
    model.plugins.extend(plugins);
}

/// Adds the parts of `merged` to a world, which has no links of its own.
pub(super) fn merge_into_world(
    world: &mut World,
    merged: Model,
    names: &mut Names,
    at: Element<'_>,
    report: &mut Report,
) {
    if let Some(link) = merged.links.first() {
        let found =
            format!("model `{}` with the link `{}` is to be merged into a world", merged.name, link.name);
        report.error(Code::MergeNotSupported, at, found, "a model of models, frames and joints alone");
        names.keep(&mut world.models, merged, at, report);
        return;
    }
    let Model { joints, frames, models, plugins, .. } = with_proxy_frame(merged, "world");
    for joint in joints {
        names.keep(&mut world.joints, joint, at, report);
    }
    for frame in frames {
        names.keep(&mut world.frames, frame, at, report);
    }
    for model in models {
        names.keep(&mut world.models, model, at, report);
    }
    world.plugins.extend(plugins);
}

/// The parts of a model, with a frame in place of its own; `outer` is the frame of the including model or
/// world.
fn with_proxy_frame(mut model: Model, outer: &str) -> Model {
    hand_down(&mut model);
    let proxy = Frame {
        name: format!("_merged__{}__model__", model.name),
        attached_to: carrier(&model),
        pose: FramePose {
            pose: model.pose.pose.compose(&placement(&model).inverse()),
            relative_to: Some(model.pose.relative_to.clone().unwrap_or_else(|| outer.to_owned())),
        },
        origin: model.origin.clone(),
    };
    model.links.iter_mut().for_each(|link| in_link(link, &proxy.name));
    model.joints.iter_mut().for_each(|joint| in_joint(joint, &proxy.name));
    for frame in &mut model.frames {
        // By default it is attached to the model, and relative to what it is attached to.
        frame.attached_to = Some(named(frame.attached_to.take(), &proxy.name));
        explicit(&mut frame.pose, &proxy.name);
    }
    for nested in &mut model.models {
        nested.pose.relative_to = Some(named(nested.pose.relative_to.take(), &proxy.name));
    }
    model.frames.insert(0, proxy);
    model
}

/// The frame that the model frame is attached to.
fn carrier(model: &Model) -> Option<String> {
    let first = || model.links.first().map(|link| link.name.clone());
    let nested = || model.models.first().map(|nested| nested.name.clone());
    model.canonical_link.clone().or_else(first).or_else(nested)
}

/// The pose of the placement frame in the model.
fn placement(model: &Model) -> Pose {
    if model.placement_frame.is_none() {
        return Pose::IDENTITY;
    }
    let alone = Model { pose: FramePose::default(), ..model.clone() };
    // Unresolved references are reported later, when the parts are resolved in their new scope.
    let mut ignored = Findings::new(&Budget::default());
    let world = resolve(&World { models: vec![alone], ..World::default() }, &mut ignored);
    world.models.first().map(resolved::Model::placement).unwrap_or_default()
}

/// A reference, with the frame of the model replaced, which is also the default.
fn named(reference: Option<String>, proxy: &str) -> String {
    reference.filter(|name| name != MODEL_FRAME).unwrap_or_else(|| proxy.to_owned())
}

/// A pose whose default is not the model.
fn explicit(pose: &mut FramePose, proxy: &str) {
    if pose.relative_to.as_deref() == Some(MODEL_FRAME) {
        pose.relative_to = Some(proxy.to_owned());
    }
}

fn in_link(link: &mut Link, proxy: &str) {
    link.pose.relative_to = Some(named(link.pose.relative_to.take(), proxy));
    link.collisions.iter_mut().for_each(|collision| explicit(&mut collision.pose, proxy));
    link.visuals.iter_mut().for_each(|visual| explicit(&mut visual.pose, proxy));
    link.sensors.iter_mut().for_each(|sensor| explicit(&mut sensor.pose, proxy));
    link.lights.iter_mut().for_each(|light| explicit(&mut light.pose, proxy));
}

fn in_joint(joint: &mut Joint, proxy: &str) {
    for side in [&mut joint.parent, &mut joint.child].into_iter().filter(|side| *side == MODEL_FRAME) {
        proxy.clone_into(side);
    }
    explicit(&mut joint.pose, proxy);
    for Axis { expressed_in, .. } in [&mut joint.axis, &mut joint.axis2].into_iter().flatten() {
        if expressed_in.as_deref() == Some(MODEL_FRAME) {
            *expressed_in = Some(proxy.to_owned());
        }
    }
    joint.sensors.iter_mut().for_each(|sensor| explicit(&mut sensor.pose, proxy));
}
