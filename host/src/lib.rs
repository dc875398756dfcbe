//! The Bridgehead simulation host: loads an SDF world, steps it, and runs the plugins and bridges of its vehicles.
//!
//! The program `bridgehead` is a shell over this library; [`cli::main`] is its way in, [`sim::Simulation`] is a run.
//! Plugins never see this crate: they stand on `bridgehead-plugin-api`, and what they reach of the host is
//! [`api`]. Nothing but the end-to-end tests depends on it.
//!
//! Three crates lie below this one: `bridgehead-lifecycle` (the state machine of a run, as a value), `bridgehead-sdf`
//! (SDF text to typed elements, and edits back into the text) and `bridgehead-physics` (rigid bodies, meshes, rays; the
//! only crate that depends on rapier).
//!
//! # Layers
//!
//! A module uses its own layer and those below, which `tests/it/tidy/layers.rs` checks.
//!
//! | layer | module | is |
//! |---|---|---|
//! | 9 | [`cli`] | the command line and everything that is printed |
//! | 8 | [`web`] | the HTTP server: the control plane for clients |
//! | 7 | [`control`] | what may be asked of a running host from outside, in one table |
//! | 6 | [`sim`] | the loop: carries out what the lifecycle orders, and reports back |
//! | 5 | [`bridge`] | bridge instances: connections, endpoints of topics, loops |
//! | 5 | [`config`] | what a run is asked to do, from flags and file |
//! | 5 | [`model_plugin`] | sensor, controller and world plugins: starts and calls, in document order |
//! | 5 | [`report`] | what a run says about itself, as values |
//! | 5 | [`trigger`] | what shall be done when something happens |
//! | 4 | [`api`] | the host as plugins see it: the functions behind the ABI |
//! | 4 | [`bus`] | message types, topics, queues: the data path |
//! | 4 | [`description`] | the content of the world, as one message |
//! | 4 | [`resources`] | worlds and models by address or as text, and lists of them |
//! | 4 | [`world`] | entities by name, with their physics and ray scene |
//! | 3 | [`plugin`] | finds, checks and loads `.so` files; the only module that calls the dynamic linker |
//! | 2 | [`watchdog`] | names the plugin call that does not return |
//! | 1 | [`atomic_file`] | files that are written as a whole or not at all |
//! | 1 | [`catalogue`] | what error codes mean that have no table of their own |
//! | 1 | [`checksum`] | a checksum that tells files apart and finds damaged ones |
//! | 1 | [`clock`] | the wall clock and the pacing of steps |
//! | 1 | [`crash`] | crash report: names the plugin that ended the process |
//! | 1 | [`duration`] | durations as text |
//! | 1 | [`guard`] | catches panics of the host in the functions that plugins call |
//! | 1 | [`statistics`] | counts, means and percentiles of what is measured |
//! | 1 | [`terminal`] | single key presses, and the original terminal settings at the end |
//! | 1 | [`thread`] | threads with a name and a join deadline, and the mutex lock helper |
//!
//! # What always holds
//!
//! - The world, the physics and the lifecycle belong to the simulation thread; other threads reach a run through
//!   [`api::Shared`] only.
//! - Lifecycle and SDF do no I/O of their own and read no clock. Only [`clock`] reads the wall clock, and no simulated
//!   value depends on it.
//! - The lifecycle decides, the loop obeys: [`sim`] holds no policy.
//! - No code of a plugin runs before its file passed the checks of [`plugin`], and [`api`] holds no lock while it
//!   runs.
//! - A plugin or bridge that fails is named and left out; the rest of the run goes on.
//! - Only `main` ends the process, so every path disconnects. The exceptions are a second SIGINT or SIGTERM, and a
//!   plugin call that never returns.
//! - What runs share hangs on [`api::Shared`], not on globals: two of them in one process do not see each other.

pub mod api;
pub mod atomic_file;
pub mod bridge;
pub mod bus;
pub mod catalogue;
pub mod checksum;
pub mod cli;
pub mod clock;
pub mod config;
pub mod control;
pub mod crash;
pub mod description;
pub mod duration;
pub mod guard;
pub mod model_plugin;
pub mod plugin;
pub mod report;
pub mod resources;
pub mod sim;
pub mod statistics;
pub mod terminal;
pub mod thread;
pub mod trigger;
pub mod watchdog;
pub mod web;
pub mod world;
