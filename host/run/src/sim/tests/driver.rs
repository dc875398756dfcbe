//! A simulation that a test drives, and the worlds it is driven with.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_lifecycle::{Cause, Interrupt, Report, Request, StartIn, State, WorldRequest};

use crate::api::Shared;
use crate::clock::Speed;
use crate::config::RunConfig;
use crate::report::{StartProgress, Status, Watcher};
use crate::resources::{Resource, Sources, WorldResource};
use crate::sim::{LoadError, LoadedWorld, NoController, Simulation, WorldLoad};

/// Longer than anything here takes, also on a busy machine.
const DEADLINE: Duration = Duration::from_secs(60);

struct Unwatched;

impl Watcher for Unwatched {
    fn starting(&mut self, _: &StartProgress) {}
    fn status(&mut self, _: &Status) {}
}

/// A host with a folder of worlds.
pub(super) struct Driver {
    pub(super) sim: Simulation,
    folder: tempfile::TempDir,
    report: Option<Report>,
}

/// Returns a world with a falling box `<name>_box`, and with the elements `more`.
pub(super) fn world(name: &str, more: &str) -> String {
    format!(
        "<sdf version='1.9' xmlns:bridgehead='urn:bridgehead:sdf'><world name='{name}'>{more}<model name='{name}_box'>\
         <pose>0 0 5 0 0 0</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry>\
         </collision></link></model></world></sdf>"
    )
}

impl Driver {
    /// Creates a host without a world, which finds worlds in its folder.
    pub(super) fn new() -> Self {
        Driver::with(RunConfig::default())
    }

    pub(super) fn with(config: RunConfig) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let worlds = Sources { places: vec![folder.path().to_owned()], ..Sources::default() };
        let output = folder.path().to_owned();
        let config = RunConfig { speed: Speed::Unlimited, worlds, output, ..config };
        let mut sim = Simulation::new(config, Shared::new(0)).expect("a host");
        sim.request_first_world();
        Driver { sim, folder, report: None }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file. Returns its path.
    pub(super) fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).expect("written");
        self.path(name).display().to_string()
    }

    pub(super) fn state(&self) -> State {
        self.sim.lifecycle.machine().state()
    }

    /// Makes one turn of the loop, without waiting for a request.
    pub(super) fn turn(&mut self) {
        self.report = self.sim.turn(self.report.take(), &mut Unwatched);
        if self.report.is_none() && !self.state().is_waiting() && self.state() != State::Quitting {
            self.report = self.sim.work(&mut Unwatched, &mut NoController);
        }
    }

    /// Makes one turn of the loop, and idles.
    pub(super) fn rest(&mut self) {
        self.turn();
        self.sim.idle(&mut Unwatched, &mut NoController);
    }

    #[track_caller]
    pub(super) fn until(&mut self, done: impl Fn(&Simulation) -> bool) {
        let deadline = crate::clock::now() + DEADLINE;
        while !done(&self.sim) {
            self.turn();
            assert!(crate::clock::now() < deadline, "still in {}", self.state().name());
        }
    }

    #[track_caller]
    pub(super) fn until_state(&mut self, state: State) {
        self.until(|sim| sim.lifecycle.machine().state() == state);
    }

    pub(super) fn ask(&self, interrupt: Interrupt) {
        self.sim.shared.requests.push(Request::new(interrupt, Cause::Control("test".to_owned())));
    }

    /// Loads a world like a client.
    #[track_caller]
    pub(super) fn load(&mut self, resource: Resource, start_in: StartIn) -> Result<WorldResource, LoadError> {
        self.load_as(WorldLoad { resource, ..WorldLoad::default() }, start_in)
    }

    #[track_caller]
    pub(super) fn load_as(&mut self, load: WorldLoad, start_in: StartIn) -> Result<WorldResource, LoadError> {
        let request = self.sim.worlds.prepare(load, start_in)?;
        self.carry_out(&request)
    }

    /// Requests a prepared load, and waits for its end.
    #[track_caller]
    pub(super) fn carry_out(&mut self, request: &WorldRequest) -> Result<WorldResource, LoadError> {
        self.ask(Interrupt::LoadWorld(request.clone()));
        let has_ended = |sim: &Simulation| sim.worlds.ends.iter().any(|end| end.key == request.world);
        self.until(has_ended);
        let end = self.sim.worlds.take_end(request).expect("the end of the load");
        if end.result.is_ok() {
            let rest = match request.start_in {
                StartIn::Playing => State::StepEnd,
                StartIn::Paused => State::Pause,
                StartIn::Stopped => State::Stopped,
            };
            self.until_state(rest);
        } else {
            self.until_state(State::NoWorld);
        }
        end.result
    }

    /// Returns the names of the current models, and checks that the description of the world has the same.
    #[track_caller]
    pub(super) fn models(&self) -> Vec<String> {
        let described = self.shared().description.message();
        let described: Vec<String> = described.models.into_iter().map(|model| model.name).collect();
        let Some(world) = self.sim.world() else {
            assert_eq!(described, Vec::<String>::new());
            return described;
        };
        let present = world.models().values().filter(|model| model.is_present);
        let names: Vec<String> = present.map(|model| model.name.clone()).collect();
        assert_eq!(described, names);
        names
    }

    pub(super) fn hash(&self) -> u64 {
        self.sim.world().expect("a world").state_hash()
    }

    /// Runs `steps` steps of a paused world, and waits until it is paused again.
    #[track_caller]
    pub(super) fn step(&mut self, steps: u64) {
        let goal = self.sim.now().step + steps;
        self.ask(Interrupt::Step(steps));
        self.until(|sim| sim.now().step == goal && sim.lifecycle.machine().state() == State::Pause);
    }

    /// Returns the loaded world as clients see it.
    pub(super) fn current_world(&self) -> Option<&WorldResource> {
        self.sim.loaded().map(LoadedWorld::resource)
    }

    #[track_caller]
    pub(super) fn loaded(&mut self) -> &mut LoadedWorld {
        self.sim.loaded_mut().expect("a world")
    }

    pub(super) fn shared(&self) -> &Arc<Shared> {
        &self.sim.shared
    }
}
