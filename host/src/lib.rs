//! The Bridgehead simulation host: loads an SDF world, steps it, and runs the plugins and bridges of its vehicles.
//!
//! The program `bridgehead` is a shell over this library; [`cli::main`] is its way in, [`sim::Simulation`] is a run.
//! Plugins never see this crate: they stand on `bridgehead-plugin-api`, and what they reach of the host is
//! [`api`]. Nothing but the end-to-end tests depends on it.
//!
//! # Layers
//!
//! A module uses its own layer and those below, which the test `tests/it/tidy.rs` keeps.
//!
//! | layer | module | is |
//! |---|---|---|
//! | 7 | [`control`] | what may be asked of a running host from outside, in one table |
//! | 8 | [`web`] | the HTTP server: the control plane for clients |
//! | 9 | [`cli`] | the command line and everything that is printed |
//! | 6 | [`sim`] | the loop: carries out what the lifecycle orders, and reports back |
//! | 5 | [`config`] | what a run is asked to do, from flags and file |
//! | 5 | [`trigger`] | what shall be done when something happens |
//! | 5 | [`report`] | what a run says about itself, as values |
//! | 5 | [`bridge`] | bridge instances: connections, ends of topics, loops |
//! | 5 | [`model_plugin`] | sensor, controller and world plugins: starts and calls, in document order |
//! | 4 | [`api`] | the host as plugins see it: the functions behind the ABI |
//! | 4 | [`bus`] | message types, topics, queues: the data path |
//! | 4 | [`description`] | what the world consists of, as one message |
//! | 4 | [`resources`] | worlds and models by address or as text, and lists of what there is |
//! | 4 | [`world`] | entities by name, with their physics and what rays see of them |
//! | 3 | [`physics`] | rigid bodies, joints, contacts; the only module that names rapier |
//! | 3 | [`plugin`] | finds, checks and loads `.so` files; the only module that calls the dynamic linker |
//! | 2 | [`lifecycle`] | the state machine of a run, as a value |
//! | 2 | [`sdf`] | SDF text to typed elements with their places, and edits back into the text |
//! | 2 | [`rays`] | what range sensors see, and the casting of rays |
//! | 2 | [`pose`] | positions and rotations, as every layer above names them |
//! | 1 | [`params`] | the neutral tree of parameters that SDF and TOML become |
//! | 1 | [`crash`] | names the plugin that ended the process |
//! | 1 | [`guard`] | stops panics of the host at the functions that plugins call |
//! | 2 | [`watchdog`] | names the plugin call that does not return |
//! | 1 | [`catalogue`] | what error codes mean that have no table of their own |
//! | 1 | [`terminal`] | keys as they are pressed, and a terminal that is as it was in the end |
//! | 1 | [`table`] | parts by ids that are never given twice |
//! | 1 | [`thread`] | threads with a name and a deadline for joining |
//! | 1 | [`statistics`] | counts, means and percentiles of what is measured |
//! | 1 | [`clock`] | the wall clock and the pacing of steps |
//!
//! # What always holds
//!
//! - The world, the physics and the lifecycle belong to the simulation thread; other threads reach a run through
//!   [`api::Shared`] only.
//! - [`lifecycle`] and [`sdf`] do no I/O of their own and read no clock. Only [`clock`] reads the wall clock, and
//!   nothing simulated depends on it.
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
pub mod guard;
pub mod lifecycle;
pub mod mesh;
pub mod model_plugin;
pub mod params;
pub mod physics;
pub mod plugin;
pub mod pose;
pub mod rays;
pub mod report;
pub mod resources;
pub mod sdf;
pub mod sim;
pub mod statistics;
pub mod table;
pub mod terminal;
pub mod thread;
pub mod trigger;
pub mod watchdog;
pub mod web;
pub mod world;
