//! `bridgehead.bus/1` and `bridgehead.services/1`: topics and services of model plugins. Their functions take handles, which
//! each host finds in its own way; so they are written here once, and not by the macro.

use std::ffi::c_void;
use std::marker::PhantomData;

use bridgehead_abi::host::{HostBus, HostServices, Loan, ServiceRequest};
use bridgehead_abi::message::{Buffer, Message, Qos as RawQos};
use bridgehead_abi::{Bytes, Host, Status, Str, extension, status};

use super::argument::{Argument, Encoded, Text};
use super::{At, Checked, Function, Hosting, Place};
use crate::host::Qos;
use crate::objects::BorrowedPayload;

/// What a host gives to a plugin for a publisher, a subscription or a service.
pub trait Handle: Checked + Sized + 'static {
    /// Returns the object behind a handle.
    ///
    /// # Errors
    /// Returns the status for the plugin if it is another handle, or its instance was destroyed.
    ///
    /// # Safety
    /// `handle` must be null, misaligned, or one that the host has given away.
    unsafe fn find<'a>(handle: *mut c_void, function: &'static str) -> Result<&'a Self, Status>;
}

/// A publisher.
pub trait PublisherHandle: Handle {
    /// Returns how many would get a message.
    fn listeners(&self) -> u32;

    /// Publishes a payload, of which only the pointer is checked. With `CHECKED`, only if it is of the type of the topic.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn publish<const CHECKED: bool>(&self, stamp_ns: i64, payload: BorrowedPayload<'_>)
    -> Result<(), Status>;

    /// Lends memory.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn loan(&self, capacity: usize) -> Result<Loan, Status>;

    /// Publishes the first `len` bytes of a loan.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn commit<const CHECKED: bool>(&self, stamp_ns: i64, loan: &mut Loan, len: usize) -> Result<(), Status>;

    /// Takes a loan back.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn abandon(&self, loan: &mut Loan) -> Result<(), Status>;
}

/// A subscription.
pub trait SubscriptionHandle: Handle {
    /// Takes the next message, which lives until the next call.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn take(&self) -> Result<Message, Status>;
}

/// A service.
pub trait ServiceHandle: Handle {
    /// Takes the next call, which lives until the next one.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn take(&self) -> Result<ServiceRequest, Status>;

    /// Answers a call.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn reply(&self, id: u64, code: Status, payload: &[u8]) -> Result<(), Status>;
}

/// A host with topics.
pub trait BusHost: Hosting {
    /// Its publishers.
    type Publisher: PublisherHandle;
    /// Its subscriptions.
    type Subscription: SubscriptionHandle;

    /// Opens a topic to publish. Returns the handle.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn advertise(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status>;

    /// Opens a topic to receive. Returns the handle.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn subscribe(&self, topic: &str, type_name: &str, qos: Qos) -> Result<*mut c_void, Status>;
}

/// A host with services.
pub trait ServicesHost: Hosting {
    /// Its services.
    type Service: ServiceHandle;

    /// Offers a service. Returns the handle.
    ///
    /// # Errors
    /// Returns the status for the plugin.
    fn offer(&self, name: &str, request: &str, response: &str) -> Result<*mut c_void, Status>;
}

/// A function that no worker asks its host for.
pub(super) const fn local(extension: &'static str, name: &'static str, place: Place) -> Function {
    Function { number: u16::MAX, extension, name, place, arguments: &[], result: "" }
}

static ADVERTISE: Function = local(extension::BUS, "bus.advertise", Place::Main);
static SUBSCRIBE: Function = local(extension::BUS, "bus.subscribe", Place::Main);
static OFFER: Function = local(extension::SERVICES, "services.advertise", Place::Main);

/// The tables for plugins. With `CHECKED`, a payload is published only if it is of the type of its topic.
struct Tables<H, const CHECKED: bool>(PhantomData<H>);

impl<H: BusHost, const CHECKED: bool> Tables<H, CHECKED> {
    const BUS: HostBus = HostBus {
        struct_size: HostBus::SIZE,
        reserved: 0,
        advertise: advertise::<H>,
        listeners: listeners::<H>,
        publish: publish::<H, CHECKED>,
        loan: loan::<H>,
        commit: commit::<H, CHECKED>,
        abandon: abandon::<H>,
        subscribe: subscribe::<H>,
        take: take::<H>,
    };
}

