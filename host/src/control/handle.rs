//! The control plane on other threads: takes calls, answers the reading ones, and queues the others for the simulation.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use arc_swap::ArcSwapOption;
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::abi::status;
use bridgehead_plugin_api::messages::ServiceDeclaration;

use super::listeners::Listener;
use super::observers::TopicObserver;
use super::table::{Entry, Server, entries};
use super::view::View;
use crate::api::Shared;
use crate::bus::{Answer, ServicePoint};
use crate::thread::lock;

/// The control plane on other threads.
pub struct ControlHandle {
    pub(super) shared: Arc<Shared>,
    pub(super) entries: Vec<Entry>,
    /// The services, by the name that clients use.
    pub(super) offered: RwLock<BTreeMap<String, Offered>>,
    /// The services of the loaded world under names of Gazebo.
    pub(super) of_world: RwLock<BTreeMap<String, Offered>>,
    incoming: Mutex<Incoming>,
    /// Whether there is new work since the simulation last took it.
    pub(super) has_incoming: AtomicBool,
    pub(super) view: ArcSwapOption<View>,
    /// Whether the run has changed since the view was made.
    pub(super) is_stale: AtomicBool,
    pub(super) readers: Sender<(Arc<View>, Vec<Call>)>,
}

/// A service under the name that clients use.
#[derive(Clone)]
pub struct Offered {
    /// Its declaration.
    pub declared: &'static ServiceDeclaration,
    /// The service on the bus.
    pub point: Arc<ServicePoint>,
    /// True if a request can name files to read.
    pub reads_files: bool,
}

/// Work for the simulation thread.
#[derive(Default)]
pub(super) struct Incoming {
    pub(super) commands: Vec<Call>,
    pub(super) reads: Vec<Call>,
    pub(super) listeners: Vec<Listener>,
    pub(super) observers: Vec<(String, Box<dyn TopicObserver>)>,
    /// Whether the run is over: new calls end with INTERRUPTED.
    is_over: bool,
}

/// A call of a service.
pub(super) struct Call {
    pub(super) entry: usize,
    pub(super) request: Payload,
    pub(super) answer: Answer,
}

impl ControlHandle {
    /// Creates a handle without calls. Readers run on the thread that receives from `readers`.
    pub(super) fn new(shared: &Arc<Shared>, readers: Sender<(Arc<View>, Vec<Call>)>) -> Self {
        ControlHandle {
            shared: Arc::clone(shared),
            entries: entries(),
            offered: RwLock::default(),
            of_world: RwLock::default(),
            incoming: Mutex::default(),
            has_incoming: AtomicBool::new(false),
            view: ArcSwapOption::empty(),
            is_stale: AtomicBool::new(true),
            readers,
        }
    }

    pub(super) fn incoming(&self) -> MutexGuard<'_, Incoming> {
        lock(&self.incoming)
    }

    /// Returns the services under the names that clients use.
    #[must_use]
    pub fn services(&self) -> BTreeMap<String, Offered> {
        self.offered.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the service under a name that clients use.
    #[must_use]
    pub fn service(&self, name: &str) -> Option<Offered> {
        self.offered.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned()
    }

    /// Returns the services of the loaded world under names of Gazebo.
    #[must_use]
    pub fn world_services(&self) -> BTreeMap<String, Offered> {
        self.of_world.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the number of a service in the table, by its declared name.
    pub(super) fn entry_of(&self, name: &str) -> Option<usize> {
        self.entries.iter().position(|entry| entry.declared.name == name && entry.part().is_empty())
    }

    /// Returns the services that all parts of the run share.
    #[must_use]
    pub fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Sends events to `listener` from now on.
    pub fn listen(&self, listener: Listener) {
        self.incoming().listeners.push(listener);
        self.wake();
    }

    /// Sends the messages of the topic with that full name to `observer`, in this world and in later ones.
    pub fn observe(&self, topic: &str, observer: Box<dyn TopicObserver>) {
        self.incoming().observers.push((topic.to_owned(), observer));
        self.wake();
    }

    /// Takes a call. Called on any thread; does not block.
    pub(super) fn take(&self, entry: usize, request: Payload, answer: Answer) {
        let call = Call { entry, request, answer };
        match self.entries.get(entry).map(|entry| &entry.server) {
            Some(Server::Select(needs_world, _)) if needs_world(&call.request) => {
                self.enqueue(call, |incoming| &mut incoming.commands);
            }
            Some(Server::Read(_) | Server::Select(..)) => match self.fresh_view() {
                Some(view) => self.read(&view, call),
                None => self.enqueue(call, |incoming| &mut incoming.reads),
            },
            Some(Server::Run(_)) => self.enqueue(call, |incoming| &mut incoming.commands),
            None => (call.answer)(status::NOT_FOUND, None),
        }
    }

    fn enqueue(&self, call: Call, to: impl FnOnce(&mut Incoming) -> &mut Vec<Call>) {
        let mut incoming = self.incoming();
        if incoming.is_over {
            drop(incoming);
            return (call.answer)(status::INTERRUPTED, None);
        }
        to(&mut incoming).push(call);
        drop(incoming);
        self.wake();
    }

    /// Ends every waiting call, and all later ones.
    pub(super) fn close(&self) {
        let mut incoming = self.incoming();
        incoming.is_over = true;
        let calls: Vec<Call> = std::mem::take(&mut incoming.commands)
            .into_iter()
            .chain(std::mem::take(&mut incoming.reads))
            .collect();
        drop(incoming);
        calls.into_iter().for_each(|call| (call.answer)(status::INTERRUPTED, None));
    }

    /// Returns the number of calls that wait for the simulation.
    #[cfg(test)]
    pub(crate) fn waiting(&self) -> usize {
        let incoming = self.incoming();
        incoming.commands.len() + incoming.reads.len()
    }

    /// Wakes the simulation, so that it takes the new work.
    fn wake(&self) {
        self.has_incoming.store(true, Ordering::Release);
        self.shared.requests.wake();
    }

    /// Returns the view, unless the run has changed since it was made.
    fn fresh_view(&self) -> Option<Arc<View>> {
        if self.is_stale.load(Ordering::Acquire) {
            return None;
        }
        self.view.load_full()
    }

    pub(super) fn read(&self, view: &View, call: Call) {
        match self.entries.get(call.entry).map(|entry| &entry.server) {
            Some(Server::Read(serve)) => serve(view, &call.request, call.answer),
            Some(Server::Select(_, serve)) => serve(view, None, &call.request, call.answer),
            Some(Server::Run(_)) | None => (call.answer)(status::NOT_FOUND, None),
        }
    }
}
