//! Instances of plugins and bridges for the elements of a world, and for those that the configuration adds.
//!
//! Runs while a world is loaded, while deleted entities are restored, and when entities are spawned.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use bridgehead_sdf::params::Params;
use bridgehead_sdf::{Origin, resolved};

use super::libraries::Libraries;
use super::problems::{log_problem, log_skipped};
use super::sensors::{change_slots, configured_at_load};
use super::worlds::Worlds;
use super::worlds::error::LoadError;
use crate::api::shared::Shared;
use crate::bridge::{AttachError, BridgeBuilder, BridgeSet, WORLD, targets};
use crate::config::{BridgeRequest, PluginRequest, RequestOrigin, RunConfig};
use crate::model_plugin::{AddError, ModelSet};
use crate::plugin::Kind;
use crate::world::names::{NameStyle, Resolution, UnsupportedNames};
use crate::world::{Attachment, Built, ModelEntity, PluginSlot, SlotKind, names};

/// The provider of an element.
pub(super) enum Provider {
    /// The host itself.
    Host,
    /// None: the name is known, but not supported.
    Unsupported(&'static names::Name),
    /// The model plugin of that name.
    Model(String),
    /// A bridge.
    Bridge(BridgeRequest),
}

/// The models to make instances for: all of a world, or those that are restored.
#[derive(Clone, Copy)]
pub(super) struct Selection<'a> {
    /// Whether the world is the first of the process. Requests of the configuration for single vehicles refer to that
    /// world, so a missing vehicle is an error there. For later worlds such a request is skipped.
    pub(super) is_first: bool,
    /// Whether a model is included, by index; `None` is the world itself.
    pub(super) includes: &'a dyn Fn(Option<usize>) -> bool,
}

/// The collections that new instances and unsupported names are added to.
pub(super) struct Destination<'a> {
    pub(super) models: &'a mut ModelSet,
    pub(super) bridges: &'a mut BridgeSet,
    pub(super) unsupported: &'a mut UnsupportedNames,
}

/// Creates instances of plugins and bridges.
#[derive(Clone, Copy)]
pub(super) struct InstanceBuilder<'a> {
    pub(super) config: &'a RunConfig,
    pub(super) shared: &'a Arc<Shared>,
    libraries: &'a Libraries,
    /// The file of the world that is loaded or loading.
    world_file: Option<&'a Path>,
}

impl<'a> InstanceBuilder<'a> {
    /// Borrows the parts of a run that are needed to create instances.
    pub(super) fn new(
        config: &'a RunConfig,
        shared: &'a Arc<Shared>,
        libraries: &'a Libraries,
        worlds: &'a Worlds,
    ) -> Self {
        InstanceBuilder { config, shared, libraries, world_file: worlds.file.as_deref() }
    }

