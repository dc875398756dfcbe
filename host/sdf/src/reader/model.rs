//! Models and the frames in them.

use super::Reader;
use super::names::Names;
use super::unflatten::unflatten;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Frame, Model};
use crate::limits::Limit;

impl Reader<'_> {
    /// A `<model>`, with everything nested in it.
    pub(super) fn model(&mut self, element: Element<'_>) -> Model {
        self.check_children(element);
        let first_finding = self.diagnostics.len();
        let frame_named =
            |name: &str| element.attribute(name).filter(|frame| !frame.is_empty()).map(str::to_owned);
        let mut model = Model {
            name: self.name(element),
            is_static: self.flag(element, "static").unwrap_or(false),
            self_collide: self.flag(element, "self_collide").unwrap_or(false),
            allow_auto_disable: self.flag(element, "allow_auto_disable").unwrap_or(true),
            enable_wind: self.flag(element, "enable_wind").unwrap_or(false),
            entity: self.entity(element),
            label: self.label(element),
            pose: self.pose(element),
            placement_frame: frame_named("placement_frame"),
            canonical_link: frame_named("canonical_link"),
            plugins: self.plugins(element),
            origin: element.origin(),
            ..Model::default()
        };
        self.nesting += 1;
        if self.budget().check(Limit::Nesting, self.nesting, || Some(element.location())).is_ok() {
            self.model_children(element, &mut model);
        }
        self.nesting -= 1;
        if !self.version.reserves_double_colon() && !self.is_stopped() {
            unflatten(&mut model);
        }
        self.check_has_link(element, &model);
        if model.is_static {
            self.diagnostics.excuse_inertia(first_finding);
        }
        model
    }

    /// Links, joints, frames and models share one set of names.
    fn model_children(&mut self, element: Element<'_>, model: &mut Model) {
        let mut names = Names::default();
        for child in element.children() {
            if self.is_stopped() {
                return;
            }
            match child.name() {
                "link" => {
                    let link = self.link(child);
                    self.keep(&mut names, &mut model.links, link, |link| &mut link.name, "link", child);
                }
                "joint" => {
                    let joint = self.joint(child);
                    self.keep(&mut names, &mut model.joints, joint, |joint| &mut joint.name, "joint", child);
                }
                "frame" => {
                    let frame = self.frame(child);
                    self.keep(&mut names, &mut model.frames, frame, |frame| &mut frame.name, "frame", child);
                }
                "model" => {
                    let nested = self.model(child);
                    self.keep(
                        &mut names,
                        &mut model.models,
                        nested,
                        |nested| &mut nested.name,
                        "model",
                        child,
                    );
                }
                "include" => {
                    let nested = self.include_model(child);
                    if let (Some(merged), true) = (&nested, self.flag_attribute(child, "merge")) {
                        self.merge_into_model(model, merged.clone(), &mut names, child);
                    } else if let Some(nested) = nested {
                        self.keep(
                            &mut names,
                            &mut model.models,
                            nested,
                            |nested| &mut nested.name,
                            "model",
                            child,
                        );
                    }
                }
                // The others are read by name or have been reported.
                _ => {}
            }
        }
    }

    /// Adds an element to its list if its name is new in the scope.
    pub(super) fn keep<T>(
        &mut self,
        names: &mut Names,
        list: &mut Vec<T>,
        mut item: T,
        name: impl Fn(&mut T) -> &mut String,
        kind: &'static str,
        at: Element<'_>,
    ) {
        if self.claim(names, name(&mut item), kind, at) {
            list.push(item);
        }
    }

    /// A `<frame>`.
    pub(super) fn frame(&mut self, element: Element<'_>) -> Frame {
        self.check_children(element);
        let attached_to = element.attribute("attached_to").filter(|frame| !frame.is_empty());
        Frame {
            name: self.name(element),
            attached_to: attached_to.map(str::to_owned),
            pose: self.pose(element),
            origin: element.origin(),
        }
    }

    fn check_has_link(&mut self, element: Element<'_>, model: &Model) {
        if !model.is_static && model.links.is_empty() && model.models.is_empty() {
            let found = format!("model `{}` without a link", model.name);
            self.error(Code::ModelWithoutLink, element, found, "at least one `<link>` or nested model");
        }
    }
}
