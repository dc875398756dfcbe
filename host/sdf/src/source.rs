//! The text of one file, and positions in it. Offsets are bytes into the text; lines and columns are computed
//! on request. Immutable after construction, usable from any thread.

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A range of bytes in a [`Source`]; 32 bits suffice because sources above 4 GiB are refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// First byte after the range.
    pub end: u32,
}

impl Span {
    /// The span of `range`; offsets beyond 4 GiB saturate.
    #[must_use]
    pub fn new(range: Range<usize>) -> Self {
        Self { start: saturate(range.start), end: saturate(range.end) }
    }

    /// The same range for slicing.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns true if it is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

/// Bytes between two counts of characters.
const BLOCK: usize = 4096;

/// The number of characters that begin in these bytes of UTF-8.
fn characters(bytes: &[u8]) -> u32 {
    saturate(bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count())
}

fn saturate(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

/// The text of one file as it was read, with a table of its lines.
#[derive(Clone, Debug)]
pub struct Source {
    name: Arc<str>,
    path: Option<PathBuf>,
    text: Arc<str>,
    line_starts: Vec<u32>,
    /// Characters before each block of [`BLOCK`] bytes: a column is cheap also in a text that is one long line.
    characters: Vec<u32>,
    urdf: Option<Arc<str>>,
}

impl Source {
    /// Text read from a file.
    #[must_use]
    pub fn from_file(path: &Path, text: impl Into<Arc<str>>) -> Self {
        Self::build(path.display().to_string().into(), Some(path.to_path_buf()), text.into())
    }

    /// A text converted from a file: relative addresses are those of the file, but messages use another name.
    #[must_use]
    pub fn of_file(name: &str, path: &Path, text: impl Into<Arc<str>>) -> Self {
        Self::build(name.into(), Some(path.to_path_buf()), text.into())
    }

    /// A text without a file; `name` appears in messages in place of a file name.
    #[must_use]
    pub fn from_text(name: &str, text: impl Into<Arc<str>>) -> Self {
        Self::build(name.into(), None, text.into())
    }

    fn build(name: Arc<str>, path: Option<PathBuf>, text: Arc<str>) -> Self {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let line_starts = std::iter::once(0).chain(after_breaks.map(|(at, _)| saturate(at + 1))).collect();
        let mut before = 0;
        let count = |block: &[u8]| {
            let here = before;
            before += characters(block);
            here
        };
        let mut characters: Vec<u32> = text.as_bytes().chunks(BLOCK).map(count).collect();
        characters.push(before);
        Self { name, path, text, line_starts, characters, urdf: None }
    }

    /// Records the URDF from which the text was generated.
    #[must_use]
    pub fn made_of(mut self, urdf: &Source) -> Self {
        self.urdf = Some(Arc::clone(&urdf.text));
        self
    }

    /// The URDF from which the text was generated.
    #[must_use]
    pub fn urdf(&self) -> Option<&str> {
        self.urdf.as_deref()
    }

    /// File name for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file, if the text came from one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The folder to which addresses in the text are relative.
    #[must_use]
    pub fn folder(&self) -> Option<&Path> {
        self.path.as_deref().and_then(Path::parent)
    }

    /// The whole text, byte for byte.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of a span; empty if the span is not part of this source.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }

    /// Line and column of a byte, both from 1; the column counts characters.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line(offset);
        let start = self.line_starts.get(line as usize - 1).copied().unwrap_or(0);
        let offset = if offset as usize > self.text.len() { start } else { offset };
        let column = self.characters_before(offset).saturating_sub(self.characters_before(start));
        (line, column.saturating_add(1))
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let offset = offset as usize;
        let block = offset / BLOCK;
        let rest = self.text.as_bytes().get(block * BLOCK..offset).unwrap_or_default();
        self.characters.get(block).copied().unwrap_or_default() + characters(rest)
    }

    /// Line of a byte, from 1.
    #[must_use]
    pub fn line(&self, offset: u32) -> u32 {
        saturate(self.line_starts.partition_point(|start| *start <= offset).max(1))
    }

    /// The location of a byte, without an element path.
    #[must_use]
    pub fn location(&self, offset: u32) -> Location {
        let (line, column) = self.line_column(offset);
        Location { file: self.name.clone(), line, column, path: String::new() }
    }
}

/// A location in a file, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// File name as it was given.
    pub file: Arc<str>,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Element path such as `/sdf/world[@name=w]/model[@name=car]/pose`; empty if no element is meant.
    pub path: String,
}

impl Location {
    /// The beginning of a file that was not read.
    pub(crate) fn at(path: &Path) -> Self {
        Location { file: path.display().to_string().into(), line: 1, column: 1, path: String::new() }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

#[cfg(test)]
mod tests;
