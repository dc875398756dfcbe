//! Saves a world into its file: changes are written into the text it was loaded from, and everything else is
//! unchanged byte for byte.
//!
//! A pose is written in the frame and the format that the author chose. Frames may move with models that are
//! placed too, so the text is read again after each round of edits until every model is where it should be.
//! Runs on the calling thread; files are only read.

mod elements;

use super::address::SearchPath;
use super::budget::Budget;
use super::diagnostic::{Code, Diagnostic};
use super::document::{Document, Element, NodeId, Origin};
use super::edit::{self, Edit, EditError};
use super::element;
use super::files::Files;
use super::load::{LoadError, Loaded, load_source};
use super::reader::Root;
use super::resolved::Model;
use super::source::Source;
use bridgehead_pose::Pose;
use glam::DVec3;
use std::path::Path;
use std::sync::Arc;

/// Rounds of edits: a model may be placed in the frame of one that is placed in the frame of a third, and so on.
const ROUNDS: usize = 16;
/// Metres and radians within which a pose in the text counts as the one of the run.
const NEAR: f64 = 1e-9;
/// The same for a new text: frames are computed in another order when it is read, so a few digits are reserve.
const NEARER: f64 = 0.9e-9;
/// The same for a warning, if no better result can be written.
const CLOSE: f64 = 1e-8;

/// A difference from the file.
#[derive(Clone, Debug)]
pub enum Change {
    /// A top-level model was moved.
    Place {
        /// Its name.
        model: String,
        /// Its frame in the world.
        pose: Pose,
    },
    /// A top-level model became static, or is no longer.
    SetStatic {
        /// Its name.
        model: String,
        /// Whether it is static now.
        is_static: bool,
    },
    /// A top-level model was removed.
    Remove {
        /// Its name.
        model: String,
    },
    /// A model was added.
    Add {
        /// A `<model>` or `<include>` element.
        xml: String,
        /// Its name, which replaces the one in the element.
        name: String,
        /// Its frame in the world.
        pose: Pose,
        /// Its properties as an entity, if they differ from the element.
        entity: Option<element::Entity>,
    },
    /// The entity properties of a top-level model were changed.
    SetInfo {
        /// Its name.
        model: String,
        /// The new properties.
        info: element::EntityInfo,
    },
    /// A plugin adds elements.
    Contribute(Contribution),
    /// The camera of the user interface was moved.
    PlaceCamera {
        /// Its frame in the world.
        pose: Pose,
    },
    /// The points of a road were changed.
    SetRoad {
        /// Its name.
        road: String,
        /// Metres, in the world.
        points: Vec<DVec3>,
    },
}

/// Elements of a plugin, for its own element.
#[derive(Clone, Debug)]
pub struct Contribution {
    /// Name of the instance, for messages.
    pub label: String,
    /// The `<plugin>` or `<sensor>` that contributes them.
    pub element: Origin,
    /// The elements; empty to remove existing ones.
    pub xml: String,
}

/// A world as text.
#[derive(Clone, Debug)]
pub struct Saved {
    /// The text.
    pub text: String,
    /// Changes that could not be written.
    pub findings: Vec<Diagnostic>,
}

/// Why a world cannot be saved.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// An edit that the text does not allow.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The text with the changes is not a world.
    #[error("the saved world cannot be read again: {0}")]
    Unreadable(#[from] LoadError),
}

/// Returns the text of a loaded file with the changes; without changes it is the text that was loaded.
///
/// # Errors
/// Returns an error if an edit does not fit the text, or the result is not a world. A change that cannot be
/// written, such as the pose of a model inside an included file, is a finding, and the rest is saved.
pub fn save(
    loaded: &Loaded,
    changes: &[Change],
    files: &dyn Files,
    search: &SearchPath,
) -> Result<Saved, SaveError> {
    let mut findings = Vec::new();
    let mut text = edit::apply(&loaded.document, &structure(loaded, changes, &mut findings)?)?;
    let wanted: Vec<(&str, &Pose)> = changes.iter().filter_map(placed).collect();
    if wanted.is_empty() {
        return Ok(Saved { text, findings });
    }
    for _ in 0..ROUNDS {
        let now = reload(loaded, &text, files, search)?;
        let edits: Vec<Edit> = wanted.iter().filter_map(|(name, pose)| place(&now, name, pose)).collect();
        if edits.is_empty() {
            break;
        }
        text = edit::apply(&now.document, &edits)?;
    }
    let now = reload(loaded, &text, files, search)?;
    findings.extend(wanted.iter().filter_map(|(name, pose)| unplaced(&now, name, pose)));
    Ok(Saved { text, findings })
}

