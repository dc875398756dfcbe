//! Where the files that elements name are on this machine.

use super::loss::loses_part;
use super::report::Report;
use crate::address::{NotFound, SearchPath, locate};
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::document::Element;
use crate::files::{Files, ReadError};
use std::path::{Path, PathBuf};

/// The file system of a reading, and where addresses are looked up in it.
#[derive(Clone, Copy)]
pub(super) struct Lookup<'a> {
    pub(super) files: &'a dyn Files,
    pub(super) search: &'a SearchPath,
}

impl Lookup<'_> {
    /// Returns what is at an address in the file of an element.
    pub(super) fn find(self, at: Element<'_>, uri: &str) -> Result<PathBuf, NotFound> {
        locate(uri, at.document().source().folder(), self.search, self.files)
    }

    /// Returns true if a path is that of a file.
    pub(super) fn is_file(self, path: &Path) -> bool {
        self.files.is_file(path)
    }

    /// Reads a text of at most `most` bytes.
    pub(super) fn read(self, path: &Path, most: u64) -> Result<String, ReadError> {
        self.files.read(path, most)
    }
}

/// Returns the file of an address, or reports where it was searched.
pub(super) fn find_file(
    at: Element<'_>,
    uri: &str,
    kind: &str,
    lookup: Lookup<'_>,
    report: &mut Report,
) -> Option<PathBuf> {
    match lookup.find(at, uri) {
        Ok(path) if lookup.is_file(&path) => Some(path),
        Ok(path) => {
            let found = format!("`{uri}` is a folder, {}", path.display());
            report.warning(Code::UriNotFound, at, found, format!("a {kind} file"));
            None
        }
        Err(reason) => {
            // No violation of the standard, which does not look at files.
            let finding = not_found(at, uri, kind, reason);
            report.push(Diagnostic { severity: Severity::Warning, ..finding });
            None
        }
    }
}

/// Returns what to try if nothing is at an address: which variable to set to which folder.
fn advice(uri: &str) -> String {
    let (scheme, rest) = uri.split_once("://").unwrap_or(("", uri));
    let first = rest.split('/').next().unwrap_or_default();
    match scheme {
        "package" => format!(
            "source the workspace that contains the package `{first}`, or set `ROS_PACKAGE_PATH` to the folder that \
             contains it"
        ),
        "" | "file" => {
            "check the spelling, or set `GZ_SIM_RESOURCE_PATH` to the folder that the address is relative to"
                .to_owned()
        }
        _ => format!(
            "check the spelling, or set `GZ_SIM_RESOURCE_PATH` or `GAZEBO_MODEL_PATH` to the folder that contains \
             `{first}`"
        ),
    }
}

/// The finding for an address that was not found, of a mesh or a model.
pub(super) fn not_found(at: Element<'_>, uri: &str, kind: &str, reason: NotFound) -> Diagnostic {
    let location = Some(at.location());
    let finding = match reason {
        NotFound::Network => {
            let found = format!("{kind} `{uri}` is on the network and in no Gazebo Fuel cache");
            Diagnostic::error(Code::UriNotLocal, location, found).expected("a file on this machine")
        }
        NotFound::Nowhere(places) => {
            let list: Vec<_> = places.iter().map(|place| format!("`{}`", place.display())).collect();
            let found = format!("{kind} `{uri}` was not found; looked for {}", list.join(", "));
            Diagnostic::error(Code::UriNotFound, location, found).hint(advice(uri))
        }
        NotFound::Refused(path, file) => {
            let found = format!("{kind} `{uri}` is `{}`, which is {file}", path.display());
            Diagnostic::error(Code::Unreadable, location, found).expected("a readable file")
        }
    };
    let loses_part = loses_part(finding.code, at);
    finding.losing_part(loses_part)
}
