//! Topics of the run for ROS 2, by the descriptors of their messages.
//!
//! - [`outgoing`] carries a topic out, [`incoming`] brings one in; both are made when the host asks, and have DDS below
//!   them while the bridge is connected.
//! - [`profile`] is the quality of service that ROS users expect.
//! - [`statics`] keeps the transforms that do not change, [`description`] the URDF of a vehicle, [`clock`] the time where
//!   no plugin publishes it.
//! - [`session`] is what they are connected to.

pub(crate) mod clock;
pub(crate) mod description;
pub(crate) mod incoming;
pub(crate) mod outgoing;
mod profile;
pub(crate) mod session;
mod statics;

use bridgehead_plugin_api::bridge::TypeInfo;
use bridgehead_plugin_api::messages::{CdrPlan, Schema};
use bridgehead_plugin_api::{Error, Result};

/// A type no message of which can be sent.
const TYPE: &str = "BH-ROS-006";

/// What turns messages of a type into CDR and back.
fn plan(of: TypeInfo<'_>) -> Result<CdrPlan> {
    let schema = Schema::new(of.descriptor_set.to_vec(), of.name.to_owned());
    plan_of(&schema)
}

pub(crate) fn plan_of(schema: &Schema) -> Result<CdrPlan> {
    let message = schema
        .resolve()
        .map_err(|error| Error::unsupported(format!("`{}`: {error} [{TYPE}]", schema.full_name())))?;
    Ok(CdrPlan::compile(&message))
}

/// The DDS type of a plan's messages.
fn dds_type(plan: &CdrPlan) -> String {
    plan.message_type().ros_type().dds()
}
