//! `<include>`: finding the file, reading it, and laying the include's own words over it.
//! An include that cannot be followed is one finding; the world around it loads.

use super::builtin;
use super::children::check_children;
use super::context::Context;
use super::entity::entity;
use super::label::label;
use super::lookup::{Lookup, not_found};
use super::names::checked_name;
use super::plugin::plugins;
use super::report::Report;
use super::root::Root;
use super::value::{flag, pose, text};
use crate::conversion::converted;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Element};
use crate::element::{Actor, Light, Model};
use crate::files::{FileError, ReadError, normalize};
use crate::limits::Limit;
use crate::mjcf::Purpose;
use crate::model_folder::model_config;
use crate::source::Source;
use crate::xacro::{not_expanded, read_source};
use std::io;
use std::path::{Path, PathBuf};

/// The content of an include.
pub(super) enum Included {
    Model(Box<Model>),
    Light(Box<Light>),
    Actor(Box<Actor>),
}

/// What an address leads to.
enum Found {
    /// An SDF file.
    File(PathBuf),
    /// The text of a model that is a part of this program.
    Builtin(&'static str),
}

/// Reads an `<include>` inside a model, which may only include models.
pub(super) fn include_model(element: Element<'_>, context: &mut Context<'_>) -> Option<Model> {
    match include(element, context)? {
        Included::Model(model) => Some(*model),
        Included::Light(light) => refuse_in_model(element, "light", &light.name, &mut context.report),
        Included::Actor(actor) => refuse_in_model(element, "actor", &actor.name, &mut context.report),
    }
}

fn refuse_in_model(element: Element<'_>, kind: &str, name: &str, report: &mut Report) -> Option<Model> {
    report.error(Code::ValueInvalid, element, format!("{kind} `{name}` included into a model"), "a model");
    None
}

/// An `<include>`; `None` if it could not be followed, which has been reported.
pub(super) fn include(element: Element<'_>, context: &mut Context<'_>) -> Option<Included> {
    check_children(element, &mut context.report);
    let Some(uri) = text(element, "uri") else {
        context.report.error(
            Code::ElementMissing,
            element,
            "`<include>` without `<uri>`",
            "`<uri>` with an address",
        );
        return None;
    };
    let at = element.child("uri").unwrap_or(element);
    let first_finding = context.report.len();
    context.report.budget().go_on(|| Some(at.location())).ok()?;
    let root = match find_model_file(at, &uri, context.lookup, &mut context.report)? {
        Found::File(path) => read_included(at, &path, context)?,
        Found::Builtin(text) => read_builtin(at, &uri, text, context)?,
    };
    let included = apply_overrides(element, &uri, root, &mut context.report)?;
    if matches!(&included, Included::Model(model) if model.is_static) {
        context.report.excuse_inertia(first_finding);
    }
    Some(included)
}

/// Returns the SDF file of an address; for a folder, `model.config` names it.
fn find_model_file(at: Element<'_>, uri: &str, lookup: Lookup<'_>, report: &mut Report) -> Option<Found> {
    match lookup.find(at, uri) {
        Ok(path) if lookup.is_file(&path) => Some(Found::File(path)),
        Ok(folder) => read_model_config(at, &folder, lookup, report).map(Found::File),
        Err(reason) => builtin::text_of(uri).map(Found::Builtin).or_else(|| {
            report.push(not_found(at, uri, "model", reason));
            None
        }),
    }
}

/// Reads a model that needs no file.
fn read_builtin(at: Element<'_>, uri: &str, text: &'static str, context: &mut Context<'_>) -> Option<Root> {
    context.report.budget().charge(Limit::Text, text.len() as u64, || Some(at.location())).ok()?;
    let document = Document::parse_within(Source::from_text(uri, text), context.report.budget());
    let root = document.and_then(|document| context.read_document(&document));
    root.map_err(|error| context.report.push(error.losing_part(true))).ok()
}

/// The file of the newest version read that `model.config` names.
fn read_model_config(
    at: Element<'_>,
    folder: &Path,
    lookup: Lookup<'_>,
    report: &mut Report,
) -> Option<PathBuf> {
    let config = folder.join("model.config");
    report.budget().charge(Limit::Files, 1, || Some(at.location())).ok()?;
    let text = match lookup.read(&config, report.budget().most(Limit::TextFile)) {
        Ok(text) => {
            report.budget().charge(Limit::Text, text.len() as u64, || Some(at.location())).ok()?;
            text
        }
        Err(ReadError::File(FileError::Io(error))) if error.kind() == io::ErrorKind::NotFound => {
            return fall_back_to_model_sdf(at, folder, format!("no `{}`", config.display()), lookup, report);
        }
        Err(error) => {
            let found = format!("`{}` cannot be read: {error}", config.display());
            return fall_back_to_model_sdf(at, folder, found, lookup, report);
        }
    };
    let document = match Document::parse_within(Source::from_file(&config, text), report.budget()) {
        Ok(document) => document,
        Err(error) => {
            report.push(*error);
            return fall_back_to_model_sdf(
                at,
                folder,
                format!("`{}` is not XML", config.display()),
                lookup,
                report,
            );
        }
    };
    match model_config(&document).file {
        Some(file) => Some(normalize(&folder.join(file))),
        None => fall_back_to_model_sdf(
            at,
            folder,
            format!("no `<sdf>` in `{}`", config.display()),
            lookup,
            report,
        ),
    }
}

fn fall_back_to_model_sdf(
    at: Element<'_>,
    folder: &Path,
    found: String,
    lookup: Lookup<'_>,
    report: &mut Report,
) -> Option<PathBuf> {
    let fallback = Some(folder.join("model.sdf")).filter(|path| lookup.is_file(path));
    let error = Diagnostic::error(Code::ModelConfigInvalid, Some(at.location()), found)
        .expected("a `model.config` that names the model's SDF file");
    report.push(error.losing_part(fallback.is_none()));
    fallback
}

fn read_included(at: Element<'_>, path: &Path, context: &mut Context<'_>) -> Option<Root> {
    if context.is_open(path) {
        let found = format!("`{}` includes itself", path.display());
        context.report.error(Code::IncludeCycle, at, found, "a file that is not being read already");
        return None;
    }
    let depth = context.depth() + 1;
    context.report.budget().check(Limit::Includes, depth, || Some(at.location())).ok()?;
    let source = source_of(at, path, context.lookup, &mut context.report)?;
    let document = Document::parse_within(source, context.report.budget());
    let document = document.and_then(|document| {
        converted(document, Purpose::Part, context.lookup.files, context.report.budget())
    });
    let root = document.and_then(|(document, findings)| {
        context.report.extend(findings);
        context.read_document(&document)
    });
    root.map_err(|error| context.report.push(error.losing_part(true))).ok()
}

/// Reads a file; `None` if it cannot be read, which is reported.
fn source_of(at: Element<'_>, path: &Path, lookup: Lookup<'_>, report: &mut Report) -> Option<Source> {
    report.budget().charge(Limit::Files, 1, || Some(at.location())).ok()?;
    match read_source(lookup.files, path, lookup.search, report.budget().most(Limit::TextFile)) {
        Ok(source) => {
            report.budget().charge(Limit::Text, source.text().len() as u64, || Some(at.location())).ok()?;
            Some(source)
        }
        Err(ReadError::Xacro(why)) => {
            report.push(not_expanded(at.location(), path, &why).losing_part(true));
            None
        }
        Err(ReadError::File(FileError::TooLarge(_))) => {
            report.budget().exceeded(Limit::TextFile, || Some(at.location()));
            None
        }
        Err(error) => {
            let found = format!("`{}`: {error}", path.display());
            report.error(Code::Unreadable, at, found, "a readable UTF-8 file");
            None
        }
    }
}

/// Replaces name, pose and flags of the included element by those of the include.
fn apply_overrides(element: Element<'_>, uri: &str, root: Root, report: &mut Report) -> Option<Included> {
    match root {
        Root::Model(mut model) => {
            lay_over_model(element, uri, &mut model, report);
            Some(Included::Model(model))
        }
        Root::Light(mut light) => {
            light.name = text(element, "name").unwrap_or(light.name);
            if element.child("pose").is_some() {
                light.pose = pose(element, report);
            }
            Some(Included::Light(light))
        }
        Root::Actor(mut actor) => {
            if let Some(name) = text(element, "name") {
                actor.name = checked_name(element, &name, report);
            }
            if element.child("pose").is_some() {
                actor.pose = pose(element, report);
            }
            actor.label = label(element, report).or(actor.label);
            Some(Included::Actor(actor))
        }
        Root::World(world) => {
            let found = format!("`{uri}` holds the world `{}`", world.name);
            report.error(Code::ValueInvalid, element, found, "a file that holds a model");
            None
        }
    }
}

fn lay_over_model(element: Element<'_>, uri: &str, model: &mut Model, report: &mut Report) {
    if let Some(name) = text(element, "name") {
        model.name = checked_name(element, &name, report);
    }
    let placement_frame = text(element, "placement_frame");
    if placement_frame.is_some() && element.child("pose").is_none() {
        let found = "`<placement_frame>` without `<pose>`";
        report.error(
            Code::ElementMissing,
            element,
            found,
            "`<pose>`, the pose of that frame; the pose of the included model is used",
        );
    }
    if element.child("pose").is_some() {
        model.pose = pose(element, report);
    }
    if placement_frame.is_some() {
        model.placement_frame = placement_frame;
    }
    model.is_static = flag(element, "static", report).unwrap_or(model.is_static);
    model.entity = entity(element, report).or(model.entity.take());
    model.label = label(element, report).or(model.label);
    model.plugins.extend(plugins(element, report));
    model.uri = Some(uri.to_owned());
    model.include = Some(element.origin());
}
