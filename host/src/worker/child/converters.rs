//! The converters of the library in a worker: counted for the report that they are not used.

use std::sync::atomic::{AtomicU32, Ordering};

use bridgehead_abi::bridge::{BridgeConverters, BridgeInfo, Converter, ConverterRegistrar};
use bridgehead_abi::{Status, Str, status};

use super::super::wire::Returned;
use crate::call;
use crate::guard::host_call;

/// A registrar that counts. The ABI struct is the first field, so that both have one address.
#[repr(C)]
struct CountingRegistrar {
    abi: ConverterRegistrar,
    count: AtomicU32,
}

/// Returns how many converters the library, whose first plugin is `owner`, registers for a bridge.
pub(super) fn count(
    owner: &str,
    converters: Option<&BridgeConverters>,
    (id, name): (&str, &str),
) -> Returned {
    let Some(converters) = converters else { return status::OK.into() };
    let abi = ConverterRegistrar {
        struct_size: ConverterRegistrar::SIZE,
        reserved: 0,
        ctx: std::ptr::null_mut(),
        add_publisher: add,
        add_subscriber: add,
    };
    let registrar = CountingRegistrar { abi, count: AtomicU32::new(0) };
    let bridge =
        BridgeInfo { struct_size: BridgeInfo::SIZE, reserved: 0, id: Str::new(id), name: Str::new(name) };
    // Of the whole registrar: a closure would capture a reference to `abi` alone, which says that the count stays the same.
    let whole = (&raw const registrar).cast::<ConverterRegistrar>();
    // SAFETY: the loader has checked the table; bridge and registrar live for the call.
    let register = || unsafe { (converters.register)(&raw const bridge, whole) };
    let code = call::during(owner, "converters", register);
    Returned { status: code, value: registrar.count.into_inner(), connection: None }
}

unsafe extern "C" fn add(
    registrar: *const ConverterRegistrar,
    _data_type: Str,
    _bridge_type: Str,
    _converter: *const Converter,
) -> Status {
    host_call("converter_registrar.add", status::PANIC, || {
        // SAFETY: the plugin passes back its registrar.
        unsafe { &*registrar.cast::<CountingRegistrar>() }.count.fetch_add(1, Ordering::Relaxed);
        status::OK
    })
}
