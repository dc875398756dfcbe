//! `bridgehead.bus/1`: topics of a model plugin.

use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi::host::{HostBus, Loan};
use bridgehead_abi::message::{Buffer, ENCODING_PROTOBUF, Message, Qos as RawQos};
use bridgehead_abi::{Host, Status, Str, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::rules;

use super::Context;
use super::budget::may_open;
use super::caller::{
    self, Handle, breach, caller, check_main, check_out, check_pointer, check_size, checked, held, text,
    wrong_thread,
};
use super::context::lend;
use crate::bus::{LoanedBuffer, Publisher, Role, Subscription, Topic, lent};
use crate::call::Rule;
use crate::guard::host_call;

pub(super) static TABLE: HostBus = HostBus {
    struct_size: HostBus::SIZE,
    reserved: 0,
    advertise,
    listeners,
    publish,
    loan,
    commit,
    abandon,
    subscribe,
    take,
};

/// With `--check-plugins`: a payload is published only if it is of the type of its topic.
pub(super) static CHECKED_TABLE: HostBus =
    HostBus { publish: publish_checked, commit: commit_checked, ..TABLE };

/// Opens a topic for an instance, called from the host function `function`; on failure the reason is explained and the
/// status given.
///
/// # Safety
/// The pointers must be those of a call of `advertise` or `subscribe`.
unsafe fn open(
    context: &Context,
    (topic, type_name, qos): (Str, Str, *const RawQos),
    role: Role,
    function: &'static str,
) -> Result<Arc<Topic>, Status> {
    check_main(context, function)?;
    check_pointer(&context.label, qos, "quality of service", function)?;
    may_open(context)?;
    // SAFETY: texts and qos are valid for the call.
    let (topic, type_name, qos) = unsafe {
        (
            text(&context.label, topic, function)?,
            text(&context.label, type_name, function)?,
            rules::read_qos(&*qos),
        )
    };
    let Some(data_type) = context.shared.types.find(type_name) else {
        context.explain(rules::type_unregistered(type_name, topic));
        return Err(status::NOT_FOUND);
    };
    let vehicle = &context.attachment.vehicle;
    let topic = context.attachment.public_name(topic);
    let shared = &context.shared;
    let open = || shared.bus.open(vehicle, &topic, &data_type, qos, role, &context.label);
    context.opened.open(&shared.description, role, open).map_err(|error| {
        context.refuse(error.to_string());
        status::INVALID_ARG
    })
}

unsafe extern "C" fn advertise(
    host: *const Host,
    topic: Str,
    type_name: Str,
    qos: *const RawQos,
    out: *mut *mut c_void,
) -> Status {
    host_call("bus.advertise", status::PANIC, || {
        let context = caller!(host, "bus.advertise");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "bus.advertise"));
        // SAFETY: the arguments are valid for this call.
        match unsafe { open(context, (topic, type_name, qos), Role::Publisher, "bus.advertise") } {
            Ok(topic) => {
                let publisher = Arc::new(Publisher::new(topic, Arc::clone(&context.outbox)));
                // SAFETY: `out` is writable.
                unsafe { out.write(context.keep_publisher(publisher)) };
                status::OK
            }
            Err(code) => code,
        }
    })
}

unsafe extern "C" fn listeners(publisher: *mut c_void) -> u32 {
    host_call("bus.listeners", 0, || {
        // SAFETY: plugins pass back their own handles.
        unsafe { held::<Publisher>(publisher, "bus.listeners") }.map_or(0, |handle| handle.object.listeners())
    })
}

unsafe extern "C" fn publish(publisher: *mut c_void, stamp_ns: i64, payload: *const Buffer) -> Status {
    host_call("bus.publish", status::PANIC, || {
        let handle = publisher.cast::<Handle<Publisher>>();
        // SAFETY: plugins pass back their own handles, and a payload that is alive for this call; the handle of a usual
        // call is one of a publisher.
        unsafe {
            if caller::is_usual(handle, payload) {
                put(&*handle, stamp_ns, Payload::retain(payload))
            } else {
                publish_unusual(publisher, stamp_ns, payload)
            }
        }
    })
}