    /// Opens the library of a bridge, and runs `act` with the builder of its instances.
    fn with_bridge<T>(&self, name: &str, act: impl FnOnce(&BridgeBuilder<'_>) -> T) -> T {
        self.libraries.open(Kind::Bridge, name);
        let open = self.libraries.borrow();
        act(&BridgeBuilder {
            plugins: &open.plugins,
            registry: &open.registry,
            shared: self.shared,
            config: self.config,
            world_file: self.world_file,
        })
    }

    /// Checks a bridge request without creating the bridge.
    pub(super) fn check(&self, request: &BridgeRequest) -> Result<(), AttachError> {
        self.with_bridge(&request.name, |builder| builder.check(request))
    }

    /// Attaches a bridge to a vehicle, or to the world (empty name).
    pub(super) fn attach(
        &self,
        bridges: &mut BridgeSet,
        request: &BridgeRequest,
        vehicle: &str,
    ) -> Result<(), AttachError> {
        self.with_bridge(&request.name, |builder| bridges.attach(builder, request, vehicle))
    }

    /// Returns the provider of a slot. Opens its library, because a library that is refused provides nothing.
    pub(super) fn provider(&self, slot: &PluginSlot) -> Provider {
        let is_bridge = |name: &str| self.libraries.open(Kind::Bridge, name);
        let is_usable = |name: &str| is_bridge(name) || self.libraries.open(Kind::Model, name);
        match names::resolve(slot, is_usable) {
            Resolution::BuiltIn => Provider::Host,
            Resolution::NoCounterpart(row) => Provider::Unsupported(row),
            Resolution::Plugin(name) if slot.kind == SlotKind::Plugin && is_bridge(&name) => {
                Provider::Bridge(bridge_of_slot(slot, &name))
            }
            Resolution::Plugin(name) => Provider::Model(name),
        }
    }

    /// Creates a model plugin, which is called before those of a higher rank.
    pub(super) fn make_model(
        &self,
        models: &mut ModelSet,
        plugin: &str,
        slot: &PluginSlot,
        rank: u64,
    ) -> Result<(), AddError> {
        self.libraries.open(Kind::Model, plugin);
        models.add(&self.libraries.borrow().plugins, self.shared, plugin, slot, rank)
    }

    /// Creates a model plugin. Logs and returns the problem if that fails. A missing plugin is not a problem, but an
    /// unsupported name.
    pub(super) fn add_model(
        &self,
        models: &mut ModelSet,
        plugin: &str,
        slot: &PluginSlot,
        rank: u64,
        unsupported: &mut UnsupportedNames,
    ) -> Option<String> {
        match self.make_model(models, plugin, slot, rank) {
            Ok(()) => None,
            Err(AddError::NoSuchPlugin(text)) => {
                unsupported.not_found(slot, text);
                None
            }
            Err(error @ AddError::Create { .. }) => {
                log_problem(&error.to_string(), self.config.strict);
                Some(error.to_string())
            }
        }
    }

    /// Creates the plugins and bridges of a built world, and describes it. Returns the problems that did not prevent
    /// it.
    ///
    /// # Errors
    /// Returns an error if the configuration does not fit the first world, or a bridge cannot be attached.
    pub(super) fn fill_slots(
        &self,
        to: &mut Destination<'_>,
        built: &mut Built,
        source: &resolved::World,
        selection: Selection<'_>,
    ) -> Result<Vec<String>, LoadError> {
        self.change_slots(built, selection.is_first)?;
        self.add_sensors(built, selection.is_first)?;
        add_clock(self.config, built);
        let (mut problems, own_bridges) = self.make_own(to, built, selection);
        let further = self.make_configured(to, built, selection, &mut problems)?;
        problems.extend(log_unsupported(to.unsupported, self.config.strict));
        // Every slot has a rank, so that a restored plugin keeps its place in the order of calls.
        let slots = built.slots.iter().zip(1..).chain(further.iter().map(|(slot, rank)| (slot, *rank)));
        self.describe_loaded(to.models, source, slots, selection);
        self.attach_configured(to.bridges, built, selection)?;
        for (request, vehicle) in own_bridges {
            self.check(&request).and_then(|()| self.attach(to.bridges, &request, &vehicle))?;
        }
        let is_new_of_world =
            |bridge: &crate::bridge::BridgeInstance| bridge.vehicle.is_empty() && bridge.is_new();
        if to.bridges.instances().iter().any(is_new_of_world) {
            to.bridges.connect(is_new_of_world);
        }
        Ok(problems)
    }

    fn change_slots(&self, built: &mut Built, is_first: bool) -> Result<(), LoadError> {
        if is_first {
            return Ok(change_slots(&mut built.slots, &self.config.overrides)?);
        }
        for change in &self.config.overrides {
            if let Err(problem) = change_slots(&mut built.slots, std::slice::from_ref(change)) {
                log_skipped(&problem);
            }
        }
        Ok(())
    }

    fn add_sensors(&self, built: &mut Built, is_first: bool) -> Result<(), LoadError> {
        for slot in configured_at_load(&self.config.sensors, built, is_first)? {
            if let Some(model) = slot.attachment.entity {
                built.world.make_vehicle(model);
            }
            built.slots.push(slot);
        }
        Ok(())
    }

    /// Creates the plugins of the slots. Returns the problems, and the bridges that elements of vehicles name.
    fn make_own(
        &self,
        to: &mut Destination<'_>,
        built: &Built,
        selection: Selection<'_>,
    ) -> (Vec<String>, Vec<(BridgeRequest, String)>) {
        let (mut problems, mut bridges) = (Vec::new(), Vec::new());
        for (slot, rank) in built.slots.iter().zip(1..) {
            if !(selection.includes)(slot.attachment.entity) {
                continue;
            }
            match self.provider(slot) {
                Provider::Host => {
                    let (place, asked) = (slot.place_prefix(), &slot.asked);
                    match names::elsewhere(slot) {
                        Some(instead) => log::info!("{place}`{asked}` does nothing here: {instead}"),
                        None => log::debug!("{place}`{asked}` is served by the host"),
                    }
                }
                Provider::Bridge(request) => bridges.push((request, slot.attachment.vehicle.clone())),
                Provider::Model(plugin) => {
                    let problem = self.add_model(to.models, &plugin, slot, rank, to.unsupported);
                    problems.extend(problem);
                }
                Provider::Unsupported(row) => to.unsupported.no_counterpart(slot, row),
            }
        }
        (problems, bridges)
    }

    /// Creates the plugins that the configuration adds. Returns their slots with their ranks.
    fn make_configured(
        &self,
        to: &mut Destination<'_>,
        built: &mut Built,
        selection: Selection<'_>,
        problems: &mut Vec<String>,
    ) -> Result<Vec<(PluginSlot, u64)>, LoadError> {
        let mut rank = built.slots.len() as u64;
        let mut made = Vec::new();
        for request in &self.config.plugins {
            let slots = match requested_slots(request, &built.attachments) {
                Err(problem) if !selection.is_first => {
                    log_skipped(&problem);
                    Vec::new()
                }
                slots => slots?,
            };
            for slot in slots {
                rank += 1;
                if let Some(model) = slot.attachment.entity {
                    built.world.make_vehicle(model);
                }
                if (selection.includes)(slot.attachment.entity) {
                    let problem = self.add_model(to.models, &request.plugin, &slot, rank, to.unsupported);
                    problems.extend(problem);
                    made.push((slot, rank));
                }
            }
        }
        Ok(made)
    }

    /// Attaches the bridges that the configuration gives to vehicles.
    fn attach_configured(
        &self,
        bridges: &mut BridgeSet,
        built: &Built,
        selection: Selection<'_>,
    ) -> Result<(), LoadError> {
        let models = built.world.models();
        let is_included = |name: &str| {
            let found = models.iter().find(|(_, model)| model.name == name);
            found.is_some_and(|(index, _)| (selection.includes)(Some(index)))
        };
        for request in self.config.bridges.iter().filter(|request| request.attach != WORLD) {
            let vehicles = match targets(request, &candidates(request, models.values())) {
                Err(problem) if !selection.is_first => {
                    log_skipped(&problem);
                    Vec::new()
                }
                vehicles => vehicles?,
            };
            for vehicle in vehicles.iter().filter(|name| !name.is_empty() && is_included(name)) {
                self.attach(bridges, request, vehicle)?;
            }
        }
        Ok(())
    }
}

/// Returns true if a bridge request may be for a model: `*` means vehicles, a name or pattern means all models that are
/// not static.
pub(super) fn is_candidate(request: &BridgeRequest, model: &ModelEntity) -> bool {
    model.is_vehicle || (request.attach != "*" && !model.is_static)
}

/// Returns the names of the models that a bridge request may be for.
pub(super) fn candidates<'a>(
    request: &BridgeRequest,
    models: impl Iterator<Item = &'a ModelEntity>,
) -> Vec<String> {
    models.filter(|model| is_candidate(request, model)).map(|model| model.name.clone()).collect()
}

