//! What sensors say, against what a formula says; what drives do, against where they were told to go.
//!
//! The formula never uses what the host computes with: places on Earth are turned back by the equations of the
//! ellipsoid, a circle is measured by where the vehicle is and not by its wheels.

mod contacts;
mod driving;
mod inertial;
mod joints;
mod places;
mod ranges;
mod rotation;

use crate::support::{Line, Setup};

/// SDF's default (`world.sdf`, element `gravity`), m/s².
const GRAVITY: f64 = 9.8;

/// A world with gravity around `body`, in steps of a millisecond.
fn heavy_world(body: &str) -> String {
    format!("<sdf version=\"1.9\"><world name=\"test\">{body}</world></sdf>")
}

/// Runs a world and gives what its vehicle `rig` published.
fn log_of_rig(sdf: &str, plugins: &[&str], duration: &str) -> Vec<Line> {
    let setup = Setup::new().plugins(plugins).plugins(&["logging"]).world(sdf);
    let setup = setup.args(["--strict", "--duration", duration]).bridge("rig=logging:out/run.jsonl");
    setup.finish().expect_code(0).log("out/run.jsonl")
}
