//! Reads the elements of a URDF file into a [`Robot`], with a finding for every deviation from the standard.

mod controllers;
mod gazebo;
mod geometry;
mod inertial;
mod joint;
mod known;
mod ros2_control;
mod value;

use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::{Document, Element};
use crate::files::Files;
use crate::source::Location;
use crate::urdf::refusal::{Refusal, refuse};
use crate::urdf::robot::{Link, LinkExtension, Material, Robot};
use crate::xacro;
use known::LeftOut;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Reads one file.
pub(crate) struct Reader<'d> {
    pub(crate) findings: Vec<Diagnostic>,
    /// What was left out, once for each kind.
    left_out: Vec<LeftOut>,
    /// Materials that the robot defines for all its visuals.
    materials: BTreeMap<&'d str, Material<'d>>,
    /// Major and minor of the `version` attribute; 1.0 without one.
    version: (u32, u32),
}

impl<'d> Reader<'d> {
    /// Reads the whole file.
    pub(crate) fn read(
        document: &'d Arc<Document>,
        files: &dyn Files,
        budget: &Budget,
    ) -> Result<(Robot<'d>, Vec<Diagnostic>), Refusal> {
        let root = document.root();
        xacro::refuse_urdf(document)?;
        let version = version_of(root);
        let mut reader =
            Self { findings: Vec::new(), left_out: Vec::new(), materials: BTreeMap::new(), version };
        let mut robot = reader.robot(root)?;
        reader.controllers(&mut robot, files, budget)?;
        let left_out = std::mem::take(&mut reader.left_out);
        reader.findings.extend(left_out.into_iter().map(LeftOut::into_finding));
        Ok((robot, reader.findings))
    }

    fn robot(&mut self, root: Element<'d>) -> Result<Robot<'d>, Refusal> {
        self.check_known(root);
        self.read_materials(root);
        let mut links = Vec::new();
        for element in root.children_named("link") {
            links.push(self.link(element)?);
        }
        let mut joints = Vec::new();
        for element in root.children_named("joint") {
            joints.push(self.joint(element)?);
        }
        let origin = root.child("origin").map(|origin| self.origin_of(origin));
        let mut robot = Robot {
            name: self.robot_name(root),
            origin,
            links,
            joints,
            extension: Default::default(),
            controls: Vec::new(),
            controllers: None,
            at: root,
        };
        self.extensions(root, &mut robot);
        robot.controls = self.controls(root, &robot);
        Ok(robot)
    }

    fn robot_name(&mut self, root: Element<'d>) -> String {
        match root.attribute("name").filter(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None => {
                self.warning(
                    Code::AttributeMissing,
                    root,
                    "`<robot>` without `name`",
                    "name=\"…\"; `robot` is used",
                );
                "robot".to_owned()
            }
        }
    }

    fn link(&mut self, element: Element<'d>) -> Result<Link<'d>, Refusal> {
        self.check_known(element);
        Ok(Link {
            name: required_name(element)?,
            at: element,
            inertial: self.inertial(element),
            visuals: self.visuals(element),
            collisions: self.collisions(element),
            extension: LinkExtension::default(),
        })
    }

    /// The one child with a name; reports further ones.
    fn single(&mut self, parent: Element<'d>, name: &'d str) -> Option<Element<'d>> {
        let mut all = parent.children_named(name);
        let first = all.next();
        if let Some(second) = all.next() {
            self.warning(
                Code::ElementRepeated,
                second,
                format!("a second `<{name}>`"),
                "one; the first counts",
            );
        }
        first
    }

    fn push(&mut self, severity: Severity, code: Code, location: Location, found: String, expected: &str) {
        self.findings.push(Diagnostic::new(severity, code, Some(location), found).expected(expected));
    }

    fn error(&mut self, code: Code, at: Element<'_>, found: impl Into<String>, expected: &str) {
        self.push(Severity::Error, code, at.location(), found.into(), expected);
    }

    fn warning(&mut self, code: Code, at: Element<'_>, found: impl Into<String>, expected: &str) {
        self.push(Severity::Warning, code, at.location(), found.into(), expected);
    }

    fn note(&mut self, code: Code, at: Element<'_>, found: impl Into<String>, expected: &str) {
        self.push(Severity::Note, code, at.location(), found.into(), expected);
    }
}

fn required_name(element: Element<'_>) -> Result<String, Refusal> {
    element.attribute("name").filter(|name| !name.is_empty()).map(str::to_owned).ok_or_else(|| {
        let found = format!("`<{}>` without a name", element.name());
        refuse(Code::AttributeMissing, element.location(), found, "name=\"…\"")
    })
}

/// `version="1.1"`; 1.0 if it is missing or invalid, as in urdfdom.
fn version_of(root: Element<'_>) -> (u32, u32) {
    let numbers = root.attribute("version").and_then(|version| version.trim().split_once('.'));
    numbers.and_then(|(major, minor)| Some((major.parse().ok()?, minor.parse().ok()?))).unwrap_or((1, 0))
}
