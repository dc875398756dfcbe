//! A URDF file as a tree of elements that know their bytes.
//! Nothing URDF-specific happens here: names are plain text (`xacro:if` too) and every element is kept.
//! Immutable after parsing.

mod parse;

use crate::{Location, UrdfError};
use std::fmt::Write as _;
use std::ops::Range;

pub(crate) use parse::root_name;

/// The elements of one text.
pub(crate) struct Document<'t> {
    file: &'t str,
    text: &'t str,
    /// Offsets at which lines begin.
    line_starts: Vec<usize>,
    nodes: Vec<Node>,
}

struct Node {
    name: String,
    /// From `<` of the start tag to `>` of the end tag.
    span: Range<usize>,
    /// From `<` to `>` of the start tag.
    start_tag: Range<usize>,
    is_self_closing: bool,
    /// Text and CDATA directly inside, unescaped and trimmed.
    text: String,
    /// Names and unescaped values.
    attributes: Vec<(String, String)>,
    parent: Option<usize>,
    children: Vec<usize>,
}

impl<'t> Document<'t> {
    /// Reads the text into elements; there is at least one.
    pub(crate) fn parse(text: &'t str, file: &'t str) -> Result<Self, UrdfError> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect();
        let mut document = Self { file, text, line_starts, nodes: Vec::new() };
        parse::parse(&mut document)?;
        Ok(document)
    }

    /// The outermost element.
    pub(crate) fn root(&self) -> Element<'_> {
        Element { document: self, index: 0 }
    }

    /// Every element, in document order.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Element<'_>> {
        (0..self.nodes.len()).map(|index| Element { document: self, index })
    }

    /// The place of a byte, without an element path.
    fn location(&self, offset: usize) -> Location {
        let line = self.line_starts.partition_point(|start| *start <= offset).max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        let column = before.chars().count() + 1;
        Location {
            file: self.file.to_owned(),
            line: saturate(line),
            column: saturate(column),
            ..Location::default()
        }
    }
}

fn saturate(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// An element of a document.
#[derive(Clone, Copy)]
pub(crate) struct Element<'d> {
    document: &'d Document<'d>,
    index: usize,
}

impl<'d> Element<'d> {
    fn node(self) -> &'d Node {
        // Indices are made by the document only.
        &self.document.nodes[self.index]
    }

    /// Name as written, with any prefix.
    pub(crate) fn name(self) -> &'d str {
        &self.node().name
    }

    /// Text directly inside, without surrounding blanks.
    pub(crate) fn text(self) -> &'d str {
        &self.node().text
    }

    /// Names and values of its attributes, in order.
    pub(crate) fn attributes(self) -> impl Iterator<Item = (&'d str, &'d str)> {
        self.node().attributes.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The value of an attribute.
    pub(crate) fn attribute(self, name: &str) -> Option<&'d str> {
        self.attributes().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// Its children in order.
    pub(crate) fn children(self) -> impl Iterator<Item = Self> {
        self.node().children.iter().map(move |index| Self { index: *index, ..self })
    }

    /// Its children of one name, in order.
    pub(crate) fn children_named(self, name: &'d str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.name() == name)
    }

    /// Its first child of that name.
    pub(crate) fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }

    /// The element around it; `None` for the outermost.
    fn parent(self) -> Option<Self> {
        self.node().parent.map(|index| Self { index, ..self })
    }

    /// The whole element byte for byte.
    pub(crate) fn xml(self) -> &'d str {
        self.document.text.get(self.node().span.clone()).unwrap_or_default()
    }

    /// Whether it is written as `<x/>`.
    pub(crate) fn is_self_closing(self) -> bool {
        self.node().is_self_closing
    }

    /// Length of its start tag in bytes.
    pub(crate) fn start_tag_length(self) -> usize {
        self.node().start_tag.len()
    }

    /// Bytes from the beginning of this element to the beginning of one inside it.
    pub(crate) fn offset_of(self, inner: Self) -> usize {
        inner.node().span.start.saturating_sub(self.node().span.start)
    }

    /// Where its start tag stands, with its element path.
    pub(crate) fn location(self) -> Location {
        Location { path: self.path(), ..self.document.location(self.node().span.start) }
    }

    /// Element path: `/robot[@name=r]/link[@name=arm]`.
    fn path(self) -> String {
        let mut ancestors: Vec<_> = std::iter::successors(Some(self), |element| element.parent()).collect();
        ancestors.reverse();
        ancestors.into_iter().fold(String::new(), |mut path, element| {
            // Writing to a String cannot fail.
            let _ = match element.attribute("name") {
                Some(name) => write!(path, "/{}[@name={name}]", element.name()),
                None => write!(path, "/{}", element.name()),
            };
            path
        })
    }
}
