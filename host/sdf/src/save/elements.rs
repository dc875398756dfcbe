//! Elements that are saved besides the poses of models: elements of plugins, the camera of the user
//! interface, points of roads.

use glam::DVec3;

use super::{Contribution, NEAR, NEARER, is_near};
use crate::diagnostic::{Code, Diagnostic};
use crate::document::{Document, Element, NodeId};
use crate::edit::{Edit, numbers_text, pose_in, pose_text};
use crate::element::EntityInfo;
use crate::load::Loaded;
use crate::source::Source;
use bridgehead_abi::model::SAVED_ELEMENT as SAVED;
use bridgehead_pose::Pose;
use std::fmt::Write as _;
use std::sync::Arc;

/// The prefix of elements that are not SDF's, and its namespace.
const PREFIX: &str = "bridgehead";
const NAMESPACE: &str = "urn:bridgehead:sdf";
/// The element with the entity properties of a model.
const ENTITY: &str = "bridgehead:entity";

/// Declares the prefix if an edit adds it to a file that does not declare it.
///
/// This reader treats a prefix as part of the name; XML readers with namespaces refuse an undeclared one.
pub(super) fn declaration(document: &Arc<Document>, edits: &[Edit]) -> Option<Edit> {
    let attribute = format!("xmlns:{PREFIX}");
    let has_prefix = |xml: &str| xml.contains(&format!("<{PREFIX}:"));
    let needs = edits.iter().any(|edit| matches!(edit, Edit::Insert { xml, .. } if has_prefix(xml)));
    let root = document.root();
    (needs && root.attribute(&attribute).is_none()).then(|| Edit::SetAttribute {
        element: root.id(),
        name: attribute,
        value: NAMESPACE.to_owned(),
    })
}

/// What a plugin adds to its own element, replacing its earlier contribution. `None` if nothing changes, or
/// if the element is one of `removed`. A contribution that is not XML is a finding, so that it does not keep
/// others from being saved.
pub(super) fn contribution(
    loaded: &Loaded,
    contribution: &Contribution,
    removed: &[NodeId],
    findings: &mut Vec<Diagnostic>,
) -> Option<Edit> {
    let own = contribution.element.id_in(&loaded.document).and_then(|id| loaded.document.element(id));
    let Some(element) = own else {
        let found = format!("`{}` has elements to save, but no own element in the file", contribution.label);
        findings.push(Diagnostic::warning(Code::SaveNotOwn, contribution.element.location(), found));
        return None;
    };
    let mut ancestors = std::iter::successors(Some(element), |element| element.parent());
    if ancestors.any(|ancestor| removed.contains(&ancestor.id())) {
        return None;
    }
    let xml = format!("<{SAVED}>{}</{SAVED}>", contribution.xml);
    if let Err(error) = Document::parse(Source::from_text("saved elements", xml.as_str())) {
        let label = &contribution.label;
        let found = format!("what `{label}` has to save is left out because it is not XML: {}", error.found);
        findings.push(Diagnostic::warning(Code::EditNotXml, Some(element.location()), found));
        return None;
    }
    match (element.child(SAVED), contribution.xml.is_empty()) {
        (None, true) => None,
        (None, false) => Some(Edit::Insert { parent: element.id(), xml }),
        (Some(before), true) => Some(Edit::Remove { element: before.id() }),
        (Some(before), false) if before.xml() == xml => None,
        (Some(before), false) => Some(Edit::Replace { element: before.id(), xml }),
    }
}

