//! COLLADA 1.4: the geometry of the visual scene, with the transforms of its nodes and the unit of the file.
//!
//! The axis that the file calls up is not looked at, as in Gazebo. What a node holds is named after the node, or after
//! the nearest one around it that has a name. Skins are taken in the pose they were modelled in.

mod geometry;
mod xml;

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;

use glam::{DMat4, DQuat, DVec3, DVec4};

use crate::Mesh;
use crate::part::{Fault, Part, Parts, place};
use xml::{Document, Element, Ids};

/// Nodes below each other, instances included: deeper than any tool writes, and a circle ends.
const MOST_DEPTH: usize = 64;
/// Nodes in all: instances that hold instances multiply, also where there is no geometry.
const MOST_VISITS: usize = 1_000_000;

pub(crate) fn read(bytes: &[u8], _: &Path) -> Result<Parts, Fault> {
    // Names of older tools are not always UTF-8.
    let document = Document::parse(&String::from_utf8_lossy(bytes))?;
    let root = document.root().ok_or("it has no element")?;
    if root.name() != "COLLADA" {
        return Err(format!("its outermost element is `<{}>` and not `<COLLADA>`", root.name()).into());
    }
    let mut scene =
        Scene { ids: document.ids(), meshes: HashMap::new(), parts: Parts::default(), visits: 0 };
    let instance = root.child("scene").and_then(|scene| scene.child("instance_visual_scene"));
    let visual = instance.and_then(|instance| scene.find("visual_scene", instance.attribute("url")));
    let visual = visual.ok_or("it shows no `<visual_scene>`")?;
    let unit = DMat4::from_scale(DVec3::splat(unit(root)?));
    for node in visual.children_named("node") {
        scene.visit(node, unit, "", 0)?;
    }
    Ok(scene.parts)
}

/// Metres to a unit of the file.
fn unit(root: Element<'_>) -> Result<f64, Fault> {
    let unit = root.child("asset").and_then(|asset| asset.child("unit"));
    let Some(text) = unit.and_then(|unit| unit.attribute("meter")) else { return Ok(1.0) };
    match text.trim().parse() {
        Ok(unit) if unit > 0.0 && f64::is_finite(unit) => Ok(unit),
        _ => Err(format!("its unit is `{text}` metres").into()),
    }
}

struct Scene<'d> {
    ids: Ids<'d>,
    /// Geometries by their id, each read once, however often it is instanced.
    meshes: HashMap<&'d str, Mesh>,
    parts: Parts,
    visits: usize,
}

impl<'d> Scene<'d> {
    /// What an address, as in `url="#id"`, names among elements of one kind.
    fn find(&self, kind: &'static str, address: Option<&'d str>) -> Option<Element<'d>> {
        self.ids.get(&(kind, address?.strip_prefix('#')?)).copied()
    }

    /// What an instance names; it must be there.
    fn instance_of(&self, kind: &'static str, instance: Element<'d>) -> Result<Element<'d>, Fault> {
        let url = instance.attribute("url");
        let missing = || format!("`<{}>` names `{}`, which is not there", instance.name(), url.unwrap_or_default());
        self.find(kind, url).ok_or_else(|| missing().into())
    }

    fn visit(&mut self, node: Element<'d>, outer: DMat4, name: &'d str, depth: usize) -> Result<(), Fault> {
        self.visits += 1;
        if depth > MOST_DEPTH || self.visits > MOST_VISITS {
            return Err("its nodes lie in each other without end".into());
        }
        let here = outer * transform(node)?;
        let name = node.attribute("name").unwrap_or(name);
        for child in node.children() {
            match child.name() {
                "node" => self.visit(child, here, name, depth + 1)?,
                "instance_node" => self.visit(self.instance_of("node", child)?, here, name, depth + 1)?,
                "instance_geometry" => self.add(self.instance_of("geometry", child)?, here, name)?,
                "instance_controller" => self.add_skin(child, here, name)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// A skin without its bones: the geometry, placed as when it was bound.
    fn add_skin(&mut self, instance: Element<'d>, here: DMat4, name: &str) -> Result<(), Fault> {
        let Some(skin) = self.instance_of("controller", instance)?.child("skin") else { return Ok(()) };
        let bound = skin.child("bind_shape_matrix").map(matrix).transpose()?.unwrap_or(DMat4::IDENTITY);
        let source = skin.attribute("source");
        let missing = || format!("a skin names geometry `{}`, which is not there", source.unwrap_or_default());
        let geometry = self.find("geometry", source).ok_or_else(missing)?;
        self.add(geometry, here * bound, name)
    }

    fn add(&mut self, geometry: Element<'d>, here: DMat4, name: &str) -> Result<(), Fault> {
        let id = geometry.attribute("id").unwrap_or_default();
        let mut mesh = match self.meshes.get(id) {
            Some(mesh) => mesh.clone(),
            None => self.read(geometry, id)?,
        };
        place(&mut mesh, here);
        let own = geometry.attribute("name").unwrap_or(id);
        let name = if name.is_empty() { own } else { name };
        self.parts.push(Part { name: name.to_owned(), geometry: own.to_owned(), mesh })
    }

    /// Splines and the like are no meshes, and add nothing.
    fn read(&mut self, geometry: Element<'d>, id: &'d str) -> Result<Mesh, Fault> {
        let read = geometry.child("mesh").map(|mesh| geometry::read(mesh, &self.ids));
        let mesh = read.transpose()?.unwrap_or_default();
        self.meshes.insert(id, mesh.clone());
        Ok(mesh)
    }
}

/// The transforms of a node, in their order, each in the frame that those before it made.
fn transform(node: Element<'_>) -> Result<DMat4, Fault> {
    let mut pose = DMat4::IDENTITY;
    for child in node.children() {
        pose *= match child.name() {
            "matrix" => matrix(child)?,
            "translate" => DMat4::from_translation(DVec3::from_array(numbers(child)?)),
            "scale" => DMat4::from_scale(DVec3::from_array(numbers(child)?)),
            "rotate" => rotation(numbers(child)?),
            _ => continue,
        };
    }
    Ok(pose)
}

/// About an axis of any length, by degrees.
fn rotation([x, y, z, degrees]: [f64; 4]) -> DMat4 {
    let axis = DVec3::new(x, y, z).normalize_or_zero();
    DMat4::from_quat(DQuat::from_scaled_axis(axis * degrees.to_radians()))
}

/// Sixteen numbers, row by row.
fn matrix(element: Element<'_>) -> Result<DMat4, Fault> {
    let rows: [f64; 16] = numbers(element)?;
    let row = |at: usize| DVec4::new(rows[at], rows[at + 1], rows[at + 2], rows[at + 3]);
    Ok(DMat4::from_cols(row(0), row(4), row(8), row(12)).transpose())
}

fn numbers<const N: usize>(element: Element<'_>) -> Result<[f64; N], Fault> {
    let all: Vec<f64> = list(element)?;
    let count = all.len();
    all.try_into().map_err(|_| format!("`<{}>` has {count} numbers instead of {N}", element.name()).into())
}

/// The numbers in an element's text.
fn list<T: FromStr>(element: Element<'_>) -> Result<Vec<T>, Fault> {
    let word = |word: &str| word.parse().map_err(|_| no_number(element, word));
    element.text().split_ascii_whitespace().map(word).collect()
}

fn no_number(element: Element<'_>, word: &str) -> Fault {
    let word: String = word.chars().take(40).collect();
    format!("`{word}` in `<{}>` is no number that fits there", element.name()).into()
}
