//! Names of models, parts and frames on the wire.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, ModelDescription, WorldDescription,
};

use super::Kind;
use super::table::{Row, is_cloisim};
use crate::xml::Element;

/// The model that contains the devices of the world.
pub(crate) const WORLD: &str = "World";

/// Returns the last part of a scoped name: `hand` of `car1::arm::hand`.
pub(crate) fn local(scoped: &str) -> &str {
    scoped.rsplit("::").next().unwrap_or(scoped)
}

/// Returns a name that is valid as a ROS namespace or node: letters, digits and `_`, not starting with a digit.
pub(crate) fn usable(name: &str) -> String {
    let mut usable: String =
        name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    if usable.chars().next().is_none_or(|first| first.is_ascii_digit()) {
        usable.insert(0, '_');
    }
    usable
}

/// Returns a frame as clients write it: without `::` and leading `/`.
pub(crate) fn frame(frame: &str) -> String {
    frame.replace("::", "_").trim_start_matches('/').to_owned()
}

/// Returns a frame or scoped name as clients of one vehicle write it: without the vehicle, which is their namespace.
/// `None` if it belongs to another vehicle.
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

/// The same for a name that is known to belong to the vehicle.
pub(crate) fn own_frame(vehicle: &str, name: &str) -> String {
    frame_in(vehicle, name).unwrap_or_else(|| frame(name).replace('/', "_"))
}

/// Returns true if a model has this scoped name.
pub(crate) fn is_named(model: &ModelDescription, name: &str) -> bool {
    model.name == name
}

/// Returns the name of a device within its model.
pub(super) fn parts(
    world: &WorldDescription,
    element: &ElementDescription,
    companion: Option<&ElementDescription>,
    row: &Row,
) -> String {
    if row.kind == Kind::Micom {
        return "Micom".to_owned();
    }
    if element.vehicle.is_empty() || row.kind == Kind::Elevator {
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

/// Returns the number of CLOiSim plugins in a model and its nested models.
fn plugins_in(world: &WorldDescription, model: &str) -> usize {
    let within = format!("{model}::");
    let is_in = |element: &&ElementDescription| {
        is_cloisim(element) && (element.model == model || element.model.starts_with(&within))
    };
    world.elements.iter().filter(is_in).count()
}

/// Returns how well the text of a parameter of a plugin in `model` names a sensor, best first; `None` if it does not.
///
/// A sensor has its own name, which may be scoped; the name of its part, made of link or model and its own name; the name
/// of its link; and the names of the models between the plugin's own one and the link.
pub(super) fn rank(text: &str, model: &str, element: &ElementDescription) -> Option<usize> {
    let inside = element.link.strip_prefix(model)?.strip_prefix("::")?;
    let scoped = format!("{inside}::{}", element.name);
    if scoped == text || scoped.ends_with(&format!("::{text}")) {
        return Some(0);
    }
    let parts = [&element.link, &element.model].map(|carrier| format!("{}_{}", local(carrier), element.name));
    if parts.iter().any(|part| part == text) {
        return Some(1);
    }
    let mut carriers = inside.rsplit("::");
    carriers.position(|carrier| carrier == local(text)).map(|depth| depth + 2)
}

/// Returns the frames of the links that the joints of a joint control carry; `None` if it names no joints.
pub(super) fn carried(
    world: &WorldDescription,
    element: &ElementDescription,
    xml: &Element,
) -> Option<Vec<String>> {
    // A plugin that serves a part of an element has no text of its own.
    if element.xml.is_empty() {
        return Some(Vec::new());
    }
    let named = ["joints/joint", "joints/link"].map(|path| xml.texts_at(path)).concat();
    let within = format!("{}::", element.model);
    let joints = || {
        world
            .joints
            .iter()
            .filter(|joint| joint.name.starts_with(&within) || joint.child.starts_with(&within))
    };
    let find = |text: &String| {
        let scoped = format!("{within}{text}");
        joints()
            .find(|joint| joint.name == scoped)
            .or_else(|| joints().find(|joint| joint.name.ends_with(&format!("::{text}"))))
            .or_else(|| joints().find(|joint| joint.child.ends_with(&format!("::{text}"))))
            .or_else(|| joints().find(|joint| joint.child.contains(&format!("::{text}::"))))
    };
    let frames = named.iter().filter_map(find).map(|joint| own_frame(&element.vehicle, &joint.child));
    (!named.is_empty()).then(|| frames.collect())
}
