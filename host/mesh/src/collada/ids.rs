//! Elements by their kind and id.
//!
//! Ids are unique in a valid file. Some programs repeat them: 3ds Max gives a scene and its node one id, and others
//! give the sources of every mesh the same ids. So an element is looked up by what it must be, and the parts of a mesh
//! in that mesh first.

use std::collections::HashMap;
use std::sync::Arc;

use bridgehead_sdf::{Document, Element, NodeId};

use super::geometry::no_target;
use crate::ContentError;

/// The kinds of the parts of a mesh that others refer to.
const PARTS: [&str; 2] = ["source", "vertices"];

/// The elements of a document that have an id.
pub(crate) struct Ids<'a> {
    /// By kind and id; of several, the first one, as in Gazebo.
    all: HashMap<(&'a str, &'a str), Element<'a>>,
    /// The parts of meshes, by mesh, kind and id.
    parts: HashMap<(NodeId, &'a str, &'a str), Element<'a>>,
}

impl<'a> Ids<'a> {
    pub(crate) fn of(document: &'a Arc<Document>) -> Self {
        let mut ids = Ids { all: HashMap::new(), parts: HashMap::new() };
        for element in document.elements() {
            let Some(id) = element.attribute("id") else { continue };
            let kind = element.name();
            ids.all.entry((kind, id)).or_insert(element);
            if let Some(mesh) = element.parent().filter(|_| PARTS.contains(&kind)) {
                ids.parts.entry((mesh.id(), kind, id)).or_insert(element);
            }
        }
        ids
    }

    /// Returns the element of a kind with that id.
    pub(crate) fn get(&self, kind: &str, id: &str) -> Option<Element<'a>> {
        self.all.get(&(kind, id)).copied()
    }

    /// Returns the element that `url="#id"` of an instance refers to: an `<instance_node>` refers to a `<node>`.
    pub(crate) fn instanced(&self, instance: Element<'_>) -> Result<Element<'a>, ContentError> {
        let url = instance.attribute("url").unwrap_or_default();
        let kind = instance.name().strip_prefix("instance_").unwrap_or_default();
        let found = url.strip_prefix('#').and_then(|id| self.get(kind, id));
        found.ok_or_else(|| no_target(instance, url))
    }

    /// Returns the part of a mesh that `address`, in a primitive of that mesh, refers to. A part that the mesh does not
    /// contain may be in another one.
    pub(crate) fn part(
        &self,
        primitive: Element<'_>,
        kind: &str,
        address: &str,
    ) -> Result<Element<'a>, ContentError> {
        let in_mesh = |id| self.parts.get(&(primitive.parent()?.id(), kind, id)).copied();
        let found = address.strip_prefix('#').and_then(|id| in_mesh(id).or_else(|| self.get(kind, id)));
        found.ok_or_else(|| no_target(primitive, address))
    }
}
