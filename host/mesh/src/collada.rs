//! COLLADA 1.4: the geometry of the visual scene, with the transforms of its nodes and the unit of the file.
//!
//! The up axis that the file declares is ignored, as in Gazebo, and parts are named after their nodes. Skins
//! are read in the pose in which they were modelled.

pub(crate) mod geometry;
mod ids;

use std::path::Path;
use std::sync::Arc;

use bridgehead_pose::{DQuat, DVec3};
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{Account, Document, Element, Source};
use glam::{DMat4, DVec4};

pub(crate) use ids::Ids;

use super::{ContentError, Part};

/// The greatest depth of nested nodes, including instances: deeper than any tool writes. It also ends cycles.
const MAX_DEPTH: usize = 64;
/// The greatest number of parts: nodes that contain each other's instances multiply.
const MAX_PARTS: usize = 100_000;

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<Vec<Part>, ContentError> {
    let document = parsed(bytes, path)?;
    let mut parts = Vec::new();
    each_geometry(&document, account, &mut |found, ids| {
        let Some(mesh) = found.geometry.child("mesh") else { return Ok(()) };
        let mut triangles = geometry::read(mesh, ids)?;
        charge(account, triangles.points.len() + triangles.indices.len())?;
        triangles.points.iter_mut().for_each(|point| *point = found.pose.transform_point3(*point));
        if found.pose.determinant() < 0.0 {
            triangles.indices.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        parts.push(Part { name: found.name.to_owned(), triangles });
        Ok(())
    })?;
    Ok(parts)
}

/// Returns the document of a file.
pub(crate) fn parsed(bytes: &[u8], path: &Path) -> Result<Arc<Document>, ContentError> {
    let text = std::str::from_utf8(bytes)?;
    let name = path.display().to_string();
    let document =
        Document::parse(Source::from_text(&name, text)).map_err(|error| ContentError::Xml(error.found))?;
    match document.root().name() {
        "COLLADA" => Ok(document),
        other => Err(ContentError::NotCollada { found: other.to_owned() }),
    }
}

/// A geometry in the scene.
pub(crate) struct Found<'a, 'n> {
    /// The `<geometry>`.
    pub(crate) geometry: Element<'a>,
    /// The `<instance_geometry>` or `<instance_controller>`, which binds materials.
    pub(crate) instance: Element<'a>,
    /// Its transform, with the unit of the file.
    pub(crate) pose: DMat4,
    /// The name of its part.
    pub(crate) name: &'n str,
}

type Take<'a, 't> = dyn FnMut(&Found<'a, '_>, &Ids<'a>) -> Result<(), ContentError> + 't;

/// Passes each geometry of the visual scene to `take`.
pub(crate) fn each_geometry<'a>(
    document: &'a Arc<Document>,
    account: Account<'_>,
    take: &mut Take<'a, '_>,
) -> Result<(), ContentError> {
    let root = document.root();
    let mut scene = Scene { ids: Ids::of(document), account, count: 0, take };
    let instance = root.child("scene").and_then(|scene| scene.child("instance_visual_scene"));
    let visual = instance
        .and_then(|instance| scene.ids.instanced(instance).ok())
        .ok_or(ContentError::NoScene("`<visual_scene>`"))?;
    let unit =
        root.child("asset").and_then(|asset| asset.child("unit")).and_then(|unit| unit.attribute("meter"));
    let unit: f64 = unit.and_then(|text| text.trim().parse().ok()).unwrap_or(1.0);
    let unit = DMat4::from_scale(DVec3::splat(unit));
    visual.children_named("node").try_for_each(|node| scene.visit(node, unit, "", 0))
}

struct Scene<'a, 'c, 't, 's> {
    ids: Ids<'a>,
    account: Account<'c>,
    count: usize,
    take: &'s mut Take<'a, 't>,
}

impl<'a> Scene<'a, '_, '_, '_> {
    fn visit(
        &mut self,
        node: Element<'a>,
        outer: DMat4,
        name: &str,
        depth: usize,
    ) -> Result<(), ContentError> {
        // Instances of nodes multiply.
        charge(self.account, 1)?;
        if depth > MAX_DEPTH {
            return Err(ContentError::Nesting { most: MAX_DEPTH });
        }
        if self.count > MAX_PARTS {
            return Err(ContentError::TooManyParts { most: MAX_PARTS });
        }
        let here = outer * transform(node)?;
        let name = node.attribute("name").unwrap_or(name);
        for child in node.children() {
            match child.name() {
                "node" => self.visit(child, here, name, depth + 1)?,
                "instance_node" => {
                    let target = self.ids.instanced(child)?;
                    self.visit(target, here, name, depth + 1)?;
                }
                "instance_geometry" => {
                    let geometry = self.ids.instanced(child)?;
                    self.add(geometry, child, here, name)?;
                }
                "instance_controller" => self.add_skin(child, here, name)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Adds a skin without its bones: the geometry, placed as when it was bound.
    fn add_skin(&mut self, instance: Element<'a>, here: DMat4, name: &str) -> Result<(), ContentError> {
        let Some(skin) = self.ids.instanced(instance)?.child("skin") else { return Ok(()) };
        let bound = skin.child("bind_shape_matrix").map(matrix).transpose()?.unwrap_or(DMat4::IDENTITY);
        let source = skin.attribute("source").unwrap_or_default();
        let geometry = source.strip_prefix('#').and_then(|id| self.ids.get("geometry", id));
        let geometry = geometry.ok_or_else(|| geometry::no_target(skin, source))?;
        self.add(geometry, instance, here * bound, name)
    }

    fn add(
        &mut self,
        geometry: Element<'a>,
        instance: Element<'a>,
        pose: DMat4,
        name: &str,
    ) -> Result<(), ContentError> {
        self.count += 1;
        let name = if name.is_empty() { geometry.attribute("name").unwrap_or_default() } else { name };
        (self.take)(&Found { geometry, instance, pose, name }, &self.ids)
    }
}

fn charge(account: Account<'_>, amount: usize) -> Result<(), ContentError> {
    account.charge(Limit::Triangles, amount as u64).map_err(ContentError::Stopped)
}

/// The transforms of a node, in order, each in the frame of the previous ones.
fn transform(node: Element<'_>) -> Result<DMat4, ContentError> {
    let mut pose = DMat4::IDENTITY;
    for child in node.children() {
        pose *= match child.name() {
            "matrix" => matrix(child)?,
            "translate" => DMat4::from_translation(DVec3::from_array(numbers(child)?)),
            "scale" => DMat4::from_scale(DVec3::from_array(numbers(child)?)),
            "rotate" => {
                let [x, y, z, degrees] = numbers(child)?;
                let axis = DVec3::new(x, y, z).normalize_or_zero();
                DMat4::from_quat(DQuat::from_scaled_axis(axis * degrees.to_radians()))
            }
            _ => continue,
        };
    }
    Ok(pose)
}

/// Sixteen numbers, row by row.
fn matrix(element: Element<'_>) -> Result<DMat4, ContentError> {
    let rows: [f64; 16] = numbers(element)?;
    let row = |at: usize| DVec4::new(rows[at], rows[at + 1], rows[at + 2], rows[at + 3]);
    Ok(DMat4::from_cols(row(0), row(4), row(8), row(12)).transpose())
}

fn numbers<const N: usize>(element: Element<'_>) -> Result<[f64; N], ContentError> {
    let all: Vec<f64> = geometry::list(element)?;
    all.try_into().map_err(|all: Vec<f64>| ContentError::Numbers {
        element: element.name().to_owned(),
        found: all.len(),
        expected: N,
    })
}
