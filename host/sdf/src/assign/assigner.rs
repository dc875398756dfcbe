//! Follows a path from element to element, and from a file to the files that it includes.

use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;

use super::path::Step;
use super::{AssignError, Overlay, ValuePath};
use crate::address::{SearchPath, locate};
use crate::budget::Budget;
use crate::conversion::converted;
use crate::document::{Document, Element, NodeId};
use crate::edit::{self, Edit, EditError};
use crate::files::{FileKind, Files as _, normalize};
use crate::limits::Limit;
use crate::mjcf::Purpose;
use crate::model_folder::model_config;
use crate::source::Source;
use crate::xacro::read_source;

/// Includes that a path may pass; files that include each other have no end.
const MAX_INCLUDES: usize = 16;

/// A path, and the steps of it that are left.
pub(super) type Rest<'p> = (&'p ValuePath, &'p [Step]);

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

/// Follows paths through the files of a world.
pub(super) struct Assigner<'a, 's> {
    pub(super) files: Overlay<'a>,
    pub(super) search: &'s SearchPath,
    pub(super) budget: &'s Budget,
}

impl Assigner<'_, '_> {
    /// Parses a source; a URDF or MJCF is converted to SDF.
    pub(super) fn document(&self, source: Source, purpose: Purpose) -> Result<Arc<Document>, AssignError> {
        let parsed = Document::parse_within(source, self.budget);
        let (document, _) = parsed
            .and_then(|document| converted(document, purpose, &self.files, self.budget))
            .map_err(|finding| AssignError::Unreadable(finding.to_string()))?;
        Ok(document)
    }

    /// Returns the text of a document with the value set; changed included files are added to the overlay.
    pub(super) fn changed(
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

    /// Returns the text of a value.
    pub(super) fn value(
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
        for include in from.children_named("include").filter(|_| depth < MAX_INCLUDES) {
            found.extend(self.behind_include(include, step)?);
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
    fn behind_include<'d>(
        &self,
        include: Element<'d>,
        step: &Step,
    ) -> Result<Option<Place<'d>>, AssignError> {
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
        let source = read_source(&self.files, &file, self.search, self.budget.most(Limit::TextFile));
        source.ok().map(|source| self.document(source, Purpose::Part)).transpose()
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
    const MAX: usize = 12;
    match found {
        [] => "nothing".to_owned(),
        _ if found.len() > MAX => {
            format!(
                "{} and {} more",
                found.iter().take(MAX).cloned().collect::<Vec<_>>().join(", "),
                found.len() - MAX
            )
        }
        _ => found.join(", "),
    }
}
