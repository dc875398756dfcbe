//! One parsed file as a tree of elements with their byte ranges. Nothing here is specific to SDF: names are
//! plain text (`gz:x` too) and every element is kept, known or not. Immutable after parsing, shared by `Arc`,
//! usable from any thread.

mod parse;

use super::budget::Budget;
use super::diagnostic::Diagnostic;
use super::source::{Location, Source, Span};
use bridgehead_params::Params;
use std::fmt::{self, Write as _};
use std::sync::Arc;

/// Index of an element in its [`Document`], in document order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// The elements of one [`Source`].
#[derive(Debug)]
pub struct Document {
    source: Source,
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
}

#[derive(Debug)]
struct Node {
    name: Span,
    /// From `<` of the start tag to `>` of the end tag.
    span: Span,
    /// From `<` to `>` of the start tag.
    start_tag: Span,
    /// Between the tags; empty, just before `/>`, for `<x/>`.
    content: Span,
    is_self_closing: bool,
    /// Text and CDATA directly inside, unescaped and trimmed.
    text: String,
    first_attribute: u32,
    attribute_count: u32,
    parent: Option<NodeId>,
    first_child: Option<NodeId>,
    next_sibling: Option<NodeId>,
}

#[derive(Debug)]
struct Attribute {
    name: Span,
    /// Between the quotes, as written.
    value_span: Span,
    /// Unescaped.
    value: String,
}

impl Document {
    /// Parses a text into elements.
    ///
    /// # Errors
    /// Returns an error with line and column if the text is empty, is not XML, or is nested too deeply.
    pub fn parse(source: Source) -> Result<Arc<Self>, Box<Diagnostic>> {
        Self::parse_within(source, &Budget::default())
    }

    /// Parses a text into elements, which are charged to `budget`.
    ///
    /// # Errors
    /// Returns an error like [`Self::parse`], and if the budget does not suffice.
    pub fn parse_within(source: Source, budget: &Budget) -> Result<Arc<Self>, Box<Diagnostic>> {
        parse::parse(source, budget).map(Arc::new)
    }

    /// The text of the elements.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The root element.
    #[must_use]
    pub fn root(self: &Arc<Self>) -> Element<'_> {
        Element { document: self, id: NodeId(0) }
    }

    /// The element with an id; `None` for an id of another document.
    #[must_use]
    pub fn element(self: &Arc<Self>, id: NodeId) -> Option<Element<'_>> {
        self.nodes.get(id.0 as usize).map(|_| Element { document: self, id })
    }

    /// Every element, in document order.
    pub fn elements(self: &Arc<Self>) -> impl Iterator<Item = Element<'_>> {
        (0u32..).zip(&self.nodes).map(|(id, _)| Element { document: self, id: NodeId(id) })
    }

    fn node(&self, id: NodeId) -> &Node {
        // Only this document issues ids, and ids from outside are checked.
        &self.nodes[id.0 as usize]
    }
}

/// An element of a document.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    document: &'a Arc<Document>,
    id: NodeId,
}

