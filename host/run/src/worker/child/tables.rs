//! The tables of the functions that a plugin in a worker calls.

use std::ffi::c_void;

use bridgehead_abi::extension;
use bridgehead_plugin_api::hosting;

use super::super::wire::{Answer, Request};
use super::link;
use super::remote::Remote;

/// The table of an extension; null for an unknown one.
pub(super) fn table_of(id: &str) -> *const c_void {
    fn table<T>(table: &'static T) -> *const c_void {
        std::ptr::from_ref(table).cast()
    }
    match id {
        extension::ENCODINGS => table(hosting::encodings_table::<Remote>()),
        extension::THREADS => table(hosting::threads_table::<Remote>()),
        extension::BUS => table(hosting::bus_table::<Remote>(false)),
        extension::SERVICES => table(hosting::services_table::<Remote>()),
        _ => hosting::table::<Remote>(id).unwrap_or(std::ptr::null()),
    }
}

/// Asks for a number; the given one if there is no answer.
pub(super) fn ask_number(request: Request<'_>, otherwise: u64) -> u64 {
    link().ask(request, |answer| match answer {
        Answer::Number(number) => number,
        _ => otherwise,
    })
}
