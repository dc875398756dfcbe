//! The host of a worker for the functions that are declared in [`hosting`](bridgehead_plugin_api::hosting): it checks what
//! the plugin passes, and asks the host of the run.

use std::cell::Cell;

use bridgehead_abi::host::LOG_TRACE;
use bridgehead_abi::{Buffer, Host, Status, status};
use bridgehead_plugin_api::Payload;
use bridgehead_plugin_api::hosting::{Asking, Breach, Checked, Function, Hosting, Place};

use super::objects::{caller_of, kept};
use super::{buffer, link};
use crate::api::check::{check_pointer, not_main, rule_of, wrong_thread};
use crate::guard::host_call;
use crate::worker::wire::{Answer, Bytes, Caller, Request};
use crate::{bus, call};

thread_local! {
    /// True within a call in which the plugin may look at the world.
    static HAS_WORLD: Cell<bool> = const { Cell::new(false) };
}

/// Makes a call in which the plugin may look at the world. If it panics, the instance is not called again.
pub(super) fn with_world<T>(call: impl FnOnce() -> T) -> T {
    HAS_WORLD.set(true);
    let returned = call();
    HAS_WORLD.set(false);
    returned
}

/// The host of the run, as one of its two host objects.
pub(super) struct Remote(Caller);

pub(super) static LIBRARY: Remote = Remote(Caller::Library);
pub(super) static INSTANCE: Remote = Remote(Caller::Instance);

impl Hosting for Remote {
    fn guarded<T>(function: &'static str, otherwise: T, body: impl FnOnce() -> T) -> T {
        host_call(function, otherwise, body)
    }

    unsafe fn entered<'a>(host: *const Host, function: &'static Function) -> Result<&'a Self, Status> {
        check_pointer("", host, "host object", function.name)?;
        match function.place {
            Place::Sim if !HAS_WORLD.get() => return Err(wrong_thread("", function.name)),
            Place::Main if call::is_step_call() => return Err(not_main("", function.name)),
            Place::Any | Place::Main | Place::Sim => {}
        }
        // The host of the run checks the rest.
        Ok(match caller_of(host) {
            Caller::Library => &LIBRARY,
            Caller::Instance => &INSTANCE,
        })
    }

    fn give(payload: Payload) -> *const Buffer {
        bus::give(payload)
    }
}

impl Checked for Remote {
    const IS_GUARDED: bool = call::IS_GUARDED;

    fn breach(&self, breach: Breach, text: &str) {
        call::breach(rule_of(breach), None, text);
    }
}

impl Remote {
    /// Which host object it is.
    pub(super) fn caller(&self) -> Caller {
        self.0
    }

    fn call<'a>(&self, function: &'static Function, arguments: Bytes<'a>) -> Request<'a> {
        Request::Host { caller: self.0, function: function.number, arguments }
    }
}

impl Asking for Remote {
    fn ask<T>(
        &self,
        function: &'static Function,
        arguments: &[u8],
        read: impl FnOnce(&[u8]) -> Option<T>,
    ) -> Result<T, Status> {
        link().ask_with(
            arguments,
            |arguments| self.call(function, arguments),
            |answer| match answer {
                Answer::Payload(bytes) => with_bytes(bytes, read).ok_or(status::INVALID_ARG),
                Answer::Status(status::OK) => read(&[]).ok_or(status::INVALID_ARG),
                other => Err(other.status()),
            },
        )
    }

    fn ask_payload(&self, function: &'static Function, arguments: &[u8]) -> Result<Payload, Status> {
        link().ask_with(
            arguments,
            |arguments| self.call(function, arguments),
            |answer| match answer {
                Answer::Payload(bytes) => Ok(buffer::payload(bytes)),
                Answer::Status(status::OK) => Ok(Payload::from_vec(Vec::new())),
                other => Err(other.status()),
            },
        )
    }

    fn keep(&self, bytes: &[u8]) -> &'static [u8] {
        kept(bytes)
    }

    fn log_enabled(&self, level: u32) -> u8 {
        u8::from(level.min(LOG_TRACE) <= log::max_level() as u32)
    }

    fn monotonic_ns(&self) -> i64 {
        crate::clock::monotonic_ns()
    }
}

/// Uses the bytes of an answer, which may be in the shared memory.
fn with_bytes<T>(bytes: Bytes<'_>, read: impl FnOnce(&[u8]) -> T) -> T {
    match bytes {
        Bytes::Inline(bytes) => read(bytes),
        Bytes::Shared { slot, len } => {
            let (Some(start), Ok(len)) = (link().memory.lent(slot, len), usize::try_from(len)) else {
                return read(&[]);
            };
            // SAFETY: the host has written so many bytes into the slot, which is ours until it is given back.
            let outcome = read(unsafe { std::slice::from_raw_parts(start, len) });
            link().memory.give_back(slot);
            outcome
        }
    }
}
