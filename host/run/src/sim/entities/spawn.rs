//! Spawned entities: their plugins and bridges, and those that the configuration adds.

use std::collections::BTreeMap;

use bridgehead_lifecycle::{Need, State};
use bridgehead_sdf::resolved::Model;

use crate::bridge::{AttachError, BridgeSet, WORLD, targets};
use crate::bus::Moment;
use crate::config::{BridgeRequest, PluginRequest, RunConfig, SensorRequest};
use crate::descriptors;
use crate::model_plugin::ModelSet;
use crate::sim::instances::{InstanceBuilder, Provider, is_candidate, requested_slots};
use crate::sim::loaded::LoadedWorld;
use crate::sim::record::Record;
use crate::sim::sensors::{Carriers, SensorError, apply_changes, configured, is_for};
use crate::sim::simulation::Simulation;
use crate::sim::traffic::Traffic;
use crate::world::entities::{Placement, PreparedModel, SpawnError, SpawnRequest, Spawned};
use crate::world::names::UnsupportedNames;
use crate::world::{Attachment, ModelEntity, ModelSlots, PluginSlot, World, markers_of};

impl Simulation {
    /// Adds an entity to the world at once. Returns its name. Its plugins start in the background, and the run
    /// waits for them only if it is paused; if no plugins run, they start together with all others. Its bridges begin to connect.
    ///
    /// # Errors
    /// Returns an error if no world is loaded, the entity cannot be created, or the operating system refuses what it
    /// needs; nothing has changed then. A plugin or bridge that cannot be created for another reason is an error in the
    /// log and in the result, and the entity exists without it.
    pub fn spawn(&mut self, request: &SpawnRequest) -> Result<String, SpawnError> {
        let mut world = self.world_mut().ok_or(SpawnError::NoWorld)?;
        descriptors::check_reserve().map_err(SpawnError::Exhausted)?;
        let spawned = world.spawn_now(request)?;
        drop(world);
        self.spawned(spawned)
    }

    /// Adds an entity whose model was prepared on another thread, like [`Self::spawn`].
    ///
    /// # Errors
    /// Returns an error like [`Self::spawn`].
    pub fn insert(
        &mut self,
        placement: &Placement,
        prepared: Result<PreparedModel, SpawnError>,
    ) -> Result<String, SpawnError> {
        let mut world = self.world_mut().ok_or(SpawnError::NoWorld)?;
        descriptors::check_reserve().map_err(SpawnError::Exhausted)?;
        let spawned = world.insert(placement, prepared)?;
        drop(world);
        self.spawned(spawned)
    }

    fn spawned(&mut self, spawned: Spawned) -> Result<String, SpawnError> {
        let name = spawned.slots.attachment.vehicle.clone();
        self.add_spawned_parts(spawned)?;
        Ok(name)
    }

    /// Creates the plugins and bridges of a spawned entity, which is in the world.
    ///
    /// # Errors
    /// Returns an error if the operating system refuses a thread; the entity is removed then.
    pub(super) fn add_spawned_parts(&mut self, spawned: Spawned) -> Result<(), SpawnError> {
        let Spawned { model, slots, source } = spawned;
        let Some(loaded) = &mut self.loaded else { return Ok(()) };
        let name = slots.attachment.vehicle.clone();
        let elements = Elements::of(&self.config, loaded.world.get_mut(), model, slots, &mut self.record);
        let builder = InstanceBuilder::new(&self.config, &self.shared, &self.libraries, &self.worlds);
        let (ranks, own_bridges) = elements.make(&builder, &mut loaded.models, &mut self.record);
        builder.describe_spawned(&loaded.models, (model, &source), &elements.slots, &ranks);
        let entity = loaded.world.get_mut().models().get(model);
        let bridges = &mut self.traffic.bridges;
        let mut refused = None;
        for error in builder.attach_to_spawned(bridges, entity, &name, &own_bridges) {
            self.record.error(format!("[BH-ENT-013] {error}"));
            if matches!(error, AttachError::Thread { .. }) {
                refused = Some(SpawnError::Exhausted(error.to_string()));
            }
        }
        self.keep_library_problems();
        if let Some(refused) = refused {
            drop(self.delete(&name));
            return Err(refused);
        }
        self.connect_new_bridges();
        let (now, has_begun) = (self.now(), self.machine().has_begun_run());
        if let Some(loaded) = &mut self.loaded {
            loaded.publish_spawned(model, &source, has_begun, now, &mut self.traffic);
        }
        self.start_new_plugins(Need::Optional);
        self.expect_additions();
        log::info!("`{name}` is spawned");
        Ok(())
    }

    /// Connects the bridges that were added after the others.
    pub(super) fn connect_new_bridges(&mut self) {
        if self.state() != State::Loading {
            self.traffic.bridges.connect(|bridge| bridge.is_new());
        }
    }

    /// Starts the plugins that were added after the others, if the others run.
    pub(super) fn start_new_plugins(&mut self, need: Need) {
        let is_running = self.machine().has_started_plugins();
        if let (true, Some(loaded)) = (is_running, &mut self.loaded) {
            loaded.start_new(need, &self.config);
        }
    }
}

