//! Turns elements of a document into typed elements, with a finding for every deviation from the standard. An
//! invalid value becomes its default and the rest loads; only files without anything to load are fatal.
//! `resolve` handles frames. One reader reads one file and all its includes, on one thread.

mod actor;
mod builtin;
mod entity;
mod environment;
mod geometry;
mod include;
mod joint;
mod known;
mod label;
mod light;
mod link;
mod loss;
mod material;
mod merge;
mod model;
mod names;
mod placeholder;
mod plugin;
mod report;
mod scene;
mod thermal;
mod unflatten;
mod value;
mod version;
mod visual_system;
mod world;

pub use known::{KNOWN, Known};

use super::address::SearchPath;
use super::budget::Budget;
use super::diagnostic::{Code, Diagnostic};
use super::document::{Document, Element};
use super::element::{Actor, Light, Model, World};
use super::files::Files;
use super::findings::Findings;
use super::xacro;
use include::Included;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
pub(crate) use value::{parse_euler_pose, parse_flag, parse_quaternion_pose};
pub(super) use version::Version;
pub(crate) use visual_system::is_appearance;

/// The content of an SDF file.
#[derive(Clone, Debug)]
pub enum Root {
    /// A world.
    World(Box<World>),
    /// A single model.
    Model(Box<Model>),
    /// A single light, used only by includes.
    Light(Box<Light>),
    /// A single actor.
    Actor(Box<Actor>),
}

