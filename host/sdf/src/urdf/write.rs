//! The robot as SDF text.
//!
//! Poses are written as in URDF: a joint is relative to its parent link, and its child is at the joint.

mod joint;
mod link;
mod ros2_control;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::number::{number, numbers};
use crate::urdf::bodies::Bodies;
use crate::urdf::names::Names;
use crate::urdf::robot::{Geometry, Origin, Robot, Rotation};
use crate::urdf::tree::Tree;
use crate::xml_text::Text;

/// Writes one model.
pub(crate) struct Writer<'w, 'd> {
    robot: &'w Robot<'d>,
    tree: &'w Tree,
    bodies: &'w Bodies,
    names: &'w Names,
    /// For each joint the one that it follows.
    leaders: Vec<Option<usize>>,
    findings: &'w mut Vec<Diagnostic>,
    out: Text,
}

impl<'w, 'd> Writer<'w, 'd> {
    pub(crate) fn new(
        robot: &'w Robot<'d>,
        tree: &'w Tree,
        bodies: &'w Bodies,
        names: &'w Names,
        findings: &'w mut Vec<Diagnostic>,
    ) -> Self {
        let leaders = joint::leaders(robot, tree);
        Self { robot, tree, bodies, names, leaders, findings, out: Text::default() }
    }

    /// The whole file.
    pub(crate) fn write(mut self) -> String {
        self.out.raw("<?xml version=\"1.0\"?>");
        self.out.open("sdf", &[("version", "1.11")]);
        let canonical = &self.names.links[self.canonical_link()];
        self.out.open("model", &[("name", &self.names.model), ("canonical_link", canonical)]);
        for (name, value) in self.robot.extension.model.iter() {
            self.out.leaf(name, value);
        }
        if let Some(origin) = self.robot.origin {
            self.pose(None, &origin);
        }
        self.links();
        self.joints();
        for element in &self.robot.extension.rest {
            self.out.raw(element.xml());
        }
        self.controls();
        self.out.close("model");
        self.out.close("sdf");
        self.out.finish()
    }

    /// The body of the root, or of the first link on the world.
    fn canonical_link(&self) -> usize {
        let body = self.tree.order.iter().copied().find(|link| !self.tree.is_world(*link));
        self.bodies.of(body.unwrap_or(self.tree.root))
    }

    fn pose(&mut self, relative_to: Option<&str>, origin: &Origin) {
        let mut attributes: Vec<(&str, &str)> =
            relative_to.map(|frame| ("relative_to", frame)).into_iter().collect();
        let xyz = numbers(&origin.xyz);
        let (format, rotation) = match origin.rotation {
            Rotation::Rpy(rpy) => (None, numbers(&rpy)),
            Rotation::Quaternion(parts) => (Some("quat_xyzw"), numbers(&parts)),
        };
        attributes.extend(format.map(|format| ("rotation_format", format)));
        self.out.leaf_with("pose", &attributes, &format!("{xyz} {rotation}"));
    }

    fn geometry(&mut self, geometry: &Geometry<'_>) {
        self.out.open("geometry", &[]);
        match geometry {
            Geometry::Box { size } => self.sized("box", &[("size", numbers(size))]),
            Geometry::Cylinder { radius, length } => {
                self.sized("cylinder", &[("radius", number(*radius)), ("length", number(*length))]);
            }
            Geometry::Capsule { radius, length } => {
                self.sized("capsule", &[("radius", number(*radius)), ("length", number(*length))]);
            }
            Geometry::Sphere { radius } => self.sized("sphere", &[("radius", number(*radius))]),
            Geometry::Mesh { uri, scale } => {
                let mut parts = vec![("uri", (*uri).to_owned())];
                parts.extend(scale.map(|scale| ("scale", numbers(&scale))));
                self.sized("mesh", &parts);
            }
        }
        self.out.close("geometry");
    }

    fn sized(&mut self, shape: &str, parts: &[(&str, String)]) {
        self.out.open(shape, &[]);
        for (name, value) in parts {
            self.out.leaf(name, value);
        }
        self.out.close(shape);
    }

    fn find(&mut self, severity: Severity, code: Code, at: Element<'_>, found: String, expected: String) {
        self.findings.push(Diagnostic::new(severity, code, Some(at.location()), found).expected(expected));
    }
}
