//! Plugins that change the entities of the world: the detachable joint carries another model until a message requests
//! its release, and breadcrumbs places copies of a model. They run on the simulation thread.

mod breadcrumbs;
mod detachable_joint;

use bridgehead_plugin_api::export_plugin;

use crate::breadcrumbs::Breadcrumbs;
use crate::detachable_joint::DetachableJoint;

export_plugin! {
    model DetachableJoint { id: "org.bridgehead.actuator.detachable_joint", name: "detachable_joint", vendor: "Bridgehead" }
    model Breadcrumbs { id: "org.bridgehead.actuator.breadcrumbs", name: "breadcrumbs", vendor: "Bridgehead" }
}
