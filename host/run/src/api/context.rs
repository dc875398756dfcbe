//! The context behind one host object.

pub(super) mod budget;
pub(crate) mod params;
pub(super) mod report;
pub(super) mod threads;
use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridgehead_abi::Host;
use bridgehead_plugin_api::rules::Caller;

use super::handle::{Handle, Life};
use super::shared::Shared;
use crate::bus::{Outbox, Publisher, ServicePoint, Subscription};
use crate::description::Opened;
use crate::world::{Attachment, RAYS, VISUALS};
use budget::Budgets;
use params::ParamsView;
use report::OwnReport;
use threads::InstanceThreads;

/// Whose host object it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A library, for registration.
    Library,
    /// A bridge instance; its number is the source of its messages.
    Bridge(u32),
    /// A model plugin instance.
    Model,
}

/// One instance as its host object knows it. The ABI part comes first, so that both have one address.
#[repr(C)]
pub struct Context {
    host: Host,
    /// Whose it is.
    pub owner: Owner,
    /// Name in logs and reports: `car1/front_lidar`, `car1/logging`.
    pub label: String,
    /// Services of the run.
    pub shared: Arc<Shared>,
    /// Its parameters.
    pub params: ParamsView,
    /// What it is attached to.
    pub attachment: Attachment,
    /// True if its rays hit what is drawn, and not what makes contact.
    pub(super) sees_visuals: bool,
    /// What it publishes.
    pub outbox: Arc<Outbox>,
    /// The topics that it opened, for the description of the world.
    pub opened: Arc<Opened>,
    /// What it says of itself.
    pub report: OwnReport,
    pub(super) budgets: Budgets,
    /// Its threads.
    pub threads: InstanceThreads,
    pub(super) life: Arc<Life>,
    explanation: Mutex<Option<String>>,
    reported: Mutex<Option<String>>,
    handles: Mutex<Handles>,
}

// SAFETY: the ABI part is immutable, its `ctx` unused; everything else is `Send` and `Sync` by itself.
unsafe impl Send for Context {}
// SAFETY: as above.
unsafe impl Sync for Context {}

/// What the plugin holds pointers to; kept until the context goes.
#[derive(Default)]
#[expect(clippy::vec_box, reason = "plugins hold the addresses of handles, so that they must not move")]
struct Handles {
    publishers: Vec<Box<Handle<Publisher>>>,
    subscriptions: Vec<Box<Handle<Subscription>>>,
    services: Vec<Box<Handle<ServicePoint>>>,
}

impl Context {
    /// Creates the context of one instance with the ABI part of its host object.
    pub(super) fn with_host(
        host: Host,
        owner: Owner,
        label: String,
        shared: Arc<Shared>,
        params: ParamsView,
        attachment: Attachment,
    ) -> Arc<Self> {
        Arc::new(Context {
            host,
            owner,
            outbox: Arc::new(Outbox::new(&label, Arc::clone(&shared.has_published))),
            life: Life::new(&label),
            label,
            shared,
            sees_visuals: params.read(RAYS) == Some(VISUALS),
            params,
            attachment,
            opened: Arc::default(),
            report: OwnReport::default(),
            budgets: Budgets::default(),
            threads: InstanceThreads::default(),
            explanation: Mutex::default(),
            reported: Mutex::default(),
            handles: Mutex::default(),
        })
    }

    /// The pointer for the plugin.
    #[must_use]
    pub fn host(self: &Arc<Self>) -> *const Host {
        &raw const self.host
    }

    /// The context behind a host pointer.
    ///
    /// # Safety
    /// `host` must come from [`Context::host`] of a context that is alive.
    pub(super) unsafe fn of<'a>(host: *const Host) -> &'a Context {
        // SAFETY: the host part is the first field of a `repr(C)` struct; the caller vouches for the rest.
        unsafe { &*host.cast::<Context>() }
    }

    /// The context behind a host pointer, for callers outside of this module.
    ///
    /// # Safety
    /// As for the pointers plugins pass back: it must come from [`Context::host`] of a living context.
    pub unsafe fn from_host<'a>(host: *const Host) -> &'a Context {
        // SAFETY: the caller vouches for it.
        unsafe { Context::of(host) }
    }

    /// The kind of caller that it is.
    pub(crate) fn caller(&self) -> Caller {
        match self.owner {
            Owner::Library => Caller::Library,
            Owner::Bridge(_) => Caller::Bridge,
            Owner::Model => Caller::Model,
        }
    }

    /// The last text the plugin explained itself with, for somebody else to take.
    pub fn explanation(&self) -> Option<String> {
        self.explanation.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The last text the plugin explained itself with.
    pub fn take_explanation(&self) -> Option<String> {
        self.explanation.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Logs and notes why a host function is about to refuse: the plugin's own words may replace the note.
    pub(super) fn refuse(&self, text: String) {
        log::warn!(target: &self.label, "{text}");
        self.explain(text);
    }

    /// Notes a failure that no call returned.
    pub(super) fn note_error(&self, text: String) {
        *self.reported.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// The last failure that the plugin reported outside of its calls.
    #[must_use]
    pub fn reported_error(&self) -> Option<String> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes why a host function is about to refuse.
    pub(super) fn explain(&self, text: String) {
        *self.explanation.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    fn handles(&self) -> MutexGuard<'_, Handles> {
        self.handles.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a publisher and gives the pointer for the plugin.
    pub(super) fn keep_publisher(&self, publisher: Arc<Publisher>) -> *mut c_void {
        let handle = Handle::new(&self.life, publisher);
        let pointer = handle.as_raw();
        self.handles().publishers.push(handle);
        pointer
    }

    /// Keeps a subscription and gives the pointer for the plugin.
    pub(super) fn keep_subscription(&self, subscription: Arc<Subscription>) -> *mut c_void {
        let handle = Handle::new(&self.life, subscription);
        let pointer = handle.as_raw();
        self.handles().subscriptions.push(handle);
        pointer
    }

    /// Keeps a service and gives the pointer for the plugin.
    pub(super) fn keep_service(&self, service: Arc<ServicePoint>) -> *mut c_void {
        let handle = Handle::new(&self.life, service);
        let pointer = handle.as_raw();
        self.handles().services.push(handle);
        pointer
    }

    /// The subscriptions made so far from number `from` on.
    #[must_use]
    pub fn subscriptions_from(&self, from: usize) -> Vec<Arc<Subscription>> {
        let handles = self.handles();
        let new = handles.subscriptions.iter().skip(from);
        new.map(|handle| Arc::clone(&handle.object)).collect()
    }

    /// Answers the open calls of its services: the instance will not.
    pub fn close_services(&self) {
        self.handles().services.iter().for_each(|handle| handle.object.close());
    }

    /// Ends the instance for its host functions, after it was destroyed: later calls are refused. The context is kept
    /// for them, without the memory for messages.
    pub fn retire(self: Arc<Self>) {
        self.life.end();
        let dropped = self.dropped_lines();
        if dropped > 0 {
            log::warn!(target: &self.label, "{dropped} log lines were dropped");
        }
        let handles = self.handles();
        for handle in &handles.publishers {
            handle.end();
            handle.object.pool.clear();
        }
        for handle in &handles.subscriptions {
            handle.end();
            handle.object.clear();
        }
        handles.services.iter().for_each(|handle| handle.end());
        drop(handles);
        self.outbox.drain_into(&mut Vec::new());
        let shared = Arc::clone(&self.shared);
        shared.retired.add(self);
    }
}
