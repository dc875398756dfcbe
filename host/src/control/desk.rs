//! Where calls come in, and the part of the control plane that the simulation thread runs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use arc_swap::ArcSwapOption;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::messages::{Schema, ServiceDeclaration};
use thiserror::Error;

use super::event::{Event, Listener};
use super::features::Features;
use super::pending::Pending;
use super::session::Session;
use super::steps::Steps;
use super::table::{Entry, Server, entries};
use super::tap::{Tap, Taps};
use super::topics::Watches;
use super::view::View;
use crate::api::Shared;
use crate::bus::{Answer, BusError, RegisteredType, ServicePoint, TypeError};
use crate::config::ServiceNames;
use crate::lifecycle::State;
use crate::sim::{Controller, Simulation};
use crate::thread;

/// Why the control plane was not set up.
#[derive(Debug, Error)]
pub enum OfferError {
    /// A message type that is refused.
    #[error(transparent)]
    Type(#[from] TypeError),
    /// A configured name that is no service name.
    #[error(transparent)]
    Name(#[from] BusError),
    /// Two services of one name.
    #[error("[BH-CTL-001] the service name `{0}` is given twice; choose another in [services]")]
    Taken(String),
    /// No thread for readers.
    #[error("[BH-CTL-002] no thread for readers: {0}")]
    Thread(#[from] std::io::Error),
}

/// The control plane as other threads see it.
pub struct Desk {
    shared: Arc<Shared>,
    entries: Vec<Entry>,
    /// The services by the name under which they are offered, with their place among the entries.
    offered: RwLock<BTreeMap<String, Offered>>,
    incoming: Mutex<Incoming>,
    /// Whether anything has come in since the simulation looked.
    has_incoming: AtomicBool,
    view: ArcSwapOption<View>,
    /// Whether the view is older than the run.
    is_stale: AtomicBool,
    readers: Sender<(Arc<View>, Vec<Call>)>,
}

/// A service under the name that clients use.
#[derive(Clone)]
pub struct Offered {
    /// Its declaration.
    pub declared: &'static ServiceDeclaration,
    /// The service on the bus.
    pub point: Arc<ServicePoint>,
}

/// What waits for the simulation thread.
#[derive(Default)]
struct Incoming {
    commands: Vec<Call>,
    reads: Vec<Call>,
    listeners: Vec<Listener>,
    taps: Vec<(String, Box<dyn Tap>)>,
    /// Whether the run is over, so that nobody will look at anything any more.
    is_over: bool,
}

/// A call of a service.
struct Call {
    entry: usize,
    request: Payload,
    answer: Answer,
}

impl Desk {
    fn incoming(&self) -> MutexGuard<'_, Incoming> {
        self.incoming.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The services under the names that clients use.
    #[must_use]
    pub fn services(&self) -> BTreeMap<String, Offered> {
        self.offered.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The service that clients find under a name.
    #[must_use]
    pub fn service(&self, name: &str) -> Option<Offered> {
        self.offered.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// What everything of the run shares.
    #[must_use]
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Lets `listener` hear events from now on.
    pub fn listen(&self, listener: Listener) {
        self.incoming().listeners.push(listener);
        self.knock();
    }

    /// Lets `tap` hear the topic of that full name from now on, in this world and in later ones.
    pub fn tap(&self, topic: &str, tap: Box<dyn Tap>) {
        self.incoming().taps.push((topic.to_owned(), tap));
        self.knock();
    }

    /// Takes a call. Called on any thread; does not block.
    fn take(&self, entry: usize, request: Payload, answer: Answer) {
        let call = Call { entry, request, answer };
        match self.entries.get(entry).map(|entry| &entry.server) {
            Some(Server::Select(needs_world, _)) if needs_world(&call.request) => {
                self.hand_in(call, |incoming| &mut incoming.commands);
            }
            Some(Server::Read(_) | Server::Select(..)) => match self.fresh_view() {
                Some(view) => self.read(&view, call),
                None => self.hand_in(call, |incoming| &mut incoming.reads),
            },
            Some(Server::Run(_)) => self.hand_in(call, |incoming| &mut incoming.commands),
            None => (call.answer)(status::NOT_FOUND, None),
        }
    }

    fn hand_in(&self, call: Call, to: impl FnOnce(&mut Incoming) -> &mut Vec<Call>) {
        let mut incoming = self.incoming();
        if incoming.is_over {
            drop(incoming);
            return (call.answer)(status::INTERRUPTED, None);
        }
        to(&mut incoming).push(call);
        drop(incoming);
        self.knock();
    }

    /// Ends every call that waits, and all that come later.
    fn close(&self) {
        let mut incoming = self.incoming();
        incoming.is_over = true;
        let calls: Vec<Call> = std::mem::take(&mut incoming.commands)
            .into_iter()
            .chain(std::mem::take(&mut incoming.reads))
            .collect();
        drop(incoming);
        calls.into_iter().for_each(|call| (call.answer)(status::INTERRUPTED, None));
    }

    /// Tells the simulation that something has come in.
    fn knock(&self) {
        self.has_incoming.store(true, Ordering::Release);
        self.shared.asks.wake();
    }

    /// The view, where the run has not gone on since.
    fn fresh_view(&self) -> Option<Arc<View>> {
        if self.is_stale.load(Ordering::Acquire) {
            return None;
        }
        self.view.load_full()
    }

    fn read(&self, view: &View, call: Call) {
        match self.entries.get(call.entry).map(|entry| &entry.server) {
            Some(Server::Read(serve)) => serve(view, &call.request, call.answer),
            Some(Server::Select(_, serve)) => serve(view, None, &call.request, call.answer),
            Some(Server::Run(_)) | None => (call.answer)(status::NOT_FOUND, None),
        }
    }
}

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
        let desk = Arc::new(Desk {
            shared: Arc::clone(shared),
            entries: entries(),
            offered: RwLock::default(),
            incoming: Mutex::default(),
            has_incoming: AtomicBool::new(false),
            view: ArcSwapOption::empty(),
            is_stale: AtomicBool::new(true),
            readers,
        });
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
        let name = names.of("simulate_steps").unwrap_or_default();
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
        for call in commands {
            let Some(entry) = desk.entries.get(call.entry) else { continue };
            let serve = match &entry.server {
                Server::Run(serve) => serve,
                Server::Select(_, serve) => {
                    let view = View::of(simulation, &self.features, None);
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
            desk.is_stale.store(true, Ordering::Release);
        }
        reads
    }

    /// Makes a view and hands it to those who wait for one.
    fn show(&mut self, simulation: &mut Simulation, reads: Vec<Call>) {
        if reads.is_empty() {
            return;
        }
        let last = self.desk.view.load_full();
        let view = Arc::new(View::of(simulation, &self.features, last.as_deref()));
        self.desk.view.store(Some(Arc::clone(&view)));
        let now = simulation.now();
        self.seen = Some((now.step, now.reset_epoch));
        // Whoever reads once will do so again: from now on accelerations are known.
        simulation.watch_accelerations(true);
        self.desk.is_stale.store(false, Ordering::Release);
        drop(self.desk.readers.send((view, reads)));
    }

    fn answer_pending(&mut self, simulation: &mut Simulation) {
        if self.pending.is_empty() {
            return;
        }
        let mut pending = std::mem::take(&mut self.pending);
        pending.retain_mut(|pending| pending.waits_on(simulation));
        self.pending.append(&mut pending);
        self.desk.is_stale.store(true, Ordering::Release);
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

    fn attend(&mut self, simulation: &mut Simulation) {
        self.tell_state(simulation);
        let reads = self.take_in(simulation);
        self.answer_pending(simulation);
        for event in self.steps.follow(simulation) {
            self.tell(&event);
        }
        self.watches.follow(simulation);
        self.taps.follow(simulation);
        self.show(simulation, reads);
    }
}

/// Offers the services of the table on the bus.
fn offer_all(desk: &Arc<Desk>, names: &ServiceNames) -> Result<(), OfferError> {
    let mut offered = BTreeMap::new();
    for (index, entry) in desk.entries.iter().enumerate() {
        let declared = entry.declared;
        let Some(name) = names.of(declared.name) else { continue };
        let name = &format!("{name}{}", entry.part);
        let [request, response] = &entry.types;
        let types = [register(desk, request)?, register(desk, response)?];
        let weak = Arc::downgrade(desk);
        let handler = move |request: Payload, answer: Answer| match weak.upgrade() {
            Some(desk) => desk.take(index, request, answer),
            None => answer(status::INTERRUPTED, None),
        };
        let point = desk.shared.services.offer(name, types, Box::new(handler))?;
        let point = point.ok_or_else(|| OfferError::Taken(name.clone()))?;
        offered.insert(name.clone(), Offered { declared, point });
    }
    *desk.offered.write().unwrap_or_else(PoisonError::into_inner) = offered;
    Ok(())
}

fn register(desk: &Desk, schema: &Schema) -> Result<Arc<RegisteredType>, TypeError> {
    desk.shared.types.register(schema.full_name(), schema.descriptor_set(), "bridgehead")
}
