//! What the reading of a file shares with that of its includes. Those who read elements without includes get only the
//! parts that they need.

use super::lookup::Lookup;
use super::report::Report;
use super::root::Root;
use crate::diagnostic::Diagnostic;
use crate::document::{Document, Element};
use crate::files::normalize;
use crate::findings::Findings;
use crate::limits::Limit;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads the content of a document. Worlds and models contain includes, whose content is a world or a model again: so
/// that their files need not import each other in a circle, it is a value.
pub(super) type ReadContent = fn(&Arc<Document>, &mut Context<'_>) -> Result<Root, Box<Diagnostic>>;

/// A file that is read, with the files around it.
pub(super) struct Context<'a> {
    pub(super) lookup: Lookup<'a>,
    pub(super) report: Report,
    read_content: ReadContent,
    /// Open files, outermost first, to detect include cycles.
    open: Vec<PathBuf>,
    /// Number of models around the current element, with those of the including files.
    nesting: u64,
}

impl<'a> Context<'a> {
    pub(super) fn new(lookup: Lookup<'a>, findings: Findings, read_content: ReadContent) -> Self {
        Self { lookup, report: Report::new(findings), read_content, open: Vec::new(), nesting: 0 }
    }

    /// Reads a document, which is open meanwhile.
    ///
    /// # Errors
    /// Returns the fatal finding if there is nothing to load.
    pub(super) fn read_document(&mut self, document: &Arc<Document>) -> Result<Root, Box<Diagnostic>> {
        let around = self.open.len();
        self.open.extend(document.source().path().map(normalize));
        let content = (self.read_content)(document, self);
        self.open.truncate(around);
        content
    }

    /// Returns true if a file is being read.
    pub(super) fn is_open(&self, path: &Path) -> bool {
        self.open.iter().any(|open| open == path)
    }

    /// The number of open files.
    pub(super) fn depth(&self) -> u64 {
        self.open.len() as u64
    }

    /// Reads the content of a model, unless too many models are around it.
    pub(super) fn in_model(&mut self, model: Element<'_>, read: impl FnOnce(&mut Self)) {
        self.nesting += 1;
        if self.report.budget().check(Limit::Nesting, self.nesting, || Some(model.location())).is_ok() {
            read(self);
        }
        self.nesting -= 1;
    }
}
