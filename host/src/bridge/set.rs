//! All bridges of a run: attached by request, connected together, ended together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_abi::bridge::{self as raw, BRIDGE_LOSSLESS, Notice};
use bridgehead_abi::{Str, status};
use bridgehead_lifecycle::Cause;
use bridgehead_sdf::params::Params;
use globset::Glob;
use thiserror::Error;

use super::instance::BridgeInstance;
use super::phase::Change;
use super::registry::BridgeRegistry;
use crate::api::{Context, Owner, ParamsView, Shared, create_instance, free_label};
use crate::bus::{Limits, Overflow, Router, TxQueue};
use crate::config::{BridgeRequest, RunConfig};
use crate::crash;
use crate::plugin::{Kind, LoadedPlugin, PluginSet};
use crate::report::BridgeResult;
use crate::world::Attachment;

/// Why a bridge could not be attached. Each is a configuration error.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum AttachError {
    /// No such bridge plugin.
    #[error("[BH-BRG-020] {place}{text}")]
    NoSuchBridge {
        /// `file:line: `, or empty.
        place: String,
        /// What is available.
        text: String,
    },
    /// The bridge does not understand the connection string.
    #[error("[BH-BRG-021] {place}bridge `{name}` refuses the connection string `{connection}`: {reason}")]
    Connection {
        /// `file:line: `, or empty.
        place: String,
        /// The bridge.
        name: String,
        /// The string.
        connection: String,
        /// What the bridge says.
        reason: String,
    },
    /// The pattern is malformed.
    #[error("[BH-BRG-022] `{pattern}` is not a vehicle pattern: {reason}")]
    Pattern {
        /// What was given.
        pattern: String,
        /// What is wrong.
        reason: String,
    },
    /// The pattern names nobody.
    #[error(
        "[BH-BRG-023] {place}bridge `{name}` is for `{pattern}`, but the world has no such vehicle; it has: {vehicles}"
    )]
    NoVehicle {
        /// `file:line: `, or empty.
        place: String,
        /// The bridge.
        name: String,
        /// What was given.
        pattern: String,
        /// What there is.
        vehicles: String,
    },
    /// The factory could not make an instance.
    #[error("[BH-BRG-024] bridge `{name}` could not be made for {vehicle}: {reason}")]
    Create {
        /// The bridge.
        name: String,
        /// For whom.
        vehicle: String,
        /// Why.
        reason: String,
    },
}

/// The name of the world in `attach`, and in labels.
pub const WORLD: &str = "world";

/// The bridges of a run, in order of attachment.
#[derive(Default)]
pub struct BridgeSet {
    pub(super) instances: Vec<BridgeInstance>,
    next_id: u32,
    pub(super) generation: Option<u64>,
    /// What became of instances that are gone.
    past: Vec<BridgeResult>,
}

/// What bridges are made from.
pub struct Workshop<'a> {
    /// The plugins.
    pub plugins: &'a PluginSet,
    /// What bridges carry.
    pub registry: &'a BridgeRegistry,
    /// Services of the run.
    pub shared: &'a Arc<Shared>,
    /// What the run was asked to do.
    pub config: &'a RunConfig,
    /// The file of the world that is loaded or loading.
    pub world_file: Option<&'a Path>,
}

/// Whom a request is for.
///
/// # Errors
/// Where the pattern is malformed or names nobody.
pub fn targets(request: &BridgeRequest, vehicles: &[String]) -> Result<Vec<String>, AttachError> {
    if request.attach == WORLD {
        return Ok(vec![String::new()]);
    }
    let refuse = |reason: String| AttachError::Pattern { pattern: request.attach.clone(), reason };
    let glob =
        Glob::new(&request.attach).map_err(|error| refuse(error.kind().to_string()))?.compile_matcher();
    let mut found: Vec<String> = vehicles.iter().filter(|vehicle| glob.is_match(vehicle)).cloned().collect();
    if request.attach == "*" {
        found.insert(0, String::new());
    }
    if found.is_empty() {
        return Err(AttachError::NoVehicle {
            place: place(request),
            name: request.name.clone(),
            pattern: request.attach.clone(),
            vehicles: if vehicles.is_empty() { "none".to_owned() } else { vehicles.join(", ") },
        });
    }
    Ok(found)
}

fn place(request: &BridgeRequest) -> String {
    request.place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default()
}

