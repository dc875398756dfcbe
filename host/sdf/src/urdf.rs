//! URDF in place of SDF: a document with one robot is converted to one SDF 1.11 model before it is read.
//!
//! - **Frames** are those of the URDF. A joint is relative to its parent link by its `<origin>`, the child
//!   link is at the joint, and the root link is at the model's origin. If the root link is called `world`,
//!   its joints connect the model to the world.
//! - **Fixed joints stay fixed joints.** libsdformat merges the child of a fixed joint into its parent ("lumping"),
//!   which changes names and poses of links, frames and sensors. Here every link keeps its name, and
//!   `preserveFixedJoint` and `disableFixedJointLumping` have no effect.
//! - **A link without mass** that is fixed to a body becomes a `<frame>` of that body, and so does the joint
//!   between them; its shapes, sensors and lights are moved to the body, relative to the frame. One that
//!   moves gets a small mass, with a warning. libsdformat drops it, with everything attached to it.
//! - **Addresses of meshes** (`package://`, `model://`, `file://`, relative) stay as they are.
//! - **Controllers** of `ros2_control` are plugins; only the files of parameters that name them are read.
//! - **Elements without a counterpart in SDF** are left out and named once in the findings, never silently.
//!
//! Findings about the URDF have locations in it; findings about the generated SDF have locations in that
//! text, which is named after the file. Usable from any thread.

mod bodies;
mod names;
mod parameters;
mod read;
mod refusal;
mod robot;
mod tree;
mod write;

use super::budget::Budget;
use super::diagnostic::Diagnostic;
use super::document::Document;
use super::files::Files;
use super::limits::Limit;
use super::source::Source;
use bodies::Bodies;
use names::Names;
use read::Reader;
use refusal::Refusal;
use std::sync::Arc;
use tree::Tree;
use write::Writer;

/// Converts a document if it is a URDF; returns SDF with the findings.
///
/// # Errors
/// Returns an error if the URDF is a xacro source, or its links and joints are not one tree.
pub(super) fn translated(
    document: Arc<Document>,
    files: &dyn Files,
    budget: &Budget,
) -> Result<(Arc<Document>, Vec<Diagnostic>), Refusal> {
    if document.root().name() != "robot" {
        return Ok((document, Vec::new()));
    }
    let (sdf, findings) = convert(&document, files, budget)?;
    budget.go_on(|| Some(document.source().location(0)))?;
    let source = document.source();
    let name = format!("{} as SDF", source.name());
    let source = match source.path() {
        Some(path) => Source::of_file(&name, path, sdf),
        None => Source::from_text(&name, sdf),
    };
    let made = source.made_of(document.source());
    budget.charge(Limit::Text, made.text().len() as u64, || Some(document.source().location(0)))?;
    Ok((Document::parse_within(made, budget)?, findings))
}

/// Returns the SDF text, and what was changed, left out or invented, with locations in the URDF.
fn convert(
    document: &Arc<Document>,
    files: &dyn Files,
    budget: &Budget,
) -> Result<(String, Vec<Diagnostic>), Refusal> {
    let (robot, mut findings) = Reader::read(document, files, budget)?;
    let tree = Tree::new(&robot)?;
    let bodies = Bodies::new(&robot, &tree);
    let names = Names::new(&robot, &tree, &mut findings);
    let sdf = Writer::new(&robot, &tree, &bodies, &names, &mut findings).write();
    findings.sort_by_key(|finding| finding.location.as_ref().map(|place| (place.line, place.column)));
    Ok((sdf, findings))
}

#[cfg(test)]
mod tests;
