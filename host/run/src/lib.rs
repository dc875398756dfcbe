//! A run of the simulation: its configuration, its loop, what plugins see of it, and its results.
//!
//! [`sim::Simulation`] is a run. The control plane, the HTTP server and the command line are above, in `bridgehead-host`.
//!
//! # Layers
//!
//! A module uses its own layer and those below, which `tests/it/tidy/layers.rs` checks. Below all of them are the modules of
//! other crates, such as [`world`], [`bus`], [`plugin`] and [`call`].
//!
//! | layer | module | is |
//! |---|---|---|
//! | 4 | [`sim`] | the loop: carries out the effects of the lifecycle, and reports the results |
//! | 3 | [`bridge`] | bridge instances: connections, endpoints of topics, loops |
//! | 3 | [`config`] | the configuration of a run, from flags, environment and file |
//! | 3 | [`model_plugin`] | sensor, controller and world plugins: starts and calls, in document order |
//! | 3 | [`recording`] | recordings of runs, for the view |
//! | 3 | [`report`] | the results and statistics of a run, as values |
//! | 3 | [`trigger`] | triggers: events and the actions they cause |
//! | 3 | [`worker`] | plugins in processes of their own |
//! | 2 | [`api`] | the host as plugins see it: the functions behind the ABI |
//! | 2 | [`description`] | the content of the world, as one message |
//! | 2 | [`resources`] | worlds and models by address or as text, and lists of them |
//! | 2 | [`scene`] | what the world looks like, and the poses of what moves |
//! | 1 | [`catalogue`] | meanings of the error codes that no other table contains |
//! | 1 | [`severity`] | how severe findings about worlds are, and what becomes of them |

pub use bridgehead_bus as bus;
pub use bridgehead_loader as plugin;
pub use bridgehead_runtime::{
    atomic_file, call, checksum, clock, crash, descriptors, duration, file_stamp, guard, ledger, log_feed,
    memory, statistics, supervisor, terminal, text, thread, watchdog,
};
pub use bridgehead_world as world;

pub mod api;
pub mod bridge;
pub mod catalogue;
pub mod config;
pub mod description;
pub mod model_plugin;
pub mod recording;
pub mod report;
pub mod resources;
pub mod scene;
pub mod severity;
pub mod sim;
pub mod trigger;
pub mod worker;
