//! `bridgehead.bus/1` and `bridgehead.services/1` in a worker. Payloads are written into memory of this process, and sent
//! to the host when they are published.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

use bridgehead_abi::host::{HostBus, HostServices, Loan, ServiceRequest};
use bridgehead_abi::message::{Message, Qos};
use bridgehead_abi::{Buffer, Bytes, Host, Status, Str, status};

use super::super::wire::{self, Answer, ModelRequest, Request};
use super::host::kept_text;
use super::tables::ask_number;
use super::{buffer, link, place};
use crate::api::caller::check_size;
use crate::bus::{BufferPool, LoanedBuffer};
use crate::call::{self, Rule};
use crate::guard::host_call;

pub(super) static BUS: HostBus = HostBus {
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

pub(super) static SERVICES: HostServices =
    HostServices { struct_size: HostServices::SIZE, reserved: 0, advertise: offer, take: take_call, reply };

/// A publisher, a subscription or a service, to which the plugin's pointers lead. Never freed: a late call must not meet
/// other memory.
struct Handle {
    number: u32,
    /// What was taken last: borrowed by the plugin until the next one. The address of a [`Buffer`]; 0 for none.
    taken: AtomicUsize,
}

impl Handle {
    /// # Safety
    /// `pointer` must be null or a pointer that this module has given.
    unsafe fn of<'a>(pointer: *mut c_void) -> Option<&'a Handle> {
        // SAFETY: the caller vouches for it.
        unsafe { pointer.cast::<Handle>().as_ref() }
    }

    /// Keeps a received payload, and gives the one before back.
    fn keep(&self, payload: *const Buffer) {
        let before = self.taken.swap(payload as usize, Ordering::AcqRel) as *const Buffer;
        // SAFETY: the reference is ours, and given back once.
        unsafe {
            if let Some(buffer) = before.as_ref() {
                (buffer.release)(before);
            }
        }
    }
}

/// Makes a handle of the number that the host has given.
fn give(function: &'static str, request: ModelRequest<'_>, out: *mut *mut c_void) -> Status {
    // SAFETY: plugins pass memory for a pointer.
    if let Err(code) = unsafe { place::check(out, function) } {
        return code;
    }
    let number = link().ask(Request::Model(request), |answer| match answer {
        Answer::Number(number) => u32::try_from(number).map_err(|_| status::INVALID_ARG),
        other => Err(other.status()),
    });
    match number {
        Ok(number) => {
            let handle = Box::leak(Box::new(Handle { number, taken: AtomicUsize::new(0) }));
            // SAFETY: plugins pass memory for a pointer.
            unsafe { out.write(std::ptr::from_mut(handle).cast()) };
            status::OK
        }
        Err(code) => code,
    }
}

/// Texts and quality of service of a topic.
///
/// # Safety
/// The pointers must be those of a call of `advertise` or `subscribe`.
unsafe fn topic_of<'a>(topic: Str, type_name: Str, qos: *const Qos) -> Option<(&'a str, &'a str, wire::Qos)> {
    // SAFETY: the caller vouches for them.
    unsafe {
        let (topic, type_name, qos) = (topic.as_str()?, type_name.as_str()?, qos.as_ref()?);
        let qos = wire::Qos { reliability: qos.reliability, durability: qos.durability, depth: qos.depth };
        Some((topic, type_name, qos))
    }
}

unsafe extern "C" fn advertise(
    _: *const Host,
    topic: Str,
    type_name: Str,
    qos: *const Qos,
    out: *mut *mut c_void,
) -> Status {
    host_call("bus.advertise", status::PANIC, || {
        // SAFETY: plugins pass values valid for this call.
        match unsafe { topic_of(topic, type_name, qos) } {
            Some((topic, type_name, qos)) => {
                give("bus.advertise", ModelRequest::Advertise { topic, type_name, qos }, out)
            }
            None => status::INVALID_ARG,
        }
    })
}