impl<H: ServicesHost> Tables<H, true> {
    const SERVICES: HostServices = HostServices {
        struct_size: HostServices::SIZE,
        reserved: 0,
        advertise: offer::<H>,
        take: take_call::<H>,
        reply: reply::<H>,
    };
}

/// The functions of topics. With `checks`, a payload is published only if it is of the type of its topic.
#[must_use]
pub fn bus_table<H: BusHost>(checks: bool) -> &'static HostBus {
    if checks { &Tables::<H, true>::BUS } else { &Tables::<H, false>::BUS }
}

/// The functions of services.
#[must_use]
pub fn services_table<H: ServicesHost>() -> &'static HostServices {
    &Tables::<H, true>::SERVICES
}

/// Runs a function of a handle.
///
/// # Safety
/// As for [`Handle::find`].
#[inline]
unsafe fn on<H: Hosting, T: Handle>(
    handle: *mut c_void,
    function: &'static str,
    body: impl FnOnce(&T) -> Result<(), Status>,
) -> Status {
    H::guarded(function, status::PANIC, || {
        // SAFETY: the caller vouches for it.
        match unsafe { T::find(handle, function) }.and_then(body) {
            Ok(()) => status::OK,
            Err(code) => code,
        }
    })
}

/// Opens a topic or a service, whose handle is written to `out`.
///
/// # Safety
/// The pointers must be those of the call of a plugin.
unsafe fn open<H: Hosting>(
    host: *const Host,
    function: &'static Function,
    out: *mut *mut c_void,
    body: impl FnOnce(&H) -> Result<*mut c_void, Status>,
) -> Status {
    // SAFETY: the caller vouches for them.
    unsafe {
        super::call::answer::<H>(host, function, |host| {
            At { host, what: "result", function: function.name }.pointer(out.cast_const())?;
            out.write(body(host)?);
            Ok(())
        })
    }
}

/// Opens a topic.
///
/// # Safety
/// As for [`open`].
unsafe fn open_topic<H: BusHost>(
    host: *const Host,
    function: &'static Function,
    (topic, type_name, qos): (Str, Str, *const RawQos),
    out: *mut *mut c_void,
    open_it: fn(&H, &str, &str, Qos) -> Result<*mut c_void, Status>,
) -> Status {
    // SAFETY: the caller vouches for the pointers.
    unsafe {
        open::<H>(host, function, out, |host| {
            let at = |what| At { host, what, function: function.name };
            at("quality of service").pointer(qos)?;
            let (topic, type_name) = (Text::read(topic, at("topic"))?, Text::read(type_name, at("type"))?);
            open_it(host, topic, type_name, Qos::from_abi(&*qos))
        })
    }
}

unsafe extern "C" fn advertise<H: BusHost>(
    host: *const Host,
    topic: Str,
    type_name: Str,
    qos: *const RawQos,
    out: *mut *mut c_void,
) -> Status {
    // SAFETY: the plugin passes its host, and arguments that are valid for the call.
    unsafe { open_topic::<H>(host, &ADVERTISE, (topic, type_name, qos), out, H::advertise) }
}

unsafe extern "C" fn subscribe<H: BusHost>(
    host: *const Host,
    topic: Str,
    type_name: Str,
    qos: *const RawQos,
    out: *mut *mut c_void,
) -> Status {
    // SAFETY: as above.
    unsafe { open_topic::<H>(host, &SUBSCRIBE, (topic, type_name, qos), out, H::subscribe) }
}

unsafe extern "C" fn listeners<H: BusHost>(publisher: *mut c_void) -> u32 {
    H::guarded("bus.listeners", 0, || {
        // SAFETY: the plugin passes its handle.
        unsafe { H::Publisher::find(publisher, "bus.listeners") }.map_or(0, H::Publisher::listeners)
    })
}

