//! The loader's result for each file, as data, as JSON and as a table for the command line. Plain values.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Serialize, Serializer};

use super::discover::Origin;
use super::metadata::{Metadata, PluginMetadata};
use super::refusal::Refusal;
use bridgehead_runtime::text::{Side, one_line, padded};

/// Result for a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum FileState {
    /// It passed all checks that do not run it; its library is not open.
    Available,
    /// Its library is open.
    Loaded,
    /// It was refused.
    Refused {
        /// The reason.
        refusal: Refusal,
    },
    /// It is another kind of library, in a folder that may contain such files.
    NotAPlugin,
    /// An earlier file contains all its plugins.
    Duplicate {
        /// The earlier file.
        refusal: Refusal,
    },
}

impl FileState {
    /// Returns the name used in tables.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            FileState::Available => "available",
            FileState::Loaded => "loaded",
            FileState::Refused { .. } => "refused",
            FileState::NotAPlugin => "not a plugin",
            FileState::Duplicate { .. } => "duplicate",
        }
    }

    /// Returns the reason why the file is not used, if it is a plugin or was named as one.
    #[must_use]
    pub const fn refusal(&self) -> Option<&Refusal> {
        match self {
            FileState::Refused { refusal } | FileState::Duplicate { refusal } => Some(refusal),
            FileState::Available | FileState::Loaded | FileState::NotAPlugin => None,
        }
    }
}

/// Report on one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileReport {
    /// Path of the file.
    pub path: PathBuf,
    /// Source of its folder.
    #[serde(serialize_with = "origin_name")]
    pub origin: Origin,
    /// Its result.
    #[serde(flatten)]
    pub state: FileState,
    /// Plugin ABI it was built for, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub abi: Option<[u32; 2]>,
    /// Its plugins, if known, including unused ones.
    pub plugins: Vec<PluginMetadata>,
    /// Warnings about it.
    pub warnings: Vec<Refusal>,
    /// How long checking took, and opening if it is open, on the wall clock, in microseconds.
    #[serde(rename = "load_us", serialize_with = "microseconds")]
    pub duration: Duration,
}

impl FileReport {
    /// Creates a report on a file that was not read yet.
    pub(super) fn new(path: PathBuf, origin: Origin, state: FileState) -> Self {
        FileReport {
            path,
            origin,
            state,
            abi: None,
            plugins: Vec::new(),
            warnings: Vec::new(),
            duration: Duration::ZERO,
        }
    }

    pub(super) fn describe(&mut self, metadata: &Metadata) {
        self.abi = Some(metadata.abi);
        self.plugins.clone_from(&metadata.plugins);
    }

    /// Returns all findings about the file: the refusal, then the warnings.
    pub fn findings(&self) -> impl Iterator<Item = &Refusal> {
        self.state.refusal().into_iter().chain(&self.warnings)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn origin_name<S: Serializer>(origin: &Origin, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(origin.name())
}

fn microseconds<S: Serializer>(duration: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}

/// The whole report: folders and files.
#[derive(Clone, Debug, Serialize)]
pub struct Report<'a> {
    /// Warnings about folders.
    pub warnings: &'a [Refusal],
    /// Every file in search order.
    pub files: Vec<&'a FileReport>,
}

impl Report<'_> {
    /// Returns the report as indented JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Only a path that is not UTF-8 can fail to serialize.
        serde_json::to_string_pretty(self).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"))
    }

    /// Returns the report as text: a table of plugins, then the findings about folders and files. Other libraries are
    /// omitted.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = table(&self.rows());
        for warning in self.warnings {
            let _ = writeln!(text, "\n{warning}");
        }
        for file in &self.files {
            for finding in file.findings() {
                let path = file.path.display().to_string();
                let _ = writeln!(text, "\n{}\n{finding}", one_line(&path));
            }
        }
        text
    }

    fn rows(&self) -> Vec<[String; COLUMNS]> {
        let header =
            ["NAME", "KIND", "VERSION", "STATE", "RESTORE", "ID", "VENDOR", "FILE"].map(String::from);
        let shown = self.files.iter().copied().filter(|file| file.state != FileState::NotAPlugin);
        std::iter::once(header).chain(shown.flat_map(file_rows)).collect()
    }
}

/// Columns of the table.
const COLUMNS: usize = 8;

fn file_rows(file: &FileReport) -> Vec<[String; COLUMNS]> {
    let state = file.state.name();
    let path = file.path.display();
    if file.plugins.is_empty() {
        return vec![[
            String::from("-"),
            String::from("-"),
            String::from("-"),
            state.to_owned(),
            String::from("-"),
            String::from("-"),
            String::from("-"),
            path.to_string(),
        ]];
    }
    let row = |plugin: &PluginMetadata| {
        let restore = plugin.on_restore().to_owned();
        let PluginMetadata { id, kind, name, version, vendor, .. } = plugin.clone();
        [name, kind.to_string(), version, state.to_owned(), restore, id, vendor, path.to_string()]
    };
    file.plugins.iter().map(row).collect()
}

/// Formats left-aligned columns, separated by two spaces.
fn table(rows: &[[String; COLUMNS]]) -> String {
    let rows: Vec<_> = rows.iter().map(|row| row.each_ref().map(|cell| one_line(cell))).collect();
    let mut widths = [0; COLUMNS];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> =
            row.iter().zip(widths).map(|(cell, width)| padded(cell, Side::Left, width)).collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