/// Publishes an empty payload, or says why a payload is not published. Does the whole of the call, so that the compiler
/// has one path to optimise in [`publish`].
///
/// # Safety
/// The arguments must be those of a call of `publish`.
#[cold]
unsafe fn publish_unusual(publisher: *mut c_void, stamp_ns: i64, payload: *const Buffer) -> Status {
    // SAFETY: the caller vouches for them.
    unsafe {
        let handle = checked!(held::<Publisher>(publisher, "bus.publish"));
        let payload = checked!(caller::payload(handle.owner(), payload, "bus.publish"));
        put(handle, stamp_ns, payload)
    }
}

unsafe extern "C" fn publish_checked(
    publisher: *mut c_void,
    stamp_ns: i64,
    payload: *const Buffer,
) -> Status {
    host_call("bus.publish_checked", status::PANIC, || {
        // SAFETY: as in `publish`.
        unsafe {
            let handle = checked!(held::<Publisher>(publisher, "bus.publish"));
            let payload = checked!(caller::payload(handle.owner(), payload, "bus.publish"));
            publish_if_valid(handle, stamp_ns, payload)
        }
    })
}

/// Publishes a payload if it is of the type of the topic.
fn publish_if_valid(handle: &Handle<Publisher>, stamp_ns: i64, payload: Payload) -> Status {
    let topic = &handle.object.topic;
    if let Err(error) = topic.data_type.message.check(&payload) {
        let problem = rules::not_of_type(&topic.name, topic.data_type.ros_name(), &error);
        breach(Rule::Payload, handle.owner(), &format!("published garbage: {problem}"));
        return status::SCHEMA;
    }
    // Here and not when it is routed, so that changes from now on are found.
    put(handle, stamp_ns, handle.object.pool.keep(payload))
}

/// Puts a payload into the outbox.
#[inline]
fn put(handle: &Handle<Publisher>, stamp_ns: i64, payload: Payload) -> Status {
    match handle.object.publish(stamp_ns, payload) {
        Ok(()) => status::OK,
        Err(bytes) => refuse_size(handle, bytes),
    }
}

#[cold]
fn refuse_size(handle: &Handle<Publisher>, bytes: usize) -> Status {
    check_size(handle.owner(), bytes, "bus.publish").err().unwrap_or(status::INVALID_ARG)
}

unsafe extern "C" fn loan(publisher: *mut c_void, capacity: usize, out: *mut Loan) -> Status {
    host_call("bus.loan", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and memory for a loan.
        let handle = unsafe {
            let handle = checked!(held::<Publisher>(publisher, "bus.loan"));
            checked!(check_out(handle.owner(), out, "bus.loan"));
            handle
        };
        checked!(check_size(handle.owner(), capacity, "bus.loan"));
        let mut lent = handle.object.pool.lend(capacity);
        let bytes = lent.bytes_mut();
        let (data, capacity) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: `out` is writable.
        unsafe {
            out.write(Loan { struct_size: Loan::SIZE, reserved: 0, data, capacity, ctx: lent.into_raw() })
        };
        status::OK
    })
}

/// Takes a loan back from a plugin.
///
/// # Safety
/// `loan` must be null, or point at a loan that a publisher of a living instance has given.
unsafe fn returned(
    handle: &Handle<Publisher>,
    loan: *mut Loan,
    function: &'static str,
) -> Result<LoanedBuffer, Status> {
    // SAFETY: the caller vouches for it.
    let lent = unsafe {
        check_out(handle.owner(), loan, function)?;
        handle.object.pool.take_back((*loan).ctx)
    };
    if let Some(loan) = lent.as_ref().filter(|loan| !loan.is_within_bounds()) {
        report_bounds(handle, loan);
    }
    lent.ok_or_else(|| {
        let topic = &handle.object.topic.name;
        let text = format!(
            "passed a loan to `{function}` that `{topic}` has not given, or that was committed or abandoned before"
        );
        breach(Rule::Loan, handle.owner(), &text);
        status::INVALID_ARG
    })
}

