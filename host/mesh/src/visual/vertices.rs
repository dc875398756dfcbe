//! Corners of parts: shared ones, and normals for files without them.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use bridgehead_pose::DVec3;
use glam::{DMat3, DMat4};

use super::VisualPart;
use crate::{ContentError, Triangles};

/// Collects the corners of a part. Corners with the same key are one.
pub(super) struct Corners<K> {
    pub(super) part: VisualPart,
    known: HashMap<K, u32>,
}

/// A corner; without a normal or texture coordinates if the file has none for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) position: DVec3,
    pub(super) normal: Option<DVec3>,
    /// With the origin at the upper left.
    pub(super) uv: Option<[f32; 2]>,
}

impl<K: Eq + Hash> Corners<K> {
    pub(super) fn new(name: &str, material: Option<usize>) -> Self {
        let part = VisualPart { name: name.to_owned(), material, ..VisualPart::default() };
        Corners { part, known: HashMap::new() }
    }

    /// Adds a corner of a triangle. `corner` is called if its key is new.
    ///
    /// # Errors
    /// Returns the error of `corner`.
    pub(super) fn push(
        &mut self,
        key: K,
        corner: impl FnOnce() -> Result<Corner, ContentError>,
    ) -> Result<(), ContentError> {
        let part = &mut self.part;
        let index = match self.known.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                let Corner { position, normal, uv } = corner()?;
                let next = u32::try_from(part.positions.len()).unwrap_or(u32::MAX);
                part.positions.push(single(position));
                part.normals.extend(normal.map(unit));
                part.uvs.extend(uv);
                *place.insert(next)
            }
        };
        part.indices.push(index);
        Ok(())
    }

    /// Turns the triangles over, for a transform that mirrors.
    pub(super) fn mirror(&mut self) {
        self.part.indices.chunks_exact_mut(3).for_each(|corners| corners.swap(1, 2));
    }
}

#[expect(clippy::cast_possible_truncation, reason = "viewers draw in f32")]
pub(super) fn single(value: DVec3) -> [f32; 3] {
    value.to_array().map(|part| part as f32)
}

/// The unit vector of a direction; upwards if it has none.
pub(super) fn unit(direction: DVec3) -> [f32; 3] {
    single(direction.normalize_or(DVec3::Z))
}

fn double(value: [f32; 3]) -> DVec3 {
    DVec3::from_array(value.map(f64::from))
}

/// Returns the transform of normals for a transform of positions: it keeps them perpendicular to surfaces.
pub(super) fn turn_of(pose: DMat4) -> DMat3 {
    DMat3::from_mat4(pose).try_inverse().map_or(DMat3::IDENTITY, |inverse| inverse.transpose())
}

/// Returns the number of corners of a part after [`complete`].
pub(super) fn corners_when_complete(part: &VisualPart) -> usize {
    if part.normals.len() == part.positions.len() { part.positions.len() } else { part.indices.len() }
}

/// Makes normals unit vectors. Computes them if they are incomplete, and drops incomplete texture coordinates.
pub(super) fn complete(part: &mut VisualPart) {
    let count = part.positions.len();
    let are_finite = part.uvs.iter().flatten().all(|part| part.is_finite());
    if part.uvs.len() != count || !are_finite {
        part.uvs.clear();
    }
    if part.normals.len() == count {
        for normal in &mut part.normals {
            *normal = unit(double(*normal));
        }
    } else {
        facet(part);
    }
}

/// Gives each triangle its own corners, with its normal.
fn facet(part: &mut VisualPart) {
    let old = std::mem::take(part);
    let at = |index: u32| old.positions.get(index as usize).copied().unwrap_or_default();
    part.normals = old.indices.chunks_exact(3).flat_map(|corners| [normal(corners, at); 3]).collect();
    part.positions = old.indices.iter().map(|index| at(*index)).collect();
    part.uvs = old.indices.iter().filter_map(|index| old.uvs.get(*index as usize).copied()).collect();
    part.indices = (0..u32::try_from(old.indices.len()).unwrap_or(u32::MAX)).collect();
    (part.name, part.material) = (old.name, old.material);
}

/// The unit normal of a triangle; upwards if it has no area.
fn normal(corners: &[u32], at: impl Fn(u32) -> [f32; 3]) -> [f32; 3] {
    unit(area(corners, at))
}

/// A vector along the normal of a triangle, with twice its area as length.
fn area(corners: &[u32], at: impl Fn(u32) -> [f32; 3]) -> DVec3 {
    let [a, b, c] = [0, 1, 2].map(|corner| double(at(corners.get(corner).copied().unwrap_or(0))));
    (b - a).cross(c - a)
}

/// A part whose triangles are flat.
pub(super) fn faceted(name: &str, triangles: &Triangles) -> VisualPart {
    let mut part = plain(name, triangles);
    facet(&mut part);
    part
}

/// A part whose triangles share the normals of their corners, weighted by area.
pub(super) fn smooth(name: &str, triangles: &Triangles) -> VisualPart {
    let mut part = plain(name, triangles);
    let at = |index: u32| part.positions.get(index as usize).copied().unwrap_or_default();
    let mut sums = vec![DVec3::ZERO; part.positions.len()];
    for corners in part.indices.chunks_exact(3) {
        let area = area(corners, at);
        for index in corners {
            if let Some(sum) = sums.get_mut(*index as usize) {
                *sum += area;
            }
        }
    }
    part.normals = sums.iter().map(|sum| unit(*sum)).collect();
    part
}

fn plain(name: &str, triangles: &Triangles) -> VisualPart {
    VisualPart {
        name: name.to_owned(),
        positions: triangles.points.iter().map(|point| single(*point)).collect(),
        indices: triangles.indices.iter().flatten().copied().collect(),
        ..VisualPart::default()
    }
}
