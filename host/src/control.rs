//! The control plane: everything that clients may request of a running host, in one table.
//!
//! The services are declared in `plugin-api/build/proto`; [`table`] joins each declaration with the function that
//! serves it. The web server, bridges and the command line find them as services of the bus, so that all of them behave
//! alike. A call is served in one of two ways:
//!
//! - A reader gets a [`View`], the snapshot of the last complete step. It is made once for all readers of a step, and
//!   only if there are readers; they run on a thread of their own, so the step does not wait for them.
//! - Everything else runs on the simulation thread between two steps, and may answer later: when the steps are done,
//!   when the world is loaded.
//!
//! Answers may come late and in any order; each call has its own. [`ControlHandle`] takes calls on any thread, and
//! [`Control`] serves them on the simulation thread.

mod bridges;
mod call;
mod entities;
mod features;
mod filter;
mod gazebo;
mod goals;
mod handle;
mod kept;
mod late_call;
mod lifecycle;
mod links;
mod listeners;
mod message;
mod observers;
mod offer;
mod ongoing;
mod posix_regex;
mod progress;
mod scene;
mod session;
mod snapshots;
mod spawn;
mod spawn_request;
mod spawning;
mod state;
mod states;
mod statistics;
mod steps;
mod table;
mod topics;
mod triggers;
mod view;
mod watches;
mod worlds;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;

use bridgehead_lifecycle::{SimulationState, State};

pub use call::Reply;
pub use gazebo::{GAZEBO_SERVICES, GazeboService};
pub use handle::{ControlHandle, Offered};
pub use listeners::{Event, Listener};
pub use observers::TopicObserver;
pub use offer::OfferError;
pub use table::{Entry, entries};
pub use view::{EntityFacts, EntityView, Named, View};

use crate::api::Shared;
use crate::config::ServiceNames;
use crate::sim::{Controller, Simulation};
use crate::thread;
use features::Features;
use gazebo::WorldServices;
use goals::Goals;
use handle::Call;
use listeners::Listeners;
use offer::offer_all;
use progress::Progress;
use session::Session;
use table::{Server, WhileLoading};

/// The control plane on the simulation thread.
pub struct Control {
    handle: Arc<ControlHandle>,
    features: Arc<Features>,
    progress: Progress,
    listeners: Listeners,
    world_services: WorldServices,
    /// The state that listeners were sent last, with its epoch.
    sent_state: Option<(State, u32)>,
    /// The step of the view, with its epoch.
    viewed: Option<(u64, u32)>,
}

impl Control {
    /// Offers every service of the table, under the names that were configured.
    ///
    /// # Errors
    /// Returns an error if a name is malformed or taken.
    pub fn new(shared: &Arc<Shared>, names: &ServiceNames) -> Result<Self, OfferError> {
        let (readers, batches) = channel::<(Arc<View>, Vec<Call>)>();
        let handle = Arc::new(ControlHandle::new(shared, readers));
        offer_all(&handle, names)?;
        let reading = Arc::downgrade(&handle);
        let body = move || {
            for (view, calls) in batches {
                let Some(handle) = reading.upgrade() else { return };
                calls.into_iter().for_each(|call| handle.read(&view, call));
            }
        };
        // The thread ends with the handle, which owns the sender.
        drop(thread::spawn("control:read", body)?);
        let offered = handle.services();
        let present: BTreeSet<&str> = offered.values().map(|offered| offered.declared.name).collect();
        let features = Arc::new(Features::of(&present));
        let name = names.of("simulate_steps").unwrap_or_default().trim_start_matches('/');
        Ok(Control {
            handle,
            features,
            progress: Progress { goals: Goals::named(name), ..Progress::default() },
            listeners: Listeners::default(),
            world_services: WorldServices::default(),
            sent_state: None,
            viewed: None,
        })
    }

    /// The control plane for other threads.
    #[must_use]
    pub fn handle(&self) -> Arc<ControlHandle> {
        Arc::clone(&self.handle)
    }

