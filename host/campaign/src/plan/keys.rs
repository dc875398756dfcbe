//! What goes into keys: contents instead of paths, and values in one form.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::key::KeyParts;
use crate::{CampaignError, Digests, Key};

/// Characters between the parts of a connection string.
const SEPARATORS: [char; 4] = [';', ',', '=', ':'];

/// Everything that a key is made of except the seed and the duration.
pub(super) struct CaseParts<'a> {
    pub(super) version: &'a str,
    pub(super) program: Key,
    pub(super) base: Key,
    /// Hashes of the files of the world, in the order of their use.
    pub(super) files: &'a [Key],
    /// Hashes of the libraries, sorted.
    pub(super) libraries: &'a [Key],
    /// Settings that differ from the base, sorted.
    pub(super) settings: &'a [(&'a str, &'a str)],
    /// Values that differ from the world, sorted.
    pub(super) values: &'a [(&'a str, &'a str)],
    /// Bridges, with contents instead of the paths of files.
    pub(super) bridges: &'a [String],
}

impl CaseParts<'_> {
    pub(super) fn hash(&self) -> Key {
        let mut parts = KeyParts::new("bridgehead-campaign-case/1");
        parts.add("version", self.version.as_bytes());
        parts.add("program", &self.program.0);
        parts.add("base", &self.base.0);
        self.files.iter().for_each(|file| parts.add("file", &file.0));
        self.libraries.iter().for_each(|library| parts.add("library", &library.0));
        for (kind, pairs) in [("setting", self.settings), ("value", self.values)] {
            for (name, value) in pairs {
                parts.add(kind, name.as_bytes());
                parts.add("is", value.as_bytes());
            }
        }
        self.bridges.iter().for_each(|bridge| parts.add("bridge", bridge.as_bytes()));
        parts.finish()
    }
}

/// Returns the key of a run.
pub(super) fn run_key(case: Key, seed: u64, duration: &str) -> Key {
    let mut parts = KeyParts::new("bridgehead-campaign-run/1");
    parts.add("case", &case.0);
    parts.add("seed", &seed.to_le_bytes());
    parts.add("duration", duration.as_bytes());
    parts.finish()
}

/// Returns a text with the hash of the content in place of each file that it names, and those files. A part of the text
/// names a file if it has a `/` or a `.` and the file exists.
pub(super) fn without_paths(
    text: &str,
    folder: &Path,
    digests: &mut Digests,
) -> Result<(String, Vec<PathBuf>), CampaignError> {
    let (mut out, mut files) = (String::with_capacity(text.len()), Vec::new());
    for piece in text.split_inclusive(SEPARATORS) {
        let name = piece.strip_suffix(SEPARATORS).unwrap_or(piece);
        let path = folder.join(name);
        if name.contains(['/', '.']) && path.is_file() {
            let digest = digests
                .of(&path)
                .map_err(|error| CampaignError::Store { path: path.clone(), reason: error.to_string() })?;
            out.push_str(&format!("sha256:{digest}"));
            out.push_str(piece.get(name.len()..).unwrap_or_default());
            files.push(path);
        } else {
            out.push_str(piece);
        }
    }
    Ok((out, files))
}

/// Replaces the files that the texts of a JSON value name, as [`without_paths`] does.
pub(super) fn lists_without_paths(
    value: &mut Value,
    folder: &Path,
    digests: &mut Digests,
    files: &mut Vec<PathBuf>,
) -> Result<(), CampaignError> {
    match value {
        Value::String(text) => {
            let (replaced, found) = without_paths(text, folder, digests)?;
            *text = replaced;
            files.extend(found);
        }
        Value::Array(members) => {
            members.iter_mut().try_for_each(|member| lists_without_paths(member, folder, digests, files))?;
        }
        Value::Object(entries) => {
            entries.values_mut().try_for_each(|entry| lists_without_paths(entry, folder, digests, files))?;
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}
