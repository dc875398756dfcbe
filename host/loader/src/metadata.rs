//! The metadata section of a library, which is read before any of its code runs. Usable from any thread.
//!
//! The format is described at [`bridgehead_abi::entry::METADATA_SECTION`]. This module compares its version with the
//! host's and checks every value, because ids and names are used in file names, on command lines and in terminals.

use std::fmt;

use bridgehead_abi::{ABI_MAJOR, entry, extension};
use serde::{Deserialize, Serialize};

use super::code::Code;
use super::refusal::{Refusal, quoted_list};

/// Maximum length of an id in bytes.
const MAX_ID: usize = 128;
/// Maximum length of a name in bytes.
const MAX_NAME: usize = 64;
/// Maximum length of a version, vendor, licence or type name in bytes.
const MAX_TEXT: usize = 256;

/// Kind of a plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", from = "String")]
pub enum Kind {
    /// Transports messages out of and into the host.
    Bridge,
    /// Attached to a model, a sensor or the world.
    Model,
    /// A kind of a later version of the ABI, which this host cannot use.
    Unknown,
}

impl Kind {
    /// Returns the kind of a `KIND_` constant.
    #[must_use]
    pub const fn from_abi(kind: u32) -> Kind {
        match kind {
            entry::KIND_BRIDGE => Kind::Bridge,
            entry::KIND_MODEL => Kind::Model,
            _ => Kind::Unknown,
        }
    }
}

impl From<String> for Kind {
    fn from(word: String) -> Self {
        match word.as_str() {
            "bridge" => Kind::Bridge,
            "model" => Kind::Model,
            _ => Kind::Unknown,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Bridge => "bridge",
            Kind::Model => "model",
            Kind::Unknown => "unknown",
        })
    }
}

/// Effect of a panic in a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", from = "String")]
pub enum PanicStrategy {
    /// It unwinds to the ABI boundary, where the SDK catches it.
    Unwind,
    /// It ends the process.
    Abort,
    /// The library's language has no panics.
    None,
    /// A word of a later version of the ABI.
    Unknown,
}

impl From<String> for PanicStrategy {
    fn from(word: String) -> Self {
        match word.as_str() {
            "unwind" => PanicStrategy::Unwind,
            "abort" => PanicStrategy::Abort,
            "none" => PanicStrategy::None,
            _ => PanicStrategy::Unknown,
        }
    }
}

/// State that a model plugin keeps between steps, with regard to snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateSupport {
    /// It has no state.
    Nothing,
    /// It has state, with `save` and `load`.
    Saved,
    /// It has state that it cannot save.
    Unsaved,
}

/// The metadata of a library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Version of this format.
    pub schema: u32,
    /// Major and minor version of the plugin ABI it was built for.
    pub abi: [u32; 2],
    /// Name and version of the SDK.
    #[serde(default)]
    pub sdk: String,
    /// Version of `abi_stable` whose type layouts the library carries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub abi_stable: Option<String>,
    /// Effect of a panic.
    pub panic: PanicStrategy,
    /// The plugins of the library, in the order of its factory list.
    pub plugins: Vec<PluginMetadata>,
}

/// The metadata of one plugin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PluginMetadata {
    /// Reverse-domain id, unique in the world.
    pub id: String,
    /// Bridge or model plugin.
    pub kind: Kind,
    /// Short name used on the command line and in world files.
    pub name: String,
    /// Version of the plugin itself.
    pub version: String,
    /// Its vendor.
    #[serde(default)]
    pub vendor: String,
    /// SPDX licence expression.
    #[serde(default)]
    pub license: String,
    /// Required host extensions.
    #[serde(default)]
    pub requires: Vec<String>,
    /// Full names of the message types it registers.
    #[serde(default)]
    pub provides: Vec<String>,
    /// State support: `nothing`, `saved`, or any other word for `unsaved`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub state: String,
}

/// The part of the metadata that all schemas share.
#[derive(Deserialize)]
struct Head {
    schema: u32,
    abi: [u32; 2],
}

impl Metadata {
    /// Reads the section, which may end in NUL bytes, and checks every value in it.
    ///
    /// Schema and ABI version are checked before the rest is read, so that a plugin for another version is reported as
    /// such even if the format has changed.
    ///
    /// # Errors
    /// Returns the first problem, with its code.
    pub fn parse(section: &[u8]) -> Result<Self, Refusal> {
        let text = without_padding(section);
        let head: Head = read(text)?;
        check_version(&head)?;
        let metadata: Metadata = read(text).map_err(|refusal| of_schema(refusal, head.schema))?;
        metadata.check()?;
        Ok(metadata)
    }

    /// Checks every value.
    pub(super) fn check(&self) -> Result<(), Refusal> {
        self.check_plugins()?;
        self.check_requirements()
    }

    /// Returns findings that are warnings, or with `--strict` refusals.
    #[must_use]
    pub fn warnings(&self) -> Vec<Refusal> {
        let aborts = (self.panic == PanicStrategy::Abort).then(|| {
            Refusal::new(Code::PanicAbort, "a panic in this plugin ends the host: it was built with `abort`")
        });
        let unknown = self.plugins.iter().filter(|plugin| plugin.kind == Kind::Unknown).map(|plugin| {
            let text = format!("plugin `{}` is of a kind that this host does not know", plugin.name);
            Refusal::new(Code::UnknownKind, text)
        });
        aborts.into_iter().chain(unknown).collect()
    }

