//! The files of an MJCF: the document itself, and what it includes. An `<include>` stands for the content of another file.

use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic, excerpt};
use crate::document::{Document, Element, NodeId};
use crate::files::{Files, normalize};
use crate::limits::Limit;
use crate::mjcf::purpose::ROOT;
use crate::source::Source;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Outermost elements of files that may be included.
const ROOTS: [&str; 2] = [ROOT, "mujocoinclude"];

/// All documents of one reading.
pub(crate) struct Sources {
    documents: Vec<Arc<Document>>,
    /// Index of the document that an `<include>` of a document stands for.
    included: BTreeMap<(usize, NodeId), usize>,
    /// The first document with a text, by the address of the document.
    indices: BTreeMap<*const Document, usize>,
}

impl Sources {
    /// Reads what the document includes; an `<include>` that cannot be followed is reported and left out.
    pub(crate) fn read(
        document: &Arc<Document>,
        files: &dyn Files,
        budget: &Budget,
        findings: &mut Vec<Diagnostic>,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut loading = Loading { files, budget, findings, main: document.source().folder() };
        let mut sources = Self { documents: Vec::new(), included: BTreeMap::new(), indices: BTreeMap::new() };
        let beginning: Vec<PathBuf> = document.source().path().map(normalize).into_iter().collect();
        let mut open = vec![(Arc::clone(document), beginning, None)];
        while let Some((document, path, place)) = open.pop() {
            let index = sources.add(&document);
            if let Some(place) = place {
                sources.included.insert(place, index);
            }
            for element in document.elements().filter(|element| element.name() == "include") {
                if let Some((inner, path)) = loading.include(element, &path)? {
                    open.push((inner, path, Some((index, element.id()))));
                }
            }
        }
        Ok(sources)
    }

    fn add(&mut self, document: &Arc<Document>) -> usize {
        let index = self.documents.len();
        self.documents.push(Arc::clone(document));
        self.indices.insert(Arc::as_ptr(document), index);
        index
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Option<Element<'_>> {
        self.documents.first().map(Document::root)
    }

    /// The children of an element, with those of included files in place of each `<include>`.
    pub(crate) fn children<'s>(&'s self, parent: Element<'s>) -> Vec<Element<'s>> {
        let mut children = Vec::new();
        let mut open: Vec<Element<'s>> = parent.children().collect();
        open.reverse();
        while let Some(child) = open.pop() {
            if child.name() != "include" {
                children.push(child);
                continue;
            }
            let index = self.indices.get(&Arc::as_ptr(child.document()));
            let inner = index.and_then(|index| self.included.get(&(*index, child.id())));
            if let Some(document) = inner.and_then(|inner| self.documents.get(*inner)) {
                let mut inside: Vec<_> = document.root().children().collect();
                inside.reverse();
                open.extend(inside);
            }
        }
        children
    }
}

/// A document, and the files that are being read with it.
type Opened = (Arc<Document>, Vec<PathBuf>);

struct Loading<'a> {
    files: &'a dyn Files,
    budget: &'a Budget,
    findings: &'a mut Vec<Diagnostic>,
    /// Folder of the main file, to which addresses are relative.
    main: Option<&'a Path>,
}

impl Loading<'_> {
    /// Reads the file of an `<include>`; `above` are the files that are being read.
    fn include(&mut self, at: Element<'_>, above: &[PathBuf]) -> Result<Option<Opened>, Box<Diagnostic>> {
        self.budget.check(Limit::Includes, above.len() as u64, || Some(at.location()))?;
        let Some(file) = at.attribute("file").map(str::trim).filter(|file| !file.is_empty()) else {
            self.error(Code::AttributeMissing, at, "`<include>` without `file`".to_owned(), "file=\"…\"");
            return Ok(None);
        };
        let Some(path) = self.find(at, file) else {
            let found = format!("`{}` was not found", excerpt(file));
            self.error(Code::UriNotFound, at, found, "a file, relative to that of the model");
            return Ok(None);
        };
        if above.contains(&path) {
            let found = format!("`{}` includes itself", path.display());
            self.error(Code::IncludeCycle, at, found, "a file that is not being read already");
            return Ok(None);
        }
        self.budget.charge(Limit::Files, 1, || Some(at.location()))?;
        let text = match self.files.read(&path, self.budget.most(Limit::TextFile)) {
            Ok(text) => text,
            Err(error) => {
                let found = format!("`{}`: {error}", path.display());
                self.error(Code::Unreadable, at, found, "a readable UTF-8 file");
                return Ok(None);
            }
        };
        self.budget.charge(Limit::Text, text.len() as u64, || Some(at.location()))?;
        let document = match Document::parse_within(Source::from_file(&path, text), self.budget) {
            Ok(document) => document,
            Err(error) => {
                self.budget.go_on(|| Some(at.location()))?;
                self.findings.push(error.losing_part(true));
                return Ok(None);
            }
        };
        if !ROOTS.contains(&document.root().name()) {
            // The file may be any that the host can read, so nothing of it is quoted.
            let found = format!("`{}` with another outermost element", excerpt(file));
            self.error(Code::NotSdf, at, found, "`<mujoco>` or `<mujocoinclude>`");
            return Ok(None);
        }
        let open = above.iter().cloned().chain([path]).collect();
        Ok(Some((document, open)))
    }

    /// A file relative to the main one, as in MuJoCo, or to the one that includes it.
    fn find(&self, at: Element<'_>, file: &str) -> Option<PathBuf> {
        let folders = [self.main, at.document().source().folder()];
        let paths = folders.into_iter().flatten().map(|folder| normalize(&folder.join(file)));
        paths.into_iter().find(|path| self.files.is_file(path))
    }

    fn error(&mut self, code: Code, at: Element<'_>, found: String, expected: &str) {
        // One more than allowed ends the reading.
        if self.findings.len() as u64 > self.budget.most(Limit::Findings) {
            return;
        }
        let finding = Diagnostic::error(code, Some(at.location()), found).expected(expected);
        self.findings.push(finding.losing_part(true));
    }
}
