//! Turns quick-xml events into the element tree. The reader without namespaces is used on purpose: real
//! worlds have undeclared prefixes and `--` inside comments, which stricter readers refuse.

use super::{Attribute, Document, Node, NodeId};
use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::limits::Limit;
use crate::source::{Source, Span};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// Larger files cannot be addressed by 32-bit offsets.
const MAX_BYTES: usize = u32::MAX as usize;

/// Root elements of files whose element names may be in messages.
const QUOTABLE: &[&str] =
    &["sdf", "robot", "world", "model", "include", "actor", "light", "COLLADA", "mujoco", "mujocoinclude"];

type Failure = Box<Diagnostic>;

pub(super) fn parse(source: Source, budget: &Budget) -> Result<Document, Failure> {
    if source.text().len() > MAX_BYTES {
        let found = format!("{} bytes", source.text().len());
        return Err(fail(&source, 0, Code::Unreadable, &found, "less than 4 GiB"));
    }
    let builder = Builder::new(&source, budget);
    let (nodes, attributes) = builder.run()?;
    if nodes.is_empty() {
        return Err(fail(&source, 0, Code::Empty, &describe_empty(source.text()), "an `<sdf>` element"));
    }
    Ok(Document { source, nodes, attributes })
}

fn describe_empty(text: &str) -> String {
    match text.trim() {
        "" => "an empty file".to_owned(),
        // The file may be any that the host can read, and the finding may reach a client: nothing of it is quoted.
        _ => "no element, only text".to_owned(),
    }
}

fn fail(source: &Source, offset: usize, code: Code, found: &str, expected: &str) -> Failure {
    let location = source.location(Span::new(offset..offset).start);
    Box::new(Diagnostic::error(code, Some(location), found).expected(expected))
}

struct Builder<'s> {
    source: &'s Source,
    budget: &'s Budget,
    reader: Reader<&'s [u8]>,
    /// Bytes of a byte order mark before the text that the XML reader sees.
    skipped: usize,
    nodes: Vec<Node>,
    attributes: Vec<Attribute>,
    /// The elements without an end tag so far.
    open: Vec<Open>,
}

struct Open {
    id: NodeId,
    last_child: Option<NodeId>,
}

impl<'s> Builder<'s> {
    fn new(source: &'s Source, budget: &'s Budget) -> Self {
        let text = source.text().trim_start_matches('\u{feff}');
        let skipped = source.text().len() - text.len();
        let reader = Reader::from_str(text);
        Self { source, budget, reader, skipped, nodes: Vec::new(), attributes: Vec::new(), open: Vec::new() }
    }

    fn run(mut self) -> Result<(Vec<Node>, Vec<Attribute>), Failure> {
        loop {
            let start = self.position();
            let event = self.reader.read_event().map_err(|error| self.not_xml(&error.to_string()))?;
            let span = Span::new(start..self.position());
            match event {
                Event::Start(tag) => self.start(&tag, span, false)?,
                Event::Empty(tag) => {
                    self.start(&tag, span, true)?;
                    self.end(span);
                }
                Event::End(_) => self.end(span),
                Event::Text(text) => self.text(&text),
                Event::CData(text) => self.text(&text),
                Event::GeneralRef(reference) => self.reference(&reference),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof => return self.finish(),
            }
        }
    }

    fn position(&self) -> usize {
        self.in_source(self.reader.buffer_position())
    }

    fn in_source(&self, reader_offset: u64) -> usize {
        usize::try_from(reader_offset).unwrap_or(usize::MAX).saturating_add(self.skipped)
    }

    fn not_xml(&self, reason: &str) -> Failure {
        let at = self.in_source(self.reader.error_position());
        let reason =
            if self.is_quotable() { reason } else { "XML of another format that is not well-formed" };
        fail(self.source, at, Code::NotXml, reason, "well-formed XML")
    }

    /// Returns false for a file with another root element than those of worlds, models and meshes. It may be any file that
    /// the host can read, and the finding may reach a client, so its element names must not be quoted.
    fn is_quotable(&self) -> bool {
        let root = self.nodes.first().map(|node| self.source.slice(node.name));
        self.source.path().is_none() || root.is_none_or(|root| QUOTABLE.contains(&root))
    }