    fn check_plugins(&self) -> Result<(), Refusal> {
        if self.plugins.is_empty() {
            return Err(invalid("`plugins` is empty: the library contains no plugin"));
        }
        for (index, plugin) in self.plugins.iter().enumerate() {
            plugin.check()?;
            let before = self.plugins.get(..index).unwrap_or_default();
            if before.iter().any(|other| other.clashes_with(plugin)) {
                let text = format!(
                    "two plugins of the library share the id `{}` or the name `{}`",
                    plugin.id, plugin.name
                );
                return Err(invalid(text));
            }
        }
        Ok(())
    }

    fn check_requirements(&self) -> Result<(), Refusal> {
        for plugin in self.plugins.iter().filter(|plugin| plugin.kind != Kind::Unknown) {
            let missing: Vec<&str> = plugin
                .requires
                .iter()
                .map(String::as_str)
                .filter(|id| !extension::OFFERED.contains(id))
                .collect();
            if !missing.is_empty() {
                let text = format!(
                    "plugin `{}` requires {}, which this host does not offer",
                    plugin.name,
                    quoted_list(missing)
                );
                let offered = format!("offered: {}", extension::OFFERED.join(", "));
                return Err(Refusal::new(Code::MissingExtension, text).with_details(vec![offered]));
            }
        }
        Ok(())
    }
}

impl PluginMetadata {
    /// Returns true if both have the same id, or the same kind and name.
    #[must_use]
    pub fn clashes_with(&self, other: &PluginMetadata) -> bool {
        self.id == other.id || (self.kind == other.kind && self.name == other.name)
    }

    /// Returns its state support. A plugin without the field, or with an unknown word, may have any state.
    #[must_use]
    pub fn state_support(&self) -> StateSupport {
        match self.state.as_str() {
            "nothing" => StateSupport::Nothing,
            "saved" => StateSupport::Saved,
            _ => StateSupport::Unsaved,
        }
    }

    /// Returns one word for its state after a restore from a snapshot.
    #[must_use]
    pub fn on_restore(&self) -> &'static str {
        match (self.kind, self.state_support()) {
            // Bridges connect again.
            (Kind::Bridge | Kind::Unknown, _) => "-",
            (Kind::Model, StateSupport::Nothing | StateSupport::Saved) => "exact",
            (Kind::Model, StateSupport::Unsaved) => "reset",
        }
    }

    fn check(&self) -> Result<(), Refusal> {
        if !is_id(&self.id) {
            let text = format!(
                "id `{}` is not a reverse-domain id: dot-separated parts of ASCII letters, digits, `-` and `_`, \
                 at most {MAX_ID} bytes, as in `org.example.bridge.udp`",
                self.id.escape_debug()
            );
            return Err(invalid(text));
        }
        if !is_name(&self.name) {
            let text = format!(
                "name `{}` of `{}` is not a plugin name: ASCII letters, digits, `-` and `_`, at most {MAX_NAME} bytes",
                self.name.escape_debug(),
                self.id
            );
            return Err(invalid(text));
        }
        if self.version.is_empty() {
            return Err(invalid(format!("`version` of `{}` is empty", self.id)));
        }
        self.check_texts()
    }

    fn check_texts(&self) -> Result<(), Refusal> {
        let fields = [
            ("version", &self.version),
            ("vendor", &self.vendor),
            ("license", &self.license),
            ("state", &self.state),
        ];
        let lists = self.requires.iter().map(|id| ("requires", id));
        let lists = lists.chain(self.provides.iter().map(|name| ("provides", name)));
        for (field, value) in fields.into_iter().chain(lists) {
            if value.len() > MAX_TEXT || value.chars().any(char::is_control) {
                let text = format!(
                    "`{field}` of `{}` is longer than {MAX_TEXT} bytes or has control characters: `{}`",
                    self.id,
                    value.chars().take(40).collect::<String>().escape_debug()
                );
                return Err(invalid(text));
            }
        }
        Ok(())
    }
}

fn invalid(text: impl Into<String>) -> Refusal {
    Refusal::new(Code::MetadataInvalid, text)
}

fn is_id(id: &str) -> bool {
    id.len() <= MAX_ID && id.contains('.') && id.split('.').all(is_word)
}

fn is_name(name: &str) -> bool {
    name.len() <= MAX_NAME && is_word(name)
}

/// Returns true for letters, digits, `-` and `_` without a leading dash, which would be a flag on the command line.
fn is_word(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}

fn without_padding(section: &[u8]) -> &[u8] {
    let end = section.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    section.get(..end).unwrap_or_default()
}

fn read<'a, T: Deserialize<'a>>(text: &'a [u8]) -> Result<T, Refusal> {
    serde_json::from_slice(text).map_err(|error| {
        let text = format!("the metadata section of {} bytes cannot be read: {error}", text.len());
        Refusal::new(Code::MetadataMalformed, text)
    })
}

/// Names a later schema as the likely cause if the metadata cannot be read.
fn of_schema(refusal: Refusal, schema: u32) -> Refusal {
    if schema == entry::METADATA_SCHEMA {
        return refusal;
    }
    let known = entry::METADATA_SCHEMA;
    let text =
        format!("the metadata follows schema {schema}, this host knows schema {known}: {}", refusal.text);
    Refusal::new(Code::MetadataSchema, text)
}

fn check_version(head: &Head) -> Result<(), Refusal> {
    if head.schema == 0 {
        return Err(Refusal::new(
            Code::MetadataSchema,
            "the metadata follows schema 0, which does not exist",
        ));
    }
    let [major, minor] = head.abi;
    if !bridgehead_abi::is_compatible(major) {
        let text = format!("built for plugin ABI {major}.{minor}, this host supports {ABI_MAJOR}.x");
        return Err(Refusal::new(Code::AbiVersion, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
