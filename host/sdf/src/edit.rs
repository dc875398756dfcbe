//! Edits of a document's text by splicing. Everything outside of the edits is unchanged, including comments
//! and layout; without edits the text is byte-identical. The caller decides which edits a changed world
//! needs. Pure functions, usable from any thread.

mod pose_text;
mod splice;

use super::diagnostic::Code;
use super::document::{Document, Element, NodeId};
use super::source::{Source, Span};
use quick_xml::escape::escape;
use splice::Splice;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use pose_text::pose_text;
pub(crate) use pose_text::{numbers_text, pose_in};

/// One change to a document's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// Replaces the text of an element without children; whitespace around the old text stays.
    SetText {
        /// The element.
        element: NodeId,
        /// The new text, unescaped.
        text: String,
    },
    /// Replaces the value of an attribute, or adds it after the others.
    SetAttribute {
        /// The element.
        element: NodeId,
        /// Name of the attribute.
        name: String,
        /// The new value, unescaped.
        value: String,
    },
    /// Adds an element after the last child of its parent, on its own line if the others are.
    Insert {
        /// The parent.
        parent: NodeId,
        /// The new element as XML.
        xml: String,
    },
    /// Replaces an element.
    Replace {
        /// The element.
        element: NodeId,
        /// The new element as XML.
        xml: String,
    },
    /// Removes an element, and its line if nothing else is on it.
    Remove {
        /// The element.
        element: NodeId,
    },
}

/// Why edits cannot be applied. The document is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The id belongs to another document.
    #[error(
        "[{}] the element to edit is not in `{file}`; edit the document it was read from",
        Code::EditElsewhere
    )]
    NotInDocument {
        /// Name of the edited document.
        file: String,
    },
    /// Text would replace the children of an element.
    #[error(
        "[{}] `{path}` contains elements, so its text cannot be set; edit these elements",
        Code::EditOverChildren
    )]
    HasChildren {
        /// Element path.
        path: String,
    },
    /// Two edits change the same text, or one is inside an element that another removes.
    #[error(
        "[{}] two edits overlap at {file}:{line}:{column}; combine them into one edit",
        Code::EditOverlap
    )]
    Overlap {
        /// Name of the edited document.
        file: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// The text to insert is not one XML element, or a name is not an XML name.
    #[error("[{}] `{xml}` cannot be written into the file: {reason}", Code::EditNotXml)]
    NotXml {
        /// The text to insert.
        xml: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The root element would be removed.
    #[error("[{}] the root element cannot be removed; delete the file instead", Code::EditRemovesRoot)]
    RemovesRoot,
}

/// Returns the document's text with the edits applied; without edits it is byte-identical.
///
/// # Errors
/// Returns an error if an edit does not fit the document or two overlap; none is applied then.
pub fn apply(document: &Arc<Document>, edits: &[Edit]) -> Result<String, EditError> {
    let mut splices = Vec::new();
    let mut inserts: BTreeMap<NodeId, Vec<&str>> = BTreeMap::new();
    for edit in edits {
        match edit {
            Edit::SetText { element, text } => splices.push(set_text(find(document, *element)?, text)?),
            Edit::SetAttribute { element, name, value } => {
                splices.push(set_attribute(find(document, *element)?, name, value)?);
            }
            Edit::Insert { parent, xml } => {
                check_xml(xml)?;
                inserts.entry(*parent).or_default().push(xml);
            }
            Edit::Replace { element, xml } => {
                check_xml(xml)?;
                splices.push(Splice::new(find(document, *element)?.span(), xml.clone()));
            }
            Edit::Remove { element } => splices.push(remove(find(document, *element)?)?),
        }
    }
    for (parent, xml) in inserts {
        splices.push(insert(find(document, parent)?, &xml));
    }
    splice::splice(document.source(), splices)
}

fn find(document: &Arc<Document>, id: NodeId) -> Result<Element<'_>, EditError> {
    document.element(id).ok_or_else(|| EditError::NotInDocument { file: document.source().name().to_owned() })
}

