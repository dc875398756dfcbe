//! The bridge to clients and servers of rosbridge v2, over WebSocket.
//!
//! 1. [`bridge`] is the plugin: what the host calls, and on which thread; [`connection`] parses its connection string.
//! 2. [`endpoint`] has the topics and services that the host opens. They exist before and after connections.
//! 3. [`hub`] is the state of one server, shared by instances with equal options: endpoints and clients.
//! 4. [`client`] is one client; [`request`] splits what it sends into requests, [`operation`] carries them out.
//! 5. [`subscription`] sends topics; [`encode`] converts messages to JSON and CBOR, once for all clients.
//! 6. [`service`] calls the services of the run, [`action`] its actions; [`rosapi`] answers questions about the run;
//!    [`relay`] passes calls on to services of clients.
//! 7. [`remote`] is the other role: a client of a rosbridge server, as LGSVL's bridge was.

mod action;
mod bridge;
mod client;
mod codes;
mod connection;
mod encode;
mod endpoint;
mod fault;
#[cfg(any(test, fuzzing))]
pub mod fuzz;
mod hub;
mod lock;
mod names;
mod operation;
mod relay;
mod remote;
mod request;
mod rosapi;
mod service;
mod subscription;
#[cfg(test)]
mod test_support;
mod wall_clock;

use bridge::RosbridgeBridge;

// A fuzzer links several bridges into one program, which must not define the entry symbol twice.
#[cfg(not(fuzzing))]
bridgehead_plugin_api::export_plugin! {
    bridge RosbridgeBridge {
        id: "org.bridgehead.bridge.rosbridge",
        name: "rosbridge",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.model/1"],
    }
}
