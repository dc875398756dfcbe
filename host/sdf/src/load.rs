//! Loads a file or a text: the resolved world, and all findings. Runs on the calling thread and reads files
//! only through [`Files`].

use super::address::SearchPath;
use super::budget::Budget;
use super::conversion::converted;
use super::diagnostic::{Code, Diagnostic, Severity};
use super::document::Document;
use super::element;
use super::files::{Disk, FileError, Files, InMemory, ReadError};
use super::findings::Findings;
use super::limits::Limit;
use super::mjcf::Purpose;
use super::reader::{self, Root};
use super::resolve::resolve;
use super::resolved::World;
use super::source::{Location, Source};
use super::xacro::{not_expanded, read_source};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// Findings that are kept if a reading stops: the reason for the stop must not be lost among them.
const MAX_BEFORE_STOP: usize = 10;

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

impl LoadError {
    fn of(cause: Box<Diagnostic>) -> Self {
        LoadError { cause, diagnostics: Vec::new() }
    }
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
/// nothing to load; and if the budget does not suffice, with that as its only cause.
pub fn load(path: &Path, search: &SearchPath, budget: &Budget) -> Result<Loaded, LoadError> {
    load_with(&Disk, path, search, budget)
}

/// Loads a world or model from the given files.
///
/// # Errors
/// Returns an error like [`load`].
pub fn load_with(
    files: &dyn Files,
    path: &Path,
    search: &SearchPath,
    budget: &Budget,
) -> Result<Loaded, LoadError> {
    budget.charge(Limit::Files, 1, || None).map_err(LoadError::of)?;
    let source =
        read_source(files, path, search, budget.most(Limit::TextFile)).map_err(|error| match error {
            ReadError::File(FileError::TooLarge(_)) => {
                LoadError::of(budget.exceeded(Limit::TextFile, || Some(Location::at(path))))
            }
            ReadError::Xacro(why) => LoadError::of(Box::new(not_expanded(Location::at(path), path, &why))),
            error => {
                let cause =
                    Diagnostic::error(Code::Unreadable, None, format!("`{}`: {error}", path.display()));
                LoadError::of(Box::new(cause.expected("a readable UTF-8 file")))
            }
        })?;
    load_source(files, source, search, budget)
}

/// Loads a world or model from a text; `name` appears in messages in place of a file name.
///
/// # Errors
/// Returns an error like [`load`].
pub fn parse_str(name: &str, text: &str) -> Result<Loaded, LoadError> {
    let source = Source::from_text(name, text);
    load_source(&InMemory::new(), source, &SearchPath::default(), &Budget::default())
}

/// Loads a world or model from a source.
///
/// # Errors
/// Returns an error like [`load`].
pub fn load_source(
    files: &dyn Files,
    source: Source,
    search: &SearchPath,
    budget: &Budget,
) -> Result<Loaded, LoadError> {
    load_as(files, source, search, budget, Purpose::World)
}

/// Loads a model that is added to a world from a source: an MJCF is the model without its ground.
///
/// # Errors
/// Returns an error like [`load`].
pub fn load_model_source(
    files: &dyn Files,
    source: Source,
    search: &SearchPath,
    budget: &Budget,
) -> Result<Loaded, LoadError> {
    load_as(files, source, search, budget, Purpose::Part)
}

fn load_as(
    files: &dyn Files,
    source: Source,
    search: &SearchPath,
    budget: &Budget,
    purpose: Purpose,
) -> Result<Loaded, LoadError> {
    let beginning = source.location(0);
    budget.charge(Limit::Text, source.text().len() as u64, || Some(beginning)).map_err(LoadError::of)?;
    let document = Document::parse_within(source, budget);
    let (document, of_conversion) =
        document.and_then(|document| converted(document, purpose, files, budget)).map_err(LoadError::of)?;
    let mut findings = Findings::new(budget);
    findings.extend(of_conversion);
    let (root, mut findings) = reader::read(&document, files, search, findings);
    let read = root.map(|root| {
        let world = resolve(&world_of(&root), &mut findings);
        (root, world)
    });
    let mut diagnostics = findings.into_list();
    if let Some(stopped) = budget.stopped() {
        diagnostics.truncate(MAX_BEFORE_STOP);
        return Err(LoadError { cause: Box::new(stopped.clone()), diagnostics });
    }
    match read {
        Ok((root, world)) => Ok(Loaded { document, root, world, diagnostics }),
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
