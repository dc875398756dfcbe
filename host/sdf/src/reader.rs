//! Turns elements of a document into typed elements, with a finding for every deviation from the standard. An
//! invalid value becomes its default and the rest loads; only files without anything to load are fatal.
//! `resolve` handles frames. A file and all its includes are read on one thread.
//!
//! Each kind of element has a function, which gets the element and what it needs of the state of the reading: the
//! `Report` for findings, the `Lookup` for the files that elements name, and the `Context` if it contains includes.

mod actor;
mod builtin;
mod children;
mod context;
mod entity;
mod environment;
mod geometry;
mod include;
mod joint;
mod known;
mod label;
mod light;
mod link;
mod lookup;
mod loss;
mod material;
mod merge;
mod model;
mod names;
mod placeholder;
mod plugin;
mod report;
mod root;
mod scene;
mod surface;
mod texture;
mod thermal;
mod unflatten;
mod value;
mod visual_system;
mod world;

pub use known::{KNOWN, Known};
pub use root::Root;
pub(crate) use visual_system::is_appearance;

use super::address::SearchPath;
use super::diagnostic::{Code, Diagnostic};
use super::document::{Document, Element};
use super::files::Files;
use super::findings::Findings;
use super::version::Version;
use super::xacro;
use actor::actor;
use children::check_children;
use context::Context;
use include::{Included, include};
use light::light;
use lookup::Lookup;
use model::model;
use report::Report;
use std::collections::BTreeSet;
use std::sync::Arc;
use world::world;

/// Reads a parsed document. Returns its content, and `findings` with those of this reading.
///
/// In place of the content is the fatal finding if the document is not SDF, has an unsupported version, or is empty.
pub(super) fn read(
    document: &Arc<Document>,
    files: &dyn Files,
    search: &SearchPath,
    findings: Findings,
) -> (Result<Root, Box<Diagnostic>>, Findings) {
    let mut context = Context::new(Lookup { files, search }, findings, read_content);
    let root = context.read_document(document);
    (root, context.report.into_findings())
}

fn read_content(document: &Arc<Document>, context: &mut Context<'_>) -> Result<Root, Box<Diagnostic>> {
    let root = document.root();
    if root.name() != "sdf" {
        return Err(not_sdf(document));
    }
    xacro::refuse_sdf(document)?;
    check_version(root, &mut context.report)?;
    read_root(root, context)
}

/// Refuses a version that is not read.
fn check_version(root: Element<'_>, report: &mut Report) -> Result<(), Box<Diagnostic>> {
    const EXPECTED: &str = "a version from 1.4 to 1.12";
    let Some(text) = root.attribute("version") else {
        report.error(Code::Version, root, "`<sdf>` without `version`, read as 1.12", EXPECTED);
        return Ok(());
    };
    if Version::parse(text).is_none() {
        let found = format!("SDF version `{text}`");
        let error = Diagnostic::error(Code::Version, Some(root.location()), found);
        return Err(Box::new(error.expected(EXPECTED)));
    }
    Ok(())
}

fn read_root(root: Element<'_>, context: &mut Context<'_>) -> Result<Root, Box<Diagnostic>> {
    check_children(root, &mut context.report);
    let content = CONTENTS.into_iter().find_map(|name| root.child(name));
    let Some(content) = content else {
        let found = match root.children().next() {
            Some(child) => format!("only `<{}>` inside `<sdf>`", child.name()),
            None => "an empty `<sdf>`".to_owned(),
        };
        let error = Diagnostic::error(Code::NothingToLoad, Some(root.location()), found);
        return Err(Box::new(error.expected("`<world>` or `<model>`")));
    };
    note_further_roots(root, content, &mut context.report);
    Ok(match content.name() {
        "world" => Root::World(Box::new(world(content, context))),
        "model" => Root::Model(Box::new(model(content, context))),
        "light" => Root::Light(Box::new(light(content, &mut context.report))),
        "include" => included_root(content, context)?,
        _ => Root::Actor(Box::new(actor(content, context.lookup, &mut context.report))),
    })
}

/// The model, light or actor that an `<include>` in place of it names.
fn included_root(element: Element<'_>, context: &mut Context<'_>) -> Result<Root, Box<Diagnostic>> {
    match include(element, context) {
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
fn note_further_roots(root: Element<'_>, loaded: Element<'_>, report: &mut Report) {
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
            report.error(Code::DuplicateName, other, format!("a second {} `{name}`", other.name()), "one");
            continue;
        }
        let found = format!("a further `<{}>` beside the first `<{}>`", other.name(), loaded.name());
        let is_single = other.name() != "world";
        if is_single && has_single {
            let used = format!("one model, light or actor per file; the first `<{}>` is used", loaded.name());
            report.error(Code::ValueInvalid, other, found, used);
            continue;
        }
        has_single |= is_single;
        let note = Diagnostic::note(Code::NotSimulated, Some(other.location()), found);
        report.push(note.expected("one world or model per file; only the first is loaded"));
    }
}

/// What a file may contain, in the order in which it is looked for.
const CONTENTS: [&str; 5] = ["world", "model", "light", "actor", "include"];

/// Outermost elements of other formats, which findings name.
pub const OTHER_FORMATS: &[&str] =
    &["COLLADA", "svg", "html", "launch", "scene", "package", "kml", "robot", "urdf"];

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
