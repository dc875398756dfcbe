//! The loop itself, and its parts for whoever drives a run by hand.

use bridgehead_lifecycle::State;

use super::{Controller, SimError, Simulation};
use crate::bridge::WORLD;
use crate::config::BridgeRequest;
use crate::report::{RunResult, Watcher};

impl Simulation {
    /// Carries the run out.
    ///
    /// # Errors
    /// Where a bridge of the world cannot be made.
    pub fn run(
        mut self,
        watcher: &mut dyn Watcher,
        controller: &mut dyn Controller,
    ) -> Result<RunResult, SimError> {
        self.begin()?;
        while self.advance(watcher, controller) {}
        Ok(self.finish(watcher))
    }

    /// Connects the bridges of the world, and asks for the world that is configured. To be called once, before
    /// [`Simulation::advance`].
    ///
    /// # Errors
    /// Where a bridge of the world cannot be made.
    pub fn begin(&mut self) -> Result<(), SimError> {
        self.connect_world_bridges()?;
        self.ask_for_first_world();
        Ok(())
    }

    /// One turn: takes requests, moves on, and works a while. False when the run is over. Between two turns entities
    /// may be spawned, deleted, set and asked about.
    pub fn advance(&mut self, watcher: &mut dyn Watcher, controller: &mut dyn Controller) -> bool {
        let report = self.report.take();
        self.report = self.turn(report, watcher);
        self.let_control(controller);
        if self.state() == State::Quitting {
            // Whoever still waits is refused, and named in the log.
            self.turn(None, watcher);
            self.let_control(controller);
            // Only now: who asked over a bridge of the world has its answer.
            self.end_bridges(|_| true);
            return false;
        }
        if self.report.is_none() {
            self.report = self.work(watcher);
        }
        true
    }

    /// Ends a run that is over.
    pub fn finish(mut self, watcher: &mut dyn Watcher) -> RunResult {
        self.plugins.deinit();
        let result = self.result();
        watcher.finished(&result);
        result
    }

    /// Where the run is.
    #[must_use]
    pub fn state(&self) -> State {
        self.lifecycle.machine().state()
    }

    /// Steps since the last reset.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.now().step
    }

    /// Labels of the plugins that are starting, in the order in which they began to.
    pub fn awaited(&self) -> impl Iterator<Item = &str> {
        self.tracker.waiting()
    }

    fn connect_world_bridges(&mut self) -> Result<(), SimError> {
        let of_world = |request: &&BridgeRequest| request.attach == WORLD || request.attach == "*";
        let requests: Vec<_> = self.config.bridges.iter().filter(of_world).cloned().collect();
        for request in requests {
            self.attach(&request, "")?;
        }
        self.bridges.connect(|_| true);
        Ok(())
    }
}
