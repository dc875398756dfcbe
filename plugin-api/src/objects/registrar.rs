//! Where plugins announce what they carry and convert.

use std::marker::PhantomData;

use bridgehead_abi::bridge::{
    Converter, ConverterRegistrar, PublisherCreator, Registrar, ServiceCreator, SubscriberCreator,
};
use bridgehead_abi::{Status, status};

use super::{Object, Offered, Place, Table};
use crate::hosting::{Argument, At, Checked, Text};

object! {
    /// Where a bridge announces what it carries. EXISTS for what was announced before.
    registrar: Registrar by this, RegistrarObject, RegistrarRef;

    /// Names a data type on the side of the bridge.
    required fn add_type(data_type: Text, bridge_type: Text);
    /// Says how publishers of a data type are made.
    required fn add_publisher(data_type: Text, creator: PublisherCreator);
    /// Says how subscribers of a data type are made.
    required fn add_subscriber(data_type: Text, creator: SubscriberCreator);
    /// Says how services of these types are made.
    required fn add_service(request: Text, response: Text, creator: ServiceCreator);
}

object! {
    /// Where a plugin adds converters between data types and types of a bridge. EXISTS for what was added before.
    converter_registrar: ConverterRegistrar by this, ConverterRegistrarObject, ConverterRegistrarRef;

    /// Messages of `data_type` reach the bridge as `bridge_type`.
    required fn add_publisher(data_type: Text, bridge_type: Text, converter: Converter);
    /// What the bridge receives as `bridge_type` reaches subscribers as `data_type`.
    required fn add_subscriber(data_type: Text, bridge_type: Text, converter: Converter);
}
