//! `bridgehead.bus/1`: topics of a model plugin.

use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi::host::{HostBus, Loan};
use bridgehead_abi::message::{Buffer, ENCODING_PROTOBUF, Message, Qos as RawQos};
use bridgehead_abi::{Host, Status, Str, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::rules;

use super::Context;
use super::context::{lend, read};
use crate::bus::{LoanedBuffer, Publisher, Role, Subscription, Topic};
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

/// Opens a topic for an instance; on failure the reason is explained and the status given.
///
/// # Safety
/// The pointers must be those of a call of `advertise` or `subscribe`.
unsafe fn open(
    context: &Context,
    topic: Str,
    type_name: Str,
    qos: *const RawQos,
    role: Role,
) -> Result<Arc<Topic>, Status> {
    // SAFETY: texts and qos are valid for the call.
    let (topic, type_name, qos) = unsafe { (read(topic), read(type_name), rules::read_qos(&*qos)) };
    let (Some(topic), Some(type_name)) = (topic, type_name) else {
        return Err(status::INVALID_ARG);
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
        // SAFETY: plugins pass back their host pointer; the rest is passed on for this call.
        let (context, topic) = unsafe {
            let context = Context::of(host);
            (context, open(context, topic, type_name, qos, Role::Publisher))
        };
        match topic {
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

/// # Safety
/// `publisher` must come from `advertise` of an instance that is alive.
unsafe fn publisher<'a>(publisher: *mut c_void) -> &'a Publisher {
    // SAFETY: the caller vouches for it; the instance's context keeps it.
    unsafe { &*publisher.cast::<Publisher>() }
}

unsafe extern "C" fn listeners(handle: *mut c_void) -> u32 {
    host_call("bus.listeners", 0, || {
        // SAFETY: plugins pass back their own handles.
        unsafe { publisher(handle) }.listeners()
    })
}

unsafe extern "C" fn publish(handle: *mut c_void, stamp_ns: i64, payload: *const Buffer) -> Status {
    host_call("bus.publish", status::PANIC, || {
        if payload.is_null() {
            return status::INVALID_ARG;
        }
        // SAFETY: plugins pass back their own handles, and a payload that is alive for this call.
        unsafe { publisher(handle).publish(stamp_ns, Payload::retain(payload)) };
        status::OK
    })
}

unsafe extern "C" fn loan(handle: *mut c_void, capacity: usize, out: *mut Loan) -> Status {
    host_call("bus.loan", status::PANIC, || {
        // SAFETY: plugins pass back their own handles.
        let mut lent = unsafe { publisher(handle) }.pool.lend(capacity);
        let bytes = lent.bytes_mut();
        let (data, capacity) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: `out` is writable.
        unsafe {
            out.write(Loan { struct_size: Loan::SIZE, reserved: 0, data, capacity, ctx: lent.into_raw() })
        };
        status::OK
    })
}

unsafe extern "C" fn commit(handle: *mut c_void, stamp_ns: i64, loan: *mut Loan, len: usize) -> Status {
    host_call("bus.commit", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and a loan of theirs once.
        unsafe {
            let lent = LoanedBuffer::from_raw((*loan).ctx);
            if len > (*loan).capacity {
                return status::INVALID_ARG;
            }
            publisher(handle).publish(stamp_ns, lent.publish(len));
        }
        status::OK
    })
}

unsafe extern "C" fn abandon(_: *mut c_void, loan: *mut Loan) {
    host_call("bus.abandon", (), || {
        // SAFETY: plugins pass back a loan of theirs once.
        drop(unsafe { LoanedBuffer::from_raw((*loan).ctx) });
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
        // SAFETY: as in `advertise`.
        let (context, topic, depth) = unsafe {
            let context = Context::of(host);
            (context, open(context, topic, type_name, qos, Role::Subscriber), (*qos).depth)
        };
        match topic {
            Ok(topic) => {
                let subscription = Arc::new(Subscription::new(topic, depth));
                // SAFETY: `out` is writable.
                unsafe { out.write(context.keep_subscription(subscription)) };
                status::OK
            }
            Err(code) => code,
        }
    })
}

unsafe extern "C" fn take(handle: *mut c_void, out: *mut Message) -> Status {
    host_call("bus.take", status::PANIC, || {
        if !super::scope::is_open() {
            return status::WRONG_THREAD;
        }
        // SAFETY: plugins pass back their own handles.
        let subscription = unsafe { &*handle.cast::<Subscription>() };
        let topic = &subscription.topic;
        let taken = subscription.take(|delivery| Message {
            struct_size: Message::SIZE,
            type_id: topic.data_type.id,
            encoding: ENCODING_PROTOBUF,
            reset_epoch: delivery.reset_epoch,
            stamp_ns: delivery.stamp_ns,
            sequence: delivery.sequence,
            step: delivery.step,
            vehicle: lend(&topic.vehicle),
            topic: lend(&topic.name),
            payload: delivery.payload.as_raw(),
        });
        let Some(message) = taken else {
            return status::NOT_FOUND;
        };
        // SAFETY: `out` is writable.
        unsafe { out.write(message) };
        status::OK
    })
}