/// Reports bytes before or behind a loan that the plugin has written.
#[cold]
fn report_bounds(handle: &Handle<Publisher>, loan: &LoanedBuffer) {
    let text = format!(
        "wrote before or behind the {} bytes of a loan for `{}`; messages of others may be damaged",
        loan.capacity(),
        handle.object.topic.name
    );
    breach(Rule::Loan, handle.owner(), &text);
}

unsafe extern "C" fn commit(publisher: *mut c_void, stamp_ns: i64, loan: *mut Loan, len: usize) -> Status {
    host_call("bus.commit", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and a loan of theirs.
        let (handle, payload) = checked!(unsafe { committed(publisher, loan, len) });
        put(handle, stamp_ns, payload)
    })
}

unsafe extern "C" fn commit_checked(
    publisher: *mut c_void,
    stamp_ns: i64,
    loan: *mut Loan,
    len: usize,
) -> Status {
    host_call("bus.commit_checked", status::PANIC, || {
        // SAFETY: as in `commit`.
        let (handle, payload) = checked!(unsafe { committed(publisher, loan, len) });
        publish_if_valid(handle, stamp_ns, payload)
    })
}

/// Turns a loan into a payload.
///
/// # Safety
/// As for [`returned`]; `publisher` must be null, or a handle that is kept.
unsafe fn committed<'a>(
    publisher: *mut c_void,
    loan: *mut Loan,
    len: usize,
) -> Result<(&'a Handle<Publisher>, Payload), Status> {
    // SAFETY: the caller vouches for both.
    let (handle, mut lent) = unsafe {
        let handle = held::<Publisher>(publisher, "bus.commit")?;
        (handle, returned(handle, loan, "bus.commit")?)
    };
    let capacity = lent.bytes_mut().len();
    if len > capacity {
        breach(Rule::Size, handle.owner(), &format!("committed {len} bytes of a loan of {capacity}"));
        return Err(status::INVALID_ARG);
    }
    Ok((handle, lent.publish(len)))
}

unsafe extern "C" fn abandon(publisher: *mut c_void, loan: *mut Loan) {
    host_call("bus.abandon", (), || {
        // SAFETY: plugins pass back their own handles, and a loan of theirs.
        unsafe {
            if let Ok(handle) = held::<Publisher>(publisher, "bus.abandon") {
                drop(returned(handle, loan, "bus.abandon"));
            }
        }
    })
}

unsafe extern "C" fn subscribe(
    host: *const Host,
    topic: Str,
    type_name: Str,
    qos: *const RawQos,
    out: *mut *mut c_void,
) -> Status {
    host_call("bus.subscribe", status::PANIC, || {
        let context = caller!(host, "bus.subscribe");
        checked!(check_pointer(&context.label, out.cast_const(), "result", "bus.subscribe"));
        // SAFETY: the arguments are valid for this call.
        match unsafe { open(context, (topic, type_name, qos), Role::Subscriber, "bus.subscribe") } {
            Ok(topic) => {
                // SAFETY: `open` has checked the pointer.
                let depth = unsafe { (*qos).depth };
                let subscription = Arc::new(Subscription::new(topic, depth));
                // SAFETY: `out` is writable.
                unsafe { out.write(context.keep_subscription(subscription)) };
                status::OK
            }
            Err(code) => code,
        }
    })
}

unsafe extern "C" fn take(subscription: *mut c_void, out: *mut Message) -> Status {
    host_call("bus.take", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and memory for a message.
        let handle = unsafe {
            let handle = checked!(held::<Subscription>(subscription, "bus.take"));
            checked!(check_out(handle.owner(), out, "bus.take"));
            handle
        };
        if !super::scope::is_open() {
            return wrong_thread(handle.owner(), "bus.take");
        }
        let topic = &handle.object.topic;
        let taken = handle.object.take(|delivery| Message {
            struct_size: Message::SIZE,
            type_id: topic.data_type.id,
            encoding: ENCODING_PROTOBUF,
            reset_epoch: delivery.reset_epoch,
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            vehicle: lend(&topic.vehicle),
            topic: lend(&topic.name),
            payload: lent(&delivery.payload),
            reserved: [0; 2],
        });
        let Some(message) = taken else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(message) };
        status::OK
    })
}
