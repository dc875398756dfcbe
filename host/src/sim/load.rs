//! Loading a world: SDF, physics, plugin instances, vehicle bridges.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bridgehead_lifecycle::{Cause, LoadFailure, Report};
use bridgehead_sdf::resolved::{self, NoSuchProfile};
use bridgehead_sdf::{self as sdf, Disk, Loaded, Origin, Severity};

use super::sensors::{change_slots, configured_at_load};
use super::worlds::Work;
use super::{LoadError, Simulation};
use crate::bridge::{AttachError, WORLD, targets};
use crate::bus::Moment;
use crate::config::{BridgeRequest, PluginRequest, RequestOrigin};
use crate::model_plugin::AddError;
use crate::plugin::Kind;
use crate::resources::{ResourceError, Strictness, check_assets, check_findings};
use crate::world::names::{self, Resolution, UnsupportedNames};
use crate::world::{Attachment, Built, PluginSlot, SlotKind, build};

/// Why a world was not loaded: the world, or what was asked for with it, is always to blame.
type Failure = LoadError;

impl Simulation {
    /// Loads the world that was prepared under `key`, or is at that path.
    pub(super) fn load_world(&mut self, key: &str) -> Report {
        let work = self.worlds.begin(key);
        match self.try_load(&work) {
            Ok(loaded) => {
                self.worlds.loaded(key, work, &loaded);
                self.loaded = Some(loaded);
                Report::WorldLoaded
            }
            Err(error) => {
                self.note_error(error.to_string());
                let shown = work.load.resource.shown();
                let shown = if work.fetched.is_some() { shown } else { key };
                let cause = Cause::Host(format!("the world `{shown}` was not loaded"));
                self.worlds.end(key, Err(error));
                let is_first = work.is_first;
                Report::LoadFailed(LoadFailure { is_configuration: true, is_first, cause })
            }
        }
    }

    fn read(&self, work: &Work) -> Result<Loaded, Failure> {
        let (shown, search) = (work.load.resource.shown(), self.worlds.search());
        let loaded = match (&work.fetched, work.file()) {
            (Some(fetched), _) => sdf::load_source(&Disk, fetched.source(), search).map_err(|error| {
                let finding = error.to_string();
                LoadError::from(ResourceError::Parse { shown: shown.to_owned(), finding })
            })?,
            (None, file) => sdf::load(&file.unwrap_or_default(), search)
                .map_err(|error| configuration(error.to_string()))?,
        };
        Ok(loaded)
    }

    fn try_load(&mut self, work: &Work) -> Result<Loaded, Failure> {
        let shown = work.load.resource.shown();
        let mut loaded = self.read(work)?;
        let mut problems = self.show_diagnostics(&loaded.diagnostics);
        check_findings(shown, &loaded.diagnostics, work.strictness)?;
        if let Some(name) = &self.config.physics_profile {
            loaded.world.use_profile(name).map_err(|unknown| configuration(no_profile(&unknown)))?;
        }
        let step = loaded.world.physics.max_step_size;
        self.set_width(step)?;
        let mut built = build(&loaded.world, self.width.as_secs_f64(), self.config.substeps)
            .map_err(|error| configuration(error.to_string()))?;
        for problem in &built.problems {
            log::warn!("{problem}");
        }
        check_assets(shown, &built.problems, work.strictness)?;
        problems.extend(built.problems.iter().cloned());
        self.unsupported = Default::default();
        problems.extend(self.fill_slots(&mut built, &loaded.world, work.is_first, &|_| true)?);
        self.check_names(shown, work.strictness)?;
        let poses = self.configured_poses(&built.world, work.is_first).map_err(configuration)?;
        if let (true, Some(problem)) = (self.config.strict, problems.first()) {
            return Err(configuration(format!("{problem} (an error because of --strict)")));
        }
        self.world_name.clone_from(&built.world.name);
        self.scene = built.markers;
        let mut world = built.world;
        // Time begins again with another world, as after a reset, and whoever orders messages by it has to know.
        let epoch = self.now.reset_epoch + u32::from(!work.is_first);
        self.now = Moment { reset_epoch: epoch, ..Moment::default() };
        let search = self.worlds.search().clone();
        // A snapshot is of the world that the process began with.
        let restored = if work.is_first { self.restore(&loaded, &search) } else { Ok(None) };
        match restored.map_err(|error| configuration(error.to_string()))? {
            Some(restored) => self.go_on_from(restored),
            None => {
                world.set_search(search);
                self.world = Some(RefCell::new(world));
            }
        }
        if let Some(world) = &self.world {
            world.borrow_mut().add_poses(poses);
        }
        self.shared.clock.set(self.now, width_ns(self.width));
        Ok(loaded)
    }

