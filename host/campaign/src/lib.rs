//! Campaigns: many runs of one program, made from a matrix of worlds, seeds, parameters and bridges.
//!
//! A campaign file is expanded into a [`Plan`], a list of runs. The [`Key`] of a run is a hash of everything that its
//! result depends on, so a result is found again, and a changed input changes exactly the keys of the runs that depend on
//! it. A [`Store`] keeps one result for each key. [`pool`] executes the runs that are missing, here; [`engine`] has other
//! programs start shards of the plan on other machines. The [`report`] reads only the plan and the store.
//!
//! What only the host knows is behind the trait [`Host`]: the configuration, the files of a world, the libraries of
//! plugins. This crate starts processes, reads and writes files, and sends requests to engines; it reads no clock, and has
//! no thread.

pub mod command;
mod digest;
pub mod engine;
mod error;
pub mod file;
mod host;
mod key;
mod matrix;
pub mod minimise;
mod plan;
pub mod pool;
pub mod report;
pub mod shown;
pub mod statistics;
mod store;
mod verify;

pub use digest::Digests;
pub use error::{CampaignError, Problem};
pub use file::{Accept, CampaignFile, Limits};
pub use host::{Base, Host, Inputs, Request};
pub use key::Key;
pub use plan::{Case, Plan, PlannedRun, plan};
pub use store::{
    Address, Conflict, Entry, Failure, FolderStore, HAS_BUCKETS, Put, Store, Try, Verdict, open,
};
pub use verify::verify;
