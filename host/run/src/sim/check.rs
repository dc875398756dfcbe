//! Checks a configuration without running it: everything that its run would report before the first step.
//!
//! The libraries of its plugins are opened, and instances are created, asked whether they accept their parameters, and
//! destroyed; nothing is started, connected or written.

use std::path::Path;
use std::sync::Arc;

use bridgehead_sdf as sdf;
use bridgehead_sdf::{Budget, Diagnostic, Disk, Loaded, SearchPath, Severity};

use super::instances::{InstanceBuilder, Provider, add_clock, candidates, requested_slots};
use super::poses::configured_poses;
use super::prepare::{choose_profile, step_width};
use super::record::plugin_is_not_started;
use super::sensors::{Carriers, change_slots, configured};
use super::simulation::Simulation;
use super::snapshot::restore;
use super::triggers::endless_resets;
use super::worlds::values::{ValuesError, assignments, load_with_values};
use crate::api::shared::Shared;
use crate::bridge::{WORLD, targets};
use crate::config::RunConfig;
use crate::model_plugin::{AddError, ModelSet};
use crate::severity;
use crate::trigger::Trigger;
use crate::world::names::UnsupportedNames;
use crate::world::{Built, PluginSlot, add_floor, build_within, reading_budget};

/// An error or a warning about a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Error if it ends the run, otherwise warning.
    pub severity: Severity,
    /// `file:line`, if it is known apart from the text.
    pub place: Option<String>,
    /// The text, with its code.
    pub text: String,
    /// The finding of the reader behind it, with the same severity.
    pub read: Option<Box<Diagnostic>>,
}

impl Finding {
    /// Returns an error with this text.
    #[expect(clippy::needless_pass_by_value, reason = "iterators pass values")]
    #[must_use]
    pub fn error(text: impl ToString) -> Self {
        Finding { severity: Severity::Error, place: None, text: text.to_string(), read: None }
    }

    /// Returns a finding with the severity of its code.
    #[expect(clippy::needless_pass_by_value, reason = "iterators pass values")]
    fn judged(text: impl ToString) -> Self {
        let text = text.to_string();
        Finding { severity: severity::of(&text), place: None, text, read: None }
    }

    #[expect(clippy::needless_pass_by_value, reason = "iterators pass values")]
    fn warning(text: impl ToString) -> Self {
        Finding { severity: Severity::Warning, place: None, text: text.to_string(), read: None }
    }

    fn of(diagnostic: &Diagnostic, severity: Severity) -> Self {
        let place = diagnostic.location.as_ref().map(ToString::to_string);
        let diagnostic = diagnostic.with_severity(severity);
        Finding { severity, place, text: diagnostic.to_string(), read: Some(Box::new(diagnostic)) }
    }
}

/// Returns every error that would prevent a run from beginning, and every warning before its first step.
#[must_use]
pub fn check(config: RunConfig, shared: Arc<Shared>) -> Vec<Finding> {
    // Output files of the run are not opened, and the caller decides about warnings.
    let config = RunConfig { hash_log: None, record_commands: None, strict: false, ..config };
    let mut simulation = match Simulation::assemble(config, shared) {
        Ok(simulation) => simulation,
        Err(error) => return vec![Finding::error(error)],
    };
    let mut models = ModelSet::new(simulation.config.call_limits());
    let mut checker = Checker {
        config: &simulation.config,
        instances: simulation.instances(),
        findings: simulation.errors().iter().map(Finding::warning).collect(),
    };
    checker.check_connections();
    checker.check_triggers();
    if let Some(world) = &simulation.config.world {
        checker.check_world(world, &mut models);
    }
    let mut findings = checker.findings;
    match simulation.libraries.take_problems() {
        Ok(problems) => findings.extend(problems.iter().map(Finding::warning)),
        Err(unusable) => findings.push(Finding::error(unusable)),
    }
    findings.extend(models.destroy().problems.iter().map(Finding::warning));
    simulation.libraries.deinit();
    findings
}

/// Collects the findings of one configuration.
struct Checker<'a> {
    config: &'a RunConfig,
    instances: InstanceBuilder<'a>,
    findings: Vec<Finding>,
}