    /// Sensors and plugins that nobody serves are elements without effect too.
    fn check_names(&self, shown: &str, strictness: Strictness) -> Result<(), Failure> {
        let findings: Vec<String> = self.unsupported.iter().map(ToString::to_string).collect();
        if !strictness.refuses_elements || findings.is_empty() {
            return Ok(());
        }
        Err(ResourceError::UnsupportedElements { shown: shown.to_owned(), findings }.into())
    }

    /// Writes the diagnostics to the log; gives those that `--strict` does not accept.
    fn show_diagnostics(&mut self, diagnostics: &[sdf::Diagnostic]) -> Vec<String> {
        let mut serious = Vec::new();
        for diagnostic in diagnostics {
            match diagnostic.severity {
                Severity::Note => log::info!("{diagnostic}"),
                Severity::Warning | Severity::Error => {
                    log::warn!("{diagnostic}");
                    serious.push(diagnostic.to_string());
                }
            }
        }
        serious
    }

    /// The step width: as configured, or the world's.
    pub(super) fn set_width(&mut self, max_step_size: f64) -> Result<(), Failure> {
        let width = self.config.step_width.unwrap_or_else(|| {
            // SDF writes seconds as decimals; the nearest nanosecond is what was meant.
            Duration::try_from_secs_f64((max_step_size * 1e9).round() * 1e-9).unwrap_or_default()
        });
        if width.is_zero() {
            return Err(configuration(format!(
                "[BH-SIM-205] a step of {max_step_size} s is no step: set <max_step_size> or step_width to a positive time"
            )));
        }
        self.width = width;
        Ok(())
    }

    /// Makes plugin instances and vehicle bridges, of those that are meant: the world is no model, and a comeback is of
    /// some. Gives what could not be had, for `--strict`.
    ///
    /// What the configuration says of single vehicles is about the first world: there a vehicle that is not there is
    /// a mistake. With a later world it is for whoever is there.
    pub(super) fn fill_slots(
        &mut self,
        built: &mut Built,
        source: &resolved::World,
        is_first: bool,
        is_meant: &dyn Fn(Option<usize>) -> bool,
    ) -> Result<Vec<String>, Failure> {
        let mut problems = Vec::new();
        let mut bridges = Vec::new();
        let mut unsupported = std::mem::take(&mut self.unsupported);
        self.apply_overrides(built, is_first)?;
        for slot in configured_at_load(&self.config.sensors, built, is_first).map_err(configuration)? {
            if let Some(model) = slot.attachment.entity {
                built.world.make_vehicle(model);
            }
            built.slots.push(slot);
        }
        // A rank for every slot, so that one that comes back has its place again.
        let mut ranks = 1..;
        for (slot, rank) in built.slots.iter().zip(&mut ranks) {
            if !is_meant(slot.attachment.entity) {
                continue;
            }
            match self.resolve(slot) {
                Wanted::Nothing => {
                    log::debug!("{}`{}` is served by the host", slot.place_prefix(), slot.asked)
                }
                Wanted::Bridge(request) => bridges.push((request, slot.attachment.vehicle.clone())),
                Wanted::Model(plugin) => {
                    problems.extend(self.add_model(&plugin, slot, rank, &mut unsupported));
                }
                Wanted::Unsupported(row) => unsupported.no_counterpart(slot, row),
            }
        }
        let mut rank = built.slots.len() as u64;
        let mut further = Vec::new();
        for request in self.config.plugins.clone() {
            let slots = match requested_slots(&request, &built.attachments) {
                Err(problem) if !is_first => skipped(&problem),
                slots => slots.map_err(configuration)?,
            };
            for slot in slots {
                rank += 1;
                if let Some(model) = slot.attachment.entity {
                    built.world.make_vehicle(model);
                }
                if is_meant(slot.attachment.entity) {
                    problems.extend(self.add_model(&request.plugin, &slot, rank, &mut unsupported));
                    further.push((slot, rank));
                }
            }
        }
        problems.extend(name_unsupported(&unsupported));
        self.unsupported = unsupported;
        let further = further.iter().map(|(slot, rank)| (slot, *rank));
        self.describe_loaded(source, built.slots.iter().zip(1..).chain(further), is_meant);
        self.attach_bridges(built, bridges, is_first, is_meant)?;
        Ok(problems)
    }