unsafe extern "C" fn subscribe(
    _: *const Host,
    topic: Str,
    type_name: Str,
    qos: *const Qos,
    out: *mut *mut c_void,
) -> Status {
    host_call("bus.subscribe", status::PANIC, || {
        // SAFETY: as above.
        match unsafe { topic_of(topic, type_name, qos) } {
            Some((topic, type_name, qos)) => {
                give("bus.subscribe", ModelRequest::Subscribe { topic, type_name, qos }, out)
            }
            None => status::INVALID_ARG,
        }
    })
}

unsafe extern "C" fn listeners(publisher: *mut c_void) -> u32 {
    host_call("bus.listeners", 0, || {
        // SAFETY: plugins pass back their own handles.
        let Some(handle) = (unsafe { Handle::of(publisher) }) else { return 0 };
        let count = ask_number(Request::Model(ModelRequest::Listeners { handle: handle.number }), 0);
        u32::try_from(count).unwrap_or(u32::MAX)
    })
}

fn publish_bytes(handle: &Handle, stamp_ns: i64, bytes: &[u8]) -> Status {
    let handle = handle.number;
    link().ask_with(
        bytes,
        |payload| Request::Model(ModelRequest::Publish { handle, stamp_ns, payload }),
        |answer| answer.status(),
    )
}

unsafe extern "C" fn publish(publisher: *mut c_void, stamp_ns: i64, payload: *const Buffer) -> Status {
    host_call("bus.publish", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and a payload that is alive for this call.
        match unsafe { (Handle::of(publisher), place::payload(payload, "bus.publish")) } {
            (Some(handle), Ok(bytes)) => publish_bytes(handle, stamp_ns, bytes),
            (None, _) => status::INVALID_ARG,
            (_, Err(code)) => code,
        }
    })
}

/// Memory that is lent to the plugin.
static LOANS: LazyLock<Arc<BufferPool>> = LazyLock::new(Arc::default);

unsafe extern "C" fn loan(publisher: *mut c_void, capacity: usize, out: *mut Loan) -> Status {
    host_call("bus.loan", status::PANIC, || {
        // SAFETY: as above, and memory for a loan.
        let (handle, place) = unsafe { (Handle::of(publisher), place::check(out, "bus.loan")) };
        if let Err(code) = place.and_then(|()| check_size("", capacity, "bus.loan")) {
            return code;
        }
        if handle.is_none() {
            return status::INVALID_ARG;
        }
        let mut lent = LOANS.lend(capacity);
        let bytes = lent.bytes_mut();
        let (data, capacity) = (bytes.as_mut_ptr(), bytes.len());
        // SAFETY: `out` is writable.
        unsafe {
            out.write(Loan { struct_size: Loan::SIZE, reserved: 0, data, capacity, ctx: lent.into_raw() })
        };
        status::OK
    })
}

/// Takes the memory of a loan back; a status for one that was committed or abandoned before.
///
/// # Safety
/// `loan` must be null or point to a loan.
unsafe fn returned(loan: *mut Loan, function: &'static str) -> Result<LoanedBuffer, Status> {
    // SAFETY: the caller vouches for it; the pool is never dropped.
    let lent = unsafe {
        place::check(loan, function)?;
        LOANS.take_back((*loan).ctx)
    };
    let Some(lent) = lent else {
        let text =
            format!("passed a loan to `{function}` that was not given, or was committed or abandoned before");
        call::breach(Rule::Loan, None, &text);
        return Err(status::INVALID_ARG);
    };
    if !lent.is_within_bounds() {
        let text = format!("wrote before or behind the {} bytes of a loan", lent.capacity());
        call::breach(Rule::Loan, None, &text);
    }
    Ok(lent)
}

unsafe extern "C" fn commit(publisher: *mut c_void, stamp_ns: i64, loan: *mut Loan, len: usize) -> Status {
    host_call("bus.commit", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and a loan.
        let (handle, lent) = unsafe { (Handle::of(publisher), returned(loan, "bus.commit")) };
        let mut lent = match lent {
            Ok(lent) => lent,
            Err(code) => return code,
        };
        let bytes = lent.bytes_mut();
        let capacity = bytes.len();
        match (handle, bytes.get(..len)) {
            (Some(handle), Some(used)) => publish_bytes(handle, stamp_ns, used),
            (None, _) => status::INVALID_ARG,
            (_, None) => {
                let text = format!("committed {len} bytes of a loan of {capacity}");
                call::breach(Rule::Size, None, &text);
                status::INVALID_ARG
            }
        }
    })
}

