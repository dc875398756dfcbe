//! Sets single values of a world by their paths, in memory: the files stay as they are, and relative addresses in them
//! keep their meaning.
//!
//! A path also reaches into included models. The changed text of an included file is a file in memory beside the original,
//! which only the one `<include>` refers to; a second include of the same file is not affected. Pure functions that read
//! through [`Files`], usable from any thread.

mod path;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use super::address::{SearchPath, locate};
use super::budget::Budget;
use super::diagnostic::Code;
use super::edit::{self, Edit, EditError};
use super::files::{FileKind, Files, ReadError, normalize};
use super::limits::Limit;
use super::{Document, Element, NodeId, Source, model_config, urdf};

pub use path::ValuePath;
use path::{Malformed, Step};

/// Includes that a path may pass; files that include each other have no end.
const MOST_INCLUDES: usize = 16;

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
            return Err(AssignError::Malformed { path: text.to_owned(), why });
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
        ValuePath::read(text).map_err(|Malformed(why)| AssignError::Malformed { path: text.to_owned(), why })
    }
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
            Some(text) if text.len() as u64 > most => Err(ReadError::TooLarge(most)),
            Some(text) => Ok(text.to_string()),
            None => self.below.read(path, most),
        }
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
    let mut document = assigner.document(source)?;
    for Assignment { path, value } in assignments {
        let text = assigner.changed(&document, None, (path, &path.steps), value, 0)?;
        let source = changed_source(document.source(), text);
        document = assigner.document(source)?;
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
    let document = assigner.document(source)?;
    assigner.value(&document, None, (path, &path.steps), 0)
}

fn changed_source(source: &Source, text: String) -> Source {
    match source.path() {
        Some(path) => Source::of_file(source.name(), path, text),
        None => Source::from_text(source.name(), text),
    }
}

/// A path, and the steps of it that are left.
type Rest<'p> = (&'p ValuePath, &'p [Step]);

/// The place of a step: an element of the document, or of a file that the document includes.
enum Place<'d> {
    Here(Element<'d>),
    /// The `<include>`, the included document, and the element of it from which the search goes on.
    Included {
        include: Element<'d>,
        document: Arc<Document>,
        from: NodeId,
        is_merged: bool,
    },
}

struct Assigner<'a, 's> {
    files: Overlay<'a>,
    search: &'s SearchPath,
    budget: &'s Budget,
}

impl Assigner<'_, '_> {
    /// Parses a source; a URDF is converted to SDF.
    fn document(&self, source: Source) -> Result<Arc<Document>, AssignError> {
        let parsed = Document::parse_within(source, self.budget);
        let (document, _) = parsed
            .and_then(|document| urdf::translated(document, self.budget))
            .map_err(|finding| AssignError::Unreadable(finding.to_string()))?;
        Ok(document)
    }

    /// Returns the text of a document with the value set; changed included files are added to the overlay.
    fn changed(
        &mut self,
        document: &Arc<Document>,
        from: Option<NodeId>,
        (path, steps): Rest<'_>,
        value: &str,
        depth: usize,
    ) -> Result<String, AssignError> {
        let from = from.and_then(|id| document.element(id)).unwrap_or(document.root());
        match self.walk(from, (path, steps), depth)? {
            (Place::Here(element), _) => {
                let edit = match &path.attribute {
                    Some(name) => {
                        attribute_of(element, path, name)?;
                        Edit::SetAttribute {
                            element: element.id(),
                            name: name.clone(),
                            value: value.to_owned(),
                        }
                    }
                    None => Edit::SetText { element: element.id(), text: value.to_owned() },
                };
                Ok(edit::apply(document, &[edit])?)
            }
            (Place::Included { include, document: inner, from, is_merged: _ }, rest) => {
                let text = self.changed(&inner, Some(from), (path, rest), value, depth + 1)?;
                let copy = self.add_beside(inner.source(), text);
                let uri = include.child("uri").map(Element::id).unwrap_or(include.id());
                let edit = Edit::SetText { element: uri, text: copy.display().to_string() };
                Ok(edit::apply(document, &[edit])?)
            }
        }
    }

