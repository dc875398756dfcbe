//! Models, nested as in their files, with their links and joints.

use super::Printer;
use crate::element::{Inertial, JointKind};
use crate::resolved::{Axis, Body, Joint, Link, Model, Submodel};
use bridgehead_pose::Pose;

/// What this file prints of a model; everything else is copied.
const OF_MODEL: &[&str] =
    &["pose", "static", "link", "joint", "frame", "model", "include", "plugin", "gripper"];
const OF_LINK: &[&str] = &["pose", "inertial", "collision", "visual", "sensor", "light"];
const OF_JOINT: &[&str] = &["pose", "parent", "child", "axis", "axis2", "sensor"];
const OF_AXIS: &[&str] = &["xyz", "limit", "dynamics", "use_parent_model_frame"];

impl Printer<'_> {
    pub(super) fn model(&mut self, model: &Model) {
        let canonical = model.canonical_link.and_then(|link| model.links.get(link));
        let canonical = canonical.map(|link| link.name.clone()).unwrap_or_default();
        self.text.open("model", &attributes(&model.name, &canonical));
        self.pose(&model.pose, None);
        if model.is_static {
            self.text.leaf("static", &[], "true");
        }
        self.rest(&model.origin, OF_MODEL);
        self.scope(model, "", &Pose::IDENTITY);
        model.plugins.iter().for_each(|plugin| self.plugin(&plugin.origin));
        self.text.close("model");
    }

    fn submodel(&mut self, model: &Model, nested: &Submodel, holder: &Pose) {
        let prefix = format!("{}::", nested.name);
        let canonical = nested.canonical_link.and_then(|link| model.links.get(link));
        let canonical = canonical.and_then(|link| link.name.strip_prefix(&prefix)).unwrap_or_default();
        self.text.open("model", &attributes(local(&nested.name), canonical));
        self.pose(&holder.inverse().compose(&nested.pose), None);
        if nested.is_static {
            self.text.leaf("static", &[], "true");
        }
        self.rest(&nested.origin, OF_MODEL);
        self.scope(model, &prefix, &nested.pose);
        nested.plugins.iter().for_each(|plugin| self.plugin(&plugin.origin));
        self.text.close("model");
    }

    /// Prints what is in a scope, whose frame is at `frame` in the top-level model. `prefix` ends in `::`, or is empty.
    fn scope(&mut self, model: &Model, prefix: &str, frame: &Pose) {
        let is_own = |name: &str| name.strip_prefix(prefix).is_some_and(|inside| !inside.contains("::"));
        let inside = |pose: &Pose| frame.inverse().compose(pose);
        for link in model.links.iter().filter(|link| is_own(&link.name)) {
            self.link(link, &inside(&link.pose));
        }
        for found in model.frames.iter().filter(|found| is_own(&found.name)) {
            let carrier = found.link.and_then(|link| model.links.get(link));
            let carrier = carrier.and_then(|link| link.name.strip_prefix(prefix));
            let mut attributes = vec![("name", local(&found.name))];
            attributes.extend(carrier.map(|link| ("attached_to", link)));
            self.text.open("frame", &attributes);
            self.pose(&inside(&found.pose), Some("__model__"));
            self.text.close("frame");
        }
        for nested in model.submodels.iter().filter(|nested| is_own(&nested.name)) {
            self.submodel(model, nested, frame);
        }
        for joint in model.joints.iter().filter(|joint| is_own(&joint.name)) {
            let sides = [joint.parent, joint.child].map(|side| match side {
                Body::World => "world".to_owned(),
                Body::Link(link) => {
                    let name = model.links.get(link).map_or("", |link| link.name.as_str());
                    name.strip_prefix(prefix).unwrap_or(name).to_owned()
                }
            });
            self.joint(joint, local(&joint.name), &sides);
        }
    }

    fn link(&mut self, link: &Link, pose: &Pose) {
        self.text.open("link", &[("name", local(&link.name))]);
        self.pose(pose, None);
        self.inertial(link);
        self.rest(&link.origin, OF_LINK);
        self.placed_all(&link.collisions, |collision| (&collision.origin, &collision.name));
        self.placed_all(&link.visuals, |visual| (&visual.origin, &visual.name));
        self.sensors(&link.sensors);
        self.placed_all(&link.lights, |light| (&light.origin, &light.name));
        self.text.close("link");
    }

    fn inertial(&mut self, link: &Link) {
        let Inertial { mass, pose, diagonal, products, auto, .. } = &link.inertial;
        if *auto {
            // Computed from the shapes, so that it has no numbers here.
            let element = link.origin.element().and_then(|element| element.child("inertial"));
            element.into_iter().for_each(|element| self.copy(element));
            return;
        }
        self.text.open("inertial", &[]);
        self.pose(pose, None);
        self.number("mass", *mass);
        self.text.open("inertia", &[]);
        let names = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
        let values = [diagonal.to_array(), products.to_array()].concat();
        names.iter().zip(values).for_each(|(name, value)| self.number(name, value));
        self.text.close("inertia");
        self.text.close("inertial");
    }

    /// Prints a joint between these sides; its pose is in its child.
    pub(super) fn joint(&mut self, joint: &Joint, name: &str, [parent, child]: &[String; 2]) {
        self.text.open("joint", &[("name", name), ("type", joint.kind.as_str())]);
        self.text.leaf("parent", &[], parent);
        self.text.leaf("child", &[], child);
        self.pose(&joint.pose_in_child, None);
        let gearbox = matches!(joint.kind, JointKind::Gearbox { .. });
        self.rest(&joint.origin, OF_JOINT);
        let second = joint.kind.axis_count() > 1 || gearbox;
        for (name, axis) in [("axis", &joint.axis), ("axis2", &joint.axis2)] {
            if let Some(axis) = axis.as_ref().filter(|_| name == "axis" || second) {
                self.axis(joint, name, axis);
            }
        }
        self.sensors(&joint.sensors);
        self.text.close("joint");
    }

    fn axis(&mut self, joint: &Joint, name: &str, axis: &Axis) {
        self.text.open(name, &[]);
        self.vector("xyz", axis.direction);
        let limit = &axis.limit;
        self.text.open("limit", &[]);
        let limits = [limit.lower, limit.upper, limit.effort, limit.velocity];
        for (name, value) in ["lower", "upper", "effort", "velocity"].iter().zip(limits) {
            if value.is_finite() {
                self.number(name, value);
            }
        }
        if let Some(stop) = limit.stop {
            self.number("stiffness", stop.stiffness);
            self.number("dissipation", stop.dissipation);
        }
        self.text.close("limit");
        let dynamics = &axis.dynamics;
        self.text.open("dynamics", &[]);
        self.number("damping", dynamics.damping);
        self.number("friction", dynamics.friction);
        self.number("spring_reference", dynamics.spring_reference);
        self.number("spring_stiffness", dynamics.spring_stiffness);
        self.text.close("dynamics");
        let element = joint.origin.element().and_then(|element| element.child(name));
        for child in element.iter().flat_map(|element| element.children()) {
            if !OF_AXIS.contains(&child.name()) {
                self.copy(child);
            }
        }
        self.text.close(name);
    }
}

fn attributes<'a>(name: &'a str, canonical: &'a str) -> Vec<(&'static str, &'a str)> {
    let canonical = Some(canonical).filter(|link| !link.is_empty()).map(|link| ("canonical_link", link));
    std::iter::once(("name", name)).chain(canonical).collect()
}

fn local(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}