    /// Serves the calls that came in. Returns those of readers, which need a view.
    fn dispatch(&mut self, simulation: &mut Simulation) -> Vec<Call> {
        self.handle.has_incoming.store(false, Ordering::Release);
        let mut incoming = self.handle.incoming();
        let commands = std::mem::take(&mut incoming.commands);
        let reads = std::mem::take(&mut incoming.reads);
        self.listeners.append(&mut incoming.listeners);
        self.progress.observers.add(std::mem::take(&mut incoming.observers));
        drop(incoming);
        let handle = Arc::clone(&self.handle);
        if !commands.is_empty() {
            // Before any answer: a client that reads after it must not get an older view.
            handle.is_stale.store(true, Ordering::Release);
        }
        let is_loading = simulation.machine().simulation_state() == SimulationState::LoadingWorld;
        for call in commands {
            let Some(entry) = handle.entries.get(call.entry) else { continue };
            if let (true, WhileLoading::Refused(refuse)) = (is_loading, &entry.while_loading) {
                refuse(call.answer);
                continue;
            }
            let serve = match &entry.server {
                Server::Run(serve) => serve,
                Server::Select(_, serve) => {
                    let view = View::of(simulation, &self.features, handle.view.load_full());
                    let world = simulation.world();
                    serve(&view, world.as_deref(), &call.request, call.answer);
                    continue;
                }
                Server::Read(_) => continue,
            };
            serve(&mut self.session(simulation, entry.declared.name), &call.request, call.answer);
        }
        reads
    }

    /// Returns the context of a call of the service `caller`.
    fn session<'a>(&'a mut self, simulation: &'a mut Simulation, caller: &'static str) -> Session<'a> {
        Session { simulation, progress: &mut self.progress, caller }
    }

    /// Makes a view, for the readers that wait for one.
    fn make_view(&mut self, simulation: &mut Simulation, reads: Vec<Call>) {
        if reads.is_empty() {
            return;
        }
        let last = self.handle.view.swap(None);
        let view = Arc::new(View::of(simulation, &self.features, last));
        self.handle.view.store(Some(Arc::clone(&view)));
        let now = simulation.now();
        self.viewed = Some((now.step, now.reset_epoch));
        // A client that reads once will do so again: accelerations are computed from now on.
        if let Some(mut world) = simulation.world_mut() {
            world.watch_accelerations(true);
        }
        self.handle.is_stale.store(false, Ordering::Release);
        drop(self.handle.readers.send((view, reads)));
    }

    fn send_state(&mut self, simulation: &Simulation) {
        let (machine, now) = (simulation.machine(), simulation.now());
        let state = shown_state(machine.state());
        if self.sent_state == Some((state, now.reset_epoch)) {
            return;
        }
        self.sent_state = Some((state, now.reset_epoch));
        self.handle.is_stale.store(true, Ordering::Release);
        let event = Event::State {
            state: machine.state(),
            simulation_state: machine.simulation_state(),
            step: now.step,
            time_ns: now.time_ns,
            reset_epoch: now.reset_epoch,
        };
        self.listeners.send(&event);
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.handle.is_stale.store(true, Ordering::Release);
        self.handle.close();
    }
}

/// Listeners see the phases of a step as one state.
fn shown_state(state: State) -> State {
    if state.is_step() { State::StepBegin } else { state }
}

impl Controller for Control {
    fn is_wanted(&self, simulation: &Simulation) -> bool {
        let now = simulation.now();
        if self.viewed != Some((now.step, now.reset_epoch)) {
            self.handle.is_stale.store(true, Ordering::Release);
        }
        self.handle.has_incoming.load(Ordering::Acquire)
            || !self.progress.is_idle()
            || self.world_services.are_outdated(simulation)
            || self.sent_state != Some((shown_state(simulation.machine().state()), now.reset_epoch))
    }

    fn serve(&mut self, simulation: &mut Simulation) {
        self.send_state(simulation);
        if self.progress.kept.is_over(simulation) {
            self.progress.kept.end(simulation);
        }
        self.world_services.follow(&self.handle, simulation);
        let reads = self.dispatch(simulation);
        if self.progress.may_change_view() {
            // Before any answer, as in `dispatch`.
            self.handle.is_stale.store(true, Ordering::Release);
        }
        self.progress.go_on(simulation, &mut self.listeners);
        self.make_view(simulation, reads);
    }
}
