//! Rules of the host that the test host keeps too, each stated once: names, depths, limits, what a call refuses
//! and in which words.
//!
//! This module is for the host itself. Plugins meet the rules as statuses and texts of calls; nothing here is part of
//! the interface of the SDK, and it may change with every version.

mod command;
mod encodings;
mod limits;
mod names;
mod offers;
mod scope;

pub use self::command::{
    CommandFault, MAX_DISTANCE, NO_MODEL, check_effort, check_force_at, check_motion, check_plane,
    check_points, check_pose, check_position, check_range, check_requested_motion, check_requested_targets,
    check_slips, check_surface, check_velocity, check_wrench, no_such_handle,
};
pub(crate) use self::encodings::Failure;
pub use self::encodings::TypePlans;
pub use self::limits::{
    MAX_ENDPOINTS, MAX_PAYLOAD, MAX_RAYS, MAX_TEXT, MAX_TOPICS, OUTBOX, Room, TX_QUEUE, TransmitEnd, fits,
    has_room, subscription_depth,
};
pub use self::names::{
    NameFault, Resolved, full_name, no_such_service, not_of_type, resolve_topic, service_taken,
    service_type_unregistered, type_conflict, type_unregistered, wrong_request, wrong_type_of_subscriber,
};
pub use self::offers::{Caller, is_offered};
pub use self::scope::scoped_name;
use crate::abi;
use crate::host::Qos;

/// Quality of service as the ABI passes it.
#[must_use]
pub fn raw_qos(qos: Qos) -> abi::message::Qos {
    qos.to_abi()
}
