//! A run: its loop, which carries out what the lifecycle orders.
//!
//! Each part of a run owns its state, and only [`Simulation`] sees all parts: `simulation` holds them, and the other files
//! with methods of it import that file, which imports none of them. Everything here runs on the simulation thread; other
//! threads reach a run through [`Shared`](crate::api::Shared) only: requests, received messages, the clock.

mod announce;
mod background;
mod check;
mod controller;
mod cycle;
mod description;
pub mod entities;
mod error;
mod faults;
mod files;
mod inputs;
mod instances;
mod late_bridges;
mod libraries;
mod load;
mod loaded;
mod poses;
mod prepare;
mod problems;
mod record;
mod requests;
mod reset;
mod save;
mod scene;
mod sensors;
mod simulation;
mod snapshot;
mod start;
mod status;
mod step;
#[cfg(test)]
mod tests;
mod timeline;
mod topics;
mod traffic;
mod triggers;
mod turn;
mod worlds;

pub use background::Background;
pub use check::{Finding, check};
pub use controller::{Controller, NoController};
pub use error::SimError;
pub use inputs::{Inputs, check_values, inputs, value_in_file};
pub use libraries::Libraries;
pub use loaded::LoadedWorld;
pub use save::error::SaveError;
pub use save::{Overwrite, SavedWorld};
pub use simulation::Simulation;
pub use snapshot::{KeptSnapshot, ReturnError};
pub use timeline::{Timeline, Totals};
pub use topics::{PublishError, TopicRates};
pub use traffic::Traffic;
pub use triggers::Triggers;
pub use worlds::error::LoadError;
pub use worlds::work::WorldLoad;
pub use worlds::{LoadEnd, Worlds};