impl Workshop<'_> {
    /// Finds a request's bridge and lets it check the connection string.
    ///
    /// # Errors
    /// Where there is no such bridge, or it refuses the string.
    pub fn check(&self, request: &BridgeRequest) -> Result<(), AttachError> {
        let (plugin, factory) = self.find(request)?;
        let context = self.context(0, "", request, request.name.clone());
        // SAFETY: the loader checked the factory; host and string live for the call.
        let validate = || unsafe { (factory.validate)(context.host(), Str::new(&request.connection)) };
        let code = crash::during(&context.label, "validate", validate);
        if code >= 0 {
            return Ok(());
        }
        Err(AttachError::Connection {
            place: place(request),
            name: plugin.metadata.name.clone(),
            connection: request.connection.clone(),
            reason: context.take_explanation().unwrap_or_else(|| status::name(code).to_owned()),
        })
    }

    fn find(
        &self,
        request: &BridgeRequest,
    ) -> Result<(&LoadedPlugin, &'static raw::BridgeFactory), AttachError> {
        let refuse = |text| AttachError::NoSuchBridge { place: place(request), text };
        let found = self.plugins.bridge(&request.name);
        let (plugin, factory) =
            found.ok_or_else(|| refuse(self.plugins.explain_missing(Kind::Bridge, &request.name)))?;
        if self.registry.table(&plugin.metadata.id).is_none() {
            return Err(refuse(format!("bridge `{}` could not register what it carries", request.name)));
        }
        Ok((plugin, factory))
    }

    fn context(&self, id: u32, vehicle: &str, request: &BridgeRequest, label: String) -> Arc<Context> {
        let owner = if vehicle.is_empty() { WORLD } else { vehicle };
        let output = std::path::absolute(&self.config.output).unwrap_or_else(|_| self.config.output.clone());
        let params = Params::new("bridge")
            .with_attribute("origin", request.origin.word())
            .with_child(Params::new("output_dir").with_text(output.to_string_lossy()))
            .with_child(Params::new("world_dir").with_text(self.world_dir().to_string_lossy()));
        let attachment = Attachment {
            vehicle: vehicle.to_owned(),
            model: vehicle.to_owned(),
            element: request.name.clone(),
            path: format!("{owner}/{}", request.name),
            ..Attachment::default()
        };
        Context::new(Owner::Bridge(id), label, Arc::clone(self.shared), ParamsView::new(params), attachment)
    }

    /// The folder of the world file, which paths in it are relative to.
    fn world_dir(&self) -> PathBuf {
        let folder = self.world_file.and_then(Path::parent).unwrap_or_else(|| Path::new(""));
        std::path::absolute(folder.join(".")).unwrap_or_else(|_| folder.to_owned())
    }

    fn limits(&self, request: &BridgeRequest, factory: &raw::BridgeFactory) -> Limits {
        request.queue.unwrap_or_else(|| {
            let is_lossless = factory.flags & BRIDGE_LOSSLESS != 0;
            let overflow = if is_lossless { Overflow::Block } else { Overflow::DropOldest };
            Limits { overflow, ..Limits::default() }
        })
    }

    fn make(
        &self,
        id: u32,
        vehicle: &str,
        request: &BridgeRequest,
        label: String,
    ) -> Result<BridgeInstance, AttachError> {
        let (plugin, factory) = self.find(request)?;
        let context = self.context(id, vehicle, request, label);
        let refuse = |reason: String| AttachError::Create {
            name: plugin.metadata.name.clone(),
            vehicle: if vehicle.is_empty() { "the world".to_owned() } else { format!("`{vehicle}`") },
            reason,
        };
        // SAFETY: the loader checked the factory.
        let instance = unsafe { create_instance(&context, factory.create) }.map_err(refuse)?;
        let table = self.registry.table(&plugin.metadata.id).unwrap_or_default();
        let queue = TxQueue::new(self.limits(request, factory));
        BridgeInstance::new(id, vehicle, request.clone(), context, instance, table, queue)
            .map_err(|error| refuse(error.to_string()))
    }
}

impl BridgeSet {
    /// Attaches a bridge to one vehicle, or to the world (empty name).
    ///
    /// # Errors
    /// Where there is no such bridge or it cannot be made.
    pub fn attach(
        &mut self,
        workshop: &Workshop<'_>,
        request: &BridgeRequest,
        vehicle: &str,
    ) -> Result<(), AttachError> {
        let instance =
            workshop.make(self.next_id, vehicle, request, self.label_for(vehicle, &request.name))?;
        self.next_id += 1;
        // It knows none of the topics that are there.
        self.generation = None;
        self.instances.push(instance);
        Ok(())
    }

    /// `car1/logging`, or `car1/logging_2` for the second of a kind.
    fn label_for(&self, vehicle: &str, name: &str) -> String {
        let owner = if vehicle.is_empty() { WORLD } else { vehicle };
        let is_taken = |label: &str| self.instances.iter().any(|instance| instance.label == label);
        free_label(&format!("{owner}/{name}"), is_taken)
    }