impl InstanceBuilder<'_> {
    /// Attaches the bridges that the configuration has for a vehicle of that name, and those of its own elements.
    /// Returns the errors.
    fn attach_to_spawned(
        &self,
        bridges: &mut BridgeSet,
        entity: Option<&ModelEntity>,
        name: &str,
        own: &[BridgeRequest],
    ) -> Vec<AttachError> {
        let names = [name.to_owned()];
        let is_for_it = |request: &&BridgeRequest| {
            let may_be = entity.is_some_and(|entity| is_candidate(request, entity));
            let is_target = |found: Vec<String>| found.iter().any(|target| target == name);
            may_be && request.attach != WORLD && targets(request, &names).is_ok_and(is_target)
        };
        let mut errors = Vec::new();
        for request in self.config.bridges.iter().filter(is_for_it) {
            errors.extend(self.attach(bridges, request, name).err());
        }
        for request in own {
            errors.extend(self.check(request).and_then(|()| self.attach(bridges, request, name)).err());
        }
        errors
    }
}

impl LoadedWorld {
    /// Publishes the markers of a spawned vehicle on its topic: now, or when the run begins.
    fn publish_spawned(
        &mut self,
        model: usize,
        source: &Model,
        has_begun: bool,
        now: Moment,
        traffic: &mut Traffic,
    ) {
        let markers = markers_of(source);
        let is_vehicle = self.world.get_mut().models().get(model).is_some_and(|model| model.is_vehicle);
        if markers.markers.is_empty() || !is_vehicle {
            return;
        }
        self.scene.add(source.name.clone(), markers);
        if has_begun {
            self.scene.open_topics(traffic.shared(), self.world.get_mut());
            traffic.sync();
            self.scene.publish(traffic, now);
        }
    }
}

/// The elements of a spawned entity that need an instance.
struct Elements {
    /// Plugins and sensors of the model.
    slots: Vec<PluginSlot>,
    /// Sensors of the configuration.
    sensors: Vec<PluginSlot>,
    /// Plugins of the configuration, by name.
    plugins: Vec<(String, PluginSlot)>,
}

impl Elements {
    fn of(
        config: &RunConfig,
        world: &mut World,
        model: usize,
        of_model: ModelSlots,
        record: &mut Record,
    ) -> Self {
        let mut slots = of_model.slots;
        apply_changes(&mut slots, &config.overrides);
        let attachments = BTreeMap::from([(of_model.attachment.vehicle.clone(), of_model.attachment)]);
        let sensors = match world.models().get(model) {
            Some(entity) => sensors_for(config, entity, &attachments, &slots),
            None => Ok(Vec::new()),
        };
        let sensors = sensors.unwrap_or_else(|problem| {
            record.error(problem.to_string());
            Vec::new()
        });
        let plugins = plugins_for(config, &attachments);
        if !(sensors.is_empty() && plugins.is_empty()) {
            world.make_vehicle(model);
        }
        Elements { slots, sensors, plugins }
    }

    /// Makes the instances. Returns the ranks of the plugins, and the bridges to attach.
    fn make(
        &self,
        builder: &InstanceBuilder<'_>,
        models: &mut ModelSet,
        record: &mut Record,
    ) -> (Vec<u64>, Vec<BridgeRequest>) {
        let (mut ranks, mut bridges, mut problems) = (Vec::new(), Vec::new(), Vec::new());
        let mut unsupported = UnsupportedNames::default();
        for slot in self.slots.iter().chain(&self.sensors) {
            let rank = models.next_rank();
            ranks.push(rank);
            match builder.provider(slot) {
                Provider::Host => {}
                Provider::Bridge(request) => bridges.push(request),
                Provider::Unsupported(row) => unsupported.no_counterpart(slot, row),
                Provider::Model(plugin) => {
                    problems.extend(builder.add_model(models, &plugin, slot, rank, &mut unsupported));
                }
            }
        }
        for (plugin, slot) in &self.plugins {
            let rank = models.next_rank();
            problems.extend(builder.add_model(models, plugin, slot, rank, &mut unsupported));
        }
        problems.into_iter().for_each(|problem| record.keep_error(problem));
        unsupported.iter().for_each(|line| log::warn!("{line}"));
        (ranks, bridges)
    }
}

/// Returns the sensors that the configuration adds to an entity with these slots, by the same rules as in a world file.
fn sensors_for(
    config: &RunConfig,
    entity: &ModelEntity,
    attachments: &BTreeMap<String, Attachment>,
    slots: &[PluginSlot],
) -> Result<Vec<PluginSlot>, SensorError> {
    let carriers = Carriers { attachments, slots, models: vec![entity] };
    let is_meant = |request: &&SensorRequest| is_for(request, &carriers);
    let requests: Vec<SensorRequest> = config.sensors.iter().filter(is_meant).cloned().collect();
    configured(&requests, &carriers)
}

/// Returns the plugins that the configuration adds to an entity.
fn plugins_for(config: &RunConfig, attachments: &BTreeMap<String, Attachment>) -> Vec<(String, PluginSlot)> {
    let slots_of = |request: &PluginRequest| {
        // A request for other vehicles is not an error here.
        let slots = requested_slots(request, attachments).unwrap_or_default();
        slots.into_iter().map(|slot| (request.plugin.clone(), slot)).collect::<Vec<_>>()
    };
    config.plugins.iter().flat_map(slots_of).collect()
}
