//! COLLADA 1.4: the geometry of the visual scene, with the transforms of its nodes and the unit of the file.
//!
//! The up axis that the file declares is ignored, as in Gazebo, and parts are named after their nodes. Skins
//! are read in the pose in which they were modelled.

mod geometry;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::pose::{DQuat, DVec3};
use bridgehead_sdf::{Account, Document, Element, Source};
use glam::{DMat4, DVec4};

use super::{ContentError, Part};

/// The greatest depth of nested nodes, including instances: deeper than any tool writes. It also ends cycles.
const MOST_DEPTH: usize = 64;
/// The greatest number of parts: nodes that contain each other's instances multiply.
const MOST_PARTS: usize = 100_000;

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<Vec<Part>, ContentError> {
    let text = std::str::from_utf8(bytes)?;
    let name = path.display().to_string();
    let document =
        Document::parse(Source::from_text(&name, text)).map_err(|error| ContentError::Xml(error.found))?;
    let root = document.root();
    if root.name() != "COLLADA" {
        return Err(ContentError::NotCollada { found: root.name().to_owned() });
    }
    let mut scene = Scene { by_id: ids(&document), account, parts: Vec::new() };
    let instance = root.child("scene").and_then(|scene| scene.child("instance_visual_scene"));
    let visual = instance
        .and_then(|instance| scene.find(instance))
        .ok_or(ContentError::NoScene("`<visual_scene>`"))?;
    let unit =
        root.child("asset").and_then(|asset| asset.child("unit")).and_then(|unit| unit.attribute("meter"));
    let unit: f64 = unit.and_then(|text| text.trim().parse().ok()).unwrap_or(1.0);
    let unit = DMat4::from_scale(DVec3::splat(unit));
    for node in visual.children_named("node") {
        scene.visit(node, unit, "", 0)?;
    }
    Ok(scene.parts)
}

/// Elements by their id.
fn ids(document: &Arc<Document>) -> HashMap<&str, Element<'_>> {
    document.elements().filter_map(|element| Some((element.attribute("id")?, element))).collect()
}

struct Scene<'a> {
    by_id: HashMap<&'a str, Element<'a>>,
    account: Account<'a>,
    parts: Vec<Part>,
}

impl<'a> Scene<'a> {
    /// The element that `url="#id"` of an element refers to.
    fn find(&self, instance: Element<'a>) -> Option<Element<'a>> {
        self.named(instance.attribute("url")?)
    }

    fn named(&self, address: &str) -> Option<Element<'a>> {
        self.by_id.get(address.strip_prefix('#')?).copied()
    }

    fn visit(
        &mut self,
        node: Element<'a>,
        outer: DMat4,
        name: &str,
        depth: usize,
    ) -> Result<(), ContentError> {
        // Instances of nodes multiply.
        self.charge(1)?;
        if depth > MOST_DEPTH {
            return Err(ContentError::Nesting { most: MOST_DEPTH });
        }
        if self.parts.len() > MOST_PARTS {
            return Err(ContentError::TooManyParts { most: MOST_PARTS });
        }
        let here = outer * transform(node)?;
        let name = node.attribute("name").unwrap_or(name);
        for child in node.children() {
            match child.name() {
                "node" => self.visit(child, here, name, depth + 1)?,
                "instance_node" => {
                    let target = self.find(child).ok_or_else(|| missing(child))?;
                    self.visit(target, here, name, depth + 1)?;
                }
                "instance_geometry" => {
                    let geometry = self.find(child).ok_or_else(|| missing(child))?;
                    self.add(geometry, here, name)?;
                }
                "instance_controller" => self.add_skin(child, here, name)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn charge(&self, amount: usize) -> Result<(), ContentError> {
        self.account.charge(Limit::Triangles, amount as u64).map_err(ContentError::Stopped)
    }

    /// Adds a skin without its bones: the geometry, placed as when it was bound.
    fn add_skin(&mut self, instance: Element<'a>, here: DMat4, name: &str) -> Result<(), ContentError> {
        let controller = self.find(instance).ok_or_else(|| missing(instance))?;
        let Some(skin) = controller.child("skin") else { return Ok(()) };
        let bound = skin.child("bind_shape_matrix").map(matrix).transpose()?.unwrap_or(DMat4::IDENTITY);
        let source = skin.attribute("source").unwrap_or_default();
        let geometry = self.named(source).ok_or_else(|| geometry::no_target(skin, source))?;
        self.add(geometry, here * bound, name)
    }

    fn add(&mut self, geometry: Element<'a>, here: DMat4, name: &str) -> Result<(), ContentError> {
        let Some(mesh) = geometry.child("mesh") else { return Ok(()) };
        let mut triangles = geometry::read(mesh, &self.by_id)?;
        self.charge(triangles.points.len() + triangles.indices.len())?;
        triangles.points.iter_mut().for_each(|point| *point = here.transform_point3(*point));
        if here.determinant() < 0.0 {
            triangles.indices.iter_mut().for_each(|corners| corners.swap(1, 2));
        }
        let name = if name.is_empty() { geometry.attribute("name").unwrap_or_default() } else { name };
        self.parts.push(Part { name: name.to_owned(), triangles });
        Ok(())
    }
}

fn missing(instance: Element<'_>) -> ContentError {
    geometry::no_target(instance, instance.attribute("url").unwrap_or_default())
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
