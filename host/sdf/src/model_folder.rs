//! `model.config`: the description of a model folder. Pure functions, usable from any thread.

use std::path::PathBuf;
use std::sync::Arc;

use super::document::{Document, Element};
use super::version::Version;

/// The content of a `model.config`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ModelConfig {
    /// `<name>`; empty if missing.
    pub name: String,
    /// `<description>` with its lines joined; empty if missing.
    pub description: String,
    /// The file with the newest supported version of SDF, relative to the folder.
    pub file: Option<PathBuf>,
}

/// Reads a `model.config`.
#[must_use]
pub fn model_config(document: &Arc<Document>) -> ModelConfig {
    let root = document.root();
    let text = |name: &str| root.child(name).map(|child| one_line(child.text())).unwrap_or_default();
    let listed = root.children_named("sdf");
    let newest = listed.max_by_key(|sdf| sdf.attribute("version").and_then(Version::parse));
    let file = newest.map(Element::text).map(str::trim).filter(|file| !file.is_empty());
    ModelConfig { name: text("name"), description: text("description"), file: file.map(PathBuf::from) }
}

/// A text without line breaks and indentation.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    fn read(text: &str) -> ModelConfig {
        model_config(&Document::parse(Source::from_text("model.config", text)).expect("XML"))
    }

    #[test]
    fn the_newest_version_that_is_read_counts_and_the_text_is_one_line() {
        let config = read(
            "<model><name>Crate</name><sdf version='1.4'>old.sdf</sdf><sdf version='1.9'> new.sdf </sdf>\
             <sdf version='2.0'>strange.sdf</sdf><description>\n  Of wood,\n  1 m.\n</description></model>",
        );
        assert_eq!(config.name, "Crate");
        assert_eq!(config.description, "Of wood, 1 m.");
        assert_eq!(config.file, Some(PathBuf::from("new.sdf")));
        assert_eq!(read("<model/>"), ModelConfig::default());
    }
}
