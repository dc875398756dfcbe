//! SDF: text in, typed elements and diagnostics out, and edits back into the same text.
//! Pure: no rapier, no sockets, no clock; files are read only through [`Files`]. What the elements do is decided by
//! the layers above. Everything here is plain values, usable from any thread.

pub mod diagnostic;
pub mod edit;
pub mod element;
pub mod head;
pub mod params;
pub mod pose;
pub mod resolved;
pub mod save;

mod address;
mod document;
mod files;
mod load;
mod model_folder;
mod reader;
mod reading;
mod resolve;
#[cfg(test)]
#[path = "../../../tests/it/support/skip.rs"]
mod skip;
mod source;
mod urdf;

pub use address::{NotFound, SearchPath, locate};
pub use diagnostic::{Code, Diagnostic, Severity};
pub use document::{Document, Element, NodeId, Origin};
pub use files::{Disk, Files, InMemory};
pub use load::{LoadError, Loaded, load, load_source, load_with, parse_str};
pub use model_folder::{ModelConfig, model_config};
pub use pose::Pose;
pub use reader::{KNOWN, Known, Root};
pub use reading::{findings, reading, verdict};
pub use source::{Location, Source, Span};
