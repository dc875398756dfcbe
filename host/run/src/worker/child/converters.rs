//! The converters of the library in a worker: counted for the report that they are not used.

use std::sync::atomic::{AtomicU32, Ordering};

use bridgehead_abi::bridge::{BridgeConverters, BridgeInfo, Converter, ConverterRegistrar};
use bridgehead_abi::{Status, Str, status};
use bridgehead_plugin_api::objects::{Callback, ConverterRegistrarObject, Offered};

use super::super::wire::Returned;
use crate::api::hosting::host_object;
use crate::call;

/// A registrar that counts.
#[derive(Default)]
struct CountingRegistrar {
    count: AtomicU32,
}

host_object!(CountingRegistrar, |_| None);

/// Returns how many converters the library, whose first plugin is `owner`, registers for a bridge.
pub(super) fn count(
    owner: &str,
    converters: Option<&BridgeConverters>,
    (id, name): (&str, &str),
) -> Returned {
    let Some(converters) = converters else { return status::OK.into() };
    let registrar = Offered::<ConverterRegistrar, _>::new(CountingRegistrar::default());
    let bridge =
        BridgeInfo { struct_size: BridgeInfo::SIZE, reserved: 0, id: Str::new(id), name: Str::new(name) };
    // SAFETY: the loader has checked the table; bridge and registrar live for the call.
    let register = || unsafe { (converters.register)(&raw const bridge, registrar.as_raw()) };
    let code = call::during(owner, "converters", register);
    Returned { status: code, value: registrar.count.load(Ordering::Relaxed), connection: None }
}

impl ConverterRegistrarObject for CountingRegistrar {
    fn add_publisher(&self, _: &str, _: &str, _: Callback<Converter>) -> Status {
        self.count.fetch_add(1, Ordering::Relaxed);
        status::OK
    }

    fn add_subscriber(&self, data: &str, bridge: &str, converter: Callback<Converter>) -> Status {
        self.add_publisher(data, bridge, converter)
    }
}
