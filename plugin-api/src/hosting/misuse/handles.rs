//! Wrong calls of the functions that are not declared by the macro: those of topics, services, threads and encodings.

use std::ffi::c_void;

use bridgehead_abi::encodings::{ENCODING_JSON, HostEncodings};
use bridgehead_abi::host::{HostBus, HostServices, HostThreads, Loan, ServiceRequest, ThreadBody};
use bridgehead_abi::message::{Buffer, Message, Qos as RawQos};
use bridgehead_abi::{Host, Str, extension as id, status};

use super::super::bus::local;
use super::super::{Function, Place};
use super::{Chooser, Encoded, Text, leaked, misaligned, of};
use crate::host::{Extension, HostHandle, Qos};

/// The functions that are called here.
pub const FUNCTIONS: &[Function] = &[
    local(id::BUS, "bus.advertise", Place::Main),
    local(id::BUS, "bus.subscribe", Place::Main),
    local(id::BUS, "bus.listeners", Place::Any),
    local(id::BUS, "bus.publish", Place::Any),
    local(id::BUS, "bus.loan", Place::Any),
    local(id::BUS, "bus.commit", Place::Any),
    local(id::BUS, "bus.take", Place::Any),
    local(id::SERVICES, "services.advertise", Place::Main),
    local(id::SERVICES, "services.take", Place::Any),
    local(id::SERVICES, "services.reply", Place::Any),
    local(id::THREADS, "threads.spawn", Place::Any),
    local(id::ENCODINGS, "encodings.encode", Place::Any),
    local(id::ENCODINGS, "encodings.decode", Place::Any),
    local(id::ENCODINGS, "encodings.number", Place::Any),
    local(id::ENCODINGS, "encodings.numbers", Place::Any),
    local(id::ENCODINGS, "encodings.text", Place::Any),
];

fn named(name: &str) -> &'static Function {
    FUNCTIONS.iter().find(|function| function.name == name).unwrap_or(&FUNCTIONS[0])
}

/// Calls all of them wrongly.
pub(super) fn all(host: HostHandle, is_step: bool, answers: &mut Vec<String>) {
    with(host, id::BUS, |table: &HostBus, host| bus(table, host, is_step, answers));
    with(host, id::SERVICES, |table: &HostServices, host| services(table, host, is_step, answers));
    with(host, id::THREADS, |table: &HostThreads, host| threads(table, host, is_step, answers));
    with(host, id::ENCODINGS, |table: &HostEncodings, host| encodings(table, host, is_step, answers));
}

fn with<T>(host: HostHandle, id: &'static str, call: impl FnOnce(&T, *const Host)) {
    // SAFETY: the id is that of the table.
    let Ok(extension) = (unsafe { Extension::<T>::look_up(host, id) }) else { return };
    drop(extension.with(call));
}

impl Chooser {
    /// A result of this size.
    fn sized<T>(&mut self, blank: T) -> *mut T {
        let short = leaked([0_u64; 64]).cast();
        let wrong = vec![("null", std::ptr::null_mut()), ("misaligned", misaligned()), ("short", short)];
        self.choose("result", leaked(blank), wrong)
    }

    /// There is no handle that is right.
    fn handle(&mut self) -> *mut c_void {
        self.choose("handle", std::ptr::null_mut(), vec![("null", std::ptr::null_mut())])
    }
}

fn blank_loan() -> Loan {
    let (data, ctx) = (std::ptr::null_mut(), std::ptr::null_mut());
    Loan { struct_size: Loan::SIZE, reserved: 0, data, capacity: 0, ctx }
}

