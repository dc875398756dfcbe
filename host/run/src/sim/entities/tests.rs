//! Entities of a run without plugins; integration tests cover entities with plugins and bridges.

use std::path::PathBuf;

use bridgehead_lifecycle::{AfterReset, Cause, Interrupt, Request, ResetRequest, ResetScope, StartIn, State};
use bridgehead_sdf::pose::{DVec3, Pose};

use crate::api::Shared;
use crate::clock::Speed;
use crate::config::RunConfig;
use crate::report::{StartProgress, Status, Watcher};
use crate::sim::{NoController, Simulation};
use crate::world::entities::{DeleteError, Placement, SpawnError, SpawnRequest, SpawnSource, StateChange};

const WORLD: &str = "<sdf version='1.9'><world name='yard'>
  <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
  <model name='box_a'><pose>0 0 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
  </world></sdf>";

const CRATE: &str =
    "<model name='crate'><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box>
    </geometry></collision></link></model>";

struct NoWatcher;

impl Watcher for NoWatcher {
    fn starting(&mut self, _: &StartProgress) {}
    fn status(&mut self, _: &Status) {}
}

fn simulation(world: Option<PathBuf>, start: StartIn) -> Simulation {
    let config =
        RunConfig { world, start, speed: Speed::Unlimited, keep_alive: true, ..RunConfig::default() };
    let mut simulation = Simulation::new(config, Shared::new(0)).expect("a run");
    simulation.begin().expect("begins");
    simulation
}

/// Advances the simulation until `is_done` returns true.
fn until(simulation: &mut Simulation, is_done: impl Fn(&Simulation) -> bool) {
    for _ in 0..100_000 {
        if is_done(simulation) {
            return;
        }
        assert!(simulation.advance(&mut NoWatcher, &mut NoController), "the run is over");
    }
    panic!("it is still in {}", simulation.state().name());
}

fn ask(simulation: &mut Simulation, interrupt: Interrupt) {
    simulation.shared.requests.push(Request::new(interrupt, Cause::CommandLine));
    assert!(simulation.advance(&mut NoWatcher, &mut NoController));
}

fn reset(simulation: &mut Simulation, scope: ResetScope) {
    let epoch = simulation.now().reset_epoch;
    ask(simulation, Interrupt::Reset(ResetRequest { scope, then: AfterReset::Keep }));
    until(simulation, |simulation| {
        simulation.now().reset_epoch > epoch && simulation.state() == State::Pause
    });
}

fn crate_at(name: &str, z: f64) -> SpawnRequest {
    SpawnRequest {
        source: SpawnSource::Text { text: CRATE.to_owned(), folder: None },
        placement: Placement {
            name: name.to_owned(),
            allow_renaming: false,
            namespace: String::new(),
            pose: Pose::from_position(DVec3::new(0.0, 0.0, z)),
            frame: String::new(),
        },
    }
}

/// Returns the names of the entities, and checks that the description of the world has the same.
#[track_caller]
fn names(simulation: &Simulation) -> Vec<String> {
    let world = simulation.world().expect("a world");
    let names: Vec<_> = world.entities().map(|entity| entity.model.name.clone()).collect();
    let described = simulation.shared().description.message();
    assert_eq!(described.models.iter().map(|model| model.name.clone()).collect::<Vec<_>>(), names);
    names
}

#[test]
fn every_operation_is_refused_without_a_world() {
    let mut simulation = simulation(None, StartIn::Stopped);
    until(&mut simulation, |simulation| simulation.state() == State::NoWorld);
    assert_eq!(simulation.spawn(&crate_at("c1", 3.0)), Err(SpawnError::NoWorld));
    assert_eq!(simulation.delete("box_a"), Err(DeleteError::NoWorld));
    assert!(simulation.world().is_none() && simulation.world_mut().is_none());
}

#[test]
fn entities_are_spawned_and_deleted_in_every_state_with_a_world() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("yard.sdf");
    std::fs::write(&path, WORLD).expect("written");
    let mut run = simulation(Some(path), StartIn::Stopped);
    until(&mut run, |run| run.state() == State::Stopped);
    assert_eq!(run.spawn(&crate_at("stopped", 3.0)).as_deref(), Ok("stopped"));
    ask(&mut run, Interrupt::Play);
    until(&mut run, |run| run.now().step == 5);
    assert_eq!(run.spawn(&crate_at("playing", 6.0)).as_deref(), Ok("playing"));
    ask(&mut run, Interrupt::Pause);
    until(&mut run, |run| run.state() == State::Pause);
    let steps = run.now().step;
    let wrong = SpawnRequest { source: SpawnSource::File("/nowhere.sdf".into()), ..crate_at("x", 0.0) };
    let requests = [crate_at("paused", 9.0), wrong, crate_at("last", 12.0)];
    let results = requests.map(|request| run.spawn(&request));
    assert!(
        matches!(&results[..], [Ok(first), Err(SpawnError::MissingAssets(_)), Ok(last)] if first == "paused" && last == "last")
    );
    assert_eq!(run.now().step, steps);
    assert_eq!(names(&run), ["ground", "box_a", "stopped", "playing", "paused", "last"]);
    run.delete("stopped").expect("deleted");
    assert_eq!(run.delete("stopped"), Err(DeleteError::NotFound("stopped".into())));
    run.delete("box_a").expect("deleted");
    assert_eq!(names(&run), ["ground", "playing", "paused", "last"]);
    reset(&mut run, ResetScope::SPAWNED);
    assert_eq!(names(&run), ["ground"]);
    assert_eq!(run.now().step, steps, "time is not reset");
    reset(&mut run, ResetScope::ALL);
    assert_eq!((names(&run), run.now().step), (vec!["ground".to_owned(), "box_a".to_owned()], 0));
}

#[test]
fn a_reset_of_the_state_returns_spawned_entities_to_their_spawn_poses() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("yard.sdf");
    std::fs::write(&path, WORLD).expect("written");
    let mut run = simulation(Some(path), StartIn::Paused);
    until(&mut run, |run| run.state() == State::Pause);
    let first = run.world().expect("a world").state_hash();
    run.spawn(&crate_at("c1", 3.0)).expect("spawned");
    ask(&mut run, Interrupt::Step(50));
    until(&mut run, |run| run.now().step == 50 && run.state() == State::Pause);
    let moved = StateChange { pose: Some(Pose::from_position(DVec3::ONE)), ..StateChange::default() };
    run.world_mut().expect("a world").set_state("box_a", &moved).expect("set");
    reset(&mut run, ResetScope::STATE);
    let height = |run: &Simulation, name: &str| {
        let world = run.world().expect("a world");
        world.entity(world.find_entity(name).expect("an entity")).expect("a state").pose.position.z
    };
    assert!((height(&run, "c1") - 3.0).abs() < 1e-9 && (height(&run, "box_a") - 0.5).abs() < 1e-9);
    for _ in 0..3 {
        run.spawn(&crate_at("c2", 6.0)).expect("spawned");
        run.delete("box_a").expect("deleted");
        reset(&mut run, ResetScope::ALL);
        assert_eq!(run.world().expect("a world").state_hash(), first);
    }
}
