//! Reads the elements of an MJCF into a [`Robot`], with a finding for everything that is not read.

mod actuator;
mod asset;
mod asset_table;
mod body;
mod class_table;
mod classes;
mod compiler;
mod equality;
mod geom;
mod index;
mod inertial;
mod joint;
mod keyframe;
mod known;
mod left_out;
mod settings;
mod value;

use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::limits::Limit;
use crate::mjcf::robot::{JointRef, Robot};
use crate::mjcf::sources::Sources;
use asset_table::Assets;
use class_table::Classes;
use index::Index;
use left_out::LeftOut;
use settings::{Compiler, Options};
use std::collections::BTreeSet;

/// Reads one file with its includes.
pub(crate) struct Reader<'d> {
    sources: &'d Sources,
    budget: &'d Budget,
    findings: Vec<Diagnostic>,
    /// What was left out, once for each kind.
    left_out: Vec<LeftOut>,
    compiler: Compiler<'d>,
    classes: Classes<'d>,
    assets: Assets<'d>,
    /// Joints that follow another one.
    followers: BTreeSet<JointRef>,
}

/// An element, and the class whose defaults it has.
#[derive(Clone, Copy)]
struct At<'d> {
    element: Element<'d>,
    class: usize,
}

impl<'d> Reader<'d> {
    /// Reads the whole file.
    pub(crate) fn read(
        sources: &'d Sources,
        budget: &'d Budget,
        findings: &mut Vec<Diagnostic>,
    ) -> Result<Robot<'d>, Box<Diagnostic>> {
        let Some(root) = sources.root() else {
            return Err(Box::new(Diagnostic::error(Code::MjcfNoBody, None, "no element")));
        };
        let mut reader = Self {
            sources,
            budget,
            findings: Vec::new(),
            left_out: Vec::new(),
            compiler: Compiler::default(),
            classes: Classes::default(),
            assets: Assets::default(),
            followers: BTreeSet::new(),
        };
        let robot = reader.robot(root)?;
        let left_out = std::mem::take(&mut reader.left_out);
        findings.append(&mut reader.findings);
        findings.extend(left_out.into_iter().map(LeftOut::into_finding));
        Ok(robot)
    }

    /// Sections in the order in which they depend on each other, which files need not have.
    fn robot(&mut self, root: Element<'d>) -> Result<Robot<'d>, Box<Diagnostic>> {
        self.check_known(root);
        let sections = self.children(root);
        let named = |name: &'static str| sections.iter().copied().filter(move |one| one.name() == name);
        named("compiler").for_each(|section| self.read_compiler(section));
        let mut options = Options::default();
        named("option").for_each(|section| self.read_options(section, &mut options));
        for section in named("default") {
            self.read_classes(section, None, 0)?;
        }
        named("asset").for_each(|section| self.read_assets(section));
        let mut bodies = vec![self.world_body(root)];
        for section in named("worldbody") {
            self.read_world(section, &mut bodies)?;
        }
        if bodies.len() == 1 && bodies[0].geoms.is_empty() {
            let found = "neither a body nor a geom in `<worldbody>`";
            let error = Diagnostic::error(Code::MjcfNoBody, Some(root.location()), found);
            return Err(Box::new(error.expected("`<worldbody>` with a `<body>`")));
        }
        let mut robot = Robot {
            name: root.attribute("model").map(str::trim).unwrap_or_default().to_owned(),
            at: root,
            gravity: options.gravity,
            timestep: options.timestep,
            meshes: std::mem::take(&mut self.assets.meshes),
            bodies,
            excludes: Vec::new(),
            follows: Vec::new(),
            closures: Vec::new(),
            drives: Vec::new(),
            home: None,
            total_mass: self.compiler.total_mass,
        };
        let index = Index::new(&robot);
        named("contact").for_each(|section| self.read_contact(section, &index, &mut robot));
        named("equality").for_each(|section| self.read_equality(section, &index, &mut robot));
        named("actuator").for_each(|section| self.read_actuators(section, &index, &mut robot));
        named("keyframe").for_each(|section| self.read_keyframes(section, &mut robot));
        Ok(robot)
    }

    /// The children of an element, with included ones.
    fn children(&self, parent: Element<'d>) -> Vec<Element<'d>> {
        let sources: &'d Sources = self.sources;
        sources.children(parent)
    }

    fn find(&mut self, severity: Severity, code: Code, at: Element<'_>, found: String, expected: &str) {
        // One more than allowed ends the reading; their places would take up memory.
        if self.findings.len() as u64 > self.budget.most(Limit::Findings) {
            return;
        }
        let finding = Diagnostic::new(severity, code, Some(at.location()), found);
        self.findings.push(finding.expected(expected));
    }

    fn error(&mut self, code: Code, at: Element<'_>, found: impl Into<String>, expected: &str) {
        self.find(Severity::Error, code, at, found.into(), expected);
    }

    fn warning(&mut self, code: Code, at: Element<'_>, found: impl Into<String>, expected: &str) {
        self.find(Severity::Warning, code, at, found.into(), expected);
    }

    fn note(&mut self, code: Code, at: Element<'_>, found: impl Into<String>, expected: &str) {
        self.find(Severity::Note, code, at, found.into(), expected);
    }
}
