//! `<include>`: finding the file, reading it, and laying the include's own words over it.
//! An include that cannot be followed is one finding; the world around it loads.

use super::geometry::not_found;
use super::{Reader, Root, builtin};
use crate::address::locate;
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Element};
use crate::element::{Actor, Light, Model};
use crate::files::{FileError, ReadError, normalize};
use crate::limits::Limit;
use crate::model_folder::model_config;
use crate::source::Source;
use crate::urdf;
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

impl Reader<'_> {
    /// Reads an `<include>` inside a model, which may only include models.
    pub(super) fn include_model(&mut self, element: Element<'_>) -> Option<Model> {
        match self.include(element)? {
            Included::Model(model) => Some(*model),
            Included::Light(light) => self.refuse_in_model(element, "light", &light.name),
            Included::Actor(actor) => self.refuse_in_model(element, "actor", &actor.name),
        }
    }

    fn refuse_in_model(&mut self, element: Element<'_>, kind: &str, name: &str) -> Option<Model> {
        self.error(Code::ValueInvalid, element, format!("{kind} `{name}` included into a model"), "a model");
        None
    }

    /// An `<include>`; `None` if it could not be followed, which has been reported.
    pub(super) fn include(&mut self, element: Element<'_>) -> Option<Included> {
        self.check_children(element);
        let Some(uri) = self.text(element, "uri") else {
            self.error(
                Code::ElementMissing,
                element,
                "`<include>` without `<uri>`",
                "`<uri>` with an address",
            );
            return None;
        };
        let at = element.child("uri").unwrap_or(element);
        let first_finding = self.diagnostics.len();
        self.budget().go_on(|| Some(at.location())).ok()?;
        let root = match self.find_model_file(at, &uri)? {
            Found::File(path) => self.read_included(at, &path)?,
            Found::Builtin(text) => self.read_builtin(at, &uri, text)?,
        };
        let included = self.apply_overrides(element, &uri, root)?;
        if matches!(&included, Included::Model(model) if model.is_static) {
            self.diagnostics.excuse_inertia(first_finding);
        }
        Some(included)
    }

    /// Returns the SDF file of an address; for a folder, `model.config` names it.
    fn find_model_file(&mut self, at: Element<'_>, uri: &str) -> Option<Found> {
        match locate(uri, at.document().source().folder(), self.search, self.files) {
            Ok(path) if self.files.is_file(&path) => Some(Found::File(path)),
            Ok(folder) => self.read_model_config(at, &folder).map(Found::File),
            Err(reason) => builtin::text_of(uri).map(Found::Builtin).or_else(|| {
                self.diagnostics.push(not_found(at, uri, "model", reason));
                None
            }),
        }
    }

    /// Reads a model that needs no file.
    fn read_builtin(&mut self, at: Element<'_>, uri: &str, text: &'static str) -> Option<Root> {
        self.budget().charge(Limit::Text, text.len() as u64, || Some(at.location())).ok()?;
        let document = Document::parse_within(Source::from_text(uri, text), self.budget());
        let root = document.and_then(|document| self.read_document(&document));
        root.map_err(|error| self.diagnostics.push(error.losing_part(true))).ok()
    }

    /// The file of the newest version read that `model.config` names.
    fn read_model_config(&mut self, at: Element<'_>, folder: &Path) -> Option<PathBuf> {
        let config = folder.join("model.config");
        self.budget().charge(Limit::Files, 1, || Some(at.location())).ok()?;
        let text = match self.files.read(&config, self.budget().most(Limit::TextFile)) {
            Ok(text) => {
                self.budget().charge(Limit::Text, text.len() as u64, || Some(at.location())).ok()?;
                text
            }
            Err(ReadError::File(FileError::Io(error))) if error.kind() == io::ErrorKind::NotFound => {
                return self.fall_back_to_model_sdf(at, folder, format!("no `{}`", config.display()));
            }
            Err(error) => {
                let found = format!("`{}` cannot be read: {error}", config.display());
                return self.fall_back_to_model_sdf(at, folder, found);
            }
        };
        let document = match Document::parse_within(Source::from_file(&config, text), self.budget()) {
            Ok(document) => document,
            Err(error) => {
                self.diagnostics.push(*error);
                return self.fall_back_to_model_sdf(at, folder, format!("`{}` is not XML", config.display()));
            }
        };
        match model_config(&document).file {
            Some(file) => Some(normalize(&folder.join(file))),
            None => self.fall_back_to_model_sdf(at, folder, format!("no `<sdf>` in `{}`", config.display())),
        }
    }

    fn fall_back_to_model_sdf(&mut self, at: Element<'_>, folder: &Path, found: String) -> Option<PathBuf> {
        let fallback = Some(folder.join("model.sdf")).filter(|path| self.files.is_file(path));
        let error = Diagnostic::error(Code::ModelConfigInvalid, Some(at.location()), found)
            .expected("a `model.config` that names the model's SDF file");
        self.diagnostics.push(error.losing_part(fallback.is_none()));
        fallback
    }

    fn read_included(&mut self, at: Element<'_>, path: &Path) -> Option<Root> {
        if self.open.iter().any(|open| open == path) {
            let found = format!("`{}` includes itself", path.display());
            self.error(Code::IncludeCycle, at, found, "a file that is not being read already");
            return None;
        }
        let depth = self.open.len() as u64 + 1;
        self.budget().check(Limit::Includes, depth, || Some(at.location())).ok()?;
        let text = self.read_text(at, path)?;
        let document = Document::parse_within(Source::from_file(path, text), self.budget());
        let document = document.and_then(|document| urdf::translated(document, self.budget()));
        let root = document.and_then(|(document, findings)| {
            self.diagnostics.extend(findings);
            self.read_document(&document)
        });
        root.map_err(|error| self.diagnostics.push(error.losing_part(true))).ok()
    }

    /// Reads the text of a file; `None` if it cannot be read, which is reported.
    fn read_text(&mut self, at: Element<'_>, path: &Path) -> Option<String> {
        self.budget().charge(Limit::Files, 1, || Some(at.location())).ok()?;
        match self.files.read(path, self.budget().most(Limit::TextFile)) {
            Ok(text) => {
                self.budget().charge(Limit::Text, text.len() as u64, || Some(at.location())).ok()?;
                Some(text)
            }
            Err(ReadError::File(FileError::TooLarge(_))) => {
                self.budget().exceeded(Limit::TextFile, || Some(at.location()));
                None
            }
            Err(error) => {
                let found = format!("`{}`: {error}", path.display());
                self.error(Code::Unreadable, at, found, "a readable UTF-8 file");
                None
            }
        }
    }

    /// Replaces name, pose and flags of the included element by those of the include.
    fn apply_overrides(&mut self, element: Element<'_>, uri: &str, root: Root) -> Option<Included> {
        match root {
            Root::Model(mut model) => {
                self.lay_over_model(element, uri, &mut model);
                Some(Included::Model(model))
            }
            Root::Light(mut light) => {
                light.name = self.text(element, "name").unwrap_or(light.name);
                if element.child("pose").is_some() {
                    light.pose = self.pose(element);
                }
                Some(Included::Light(light))
            }
            Root::Actor(mut actor) => {
                if let Some(name) = self.text(element, "name") {
                    actor.name = self.checked_name(element, &name);
                }
                if element.child("pose").is_some() {
                    actor.pose = self.pose(element);
                }
                actor.label = self.label(element).or(actor.label);
                Some(Included::Actor(actor))
            }
            Root::World(world) => {
                let found = format!("`{uri}` holds the world `{}`", world.name);
                self.error(Code::ValueInvalid, element, found, "a file that holds a model");
                None
            }
        }
    }

    fn lay_over_model(&mut self, element: Element<'_>, uri: &str, model: &mut Model) {
        if let Some(name) = self.text(element, "name") {
            model.name = self.checked_name(element, &name);
        }
        let placement_frame = self.text(element, "placement_frame");
        if placement_frame.is_some() && element.child("pose").is_none() {
            let found = "`<placement_frame>` without `<pose>`";
            self.error(
                Code::ElementMissing,
                element,
                found,
                "`<pose>`, the pose of that frame; the pose of the included model is used",
            );
        }
        if element.child("pose").is_some() {
            model.pose = self.pose(element);
        }
        if placement_frame.is_some() {
            model.placement_frame = placement_frame;
        }
        model.is_static = self.flag(element, "static").unwrap_or(model.is_static);
        model.entity = self.entity(element).or(model.entity.take());
        model.label = self.label(element).or(model.label);
        model.plugins.extend(self.plugins(element));
        model.uri = Some(uri.to_owned());
        model.include = Some(element.origin());
    }
}
