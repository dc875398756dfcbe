//! Puts a [`Bridge`] behind the C functions of `bridgehead_abi::bridge`.

use std::ffi::c_void;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Host, Status, Str, status};

use super::{Ack, Bridge, Channel, Notice, Registrar, Rx, ServiceSink, Sink, Tx};
use crate::boundary::{self, IntoStatus};
use crate::error::{Error, Result};
use crate::host::HostHandle;
use crate::hosting::{Breach, Checked};
use crate::lease::Lease;
use crate::model::ResetScope;
use crate::objects::{
    BridgeObject, BridgeRef, EndpointOwner, Maker, Object, RegistrarRef, RxRef, ServiceSinkRef, SinkRef,
    TxRef, bridge_has,
};
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
pub(super) struct Cell<B> {
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
        let raw =
            unsafe { RegistrarRef::of(registrar) }.ok_or_else(|| Error::invalid("there is no registrar"))?;
        B::register(&mut Registrar { raw, bridge: std::marker::PhantomData })
    })
}

unsafe extern "C" fn validate<B: Bridge>(host: *const Host, connection: Str) -> Status {
    // SAFETY: host object and text are valid for the call, after which the handle is closed.
    let (host, connection) = unsafe { (HostHandle::open(host), connection.as_bytes()) };
    let status = boundary::run(host, "validate", || B::validate(&parsed::<B>(connection)?));
    host.close();
    status
}

fn parsed<B: Bridge>(connection: &[u8]) -> Result<B::Connection> {
    let text =
        std::str::from_utf8(connection).map_err(|_| Error::invalid("the connection string is not UTF-8"))?;
    B::Connection::from_str(text).map_err(Into::into)
}

unsafe extern "C" fn create<B: Bridge>(host: *const Host, out: *mut raw::BridgeInstance) -> Status {
    // SAFETY: the host object outlives the instance, and `destroy` closes the handle.
    let host = unsafe { HostHandle::open(host) };
    let status = boundary::run(host, "create", || {
        let cell = Arc::new(Cell { host, bridge: B::create(host)?, is_poisoned: AtomicBool::new(false) });
        // SAFETY: `out` is writable.
        unsafe { out.write(BridgeRef::table_of(cell)) };
        Ok(())
    });
    if status < 0 {
        // There is no instance, and no `destroy`.
        host.close();
    }
    status
}

impl<B: Bridge> Cell<B> {
    /// Runs `code` on the bridge; refuses after a panic.
    fn with<T: IntoStatus>(&self, call: &str, code: impl FnOnce(&B) -> Result<T>) -> Status {
        if self.is_poisoned.load(Ordering::Relaxed) {
            return status::PANIC;
        }
        let result = boundary::run(self.host, call, || code(&self.bridge));
        if result == status::PANIC {
            self.is_poisoned.store(true, Ordering::Relaxed);
        }
        result
    }

    /// Makes an endpoint.
    fn make<T: Send + Sync + 'static>(
        &self,
        call: &str,
        lease: Option<Lease>,
        code: impl FnOnce(&B) -> Result<T>,
    ) -> std::result::Result<Endpoint<T>, Status> {
        let mut made = None;
        let status = self.with(call, |bridge| {
            made = Some(code(bridge)?);
            Ok(())
        });
        match made {
            Some(value) => Ok(Endpoint { host: self.host, lease, value }),
            None => {
                // There is no endpoint, and no `destroy`.
                lease.into_iter().for_each(Lease::close);
                Err(status)
            }
        }
    }
}

impl<B: Bridge> Checked for Cell<B> {
    // The host is trusted.
    const IS_GUARDED: bool = false;

    fn breach(&self, _: Breach, text: &str) {
        self.host.explain(&format!("the host {text}"));
    }
}

impl<B: Bridge> Object for Cell<B> {
    fn guarded<R>(&self, _: &'static str, _: R, body: impl FnOnce() -> R) -> R {
        // Each function runs the bridge in `with`.
        body()
    }
}

impl<B: Bridge> BridgeObject for Cell<B> {
    fn connect(&self, connection: &[u8]) -> Status {
        self.with("connect", |bridge| bridge.connect(parsed::<B>(connection)?))
    }

    fn disconnect(&self) -> Status {
        self.with("disconnect", B::disconnect)
    }

    fn status(&self) -> u32 {
        let mut answer = raw::STATUS_UNEXPECTEDLY_DISCONNECTED;
        self.with("status", |bridge| {
            answer = bridge.status() as u32;
            serving::check();
            Ok(())
        });
        answer
    }

    fn tx_run(&self, tx: TxRef<'_>) -> Status {
        self.with("transmit", |bridge| bridge.transmit(&mut Tx::new(tx, self.host)))
    }

    fn rx_run(&self, rx: RxRef<'_>) -> Status {
        self.with("receive", |bridge| bridge.receive(&Rx::new(rx, self.host)))
    }

    fn interrupt(&self) {
        self.with("interrupt", |bridge| {
            bridge.interrupt();
            Ok(())
        });
    }

    fn notice(&self, notice: &raw::Notice) -> Status {
        let Some(notice) = read_notice(notice) else { return status::OK };
        self.with("notice", |bridge| {
            Ok(match bridge.notice(&notice)? {
                Ack::Done => status::OK,
                Ack::Later => status::PENDING,
            })
        })
    }

    fn get_extension(&self, _: &[u8]) -> *const c_void {
        std::ptr::null()
    }

    fn has(&self) -> u32 {
        let transmit = if B::LOOPS.transmit { bridge_has::tx_run } else { 0 };
        let receive = if B::LOOPS.receive { bridge_has::rx_run } else { 0 };
        transmit | receive | bridge_has::interrupt | bridge_has::notice
    }

    fn destroy(self: Arc<Self>) {
        boundary::run_last(self.host, "destroy", move || drop(self));
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

impl<B: Bridge> Maker for Cell<B> {
    type Publisher = Endpoint<B::Publisher>;
    type Subscriber = Endpoint<B::Subscriber>;
    type Service = Endpoint<B::Subscriber>;

    fn publisher(
        self: &Arc<Self>,
        _: usize,
        channel: Channel<'_>,
    ) -> std::result::Result<Self::Publisher, Status> {
        self.make("publisher", None, |bridge| bridge.publisher(&channel))
    }

    fn subscriber(
        self: &Arc<Self>,
        _: usize,
        channel: Channel<'_>,
        sink: SinkRef<'static>,
    ) -> std::result::Result<Self::Subscriber, Status> {
        let lease = Lease::open();
        self.make("subscriber", Some(lease), |bridge| bridge.subscriber(&channel, Sink::new(sink, lease)))
    }

    fn service(
        self: &Arc<Self>,
        _: usize,
        channel: Channel<'_>,
        sink: ServiceSinkRef<'static>,
    ) -> std::result::Result<Self::Service, Status> {
        let lease = Lease::open();
        self.make("service", Some(lease), |bridge| bridge.service(&channel, ServiceSink::new(sink, lease)))
    }
}

impl<T: Send + Sync + 'static> EndpointOwner for Endpoint<T> {
    fn destroy(self: Box<Self>) {
        let (host, lease) = (self.host, self.lease);
        boundary::run(host, "destroy endpoint", move || {
            drop(self);
            Ok(())
        });
        lease.into_iter().for_each(Lease::close);
    }
}