    fn value(
        &self,
        document: &Arc<Document>,
        from: Option<NodeId>,
        (path, steps): Rest<'_>,
        depth: usize,
    ) -> Result<String, AssignError> {
        let from = from.and_then(|id| document.element(id)).unwrap_or(document.root());
        match self.walk(from, (path, steps), depth)? {
            (Place::Here(element), _) => match &path.attribute {
                Some(name) => attribute_of(element, path, name).map(str::to_owned),
                None if element.children().next().is_some() => {
                    Err(EditError::HasChildren { path: element.path() }.into())
                }
                None => Ok(element.text().to_owned()),
            },
            (Place::Included { document, from, .. }, rest) => {
                self.value(&document, Some(from), (path, rest), depth + 1)
            }
        }
    }

    /// Follows the steps inside of one document. Returns where they end, or the include that they lead into with the
    /// steps that are left.
    fn walk<'d, 'p>(
        &self,
        mut from: Element<'d>,
        (path, steps): Rest<'p>,
        depth: usize,
    ) -> Result<(Place<'d>, &'p [Step]), AssignError> {
        let mut rest = steps;
        while let Some((step, behind)) = rest.split_first() {
            match self.follow(from, path, step, depth)? {
                Place::Here(element) => {
                    from = element;
                    rest = behind;
                }
                place @ Place::Included { is_merged, .. } => {
                    return Ok((place, if is_merged { rest } else { behind }));
                }
            }
        }
        Ok((Place::Here(from), rest))
    }

    /// Follows one step.
    fn follow<'d>(
        &self,
        from: Element<'d>,
        path: &ValuePath,
        step: &Step,
        depth: usize,
    ) -> Result<Place<'d>, AssignError> {
        let mut found: Vec<Place<'d>> =
            chosen(children(from, &step.element), step).map(Place::Here).collect();
        for include in from.children_named("include").filter(|_| depth < MOST_INCLUDES) {
            found.extend(self.into_include(include, step)?);
        }
        match found.len() {
            1 => Ok(found.remove(0)),
            0 => Err(nowhere(from, path, &step.to_string(), &contents(from))),
            _ => {
                let place = |place: &Place<'_>| match place {
                    Place::Here(element) | Place::Included { include: element, .. } => {
                        format!("at {}", element.location())
                    }
                };
                let places = found.iter().map(place).collect::<Vec<_>>().join(" and ");
                let element = step.element.clone();
                Err(AssignError::Ambiguous {
                    path: path.to_string(),
                    step: step.to_string(),
                    element,
                    places,
                })
            }
        }
    }

    /// Returns the place of a step behind an `<include>`: the included model itself, or a part of a merged one.
    fn into_include<'d>(&self, include: Element<'d>, step: &Step) -> Result<Option<Place<'d>>, AssignError> {
        let is_merged = matches!(include.attribute("merge"), Some("true" | "1"));
        if !is_merged && step.element == "include" {
            return Ok(None);
        }
        // An include that cannot be followed is a finding of the reader.
        let Some(document) = self.included(include)? else { return Ok(None) };
        let Some(model) = document.root().children().find(|child| child.name() != "world") else {
            return Ok(None);
        };
        let from = model.id();
        if is_merged {
            let has = chosen(children(model, &step.element), step).next().is_some();
            return Ok(has.then(|| Place::Included {
                include,
                document: Arc::clone(&document),
                from,
                is_merged,
            }));
        }
        let name = include.child("name").map(Element::text).or(model.attribute("name"));
        let is_it = model.name() == step.element && (step.label.is_none() || step.label.as_deref() == name);
        Ok(is_it.then(|| Place::Included { include, document: Arc::clone(&document), from, is_merged }))
    }

    /// Returns the document that an `<include>` names; `None` if it cannot be found or read.
    fn included(&self, include: Element<'_>) -> Result<Option<Arc<Document>>, AssignError> {
        let Some(uri) = include.child("uri").map(Element::text) else { return Ok(None) };
        let folder = include.document().source().folder();
        let Ok(found) = locate(uri, folder, self.search, &self.files) else { return Ok(None) };
        let file = if self.files.is_file(&found) { found } else { self.file_of_folder(&found) };
        let Ok(text) = self.files.read(&file, self.budget.most(Limit::TextFile)) else { return Ok(None) };
        self.document(Source::from_file(&file, text)).map(Some)
    }

    /// Returns the file that the `model.config` of a folder names.
    fn file_of_folder(&self, folder: &Path) -> PathBuf {
        let config = folder.join("model.config");
        let text = self.files.read(&config, self.budget.most(Limit::TextFile)).ok();
        let document = text.and_then(|text| Document::parse(Source::from_file(&config, text)).ok());
        let named = document.and_then(|document| model_config(&document).file);
        normalize(&folder.join(named.unwrap_or_else(|| PathBuf::from("model.sdf"))))
    }

    /// Adds a changed text beside the file that it comes from; returns its path, which no file has.
    fn add_beside(&mut self, source: &Source, text: String) -> PathBuf {
        let path = source.path().unwrap_or(Path::new("included.sdf"));
        let path = normalize(&absolute(path).unwrap_or_else(|_| path.to_owned()));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let free = (1_u64..)
            .map(|number| path.with_file_name(format!("{stem}.assigned{number}.sdf")))
            .find(|path| self.files.kind(path) == FileKind::Absent);
        let free = free.unwrap_or(path);
        self.files.above.insert(free.clone(), text.into());
        free
    }
}