impl<'a> Element<'a> {
    fn node(self) -> &'a Node {
        self.document.node(self.id)
    }

    /// Its id in the document.
    #[must_use]
    pub const fn id(self) -> NodeId {
        self.id
    }

    /// The document that contains the element.
    #[must_use]
    pub const fn document(self) -> &'a Arc<Document> {
        self.document
    }

    /// Name as written, with any prefix.
    #[must_use]
    pub fn name(self) -> &'a str {
        self.document.source.slice(self.node().name)
    }

    /// Text directly inside, unescaped and without surrounding whitespace.
    #[must_use]
    pub fn text(self) -> &'a str {
        &self.node().text
    }

    /// Names and unescaped values of its attributes, in order.
    pub fn attributes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.attribute_nodes()
            .iter()
            .map(move |attribute| (self.document.source.slice(attribute.name), attribute.value.as_str()))
    }

    /// The unescaped value of an attribute.
    #[must_use]
    pub fn attribute(self, name: &str) -> Option<&'a str> {
        self.attributes().find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// The range of an attribute's value, without its quotes.
    #[must_use]
    pub fn attribute_span(self, name: &str) -> Option<Span> {
        let mut attributes = self.attribute_nodes().iter();
        attributes.find(|found| self.document.source.slice(found.name) == name).map(|found| found.value_span)
    }

    fn attribute_nodes(self) -> &'a [Attribute] {
        let first = self.node().first_attribute as usize;
        self.document.attributes.get(first..first + self.node().attribute_count as usize).unwrap_or_default()
    }

    /// Its children in order.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let document = self.document;
        let first = self.node().first_child;
        std::iter::successors(first, move |id| document.node(*id).next_sibling)
            .map(move |id| Self { document, id })
    }

    /// Its children with a name, in order.
    pub fn children_named(self, name: &'a str) -> impl Iterator<Item = Self> {
        self.children().filter(move |child| child.name() == name)
    }

    /// Its first child with a name.
    #[must_use]
    pub fn child(self, name: &str) -> Option<Self> {
        self.children().find(|child| child.name() == name)
    }

    /// The enclosing element; `None` for the root.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.node().parent.map(|id| Self { document: self.document, id })
    }

    /// The whole element, including its tags.
    #[must_use]
    pub fn span(self) -> Span {
        self.node().span
    }

    /// Its start tag.
    #[must_use]
    pub fn start_tag(self) -> Span {
        self.node().start_tag
    }

    /// The range between its tags; empty for `<x/>`.
    #[must_use]
    pub fn content(self) -> Span {
        self.node().content
    }

    /// Returns true if it is written as `<x/>`.
    #[must_use]
    pub fn is_self_closing(self) -> bool {
        self.node().is_self_closing
    }

    /// The whole element byte for byte.
    #[must_use]
    pub fn xml(self) -> &'a str {
        self.document.source.slice(self.span())
    }

    /// The location of its start tag, with its element path.
    #[must_use]
    pub fn location(self) -> Location {
        Location { path: self.path(), ..self.document.source.location(self.span().start) }
    }

    /// Element path: `/sdf/world[@name=w]/model[@name=car]`.
    #[must_use]
    pub fn path(self) -> String {
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

    /// A reference to the element that outlives the borrow.
    #[must_use]
    pub fn origin(self) -> Origin {
        Origin(Some((Arc::clone(self.document), self.id)))
    }

    /// The element and its content as a tree of parameters.
    #[must_use]
    pub fn params(self) -> Params {
        let file: Arc<str> = self.document.source.location(0).file;
        self.params_in(&file)
    }

    /// Recursion is bounded by the depth limit of the parser.
    fn params_in(self, file: &Arc<str>) -> Params {
        let line = self.document.source.line(self.span().start);
        let node = Params::new(self.name()).with_text(self.text()).with_place(Arc::clone(file), line);
        let node = self.attributes().fold(node, |node, (name, value)| node.with_attribute(name, value));
        self.children().fold(node, |node, child| node.with_child(child.params_in(file)))
    }
}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.path(), self.location())
    }
}

/// The source of a value: an element of a document, or nothing for values made by the program.
///
/// Cheap to clone; keeps the whole document alive.
#[derive(Clone, Default)]
pub struct Origin(Option<(Arc<Document>, NodeId)>);

impl Origin {
    /// The element; `None` for values made by the program.
    #[must_use]
    pub fn element(&self) -> Option<Element<'_>> {
        self.0.as_ref().and_then(|(document, id)| document.element(*id))
    }

    /// The element's id in `document`; `None` if it was read from another file or from none.
    #[must_use]
    pub fn id_in(&self, document: &Arc<Document>) -> Option<NodeId> {
        self.0.as_ref().filter(|(own, _)| Arc::ptr_eq(own, document)).map(|(_, id)| *id)
    }

    /// File, line, column and element path.
    #[must_use]
    pub fn location(&self) -> Option<Location> {
        self.element().map(Element::location)
    }

    /// The element's text byte for byte.
    #[must_use]
    pub fn xml(&self) -> Option<&str> {
        self.element().map(Element::xml)
    }

    /// The URDF text, if the file was a URDF.
    #[must_use]
    pub fn urdf(&self) -> Option<&str> {
        self.0.as_ref().and_then(|(document, _)| document.source().urdf())
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.location() {
            Some(location) => write!(f, "{location}"),
            None => f.write_str("made by the program"),
        }
    }
}

#[cfg(test)]
mod tests;
