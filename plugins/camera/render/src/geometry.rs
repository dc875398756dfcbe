//! Triangles of the visuals of a scene.

use std::collections::HashMap;
use std::sync::Arc;

use bridgehead_messages::bridgehead_simulation_interfaces::SceneVisual;
use glam::{DVec3, Vec3};

use crate::camera::single;
use crate::content::read_mesh;
use crate::error::RenderError;
use crate::shapes::{self, Triangles};
use crate::store::Store;

/// Types of visuals, from `SceneVisual`.
pub(crate) const BOX: u32 = 1;
pub(crate) const SPHERE: u32 = 2;
pub(crate) const CYLINDER: u32 = 3;
pub(crate) const CAPSULE: u32 = 4;
pub(crate) const ELLIPSOID: u32 = 5;
pub(crate) const CONE: u32 = 6;
pub(crate) const PLANE: u32 = 7;
pub(crate) const MESH: u32 = 8;

/// Triangles of one material.
pub(crate) struct Geometry<S: Store> {
    pub(crate) mesh: S::Mesh,
    /// Number of indices.
    pub(crate) count: u32,
    /// Centre and half the size of the box around it.
    pub(crate) center: Vec3,
    pub(crate) half: Vec3,
    /// True if its back can never be seen from outside.
    pub(crate) is_closed: bool,
}

impl<S: Store> Geometry<S> {
    fn new(store: &S, triangles: Triangles, is_closed: bool) -> Option<Self> {
        let count = u32::try_from(triangles.indices.len()).ok().filter(|count| *count > 0)?;
        let bytes = size_of_val(triangles.vertices.as_slice()).max(4 * triangles.indices.len()) as u64;
        if bytes > store.most_bytes() {
            let (what, instead) = (format!("a mesh of {} triangles", count / 3), "not drawn");
            log::warn!("{}", RenderError::TooHeavy { what, megabytes: bytes >> 20, instead });
            return None;
        }
        let start = triangles.positions().next()?;
        let (low, high) = triangles
            .positions()
            .fold((start, start), |(low, high), point| (low.min(point), high.max(point)));
        Some(Geometry {
            mesh: store.mesh(triangles),
            count,
            center: (low + high) / 2.0,
            half: (high - low) / 2.0,
            is_closed,
        })
    }
}

/// What makes two shapes equal apart from their scale.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Shape(u32),
    /// Bits of diameter and length: caps do not scale with the length.
    Capsule(u32, u32),
    Mesh(String),
}

/// By primitive; `None` without triangles.
type Parts<S> = Vec<Option<Arc<Geometry<S>>>>;

/// All triangles of a scene, with the revision that used them last; those that the next scene does not use are dropped.
pub(crate) struct Geometries<S: Store> {
    parts: HashMap<Key, (u64, Parts<S>)>,
}

impl<S: Store> Default for Geometries<S> {
    fn default() -> Self {
        Geometries { parts: HashMap::new() }
    }
}

/// What to draw for a visual: parts by primitive, and the factors along its axes.
pub(crate) struct Shape<S: Store> {
    pub(crate) parts: Parts<S>,
    pub(crate) scale: DVec3,
}

impl<S: Store> Geometries<S> {
    /// Returns the triangles of a visual; `hash` is that of its mesh.
    pub(crate) fn shape(
        &mut self,
        store: &S,
        visual: &SceneVisual,
        hash: Option<&str>,
        revision: u64,
        content: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    ) -> Shape<S> {
        let size = visual.size.as_ref().map_or(DVec3::ONE, |size| DVec3::new(size.x, size.y, size.z));
        let [diameter, length] = [size.x, size.z].map(single);
        let key = match visual.r#type {
            MESH => hash.map(|hash| Key::Mesh(hash.to_owned())),
            CAPSULE => Some(Key::Capsule(diameter.to_bits(), length.to_bits())),
            ELLIPSOID => Some(Key::Shape(SPHERE)),
            kind @ (BOX | SPHERE | CYLINDER | CONE | PLANE) => Some(Key::Shape(kind)),
            _ => None,
        };
        let Some(key) = key else { return Shape { parts: Vec::new(), scale: DVec3::ONE } };
        let scale = match key {
            Key::Capsule(..) => DVec3::ONE,
            // A plane has no thickness; normals are divided by the scale.
            Key::Shape(PLANE) => DVec3::new(size.x, size.y, 1.0),
            _ => size,
        };
        let entry = self.parts.entry(key).or_insert_with_key(|key| (revision, make(store, key, content)));
        entry.0 = revision;
        Shape { parts: entry.1.clone(), scale }
    }

    /// Drops what only older scenes used.
    pub(crate) fn keep(&mut self, revision: u64) {
        self.parts.retain(|_, (used, _)| *used == revision);
    }
}

fn make<S: Store>(store: &S, key: &Key, content: &mut dyn FnMut(&str) -> Option<Vec<u8>>) -> Parts<S> {
    let primitives = match key {
        Key::Mesh(hash) => content(hash).and_then(|bytes| read_mesh(&bytes)).unwrap_or_default(),
        Key::Capsule(diameter, length) => {
            vec![shapes::capsule(f32::from_bits(*diameter), f32::from_bits(*length))]
        }
        Key::Shape(SPHERE) => vec![shapes::unit_sphere()],
        Key::Shape(CYLINDER) => vec![shapes::unit_cylinder()],
        Key::Shape(CONE) => vec![shapes::unit_cone()],
        Key::Shape(PLANE) => vec![shapes::unit_plane()],
        Key::Shape(_) => vec![shapes::unit_box()],
    };
    let is_closed = !matches!(key, Key::Mesh(_) | Key::Shape(PLANE));
    let primitives = primitives.into_iter();
    primitives.map(|triangles| Geometry::new(store, triangles, is_closed).map(Arc::new)).collect()
}
