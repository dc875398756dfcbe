//! Loads a file or a text: the resolved world, and all findings. Runs on the calling thread and reads files
//! only through [`Files`].

use super::address::SearchPath;
use super::diagnostic::{Code, Diagnostic, Severity};
use super::element;
use super::files::{Disk, Files, InMemory};
use super::reader::{Reader, Root};
use super::resolve::resolve;
use super::resolved::World;
use super::{Document, Source, urdf};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// A loaded file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The file itself, for saving; included files are kept alive by the origins of their elements.
    pub document: Arc<Document>,
    /// The elements as written.
    pub root: Root,
    /// The world with every pose as numbers; a single model is placed in a world with SDF's defaults.
    pub world: World,
    /// Every finding, in order.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Returns true if the file conforms to the standard: no finding is an error.
    #[must_use]
    pub fn is_clean(&self) -> bool {
        self.diagnostics.iter().all(|finding| finding.severity < Severity::Error)
    }
}

/// A file from which nothing could be loaded.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// The finding that ended the load.
    pub cause: Box<Diagnostic>,
    /// The findings before it.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl std::error::Error for LoadError {}

/// Loads a world or model from a file of this machine.
///
/// # Errors
/// Returns an error if the file cannot be read, is not XML, is not SDF of a supported version, or contains
/// nothing to load.
pub fn load(path: &Path, search: &SearchPath) -> Result<Loaded, LoadError> {
    load_with(&Disk, path, search)
}

/// Loads a world or model from the given files.
///
/// # Errors
/// Returns an error like [`load`].
pub fn load_with(files: &dyn Files, path: &Path, search: &SearchPath) -> Result<Loaded, LoadError> {
    let text = files.read(path).map_err(|error| {
        let cause = Diagnostic::error(Code::Unreadable, None, format!("`{}`: {error}", path.display()));
        LoadError { cause: Box::new(cause.expected("a readable UTF-8 file")), diagnostics: Vec::new() }
    })?;
    load_source(files, Source::from_file(path, text), search)
}

/// Loads a world or model from a text; `name` appears in messages in place of a file name.
///
/// # Errors
/// Returns an error like [`load`].
pub fn parse_str(name: &str, text: &str) -> Result<Loaded, LoadError> {
    load_source(&InMemory::new(), Source::from_text(name, text), &SearchPath::default())
}

/// Loads a world or model from a source.
///
/// # Errors
/// Returns an error like [`load`].
pub fn load_source(files: &dyn Files, source: Source, search: &SearchPath) -> Result<Loaded, LoadError> {
    let (document, mut diagnostics) = Document::parse(source)
        .and_then(urdf::translated)
        .map_err(|cause| LoadError { cause, diagnostics: Vec::new() })?;
    let mut reader = Reader::new(files, search);
    let root = reader.read_document(&document);
    diagnostics.append(&mut reader.diagnostics);
    match root {
        Ok(root) => {
            let world = resolve(&world_of(&root), &mut diagnostics);
            Ok(Loaded { document, root, world, diagnostics })
        }
        Err(cause) => Err(LoadError { cause, diagnostics }),
    }
}

/// The world to resolve: that of the file, or one around the single model of the file.
fn world_of(root: &Root) -> std::borrow::Cow<'_, element::World> {
    use std::borrow::Cow;
    let around = element::World { name: "default".to_owned(), ..element::World::default() };
    match root {
        Root::World(world) => Cow::Borrowed(world),
        Root::Model(model) => Cow::Owned(element::World { models: vec![(**model).clone()], ..around }),
        Root::Actor(actor) => Cow::Owned(element::World { actors: vec![(**actor).clone()], ..around }),
        Root::Light(light) => Cow::Owned(element::World { lights: vec![(**light).clone()], ..around }),
    }
}

#[cfg(test)]
mod tests;
