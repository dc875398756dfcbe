//! The converters that a model plugin brings for a bridge, called as the host calls them.

use std::collections::BTreeMap;

use bridgehead_abi as abi;
use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Status, Str, status};

use super::calls::Class;
use super::host::TestHost;
use super::outcome::Outcome;
use crate::error::{Error, Result};
use crate::export;
use crate::host::empty_message;
use crate::model::ModelPlugin;
use crate::payload::Payload;

/// What [`ModelPlugin::converters`] registered for one bridge.
#[derive(Default)]
pub struct TestConverters {
    publishers: Pairs,
    subscribers: Pairs,
}

/// Converters by data type and bridge type.
type Pairs = BTreeMap<(String, String), raw::Converter>;

impl TestConverters {
    /// Shows the plugin a bridge.
    ///
    /// # Errors
    /// How the registration ended, where it failed.
    #[track_caller]
    pub fn of<P: ModelPlugin>(bridge_id: &str, bridge_name: &str) -> Result<Self, Outcome> {
        let host = TestHost::new();
        let mut converters = TestConverters::default();
        let (id, name) = (Str::new(bridge_id), Str::new(bridge_name));
        let info = raw::BridgeInfo { struct_size: raw::BridgeInfo::SIZE, reserved: 0, id, name };
        let registrar = raw::ConverterRegistrar {
            struct_size: raw::ConverterRegistrar::SIZE,
            reserved: 0,
            ctx: (&raw mut converters).cast(),
            add_publisher,
            add_subscriber,
        };
        let outcome = host.call("converters", Class::Main, || {
            // SAFETY: both structs live for the call.
            unsafe { export::converters::<P>(host.handle(), &raw const info, &raw const registrar) }
        });
        if outcome.is_done() { Ok(converters) } else { Err(outcome) }
    }

    /// Data types and bridge types of the outgoing converters.
    #[must_use]
    pub fn publishers(&self) -> Vec<(&str, &str)> {
        self.publishers.keys().map(|(data, bridge)| (data.as_str(), bridge.as_str())).collect()
    }

    /// Data types and bridge types of the incoming converters.
    #[must_use]
    pub fn subscribers(&self) -> Vec<(&str, &str)> {
        self.subscribers.keys().map(|(data, bridge)| (data.as_str(), bridge.as_str())).collect()
    }

    /// Converts an encoded message of `data_type` for the bridge. The first attempt offers `capacity` bytes.
    ///
    /// # Errors
    /// Returns an error if there is no such converter, or it fails: its text is in the library's log.
    pub fn to_bridge(
        &self,
        data_type: &str,
        bridge_type: &str,
        input: &[u8],
        capacity: usize,
    ) -> Result<Vec<u8>> {
        convert(&self.publishers, data_type, bridge_type, input, capacity)
    }

    /// Converts what the bridge received into an encoded message of `data_type`.
    ///
    /// # Errors
    /// As [`TestConverters::to_bridge`].
    pub fn from_bridge(
        &self,
        data_type: &str,
        bridge_type: &str,
        input: &[u8],
        capacity: usize,
    ) -> Result<Vec<u8>> {
        convert(&self.subscribers, data_type, bridge_type, input, capacity)
    }
}

/// Calls a converter, and again with as many bytes as it says it needs.
fn convert(pairs: &Pairs, data: &str, bridge: &str, input: &[u8], capacity: usize) -> Result<Vec<u8>> {
    let Some(converter) = pairs.get(&(data.to_owned(), bridge.to_owned())) else {
        let text = format!("no converter between `{data}` and `{bridge}`");
        return Err(Error::with_status(status::NOT_FOUND, text));
    };
    let payload = Payload::from_vec(input.to_vec());
    let message = abi::Message { payload: payload.as_raw(), ..empty_message() };
    let mut output = vec![0; capacity];
    let (mut code, mut len) = attempt(converter, &message, &mut output);
    if code == status::WOULD_BLOCK {
        output.resize(len, 0);
        (code, len) = attempt(converter, &message, &mut output);
    }
    Error::check(code, "the converter")?;
    output.truncate(len);
    Ok(output)
}

/// One call: the status, and how many bytes were written or are needed.
fn attempt(converter: &raw::Converter, message: &abi::Message, output: &mut [u8]) -> (Status, usize) {
    let mut len = 0;
    // SAFETY: message, output and length live for the call.
    let code = unsafe {
        (converter.convert)(converter.user, message, output.as_mut_ptr(), output.len(), &raw mut len)
    };
    (code, len)
}

/// # Safety
/// `registrar` must be the one made in [`TestConverters::of`], during the call it was made for.
unsafe fn of<'a>(registrar: *const raw::ConverterRegistrar) -> &'a mut TestConverters {
    // SAFETY: the caller vouches for the registrar; registration runs on one thread.
    unsafe { &mut *(*registrar).ctx.cast::<TestConverters>() }
}

/// # Safety
/// Texts and converter must be alive.
unsafe fn insert(pairs: &mut Pairs, data: Str, bridge: Str, converter: *const raw::Converter) -> Status {
    // SAFETY: the caller vouches for all three.
    let (key, converter) = unsafe {
        let owned = |text: Str| String::from_utf8_lossy(text.as_bytes()).into_owned();
        ((owned(data), owned(bridge)), *converter)
    };
    // A data type has one form on the bridge's side.
    if pairs.keys().any(|(known, _)| *known == key.0) {
        return status::EXISTS;
    }
    pairs.insert(key, converter);
    status::OK
}

unsafe extern "C" fn add_publisher(
    registrar: *const raw::ConverterRegistrar,
    data_type: Str,
    bridge_type: Str,
    converter: *const raw::Converter,
) -> Status {
    // SAFETY: the plugin passes back the registrar it was given; the rest lives for the call.
    unsafe { insert(&mut of(registrar).publishers, data_type, bridge_type, converter) }
}

unsafe extern "C" fn add_subscriber(
    registrar: *const raw::ConverterRegistrar,
    data_type: Str,
    bridge_type: Str,
    converter: *const raw::Converter,
) -> Status {
    // SAFETY: as above.
    unsafe { insert(&mut of(registrar).subscribers, data_type, bridge_type, converter) }
}