/// Reads files into typed elements and collects findings.
pub(super) struct Reader<'a> {
    files: &'a dyn Files,
    search: &'a SearchPath,
    pub(super) diagnostics: Findings,
    /// Version of the current file; each included file has its own.
    version: Version,
    /// Open files, outermost first, to detect include cycles.
    open: Vec<PathBuf>,
    /// Number of models around the current element, with those of the including files.
    nesting: u64,
    /// Findings that are reported only once.
    reported: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(files: &'a dyn Files, search: &'a SearchPath, budget: &Budget) -> Self {
        Self {
            files,
            search,
            diagnostics: Findings::new(budget),
            version: Version::LATEST,
            open: Vec::new(),
            nesting: 0,
            reported: BTreeSet::new(),
        }
    }

    /// Reads a parsed document.
    ///
    /// # Errors
    /// Returns the fatal finding if the document is not SDF, has an unsupported version, or is empty. Other
    /// findings go to `diagnostics`.
    pub(super) fn read_document(&mut self, document: &Arc<Document>) -> Result<Root, Box<Diagnostic>> {
        let root = document.root();
        if root.name() != "sdf" {
            return Err(not_sdf(document));
        }
        xacro::refuse_sdf(document)?;
        let outer = self.version;
        self.version = self.read_version(root)?;
        self.open.extend(document.source().path().map(super::files::normalize));
        let content = self.read_root(root);
        if document.source().path().is_some() {
            self.open.pop();
        }
        self.version = outer;
        content
    }

    fn read_root(&mut self, root: Element<'_>) -> Result<Root, Box<Diagnostic>> {
        self.check_children(root);
        let content = CONTENTS.into_iter().find_map(|name| root.child(name));
        let Some(content) = content else {
            let found = match root.children().next() {
                Some(child) => format!("only `<{}>` inside `<sdf>`", child.name()),
                None => "an empty `<sdf>`".to_owned(),
            };
            let error = Diagnostic::error(Code::NothingToLoad, Some(root.location()), found);
            return Err(Box::new(error.expected("`<world>` or `<model>`")));
        };
        self.note_further_roots(root, content);
        Ok(match content.name() {
            "world" => Root::World(Box::new(self.world(content))),
            "model" => Root::Model(Box::new(self.model(content))),
            "light" => Root::Light(Box::new(self.light(content))),
            "include" => self.included_root(content)?,
            _ => Root::Actor(Box::new(self.actor(content))),
        })
    }

    /// The model, light or actor that an `<include>` in place of it names.
    fn included_root(&mut self, element: Element<'_>) -> Result<Root, Box<Diagnostic>> {
        match self.include(element) {
            Some(Included::Model(model)) => Ok(Root::Model(model)),
            Some(Included::Light(light)) => Ok(Root::Light(light)),
            Some(Included::Actor(actor)) => Ok(Root::Actor(actor)),
            None => {
                let found = "only an `<include>` that leads to nothing inside `<sdf>`";
                let error = Diagnostic::error(Code::NothingToLoad, Some(element.location()), found);
                Err(Box::new(error.expected("the address of a model")))
            }
        }
    }

    /// Reports what a file contains beside the element that is loaded: as in libsdformat, several worlds are
    /// allowed, but only one model, light or actor.
    fn note_further_roots(&mut self, root: Element<'_>, loaded: Element<'_>) {
        let identity = |element: Element<'_>| {
            let included = || element.child("uri").map(Element::text);
            let name = element.attribute("name").or_else(included).unwrap_or_default();
            (element.name().to_owned(), name.to_owned())
        };
        let mut seen = BTreeSet::from([identity(loaded)]);
        let mut has_single = loaded.name() != "world";
        let others = root.children().filter(|child| child.id() != loaded.id());
        for other in others.filter(|child| CONTENTS.contains(&child.name())) {
            if !seen.insert(identity(other)) {
                let name = other.attribute("name").unwrap_or_default();
                self.error(Code::DuplicateName, other, format!("a second {} `{name}`", other.name()), "one");
                continue;
            }
            let found = format!("a further `<{}>` beside the first `<{}>`", other.name(), loaded.name());
            let is_single = other.name() != "world";
            if is_single && has_single {
                let used =
                    format!("one model, light or actor per file; the first `<{}>` is used", loaded.name());
                self.error(Code::ValueInvalid, other, found, used);
                continue;
            }
            has_single |= is_single;
            let note = Diagnostic::note(Code::NotSimulated, Some(other.location()), found);
            self.diagnostics.push(note.expected("one world or model per file; only the first is loaded"));
        }
    }

    /// The budget of the reading.
    fn budget(&self) -> &Budget {
        self.diagnostics.budget()
    }

    /// Returns true if the reading has stopped. Its result is discarded, so whatever takes long can be left out.
    fn is_stopped(&self) -> bool {
        self.diagnostics.is_stopped()
    }

    fn error(&mut self, code: Code, at: Element<'_>, found: impl Into<String>, expected: impl Into<String>) {
        if self.is_stopped() {
            return;
        }
        let finding = Diagnostic::error(code, Some(at.location()), found).expected(expected);
        self.diagnostics.push(finding.losing_part(loss::loses_part(code, at)));
    }

    fn warning(
        &mut self,
        code: Code,
        at: Element<'_>,
        found: impl Into<String>,
        expected: impl Into<String>,
    ) {
        if self.is_stopped() {
            return;
        }
        let finding = Diagnostic::warning(code, Some(at.location()), found).expected(expected);
        self.diagnostics.push(finding.losing_part(loss::loses_part(code, at)));
    }
}

/// What a file may contain, in the order in which it is looked for.
const CONTENTS: [&str; 5] = ["world", "model", "light", "actor", "include"];

/// Outermost elements of other formats, which findings name.
pub const OTHER_FORMATS: &[&str] =
    &["mujoco", "COLLADA", "svg", "html", "launch", "scene", "package", "kml", "robot", "urdf"];

/// Refuses a document of another format. The file may be any that the host can read, and the finding may reach a client, so
/// an unknown element is not quoted.
fn not_sdf(document: &Arc<Document>) -> Box<Diagnostic> {
    let root = document.root();
    let (place, found) = if OTHER_FORMATS.contains(&root.name()) {
        (root.location(), format!("`<{}>` as the root element", root.name()))
    } else {
        (document.source().location(root.span().start), "another root element".to_owned())
    };
    Box::new(Diagnostic::error(Code::NotSdf, Some(place), found).expected("`<sdf>`"))
}

#[cfg(test)]
mod tests;