fn children<'d>(parent: Element<'d>, name: &str) -> Vec<Element<'d>> {
    parent.children().filter(|child| child.name() == name).collect()
}

/// Returns the elements that a step chooses among those of its name: by the attribute `name`, or else by the number.
fn chosen<'d>(elements: Vec<Element<'d>>, step: &Step) -> impl Iterator<Item = Element<'d>> {
    let Some(label) = &step.label else { return elements.into_iter() };
    let named: Vec<Element<'d>> =
        elements.iter().copied().filter(|element| name_of(*element) == Some(label)).collect();
    if !named.is_empty() {
        return named.into_iter();
    }
    let number = label.parse::<usize>().ok();
    let numbered: Vec<Element<'d>> =
        number.and_then(|number| elements.get(number).copied()).into_iter().collect();
    numbered.into_iter()
}

/// Returns the name of an element; an `<include>` has it in a child.
fn name_of(element: Element<'_>) -> Option<&str> {
    let of_include = || element.child("name").map(Element::text);
    element.attribute("name").or_else(|| if element.name() == "include" { of_include() } else { None })
}

fn attribute_of<'d>(element: Element<'d>, path: &ValuePath, name: &str) -> Result<&'d str, AssignError> {
    element.attribute(name).ok_or_else(|| {
        let found: Vec<String> = element.attributes().map(|(name, _)| format!("`@{name}`")).collect();
        nowhere(element, path, &format!("@{name}"), &listed(&found))
    })
}

fn nowhere(parent: Element<'_>, path: &ValuePath, missing: &str, found: &str) -> AssignError {
    AssignError::Nowhere {
        path: path.to_string(),
        file: parent.document().source().name().to_owned(),
        parent: parent.path(),
        missing: missing.to_owned(),
        found: found.to_owned(),
    }
}

/// Returns the children of an element as the steps of a path.
fn contents(element: Element<'_>) -> String {
    let child = |child: Element<'_>| match name_of(child) {
        Some(name) => format!("`{}[{name}]`", child.name()),
        None => format!("`{}`", child.name()),
    };
    listed(&element.children().map(child).collect::<Vec<_>>())
}

fn listed(found: &[String]) -> String {
    /// Parts that a message lists.
    const MOST: usize = 12;
    match found {
        [] => "nothing".to_owned(),
        _ if found.len() > MOST => {
            format!(
                "{} and {} more",
                found.iter().take(MOST).cloned().collect::<Vec<_>>().join(", "),
                found.len() - MOST
            )
        }
        _ => found.join(", "),
    }
}

#[cfg(test)]
mod tests;
