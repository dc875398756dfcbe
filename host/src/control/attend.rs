//! The part of the control plane that the simulation thread runs, between two steps.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;

use bridgehead_lifecycle::State;

use super::desk::{Call, Desk};
use super::event::{Event, Listener};
use super::features::Features;
use super::offer::{OfferError, offer_all};
use super::pending::Pending;
use super::session::Session;
use super::steps::Steps;
use super::table::Server;
use super::tap::Taps;
use super::topics::Watches;
use super::view::View;
use crate::api::Shared;
use crate::config::ServiceNames;
use crate::sim::{Controller, Simulation};
use crate::thread;

/// The control plane on the simulation thread.
pub struct Control {
    desk: Arc<Desk>,
    features: Arc<Features>,
    pending: Vec<Pending>,
    steps: Steps,
    watches: Watches,
    taps: Taps,
    listeners: Vec<Listener>,
    /// The state that listeners last heard of, with its epoch.
    told: Option<(State, u32)>,
    /// The step of the view.
    seen: Option<(u64, u32)>,
}

impl Control {
    /// Offers every service of the table, under the names that were configured.
    ///
    /// # Errors
    /// Where a name is no name, or taken.
    pub fn new(shared: &Arc<Shared>, names: &ServiceNames) -> Result<Self, OfferError> {
        let (readers, batches) = channel::<(Arc<View>, Vec<Call>)>();
        let desk = Arc::new(Desk::new(shared, readers));
        offer_all(&desk, names)?;
        let reading = Arc::downgrade(&desk);
        let body = move || {
            for (view, calls) in batches {
                let Some(desk) = reading.upgrade() else { return };
                calls.into_iter().for_each(|call| desk.read(&view, call));
            }
        };
        // It ends with the desk, whose sender ends the channel.
        drop(thread::spawn("control:read", body)?);
        let offered = desk.services();
        let present: BTreeSet<&str> = offered.values().map(|offered| offered.declared.name).collect();
        let features = Arc::new(Features::of(&present));
        let name = names.of("simulate_steps").unwrap_or_default().trim_start_matches('/');
        Ok(Control {
            desk,
            features,
            pending: Vec::new(),
            steps: Steps::named(name),
            watches: Watches::default(),
            taps: Taps::default(),
            listeners: Vec::new(),
            told: None,
            seen: None,
        })
    }

    /// The part that other threads use.
    #[must_use]
    pub fn desk(&self) -> Arc<Desk> {
        Arc::clone(&self.desk)
    }

    fn take_in(&mut self, simulation: &mut Simulation) -> Vec<Call> {
        self.desk.has_incoming.store(false, Ordering::Release);
        let mut incoming = self.desk.incoming();
        let commands = std::mem::take(&mut incoming.commands);
        let reads = std::mem::take(&mut incoming.reads);
        self.listeners.append(&mut incoming.listeners);
        self.taps.add(std::mem::take(&mut incoming.taps));
        drop(incoming);
        let desk = Arc::clone(&self.desk);
        if !commands.is_empty() {
            // Before anybody is answered: whoever then reads must not see what was before.
            desk.is_stale.store(true, Ordering::Release);
        }
        for call in commands {
            let Some(entry) = desk.entries.get(call.entry) else { continue };
            let serve = match &entry.server {
                Server::Run(serve) => serve,
                Server::Select(_, serve) => {
                    let view = View::of(simulation, &self.features, desk.view.load_full());
                    let world = simulation.world();
                    serve(&view, world.as_deref(), &call.request, call.answer);
                    continue;
                }
                Server::Read(_) => continue,
            };
            let caller = entry.declared.name;
            let mut session = Session {
                simulation,
                pending: &mut self.pending,
                steps: &mut self.steps,
                watches: &mut self.watches,
                caller,
            };
            serve(&mut session, &call.request, call.answer);
        }
        reads
    }

    /// Makes a view and hands it to those who wait for one.
    fn show(&mut self, simulation: &mut Simulation, reads: Vec<Call>) {
        if reads.is_empty() {
            return;
        }
        let last = self.desk.view.swap(None);
        let view = Arc::new(View::of(simulation, &self.features, last));
        self.desk.view.store(Some(Arc::clone(&view)));
        let now = simulation.now();
        self.seen = Some((now.step, now.reset_epoch));
        // Whoever reads once will do so again: from now on accelerations are known.
        if let Some(mut world) = simulation.world_mut() {
            world.watch_accelerations(true);
        }
        self.desk.is_stale.store(false, Ordering::Release);
        drop(self.desk.readers.send((view, reads)));
    }

    fn answer_pending(&mut self, simulation: &mut Simulation) {
        if self.pending.is_empty() {
            return;
        }
        self.desk.is_stale.store(true, Ordering::Release);
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain_mut(|pending| pending.waits_on(simulation));
        self.pending.append(&mut pending);
    }

    fn tell_state(&mut self, simulation: &Simulation) {
        let (machine, now) = (simulation.machine(), simulation.now());
        let state = told_as(machine.state());
        if self.told == Some((state, now.reset_epoch)) {
            return;
        }
        self.told = Some((state, now.reset_epoch));
        self.desk.is_stale.store(true, Ordering::Release);
        let event = Event::State {
            state: machine.state(),
            simulation_state: machine.simulation_state(),
            step: now.step,
            time_ns: now.time_ns,
            reset_epoch: now.reset_epoch,
        };
        self.tell(&event);
    }

    fn tell(&mut self, event: &Event) {
        self.listeners.retain(|listener| listener(event));
    }
}

impl Drop for Control {
    fn drop(&mut self) {
        self.desk.is_stale.store(true, Ordering::Release);
        self.desk.close();
    }
}

/// The phases of a step are one state for listeners.
fn told_as(state: State) -> State {
    if state.is_step() { State::StepBegin } else { state }
}

impl Controller for Control {
    fn is_wanted(&self, simulation: &Simulation) -> bool {
        let now = simulation.now();
        if self.seen != Some((now.step, now.reset_epoch)) {
            self.desk.is_stale.store(true, Ordering::Release);
        }
        self.desk.has_incoming.load(Ordering::Acquire)
            || !self.pending.is_empty()
            || self.steps.is_busy()
            || !self.watches.is_empty()
            || !self.taps.is_empty()
            || self.told != Some((told_as(simulation.machine().state()), now.reset_epoch))
    }

    fn serve(&mut self, simulation: &mut Simulation) {
        self.tell_state(simulation);
        let reads = self.take_in(simulation);
        self.answer_pending(simulation);
        for event in self.steps.follow(simulation) {
            self.tell(&event);
        }
        self.steps.answer();
        self.watches.follow(simulation);
        self.taps.follow(simulation);
        self.show(simulation, reads);
    }
}