    /// The instances in order of attachment.
    #[must_use]
    pub fn instances(&self) -> &[BridgeInstance] {
        &self.instances
    }

    /// Starts to connect every instance that `which` picks.
    pub fn connect(&mut self, which: impl Fn(&BridgeInstance) -> bool) {
        let now = crate::clock::now();
        self.instances
            .iter_mut()
            .filter(|instance| which(instance))
            .for_each(|instance| instance.connect(now));
    }

    /// Looks at every connection. Gives a required bridge that failed, if any.
    pub fn poll(&mut self, router: &mut Router) -> Option<Cause> {
        let now = crate::clock::now();
        let mut failed = None;
        for instance in &mut self.instances {
            match instance.poll(now, router) {
                Some(Change::Connected) => {
                    log::info!(target: &instance.label, "connected to {}", instance.request.connection)
                }
                Some(Change::Failed(reason)) => {
                    log::warn!(
                        target: &instance.label,
                        "[BH-BRG-030] no connection to `{}`: {reason}",
                        instance.request.connection
                    );
                    if instance.request.required {
                        failed = Some(Cause::Bridge { name: instance.label.clone(), reason });
                    }
                }
                None => {}
            }
        }
        failed
    }

    /// Whether some instance is still trying for the first time.
    #[must_use]
    pub fn is_connecting(&self) -> bool {
        self.instances.iter().any(BridgeInstance::is_connecting)
    }

    /// What is waited for of the instances that are still trying.
    #[must_use]
    pub fn connecting(&self) -> Vec<String> {
        let trying = self.instances.iter().filter(|instance| instance.is_connecting());
        trying.map(|instance| format!("the connection of `{}`", instance.label)).collect()
    }

    /// Makes missing ends where topics changed since the last call.
    pub fn sync_endpoints(&mut self, shared: &Shared, router: &mut Router) {
        let generation = shared.bus.generation();
        if self.generation == Some(generation) {
            return;
        }
        self.generation = Some(generation);
        router.sync(&shared.bus);
        for instance in &mut self.instances {
            for problem in instance.sync_endpoints(router) {
                log::warn!(target: &instance.label, "{problem}");
            }
        }
    }

    /// Starts the loops of connected instances that have none.
    pub fn start_loops(&mut self) {
        self.instances.iter_mut().for_each(BridgeInstance::start_loops);
    }

    /// Tells every instance what happens.
    pub fn notice(&self, notice: &Notice) {
        for instance in self.instances.iter().filter(|instance| instance.is_connected()) {
            if !instance.notice(*notice) {
                log::warn!(target: &instance.label, "[BH-BRG-031] no answer to a notice of the lifecycle");
            }
        }
    }

    /// Labels of the instances with these numbers.
    #[must_use]
    pub fn labels(&self, ids: &[u32]) -> String {
        let labels = self.instances.iter().filter(|instance| ids.contains(&instance.id));
        labels.map(|instance| instance.label.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Ends every instance that `which` picks, all at the same time.
    pub fn end(&mut self, router: &mut Router, which: impl Fn(&BridgeInstance) -> bool) -> Vec<String> {
        let (mut ending, staying): (Vec<_>, Vec<_>) =
            self.instances.drain(..).partition(|instance| which(instance));
        self.instances = staying;
        let ends: Vec<_> = ending.iter_mut().map(BridgeInstance::begin_end).collect();
        let deadline = BridgeInstance::end_deadline(crate::clock::now());
        let mut problems = Vec::new();
        for (instance, end) in ending.iter_mut().zip(&ends) {
            problems.extend(instance.ended(end, deadline));
            add_result(&mut self.past, instance.result());
            router.disconnect(instance.id);
        }
        self.generation = None;
        problems
    }

    /// What became of all bridges, those that are gone first.
    #[must_use]
    pub fn results(&self) -> Vec<BridgeResult> {
        self.past.iter().cloned().chain(self.instances.iter().map(BridgeInstance::result)).collect()
    }
}

/// Adds what became of an instance: one that came again with each of several worlds is told of once.
fn add_result(past: &mut Vec<BridgeResult>, result: BridgeResult) {
    let is_same =
        |known: &&mut BridgeResult| (&known.label, &known.connection) == (&result.label, &result.connection);
    let Some(sum) = past.iter_mut().find(is_same) else {
        past.push(result);
        return;
    };
    sum.was_connected |= result.was_connected;
    sum.connections = sum.connections.saturating_add(result.connections);
    sum.delivered += result.delivered;
    sum.dropped += result.dropped;
    sum.missed += result.missed;
    if !result.failure.is_empty() {
        sum.failure = result.failure;
    }
}
