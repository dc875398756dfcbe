//! Entities that come.

use bridgehead_lifecycle::{Need, State};

use crate::bridge::{AttachError, WORLD, targets};
use crate::config::BridgeRequest;
use crate::sim::Simulation;
use crate::sim::load::Wanted;
use crate::sim::sensors::apply_changes;
use crate::world::PluginSlot;
use crate::world::entities::{SpawnError, SpawnRequest, Spawned};
use crate::world::names::UnsupportedNames;

impl Simulation {
    /// Puts an entity into the world at once, and gives its name. Its plugins are made; they start beside the run,
    /// which does not wait for them, or with all others where plugins do not run. Its bridges begin to connect.
    ///
    /// # Errors
    /// Where there is no world, or the entity cannot be had; nothing has changed then. A plugin or bridge that cannot
    /// be had is an error in the log and of the result, and the entity stands without it.
    pub fn spawn(&mut self, request: &SpawnRequest) -> Result<String, SpawnError> {
        let spawned = self.world_mut().ok_or(SpawnError::NoWorld)?.spawn_now(request)?;
        Ok(self.welcome(spawned))
    }

    /// Spawns one after the other, each whatever became of those before. The results are in the order of the requests.
    pub fn spawn_all(&mut self, requests: &[SpawnRequest]) -> Vec<Result<String, SpawnError>> {
        requests.iter().map(|request| self.spawn(request)).collect()
    }

    /// Gives an entity that is in the world what it asks for. Gives its name.
    pub(in crate::sim) fn welcome(&mut self, spawned: Spawned) -> String {
        let Spawned { model, slots, source } = spawned;
        let (attachment, mut slots) = (slots.attachment, slots.slots);
        apply_changes(&mut slots, &self.config.overrides);
        let sensors = self.sensors_of_spawned(model, &attachment, &slots);
        let plugins = self.plugins_of_spawned(&attachment);
        if !(sensors.is_empty() && plugins.is_empty())
            && let Some(mut world) = self.world_mut()
        {
            world.make_vehicle(model);
        }
        let name = attachment.vehicle;
        let (mut own, mut ranks) = (Vec::new(), Vec::new());
        let mut unsupported = UnsupportedNames::default();
        for slot in slots.iter().chain(&sensors) {
            let rank = self.models.next_rank();
            ranks.push(rank);
            match self.resolve(slot) {
                Wanted::Nothing => {}
                Wanted::Bridge(request) => own.push(request),
                Wanted::Unsupported(row) => unsupported.no_counterpart(slot, row),
                Wanted::Model(plugin) => {
                    let problem = self.add_model(&plugin, slot, rank, &mut unsupported);
                    self.errors.extend(problem);
                }
            }
        }
        for (plugin, slot) in &plugins {
            self.add_spawned(plugin, slot, &mut unsupported);
        }
        unsupported.iter().for_each(|line| log::warn!("{line}"));
        self.describe_spawned(model, &source, &slots, &ranks);
        self.attach_to_spawned(model, &name, own);
        self.show_scene_of(model, &source);
        self.start_new(Need::Optional);
        log::info!("`{name}` is spawned");
        name
    }

    fn add_spawned(&mut self, plugin: &str, slot: &PluginSlot, unsupported: &mut UnsupportedNames) {
        let rank = self.models.next_rank();
        let problem = self.add_model(plugin, slot, rank, unsupported);
        self.errors.extend(problem);
    }

    /// Starts what came while the others run.
    pub(super) fn start_new(&mut self, need: Need) {
        if self.plugins_run {
            let deadline = self.start_deadline();
            self.models.start_new(&mut self.tracker, need, deadline);
        }
    }

    /// Attaches the bridges that are configured for vehicles of that name, and those of its own elements.
    fn attach_to_spawned(&mut self, model: usize, name: &str, own: Vec<BridgeRequest>) {
        let (is_static, is_vehicle) = self
            .world()
            .and_then(|world| world.models().get(model).map(|model| (model.is_static, model.is_vehicle)))
            .unwrap_or_default();
        let is_meant = |request: &BridgeRequest| {
            let may = if request.attach == "*" { is_vehicle } else { is_vehicle || !is_static };
            let is_target = |found: Vec<String>| found.iter().any(|target| target == name);
            may && request.attach != WORLD && targets(request, &[name.to_owned()]).is_ok_and(is_target)
        };
        let configured: Vec<_> =
            self.config.bridges.iter().filter(|request| is_meant(request)).cloned().collect();
        for request in configured {
            let attached = self.attach(&request, name);
            self.note_unattached(attached);
        }
        for request in own {
            let attached = self.bridge_builder().check(&request).and_then(|()| self.attach(&request, name));
            self.note_unattached(attached);
        }
        self.connect_new();
    }

    fn note_unattached(&mut self, attached: Result<(), AttachError>) {
        if let Err(error) = attached {
            self.note_error(format!("[BH-ENT-013] {error}"));
        }
    }

    /// Connects bridges that came after the others were told to.
    pub(super) fn connect_new(&mut self) {
        if self.state() != State::Loading {
            self.bridges.connect(|bridge| bridge.is_new());
        }
    }
}
