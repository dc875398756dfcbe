//! Reads SDF, URDF and MJCF into typed elements, poses and diagnostics, and writes changes into the original text.
//!
//! Loading produces four results: a [`Document`] with the byte range of each element, the typed [`element`]s as
//! written, the [`resolved`] world with every pose as numbers, and the [`Diagnostic`]s. A URDF or MJCF is converted
//! to SDF first. Saving turns changes into edits of the original text; the rest of the text stays the same, byte for byte.
//!
//! The caller is responsible for: the effect of elements in a simulation, opening meshes and images, and whether a
//! warning or an error ends the run. Nothing is fetched from a network.
//!
//! | item | meaning |
//! |---|---|
//! | [`load`], [`load_with`], [`parse_str`] | a file or a text to a [`Loaded`] |
//! | [`Loaded`] | document, elements, resolved world, diagnostics |
//! | [`SearchPath`], [`locate`] | where `model://`, `package://` and relative addresses are looked up |
//! | [`Files`], [`Disk`], [`InMemory`] | the file system that the reader uses |
//! | [`Budget`], [`Cancel`], [`limits`] | what one reading may use, and how another thread ends it |
//! | [`pose::Pose`] | poses in SDF's convention |
//! | [`params::Params`] | a tree of parameters for plugins and sensors |
//! | [`save::save`], [`edit::apply`] | changes of a world, or edits, written into the text |
//! | [`assign::assign`] | single values set by their paths, in memory |
//! | [`KNOWN`] | the table of elements that are read, and of elements that are kept without effect |
//!
//! Threads: plain values and functions, usable from any thread; a [`Document`] is shared by `Arc`.
//!
//! Errors: a [`Diagnostic`] has a [`Severity`], a [`Code`] `BH-SDF-nnn`, a location, what was found and expected, and a
//! hint. An invalid value is replaced by its default, and the rest is loaded; a [`LoadError`] means that nothing could
//! be loaded. No input makes the reader panic.
//!
//! # Example
//!
//! ```
//! let text = r#"<sdf version="1.9"><world name="yard">
//!   <model name="box"><pose>1 2 0 0 0 0</pose><link name="link"/></model>
//! </world></sdf>"#;
//!
//! let loaded = bridgehead_sdf::parse_str("yard.sdf", text)?;
//! assert!(loaded.is_clean(), "{:?}", loaded.diagnostics);
//! assert_eq!(loaded.world.models[0].pose.position.y, 2.0);
//! # Ok::<(), bridgehead_sdf::LoadError>(())
//! ```

pub mod assign;
pub mod diagnostic;
pub mod edit;
pub mod element;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
pub mod head;
pub mod limits;
mod print;
pub mod resolved;
pub mod save;

mod account;
mod address;
mod as_json;
mod budget;
mod conversion;
mod document;
mod files;
mod findings;
mod load;
mod mjcf;
mod model_folder;
mod number;
mod reader;
mod resolve;
mod scope;
#[cfg(test)]
#[path = "../../../tests/it/support/skip.rs"]
mod skip;
mod source;
mod text;
mod urdf;
mod version;
mod xacro;
mod xml_text;

pub use bridgehead_params as params;

pub use account::Account;
pub use address::{NotFound, SearchPath, file_uri, locate, path_of_file_uri};
pub use as_json::{findings, reading, verdict};
pub use bridgehead_pose as pose;
pub use budget::{Budget, Cancel};
pub use diagnostic::{Code, Cost, Diagnostic, Severity, collapsed, digest};
pub use document::{Document, Element, NodeId, Origin};
pub use files::{Disk, FileError, FileKind, Files, InMemory, ReadError, Xacro, XacroError, open, read_bytes};
pub use load::{LoadError, Loaded, load, load_model_source, load_source, load_with, parse_str};
pub use model_folder::{ModelConfig, model_config};
pub use pose::Pose;
pub use print::{print, print_passive};
pub use reader::{KNOWN, Known, OTHER_FORMATS, Root};
pub use source::{Location, Source, Span};
pub use xacro::read_source;
