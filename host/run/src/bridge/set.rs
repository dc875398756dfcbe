//! All bridges of a run, from attachment to termination. Owned by the simulation thread.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bridgehead_abi::bridge::{BRIDGE_LOSSLESS, Notice};
use bridgehead_abi::{Str, bridge as raw, status};
use bridgehead_lifecycle::Cause;
use bridgehead_plugin_api::objects::BridgeRef;
use bridgehead_sdf::params::Params;
use globset::Glob;

use super::attach_error::AttachError;
use super::instance::BridgeInstance;
use super::phase::Change;
use super::registry::BridgeRegistry;
use crate::api::context::params::ParamsView;
use crate::api::context::{Context, Owner};
use crate::api::shared::Shared;
use crate::api::shared::bridges::BridgeRow;
use crate::bus::{Limits, Overflow, Router, TxQueue};
use crate::call;
use crate::config::{BridgeRequest, RunConfig};
use crate::plugin::{Kind, KnownPlugin, PluginSet, create_instance, free_label, leak};
use crate::report::BridgeResult;
use crate::text::without_secrets;
use crate::world::Attachment;

/// The name of the world in `attach`, and in labels.
pub const WORLD: &str = "world";

/// The bridges of a run, in order of attachment.
#[derive(Default)]
pub struct BridgeSet {
    pub(super) instances: Vec<BridgeInstance>,
    next_id: u32,
    pub(super) generation: Option<u64>,
    /// Results of removed instances.
    past_results: Vec<BridgeResult>,
    /// Whether each instance is measured: only after all of them together took long.
    is_timing: bool,
}

/// Polls of all instances that take longer are measured one by one from then on.
const SLOW: Duration = Duration::from_millis(1);

/// Creates bridge instances from the plugins whose libraries are open, and the run's configuration.
pub struct BridgeBuilder<'a> {
    /// The plugins.
    pub plugins: &'a PluginSet,
    /// The data types that each bridge supports.
    pub registry: &'a BridgeRegistry,
    /// State shared by all instances of the run.
    pub shared: &'a Arc<Shared>,
    /// Configuration of the run.
    pub config: &'a RunConfig,
    /// File of the world that is loaded or being loaded.
    pub world_file: Option<&'a Path>,
}

/// Returns the vehicles that a request is for; an empty name stands for the world. `*` includes the world.
///
/// # Errors
/// Returns an error if the pattern is malformed or matches nothing.
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

impl BridgeBuilder<'_> {
    /// Finds a request's bridge and lets it check the connection string.
    ///
    /// # Errors
    /// Returns an error if there is no such bridge, or if it rejects the connection string.
    pub fn check(&self, request: &BridgeRequest) -> Result<(), AttachError> {
        let (plugin, factory) = self.find(request)?;
        let context = self.context(0, "", request, request.name.clone());
        // SAFETY: the loader checked the factory; host and string live for the call.
        let validate = || unsafe { (factory.validate)(context.host(), Str::new(&request.connection)) };
        let code = call::during_preparation(&context.label, "validate", validate);
        if code >= 0 {
            return Ok(());
        }
        Err(AttachError::Connection {
            place: place(request),
            name: plugin.metadata.name.clone(),
            connection: without_secrets(&request.connection).into_owned(),
            reason: context.take_explanation().unwrap_or_else(|| status::name(code).to_owned()),
        })
    }

    fn find(
        &self,
        request: &BridgeRequest,
    ) -> Result<(&KnownPlugin, &'static raw::BridgeFactory), AttachError> {
        let refuse = |text| AttachError::NoSuchBridge { place: place(request), text };
        let found = self.plugins.bridge(&request.name);
        let (plugin, factory) =
            found.ok_or_else(|| refuse(self.plugins.explain_missing(Kind::Bridge, &request.name)))?;
        if self.registry.table(&plugin.metadata.id).is_none() {
            return Err(refuse(format!("bridge `{}` failed to register its data types", request.name)));
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
        self.shared.lockstep.configure(id, request.step_limits);
        Context::new(Owner::Bridge(id), label, Arc::clone(self.shared), ParamsView::new(params), attachment)
    }

    /// The folder of the world file; paths in the file are relative to it.
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

    fn build(
        &self,
        id: u32,
        vehicle: &str,
        request: &BridgeRequest,
        label: String,
    ) -> Result<BridgeInstance, AttachError> {
        let (plugin, factory) = self.find(request)?;
        let context = self.context(id, vehicle, request, label);
        let name = plugin.metadata.name.clone();
        let owner = if vehicle.is_empty() { "the world".to_owned() } else { format!("`{vehicle}`") };
        // SAFETY: the loader checked the factory, whose `create` fills in its argument or fails.
        let created: Result<raw::BridgeInstance, _> =
            unsafe { create_instance(&context.label, &context, |out| (factory.create)(context.host(), out)) };
        let instance = created.map_err(|error| AttachError::Create {
            name: name.clone(),
            vehicle: owner.clone(),
            reason: error.reason(|| context.take_explanation()),
        })?;
        // SAFETY: the struct is checked, and the instance is destroyed last.
        let instance = unsafe { BridgeRef::new(instance) };
        let table = self.registry.table(&plugin.metadata.id).unwrap_or_default();
        let queue = TxQueue::new(self.limits(request, factory));
        let made =
            BridgeInstance::new(id, vehicle, request.clone(), Arc::clone(&context), instance, table, queue);
        match made {
            Ok(made) => {
                let (vehicle, label) = (vehicle.to_owned(), context.label.clone());
                let status = bridgehead_abi::bridge::STATUS_DISCONNECTED;
                self.shared.bridges.add(BridgeRow { id, vehicle, name, label, status });
                Ok(made)
            }
            Err(error) => {
                leak(&context);
                Err(AttachError::Thread { name, vehicle: owner, reason: error.to_string() })
            }
        }
    }
}

