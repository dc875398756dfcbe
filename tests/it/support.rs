//! Support code for tests: a fresh folder, chosen plugins, a run of the real binary with a deadline, and readers for
//! its output files.
//!
//! The expected behaviour is in the tests, not here. Each test has its own folder, so all tests can run at the same
//! time.

mod c_plugin;
mod command;
mod finished;
mod gate;
mod http;
mod json_program;
mod locate;
mod measure;
mod node;
mod outside;
mod patience;
mod port;
mod process;
mod python;
mod recording;
mod running;
mod service;
mod setup;
mod skip;
mod small_disk;
mod times;
mod world;

pub(crate) use bridgehead_http_client::{Connection, receive_from};
pub(crate) use c_plugin::{CPlugin, changed_header};
pub(crate) use command::{cargo, succeed};
pub(crate) use finished::Finished;
pub(crate) use gate::{Gates, LONGEST, gated_model};
pub(crate) use http::{Client, Served, eventually, next_message};
pub(crate) use json_program::JsonProgram;
pub(crate) use locate::{build_release, fixture, host, plugin, release, root, target, worlds};
pub(crate) use measure::{assert_all_near, assert_near, at};
pub(crate) use node::{node_packages, node_with};
pub(crate) use outside::Outside;
pub(crate) use patience::{is_loaded, is_long, is_quiet, prompt};
pub(crate) use port::free_port;
pub(crate) use process::slope;
pub(crate) use python::Python;
pub(crate) use recording::{Line, read_gz_lines, read_lines};
pub(crate) use running::Running;
pub(crate) use service::{
    FAILED, INCORRECT_STATE, LOADING, NO_WORLD, NOT_FOUND, OK, PAUSED, PLAYING, QUITTING, STOPPED,
    UNSUPPORTED, state_of, with_result,
};
pub(crate) use setup::{CLOISIM_YARD, Setup};
pub(crate) use skip::{missing, shared, skipped};
pub(crate) use small_disk::SmallDisk;
pub(crate) use world::{vehicle, world};
