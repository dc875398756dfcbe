//! The converters that a model plugin brings for a bridge, called as the host calls them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use bridgehead_abi as abi;
use bridgehead_abi::bridge as raw;
use bridgehead_abi::{Status, Str, status};

use super::calls::Class;
use super::host::{TestHost, of_test};
use super::outcome::Outcome;
use crate::error::{Error, Result};
use crate::export;
use crate::host::empty_message;
use crate::model::ModelPlugin;
use crate::objects::{Callback, ConverterRegistrarObject, Offered};
use crate::payload::Payload;

/// What [`ModelPlugin::converters`] registered for one bridge.
#[derive(Default)]
pub struct TestConverters {
    publishers: Pairs,
    subscribers: Pairs,
}

/// Converters by data type and bridge type.
type Pairs = BTreeMap<(String, String), Callback<raw::Converter>>;

impl TestConverters {
    /// Shows the plugin a bridge.
    ///
    /// # Errors
    /// How the registration ended, where it failed.
    #[track_caller]
    pub fn of<P: ModelPlugin>(bridge_id: &str, bridge_name: &str) -> Result<Self, Outcome> {
        let host = TestHost::new();
        let (id, name) = (Str::new(bridge_id), Str::new(bridge_name));
        let info = raw::BridgeInfo { struct_size: raw::BridgeInfo::SIZE, reserved: 0, id, name };
        let converters = RefCell::default();
        let registrar = Offered::<raw::ConverterRegistrar, _>::new(TestRegistrar { host, converters });
        let outcome = host.call("converters", Class::Main, || {
            // SAFETY: both structs live for the call.
            unsafe { export::converters::<P>(host.handle(), &raw const info, registrar.as_raw()) }
        });
        if outcome.is_done() { Ok(registrar.into_inner().converters.into_inner()) } else { Err(outcome) }
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
    let (mut code, mut len) = converter.convert(&message, &mut output);
    if code == status::WOULD_BLOCK {
        output.resize(len, 0);
        (code, len) = converter.convert(&message, &mut output);
    }
    Error::check(code, "the converter")?;
    output.truncate(len);
    Ok(output)
}

/// A registrar that keeps what it is told.
struct TestRegistrar {
    host: TestHost,
    converters: RefCell<TestConverters>,
}

of_test!(TestRegistrar);

fn insert(pairs: &mut Pairs, data: &str, bridge: &str, converter: Callback<raw::Converter>) -> Status {
    // A data type has one form on the bridge's side.
    if pairs.keys().any(|(known, _)| known == data) {
        return status::EXISTS;
    }
    pairs.insert((data.to_owned(), bridge.to_owned()), converter);
    status::OK
}

impl ConverterRegistrarObject for TestRegistrar {
    fn add_publisher(&self, data: &str, bridge: &str, converter: Callback<raw::Converter>) -> Status {
        insert(&mut self.converters.borrow_mut().publishers, data, bridge, converter)
    }

    fn add_subscriber(&self, data: &str, bridge: &str, converter: Callback<raw::Converter>) -> Status {
        insert(&mut self.converters.borrow_mut().subscribers, data, bridge, converter)
    }
}
