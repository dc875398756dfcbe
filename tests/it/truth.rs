//! Measurements of sensors, compared with formulas, and motions of drives, compared with their commands.
//!
//! The formulas are independent of the host's code: places on Earth are converted back with the equations of the
//! ellipsoid, a circle is measured by the vehicle's positions and not by its wheels.

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

/// Runs a world and returns the messages of its vehicle `rig`.
fn log_of_rig(sdf: &str, plugins: &[&str], duration: &str) -> Vec<Line> {
    let setup = Setup::new().plugins(plugins).plugins(&["logging"]).world(sdf);
    let setup = setup.args(["--strict", "--duration", duration]).bridge("rig=logging:out/run.jsonl");
    setup.finish().expect_code(0).log("out/run.jsonl")
}