unsafe extern "C" fn publish<H: BusHost, const CHECKED: bool>(
    publisher: *mut c_void,
    stamp_ns: i64,
    payload: *const Buffer,
) -> Status {
    // SAFETY: the plugin passes its handle, and a payload that is alive for the call.
    unsafe {
        on::<H, H::Publisher>(publisher, "bus.publish", |publisher| {
            At { host: publisher, what: "payload", function: "bus.publish" }.pointer(payload)?;
            publisher.publish::<CHECKED>(stamp_ns, BorrowedPayload::of(payload))
        })
    }
}

unsafe extern "C" fn loan<H: BusHost>(publisher: *mut c_void, capacity: usize, out: *mut Loan) -> Status {
    // SAFETY: the plugin passes its handle, and memory for a loan.
    unsafe {
        on::<H, H::Publisher>(publisher, "bus.loan", |publisher| {
            At { host: publisher, what: "result", function: "bus.loan" }.sized(out.cast_const())?;
            out.write(publisher.loan(capacity)?);
            Ok(())
        })
    }
}

/// Runs a function that takes a loan.
///
/// # Safety
/// `publisher` must be as for [`Handle::find`], and `loan` null, misaligned, or a loan.
unsafe fn with_loan<H: BusHost>(
    publisher: *mut c_void,
    function: &'static str,
    loan: *mut Loan,
    body: impl FnOnce(&H::Publisher, &mut Loan) -> Result<(), Status>,
) -> Status {
    // SAFETY: the caller vouches for both.
    unsafe {
        on::<H, H::Publisher>(publisher, function, |publisher| {
            At { host: publisher, what: "loan", function }.sized(loan.cast_const())?;
            body(publisher, &mut *loan)
        })
    }
}

unsafe extern "C" fn commit<H: BusHost, const CHECKED: bool>(
    publisher: *mut c_void,
    stamp_ns: i64,
    loan: *mut Loan,
    len: usize,
) -> Status {
    // SAFETY: the plugin passes its handle, and a loan.
    unsafe {
        with_loan::<H>(publisher, "bus.commit", loan, |publisher, loan| {
            publisher.commit::<CHECKED>(stamp_ns, loan, len)
        })
    }
}

unsafe extern "C" fn abandon<H: BusHost>(publisher: *mut c_void, loan: *mut Loan) {
    // SAFETY: as above. There is no status to return.
    _ = unsafe { with_loan::<H>(publisher, "bus.abandon", loan, |publisher, loan| publisher.abandon(loan)) };
}

unsafe extern "C" fn take<H: BusHost>(subscription: *mut c_void, out: *mut Message) -> Status {
    // SAFETY: the plugin passes its handle, and memory for a message.
    unsafe {
        on::<H, H::Subscription>(subscription, "bus.take", |subscription| {
            At { host: subscription, what: "result", function: "bus.take" }.sized(out.cast_const())?;
            out.write(subscription.take()?);
            Ok(())
        })
    }
}

unsafe extern "C" fn offer<H: ServicesHost>(
    host: *const Host,
    name: Str,
    request: Str,
    response: Str,
    out: *mut *mut c_void,
) -> Status {
    // SAFETY: the plugin passes its host, and arguments that are valid for the call.
    unsafe {
        open::<H>(host, &OFFER, out, |host| {
            let at = |what| At { host, what, function: OFFER.name };
            let (name, request) = (Text::read(name, at("name"))?, Text::read(request, at("request"))?);
            host.offer(name, request, Text::read(response, at("response"))?)
        })
    }
}

unsafe extern "C" fn take_call<H: ServicesHost>(service: *mut c_void, out: *mut ServiceRequest) -> Status {
    // SAFETY: the plugin passes its handle, and memory for a request.
    unsafe {
        on::<H, H::Service>(service, "services.take", |service| {
            At { host: service, what: "result", function: "services.take" }.sized(out.cast_const())?;
            out.write(service.take()?);
            Ok(())
        })
    }
}

unsafe extern "C" fn reply<H: ServicesHost>(
    service: *mut c_void,
    id: u64,
    code: Status,
    payload: Bytes,
) -> Status {
    // SAFETY: the plugin passes its handle, and bytes that are valid for the call.
    unsafe {
        on::<H, H::Service>(service, "services.reply", |service| {
            let at = At { host: service, what: "payload", function: "services.reply" };
            service.reply(id, code, Encoded::read(payload, at)?)
        })
    }
}
