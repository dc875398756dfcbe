//! Accelerations of entities. Plain values.

use std::sync::Arc;

use bridgehead_sdf::pose::DVec3;

/// Acceleration of an entity in the last step, world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Acceleration {
    /// Of the origin of the model frame, m/s².
    pub linear: DVec3,
    /// rad/s².
    pub angular: DVec3,
}

/// Velocities of the last step, for accelerations.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    /// The entity revision of the kept velocities; `None` before the next step.
    pub(super) entity_revision: Option<Arc<()>>,
}
