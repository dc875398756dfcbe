//! Replacing spans of a text, in any order of asking, each byte at most once.

use super::EditError;
use crate::source::{Source, Span};

/// A span and its replacement.
#[derive(Debug)]
pub(super) struct Splice {
    span: Span,
    replacement: String,
}

impl Splice {
    pub(super) fn new(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }
}

/// The text with every splice done; those at one place keep their order.
pub(super) fn splice(source: &Source, mut splices: Vec<Splice>) -> Result<String, EditError> {
    splices.sort_by_key(|splice| splice.span);
    let mut text = String::with_capacity(source.text().len());
    let mut done = 0;
    for Splice { span, replacement } in &splices {
        if span.start < done {
            return Err(overlap(source, *span));
        }
        text.push_str(source.slice(Span { start: done, end: span.start }));
        text.push_str(replacement);
        done = span.end;
    }
    text.push_str(source.text().get(done as usize..).unwrap_or_default());
    Ok(text)
}

fn overlap(source: &Source, span: Span) -> EditError {
    let (line, column) = source.line_column(span.start);
    EditError::Overlap { file: source.name().to_owned(), line, column }
}
