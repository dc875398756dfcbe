//! Loads and spawns that a gate holds open (`tests/it/support/gate.rs`): what is answered and refused meanwhile, what
//! interrupts them, and that steps go on.

mod interrupts;
mod loads;
mod spawns;

use crate::support::{
    FAILED, Gates, INCORRECT_STATE, LOADING, NO_WORLD, PAUSED, PLAYING, Setup, gated_model, world,
};

/// Number of gates in front of a load: each holds it for 45 s at most.
const GATES: usize = 4;

/// A paused run of a world that is held at the gates while it loads.
fn gated_run(gates: &Gates) -> Setup {
    let setup = Setup::new().plugins(&["clock"]).world(&world(&gated_model(GATES)));
    setup.env("XDG_CACHE_HOME", gates.cache()).args(["--start", "paused"])
}
