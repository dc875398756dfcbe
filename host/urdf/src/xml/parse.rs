//! quick-xml events into the element tree.
//! The plain reader is used on purpose, as for SDF: real files have undeclared prefixes and `--` inside comments,
//! which stricter readers refuse.

use super::{Document, Node};
use crate::{Code, UrdfError};
use quick_xml::Reader;
use quick_xml::escape::unescape;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::ops::Range;

/// Deeper nesting than this is refused. Half of what the SDF reader allows, so that what is copied fits there.
const MAX_DEPTH: usize = 100;

/// Name of the outermost element, if the text begins like XML.
pub(crate) fn root_name(text: &str) -> Option<String> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    loop {
        match reader.read_event().ok()? {
            Event::Start(tag) | Event::Empty(tag) => return Some(tag.name().0.to_owned()),
            Event::Eof => return None,
            _ => {}
        }
    }
}

pub(super) fn parse(document: &mut Document<'_>) -> Result<(), UrdfError> {
    let text = document.text.trim_start_matches('\u{feff}');
    let skipped = document.text.len() - text.len();
    Builder { reader: Reader::from_str(text), skipped, document, open: Vec::new() }.run()
}

struct Builder<'b, 't> {
    reader: Reader<&'t [u8]>,
    /// Bytes of a byte order mark before the text that the reader sees.
    skipped: usize,
    document: &'b mut Document<'t>,
    /// The elements whose end tag has not come yet.
    open: Vec<usize>,
}

impl Builder<'_, '_> {
    fn run(mut self) -> Result<(), UrdfError> {
        loop {
            let start = self.position();
            let event = self.reader.read_event().map_err(|error| {
                let at = self.in_text(self.reader.error_position());
                self.fail(Code::NotXml, at, error.to_string(), "well-formed XML")
            })?;
            let span = start..self.position();
            match event {
                Event::Start(tag) => self.start(&tag, span, false)?,
                Event::Empty(tag) => {
                    let end = span.end;
                    self.start(&tag, span, true)?;
                    self.end(end);
                }
                Event::End(_) => self.end(span.end),
                Event::Text(text) => self.text(&text),
                Event::CData(text) => self.text(&text),
                Event::GeneralRef(reference) => self.reference(&reference),
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
                Event::Eof => return self.finish(),
            }
        }
    }

    fn position(&self) -> usize {
        self.in_text(self.reader.buffer_position())
    }

    fn in_text(&self, reader_offset: u64) -> usize {
        usize::try_from(reader_offset).unwrap_or(usize::MAX).saturating_add(self.skipped)
    }

    fn fail(&self, code: Code, offset: usize, found: String, expected: &str) -> UrdfError {
        UrdfError::new(code, self.document.location(offset), found).expected(expected)
    }

    fn start(
        &mut self,
        tag: &BytesStart<'_>,
        span: Range<usize>,
        is_self_closing: bool,
    ) -> Result<(), UrdfError> {
        self.check_place(span.start, tag.name().0)?;
        let attributes = self.attributes(tag, span.start)?;
        let index = self.document.nodes.len();
        let parent = self.open.last().copied();
        if let Some(parent) = parent {
            self.document.nodes[parent].children.push(index);
        }
        self.document.nodes.push(Node {
            name: tag.name().0.to_owned(),
            start_tag: span.clone(),
            span,
            is_self_closing,
            text: String::new(),
            attributes,
            parent,
            children: Vec::new(),
        });
        self.open.push(index);
        Ok(())
    }

    /// Refuses a second outermost element and nesting without end.
    fn check_place(&self, at: usize, name: &str) -> Result<(), UrdfError> {
        if self.open.is_empty() && !self.document.nodes.is_empty() {
            let found = format!("a second outermost element, `<{name}>`");
            return Err(self.fail(Code::NotXml, at, found, "the end of the file"));
        }
        if self.open.len() >= MAX_DEPTH {
            let found = format!("more than {MAX_DEPTH} elements inside each other");
            return Err(self.fail(Code::TooDeep, at, found, "less"));
        }
        Ok(())
    }

    fn attributes(&self, tag: &BytesStart<'_>, at: usize) -> Result<Vec<(String, String)>, UrdfError> {
        let mut attributes = Vec::new();
        for attribute in tag.attributes() {
            let attribute = attribute
                .map_err(|error| self.fail(Code::NotXml, at, error.to_string(), "name=\"value\""))?;
            // An entity nobody declared stays as it is written.
            let value = unescape(&attribute.value).map_or_else(|_| attribute.value.to_string(), Into::into);
            attributes.push((attribute.key.0.to_owned(), value));
        }
        Ok(attributes)
    }

    fn end(&mut self, end: usize) {
        // The reader has checked that the tags match, so something is open.
        let Some(open) = self.open.pop() else { return };
        let node = &mut self.document.nodes[open];
        node.span.end = end;
        node.text = node.text.trim().to_owned();
    }

    fn text(&mut self, text: &str) {
        if let Some(open) = self.open.last() {
            let buffer = &mut self.document.nodes[*open].text;
            // Blank runs between children would only be trimmed away again.
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

    fn finish(self) -> Result<(), UrdfError> {
        if let Some(open) = self.open.last() {
            let node = &self.document.nodes[*open];
            let found = format!("the end of the file inside `<{}>`", node.name);
            let expected = format!("`</{}>`", node.name);
            return Err(self.fail(Code::NotXml, node.span.start, found, &expected));
        }
        if self.document.nodes.is_empty() {
            return Err(self.fail(Code::NotXml, 0, "no element".to_owned(), "a `<robot>` element"));
        }
        Ok(())
    }
}
