//! Bridgehead's own elements: entity properties of models, and named poses.

use super::children::{check_children, single};
use super::names::{Names, name};
use super::report::Report;
use super::value::{pose, positive, text, vector3};
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Category, Entity, EntityInfo, NamedPose, PoseBounds, namespace};

/// The `<bridgehead:entity>` of a model or include.
pub(super) fn entity(parent: Element<'_>, report: &mut Report) -> Option<Entity> {
    let element = single(parent, "bridgehead:entity", report)?;
    check_children(element, report);
    let category = match element.attribute("category") {
        None => Category::default(),
        Some(word) => Category::parse(word).unwrap_or_else(|| {
            let found = format!("category `{word}`");
            let all = Category::ALL.map(Category::name).join(", ");
            report.error(Code::ValueInvalid, element, found, format!("one of {all}"));
            Category::default()
        }),
    };
    let written = element.attribute("namespace").unwrap_or_default();
    if namespace(written).is_none() {
        let found = format!("namespace `{written}`");
        report.error(Code::ValueInvalid, element, found, "names of letters, digits and `_`, joined by `/`");
    }
    Some(Entity {
        info: EntityInfo {
            category,
            description: text(element, "description").unwrap_or_default(),
            tags: tags(element),
        },
        namespace: namespace(written).unwrap_or_default().to_owned(),
    })
}

/// The poses of a world that have a name.
pub(super) fn named_poses(world: Element<'_>, report: &mut Report) -> Vec<NamedPose> {
    let mut names = Names::default();
    let mut poses = Vec::new();
    for element in world.children_named("bridgehead:pose") {
        check_children(element, report);
        let pose = NamedPose {
            name: name(element, report),
            description: text(element, "description").unwrap_or_default(),
            tags: tags(element),
            pose: pose(element, report),
            bounds: pose_bounds(element, report),
            origin: element.origin(),
        };
        names.keep(&mut poses, pose, element, report);
    }
    poses
}

fn pose_bounds(element: Element<'_>, report: &mut Report) -> Option<PoseBounds> {
    if let Some(child) = element.child("box") {
        check_children(child, report);
        let size = vector3(child, "size", report);
        let size = size.filter(|size| size.min_element() > 0.0);
        if size.is_none() {
            report.error(
                Code::GeometryInvalid,
                child,
                "a box without extent",
                "`<size>` with three numbers above 0",
            );
        }
        return size.map(|size| PoseBounds::Box { size });
    }
    let child = element.child("sphere")?;
    check_children(child, report);
    let radius = positive(child, "radius", report);
    if radius.is_none() {
        report.error(
            Code::GeometryInvalid,
            child,
            "a sphere without extent",
            "`<radius>` with a number above 0",
        );
    }
    radius.map(|radius| PoseBounds::Sphere { radius })
}

fn tags(element: Element<'_>) -> Vec<String> {
    element
        .children_named("tag")
        .map(Element::text)
        .filter(|tag| !tag.is_empty())
        .map(str::to_owned)
        .collect()
}
