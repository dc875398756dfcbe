//! Dynamics of a tree of 30 links beside Pinocchio: the mass matrix, the bias forces and the accelerations of many states.
//!
//! `pinocchio_tree.py` describes trees, states and their frames; `own_tree` turns them into those of the dynamics.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::Outcome;
use crate::ours::list;
use crate::own_tree;
use crate::page::{Row, Section, figure};
use crate::peers::Peers;

/// The tree, and the number of its states.
const SEED: u32 = 1;
const STATES: u32 = 50;
/// Largest relative difference.
const BOUND: f64 = 1e-9;

/// The dynamics of a state, as `pinocchio_tree.py` orders its numbers.
pub(crate) struct Dynamics {
    /// The rows of the mass matrix, one after the other.
    pub(crate) mass: Vec<f64>,
    pub(crate) bias: Vec<f64>,
    pub(crate) acceleration: Vec<f64>,
}

impl Dynamics {
    fn read(state: &Value) -> Outcome<Self> {
        let rows: Vec<Vec<f64>> = serde_json::from_value(state["mass"].clone())?;
        let numbers = |key: &str| serde_json::from_value(state[key].clone());
        Ok(Dynamics { mass: rows.concat(), bias: numbers("bias")?, acceleration: numbers("acceleration")? })
    }

    fn read_all(text: &str) -> Outcome<Vec<Self>> {
        list(&serde_json::from_str::<Value>(text)?["states"]).map(Dynamics::read).collect()
    }
}

/// The largest difference in relation to the largest number; infinite if the lengths differ.
fn difference(found: &[f64], reference: &[f64]) -> f64 {
    if found.len() != reference.len() {
        return f64::INFINITY;
    }
    let size = reference.iter().fold(0.0, |most: f64, number| most.max(number.abs()));
    let apart = found.iter().zip(reference).map(|(one, other)| (one - other).abs());
    // `max` would ignore numbers that are none.
    apart.fold(0.0, |most: f64, apart| if apart <= most { most } else { apart }) / size
}

/// The row of an engine; the bound holds for this project's only.
fn row(engine: &str, found: &[Dynamics], reference: &[Dynamics], has_bound: bool) -> Row {
    let most = |of: fn(&Dynamics) -> &[f64]| {
        let differences = found.iter().zip(reference).map(|(one, other)| difference(of(one), of(other)));
        let most = differences.fold(0.0, |most: f64, next| if next <= most { most } else { next });
        if found.len() == reference.len() { most } else { f64::INFINITY }
    };
    let differences =
        [most(|state| &state.mass), most(|state| &state.bias), most(|state| &state.acceleration)];
    let holds = differences.iter().all(|difference| *difference <= BOUND);
    let mut cells = vec![engine.to_owned()];
    cells.extend(differences.map(figure));
    Row { cells, holds: has_bound.then_some(holds) }
}

/// Compares the states of a tree.
pub(crate) fn section(peers: &Peers) -> Outcome<Section> {
    let folder = TempDir::new()?;
    let path = folder.path().join("tree.json");
    let file = path.to_string_lossy();
    let text = peers.program("pinocchio_tree.py", &["make", &SEED.to_string(), &STATES.to_string()])?;
    fs::write(&path, &text)?;
    let ours = own_tree::dynamics(&text)?;
    let reference = Dynamics::read_all(&peers.program("pinocchio_tree.py", &["reference", &file])?)?;
    let mujoco = Dynamics::read_all(&peers.program("tree_in_mujoco.py", &[&file])?)?;
    Ok(Section {
        title: "Dynamics of a tree",
        method: format!(
            "The largest relative differences from Pinocchio of the mass matrix, of the bias forces, which contain gravity, \
             and of the accelerations: a floating tree of 30 links on revolute, prismatic and ball joints with random \
             frames, inertia and efforts, in {STATES} states of a motion. The bound is {}.",
            figure(BOUND)
        ),
        heads: vec!["", "mass matrix", "bias forces", "accelerations"],
        rows: vec![row("Bridgehead", &ours, &reference, true), row("MuJoCo", &mujoco, &reference, false)],
        notes: Vec::new(),
    })
}
