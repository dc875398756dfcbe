//! The services of the run over DDS: one server each, for the world and all vehicles alike.
//!
//! [`services`] offers each service as a [`server`]: requests are decoded and handed to the host. Its [`reply_sender`]
//! encodes the responses; one thread ([`replies`]) has them sent to the reader of the [`client`] that called. [`identity`]
//! relates a reply to its request; ROS 2 has two ways to transmit it over DDS ([`mapping`]). [`name`] makes DDS names.

mod client;
mod identity;
mod mapping;
mod name;
mod replies;
mod reply_sender;
mod reply_writer;
mod server;
mod services;

pub(crate) use mapping::Mapping;
pub(crate) use services::{Offered, Services, TakenNames};
