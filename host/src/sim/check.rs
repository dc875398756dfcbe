//! What a run would trip over before its first step, without running it.
//!
//! Plugins are loaded, and their instances made and destroyed again; nothing is started, connected or written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use bridgehead_sdf::{self as sdf, Diagnostic, Loaded, SearchPath, Severity};

use super::load::{Wanted, candidates, no_profile, requested_slots};
use super::sensors::{Carriers, change_slots, configured};
use super::{SimError, Simulation};
use crate::api::Shared;
use crate::bridge::{WORLD, targets};
use crate::config::RunConfig;
use crate::model_plugin::AddError;
use crate::world::{Built, PluginSlot, build};

/// Something that is wrong, or probably is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Whether it ends the run or is only said.
    pub severity: Severity,
    /// `file:line` where it stands, as far as that is known apart from the text.
    pub place: Option<String>,
    /// What was found, with its code.
    pub text: String,
}

impl Finding {
    #[expect(clippy::needless_pass_by_value, reason = "it is what iterators hand over")]
    fn error(text: impl ToString) -> Self {
        Finding { severity: Severity::Error, place: None, text: text.to_string() }
    }

    #[expect(clippy::needless_pass_by_value, reason = "it is what iterators hand over")]
    fn warning(text: impl ToString) -> Self {
        Finding { severity: Severity::Warning, place: None, text: text.to_string() }
    }

    fn of(diagnostic: &Diagnostic, severity: Severity) -> Self {
        let place = diagnostic.location.as_ref().map(ToString::to_string);
        Finding { severity, place, text: diagnostic.to_string() }
    }
}

impl Simulation {
    /// Loads plugins, checks every bridge request and opens output files.
    ///
    /// # Errors
    /// Where the configuration cannot be carried out.
    pub fn new(config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        let simulation = Self::assemble(config, shared)?;
        let bridge_builder = simulation.bridge_builder();
        simulation.config.bridges.iter().try_for_each(|request| bridge_builder.check(request))?;
        Ok(simulation)
    }

    /// Everything that would keep the run from beginning, and everything that it would warn of until then.
    #[must_use]
    pub fn check(config: RunConfig, shared: Arc<Shared>) -> Vec<Finding> {
        // Files of the run are not touched, and warnings are judged by whoever asks.
        let config = RunConfig { hash_log: None, record_commands: None, strict: false, ..config };
        let mut simulation = match Self::assemble(config, shared) {
            Ok(simulation) => simulation,
            Err(error) => return vec![Finding::error(error)],
        };
        let mut findings: Vec<Finding> =
            std::mem::take(&mut simulation.errors).iter().map(Finding::warning).collect();
        let bridge_builder = simulation.bridge_builder();
        let bridges =
            simulation.config.bridges.iter().filter_map(|request| bridge_builder.check(request).err());
        findings.extend(bridges.map(Finding::error));
        if let Some(world) = simulation.config.world.clone() {
            simulation.check_world(&world, &mut findings);
        }
        findings.extend(simulation.models.destroy().iter().map(Finding::warning));
        simulation.plugins.deinit();
        findings
    }

    fn check_world(&mut self, file: &Path, findings: &mut Vec<Finding>) {
        let search =
            SearchPath::new(std::iter::empty::<PathBuf>()).with_environment(|name| std::env::var_os(name));
        let outcome = sdf::load(file, &search);
        // A run takes what is wrong by the standard for a warning, too, as long as the rest can be read.
        let found = sdf::findings(&outcome).into_iter().filter(|found| found.severity > Severity::Note);
        findings.extend(found.map(|found| Finding::of(found, Severity::Warning)));
        match outcome {
            Err(error) => {
                let fatal = findings.pop();
                findings.extend(fatal.map(|_| Finding::of(&error.cause, Severity::Error)));
            }
            Ok(loaded) => self.check_loaded(loaded, &search, findings),
        }
    }

    fn check_loaded(&mut self, mut loaded: Loaded, search: &SearchPath, findings: &mut Vec<Finding>) {
        if let Some(Err(unknown)) =
            self.config.physics_profile.as_ref().map(|name| loaded.world.use_profile(name))
        {
            findings.push(Finding::error(no_profile(&unknown)));
        }
        if let Err(failure) = self.set_width(loaded.world.physics.max_step_size) {
            findings.push(Finding::error(failure));
            return;
        }
        match build(&loaded.world, self.width.as_secs_f64(), self.config.substeps) {
            Ok(mut built) => {
                findings.extend(built.problems.iter().map(Finding::warning));
                self.check_slots(&mut built, findings);
                findings.extend(self.configured_poses(&built.world, true).err().map(Finding::error));
                findings.extend(self.restore(&loaded, search).err().map(Finding::error));
            }
            Err(error) => findings.push(Finding::error(error)),
        }
    }

    /// Sensors, plugins and bridges: those of the world, and those of the configuration.
    fn check_slots(&mut self, built: &mut Built, findings: &mut Vec<Finding>) {
        findings.extend(change_slots(&mut built.slots, &self.config.overrides).err().map(Finding::error));
        match configured(&self.config.sensors, &Carriers::of(built)) {
            Ok(slots) => built.slots.extend(slots),
            Err(text) => findings.push(Finding::error(text)),
        }
        let mut models: Vec<(String, PluginSlot)> = Vec::new();
        for slot in &built.slots {
            match self.resolve(slot) {
                Wanted::Nothing => {}
                Wanted::Bridge(request) => {
                    findings.extend(self.bridge_builder().check(&request).err().map(Finding::error));
                }
                Wanted::Model(plugin) => models.push((plugin, slot.clone())),
                Wanted::Unsupported(row) => self.unsupported.no_counterpart(slot, row),
            }
        }
        for request in &self.config.plugins {
            match requested_slots(request, &built.attachments) {
                Ok(slots) => models.extend(slots.into_iter().map(|slot| (request.plugin.clone(), slot))),
                Err(text) => findings.push(Finding::error(text)),
            }
        }
        for (plugin, slot) in &models {
            match self.models.add(&self.plugins, &self.shared, plugin, slot, 0) {
                Ok(()) => {}
                Err(AddError::NoSuchPlugin(text)) => self.unsupported.not_found(slot, text),
                Err(error @ AddError::Create { .. }) => findings.push(Finding::warning(error)),
            }
        }
        let vehicles = models.iter().filter_map(|(_, slot)| slot.attachment.entity);
        vehicles.for_each(|model| built.world.make_vehicle(model));
        findings.extend(self.unsupported.iter().map(Finding::warning));
        self.check_targets(built, findings);
    }

    /// Whether the vehicles are there that bridges are for.
    fn check_targets(&self, built: &Built, findings: &mut Vec<Finding>) {
        let requests = self.config.bridges.iter().filter(|request| request.attach != WORLD);
        let errors = requests.filter_map(|request| targets(request, &candidates(request, built)).err());
        findings.extend(errors.map(Finding::error));
    }
}
