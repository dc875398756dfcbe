//! glTF 2, as text with files beside it and as one binary file. Parts are named after nodes; axes stay as they are,
//! as in Gazebo.
//!
//! The crate `gltf` reads the description and checks that what it names is there. The numbers are taken out of the
//! buffers here, since its own reader counts on offsets and counts being right.

mod accessor;
mod buffer;

use std::path::Path;

use glam::DMat4;
use gltf::mesh::Mode;

use crate::Mesh;
use crate::mesh::index;
use crate::part::{Fault, Part, Parts, place};

/// Nodes below each other: deeper than any tool writes.
const MOST_DEPTH: usize = 64;
/// Nodes in all: broken files name a node from many others.
const MOST_VISITS: usize = 1_000_000;

pub(crate) fn read(bytes: &[u8], path: &Path) -> Result<Parts, Fault> {
    let file = gltf::Gltf::from_slice(bytes).map_err(|error| format!("its reader says: {error}"))?;
    let buffers = buffer::load(&file, path)?;
    let scene = file.default_scene().or_else(|| file.scenes().next()).ok_or("it has no scene")?;
    let mut visitor = Visitor { buffers, parts: Parts::default(), visits: 0 };
    for node in scene.nodes() {
        visitor.visit(&node, DMat4::IDENTITY, 0)?;
    }
    Ok(visitor.parts)
}

struct Visitor {
    buffers: Vec<Vec<u8>>,
    parts: Parts,
    visits: usize,
}

impl Visitor {
    fn visit(&mut self, node: &gltf::Node<'_>, outer: DMat4, depth: usize) -> Result<(), Fault> {
        self.visits += 1;
        if depth > MOST_DEPTH || self.visits > MOST_VISITS {
            return Err("its nodes lie in each other without end".into());
        }
        let columns = node.transform().matrix().map(|column| column.map(f64::from));
        let here = outer * DMat4::from_cols_array_2d(&columns);
        if let Some(held) = node.mesh() {
            let geometry = held.name().unwrap_or_default();
            let name = node.name().unwrap_or(geometry);
            for primitive in held.primitives() {
                let mut mesh = self.triangles(&primitive)?;
                place(&mut mesh, here);
                self.parts.push(Part { name: name.to_owned(), geometry: geometry.to_owned(), mesh })?;
            }
        }
        node.children().try_for_each(|child| self.visit(&child, here, depth + 1))
    }

    fn triangles(&self, primitive: &gltf::Primitive<'_>) -> Result<Mesh, Fault> {
        let mode = primitive.mode();
        if !matches!(mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            return Ok(Mesh::default());
        }
        let positions = primitive.get(&gltf::Semantic::Positions).ok_or("a primitive has no positions")?;
        let points = accessor::positions(&positions, &self.buffers)?;
        let corners = match primitive.indices() {
            Some(indices) => accessor::indices(&indices, &self.buffers)?,
            None => (0..index(points.len())).collect(),
        };
        let mut mesh = Mesh { points, triangles: Vec::new() };
        match mode {
            Mode::TriangleStrip => mesh.add_strip(&corners),
            Mode::TriangleFan => mesh.add_fan(&corners),
            _ if corners.len() % 3 != 0 => {
                return Err(format!("a primitive has {} corners, not three each", corners.len()).into());
            }
            _ => mesh.triangles.extend(corners.chunks_exact(3).map(|at| [at[0], at[1], at[2]])),
        }
        Ok(mesh)
    }
}
