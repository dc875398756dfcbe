//! A tree of parameters for a plugin or sensor, independent of the format in which it was written.
//!
//! SDF elements and TOML tables become such trees; the consumer decides about meaning and types of the values. The host
//! and the test host use the same tree, so that a path means the same in both. Plain values, usable from any thread.

mod number;
mod path;
mod requested;

use std::fmt;
use std::sync::Arc;

pub use number::whole_number;
use path::{Path, Step};
pub use requested::RequestedPaths;

/// One node: a name, attributes, text and child nodes in order.
///
/// Paths are steps separated by `/`: `lidar/scan/horizontal/samples`. A step may have an index, from 0, among
/// the children with that name (`wheel[1]`; without an index the first), and the last step may be an
/// attribute (`@type`, `wheel[1]/@joint`). The empty path is the node itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Params>,
    place: Option<Place>,
}

/// The location of a parameter, for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// File name as given.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}

/// Why a path cannot be written to.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// The path has an empty step, an invalid index, or an attribute that is not its last step.
    #[error(
        "`{path}` is not a parameter path; expected steps such as `scan/range/min`, `wheel[1]` or `@type`"
    )]
    Malformed {
        /// The path as given.
        path: String,
    },
    /// An index that would leave a gap.
    #[error(
        "`{path}` skips an index: there are {count} `{name}` so far, so the next one is `{name}[{count}]`"
    )]
    Gap {
        /// The path as given.
        path: String,
        /// Name of the step.
        name: String,
        /// How many children have that name.
        count: usize,
    },
}

impl Params {
    /// A node without content.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Sets the text.
    #[must_use]
    pub fn with_text(mut self, text: impl Into<String>) -> Self {
        self.text = text.into();
        self
    }

    /// Adds an attribute.
    #[must_use]
    pub fn with_attribute(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.attributes.push((name.into(), value.into()));
        self
    }

    /// Adds a child.
    #[must_use]
    pub fn with_child(mut self, child: Self) -> Self {
        self.children.push(child);
        self
    }

    /// Sets the place.
    #[must_use]
    pub fn with_place(mut self, file: Arc<str>, line: u32) -> Self {
        self.place = Some(Place { file, line });
        self
    }

    /// Name of the node.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its text without surrounding whitespace; may be empty.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its attributes in order.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of an attribute.
    #[must_use]
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Its children in order.
    #[must_use]
    pub fn children(&self) -> &[Self] {
        &self.children
    }

    /// Its children with a name, in order.
    pub fn children_named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The place it was read from; `None` for a node made by the host.
    #[must_use]
    pub const fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// The node at a path that does not end in an attribute.
    #[must_use]
    pub fn node(&self, path: &str) -> Option<&Self> {
        let path = Path::parse(path)?;
        if path.attribute.is_some() { None } else { self.walk(&path.steps) }
    }

    /// Returns the place of the node at a path, or of the node with the attribute at the path.
    #[must_use]
    pub fn place_of(&self, path: &str) -> Option<&Place> {
        self.walk(&Path::parse(path)?.steps)?.place()
    }

    /// The text or attribute at a path; `None` if it does not exist.
    #[must_use]
    pub fn get(&self, path: &str) -> Option<&str> {
        let path = Path::parse(path)?;
        let node = self.walk(&path.steps)?;
        match path.attribute {
            Some(name) => node.attribute(name),
            None => Some(node.text()),
        }
    }

    /// The number of nodes at a path: all children with the last step's name, or 0 or 1 with an index or
    /// attribute.
    #[must_use]
    pub fn count(&self, path: &str) -> usize {
        let Some(parsed) = Path::parse(path) else { return 0 };
        match parsed.steps.split_last() {
            Some((Step { name, index: None }, before)) if parsed.attribute.is_none() => {
                self.walk(before).map_or(0, |node| node.children_named(name).count())
            }
            Some(_) | None => usize::from(self.get(path).is_some()),
        }
    }

