//! Files with one JSON object per line.

use std::fs;
use std::io::Read as _;
use std::ops::Index;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use serde_json::Value;

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Line(pub(crate) Value);

impl Line {
    /// A text; empty if there is none.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.0[key].as_str().unwrap_or_default()
    }

    /// An unsigned integer.
    #[track_caller]
    pub(crate) fn count(&self, key: &str) -> u64 {
        self.0[key].as_u64().unwrap_or_else(|| panic!("`{key}` is not an unsigned integer in {}", self.0))
    }

    /// A number of the message, by JSON pointer.
    #[track_caller]
    pub(crate) fn number(&self, pointer: &str) -> f64 {
        let value = self.0.pointer(pointer).and_then(Value::as_f64);
        value.unwrap_or_else(|| panic!("`{pointer}` is not a number in {}", self.0))
    }

    pub(crate) fn is_topic(&self, topic: &str) -> bool {
        self.text("topic") == topic
    }
}

impl Index<&str> for Line {
    type Output = Value;

    fn index(&self, key: &str) -> &Value {
        &self.0[key]
    }
}

/// The lines of a file.
#[track_caller]
pub(crate) fn read_lines(path: &Path) -> Vec<Line> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
    parse(&text)
}

/// The lines of a compressed file.
#[track_caller]
pub(crate) fn read_gz_lines(path: &Path) -> Vec<Line> {
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("`{}`: {error}", path.display()));
    let mut text = String::new();
    MultiGzDecoder::new(file).read_to_string(&mut text).expect("a whole gzip file");
    parse(&text)
}

#[track_caller]
fn parse(text: &str) -> Vec<Line> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
    text.lines().map(|line| Line(parse(line))).collect()
}
