//! Worlds and models by address or as text, and what there is to choose from.
//!
//! A [`Resource`] is what a client names: an address or, without one, a text. A [`Library`] makes text of it, with the
//! place it came from, and lists the worlds and the models that can be named. Here files are found and read; what is
//! in them is the SDF layer's business, and what becomes of them that of the layers above.
//!
//! A library may be used from any thread: lists are made outside the simulation thread.

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
pub use fetch::{Fetched, Wanted};
pub use format::Format;
pub use library::Library;
pub use sources::{Described, Sources};
pub use spawnables::{Spawnable, SpawnableList};
pub use tags::{TagFilter, TagMode};
pub use worlds::{WorldList, WorldQuery, WorldResource};

/// What a client names. An address that is not empty wins over the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resource {
    /// Address; empty where the text counts.
    pub uri: String,
    /// SDF or URDF.
    pub text: String,
}

impl Resource {
    /// A resource by address.
    #[must_use]
    pub fn at(uri: impl Into<String>) -> Self {
        Resource { uri: uri.into(), text: String::new() }
    }

    /// A resource as text.
    #[must_use]
    pub fn of_text(text: impl Into<String>) -> Self {
        Resource { uri: String::new(), text: text.into() }
    }

    /// What to call it in a message.
    #[must_use]
    pub fn shown(&self) -> &str {
        if self.uri.is_empty() { "the text given" } else { &self.uri }
    }
}
