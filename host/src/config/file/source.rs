//! The text being read: names its places, resolves its paths, and collects what is wrong in it.

use std::cell::RefCell;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::config::ConfigError;

/// A configuration file while it is read.
pub(in crate::config) struct Source<'a> {
    text: &'a str,
    name: Arc<str>,
    folder: PathBuf,
    /// What is wrong, with the byte at which it stands.
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

    /// The file's name as it was given.
    pub(super) fn name(&self) -> &Arc<str> {
        &self.name
    }

    /// `file:line:column` of the beginning of a span; columns count characters.
    pub(super) fn place(&self, span: &Range<usize>) -> String {
        let (line, column) = self.line_column(span.start);
        format!("{}:{line}:{column}", self.name)
    }

    /// The line of a byte, from 1.
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

    /// A path of the file, seen from where the process runs.
    pub(in crate::config) fn resolve(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// Keeps an error that stands at `span`.
    pub(super) fn report(&self, span: &Range<usize>, error: ConfigError) {
        self.errors.borrow_mut().push((span.start, error.at(self.place(span))));
    }

    /// Every error, in the order of the file.
    pub(in crate::config) fn into_errors(self) -> Vec<ConfigError> {
        let mut errors = self.errors.into_inner();
        errors.sort_by_key(|(at, _)| *at);
        errors.into_iter().map(|(_, error)| error).collect()
    }
}
