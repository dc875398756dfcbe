//! Publishers of the recording bus, with loans of memory.

use std::ffi::c_void;

use bridgehead_abi as abi;
use bridgehead_abi::host::Loan;
use bridgehead_abi::{Buffer, Host, Status, Str, status};

use super::TestTopic;
use super::subscription::request;
use crate::host::Qos;
use crate::payload::Payload;
use crate::testing::calls::Class;
use crate::testing::host::{Shared, lock};

/// What a publisher's pointer points at; never given back.
struct PublisherEntry {
    shared: &'static Shared,
    topic: TestTopic,
}

/// # Safety
/// `publisher` must come from `advertise`.
unsafe fn entry(publisher: *mut c_void) -> &'static PublisherEntry {
    // SAFETY: the caller vouches for the pointer; entries are leaked.
    unsafe { &*publisher.cast::<PublisherEntry>() }
}

pub(super) unsafe extern "C" fn advertise(
    host: *const Host,
    topic: Str,
    type_name: Str,
    qos: *const abi::message::Qos,
    out: *mut *mut c_void,
) -> Status {
    // SAFETY: plugins pass back the pointer they were given; texts and qos live for the call.
    let (shared, qos) = unsafe { (Shared::of(host), Qos::from_abi(&*qos)) };
    if let Err(code) = shared.calls.require("bus.advertise", Class::Main) {
        return code;
    }
    // SAFETY: as above.
    let (name, type_name) = match unsafe { request(shared, topic, type_name, true) } {
        Ok(names) => names,
        Err(code) => return code,
    };
    let topic = TestTopic { name, type_name, qos };
    lock(&shared.bus).topics.push(topic.clone());
    let entry: &'static PublisherEntry = Box::leak(Box::new(PublisherEntry { shared, topic }));
    // SAFETY: `out` is writable; the host's side never writes through the pointer.
    unsafe { out.write(std::ptr::from_ref(entry).cast_mut().cast()) };
    status::OK
}

pub(super) unsafe extern "C" fn listeners(publisher: *mut c_void) -> u32 {
    // SAFETY: plugins pass back what `advertise` gave them.
    let entry = unsafe { entry(publisher) };
    entry.shared.listeners(&entry.topic.name, entry.topic.qos)
}

pub(super) unsafe extern "C" fn publish(
    publisher: *mut c_void,
    stamp_ns: i64,
    payload: *const Buffer,
) -> Status {
    if payload.is_null() {
        return status::INVALID_ARG;
    }
    // SAFETY: as above; the payload is alive for the call.
    let (entry, payload) = unsafe { (entry(publisher), Payload::retain(payload)) };
    accept(entry, stamp_ns, payload)
}

fn accept(entry: &PublisherEntry, stamp_ns: i64, payload: Payload) -> Status {
    if let Err(code) = entry.shared.calls.require_started("publish") {
        return code;
    }
    entry.shared.record(&entry.topic.name, &entry.topic.type_name, stamp_ns, payload);
    status::OK
}

pub(super) unsafe extern "C" fn loan(publisher: *mut c_void, capacity: usize, out: *mut Loan) -> Status {
    // SAFETY: as above.
    let entry = unsafe { entry(publisher) };
    if let Err(code) = entry.shared.calls.require_started("publish") {
        return code;
    }
    let memory = Box::into_raw(Box::new(vec![0_u8; capacity]));
    // SAFETY: `memory` was just boxed; `out` is writable.
    unsafe {
        out.write(Loan {
            struct_size: Loan::SIZE,
            reserved: 0,
            data: (*memory).as_mut_ptr(),
            capacity,
            ctx: memory.cast(),
        });
    }
    status::OK
}

/// Takes the memory of a loan back; none for one that was used up.
///
/// # Safety
/// `loan` must come from `loan` above.
unsafe fn memory_of(loan: *mut Loan) -> Option<Vec<u8>> {
    // SAFETY: the caller vouches for the loan; its `ctx` is cleared with the first use.
    unsafe {
        let ctx = std::mem::replace(&mut (*loan).ctx, std::ptr::null_mut());
        (!ctx.is_null()).then(|| *Box::from_raw(ctx.cast::<Vec<u8>>()))
    }
}

pub(super) unsafe extern "C" fn commit(
    publisher: *mut c_void,
    stamp_ns: i64,
    loan: *mut Loan,
    len: usize,
) -> Status {
    // SAFETY: as above.
    let (entry, memory) = unsafe { (entry(publisher), memory_of(loan)) };
    match memory {
        Some(mut memory) if len <= memory.len() => {
            memory.truncate(len);
            accept(entry, stamp_ns, Payload::from_vec(memory))
        }
        _ => {
            entry.shared.calls.note(format!("a loan on `{}` was misused", entry.topic.name));
            status::INVALID_ARG
        }
    }
}

pub(super) unsafe extern "C" fn abandon(_: *mut c_void, loan: *mut Loan) {
    // SAFETY: as above.
    drop(unsafe { memory_of(loan) });
}
