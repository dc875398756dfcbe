//! The robot as SDF text: a world with a static model and a model, or the model alone.

mod control;
mod joint;
mod link;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::mjcf::contacts::Contacts;
use crate::mjcf::placed::Placed;
use crate::mjcf::purpose::Purpose;
use crate::mjcf::robot::{DriveKind, Follow, JointRef, Robot, WORLD_BODY};
use crate::mjcf::shape::Shape;
use crate::number::{number, numbers};
use crate::xml_text::Text;
use bridgehead_pose::{DQuat, Pose};
use std::collections::BTreeMap;

/// Writes one file.
pub(crate) struct Writer<'w, 'd> {
    robot: &'w Robot<'d>,
    placed: &'w Placed,
    contacts: Contacts,
    /// The bodies that belong to the link of each body.
    members: Vec<Vec<usize>>,
    /// The constraint that each follower has.
    follows: BTreeMap<JointRef, &'w Follow>,
    /// What commands may drive each joint, with its greatest effort.
    driven: BTreeMap<JointRef, (Vec<DriveKind>, f64)>,
    purpose: Purpose,
    findings: &'w mut Vec<Diagnostic>,
    out: Text,
}

impl<'w, 'd> Writer<'w, 'd> {
    pub(crate) fn new(
        robot: &'w Robot<'d>,
        placed: &'w Placed,
        purpose: Purpose,
        findings: &'w mut Vec<Diagnostic>,
    ) -> Self {
        let contacts = Contacts::new(robot, placed);
        let driven = control::driven(robot);
        let members = placed.members();
        let follows = robot.follows.iter().map(|follow| (follow.follower, follow)).collect();
        Self { robot, placed, contacts, members, follows, driven, purpose, findings, out: Text::default() }
    }

    /// The whole file.
    pub(crate) fn write(mut self) -> String {
        let model = self.placed.names.model.clone();
        self.out.raw("<?xml version=\"1.0\"?>");
        self.out.open("sdf", &[("version", "1.11")]);
        let moves = self.has_links();
        if self.purpose == Purpose::World {
            self.out.open("world", &[("name", &model)]);
            self.surroundings();
            if self.has_ground() {
                self.ground(&if moves { format!("{model}_world") } else { model.clone() });
            }
            if moves {
                self.model(&model);
            }
            self.out.close("world");
        } else if moves {
            self.model(&model);
        } else {
            self.ground(&model);
        }
        self.out.close("sdf");
        self.out.finish()
    }

    fn has_links(&self) -> bool {
        (0..self.robot.bodies.len()).any(|body| self.placed.is_link(body))
    }

    fn has_ground(&self) -> bool {
        self.members[WORLD_BODY].iter().any(|body| !self.robot.bodies[*body].geoms.is_empty())
    }

    fn surroundings(&mut self) {
        self.out.leaf("gravity", &numbers(&self.robot.gravity.to_array()));
        self.out.open("physics", &[("name", "mujoco"), ("type", "ode")]);
        self.out.leaf("max_step_size", &number(self.robot.timestep));
        self.out.leaf("real_time_factor", "1");
        self.out.close("physics");
    }

    /// The static model of the geoms of the world.
    fn ground(&mut self, name: &str) {
        self.out.open("model", &[("name", name)]);
        self.out.leaf("static", "true");
        self.out.open("link", &[("name", "link")]);
        self.shapes(WORLD_BODY, |_| true);
        self.out.close("link");
        self.frames(WORLD_BODY, "link");
        self.out.close("model");
    }

    fn model(&mut self, name: &str) {
        self.out.open("model", &[("name", name)]);
        if self.contacts.touches_itself {
            self.out.leaf("self_collide", "true");
        }
        if !self.contacts.is_exact {
            let found = "filters of contacts that need more than 15 bits";
            let expected = "fewer pairs that pass each other; parts of the model do not touch each other";
            self.find(Severity::Note, Code::MjcfChanged, self.robot.at, found.to_owned(), expected);
        }
        let fixed = self.purpose == Purpose::Part && self.has_fixed_ground();
        for body in 1..self.robot.bodies.len() {
            if self.placed.is_link(body) {
                self.link(body);
            }
        }
        if fixed {
            self.fixed_ground();
        }
        self.joints();
        self.controls();
        self.out.close("model");
    }

    /// Reports planes, and returns true if the world has other geoms.
    fn has_fixed_ground(&mut self) -> bool {
        let robot = self.robot;
        let geoms: Vec<_> =
            self.members[WORLD_BODY].iter().flat_map(|body| &robot.bodies[*body].geoms).collect();
        let is_plane = |shape: &Shape| matches!(shape, Shape::Plane { .. });
        if geoms.iter().any(|geom| is_plane(&geom.shape)) {
            let found = "a plane of the world in an included model";
            let expected = "the ground of the world that includes it; left out";
            self.find(Severity::Note, Code::MjcfNotConverted, robot.at, found.to_owned(), expected);
        }
        geoms.iter().any(|geom| !is_plane(&geom.shape))
    }

    /// A link for the geoms of the world in a model that is included.
    fn fixed_ground(&mut self) {
        let name = self.placed.names.bodies[WORLD_BODY].clone();
        self.out.open("link", &[("name", &name)]);
        self.inertial(&crate::mjcf::inertia::Inertia::small());
        self.shapes(WORLD_BODY, |shape| !matches!(shape, Shape::Plane { .. }));
        self.out.close("link");
        self.frames(WORLD_BODY, &name);
        self.fixed(&self.placed.names.fixed[WORLD_BODY].clone(), "world", &name);
    }

    fn pose(&mut self, relative_to: Option<&str>, pose: &Pose) {
        let mut attributes: Vec<(&str, &str)> =
            relative_to.map(|frame| ("relative_to", frame)).into_iter().collect();
        let position = numbers(&pose.position.to_array());
        let rotation = if pose.rotation == DQuat::IDENTITY {
            "0 0 0".to_owned()
        } else {
            attributes.push(("rotation_format", "quat_xyzw"));
            numbers(&pose.rotation.to_array())
        };
        self.out.leaf_with("pose", &attributes, &format!("{position} {rotation}"));
    }

    fn find(&mut self, severity: Severity, code: Code, at: Element<'_>, found: String, expected: &str) {
        self.findings.push(Diagnostic::new(severity, code, Some(at.location()), found).expected(expected));
    }
}