    fn apply_overrides(&self, built: &mut Built, is_first: bool) -> Result<(), Failure> {
        if is_first {
            return change_slots(&mut built.slots, &self.config.overrides).map_err(configuration);
        }
        for change in &self.config.overrides {
            if let Err(problem) = change_slots(&mut built.slots, std::slice::from_ref(change)) {
                skipped::<()>(&problem);
            }
        }
        Ok(())
    }

    /// Who serves a slot.
    pub(super) fn resolve(&self, slot: &PluginSlot) -> Wanted {
        let is_bridge = |name: &str| self.plugins.find(Kind::Bridge, name).is_some();
        let is_loaded = |name: &str| is_bridge(name) || self.plugins.find(Kind::Model, name).is_some();
        match names::resolve(slot, is_loaded) {
            Resolution::BuiltIn => Wanted::Nothing,
            Resolution::NoCounterpart(row) => Wanted::Unsupported(row),
            Resolution::Plugin(name) if slot.kind == SlotKind::Plugin && is_bridge(&name) => {
                Wanted::Bridge(bridge_of_slot(slot, &name))
            }
            Resolution::Plugin(name) => Wanted::Model(name),
        }
    }

    /// Makes an instance. Gives why there is none, unless there is no such plugin: that is counted.
    pub(super) fn add_model(
        &mut self,
        plugin: &str,
        slot: &PluginSlot,
        rank: u64,
        unsupported: &mut UnsupportedNames,
    ) -> Option<String> {
        let problem = match self.models.add(&self.plugins, &self.shared, plugin, slot, rank) {
            Ok(()) => return None,
            Err(AddError::NoSuchPlugin(text)) => {
                unsupported.not_found(slot, text);
                return None;
            }
            Err(error @ AddError::Create { .. }) => error.to_string(),
        };
        log::warn!("{problem}");
        Some(problem)
    }

    /// Attaches the bridges that vehicles are to have: by request, and by their own elements.
    fn attach_bridges(
        &mut self,
        built: &Built,
        own: Vec<(BridgeRequest, String)>,
        is_first: bool,
        is_meant: &dyn Fn(Option<usize>) -> bool,
    ) -> Result<(), Failure> {
        let is_meant = |name: &&String| {
            let index =
                built.world.models().iter().find(|(_, model)| model.name == **name).map(|(index, _)| index);
            index.is_some_and(|index| is_meant(Some(index)))
        };
        let vehicles: Vec<String> = built
            .world
            .models()
            .values()
            .filter(|model| !model.is_static || model.is_vehicle)
            .map(|model| model.name.clone())
            .collect();
        let with_plugins: Vec<String> = built
            .world
            .models()
            .values()
            .filter(|model| model.is_vehicle)
            .map(|model| model.name.clone())
            .collect();
        let refuse = |error: AttachError| configuration(error.to_string());
        for request in self.config.bridges.clone() {
            if request.attach == WORLD {
                continue;
            }
            let candidates = if request.attach == "*" { &with_plugins } else { &vehicles };
            let vehicles = match targets(&request, candidates) {
                Err(problem) if !is_first => skipped(&problem.to_string()),
                vehicles => vehicles.map_err(refuse)?,
            };
            for vehicle in vehicles.iter().filter(|name| !name.is_empty()).filter(is_meant) {
                self.attach(&request, vehicle).map_err(refuse)?;
            }
        }
        for (request, vehicle) in own {
            self.bridge_builder().check(&request).map_err(refuse)?;
            self.attach(&request, &vehicle).map_err(refuse)?;
        }
        if self.bridges.instances().iter().any(|bridge| bridge.vehicle.is_empty() && bridge.is_new()) {
            self.bridges.connect(|bridge| bridge.vehicle.is_empty() && bridge.is_new());
        }
        Ok(())
    }
}