/// Loads a text in place of the file it came from.
fn reload(loaded: &Loaded, text: &str, files: &dyn Files, search: &SearchPath) -> Result<Loaded, LoadError> {
    let source = loaded.document.source();
    let source = match source.path() {
        Some(path) => Source::from_file(path, text),
        None => Source::from_text(source.name(), text),
    };
    load_source(files, source, search, &Budget::default())
}

fn placed(change: &Change) -> Option<(&str, &Pose)> {
    match change {
        Change::Place { model: name, pose } | Change::Add { name, pose, .. } => Some((name, pose)),
        Change::SetStatic { .. }
        | Change::SetInfo { .. }
        | Change::Remove { .. }
        | Change::Contribute(_)
        | Change::PlaceCamera { .. }
        | Change::SetRoad { .. } => None,
    }
}

/// Everything but poses.
fn structure(
    loaded: &Loaded,
    changes: &[Change],
    findings: &mut Vec<Diagnostic>,
) -> Result<Vec<Edit>, EditError> {
    let mut edits = Vec::new();
    let mut removed = Vec::new();
    for change in changes {
        match change {
            Change::Place { model, .. } => {
                own_element(loaded, model, findings);
            }
            Change::Remove { model } => {
                removed.extend(own_element(loaded, model, findings));
            }
            Change::SetStatic { model, is_static } => {
                let own = own_element(loaded, model, findings).and_then(|id| loaded.document.element(id));
                edits.extend(own.map(|element| set_child(element, "static", &is_static.to_string())));
            }
            Change::SetInfo { model, info } => {
                let own = own_element(loaded, model, findings).and_then(|id| loaded.document.element(id));
                edits.extend(own.map(|element| elements::info(element, info, None)));
            }
            Change::Add { xml, name, entity, .. } => {
                let root = loaded.document.root();
                let parent = id_of(root.child("world").unwrap_or(root), &loaded.document);
                let xml = named(xml, name, entity.as_ref())?;
                edits.extend(parent.map(|parent| Edit::Insert { parent, xml }));
            }
            Change::PlaceCamera { pose } => edits.extend(elements::camera(loaded, pose, findings)),
            Change::SetRoad { road, points } => edits.extend(elements::road(loaded, road, points, findings)),
            Change::Contribute(_) => {}
        }
    }
    for change in changes {
        if let Change::Contribute(contribution) = change {
            edits.extend(elements::contribution(loaded, contribution, &removed, findings));
        }
    }
    edits.extend(removed.into_iter().map(|element| Edit::Remove { element }));
    edits.extend(elements::declaration(&loaded.document, &edits));
    Ok(edits)
}

/// The `<model>` or `<include>` of a top-level model in the file that is saved.
fn own_element(loaded: &Loaded, name: &str, findings: &mut Vec<Diagnostic>) -> Option<NodeId> {
    let found = model(loaded, name).and_then(|model| element_of(model, &loaded.document));
    if found.is_none() {
        let file = loaded.document.source().name();
        findings.push(Diagnostic::warning(
            Code::SaveNotOwn,
            None,
            format!("`{name}` has no element of its own in `{file}`"),
        ));
    }
    found
}

fn model<'a>(loaded: &'a Loaded, name: &str) -> Option<&'a Model> {
    loaded.world.models.iter().find(|model| model.name == name)
}

fn element_of(model: &Model, document: &Arc<Document>) -> Option<NodeId> {
    model.include.as_ref().unwrap_or(&model.origin).id_in(document)
}

fn id_of(element: Element<'_>, document: &Arc<Document>) -> Option<NodeId> {
    element.origin().id_in(document)
}

/// A child with a text, replacing an existing one.
fn set_child(element: Element<'_>, name: &str, text: &str) -> Edit {
    match element.child(name) {
        Some(child) => Edit::SetText { element: child.id(), text: text.to_owned() },
        None => Edit::Insert { parent: element.id(), xml: format!("<{name}>{text}</{name}>") },
    }
}

