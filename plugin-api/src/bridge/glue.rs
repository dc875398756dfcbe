//! Puts a [`Bridge`] behind the C functions of `bridgehead_abi::bridge`.

use std::ffi::c_void;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Host, Status, Str, status};

use super::{Ack, Bridge, Channel, Notice, Registrar, Rx, ServiceSink, Sink, Tx};
use crate::boundary::{self, IntoStatus};
use crate::error::{Error, Result};
use crate::host::HostHandle;
use crate::lease::Lease;
use crate::model::ResetScope;
use crate::serving;

/// The factory of `B`, for the export macro.
#[must_use]
pub const fn factory<B: Bridge>() -> raw::BridgeFactory {
    raw::BridgeFactory {
        struct_size: raw::BridgeFactory::SIZE,
        flags: if B::IS_LOSSLESS { raw::BRIDGE_LOSSLESS } else { 0 },
        register: register::<B>,
        validate: validate::<B>,
        create: create::<B>,
    }
}

/// One instance.
struct Cell<B> {
    host: HostHandle,
    bridge: B,
    is_poisoned: AtomicBool,
}

/// What a creator made, with the host it belongs to.
pub(crate) struct Endpoint<T> {
    host: HostHandle,
    /// Of the sink that it was given.
    lease: Option<Lease>,
    pub(crate) value: T,
}

unsafe extern "C" fn register<B: Bridge>(registrar: *const raw::Registrar) -> Status {
    boundary::run_unhosted("register", || {
        // SAFETY: the registrar is valid for the call.
        let mut registrar = Registrar { raw: unsafe { &*registrar }, bridge: std::marker::PhantomData };
        B::register(&mut registrar)
    })
}

unsafe extern "C" fn validate<B: Bridge>(host: *const Host, connection: Str) -> Status {
    // SAFETY: the host object is valid for the call, after which the handle is closed.
    let host = unsafe { HostHandle::open(host) };
    // SAFETY: the text is borrowed for the call.
    let status = boundary::run(host, "validate", || B::validate(&parsed::<B>(unsafe { text(connection)? })?));
    host.close();
    status
}

/// # Safety
/// The text must be valid for `'a`.
unsafe fn text<'a>(raw: Str) -> Result<&'a str> {
    // SAFETY: the caller vouches for the text.
    unsafe { raw.as_str() }.ok_or_else(|| Error::invalid("the connection string is not UTF-8"))
}

fn parsed<B: Bridge>(text: &str) -> Result<B::Connection> {
    B::Connection::from_str(text).map_err(Into::into)
}

unsafe extern "C" fn create<B: Bridge>(host: *const Host, out: *mut raw::BridgeInstance) -> Status {
    // SAFETY: the host object outlives the instance, and `destroy` closes the handle.
    let host = unsafe { HostHandle::open(host) };
    let status = boundary::run(host, "create", || {
        let cell = Box::new(Cell { host, bridge: B::create(host)?, is_poisoned: AtomicBool::new(false) });
        let instance = raw::BridgeInstance {
            struct_size: raw::BridgeInstance::SIZE,
            reserved: 0,
            ctx: Box::into_raw(cell).cast::<c_void>(),
            connect: connect::<B>,
            disconnect: disconnect::<B>,
            status: bridge_status::<B>,
            tx_run: if B::LOOPS.transmit { Some(tx_run::<B>) } else { None },
            rx_run: if B::LOOPS.receive { Some(rx_run::<B>) } else { None },
            interrupt: Some(interrupt::<B>),
            notice: Some(notice::<B>),
            get_extension,
            destroy: destroy::<B>,
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(instance) };
        Ok(())
    });
    if status < 0 {
        // There is no instance, and no `destroy`.
        host.close();
    }
    status
}

