//! What an instance belongs to: its parameters, its model, and the bridges of its vehicle.

use bridgehead_abi::bridges::{BridgeState, HostBridges};
use bridgehead_abi::host::{Attachment, HostModel, HostParams, JointInfo, LinkInfo};
use bridgehead_abi::{Host, Status, Str, extension as id, status};

use super::argument::{Argument, Posted, Text};
use super::call::{Asking, Call, Refused, Served, answer, answer_bare, returned, sent, taken};
#[cfg(feature = "testing")]
use super::misuse;
use super::{At, Bare, Function, Hosting, Outcome, Place};
use crate::host::Extension;

extension! {
    /// `bridgehead.params/1`: the parameters of the instance.
    ParamsHost, params: HostParams = id::PARAMS;

    /// Returns the text of a parameter.
    any fn get(path: Text) -> Str;
    /// Returns how many elements a path names.
    any fn count(path: Text) => u64;
    /// Returns where a parameter was written.
    any fn location(path: Text) => Str;
}

extension! {
    /// `bridgehead.model/1`: what the instance is attached to, and of what its model consists.
    ModelHost, model: HostModel = id::MODEL;

    /// Describes the attachment.
    any fn attachment() -> Attachment;
    /// Describes a link by its number.
    any fn link(index: u32) -> LinkInfo;
    /// Describes a joint by its number.
    any fn joint(index: u32) -> JointInfo;
}

extension! {
    /// `bridgehead.bridges/1`: the bridges of the vehicle.
    BridgesHost, bridges: HostBridges = id::BRIDGES;

    /// Describes a bridge by its number.
    sim fn at(index: u32) -> BridgeState;
}
