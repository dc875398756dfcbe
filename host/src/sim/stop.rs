//! The end of a run: plugins stop, bridges disconnect, the world goes.

use std::sync::PoisonError;

use bridgehead_lifecycle::{Manner, Report, State};

use super::Simulation;
use super::faults::plugin_is_out;
use crate::bridge::BridgeInstance;
use crate::model_plugin::Fault;

impl Simulation {
    pub(super) fn stop_plugins(&mut self, manner: Manner) -> Report {
        if let Some(world) = &self.world {
            self.state_hash = world.borrow().state_hash();
        }
        self.save_at_end();
        self.snapshot_at_end();
        let faults = self.models.stop();
        for (label, fault) in faults {
            match (fault, manner) {
                (Fault::Failed(reason), Manner::BestEffort) => log::warn!(target: &label, "{reason}"),
                (Fault::Failed(reason), Manner::Orderly) => self.note_error(plugin_is_out(&label, &reason)),
                (asked @ Fault::Requested(..), _) => self.handle_faults(vec![(label, asked)]),
            }
        }
        self.tracker.clear();
        (self.plugins_run, self.all_started_told) = (false, false);
        Report::PluginsStopped
    }

    pub(super) fn disconnect_bridges(&mut self) -> Report {
        self.end_bridges(BridgeInstance::is_of_loaded_world);
        Report::Disconnected
    }

    pub(super) fn end_bridges(&mut self, which: impl Fn(&BridgeInstance) -> bool) {
        for problem in self.bridges.terminate(&mut self.router, which) {
            self.note_error(problem);
        }
    }

    /// Everything that came with the world goes. A load that failed half-way leaves bridges that nobody connected.
    pub(super) fn unload_world(&mut self) {
        for problem in self.models.destroy() {
            self.note_error(problem);
        }
        self.triggers.forget_world();
        self.end_bridges(BridgeInstance::is_of_loaded_world);
        self.shared.services.clear();
        if self.lifecycle.machine().state() == State::Quitting {
            // What waits for bridges of the world is still sent, and counted, when they end.
            self.router.forget_plugins();
            self.shared.bus.clear();
        } else {
            self.bridges.withdraw();
            self.router.forget_topics(self.shared.bus.clear());
        }
        self.shared.inbox.clear();
        self.shared.started.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.arrivals.clear();
        self.scene.clear();
        self.scene_topics.clear();
        self.reset_failure = None;
        self.initial_reset = false;
        self.world = None;
        self.shared.description.unload();
        self.loaded = None;
        self.worlds.unloaded();
    }
}