unsafe extern "C" fn abandon(_: *mut c_void, loan: *mut Loan) {
    host_call("bus.abandon", (), || {
        // SAFETY: as above.
        drop(unsafe { returned(loan, "bus.abandon") });
    })
}

unsafe extern "C" fn take(subscription: *mut c_void, out: *mut Message) -> Status {
    host_call("bus.take", status::PANIC, || {
        // SAFETY: plugins pass memory for a message.
        if let Err(code) = unsafe { place::check(out, "bus.take") } {
            return code;
        }
        // SAFETY: plugins pass back their own handles.
        let Some(handle) = (unsafe { Handle::of(subscription) }) else { return status::INVALID_ARG };
        // Before the request: its place in the shared memory may be needed.
        handle.keep(std::ptr::null());
        link().ask(Request::Model(ModelRequest::Take { handle: handle.number }), |answer| match answer {
            Answer::Message(found) => {
                let payload = buffer::received(found.payload);
                handle.keep(payload);
                let message = Message {
                    struct_size: Message::SIZE,
                    type_id: found.type_id,
                    encoding: found.encoding,
                    reset_epoch: found.reset_epoch,
                    stamp_ns: found.stamp_ns,
                    sequence: found.sequence,
                    step: found.step,
                    vehicle: kept_text(found.vehicle),
                    topic: kept_text(found.topic),
                    payload,
                    reserved: [0; 2],
                };
                // SAFETY: plugins pass memory for a message.
                unsafe { out.write(message) };
                status::OK
            }
            other => refusal(other),
        })
    })
}

/// The status of an answer without the value that was asked for.
fn refusal(answer: Answer<'_>) -> Status {
    match answer.status() {
        status::OK => status::INVALID_ARG,
        code => code,
    }
}

unsafe extern "C" fn offer(
    _: *const Host,
    name: Str,
    request: Str,
    response: Str,
    out: *mut *mut c_void,
) -> Status {
    host_call("services.advertise", status::PANIC, || {
        // SAFETY: plugins pass texts valid for this call.
        match unsafe { [name.as_str(), request.as_str(), response.as_str()] } {
            [Some(name), Some(request), Some(response)] => {
                give("services.advertise", ModelRequest::Offer { name, request, response }, out)
            }
            _ => status::INVALID_ARG,
        }
    })
}

unsafe extern "C" fn take_call(service: *mut c_void, out: *mut ServiceRequest) -> Status {
    host_call("services.take", status::PANIC, || {
        // SAFETY: plugins pass memory for a request.
        if let Err(code) = unsafe { place::check(out, "services.take") } {
            return code;
        }
        // SAFETY: plugins pass back their own handles.
        let Some(handle) = (unsafe { Handle::of(service) }) else { return status::INVALID_ARG };
        handle.keep(std::ptr::null());
        link().ask(Request::Model(ModelRequest::TakeCall { handle: handle.number }), |answer| match answer {
            Answer::ServiceCall { call, payload } => {
                let payload = buffer::received(payload);
                handle.keep(payload);
                let request =
                    ServiceRequest { struct_size: ServiceRequest::SIZE, reserved: 0, id: call, payload };
                // SAFETY: plugins pass memory for a request.
                unsafe { out.write(request) };
                status::OK
            }
            other => refusal(other),
        })
    })
}

unsafe extern "C" fn reply(service: *mut c_void, call: u64, code: Status, payload: Bytes) -> Status {
    host_call("services.reply", status::PANIC, || {
        // SAFETY: plugins pass back their own handles, and bytes valid for this call.
        let (Some(handle), bytes) = (unsafe { (Handle::of(service), payload.as_slice()) }) else {
            return status::INVALID_ARG;
        };
        let handle = handle.number;
        link().ask_with(
            bytes,
            |payload| Request::Model(ModelRequest::Reply { handle, call, status: code, payload }),
            |answer| answer.status(),
        )
    })
}