/// The vehicles that a request may be for: `*` stands for those with plugins, a name or pattern for all that move.
pub(super) fn candidates(request: &BridgeRequest, built: &Built) -> Vec<String> {
    let is_meant =
        |model: &&crate::world::ModelEntity| model.is_vehicle || (request.attach != "*" && !model.is_static);
    built.world.models().values().filter(is_meant).map(|model| model.name.clone()).collect()
}

/// Who serves a slot.
pub(super) enum Wanted {
    /// The host itself.
    Nothing,
    /// Nobody, though the name is known.
    Unsupported(&'static names::Name),
    /// A model plugin of that name.
    Model(String),
    /// A bridge.
    Bridge(BridgeRequest),
}

/// Writes each name that nobody serves to the log, once. Gives the lines.
fn name_unsupported(unsupported: &UnsupportedNames) -> Vec<String> {
    let lines: Vec<String> = unsupported.iter().map(ToString::to_string).collect();
    lines.iter().for_each(|line| log::warn!("{line}"));
    lines
}

fn configuration(text: String) -> Failure {
    LoadError::Failed(text)
}

/// What the configuration has for vehicles that this world does not have.
fn skipped<T>(problem: &str) -> Vec<T> {
    log::info!("not for this world: {problem}");
    Vec::new()
}

pub(super) fn no_profile(unknown: &NoSuchProfile) -> String {
    let NoSuchProfile { world, asked, has } = unknown;
    let has: Vec<String> = has.iter().map(|name| format!("`{name}`")).collect();
    let has = if has.is_empty() { "none".to_owned() } else { has.join(", ") };
    format!("[BH-SIM-208] the world `{world}` has no physics profile `{asked}`; it has: {has}")
}

/// A `<plugin>` element that names a bridge: `<connection>` is its connection string, byte for byte.
fn bridge_of_slot(slot: &PluginSlot, name: &str) -> BridgeRequest {
    let attach = if slot.attachment.vehicle.is_empty() { WORLD } else { &slot.attachment.vehicle };
    let connection = slot.params.get("connection").unwrap_or_default();
    let mut request = BridgeRequest::new(attach, name, connection, RequestOrigin::World);
    request.place = slot.place.as_ref().map(ToString::to_string);
    request.required = slot.params.get("required").is_some_and(|text| matches!(text.trim(), "true" | "1"));
    request
}

/// The slots of a configured plugin: one for each vehicle its pattern names.
pub(super) fn requested_slots(
    request: &PluginRequest,
    attachments: &BTreeMap<String, Attachment>,
) -> Result<Vec<PluginSlot>, String> {
    let pattern = BridgeRequest::new(&request.attach, &request.plugin, "", RequestOrigin::Configuration);
    let models: Vec<String> = attachments.keys().filter(|name| !name.is_empty()).cloned().collect();
    let vehicles = targets(&pattern, &models).map_err(|error| error.to_string())?;
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

/// A step width in nanoseconds.
pub(super) fn width_ns(width: Duration) -> i64 {
    i64::try_from(width.as_nanos()).unwrap_or(i64::MAX)
}
