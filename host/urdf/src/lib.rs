//! Turns the text of a URDF file into the text of an SDF 1.11 file with one model.
//!
//! It reads and writes text and touches nothing else; any thread may call it.
//!
//! - **Frames** come out as in URDF. A joint stands relative to its parent link by its `<origin>`, the child link
//!   stands in the joint, and the root link stands at the model's origin. If the root link is called `world`, its
//!   joints tie the model to the world.
//! - **Fixed joints stay fixed joints.** libsdformat merges the child of a fixed joint into its parent ("lumping"),
//!   by which links, frames and sensors change their names and places. Here every link keeps its name, and
//!   `preserveFixedJoint` and `disableFixedJointLumping` have nothing to do.
//! - **A link without mass** that is fixed to a body becomes a `<frame>` of that body, and so does the joint between
//!   them; its shapes, sensors and lights stand on the body, relative to the frame. One that moves gets a small mass,
//!   with a warning. libsdformat drops it, with everything that hangs on it.
//! - **Addresses of meshes** (`package://`, `model://`, `file://`, relative) stay as they are.
//! - **What SDF has no place for** is left out and named once in the findings, never silently.
//!
//! ```
//! let urdf = r#"<robot name="lamp"><link name="foot"/></robot>"#;
//! let converted = bridgehead_urdf::to_sdf(urdf, "lamp.urdf")?;
//! assert!(converted.sdf.contains(r#"<link name="foot">"#));
//! assert_eq!(converted.findings[0].code, bridgehead_urdf::Code::MassInvented);
//! # Ok::<(), bridgehead_urdf::UrdfError>(())
//! ```

mod bodies;
mod code;
mod finding;
mod names;
mod number;
mod read;
mod robot;
mod tree;
mod write;
mod xml;

pub use code::Code;
pub use finding::{Finding, Location, Severity, UrdfError};

use bodies::Bodies;
use names::Names;
use read::Reader;
use tree::Tree;
use write::Writer;
use xml::Document;

/// A converted robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// The SDF file.
    pub sdf: String,
    /// What was changed, left out or made up, by place in the URDF.
    pub findings: Vec<Finding>,
}

/// Turns a URDF into SDF; `file` stands in the findings as the name of the file.
///
/// # Errors
/// The text is not XML, not a URDF, still xacro, or its links and joints are not one tree.
pub fn to_sdf(text: &str, file: &str) -> Result<Converted, UrdfError> {
    let document = Document::parse(text, file)?;
    let (robot, mut findings) = Reader::read(&document)?;
    let tree = Tree::new(&robot)?;
    let bodies = Bodies::new(&robot, &tree);
    let names = Names::new(&robot, &tree, &mut findings);
    let sdf = Writer::new(&robot, &tree, &bodies, &names, &mut findings).write();
    findings.sort_by_key(|finding| (finding.location.line, finding.location.column));
    Ok(Converted { sdf, findings })
}

/// Whether a text is a URDF, or xacro for one: its outermost element is `<robot>`.
#[must_use]
pub fn is_urdf(text: &str) -> bool {
    xml::root_name(text).is_some_and(|name| name == "robot")
}

#[cfg(test)]
mod tests;
