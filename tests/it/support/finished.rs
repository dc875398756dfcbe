//! A run that has ended: exit code, output, result file and the other files in its folder.

use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::ExitStatus;
use std::{fmt, fs};

use serde_json::Value;
use tempfile::TempDir;

use super::recording::{Line, read_lines};
use super::running::{Stream, transcript};

/// A run that has ended.
pub(crate) struct Finished {
    status: ExitStatus,
    lines: Vec<(Stream, String)>,
    folder: TempDir,
}

impl Finished {
    pub(super) fn new(status: ExitStatus, lines: Vec<(Stream, String)>, folder: TempDir) -> Self {
        Finished { status, lines, folder }
    }

    /// The exit code; `None` if a signal ended the host.
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    /// The signal that ended the host.
    pub(crate) fn signal(&self) -> Option<i32> {
        self.status.signal()
    }

    /// Standard output.
    pub(crate) fn stdout(&self) -> String {
        let lines = self.lines.iter().filter(|(stream, _)| *stream == Stream::Out);
        lines.map(|(_, line)| format!("{line}\n")).collect()
    }

    /// A file or folder of the run.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Fails unless the exit code is this one.
    #[track_caller]
    pub(crate) fn expect_code(self, code: i32) -> Self {
        assert_eq!(self.code(), Some(code), "exit code; signal {:?}\n{self}", self.signal());
        self
    }

    /// Fails unless a message of the output contains all of these texts. A message is a line with the indented lines
    /// below it.
    #[track_caller]
    pub(crate) fn expect_message(self, texts: &[&str]) -> Self {
        let has_all = |message: &String| texts.iter().all(|text| message.contains(text));
        assert!(self.messages().iter().any(has_all), "no message has {texts:?}\n{self}");
        self
    }

    /// Fails if a message of the output begins with this word.
    #[track_caller]
    pub(crate) fn expect_silence(&self, word: &str) {
        assert!(
            !self.messages().iter().any(|message| message.starts_with(word)),
            "a message begins with {word}\n{self}"
        );
    }

    /// The messages of the output.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.lines.iter().fold(Vec::new(), |mut messages: Vec<String>, (_, line)| {
            match messages.last_mut() {
                Some(message) if line.starts_with("  ") => message.push_str(line),
                _ => messages.push(line.clone()),
            }
            messages
        })
    }

    /// The result file.
    #[track_caller]
    pub(crate) fn result(&self) -> Value {
        let text = fs::read_to_string(self.path("result.json"));
        let text = text.unwrap_or_else(|error| panic!("the result file: {error}\n{self}"));
        serde_json::from_str(&text).unwrap_or_else(|error| panic!("the result file: {error}\n{text}"))
    }

    /// The entry of a list of the result file (`bridges`, `plugins`, `topics`) whose `label` or `name` is this one.
    #[track_caller]
    pub(crate) fn reported(&self, list: &str, label: &str) -> Value {
        let result = self.result();
        let entries = result[list].as_array().unwrap_or_else(|| panic!("no list `{list}` in {result:#}"));
        let found = entries.iter().find(|entry| entry["label"] == label || entry["name"] == label);
        found.unwrap_or_else(|| panic!("no `{label}` in `{list}`: {result:#}\n{self}")).clone()
    }

    /// The messages that the logging bridge wrote into a file of the folder.
    #[track_caller]
    pub(crate) fn log(&self, name: &str) -> Vec<Line> {
        let path = self.path(name);
        assert!(path.is_file(), "no log `{}`\n{self}", path.display());
        read_lines(&path)
    }

    /// The calls that the fixture `recorder` recorded.
    #[track_caller]
    pub(crate) fn recorded(&self) -> Vec<Line> {
        self.log("recorded.jsonl")
    }
}

impl fmt::Display for Finished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "output:\n{}", transcript(&self.lines))
    }
}
