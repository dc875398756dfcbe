//! Messages of the host: types, descriptions, the scene; and calls of services.

use bridgehead_abi::actions::HostActions;
use bridgehead_abi::calls::HostServiceCalls;
use bridgehead_abi::description::HostDescription;
use bridgehead_abi::host::HostTypes;
use bridgehead_abi::message::TypeDesc;
use bridgehead_abi::scene::HostScene;
use bridgehead_abi::{Host, Status, extension as id, status};

use super::argument::{Argument, Encoded, Message, Posted, Text};
use super::call::{Asking, Call, Refused, Served, answer, answer_bare, returned, sent, taken};
#[cfg(feature = "testing")]
use super::misuse;
use super::record::{NewType, TypeRecord};
use super::{At, Bare, Function, Hosting, Outcome, Place};
use crate::Payload;
use crate::host::Extension;

extension! {
    /// `bridgehead.types/1`: message types.
    TypesHost, types: HostTypes = id::TYPES;

    /// Registers a type and returns its id.
    any fn register(description: TypeRecord) -> u32;
    /// Finds a type by its name.
    any fn find(name: Text) -> TypeDesc;
    /// Describes a type by its id.
    any fn describe(type_id: u32) -> TypeDesc;
}

extension! {
    /// `bridgehead.description/1`: what the world consists of.
    DescriptionHost, description: HostDescription = id::DESCRIPTION;

    /// Returns a number that grows with each change.
    any fn revision() => u64;
    /// Returns the description.
    any fn read() -> Payload;
}

extension! {
    /// `bridgehead.scene/1`: what the world looks like.
    SceneHost, scene: HostScene = id::SCENE;

    /// Returns a number that grows with each change.
    any fn revision() => u64;
    /// Returns the scene.
    any fn read() -> Payload;
    /// Returns a mesh or texture by its hash.
    any fn asset(hash: Text) -> Payload;
    /// Returns the poses of the nodes.
    any fn poses(timeout_ns: i64) -> Payload;
}

extension! {
    /// `bridgehead.actions/1`: which services and topics are an action.
    ActionsHost, actions: HostActions = id::ACTIONS;

    /// Returns the descriptions.
    any fn read() -> Payload;
}

extension! {
    /// `bridgehead.service-calls/1`: calls of services.
    ServiceCallsHost, service_calls: HostServiceCalls = id::SERVICE_CALLS;

    /// Calls a service.
    sim fn call(name: Text, request_type: Text, request: Encoded);
}
