//! The end of a run: plugins stop, bridges disconnect, the world goes.

use super::{Simulation, plugin_is_out};
use crate::bridge::BridgeInstance;
use crate::lifecycle::{Manner, Report};
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
            if let Fault::Failed(reason) = fault {
                match manner {
                    Manner::Orderly => self.note_error(plugin_is_out(&label, &reason)),
                    Manner::BestEffort => log::warn!(target: &label, "{reason}"),
                }
            }
        }
        self.tracker.clear();
        Report::PluginsStopped
    }

    pub(super) fn disconnect_bridges(&mut self) -> Report {
        self.end_bridges(|bridge| !bridge.vehicle.is_empty());
        Report::Disconnected
    }

    pub(super) fn end_bridges(&mut self, which: impl Fn(&BridgeInstance) -> bool) {
        for problem in self.bridges.end(&mut self.router, which) {
            self.note_error(problem);
        }
    }

    pub(super) fn unload_world(&mut self) {
        for problem in self.models.destroy() {
            self.note_error(problem);
        }
        self.router.forget_plugins();
        self.triggers.forget_topics();
        self.shared.services.clear();
        self.shared.bus.clear();
        self.shared.inbox.clear();
        self.world = None;
        self.loaded = None;
    }
}