/// Runs `code` on the bridge behind `ctx`; refuses after a panic.
///
/// # Safety
/// `ctx` must come from `create::<B>`, before `destroy`.
unsafe fn with<B: Bridge, T: IntoStatus>(
    ctx: *mut c_void,
    call: &str,
    code: impl FnOnce(&B) -> Result<T>,
) -> Status {
    // SAFETY: the caller vouches for `ctx`; the cell is shared, its bridge is `Sync`.
    let cell = unsafe { &*ctx.cast::<Cell<B>>() };
    if cell.is_poisoned.load(Ordering::Relaxed) {
        return status::PANIC;
    }
    let result = boundary::run(cell.host, call, || code(&cell.bridge));
    if result == status::PANIC {
        cell.is_poisoned.store(true, Ordering::Relaxed);
    }
    result
}

unsafe extern "C" fn connect<B: Bridge>(ctx: *mut c_void, connection: Str) -> Status {
    // SAFETY: `ctx` comes from `create::<B>`; the text is borrowed for the call.
    unsafe { with::<B, _>(ctx, "connect", |bridge| bridge.connect(parsed::<B>(text(connection)?)?)) }
}

unsafe extern "C" fn disconnect<B: Bridge>(ctx: *mut c_void) -> Status {
    // SAFETY: as above.
    unsafe { with::<B, _>(ctx, "disconnect", B::disconnect) }
}

unsafe extern "C" fn bridge_status<B: Bridge>(ctx: *mut c_void) -> u32 {
    let mut answer = raw::STATUS_UNEXPECTEDLY_DISCONNECTED;
    // SAFETY: as above.
    unsafe {
        with::<B, _>(ctx, "status", |bridge| {
            answer = bridge.status() as u32;
            serving::check();
            Ok(())
        })
    };
    answer
}

unsafe extern "C" fn tx_run<B: Bridge>(ctx: *mut c_void, tx: *const raw::TxContext) -> Status {
    // SAFETY: as above; the context is valid for the loop.
    unsafe {
        let host = (*ctx.cast::<Cell<B>>()).host;
        with::<B, _>(ctx, "transmit", |bridge| bridge.transmit(&mut Tx::from_raw(&*tx, host)))
    }
}

unsafe extern "C" fn rx_run<B: Bridge>(ctx: *mut c_void, rx: *const raw::RxContext) -> Status {
    // SAFETY: as above; the context is valid for the loop.
    unsafe {
        let host = (*ctx.cast::<Cell<B>>()).host;
        with::<B, _>(ctx, "receive", |bridge| bridge.receive(&Rx::from_raw(&*rx, host)))
    }
}

unsafe extern "C" fn interrupt<B: Bridge>(ctx: *mut c_void) {
    // SAFETY: as above.
    unsafe {
        with::<B, _>(ctx, "interrupt", |bridge| {
            bridge.interrupt();
            Ok(())
        })
    };
}

unsafe extern "C" fn notice<B: Bridge>(ctx: *mut c_void, notice: *const raw::Notice) -> Status {
    // SAFETY: the notice is valid for the call.
    let Some(notice) = read_notice(unsafe { &*notice }) else {
        return status::OK;
    };
    // SAFETY: `ctx` comes from `create::<B>`.
    unsafe {
        with::<B, _>(ctx, "notice", |bridge| {
            Ok(match bridge.notice(&notice)? {
                Ack::Done => status::OK,
                Ack::Later => status::PENDING,
            })
        })
    }
}

/// A notice of a kind this SDK knows.
fn read_notice(notice: &raw::Notice) -> Option<Notice> {
    Some(match notice.kind {
        raw::NOTICE_STARTED => Notice::Started,
        raw::NOTICE_PAUSED => Notice::Paused,
        raw::NOTICE_RESUMED => Notice::Resumed,
        raw::NOTICE_STOPPED => Notice::Stopped,
        raw::NOTICE_RESET => Notice::Reset {
            scope: ResetScope::from_bits(notice.scope),
            epoch: notice.reset_epoch,
            ticket: notice.ticket,
        },
        _ => return None,
    })
}

unsafe extern "C" fn get_extension(_: *mut c_void, _: Str) -> *const c_void {
    std::ptr::null()
}