    fn walk(&self, steps: &[Step<'_>]) -> Option<&Self> {
        steps.iter().try_fold(self, |node, step| node.nth_child(step))
    }

    fn nth_child(&self, step: &Step<'_>) -> Option<&Self> {
        self.children.iter().filter(|child| child.name == step.name).nth(step.index.unwrap_or(0))
    }

    /// Writes the text or attribute at a path; creates missing nodes.
    ///
    /// # Errors
    /// Returns an error if the path is malformed or an index would leave a gap; the tree is unchanged then.
    pub fn set(&mut self, path: &str, value: impl Into<String>) -> Result<(), PathError> {
        let parsed = Path::parse(path).ok_or_else(|| PathError::Malformed { path: path.to_owned() })?;
        self.check_no_gap(path, &parsed.steps)?;
        let mut node = self;
        for step in &parsed.steps {
            node = node.child_or_new(step);
        }
        match parsed.attribute {
            Some(name) => node.set_attribute(name, value.into()),
            None => node.text = value.into(),
        }
        Ok(())
    }

    fn check_no_gap(&self, path: &str, steps: &[Step<'_>]) -> Result<(), PathError> {
        let mut node = Some(self);
        for step in steps {
            let count = node.map_or(0, |node| node.children_named(step.name).count());
            let index = step.index.unwrap_or(0);
            if index > count {
                return Err(PathError::Gap { path: path.to_owned(), name: step.name.to_owned(), count });
            }
            node = node.and_then(|node| node.nth_child(step));
        }
        Ok(())
    }

    fn child_or_new(&mut self, step: &Step<'_>) -> &mut Self {
        let matching = self.children.iter().enumerate().filter(|(_, child)| child.name == step.name);
        let found = matching.map(|(at, _)| at).nth(step.index.unwrap_or(0));
        let at = found.unwrap_or_else(|| {
            self.children.push(Self::new(step.name));
            self.children.len() - 1
        });
        &mut self.children[at]
    }

    fn set_attribute(&mut self, name: &str, value: String) {
        match self.attributes.iter_mut().find(|(found, _)| found == name) {
            Some((_, old)) => *old = value,
            None => self.attributes.push((name.to_owned(), value)),
        }
    }

    /// Sets the place of the node at a path, or of the node with the attribute at the path. Has no effect if there is
    /// none.
    pub fn set_place_of(&mut self, path: &str, place: Place) {
        let Some(parsed) = Path::parse(path) else { return };
        let node = parsed.steps.iter().try_fold(self, |node, step| {
            node.children.iter_mut().filter(|child| child.name == step.name).nth(step.index.unwrap_or(0))
        });
        if let Some(node) = node {
            node.place = Some(place);
        }
    }

    /// Changes the text.
    pub fn set_text(&mut self, text: impl Into<String>) {
        self.text = text.into();
    }

    /// Keeps the children for which `keep` returns true; it may also change them.
    pub fn retain_children(&mut self, keep: impl FnMut(&mut Self) -> bool) {
        self.children.retain_mut(keep);
    }

    /// Returns true if it has no text, attribute or child.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.attributes.is_empty() && self.children.is_empty()
    }

    /// Overlays `over` on this node: its values win, everything else stays.
    ///
    /// The n-th child with a name in `over` is merged into the n-th child with that name here, or added. Name
    /// and place of this node stay.
    pub fn merge(&mut self, over: &Self) {
        if !over.text.is_empty() || over.children.is_empty() {
            self.text.clone_from(&over.text);
        }
        for (name, value) in over.attributes() {
            self.set_attribute(name, value.to_owned());
        }
        for (at, child) in over.children.iter().enumerate() {
            let nth = over.children.iter().take(at).filter(|other| other.name == child.name).count();
            let mine = self.child_or_new(&Step { name: &child.name, index: Some(nth) });
            mine.merge(child);
            mine.place = child.place.clone().or_else(|| mine.place.take());
        }
    }
}

#[cfg(test)]
mod tests;