impl Checker<'_> {
    fn add_error<T, E: ToString>(&mut self, result: Result<T, E>) {
        self.findings.extend(result.err().map(|error| Finding::error(error)));
    }

    fn check_connections(&mut self) {
        for request in &self.config.bridges {
            let checked = self.instances.check(request);
            self.add_error(checked);
        }
    }

    fn check_triggers(&mut self) {
        let endless = self.config.triggers.iter().filter_map(Trigger::endless_reset);
        self.findings.extend(endless.map(|trigger| Finding::warning(endless_resets(&trigger.title()))));
    }

    fn check_world(&mut self, file: &Path, models: &mut ModelSet) {
        let search = self.config.world_search();
        let budget = reading_budget();
        let outcome = match load_with_values(&Disk, file, &assignments(self.config), (&search, &budget)) {
            Ok(loaded) => Ok(loaded),
            Err(ValuesError::Load(error)) => Err(error),
            Err(error @ (ValuesError::Assign(_) | ValuesError::Unusable { .. })) => {
                return self.findings.push(Finding::error(error));
            }
        };
        let found = sdf::findings(&outcome).into_iter().filter(|found| found.severity > Severity::Note);
        self.findings.extend(found.map(|found| Finding::of(found, found.judged().severity)));
        match outcome {
            Err(error) => {
                let fatal = self.findings.pop();
                self.findings.extend(fatal.map(|_| Finding::of(&error.cause, Severity::Error)));
            }
            Ok(loaded) => self.check_loaded(loaded, &search, &budget, models),
        }
    }

    fn check_loaded(
        &mut self,
        mut loaded: Loaded,
        search: &SearchPath,
        budget: &Budget,
        models: &mut ModelSet,
    ) {
        self.add_error(choose_profile(self.config, &mut loaded.world));
        let width = match step_width(self.config, &loaded.world) {
            Ok(width) => width,
            Err(error) => return self.findings.push(Finding::error(error)),
        };
        add_floor(&mut loaded, &reading_budget());
        match build_within(&loaded.world, self.config.build_options(width), budget) {
            Ok(mut built) => {
                self.findings.extend(built.problems.iter().map(Finding::judged));
                self.check_slots(&mut built, models);
                self.add_error(configured_poses(&self.config.poses, &built.world, true));
                self.add_error(restore(self.config, width, &loaded, search));
            }
            Err(error) => self.findings.push(Finding::error(error)),
        }
    }

    /// Checks sensors, plugins and bridges: those of the world, and those of the configuration.
    fn check_slots(&mut self, built: &mut Built, models: &mut ModelSet) {
        self.add_error(change_slots(&mut built.slots, &self.config.overrides));
        match configured(&self.config.sensors, &Carriers::of(built)) {
            Ok(slots) => built.slots.extend(slots),
            Err(error) => self.findings.push(Finding::error(error)),
        }
        add_clock(self.config, built);
        let mut unsupported = UnsupportedNames::default();
        let mut plugins: Vec<(String, PluginSlot)> = Vec::new();
        for slot in &built.slots {
            match self.instances.provider(slot) {
                Provider::Host => {}
                Provider::Bridge(request) => self.add_error(self.instances.check(&request)),
                Provider::Model(plugin) => plugins.push((plugin, slot.clone())),
                Provider::Unsupported(row) => unsupported.no_counterpart(slot, row),
            }
        }
        for request in &self.config.plugins {
            match requested_slots(request, &built.attachments) {
                Ok(slots) => plugins.extend(slots.into_iter().map(|slot| (request.plugin.clone(), slot))),
                Err(error) => self.findings.push(Finding::error(error)),
            }
        }
        for (plugin, slot) in &plugins {
            match self.instances.make_model(models, plugin, slot, 0) {
                Ok(()) => {}
                Err(AddError::NoSuchPlugin(text)) => unsupported.not_found(slot, text),
                Err(error @ AddError::Create { .. }) => self.findings.push(Finding::judged(error)),
            }
        }
        let refusals = models.try_awake();
        let refusals = refusals.iter().map(|(label, reason)| plugin_is_not_started(label, reason));
        self.findings.extend(refusals.map(Finding::judged));
        let vehicles = plugins.iter().filter_map(|(_, slot)| slot.attachment.entity);
        vehicles.for_each(|model| built.world.make_vehicle(model));
        self.findings.extend(unsupported.iter().map(Finding::judged));
        self.check_targets(built);
    }

    /// Checks that the vehicles of the bridge requests exist.
    fn check_targets(&mut self, built: &Built) {
        for request in self.config.bridges.iter().filter(|request| request.attach != WORLD) {
            self.add_error(targets(request, &candidates(request, built.world.models().values())));
        }
    }
}