/// The entity properties of a model, replacing those of its element. Without a `namespace` the one of the
/// element stays.
pub(super) fn info(element: Element<'_>, info: &EntityInfo, namespace: Option<&str>) -> Edit {
    let before = element.child(ENTITY);
    let written = before.and_then(|before| before.attribute("namespace"));
    let namespace = namespace.or(written).filter(|namespace| !namespace.is_empty());
    let mut xml = format!("<{ENTITY} category=\"{}\"", info.category.name());
    if let Some(namespace) = namespace {
        let _ = write!(xml, " namespace=\"{}\"", escaped(namespace));
    }
    xml.push('>');
    if !info.description.is_empty() {
        let _ = write!(xml, "<description>{}</description>", escaped(&info.description));
    }
    for tag in &info.tags {
        let _ = write!(xml, "<tag>{}</tag>", escaped(tag));
    }
    let _ = write!(xml, "</{ENTITY}>");
    match before {
        Some(before) => Edit::Replace { element: before.id(), xml },
        None => Edit::Insert { parent: element.id(), xml },
    }
}

/// Escapes a text for XML; characters that XML cannot represent are left out.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\t' | '\n' | '\r' => xml.push(letter),
            letter if letter.is_control() => {}
            letter => xml.push(letter),
        }
    }
    xml
}

/// The pose of the camera through which a user interface looks at the world.
pub(super) fn camera(loaded: &Loaded, pose: &Pose, findings: &mut Vec<Diagnostic>) -> Option<Edit> {
    let Some(world) = loaded.document.root().child("world") else {
        let found = "there is no `<world>` in the file, for the camera";
        findings.push(Diagnostic::warning(Code::SaveNoSuch, None, found));
        return None;
    };
    let text = |element| pose_text(element, pose, |written| is_near(written, pose, NEARER));
    let gui = world.child("gui");
    let camera = gui.and_then(|gui| gui.child("camera"));
    if let Some(written) = camera.and_then(|camera| camera.child("pose")) {
        let is_there = pose_in(written).is_some_and(|written| is_near(&written, pose, NEAR));
        return (!is_there).then(|| Edit::SetText { element: written.id(), text: text(written) });
    }
    // `pose_text` uses the format of an element; one without a `<pose>` has none.
    let (parent, open, close) = match (gui, camera) {
        (_, Some(camera)) => (camera, "", ""),
        (Some(gui), None) => (gui, "<camera name='user_camera'>", "</camera>"),
        (None, None) => (world, "<gui><camera name='user_camera'>", "</camera></gui>"),
    };
    let xml = format!("{open}<pose>{}</pose>{close}", text(parent));
    Some(Edit::Insert { parent: parent.id(), xml })
}

/// The points of a road, in order: existing ones are changed, then some are added or removed.
pub(super) fn road(
    loaded: &Loaded,
    name: &str,
    points: &[DVec3],
    findings: &mut Vec<Diagnostic>,
) -> Vec<Edit> {
    let world = loaded.document.root().child("world");
    let is_named = |road: &Element<'_>| road.attribute("name") == Some(name);
    let Some(road) = world.and_then(|world| world.children_named("road").find(is_named)) else {
        let found = format!("there is no road `{name}` in the world");
        findings.push(Diagnostic::warning(Code::SaveNoSuch, None, found));
        return Vec::new();
    };
    let text = |point: &DVec3| numbers_text(&point.to_array());
    let written: Vec<Element<'_>> = road.children_named("point").collect();
    let is_there =
        |written: Option<DVec3>, point: &DVec3| written.is_some_and(|at| at.distance(*point) <= NEAR);
    let changed = written.iter().zip(points).filter(|(element, point)| !is_there(numbers(element), point));
    let mut edits: Vec<Edit> =
        changed.map(|(element, point)| Edit::SetText { element: element.id(), text: text(point) }).collect();
    edits.extend(written.iter().skip(points.len()).map(|element| Edit::Remove { element: element.id() }));
    edits.extend(
        points
            .iter()
            .skip(written.len())
            .map(|point| Edit::Insert { parent: road.id(), xml: format!("<point>{}</point>", text(point)) }),
    );
    edits
}

fn numbers(element: &Element<'_>) -> Option<DVec3> {
    let numbers: Option<Vec<f64>> = element.text().split_whitespace().map(|word| word.parse().ok()).collect();
    <[f64; 3]>::try_from(numbers?).ok().map(DVec3::from)
}
