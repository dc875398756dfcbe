//! The times at which the controller of a run is called, and a run whose thread panics.

use std::sync::Arc;

use bridgehead_lifecycle::State;

use super::driver::world;
use crate::api::Shared;
use crate::clock::Speed;
use crate::config::RunConfig;
use crate::report::{StartProgress, Status, Watcher};
use crate::sim::{Controller, SimError, Simulation};

/// The bridge that holds steps.
const HOLDER: u32 = 7;

struct NoWatcher;

impl Watcher for NoWatcher {
    fn starting(&mut self, _: &StartProgress) {}
    fn status(&mut self, _: &Status) {}
}

/// Records state and step of every call.
struct Visitor(Vec<(State, u64)>);

impl Controller for Visitor {
    fn is_wanted(&self, _: &Simulation) -> bool {
        true
    }

    fn serve(&mut self, simulation: &mut Simulation) {
        self.0.push((simulation.state(), simulation.now().step));
    }
}

#[test]
fn the_controller_is_called_between_steps_even_while_a_bridge_holds_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("yard.sdf");
    std::fs::write(&file, world("yard", "")).expect("written");
    let shared = Shared::new(0);
    shared.lockstep.hold(HOLDER, None, crate::api::Late::Wait);
    assert!(shared.lockstep.release(HOLDER, None, 3).is_ok());
    let config = RunConfig { world: Some(file), speed: Speed::Unlimited, ..RunConfig::default() };
    let mut simulation = Simulation::new(config, Arc::clone(&shared)).expect("a run");
    simulation.begin().expect("begins");
    let mut visitor = Visitor(Vec::new());
    let is_held = |visit: &&(State, u64)| **visit == (State::StepEnd, 3);
    for _ in 0..300 {
        assert!(simulation.advance(&mut NoWatcher, &mut visitor), "the run is over");
        if visitor.0.iter().filter(is_held).count() > 1 {
            break;
        }
    }
    assert!(visitor.0.iter().filter(is_held).count() > 1, "{:?}", visitor.0);
    let is_inside_a_step = |(state, step): &(State, u64)| match state {
        State::StepSimulator | State::StepController => true,
        State::StepEnd => *step < 3,
        _ => false,
    };
    assert!(!visitor.0.iter().any(is_inside_a_step), "{:?}", visitor.0);
}

struct Panicking;

impl Controller for Panicking {
    fn is_wanted(&self, _: &Simulation) -> bool {
        true
    }

    fn serve(&mut self, _: &mut Simulation) {
        panic!("the controller gives up");
    }
}

#[test]
fn a_panic_of_the_simulation_thread_is_an_error_with_its_text() {
    let simulation = Simulation::new(RunConfig::default(), Shared::new(0)).expect("a run");
    let error = simulation.run(&mut NoWatcher, &mut Panicking).expect_err("it panics");
    assert!(matches!(&error, SimError::Panicked(text) if text == "the controller gives up"), "{error}");
    assert!(error.to_string().starts_with("[BH-SIM-902]"), "{error}");
}
