//! Names and places of elements of a world file. Plain functions.

use std::sync::Arc;

use bridgehead_sdf::Origin;
use bridgehead_sdf::element::Plugin;
use bridgehead_sdf::params::Place;
use bridgehead_sdf::resolved::Model;

/// Converts a scoped name to a path: `arm::hand` to `arm/hand`.
pub(super) fn scoped(name: &str) -> String {
    name.replace("::", "/")
}

pub(super) fn element_name(plugin: &Plugin) -> String {
    if plugin.name.is_empty() { plugin.filename.clone() } else { plugin.name.clone() }
}

pub(super) fn place_of(origin: &Origin) -> Option<Place> {
    let location = origin.location()?;
    Some(Place { file: Arc::clone(&location.file), line: location.line })
}

pub(super) fn has_plugins(model: &Model) -> bool {
    !model.plugins.is_empty()
        || model.links.iter().any(|link| !link.sensors.is_empty())
        || model.joints.iter().any(|joint| !joint.sensors.is_empty())
        || model.submodels.iter().any(|submodel| !submodel.plugins.is_empty())
}