impl BridgeSet {
    /// Attaches a bridge to one vehicle, or to the world (empty name).
    ///
    /// # Errors
    /// Returns an error if there is no such bridge or if it cannot be created.
    pub fn attach(
        &mut self,
        builder: &BridgeBuilder<'_>,
        request: &BridgeRequest,
        vehicle: &str,
    ) -> Result<(), AttachError> {
        let owner = if vehicle.is_empty() { WORLD } else { vehicle };
        let is_taken = |label: &str| self.instances.iter().any(|instance| instance.label == label);
        let label = free_label(format!("{owner}/{}", request.name), is_taken);
        let instance = builder.build(self.next_id, vehicle, request, label)?;
        self.next_id += 1;
        // The new instance has no endpoints yet: the next `sync_endpoints` must visit it.
        self.generation = None;
        self.instances.push(instance);
        Ok(())
    }

    /// The instances in order of attachment.
    #[must_use]
    pub fn instances(&self) -> &[BridgeInstance] {
        &self.instances
    }

    /// Starts to connect every instance that `which` selects.
    pub fn connect(&mut self, which: impl Fn(&BridgeInstance) -> bool) {
        let now = crate::clock::now();
        self.instances
            .iter_mut()
            .filter(|instance| which(instance))
            .for_each(|instance| instance.connect(now));
    }

    /// Polls every connection. Returns the failure of a required bridge, if there is one.
    pub fn poll(&mut self, router: &mut Router) -> Option<Cause> {
        let now = crate::clock::now();
        let mut failed = None;
        for instance in &mut self.instances {
            let begin = self.is_timing.then(crate::clock::now);
            if let Some(change) = instance.poll(now, router) {
                failed = reported(instance, change).or(failed);
            }
            if let Some(begin) = begin {
                instance.note_poll(crate::clock::now().saturating_duration_since(begin));
            }
            let problems = instance.poll_announcements(router);
            warn_of(&instance.label, problems);
        }
        self.is_timing |= crate::clock::now().saturating_duration_since(now) > SLOW;
        failed
    }

    /// Returns true if a connection attempt is running.
    #[must_use]
    pub fn is_connecting(&self) -> bool {
        self.instances.iter().any(BridgeInstance::is_connecting)
    }

    /// Descriptions of the running connection attempts, for the watchdog and the status line.
    #[must_use]
    pub fn connecting(&self) -> Vec<String> {
        let trying = self.instances.iter().filter(|instance| instance.is_connecting());
        trying.map(|instance| format!("the connection of `{}`", instance.label)).collect()
    }