fn bus(table: &HostBus, on: *const Host, is_step: bool, answers: &mut Vec<String>) {
    let open = [("bus.advertise", table.advertise), ("bus.subscribe", table.subscribe)];
    for (name, function) in open {
        of(named(name), is_step, answers, |chooser| {
            let (host, topic) = (chooser.host(on), chooser.argument::<Text>("topic"));
            let type_name = chooser.argument::<Text>("type");
            let qos: *const RawQos = chooser.choose(
                "quality of service",
                leaked(Qos::default().to_abi()).cast_const(),
                vec![("null", std::ptr::null()), ("misaligned", misaligned::<RawQos>().cast_const())],
            );
            let out = chooser.memory("result");
            // SAFETY: what is wrong is recognised before it is used.
            chooser.is_made().then(|| unsafe { function(host, topic, type_name, qos, out) })
        });
    }
    of(named("bus.listeners"), is_step, answers, |chooser| {
        let handle = chooser.handle();
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { u64::from((table.listeners)(handle)) })
    });
    of(named("bus.publish"), is_step, answers, |chooser| {
        let handle = chooser.handle();
        let payload: *const Buffer = std::ptr::null();
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.publish)(handle, 0, payload) })
    });
    of(named("bus.loan"), is_step, answers, |chooser| {
        let handle = chooser.handle();
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.loan)(handle, 1, leaked(blank_loan())) })
    });
    of(named("bus.commit"), is_step, answers, |chooser| {
        let handle = chooser.handle();
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.commit)(handle, 0, leaked(blank_loan()), 1) })
    });
    of(named("bus.take"), is_step, answers, |chooser| {
        let handle = chooser.handle();
        let out: *mut Message = chooser.sized(crate::host::empty_message());
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.take)(handle, out) })
    });
}

fn services(table: &HostServices, on: *const Host, is_step: bool, answers: &mut Vec<String>) {
    of(named("services.advertise"), is_step, answers, |chooser| {
        let host = chooser.host(on);
        let [name, request, response] =
            ["name", "request", "response"].map(|what| chooser.argument::<Text>(what));
        let out = chooser.memory("result");
        // SAFETY: what is wrong is recognised before it is used.
        chooser.is_made().then(|| unsafe { (table.advertise)(host, name, request, response, out) })
    });
    of(named("services.take"), is_step, answers, |chooser| {
        let handle = chooser.handle();
        let (struct_size, payload) = (ServiceRequest::SIZE, std::ptr::null());
        let out = chooser.sized(ServiceRequest { struct_size, reserved: 0, id: 0, payload });
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.take)(handle, out) })
    });
    of(named("services.reply"), is_step, answers, |chooser| {
        let (handle, payload) = (chooser.handle(), chooser.argument::<Encoded>("payload"));
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.reply)(handle, 1, status::OK, payload) })
    });
}

fn threads(table: &HostThreads, on: *const Host, is_step: bool, answers: &mut Vec<String>) {
    of(named("threads.spawn"), is_step, answers, |chooser| {
        let (host, name) = (chooser.host(on), chooser.argument::<super::Words>("name"));
        let body: *const ThreadBody = chooser.choose(
            "body",
            std::ptr::null(),
            vec![("null", std::ptr::null()), ("misaligned", misaligned::<ThreadBody>().cast_const())],
        );
        // SAFETY: what is wrong is recognised before it is used.
        chooser.is_made().then(|| unsafe { (table.spawn)(host, name, body) })
    });
}

fn encodings(table: &HostEncodings, on: *const Host, is_step: bool, answers: &mut Vec<String>) {
    /// The first type, which every host has.
    const TYPE: u32 = 1;
    let convert = [("encodings.encode", table.encode), ("encodings.decode", table.decode)];
    for (name, function) in convert {
        of(named(name), is_step, answers, |chooser| {
            let (host, bytes) = (chooser.host(on), chooser.argument::<Encoded>("payload"));
            let out = chooser.memory("result");
            // SAFETY: what is wrong is recognised before it is used.
            chooser.is_made().then(|| unsafe { function(host, TYPE, ENCODING_JSON, bytes, out) })
        });
    }
    of(named("encodings.number"), is_step, answers, |chooser| {
        let (host, bytes) = (chooser.host(on), chooser.argument::<Encoded>("payload"));
        let (field, out) = (chooser.argument::<Text>("field"), chooser.memory("result"));
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.number)(host, TYPE, bytes, field, out) })
    });
    of(named("encodings.numbers"), is_step, answers, |chooser| {
        let (host, bytes) = (chooser.host(on), chooser.argument::<Encoded>("payload"));
        let field = chooser.argument::<Text>("field");
        let (out, count) = (chooser.memory("result"), chooser.memory("number"));
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.numbers)(host, TYPE, bytes, field, out, 1, count) })
    });
    of(named("encodings.text"), is_step, answers, |chooser| {
        let (host, bytes) = (chooser.host(on), chooser.argument::<Encoded>("payload"));
        let (field, out) = (chooser.argument::<Text>("field"), chooser.memory::<Str>("result"));
        // SAFETY: as above.
        chooser.is_made().then(|| unsafe { (table.text)(host, TYPE, bytes, field, out) })
    });
}
