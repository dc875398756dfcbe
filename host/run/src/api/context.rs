//! The context behind one host object.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridgehead_abi::{Host, Str, extension};
use bridgehead_plugin_api::hosting;
use bridgehead_plugin_api::rules::{self, Caller};

use super::budget::Budgets;
use super::caller::{Handle, Life, bytes, caller, text};
use super::report::OwnReport;
use super::threads::InstanceThreads;
use super::{ParamsView, Shared};
use crate::bus::{Outbox, Publisher, ServicePoint, Subscription};
use crate::call;
use crate::description::Opened;
use crate::guard::host_call;
use crate::text::shortened;
use crate::world::{Attachment, RAYS, VISUALS};

/// Longest explanation in characters; longer ones are truncated.
const MAX_EXPLANATION: usize = 4096;

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
    /// The context of one instance. It must stay where it is as long as the plugin may call, hence the `Arc`.
    #[must_use]
    pub fn new(
        owner: Owner,
        label: String,
        shared: Arc<Shared>,
        params: ParamsView,
        attachment: Attachment,
    ) -> Arc<Self> {
        Arc::new(Context {
            host: Host {
                struct_size: Host::SIZE,
                reserved: 0,
                ctx: std::ptr::null_mut(),
                get_extension,
                explain,
            },
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

unsafe extern "C" fn explain(host: *const Host, text: Str) {
    host_call("host.explain", (), || {
        let context = caller!(host, "host.explain", else return);
        // SAFETY: plugins pass a text valid for this call.
        let Ok(bytes) = (unsafe { bytes(&context.label, text, "host.explain") }) else { return };
        let text = String::from_utf8_lossy(bytes);
        context.explain(shortened(&text, MAX_EXPLANATION).into_owned());
    })
}

/// Offers an extension according to whose host object it is.
unsafe extern "C" fn get_extension(host: *const Host, id: Str) -> *const c_void {
    host_call("host.get_extension", std::ptr::null(), || {
        let context = caller!(host, "host.get_extension", std::ptr::null());
        // SAFETY: plugins pass a text valid for this call.
        let id = unsafe { text(&context.label, id, "host.get_extension") }.ok();
        let id = id.filter(|id| rules::is_offered(context.caller(), id));
        id.map_or(std::ptr::null(), table_of)
    })
}

/// The table of an extension; null for an unknown one.
fn table_of(id: &str) -> *const c_void {
    match id {
        extension::ENCODINGS => table(hosting::encodings_table::<Context>()),
        extension::THREADS => table(hosting::threads_table::<Context>()),
        extension::BUS => table(hosting::bus_table::<Context>(call::is_thorough())),
        extension::SERVICES => table(hosting::services_table::<Context>()),
        _ => hosting::table::<Context>(id).unwrap_or(std::ptr::null()),
    }
}

fn table<T>(table: &'static T) -> *const c_void {
    std::ptr::from_ref(table).cast()
}

/// A text of the host as the ABI passes it; valid as long as its owner.
pub(super) fn lend(text: &str) -> Str {
    Str::new(text)
}
