//! Bridgehead's own elements: entity properties of models, and named poses.

use super::Reader;
use super::names::Names;
use crate::diagnostic::Code;
use crate::document::Element;
use crate::element::{Category, Entity, EntityInfo, NamedPose, PoseBounds, namespace};

impl Reader<'_> {
    /// The `<bridgehead:entity>` of a model or include.
    pub(super) fn entity(&mut self, parent: Element<'_>) -> Option<Entity> {
        let element = self.single(parent, "bridgehead:entity")?;
        self.check_children(element);
        let category = match element.attribute("category") {
            None => Category::default(),
            Some(word) => Category::parse(word).unwrap_or_else(|| {
                let found = format!("category `{word}`");
                let all = Category::ALL.map(Category::name).join(", ");
                self.error(Code::ValueInvalid, element, found, format!("one of {all}"));
                Category::default()
            }),
        };
        let written = element.attribute("namespace").unwrap_or_default();
        if namespace(written).is_none() {
            let found = format!("namespace `{written}`");
            self.error(Code::ValueInvalid, element, found, "names of letters, digits and `_`, joined by `/`");
        }
        Some(Entity {
            info: EntityInfo {
                category,
                description: self.text(element, "description").unwrap_or_default(),
                tags: tags(element),
            },
            namespace: namespace(written).unwrap_or_default().to_owned(),
        })
    }

    /// The poses of a world that have a name.
    pub(super) fn named_poses(&mut self, world: Element<'_>) -> Vec<NamedPose> {
        let mut names = Names::default();
        let mut poses = Vec::new();
        for element in world.children_named("bridgehead:pose") {
            self.check_children(element);
            let pose = NamedPose {
                name: self.name(element),
                description: self.text(element, "description").unwrap_or_default(),
                tags: tags(element),
                pose: self.pose(element),
                bounds: self.pose_bounds(element),
                origin: element.origin(),
            };
            self.keep(&mut names, &mut poses, pose, |pose| &mut pose.name, "pose", element);
        }
        poses
    }

    fn pose_bounds(&mut self, element: Element<'_>) -> Option<PoseBounds> {
        if let Some(child) = element.child("box") {
            self.check_children(child);
            let size = self.vector3(child, "size");
            let size = size.filter(|size| size.min_element() > 0.0);
            if size.is_none() {
                self.error(
                    Code::GeometryInvalid,
                    child,
                    "a box without extent",
                    "`<size>` with three numbers above 0",
                );
            }
            return size.map(|size| PoseBounds::Box { size });
        }
        let child = element.child("sphere")?;
        self.check_children(child);
        let radius = self.positive(child, "radius");
        if radius.is_none() {
            self.error(
                Code::GeometryInvalid,
                child,
                "a sphere without extent",
                "`<radius>` with a number above 0",
            );
        }
        radius.map(|radius| PoseBounds::Sphere { radius })
    }
}

fn tags(element: Element<'_>) -> Vec<String> {
    element
        .children_named("tag")
        .map(Element::text)
        .filter(|tag| !tag.is_empty())
        .map(str::to_owned)
        .collect()
}