unsafe extern "C" fn destroy<B: Bridge>(ctx: *mut c_void) {
    // SAFETY: `ctx` comes from `create::<B>`, and this is the last call on it.
    let cell = unsafe { Box::from_raw(ctx.cast::<Cell<B>>()) };
    boundary::run_last(cell.host, "destroy", move || drop(cell));
}

/// Creator of outgoing topics.
pub(super) fn publisher_creator<B: Bridge>() -> raw::PublisherCreator {
    raw::PublisherCreator { user: std::ptr::null_mut(), create: make_publisher::<B> }
}

/// Creator of incoming topics.
pub(super) fn subscriber_creator<B: Bridge>() -> raw::SubscriberCreator {
    raw::SubscriberCreator { user: std::ptr::null_mut(), create: make_subscriber::<B> }
}

/// Creator of services.
pub(super) fn service_creator<B: Bridge>() -> raw::ServiceCreator {
    raw::ServiceCreator { user: std::ptr::null_mut(), create: make_service::<B> }
}

/// Boxes what a creator made.
///
/// # Safety
/// `ctx` must come from `create::<B>`; `out` must be writable.
unsafe fn make<B: Bridge, T: Send + Sync + 'static>(
    ctx: *mut c_void,
    call: &str,
    out: *mut raw::Endpoint,
    lease: Option<Lease>,
    code: impl FnOnce(&B) -> Result<T>,
) -> Status {
    // SAFETY: the caller vouches for both pointers.
    let status = unsafe {
        let host = (*ctx.cast::<Cell<B>>()).host;
        with::<B, _>(ctx, call, |bridge| {
            let endpoint = Box::new(Endpoint { host, lease, value: code(bridge)? });
            out.write(raw::Endpoint {
                ctx: Box::into_raw(endpoint).cast::<c_void>(),
                destroy: destroy_endpoint::<T>,
            });
            Ok(())
        })
    };
    if let Some(lease) = lease.filter(|_| status < 0) {
        // There is no endpoint, and no `destroy`.
        lease.close();
    }
    status
}

unsafe extern "C" fn make_publisher<B: Bridge>(
    _: *mut c_void,
    instance: *mut c_void,
    channel: *const raw::Channel,
    out: *mut raw::Endpoint,
) -> Status {
    // SAFETY: as the ABI promises for creators.
    unsafe {
        make::<B, _>(instance, "publisher", out, None, |bridge| {
            bridge.publisher(&Channel::from_raw(&*channel))
        })
    }
}

unsafe extern "C" fn make_subscriber<B: Bridge>(
    _: *mut c_void,
    instance: *mut c_void,
    channel: *const raw::Channel,
    sink: *const raw::Sink,
    out: *mut raw::Endpoint,
) -> Status {
    let lease = Lease::open();
    // SAFETY: as the ABI promises for creators; the sink lives as long as the endpoint, which closes the lease.
    unsafe {
        make::<B, _>(instance, "subscriber", out, Some(lease), |bridge| {
            bridge.subscriber(&Channel::from_raw(&*channel), Sink::from_raw(sink, lease))
        })
    }
}

unsafe extern "C" fn make_service<B: Bridge>(
    _: *mut c_void,
    instance: *mut c_void,
    channel: *const raw::Channel,
    sink: *const raw::ServiceSink,
    out: *mut raw::Endpoint,
) -> Status {
    let lease = Lease::open();
    // SAFETY: as the ABI promises for creators; the sink lives as long as the endpoint, which closes the lease.
    unsafe {
        make::<B, _>(instance, "service", out, Some(lease), |bridge| {
            bridge.service(&Channel::from_raw(&*channel), ServiceSink::from_raw(sink, lease))
        })
    }
}

unsafe extern "C" fn destroy_endpoint<T>(ctx: *mut c_void) {
    // SAFETY: `ctx` is the endpoint that `make` boxed, destroyed once.
    let endpoint = unsafe { Box::from_raw(ctx.cast::<Endpoint<T>>()) };
    let lease = endpoint.lease;
    boundary::run(endpoint.host, "destroy endpoint", move || {
        drop(endpoint);
        Ok(())
    });
    if let Some(lease) = lease {
        lease.close();
    }
}
