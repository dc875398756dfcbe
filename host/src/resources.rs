//! Worlds and models by address or as text, and lists of the available ones.
//!
//! A [`Resource`] is an address or a text that a client gives. A [`Library`] finds and reads it, and lists worlds and
//! models. It leaves parsing to the SDF crate, and loading and spawning to the layers above.
//!
//! Usable from any thread. Lists are made outside the simulation thread.

mod cache;
mod check;
mod error;
mod fetch;
mod format;
mod library;
mod scan;
mod sources;
mod spawnables;
mod tags;
#[cfg(test)]
mod tests;
mod worlds;

pub use check::{Strictness, check_assets, check_findings};
pub use error::ResourceError;
pub use fetch::{Fetched, ResourceKind};
pub use format::Format;
pub use library::Library;
pub use sources::{Described, Sources};
pub use spawnables::{Spawnable, SpawnableList};
pub use tags::{TagFilter, TagMode};
pub use worlds::{WorldList, WorldQuery, WorldResource};

/// A world or model as given by a client. A non-empty address takes precedence over the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    /// Address; empty if the text is used.
    pub uri: String,
    /// SDF or URDF text.
    pub text: String,
}

impl Resource {
    /// Creates a resource by address.
    #[must_use]
    pub fn at(uri: impl Into<String>) -> Self {
        Resource { uri: uri.into(), text: String::new() }
    }

    /// Creates a resource from a text.
    #[must_use]
    pub fn of_text(text: impl Into<String>) -> Self {
        Resource { uri: String::new(), text: text.into() }
    }

    /// Returns its name for messages.
    #[must_use]
    pub fn shown(&self) -> &str {
        if self.uri.is_empty() { "the text given" } else { &self.uri }
    }
}
