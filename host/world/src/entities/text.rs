//! Reads a model from a text or from a file. Usable from any thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_runtime::clock;
use bridgehead_sdf::edit::Edit;
use bridgehead_sdf::resolved::Model;
use bridgehead_sdf::{
    Budget, Code, Diagnostic, Disk, Document, Element, SearchPath, Severity, Source, edit, load_model_source,
};

/// Name of an entity if neither its request nor its model has one, and renaming is allowed.
pub(super) const NAMELESS: &str = "entity";

/// Source of a model.
#[derive(Clone, Debug)]
pub enum SpawnSource {
    /// An SDF or URDF text.
    Text {
        /// A document with one model, or a `<model>` or `<include>` element.
        text: String,
        /// Base folder of relative addresses in it.
        folder: Option<PathBuf>,
    },
    /// An SDF or URDF file, a folder with a `model.config`, or an address as in `<uri>`.
    File(String),
}

/// A parsed model.
pub(crate) struct Parsed {
    pub(crate) model: Model,
    /// True if the text gives it no name; its name is then [`NAMELESS`].
    pub(crate) is_nameless: bool,
    /// A missing mesh or heightmap file of a collision.
    pub(crate) missing: Option<String>,
    /// Findings that do not prevent the spawn.
    pub(crate) warnings: Vec<String>,
}

/// Why a text is not a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ModelError {
    /// It cannot be parsed, or it does not contain exactly one model.
    Unreadable(String),
    /// A referenced file is missing.
    MissingAssets(String),
}

impl ModelError {
    /// Returns the reason as text.
    pub(crate) fn into_text(self) -> String {
        match self {
            ModelError::Unreadable(text) | ModelError::MissingAssets(text) => text,
        }
    }
}

/// Returns the text of a source and its folder; `None` for an empty source.
pub(super) fn text_of(source: &SpawnSource) -> Option<(String, Option<PathBuf>)> {
    match source {
        SpawnSource::Text { text, folder } => {
            (!text.trim().is_empty()).then(|| (text.clone(), folder.clone()))
        }
        // An include keeps the folder of the file, and is short in saved worlds and snapshots.
        SpawnSource::File(path) => {
            let escaped = path.replace('&', "&amp;").replace('<', "&lt;");
            (!path.is_empty()).then(|| (format!("<include><uri>{escaped}</uri></include>"), None))
        }
    }
}

/// Returns the text of a document with a name for its model, if the document gives it none. The name of a spawned model
/// is chosen by the request.
pub(super) fn with_name(document: &Arc<Document>) -> Option<String> {
    let is_model = |element: &Element<'_>| matches!(element.name(), "model" | "robot");
    let root = document.root();
    let model = if is_model(&root) { root } else { root.children().find(is_model)? };
    if model.attribute("name").is_some_and(|name| !name.is_empty()) {
        return None;
    }
    let named =
        Edit::SetAttribute { element: model.id(), name: "name".to_owned(), value: NAMELESS.to_owned() };
    edit::apply(document, &[named]).ok()
}

/// Parses the model in a text. `folder` is the base of relative addresses.
pub(crate) fn parse_model(
    text: &str,
    folder: Option<&Path>,
    search: &SearchPath,
    budget: &Budget,
) -> Result<Parsed, ModelError> {
    const NAME: &str = "spawned model";
    let text = text.trim();
    // An element is wrapped in a document. The parser rejects text that is not XML.
    let parsed = Document::parse_within(Source::from_text(NAME, text), budget);
    let named = parsed.as_ref().ok().and_then(with_name);
    let is_nameless = named.is_some();
    let text = named.as_deref().unwrap_or(text);
    let document = match parsed.as_ref().map(|document| document.root().name()) {
        Ok("model") => format!("<sdf version='1.12'>{text}</sdf>"),
        Ok("include") => format!("<sdf version='1.12'><world name='spawn'>{text}</world></sdf>"),
        _ => text.to_owned(),
    };
    let source = match folder {
        Some(folder) => Source::of_file(NAME, &folder.join("spawned.sdf"), document),
        None => Source::from_text(NAME, document),
    };
    let loaded = load_model_source(&Disk, source, search, budget)
        .map_err(|error| ModelError::Unreadable(error.to_string()))?;
    let is_missing = |code: Code| matches!(code, Code::UriNotFound | Code::UriNotLocal | Code::Unreadable);
    // As in a run: what the world would lack is an error, and anything else a warning.
    let judged: Vec<Diagnostic> = loaded.diagnostics.iter().map(Diagnostic::judged).collect();
    let lost = || judged.iter().filter(|finding| finding.severity >= Severity::Error);
    if let Some(error) = lost().find(|error| !is_missing(error.code)) {
        return Err(ModelError::Unreadable(error.to_string()));
    }
    // Clients address entities by their names, so none is changed silently.
    let of_name =
        |finding: &&Diagnostic| finding.code == Code::NameInvalid && finding.severity > Severity::Note;
    if let Some(error) = loaded.diagnostics.iter().find(of_name) {
        return Err(ModelError::Unreadable(error.to_string()));
    }
    let is_lost = |finding: &&Diagnostic| finding.judged().severity >= Severity::Error;
    // A missing part of the model; without the shape of a collision, the model exists.
    let of_standard = loaded.diagnostics.iter().filter(|finding| finding.severity >= Severity::Error);
    if let Some(error) = of_standard.into_iter().find(is_lost) {
        return Err(ModelError::MissingAssets(error.to_string()));
    }
    let missing = lost().next().map(ToString::to_string);
    let warnings = judged.iter().filter(|finding| finding.severity == Severity::Warning);
    let warnings = warnings.map(ToString::to_string).collect();
    let mut models = loaded.world.models.into_iter();
    match (models.next(), models.next()) {
        (Some(model), None) => Ok(Parsed { model, is_nameless, missing, warnings }),
        (None, _) => Err(ModelError::Unreadable("it contains no model".to_owned())),
        (Some(_), Some(_)) => Err(ModelError::Unreadable("it contains more than one model".to_owned())),
    }
}

/// Returns a budget of reading whose time begins now.
#[must_use]
pub fn reading_budget() -> Budget {
    let begin = clock::now();
    Budget::default().timed(move || begin.elapsed())
}
