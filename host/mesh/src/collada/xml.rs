//! The XML of a COLLADA file as a tree of elements that borrows the text.
//!
//! Built without recursion and with limits, so that neither depth nor number of elements can exhaust anything. Prefixes
//! are kept as part of names; entities other than the five of XML are left as they are.

use std::borrow::Cow;
use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesStart, Event};

use crate::part::{Fault, at_most};

/// Elements inside each other.
const MOST_DEPTH: usize = 200;
/// Elements in all.
const MOST_ELEMENTS: usize = 4_000_000;

/// A file that was read.
#[derive(Debug, Default)]
pub(super) struct Document {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    first_child: Option<usize>,
    last_child: Option<usize>,
    next: Option<usize>,
}

/// An element of a document.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element<'d> {
    document: &'d Document,
    node: &'d Node,
}

/// Elements by their name and id.
pub(super) type Ids<'d> = HashMap<(&'d str, &'d str), Element<'d>>;

impl Document {
    pub(super) fn parse(text: &str) -> Result<Self, Fault> {
        let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
        let mut document = Document::default();
        let mut open = Vec::new();
        loop {
            match reader.read_event().map_err(|error| format!("it is not XML: {error}"))? {
                Event::Start(tag) => {
                    let at = document.add(&tag, open.last().copied())?;
                    open.push(at);
                    if open.len() > MOST_DEPTH {
                        return Err(format!("more than {MOST_DEPTH} elements lie in each other").into());
                    }
                }
                Event::Empty(tag) => {
                    document.add(&tag, open.last().copied())?;
                }
                Event::End(_) => {
                    open.pop();
                }
                Event::Text(text) => document.append(open.last(), &text),
                Event::CData(text) => document.append(open.last(), &text),
                // No number has one: it is kept, so that the number is refused.
                Event::GeneralRef(_) => document.append(open.last(), "&"),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof if open.is_empty() => return Ok(document),
                Event::Eof => return Err("it ends inside an element".into()),
            }
        }
    }

    fn add(&mut self, tag: &BytesStart<'_>, parent: Option<usize>) -> Result<usize, Fault> {
        let at = self.nodes.len();
        at_most(at, "elements", MOST_ELEMENTS)?;
        let mut node = Node { name: tag.name().0.to_string(), ..Node::default() };
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| format!("it is not XML: {error}"))?;
            let value = unescape(&attribute.value).unwrap_or(Cow::Borrowed(&attribute.value));
            node.attributes.push((attribute.key.0.to_string(), value.to_string()));
        }
        match parent {
            Some(parent) => match self.nodes[parent].last_child.replace(at) {
                Some(sibling) => self.nodes[sibling].next = Some(at),
                None => self.nodes[parent].first_child = Some(at),
            },
            None if at > 0 => return Err("it has a second outermost element".into()),
            None => {}
        }
        self.nodes.push(node);
        Ok(at)
    }

    fn append(&mut self, open: Option<&usize>, text: &str) {
        if let Some(at) = open {
            self.nodes[*at].text.push_str(text);
        }
    }

    /// The outermost element.
    pub(super) fn root(&self) -> Option<Element<'_>> {
        self.nodes.first().map(|node| Element { document: self, node })
    }

    /// Every element that has an id; of two with the same name and id, the first.
    pub(super) fn ids(&self) -> Ids<'_> {
        let elements = self.nodes.iter().rev().map(|node| Element { document: self, node });
        elements.filter_map(|element| Some(((element.name(), element.attribute("id")?), element))).collect()
    }
}

impl<'d> Element<'d> {
    pub(super) fn name(self) -> &'d str {
        &self.node.name
    }

    pub(super) fn attribute(self, name: &str) -> Option<&'d str> {
        self.node.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Its own text, without that of its children.
    pub(super) fn text(self) -> &'d str {
        &self.node.text
    }

    pub(super) fn children(self) -> impl Iterator<Item = Element<'d>> {
        let document = self.document;
        let element = move |at: usize| document.nodes.get(at).map(|node| Element { document, node });
        let first = self.node.first_child.and_then(element);
        std::iter::successors(first, move |child| child.node.next.and_then(element))
    }

    pub(super) fn children_named(self, name: &'static str) -> impl Iterator<Item = Element<'d>> {
        self.children().filter(move |child| child.name() == name)
    }

    pub(super) fn child(self, name: &str) -> Option<Element<'d>> {
        self.children().find(|child| child.name() == name)
    }
}
