//! What models, parts and frames are called on the wire.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, ModelDescription, WorldDescription,
};

use super::Kind;
use super::table::{Row, is_cloisim};

/// The model that devices of the world belong to.
pub(crate) const WORLD: &str = "World";

/// The last part of a scoped name: `hand` of `car1::arm::hand`.
pub(crate) fn local(scoped: &str) -> &str {
    scoped.rsplit("::").next().unwrap_or(scoped)
}

/// A name that ROS takes as a namespace or a node: letters, digits and `_`, no digit first.
pub(crate) fn usable(name: &str) -> String {
    let mut usable: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if usable.chars().next().is_none_or(|first| first.is_ascii_digit()) {
        usable.insert(0, '_');
    }
    usable
}

/// A frame as clients write it: no `::`, no leading `/`.
pub(crate) fn frame(frame: &str) -> String {
    frame.replace("::", "_").trim_start_matches('/').to_owned()
}

/// A frame or a scoped name of ours as clients of one vehicle write it: without the vehicle, which is their namespace.
/// `None` for what belongs to another vehicle.
pub(crate) fn frame_in(vehicle: &str, name: &str) -> Option<String> {
    let name = name.trim_start_matches('/');
    let inside =
        match name.strip_prefix(vehicle).map(|rest| (rest, rest.starts_with('/'), rest.starts_with("::"))) {
            Some((rest, true, _)) => rest.get(1..)?,
            Some((rest, _, true)) => rest.get(2..)?,
            _ if vehicle.is_empty() || !name.contains(['/', ':']) => name,
            _ => return None,
        };
    Some(inside.replace("::", "_").replace('/', "_"))
}

/// The same for what is known to be the vehicle's own.
pub(crate) fn own_frame(vehicle: &str, name: &str) -> String {
    frame_in(vehicle, name).unwrap_or_else(|| frame(name).replace('/', "_"))
}

/// Whether a model has this scoped name.
pub(crate) fn is_named(model: &ModelDescription, name: &str) -> bool {
    model.name == name
}

/// What a device is called in its model.
pub(super) fn parts(
    world: &WorldDescription,
    element: &ElementDescription,
    companion: Option<&ElementDescription>,
    row: &Row,
) -> String {
    if row.kind == Kind::Micom {
        return "Micom".to_owned();
    }
    if element.vehicle.is_empty() {
        return row.classes.first().copied().unwrap_or(&element.name).to_owned();
    }
    if element.kind != "sensor" {
        return usable(local(&element.model));
    }
    let carrier = if element.model == element.vehicle { &element.link } else { &element.model };
    let mut parts = format!("{}_{}", local(carrier), element.name);
    let has_sub_parts = matches!(row.kind, Kind::Laser | Kind::Sonar | Kind::Ir | Kind::Contact);
    if has_sub_parts && companion.is_some() && plugins_in(world, &element.model) > 1 {
        parts.push_str(&element.name);
    }
    usable(&parts)
}

/// How many plugins of CLOiSim a model and those nested in it hold.
fn plugins_in(world: &WorldDescription, model: &str) -> usize {
    let within = format!("{model}::");
    let is_in = |element: &&ElementDescription| {
        is_cloisim(element) && (element.model == model || element.model.starts_with(&within))
    };
    world.elements.iter().filter(is_in).count()
}

/// Whether a text of a parameter means this sensor: by its name, its link and name, or the class of its part.
pub(super) fn means(text: &str, element: &ElementDescription) -> bool {
    let text = local(text);
    text == element.name || text == format!("{}_{}", local(&element.link), element.name) || {
        text == format!("{}_{}", local(&element.model), element.name)
    }
}
