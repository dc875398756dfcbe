//! The Bridgehead simulation host: loads an SDF world, steps it, and runs the plugins and bridges of its vehicles.
//!
//! The program `bridgehead` only calls [`cli::main`] of this library; [`sim::Simulation`] is a run. Plugins do not
//! depend on this crate: they use `bridgehead-plugin-api` and call the host through the functions of [`api`]. Only the
//! end-to-end tests and the fuzz targets depend on it.
//!
//! This crate uses other crates of the host: `bridgehead-run` (a run: its loop, and the host as plugins see it), `bridgehead-lifecycle` (the state machine of a run, as a value),
//! `bridgehead-sdf` (SDF text to typed elements, and edits back into the text), `bridgehead-physics` (rigid bodies in the
//! terms of SDF, and rays; it uses `bridgehead-dynamics`, the solver), `bridgehead-mesh` (mesh files), `bridgehead-scene` (what a world looks like),
//! `bridgehead-campaign` (many runs, as processes), `bridgehead-world` (entities by name), `bridgehead-bus` (the data path),
//! `bridgehead-loader` (the libraries of plugins) and `bridgehead-runtime` (time, threads, and guarded calls).
//!
//! # Layers
//!
//! A module uses its own layer and those below, which `tests/it/tidy/layers.rs` checks. Below all of them are the modules of
//! other crates: those of `bridgehead-run`, such as [`sim`], [`api`] and [`config`], then [`world`], [`bus`] and [`plugin`], and
//! those of `bridgehead-runtime`, such as [`call`], [`clock`] and [`thread`].
//!
//! | layer | module | is |
//! |---|---|---|
//! | 3 | [`cli`] | the command line and everything that is printed |
//! | 3 | [`fuzz`] | fuzz targets, only for tests and fuzzers |
//! | 2 | [`step_channel`] | steps, commands and observations for one client, over a Unix socket |
//! | 2 | [`web`] | the HTTP server: the control plane for clients |
//! | 1 | [`control`] | the services of a running host for clients, in one table |
//!
//! # Invariants
//!
//! - The world, the physics and the lifecycle belong to the simulation thread; other threads reach a run only
//!   through [`api::Shared`], the queues of [`bus`] and the calls of [`control::ControlHandle`].
//! - The lifecycle does no I/O, and SDF reads files only through the trait `Files`. Only [`clock`] reads the wall
//!   clock, and no simulated value depends on it.
//! - The lifecycle makes all decisions; [`sim`] only carries them out.
//! - No code of a plugin runs before its file has passed the checks of [`plugin`], and [`api`] holds no lock while code
//!   of a plugin runs.
//! - If a plugin or bridge fails, it is reported by name and disabled. The run continues, unless the plugin failed in
//!   `reset` or the configuration says otherwise.
//! - Only `main` ends the process, so bridges are disconnected first. The exceptions are a second SIGINT or SIGTERM, a
//!   plugin call that never returns, a state of the lifecycle that outlasts its limit, and a plugin that calls `exit`
//!   or crashes.
//! - A run has a process of its own: if it ends and has not said how, its [`supervisor`] does.
//! - The shared state of a run is in [`api::Shared`], not in globals, so two runs in one process are independent.

pub use bridgehead_bus as bus;
pub use bridgehead_loader as plugin;
pub use bridgehead_run::{
    api, bridge, catalogue, config, description, model_plugin, recording, report, resources, scene, severity,
    sim, trigger, worker,
};
pub use bridgehead_runtime::{
    atomic_file, call, checksum, clock, crash, descriptors, duration, file_stamp, guard, ledger, log_feed,
    memory, statistics, supervisor, terminal, text, thread, watchdog,
};
pub use bridgehead_world as world;

pub mod cli;
pub mod control;
#[cfg(any(test, fuzzing, doc))]
pub mod fuzz;
pub mod step_channel;
pub mod web;
