//! Models and the frames in them.

use super::children::check_children;
use super::context::Context;
use super::entity::entity;
use super::include::include_model;
use super::joint::joint;
use super::label::label;
use super::link::link;
use super::merge::merge_into_model;
use super::names::{Names, name};
use super::plugin::plugins;
use super::report::Report;
use super::unflatten::unflatten;
use super::value::{flag, flag_attribute, pose};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Frame, Model};
use crate::version::Version;

/// A `<model>`, with everything nested in it.
pub(super) fn model(element: Element<'_>, context: &mut Context<'_>) -> Model {
    check_children(element, &mut context.report);
    let first_finding = context.report.len();
    let frame_named =
        |name: &str| element.attribute(name).filter(|frame| !frame.is_empty()).map(str::to_owned);
    let report = &mut context.report;
    let mut model = Model {
        name: name(element, report),
        is_static: flag(element, "static", report).unwrap_or(false),
        self_collide: flag(element, "self_collide", report).unwrap_or(false),
        allow_auto_disable: flag(element, "allow_auto_disable", report).unwrap_or(true),
        enable_wind: flag(element, "enable_wind", report).unwrap_or(false),
        entity: entity(element, report),
        label: label(element, report),
        pose: pose(element, report),
        placement_frame: frame_named("placement_frame"),
        canonical_link: frame_named("canonical_link"),
        plugins: plugins(element, report),
        origin: element.origin(),
        ..Model::default()
    };
    context.in_model(element, |context| model_children(element, &mut model, context));
    if !Version::of(element).reserves_double_colon() && !context.report.is_stopped() {
        unflatten(&mut model);
    }
    check_has_link(element, &model, &mut context.report);
    if model.is_static {
        context.report.excuse_inertia(first_finding);
    }
    model
}

/// Links, joints, frames and models share one set of names.
fn model_children(element: Element<'_>, outer: &mut Model, context: &mut Context<'_>) {
    let mut names = Names::default();
    for child in element.children() {
        if context.report.is_stopped() {
            return;
        }
        match child.name() {
            "link" => {
                let link = link(child, context.lookup, &mut context.report);
                names.keep(&mut outer.links, link, child, &mut context.report);
            }
            "joint" => {
                let joint = joint(child, &mut context.report);
                names.keep(&mut outer.joints, joint, child, &mut context.report);
            }
            "frame" => {
                let frame = frame(child, &mut context.report);
                names.keep(&mut outer.frames, frame, child, &mut context.report);
            }
            "model" => {
                let nested = model(child, context);
                names.keep(&mut outer.models, nested, child, &mut context.report);
            }
            "include" => include_in_model(child, &mut names, outer, context),
            // The others are read by name or have been reported.
            _ => {}
        }
    }
}

fn include_in_model(child: Element<'_>, names: &mut Names, outer: &mut Model, context: &mut Context<'_>) {
    let included = include_model(child, context);
    let is_merged = flag_attribute(child, "merge", &mut context.report);
    match included {
        Some(model) if is_merged => merge_into_model(outer, model, names, child, &mut context.report),
        Some(model) => names.keep(&mut outer.models, model, child, &mut context.report),
        None => {}
    }
}

/// A `<frame>`.
pub(super) fn frame(element: Element<'_>, report: &mut Report) -> Frame {
    check_children(element, report);
    let attached_to = element.attribute("attached_to").filter(|frame| !frame.is_empty());
    Frame {
        name: name(element, report),
        attached_to: attached_to.map(str::to_owned),
        pose: pose(element, report),
        origin: element.origin(),
    }
}

fn check_has_link(element: Element<'_>, model: &Model, report: &mut Report) {
    if !model.is_static && model.links.is_empty() && model.models.is_empty() {
        let found = format!("model `{}` without a link", model.name);
        report.error(Code::ModelWithoutLink, element, found, "at least one `<link>` or nested model");
    }
}
