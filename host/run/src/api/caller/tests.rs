//! Late calls, careless results and sizes.

use std::ffi::c_void;
use std::sync::Arc;

use bridgehead_abi::host::{HostBus, Loan};
use bridgehead_abi::message::Qos;
use bridgehead_abi::{Message, Str, extension};
use bridgehead_plugin_api::messages::Message as _;
use bridgehead_plugin_api::messages::std_msgs::Bool;
use bridgehead_plugin_api::{Payload, rules};

use super::*;
use crate::api::check::check_size;
use crate::api::context::params::ParamsView;
use crate::api::{Owner, Retired, Shared};
use crate::world::Attachment;

fn context_of(shared: &Arc<Shared>, label: &str) -> Arc<Context> {
    let attachment = Attachment { vehicle: label.to_owned(), ..Attachment::default() };
    Context::new(Owner::Model, label.to_owned(), Arc::clone(shared), ParamsView::default(), attachment)
}

/// Returns the bus of an instance and a publisher of it.
fn publisher_of(context: &Arc<Context>) -> (&'static HostBus, *mut c_void) {
    let host = context.host();
    let qos = Qos { struct_size: Qos::SIZE, reliability: 0, durability: 0, depth: 0, reserved: [0; 2] };
    let mut publisher = std::ptr::null_mut();
    // SAFETY: the host object is alive, the extension is a bus, and all arguments live for the calls.
    let bus = unsafe { &*((*host).get_extension)(host, Str::new(extension::BUS)).cast::<HostBus>() };
    let (topic, name) = (Str::new("x"), Str::new(Bool::FULL_NAME));
    // SAFETY: as above.
    let advertise = || unsafe { (bus.advertise)(host, topic, name, &raw const qos, &raw mut publisher) };
    let code = call::during(&context.label, "awake", advertise);
    assert_eq!(code, status::OK);
    (bus, publisher)
}

fn shared() -> Arc<Shared> {
    let shared = Shared::new(0);
    shared.types.register(Bool::FULL_NAME, Bool::DESCRIPTOR_SET, "test").expect("registered");
    shared
}

fn loan() -> Loan {
    Loan {
        struct_size: Loan::SIZE,
        reserved: 0,
        data: std::ptr::null_mut(),
        capacity: 0,
        ctx: std::ptr::null_mut(),
    }
}

#[test]
fn a_destroyed_instance_is_refused_as_long_as_it_is_kept() {
    let shared = shared();
    let context = context_of(&shared, "gone");
    let (bus, publisher) = publisher_of(&context);
    let (host, kept) = (context.host(), Arc::downgrade(&context));
    let mut loan = loan();
    // SAFETY: the context is alive; the loan is writable.
    assert_eq!(unsafe { (bus.loan)(publisher, 1, &raw mut loan) }, status::OK);
    // SAFETY: as above.
    unsafe { (bus.abandon)(publisher, &raw mut loan) };
    context.retire();
    // SAFETY: the context is retired, and kept for these calls.
    unsafe {
        assert_eq!((bus.loan)(publisher, 1, &raw mut loan), status::WRONG_STATE);
        assert!(((*host).get_extension)(host, Str::new(extension::BUS)).is_null());
    }
    let reports = call::take_breaches_of("`gone`");
    assert!(reports.iter().any(|report| report.contains("[BH-PLG-130]") && report.contains("`gone`")));
    (0..Retired::MAX).for_each(|number| context_of(&shared, &format!("other{number}")).retire());
    assert!(kept.upgrade().is_none(), "memory stays bounded");
    let last = context_of(&shared, "last");
    let host = last.host();
    last.retire();
    shared.retired.keep_for_good();
    // SAFETY: the context is kept for good.
    unsafe { assert!(((*host).get_extension)(host, Str::new(extension::BUS)).is_null()) };
    assert!(!call::take_breaches_of("`last`").is_empty(), "named also after the end of the run");
}

#[test]
fn a_result_needs_its_size_and_a_handle_its_kind() {
    let shared = shared();
    let context = context_of(&shared, "careless");
    let (bus, publisher) = publisher_of(&context);
    let mut small = Loan { struct_size: 4, ..loan() };
    let mut message = std::mem::MaybeUninit::<Message>::zeroed();
    // SAFETY: the handle is the instance's own; both results are as large as their types, whatever they say.
    unsafe {
        assert_eq!((bus.loan)(publisher, 1, &raw mut small), status::INVALID_ARG);
        (&raw mut (*message.as_mut_ptr()).struct_size).write(Message::SIZE);
        assert_eq!((bus.take)(publisher, message.as_mut_ptr()), status::INVALID_ARG);
        assert_eq!((bus.take)(std::ptr::null_mut(), message.as_mut_ptr()), status::INVALID_ARG);
        assert_eq!((bus.listeners)(publisher.wrapping_byte_add(1)), 0);
    }
}

#[test]
fn a_size_at_the_limit_is_accepted() {
    assert_eq!(check_size("x", rules::MAX_PAYLOAD, "bus.loan"), Ok(()));
    assert_eq!(check_size("x", rules::MAX_PAYLOAD + 1, "bus.loan"), Err(status::INVALID_ARG));
}

#[test]
fn null_payloads_and_other_handles_are_refused() {
    let shared = shared();
    let context = context_of(&shared, "null");
    let (bus, publisher) = publisher_of(&context);
    let payload = Payload::from_vec(vec![1]);
    let null: *mut c_void = std::ptr::null_mut();
    // SAFETY: handle and payload are alive, or null.
    unsafe {
        assert_eq!((bus.publish)(publisher, 0, payload.as_raw()), status::OK);
        assert_eq!((bus.publish)(publisher, 0, null.cast()), status::INVALID_ARG);
        assert_eq!((bus.publish)(null, 0, payload.as_raw()), status::INVALID_ARG);
        assert_eq!((bus.publish)(publisher.wrapping_byte_add(1), 0, payload.as_raw()), status::INVALID_ARG);
    }
    let mut waiting = Vec::new();
    context.outbox.drain_into(&mut waiting);
    assert_eq!(waiting.len(), 1);
}
