//! What is left of removed instances. Plain values.

use std::sync::Arc;

use crate::bus::Subscription;
use crate::model_plugin::fault::LabelledFault;
use crate::report::PluginResult;

/// Result of removing instances.
#[derive(Default)]
pub struct Removed {
    /// Faults of `stop`.
    pub faults: Vec<LabelledFault>,
    /// Results of the removed instances.
    pub results: Vec<PluginResult>,
    /// One message for each instance that could not be destroyed.
    pub problems: Vec<String>,
    /// Their subscriptions, to be removed from the router.
    pub subscriptions: Vec<Arc<Subscription>>,
}
