//! Messages between radios of the simulated world: endpoints on models, and brokers that decide which messages arrive.
//!
//! They have the parameters of Gazebo's systems. An endpoint tells the broker its address and its model on `/broker/bind`;
//! a sender publishes on `/broker/msgs`; the broker passes what arrives on `/broker/forward`, with the address of the
//! receiver as the frame; and the endpoint publishes it on its own topic. They run on the simulation thread.

mod acoustic;
mod broker;
mod endpoint;
mod radio;
mod window;

use bridgehead_plugin_api::export_plugin;

use crate::acoustic::AcousticComms;
use crate::broker::{PerfectComms, RfComms};
use crate::endpoint::CommsEndpoint;

/// Topic on which endpoints tell their address and model, separated by a line break.
const BIND: &str = "/broker/bind";
/// Topic on which messages are sent.
const SENT: &str = "/broker/msgs";
/// Topic from the broker to the endpoints.
const FORWARD: &str = "/broker/forward";
/// Address of all endpoints but the sender.
const EVERYBODY: &str = "broadcast";

export_plugin! {
    model AcousticComms { id: "org.bridgehead.comms.acoustic", name: "acoustic_comms", vendor: "Bridgehead" }
    model CommsEndpoint { id: "org.bridgehead.comms.endpoint", name: "comms_endpoint", vendor: "Bridgehead" }
    model PerfectComms { id: "org.bridgehead.comms.perfect", name: "perfect_comms", vendor: "Bridgehead" }
    model RfComms { id: "org.bridgehead.comms.rf", name: "rf_comms", vendor: "Bridgehead" }
}
