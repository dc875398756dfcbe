//! The bridge to CLOiSim's clients: an unmodified `cloisim_ros` finds our worlds, hears their sensors and drives
//! their robots.
//!
//! In the order a device comes to be and a message takes:
//!
//! 1. [`bridge`] is the plugin itself: what the host calls, and on which thread; [`connection`] reads its string.
//! 2. [`service`] is what all instances with one service address share; [`member`] is what each of them brings.
//! 3. [`device`] says which devices a world has, purely from its description ([`describe`], [`xml`]); [`info`] what
//!    each tells of itself; [`ports`] which port is whose.
//! 4. [`device_server`] serves one device; [`convert`] turns messages into those of CLOiSim ([`msgs`]) and commands back.
//! 5. [`publish_port`] sends, through a bounded [`queue`]; [`socket`] is ZeroMQ, by two libraries; [`frame`] and [`tag`] are
//!    what is on the wire.
//! 6. [`discovery`] is the WebSocket on which clients ask what there is, in a JSON of their own ([`pseudo_json`]);
//!    [`reset`] tells a client that the simulation was reset.
//!
//! Only [`bridge`], [`describe`] and [`member`] know the host; everything else is plain code with tests of its own.

mod bridge;
mod codes;
mod connection;
mod convert;
mod describe;
mod device;
mod device_server;
mod discovery;
pub mod frame;
mod info;
mod lock;
mod member;
pub mod msgs;
mod ports;
mod pose;
mod pseudo_json;
mod publish_port;
mod queue;
mod repeat_counter;
mod reset;
mod service;
pub mod socket;
pub mod tag;
mod wall;
mod xml;

use bridge::CloisimBridge;

bridgehead_plugin_api::export_plugin! {
    bridge CloisimBridge {
        id: "org.bridgehead.bridge.cloisim",
        name: "cloisim",
        vendor: "Bridgehead",
        requires: ["bridgehead.clock/1", "bridgehead.description/1", "bridgehead.model/1"],
    }
}
