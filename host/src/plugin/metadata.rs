//! The metadata section: what a library says about itself before any of its code runs.
//!
//! The format is described at [`bridgehead_abi::entry::METADATA_SECTION`]. Here it is read, its version is
//! compared with the host's, and every value is checked, because ids and names end up in file names, on
//! command lines and in terminals.

use std::fmt;

use bridgehead_abi::{ABI_MAJOR, ABI_MINOR, entry, extension};
use serde::{Deserialize, Serialize};

use super::code::Code;
use super::refusal::{Refusal, quoted_list};

/// Longest id in bytes.
const MAX_ID: usize = 128;
/// Longest name in bytes.
const MAX_NAME: usize = 64;
/// Longest version, vendor, licence or type name in bytes.
const MAX_TEXT: usize = 256;

/// What kind of plugin it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Carries messages out of and into the host.
    Bridge,
    /// Attached to a model, a sensor or the world.
    Model,
}

impl Kind {
    /// The kind behind a `KIND_` constant.
    #[must_use]
    pub const fn from_abi(kind: u32) -> Option<Kind> {
        match kind {
            entry::KIND_BRIDGE => Some(Kind::Bridge),
            entry::KIND_MODEL => Some(Kind::Model),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Bridge => "bridge",
            Kind::Model => "model",
        })
    }
}

/// What a panic does in a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PanicStrategy {
    /// It unwinds up to the border, where the SDK catches it.
    Unwind,
    /// It ends the process.
    Abort,
    /// The library's language has no panics.
    None,
}

/// What a model plugin remembers from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembers {
    /// Nothing.
    Nothing,
    /// Something that it saves and loads.
    Saved,
    /// Something that it cannot give away.
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
    /// What a panic does.
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
    /// Who makes it.
    #[serde(default)]
    pub vendor: String,
    /// SPDX licence expression.
    #[serde(default)]
    pub license: String,
    /// Host extensions without which it cannot work.
    #[serde(default)]
    pub requires: Vec<String>,
    /// Full names of the message types it registers.
    #[serde(default)]
    pub provides: Vec<String>,
    /// What it remembers: `nothing`, `saved`, or something else for `unsaved`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub state: String,
}

/// The part of the metadata that every schema has.
#[derive(Deserialize)]
struct Head {
    schema: u32,
    abi: [u32; 2],
}

impl Metadata {
    /// Reads the section, which may end in NUL bytes, and checks every value in it.
    ///
    /// Schema and ABI version are judged before the rest is read, so that a plugin for another version is
    /// told so even where the format has changed.
    ///
    /// # Errors
    /// The first thing that is wrong, with its code.
    pub fn parse(section: &[u8]) -> Result<Self, Refusal> {
        let text = without_padding(section);
        let head: Head = read(text)?;
        check_version(&head)?;
        let metadata: Metadata = read(text)?;
        metadata.check_plugins()?;
        metadata.check_requirements()?;
        Ok(metadata)
    }

    /// What deserves a warning, or under `--strict` a refusal.
    #[must_use]
    pub fn warning(&self) -> Option<Refusal> {
        match self.panic {
            PanicStrategy::Abort => Some(Refusal::new(
                Code::PanicAbort,
                "a panic in this plugin ends the host: it was built with `abort`",
            )),
            PanicStrategy::Unwind | PanicStrategy::None => None,
        }
    }

    fn check_plugins(&self) -> Result<(), Refusal> {
        if self.plugins.is_empty() {
            return Err(invalid("`plugins` is empty: the library holds no plugin"));
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
        for plugin in &self.plugins {
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
    /// Whether both cannot be told apart: the same id, or the same name for the same kind.
    #[must_use]
    pub fn clashes_with(&self, other: &PluginMetadata) -> bool {
        self.id == other.id || (self.kind == other.kind && self.name == other.name)
    }

    /// What it remembers: a plugin that says nothing, or a word of a later version, may remember anything.
    #[must_use]
    pub fn remembers(&self) -> Remembers {
        match self.state.as_str() {
            "nothing" => Remembers::Nothing,
            "saved" => Remembers::Saved,
            _ => Remembers::Unsaved,
        }
    }

    /// What becomes of it where a run is restored from a snapshot, in one word.
    #[must_use]
    pub fn on_restore(&self) -> &'static str {
        match (self.kind, self.remembers()) {
            // Connections are made anew.
            (Kind::Bridge, _) => "-",
            (Kind::Model, Remembers::Nothing | Remembers::Saved) => "exact",
            (Kind::Model, Remembers::Unsaved) => "reset",
        }
    }

    fn check(&self) -> Result<(), Refusal> {
        if !is_id(&self.id) {
            let text = format!(
                "id `{}` is no reverse-domain id: dot-separated parts of ASCII letters, digits, `-` and `_`, \
                 at most {MAX_ID} bytes, as in `org.example.bridge.udp`",
                self.id.escape_debug()
            );
            return Err(invalid(text));
        }
        if !is_name(&self.name) {
            let text = format!(
                "name `{}` of `{}` is no plugin name: ASCII letters, digits, `-` and `_`, at most {MAX_NAME} bytes",
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

/// Letters, digits, `-` and `_`, not beginning with a dash, which the command line would take for a flag.
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

fn check_version(head: &Head) -> Result<(), Refusal> {
    if head.schema != entry::METADATA_SCHEMA {
        let text = format!(
            "the metadata follows schema {}, this host knows schema {}",
            head.schema,
            entry::METADATA_SCHEMA
        );
        return Err(Refusal::new(Code::MetadataSchema, text));
    }
    let [major, minor] = head.abi;
    if !bridgehead_abi::is_compatible(major, minor) {
        let text = format!("built for plugin ABI {major}.{minor}, this host speaks {ABI_MAJOR}.{ABI_MINOR}");
        return Err(Refusal::new(Code::AbiVersion, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests;
