//! A run: its parts, each of which owns its state. Simulation thread only.

use std::sync::Arc;
use std::time::Duration;

use bridgehead_lifecycle::{Lifecycle, Report, Settings};

use super::cycle::Cycle;
use super::error::SimError;
use super::files::RunFiles;
use super::libraries::Libraries;
use super::loaded::LoadedWorld;
use super::record::Record;
use super::requests::Requests;
use super::snapshot::Return;
use super::status::timer::StatusTimer;
use super::timeline::Timeline;
use super::traffic::Traffic;
use super::triggers::Triggers;
use super::worlds::Worlds;
use crate::api::shared::Shared;
use crate::config::RunConfig;
use crate::{clock, guard};

/// A run. [`Simulation::new`] checks and prepares it; [`Simulation::run`] carries it out.
pub struct Simulation {
    pub(super) config: Arc<RunConfig>,
    pub(super) shared: Arc<Shared>,
    pub(super) libraries: Libraries,
    pub(super) lifecycle: Lifecycle,
    pub(super) requests: Requests,
    /// Simulated time and its pace.
    pub timeline: Timeline,
    pub(super) cycle: Cycle,
    /// Bridges, topics and messages.
    pub traffic: Traffic,
    /// The triggers of the run.
    pub triggers: Triggers,
    /// Worlds to load, and how loads ended.
    pub worlds: Worlds,
    pub(super) loaded: Option<LoadedWorld>,
    pub(super) record: Record,
    pub(super) status: StatusTimer,
    /// The snapshot that a reset returns to, if a client has requested it.
    pub(super) returning: Option<Return>,
    /// Whether the run was resumed for steps that a client counts.
    pub(super) counts_steps: bool,
    /// Report of the last turn, which the next turn hands to the lifecycle.
    pub(super) report: Option<Report>,
}

impl Simulation {
    /// Finds plugins, checks every bridge request and opens output files.
    ///
    /// # Errors
    /// Returns an error if the configuration cannot be carried out.
    pub fn new(config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        guard::catch(|| Self::checked(config, shared)).unwrap_or_else(|panic| Err(SimError::Panicked(panic)))
    }

    fn checked(config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        let mut simulation = Self::assemble(config, shared)?;
        let instances = simulation.instances();
        let checked = simulation.config.bridges.iter().try_for_each(|request| instances.check(request));
        // First, because it may be the cause of the other error.
        let of_libraries = simulation.libraries.take_problems().map_err(SimError::Plugins)?;
        of_libraries.into_iter().for_each(|problem| simulation.record.keep_error(problem));
        checked?;
        Ok(simulation)
    }

    /// Finds plugins and opens output files.
    pub(super) fn assemble(mut config: RunConfig, shared: Arc<Shared>) -> Result<Self, SimError> {
        let (libraries, problems) = Libraries::load(&config, &shared)?;
        if config.safe_mode {
            libraries.leave_out_unknown(&mut config.bridges);
        }
        let files = RunFiles::open(&config)?;
        let now = clock::now();
        let settings = Settings {
            // A host that begins without a world waits for one.
            keep_alive: config.keep_alive || config.world.is_none(),
            pause_from_stopped: config.control.pause_from_stopped,
            ..Settings::default()
        };
        let width = config.step_width.unwrap_or(Duration::from_millis(1));
        Ok(Simulation {
            libraries,
            lifecycle: Lifecycle::new(settings),
            requests: Requests::default(),
            timeline: Timeline::new(config.speed, width, now),
            cycle: Cycle::new(now),
            traffic: Traffic::new(Arc::clone(&shared)),
            triggers: Triggers::default(),
            worlds: Worlds::new(&config),
            loaded: None,
            record: Record::new(files, problems),
            status: StatusTimer::new(now),
            returning: None,
            counts_steps: false,
            report: None,
            shared,
            config: Arc::new(config),
        })
    }
}
