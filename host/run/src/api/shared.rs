//! The services that every instance of a run shares.

pub(super) mod bell;
pub(crate) mod bridges;
pub(super) mod clock;
pub(crate) mod held_step;
pub(super) mod lockstep;
pub(super) mod requests;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use super::retired::Retired;
use crate::bus::{Bus, Inbox, Services, TypeRegistry};
use crate::description::Description;
use crate::log_feed::LogFeed;
use crate::scene::Scene;
use crate::watchdog::Watchdog;
use bridges::BridgeBoard;
use clock::SimClock;
use lockstep::LockstepGate;
use requests::{ReportedErrors, RequestInbox, StartReport};

/// The process-wide services behind every host object. Nothing here is global: a test makes its own.
#[derive(Default)]
pub struct Shared {
    /// Message types.
    pub types: TypeRegistry,
    /// Topics.
    pub bus: Bus,
    /// Services.
    pub services: Services,
    /// Bridges, as sensors see them.
    pub bridges: BridgeBoard,
    /// Messages from peers.
    pub inbox: Inbox,
    /// Whether any instance has published since the simulation last routed messages.
    pub has_published: Arc<AtomicBool>,
    /// The description of the world.
    pub description: Arc<Description>,
    /// What the world looks like.
    pub scene: Scene,
    /// The simulated clock.
    pub clock: Arc<SimClock>,
    /// The newest lines of the log.
    pub log: Arc<LogFeed>,
    /// Requests to the lifecycle.
    pub requests: RequestInbox,
    /// Holds of bridges that feed exact steps.
    pub lockstep: LockstepGate,
    /// Results of starts that ended in the background.
    pub started: Mutex<Vec<StartReport>>,
    /// Errors that instances reported outside of their calls.
    pub reported: ReportedErrors,
    /// The calls that the simulation thread makes.
    pub watchdog: Arc<Watchdog>,
    /// Contexts of destroyed instances.
    pub retired: Retired,
    /// Seed of the run.
    pub seed: u64,
}

impl Shared {
    /// Services of a run with that seed.
    #[must_use]
    pub fn new(seed: u64) -> Arc<Self> {
        Arc::new(Shared { seed, ..Shared::default() })
    }
}