    /// Returns true if the first connection attempt of a bridge is running.
    #[must_use]
    pub fn is_connecting_first(&self) -> bool {
        self.instances.iter().any(BridgeInstance::is_in_first_attempt)
    }

    /// Creates missing endpoints if topics changed since the last call.
    pub fn sync_endpoints(&mut self, shared: &Shared, router: &mut Router) {
        let generation = shared.bus.generation();
        if self.generation == Some(generation) {
            return;
        }
        self.generation = Some(generation);
        router.sync(&shared.bus);
        for instance in &mut self.instances {
            let problems = instance.sync_endpoints(router);
            warn_of(&instance.label, problems);
        }
    }

    /// Starts the loops of connected instances that have none. An instance whose threads are refused loses its
    /// connection.
    pub fn start_loops(&mut self, router: &mut Router) {
        for instance in &mut self.instances {
            if let Some(change) = instance.start_loops(router) {
                drop(reported(instance, change));
            }
        }
    }

    /// Sends a lifecycle notice to every connected instance.
    pub fn notice(&self, notice: &Notice) {
        for instance in self.instances.iter().filter(|instance| instance.is_connected()) {
            if !instance.notice(*notice) {
                log::warn!(target: &instance.label, "[BH-BRG-031] the bridge did not answer a lifecycle notice in time");
            }
        }
    }

    /// Labels of the instances with these ids, separated by commas.
    #[must_use]
    pub fn labels(&self, ids: &[u32]) -> String {
        let labels = self.instances.iter().filter(|instance| ids.contains(&instance.id));
        labels.map(|instance| instance.label.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Terminates every instance that `which` selects, all in parallel. Returns one message for each problem.
    pub fn terminate(&mut self, router: &mut Router, which: impl Fn(&BridgeInstance) -> bool) -> Vec<String> {
        let (mut ending, staying): (Vec<_>, Vec<_>) =
            self.instances.drain(..).partition(|instance| which(instance));
        self.instances = staying;
        let pending: Vec<_> = ending.iter_mut().map(BridgeInstance::begin_termination).collect();
        let deadline = BridgeInstance::termination_deadline(crate::clock::now());
        let mut problems = Vec::new();
        for (instance, termination) in ending.iter_mut().zip(&pending) {
            problems.extend(instance.finish_termination(termination, deadline));
            add_result(&mut self.past_results, instance.result());
            router.disconnect(instance.id);
        }
        self.generation = None;
        problems
    }

    /// Results of all bridges, removed instances first.
    #[must_use]
    pub fn results(&self) -> Vec<BridgeResult> {
        self.past_results.iter().cloned().chain(self.instances.iter().map(BridgeInstance::result)).collect()
    }
}

fn warn_of(label: &str, problems: Vec<String>) {
    for problem in problems {
        log::warn!(target: label, "{problem}");
    }
}

/// Logs the change of a connection. Returns the failure if the bridge is required.
fn reported(instance: &BridgeInstance, change: Change) -> Option<Cause> {
    let connection = without_secrets(&instance.request.connection);
    let (what, reason) = match change {
        Change::Connected => {
            log::info!(target: &instance.label, "connected to {connection}");
            return None;
        }
        Change::Failed(reason) => ("no connection", reason),
        Change::Lost(reason) => ("lost the connection", reason),
    };
    log::warn!(target: &instance.label, "[{NOT_CONNECTED}] {what} to `{connection}`: {reason}");
    instance.request.required.then(|| Cause::Bridge { name: instance.label.clone(), reason })
}

/// Adds the result of a removed instance. Instances of the same label and connection, one for each of several worlds,
/// become one entry.
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
    sum.lost = sum.lost.saturating_add(result.lost);
    sum.missed += result.missed;
    sum.drops.full += result.drops.full;
    sum.drops.unsent += result.drops.unsent;
    sum.polling += result.polling;
    if !result.failure.is_empty() {
        sum.failure = result.failure;
    }
}

/// Code of a bridge that could not connect, or lost its connection.
pub const NOT_CONNECTED: &str = "BH-BRG-030";
