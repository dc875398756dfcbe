//! MJCF, the XML of MuJoCo, in place of SDF: a document with `<mujoco>` is converted to SDF 1.11 before it is read.
//!
//! - **As a world** it becomes a world with the gravity and time step of its `<option>`: what belongs to the world body is
//!   a static model, and everything else one model. **Included**, it is that one model, without planes of the world.
//! - **Bodies become links**, placed as at the start (`qpos0`, or the keyframe `home` for a free body). A body without
//!   joints is fixed to its parent; without mass, it becomes a frame of it.
//! - **Several joints of a body** are connected by links of a thousandth of its mass, which the body has less.
//! - **Contacts** are filtered as in MuJoCo: by `contype`, `conaffinity`, `<exclude>`, and not between parent and child.
//! - **Actuators** of joints become the plugins `joint_command` and `joint_state`.
//! - **What SDF cannot express** is left out and named once for each kind, never silently.
//!
//! Findings about the MJCF have locations in it; findings about the generated SDF have locations in that text, which is
//! named after the file. Files are read only through [`Files`].

mod contacts;
mod inertia;
mod names;
mod placed;
mod purpose;
mod read;
mod robot;
mod rotation;
mod shape;
mod sources;
mod write;

use super::budget::Budget;
use super::diagnostic::Diagnostic;
use super::document::Document;
use super::files::Files;
use super::limits::Limit;
use super::source::Source;
use placed::Placed;
pub(super) use purpose::{Purpose, ROOT};
use read::Reader;
use sources::Sources;
use std::sync::Arc;
use write::Writer;

/// Converts a document of MJCF; returns SDF with the findings.
///
/// # Errors
/// Returns an error if it has nothing to simulate, or the budget does not suffice.
pub(super) fn translated(
    document: &Arc<Document>,
    purpose: Purpose,
    files: &dyn Files,
    budget: &Budget,
) -> Result<(Arc<Document>, Vec<Diagnostic>), Box<Diagnostic>> {
    let (sdf, findings) = convert(document, purpose, files, budget)?;
    budget.go_on(|| Some(document.source().location(0)))?;
    let source = document.source();
    let name = format!("{} as SDF", source.name());
    let made = match source.path() {
        Some(path) => Source::of_file(&name, path, sdf),
        None => Source::from_text(&name, sdf),
    };
    budget.charge(Limit::Text, made.text().len() as u64, || Some(document.source().location(0)))?;
    Ok((Document::parse_within(made, budget)?, findings))
}

/// Returns the SDF text, and what was changed, left out or invented, with locations in the MJCF.
fn convert(
    document: &Arc<Document>,
    purpose: Purpose,
    files: &dyn Files,
    budget: &Budget,
) -> Result<(String, Vec<Diagnostic>), Box<Diagnostic>> {
    let mut findings = Vec::new();
    let sources = Sources::read(document, files, budget, &mut findings)?;
    let robot = Reader::read(&sources, budget, &mut findings)?;
    let placed = Placed::new(&robot, &mut findings);
    let sdf = Writer::new(&robot, &placed, purpose, &mut findings).write();
    findings.sort_by_key(|finding| finding.location.as_ref().map(|place| (place.line, place.column)));
    Ok((sdf, findings))
}

#[cfg(test)]
mod tests;
