//! The text being read: returns places, resolves paths, and collects errors.

use std::cell::RefCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::error::ConfigError;

/// A configuration file while it is read.
pub(in crate::config) struct Source<'a> {
    text: &'a str,
    name: Arc<str>,
    folder: PathBuf,
    /// The errors, with the byte of each.
    errors: RefCell<Vec<(usize, ConfigError)>>,
}

impl<'a> Source<'a> {
    pub(in crate::config) fn new(text: &'a str, path: &Path) -> Self {
        Source {
            text,
            name: path.to_string_lossy().into(),
            folder: path.parent().unwrap_or(Path::new("")).to_owned(),
            errors: RefCell::default(),
        }
    }

    /// Returns the name of the file as it was given.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// Returns `file:line:column` of the beginning of a span; columns count characters.
    pub(super) fn place(&self, span: &Range<usize>) -> String {
        let (line, column) = self.line_column(span.start);
        format!("{}:{line}:{column}", self.name)
    }

    /// Returns the line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> u32 {
        self.line_column(at).0
    }

    fn line_column(&self, at: usize) -> (u32, usize) {
        let before = self.text.get(..at).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = before.matches('\n').count() + 1;
        let column = before.get(start..).unwrap_or("").chars().count() + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), column)
    }

    /// Returns a path of the file relative to the working directory.
    pub(in crate::config) fn resolve(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Reports an error at `span`.
    pub(super) fn report(&self, span: &Range<usize>, error: ConfigError) {
        self.errors.borrow_mut().push((span.start, error.at(self.place(span))));
    }

    /// Returns the errors in the order of the file.
    pub(in crate::config) fn into_errors(self) -> Vec<ConfigError> {
        let mut errors = self.errors.into_inner();
        errors.sort_by_key(|(at, _)| *at);
        errors.into_iter().map(|(_, error)| error).collect()
    }
}
