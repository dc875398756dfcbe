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
mod resource;
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
pub use resource::Resource;
pub use sources::{Described, Sources};
pub use spawnables::{Spawnable, SpawnableList};
pub use tags::{TagFilter, TagMode};
pub use worlds::{WorldList, WorldQuery, WorldResource};
