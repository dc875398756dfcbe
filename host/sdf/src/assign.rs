//! Sets single values of a world by their paths, in memory: the files stay as they are, and relative addresses in them
//! keep their meaning.
//!
//! A path also reaches into included models. The changed text of an included file is a file in memory beside the original,
//! which only the one `<include>` refers to; a second include of the same file is not affected. Pure functions that read
//! through [`Files`], usable from any thread.

mod assigner;
mod path;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::address::SearchPath;
use super::budget::Budget;
use super::diagnostic::Code;
use super::edit::EditError;
use super::files::{FileError, FileKind, Files, ReadError, Xacro, normalize};
use super::mjcf::Purpose;
use super::source::Source;

use assigner::Assigner;
use path::Malformed;
pub use path::ValuePath;

/// A value to set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Assignment {
    /// The path of the value.
    pub path: ValuePath,
    /// The new text.
    pub value: String,
}

/// Why a value cannot be read or set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AssignError {
    /// The text is not a path.
    #[error(
        "[{}] `{path}` is not the path of a value: {why}; try: `world.model[NAME].link[NAME].inertial.mass`, or `.@NAME` at the end for an attribute",
        Code::PathMalformed
    )]
    Malformed {
        /// The text.
        path: String,
        /// What is wrong.
        why: String,
    },
    /// No element or attribute has this path.
    #[error(
        "[{}] `{path}` is not in `{file}`: `{parent}` has no `{missing}`; found {found}; try: write the element into the file, or correct the path",
        Code::PathNowhere
    )]
    Nowhere {
        /// The path.
        path: String,
        /// The file in which the search ended.
        file: String,
        /// The last part that was found.
        parent: String,
        /// The part that was not.
        missing: String,
        /// What is there.
        found: String,
    },
    /// Several elements have this path.
    #[error(
        "[{}] `{path}` is ambiguous: `{step}` is {places}; try: the number of one in brackets, such as `{element}[0]`",
        Code::PathAmbiguous
    )]
    Ambiguous {
        /// The path.
        path: String,
        /// The part that several elements have.
        step: String,
        /// Its element.
        element: String,
        /// Their places.
        places: String,
    },
    /// The value cannot be written.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A file cannot be read; the text has its code.
    #[error("{0}")]
    Unreadable(String),
}

impl Assignment {
    /// Reads `PATH=VALUE`.
    ///
    /// # Errors
    /// Returns an error if there is no `=`, or the path is malformed.
    pub fn parse(text: &str) -> Result<Self, AssignError> {
        // A name in brackets may contain a `=`.
        let at = text.match_indices('=').map(|(at, _)| at).find(|at| {
            let before = text.get(..*at).unwrap_or_default();
            before.matches('[').count() == before.matches(']').count()
        });
        let Some((path, value)) = at.and_then(|at| Some((text.get(..at)?, text.get(at + 1..)?))) else {
            let why = "there is no `=` with a value behind it".to_owned();
            return Err(AssignError::Malformed { path: shortened(text), why });
        };
        Ok(Assignment { path: ValuePath::parse(path)?, value: value.to_owned() })
    }
}

impl ValuePath {
    /// Reads a path.
    ///
    /// # Errors
    /// Returns an error if it is malformed.
    pub fn parse(text: &str) -> Result<Self, AssignError> {
        ValuePath::read(text).map_err(|Malformed(why)| AssignError::Malformed { path: shortened(text), why })
    }
}

/// Returns a text of any length for a message.
fn shortened(text: &str) -> String {
    /// Letters that a message shows.
    const MAX: usize = 200;
    let mut short: String = text.chars().take(MAX).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl fmt::Display for Assignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.path, self.value)
    }
}

/// A changed file, and the files that it includes.
pub struct Assigned<'a> {
    /// The changed text.
    pub source: Source,
    /// The file system with the changed included files.
    pub files: Overlay<'a>,
}

/// A file system with some files in memory on top of it.
pub struct Overlay<'a> {
    below: &'a dyn Files,
    above: BTreeMap<PathBuf, Arc<str>>,
}

impl Files for Overlay<'_> {
    fn read(&self, path: &Path, most: u64) -> Result<String, ReadError> {
        match self.above.get(&normalize(path)) {
            Some(text) if text.len() as u64 > most => Err(FileError::TooLarge(most).into()),
            Some(text) => Ok(text.to_string()),
            None => self.below.read(path, most),
        }
    }

    fn expand(&self, xacro: Xacro<'_>, most: u64) -> Result<String, ReadError> {
        self.below.expand(xacro, most)
    }

    fn kind(&self, path: &Path) -> FileKind {
        if self.above.contains_key(&normalize(path)) { FileKind::File } else { self.below.kind(path) }
    }
}

/// Sets values, one after the other.
///
/// # Errors
/// Returns an error if a path matches no value or several, or a file cannot be read.
pub fn assign<'a>(
    files: &'a dyn Files,
    source: Source,
    search: &SearchPath,
    budget: &Budget,
    assignments: &[Assignment],
) -> Result<Assigned<'a>, AssignError> {
    let mut assigner = Assigner { files: Overlay { below: files, above: BTreeMap::new() }, search, budget };
    let mut document = assigner.document(source, Purpose::World)?;
    for Assignment { path, value } in assignments {
        let text = assigner.changed(&document, None, (path, &path.steps), value, 0)?;
        let source = changed_source(document.source(), text);
        document = assigner.document(source, Purpose::World)?;
    }
    let source = changed_source(document.source(), document.source().text().to_owned());
    Ok(Assigned { source, files: assigner.files })
}

/// Returns the text that a value has now.
///
/// # Errors
/// Returns an error like [`assign`].
pub fn value_at(
    files: &dyn Files,
    source: Source,
    search: &SearchPath,
    budget: &Budget,
    path: &ValuePath,
) -> Result<String, AssignError> {
    let assigner = Assigner { files: Overlay { below: files, above: BTreeMap::new() }, search, budget };
    let document = assigner.document(source, Purpose::World)?;
    assigner.value(&document, None, (path, &path.steps), 0)
}

fn changed_source(source: &Source, text: String) -> Source {
    match source.path() {
        Some(path) => Source::of_file(source.name(), path, text),
        None => Source::from_text(source.name(), text),
    }
}

#[cfg(test)]
mod tests;
