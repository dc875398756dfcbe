//! The services of the run as ROS 2 services.
//!
//! [`instance_services`] are those of one instance: each is offered by the transport, which has requests decoded by a
//! [`responder`], hands them to the [`callee`], and has the responses encoded. [`codec`] converts them; a call that fails is
//! answered with a [`failure_response`]; [`generation`] is the version of `simulation_interfaces`.
//!
//! An action is three services and two topics ([`crate::action`]); its services are offered like all others, and
//! their replies are sent when the host responds.

pub mod callee;
pub mod codec;
pub mod codes;
mod definition;
mod failure_response;
pub mod generation;
pub mod instance_services;
pub mod responder;
