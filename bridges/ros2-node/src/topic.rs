//! Topics of the run as ROS 2 topics, converted with the descriptors of their messages.
//!
//! - [`outgoing`] sends a topic, [`incoming`] receives one; the host creates both at any time, and they have
//!   endpoints while the bridge is connected.
//! - [`profile`] is the quality of service that ROS users expect.
//! - [`sibling`] is another type that a topic accepts.
//! - [`statics`] collects static transforms, [`description`] publishes the URDF of a vehicle, [`clock`] the time if
//!   no plugin does.

pub(crate) mod clock;
pub(crate) mod description;
pub(crate) mod incoming;
pub(crate) mod outgoing;
mod profile;
pub mod sibling;
pub mod statics;

use bridgehead_plugin_api::bridge::TypeInfo;
use bridgehead_plugin_api::messages::{CdrPlan, Schema};
use bridgehead_plugin_api::{Error, Result};

/// A type whose messages cannot be sent.
const TYPE: &str = "BH-ROS-006";

/// Compiles the plan that converts messages of a type to CDR and back.
fn plan(of: TypeInfo<'_>) -> Result<CdrPlan> {
    let schema = Schema::new(of.descriptor_set.to_vec(), of.name.to_owned());
    plan_of(&schema)
}

/// Compiles the plan that converts messages of this schema to CDR and back.
///
/// # Errors
/// Returns an error if the type is not valid in ROS.
pub fn plan_of(schema: &Schema) -> Result<CdrPlan> {
    let message = schema.resolve().map_err(|error| {
        Error::unsupported(format!("[{TYPE}] `{}`: {}", schema.full_name(), error.detail()))
    })?;
    Ok(CdrPlan::compile(&message))
}
