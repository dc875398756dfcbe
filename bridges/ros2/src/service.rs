//! The services of the run as ROS 2 services: one server each, for the world and all vehicles alike.
//!
//! [`services`] offers each service of the host as a [`server`]: requests are decoded ([`codec`]) and handed to the host.
//! Its [`reply_sender`] encodes the responses; one thread ([`replies`]) has them sent to the reader of the [`client`] that
//! called. [`instance_services`] are the services of one instance. [`identity`] relates a reply to its request; ROS 2 has
//! two ways to transmit it ([`mapping`]). [`name`] makes DDS names; [`generation`] is the version of
//! `simulation_interfaces`.
//!
//! An action is three services and two topics ([`crate::action`]); its services are offered like all others, and
//! their replies are sent when the host responds.

mod client;
mod codec;
mod codes;
mod failure_response;
mod generation;
mod identity;
mod instance_services;
mod mapping;
mod name;
mod replies;
mod reply_sender;
mod reply_writer;
mod server;
mod services;

pub(crate) use generation::Generation;
pub(crate) use instance_services::{InstanceServices, ServiceRegistration};
pub(crate) use mapping::Mapping;
pub(crate) use services::{ServiceOptions, Services, TakenNames};