/// Logs each unsupported name. Returns the lines.
fn log_unsupported(unsupported: &UnsupportedNames, is_strict: bool) -> Vec<String> {
    let lines: Vec<String> = unsupported.iter().map(ToString::to_string).collect();
    lines.iter().for_each(|line| log_problem(line, is_strict));
    lines
}

/// Returns the request of a `<plugin>` element that names a bridge: `<connection>` is its connection string, byte for
/// byte.
fn bridge_of_slot(slot: &PluginSlot, name: &str) -> BridgeRequest {
    let attach = if slot.attachment.vehicle.is_empty() { WORLD } else { &slot.attachment.vehicle };
    let connection = slot.params.get("connection").unwrap_or_default();
    let mut request = BridgeRequest::new(attach, name, connection, RequestOrigin::World);
    request.place = slot.place.as_ref().map(ToString::to_string);
    request.required = slot.params.get("required").is_some_and(|text| matches!(text.trim(), "true" | "1"));
    request
}

/// Returns the slots of a configured plugin: one for each vehicle that its pattern names.
///
/// # Errors
/// Returns an error if the pattern is malformed or names no vehicle.
pub(super) fn requested_slots(
    request: &PluginRequest,
    attachments: &BTreeMap<String, Attachment>,
) -> Result<Vec<PluginSlot>, AttachError> {
    let pattern = BridgeRequest::new(&request.attach, &request.plugin, "", RequestOrigin::Configuration);
    let models: Vec<String> = attachments.keys().filter(|name| !name.is_empty()).cloned().collect();
    // For a bridge, `*` includes the world; a plugin that drives or watches a model has nothing to do there.
    let vehicles = if request.attach == "*" { models } else { targets(&pattern, &models)? };
    let slots = vehicles.iter().filter_map(|vehicle| {
        let mut attachment = attachments.get(vehicle)?.clone();
        let owner = if vehicle.is_empty() { String::new() } else { format!("{vehicle}/") };
        attachment.element.clone_from(&request.name);
        attachment.path = format!("{owner}{}", request.name);
        attachment.frame_id.clone_from(vehicle);
        Some(PluginSlot {
            asked: request.plugin.clone(),
            kind: SlotKind::Plugin,
            place: request.params.place().cloned(),
            element: Origin::default(),
            attachment,
            sensor: String::new(),
            companions: Vec::new(),
            params: Arc::new(request.params.clone()),
        })
    });
    Ok(slots.collect())
}

/// The plugin that publishes `/clock`.
const CLOCK: &str = "clock";

/// Adds a clock to a world that has none, if topics are named as in Gazebo, which always publishes `/clock`.
pub(super) fn add_clock(config: &RunConfig, built: &mut Built) {
    let has_clock = built.slots.iter().any(|slot| slot.kind == SlotKind::Plugin && slot.asked == CLOCK)
        || config.plugins.iter().any(|request| request.plugin == CLOCK);
    if config.names.style != NameStyle::Gazebo || has_clock {
        return;
    }
    let attachment = built.attachments.get("").cloned().unwrap_or_default();
    built.slots.push(PluginSlot {
        asked: CLOCK.to_owned(),
        kind: SlotKind::Plugin,
        place: None,
        element: Origin::default(),
        attachment: Attachment { element: CLOCK.to_owned(), path: CLOCK.to_owned(), ..attachment },
        sensor: String::new(),
        companions: Vec::new(),
        params: Arc::new(Params::new("plugin")),
    });
}