    fn start(&mut self, tag: &BytesStart<'_>, span: Span, is_self_closing: bool) -> Result<(), Failure> {
        self.check_place(span)?;
        let id = NodeId(Span::new(0..self.nodes.len()).end);
        let first_attribute = Span::new(0..self.attributes.len()).end;
        self.read_attributes(tag, span)?;
        let attribute_count = Span::new(0..self.attributes.len()).end - first_attribute;
        let content_start = if is_self_closing { span.end.saturating_sub(2) } else { span.end };
        let parent = self.adopt(id);
        self.nodes.push(Node {
            name: self.locate(tag.name().0),
            span,
            start_tag: span,
            content: Span { start: content_start, end: content_start },
            is_self_closing,
            text: String::new(),
            first_attribute,
            attribute_count,
            parent,
            first_child: None,
            next_sibling: None,
        });
        self.open.push(Open { id, last_child: None });
        Ok(())
    }

    /// Refuses a second root element and too deep nesting.
    fn check_place(&self, span: Span) -> Result<(), Failure> {
        let at = span.range().start;
        if self.open.is_empty() && !self.nodes.is_empty() {
            return Err(fail(self.source, at, Code::NotXml, "a second root element", "the end of the file"));
        }
        let most = self.budget.most(Limit::Depth);
        if self.open.len() as u64 >= most {
            let found = format!("more than {most} {}", Limit::Depth.row().counted);
            return Err(fail(self.source, at, Code::TooDeep, &found, "less"));
        }
        self.budget.charge(Limit::Elements, 1, || Some(self.source.location(span.start)))
    }

    /// Adds a new element to the innermost open one.
    fn adopt(&mut self, id: NodeId) -> Option<NodeId> {
        let open = self.open.last_mut()?;
        match open.last_child.replace(id) {
            Some(sibling) => self.nodes[sibling.0 as usize].next_sibling = Some(id),
            None => self.nodes[open.id.0 as usize].first_child = Some(id),
        }
        Some(open.id)
    }

    fn read_attributes(&mut self, tag: &BytesStart<'_>, span: Span) -> Result<(), Failure> {
        let first = self.attributes.len();
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|error| {
                fail(self.source, span.range().start, Code::NotXml, &error.to_string(), "name=\"value\"")
            })?;
            // An undeclared entity stays as written.
            let value = unescape(&attribute.value).map_or_else(|_| attribute.value.to_string(), Into::into);
            let (name, value_span) = (self.locate(attribute.key.0), self.locate(&attribute.value));
            let count = self.attributes.len().saturating_sub(first) as u64 + 1;
            self.budget.check(Limit::Attributes, count, || Some(self.source.location(span.start)))?;
            self.attributes.push(Attribute { name, value_span, value });
        }
        Ok(())
    }

    /// The range of a piece of text that the XML reader has borrowed.
    fn locate(&self, piece: &str) -> Span {
        let offset = (piece.as_ptr() as usize).saturating_sub(self.source.text().as_ptr() as usize);
        Span::new(offset..offset + piece.len())
    }

    fn end(&mut self, tag: Span) {
        // The XML reader has checked that the tags match, so an element is open.
        let Some(open) = self.open.pop() else { return };
        let node = &mut self.nodes[open.id.0 as usize];
        node.span.end = tag.end;
        if !node.is_self_closing {
            node.content.end = tag.start;
        }
        node.text = node.text.trim().to_owned();
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = self.open.last() {
            let buffer = &mut self.nodes[open.id.0 as usize].text;
            // Whitespace between children would only be trimmed away again.
            if !(buffer.is_empty() && text.trim().is_empty()) {
                buffer.push_str(text);
            }
        }
    }

    fn reference(&mut self, reference: &BytesRef<'_>) {
        let written = format!("&{};", &**reference);
        let resolved = unescape(&written).map_or_else(|_| written.clone(), Into::into);
        self.text(&resolved);
    }

    fn finish(self) -> Result<(Vec<Node>, Vec<Attribute>), Failure> {
        let Some(open) = self.open.last() else { return Ok((self.nodes, self.attributes)) };
        let node = &self.nodes[open.id.0 as usize];
        if !self.is_quotable() {
            return Err(self.not_xml(""));
        }
        let found = format!("the end of the file inside `<{}>`", self.source.slice(node.name));
        let expected = format!("`</{}>`", self.source.slice(node.name));
        Err(fail(self.source, node.span.range().start, Code::NotXml, &found, &expected))
    }
}