fn set_text(element: Element<'_>, text: &str) -> Result<Splice, EditError> {
    if element.children().next().is_some() {
        return Err(EditError::HasChildren { path: element.path() });
    }
    let text = escape(text);
    if element.is_self_closing() {
        return Ok(open_up(element, &text));
    }
    let content = element.content();
    let written = element.document().source().slice(content);
    let blank_before = written.len() - written.trim_start().len();
    let start = content.range().start + blank_before;
    Ok(Splice::new(Span::new(start..start + written.trim().len()), text))
}

/// Turns `<x/>` into `<x>…</x>`.
fn open_up(element: Element<'_>, content: &str) -> Splice {
    let end = element.start_tag().range().end;
    let slash = end.saturating_sub("/>".len())..end;
    Splice::new(Span::new(slash), format!(">{content}</{}>", element.name()))
}

fn set_attribute(element: Element<'_>, name: &str, value: &str) -> Result<Splice, EditError> {
    let value = escape(value);
    if let Some(span) = element.attribute_span(name) {
        return Ok(Splice::new(span, value));
    }
    check_xml(&format!("<x {name}=\"{value}\"/>"))?;
    let tag = element.document().source().slice(element.start_tag());
    let inside = tag.trim_end_matches('>').trim_end_matches('/').trim_end();
    let at = element.start_tag().range().start + inside.len();
    Ok(Splice::new(Span::new(at..at), format!(" {name}=\"{value}\"")))
}

/// Checks that a text is one well-formed element and nothing else.
fn check_xml(xml: &str) -> Result<(), EditError> {
    match Document::parse(Source::from_text("insert", xml)) {
        Ok(_) => Ok(()),
        Err(error) => Err(EditError::NotXml { xml: xml.to_owned(), reason: error.found }),
    }
}

fn insert(parent: Element<'_>, xml: &[&str]) -> Splice {
    let source = parent.document().source();
    let line_break = if source.text().contains("\r\n") { "\r\n" } else { "\n" };
    if let Some(last) = parent.children().last() {
        let before =
            line_start(source, last).map(|indent| format!("{line_break}{indent}")).unwrap_or_default();
        let end = last.span().end;
        return Splice::new(
            Span { start: end, end },
            xml.iter().map(|xml| format!("{before}{xml}")).collect::<String>(),
        );
    }
    let outer = line_start(source, parent).unwrap_or_default();
    let lines: String = xml.iter().map(|xml| format!("{line_break}{outer}  {xml}")).collect();
    let content = format!("{lines}{line_break}{outer}");
    if parent.is_self_closing() {
        return open_up(parent, &content);
    }
    let written = source.slice(parent.content());
    let end = parent.content().end;
    let start = parent.content().range().start + written.trim_end().len();
    Splice::new(Span { end, ..Span::new(start..start) }, content)
}

/// The whitespace before an element that is the first thing on its line; `None` if it is not.
fn line_start<'a>(source: &'a Source, element: Element<'_>) -> Option<&'a str> {
    let before = source.text().get(..element.span().range().start)?;
    let (_, line) = before.rsplit_once('\n')?;
    line.trim().is_empty().then_some(line)
}

fn remove(element: Element<'_>) -> Result<Splice, EditError> {
    if element.parent().is_none() {
        return Err(EditError::RemovesRoot);
    }
    let source = element.document().source();
    let span = element.span().range();
    let after = source.text().get(span.end..).unwrap_or_default();
    let is_last_on_line = after.split('\n').next().is_none_or(|rest| rest.trim().is_empty());
    let start = match line_start(source, element) {
        Some(indent) if is_last_on_line => {
            let before = source.text().get(..span.start - indent.len()).unwrap_or_default();
            before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).unwrap_or(before).len()
        }
        Some(_) | None => span.start,
    };
    Ok(Splice::new(Span::new(start..span.end), ""))
}

#[cfg(test)]
mod tests;