/// A spawned element with its name and entity properties in the world.
fn named(xml: &str, name: &str, entity: Option<&element::Entity>) -> Result<String, EditError> {
    let not_xml = |reason: String| EditError::NotXml { xml: xml.to_owned(), reason };
    let document =
        Document::parse(Source::from_text("spawned model", xml)).map_err(|error| not_xml(error.found))?;
    let root = document.root();
    let edit = match root.name() {
        "model" => Edit::SetAttribute { element: root.id(), name: "name".to_owned(), value: name.to_owned() },
        "include" => set_child(root, "name", name),
        other => return Err(not_xml(format!("`<{other}>` is neither a model nor an include"))),
    };
    let entity = entity.map(|entity| elements::info(root, &entity.info, Some(&entity.namespace)));
    edit::apply(&document, &std::iter::once(edit).chain(entity).collect::<Vec<_>>())
}

/// The edit that moves a model from its pose in the text to `wanted`; `None` if it is there already.
fn place(now: &Loaded, name: &str, wanted: &Pose) -> Option<Edit> {
    let model = model(now, name)?;
    if is_near(&model.pose, wanted, NEAR) {
        return None;
    }
    let element = now.document.element(element_of(model, &now.document)?)?;
    let in_model = model.placement();
    let written = element.child("pose");
    // For any frame R of the pose: world = R · raw · in_model⁻¹, before and after.
    let frame = match written {
        Some(_) => model.pose.compose(&in_model).compose(&written_pose(now, name)?.inverse()),
        None => Pose::IDENTITY,
    };
    let raw = frame.inverse().compose(wanted).compose(&in_model);
    let is_kept = |raw: &Pose| is_near(&frame.compose(raw).compose(&in_model.inverse()), wanted, NEARER);
    let text = edit::pose_text(written.unwrap_or(element), &raw, is_kept);
    Some(match written {
        Some(pose) => Edit::SetText { element: pose.id(), text },
        None => Edit::Insert { parent: element.id(), xml: format!("<pose>{text}</pose>") },
    })
}

/// The pose as given by the file.
fn written_pose(loaded: &Loaded, name: &str) -> Option<Pose> {
    let models: &[element::Model] = match &loaded.root {
        Root::World(world) => &world.models,
        Root::Model(model) => std::slice::from_ref(&**model),
        Root::Light(_) | Root::Actor(_) => &[],
    };
    models.iter().find(|model| model.name == name).map(|model| model.pose.pose)
}

fn is_near(found: &Pose, wanted: &Pose, tolerance: f64) -> bool {
    // Far from the origin, an f64 is coarser than a nanometre.
    let reach = wanted.position.abs().max_element();
    found.is_within(wanted, tolerance.max(8.0 * f64::EPSILON * reach), tolerance)
}

fn unplaced(now: &Loaded, name: &str, wanted: &Pose) -> Option<Diagnostic> {
    let model = model(now, name)?;
    let reach = 1.0 + wanted.position.abs().max_element();
    let is_right =
        model.pose.is_within(wanted, CLOSE * reach, CLOSE) || element_of(model, &now.document).is_none();
    let at = model.include.as_ref().unwrap_or(&model.origin).location();
    (!is_right).then(|| {
        let found = format!("`{name}` is at {} m after loading again", model.pose.position);
        let expected = format!("{} m, as in the run", wanted.position);
        Diagnostic::warning(Code::SaveNotPlaced, at, found).expected(expected)
    })
}

/// Returns whether a saved text has the same meaning at its new place: addresses in it may be relative to its
/// folder.
///
/// # Errors
/// Returns an error if the text is not a world there.
pub fn means_the_same(
    saved: &Saved,
    loaded: &Loaded,
    target: &Path,
    files: &dyn Files,
    search: &SearchPath,
) -> Result<bool, LoadError> {
    let here = reload(loaded, &saved.text, files, search)?;
    let there =
        load_source(files, Source::from_file(target, saved.text.as_str()), search, &Budget::default())?;
    let shape = |loaded: &Loaded| -> Vec<(String, usize)> {
        loaded.world.models.iter().map(|model| (model.name.clone(), model.links.len())).collect()
    };
    Ok(shape(&here) == shape(&there) && here.diagnostics.len() == there.diagnostics.len())
}

#[cfg(test)]
mod tests;
