//! COLLADA with its materials: each primitive of a geometry is a part.

use std::path::Path;

use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::pose::DVec3;
use bridgehead_sdf::{Account, Element};

use super::VisualMesh;
use super::effect::Effects;
use super::gltf::turn_of;
use super::vertices::{Corner, Corners};
use crate::ContentError;
use crate::collada::geometry::{find, is_primitive, list, polygons};
use crate::collada::{Found, Ids, each_geometry, parsed};

/// No index: the corner has no such input.
const NONE: u32 = u32::MAX;

pub(super) fn read(bytes: &[u8], path: &Path, account: Account<'_>) -> Result<VisualMesh, ContentError> {
    let document = parsed(bytes, path)?;
    let mut effects = Effects::new(path);
    let mut parts = Vec::new();
    each_geometry(&document, account, &mut |found, by_id| {
        let Some(mesh) = found.geometry.child("mesh") else { return Ok(()) };
        for primitive in mesh.children().filter(|child| is_primitive(child.name())) {
            let Some(inputs) = Inputs::of(primitive, by_id)? else { continue };
            let symbol = primitive.attribute("material").unwrap_or_default();
            let material = effects.material(found.instance, symbol, by_id);
            parts.push(part(primitive, &inputs, (found, material), account)?);
        }
        Ok(())
    })?;
    Ok(VisualMesh { parts, materials: effects.materials, warnings: effects.warnings })
}

fn part(
    primitive: Element<'_>,
    inputs: &Inputs,
    (found, material): (&Found<'_, '_>, Option<usize>),
    account: Account<'_>,
) -> Result<super::VisualPart, ContentError> {
    let turn = turn_of(found.pose);
    let mut corners = Corners::new(found.name, material);
    for polygon in polygons(primitive, &|p| inputs.corners(p))? {
        account.charge(Limit::Triangles, polygon.len() as u64).map_err(ContentError::Stopped)?;
        let Some((first, rest)) = polygon.split_first() else { continue };
        for pair in rest.windows(2) {
            for key in [*first, pair[0], pair[1]] {
                let corner = inputs.corner(key)?;
                corners.push(key, || Corner {
                    position: found.pose.transform_point3(corner.position),
                    normal: corner.normal.map(|normal| turn * normal),
                    uv: corner.uv,
                });
            }
        }
    }
    if found.pose.determinant() < 0.0 {
        corners.mirror();
    }
    Ok(corners.part)
}

/// The inputs of a primitive: vectors, and which index of a corner refers to them.
struct Inputs {
    stride: usize,
    positions: (usize, Vec<DVec3>),
    normals: Option<(usize, Vec<DVec3>)>,
    uvs: Option<(usize, Vec<DVec3>)>,
}

impl Inputs {
    /// Returns `None` if the primitive has no corners.
    fn of<'a>(primitive: Element<'a>, ids: &Ids<'a>) -> Result<Option<Self>, ContentError> {
        let offset =
            |input: Element<'_>| input.attribute("offset").and_then(|text| text.parse().ok()).unwrap_or(0);
        let stride = primitive.children_named("input").map(offset).max().unwrap_or(0_usize).saturating_add(1);
        let with = |semantic: &str| {
            let mut inputs = primitive.children_named("input");
            inputs.find(|input| input.attribute("semantic") == Some(semantic))
        };
        let Some(vertex) = with("VERTEX") else { return Ok(None) };
        let vertices = find(vertex, vertex.attribute("source").unwrap_or_default(), ids)?;
        let of_vertices = |semantic: &str| {
            let mut inputs = vertices.children_named("input");
            inputs.find(|input| input.attribute("semantic") == Some(semantic))
        };
        let position = of_vertices("POSITION").ok_or(ContentError::NoPositions("`<vertices>`"))?;
        // Normals and coordinates may be those of vertices, or of corners.
        let attribute = |semantic: &str| {
            let of_corner = with(semantic).map(|input| (offset(input), input));
            of_corner.or_else(|| of_vertices(semantic).map(|input| (offset(vertex), input)))
        };
        let read =
            |semantic| attribute(semantic).and_then(|(at, input)| Some((at, vectors(input, ids).ok()?)));
        Ok(Some(Inputs {
            stride,
            positions: (offset(vertex), vectors(position, ids)?),
            normals: read("NORMAL"),
            uvs: read("TEXCOORD"),
        }))
    }

    /// The indices of the position, normal and coordinates of each corner in a `<p>`.
    fn corners(&self, p: Element<'_>) -> Result<Vec<[u32; 3]>, ContentError> {
        let all: Vec<u32> = list(p)?;
        let offset = |input: &Option<(usize, Vec<DVec3>)>| input.as_ref().map(|(offset, _)| *offset);
        let offsets = [Some(self.positions.0), offset(&self.normals), offset(&self.uvs)];
        let corner = |corner: &[u32]| {
            offsets.map(|offset| offset.and_then(|at| corner.get(at).copied()).unwrap_or(NONE))
        };
        Ok(all.chunks(self.stride).filter(|part| part.len() > self.positions.0).map(corner).collect())
    }

    fn corner(&self, [position, normal, uv]: [u32; 3]) -> Result<Corner, ContentError> {
        let positions = &self.positions.1;
        let of = |input: &Option<(usize, Vec<DVec3>)>, index: u32| {
            input.as_ref().and_then(|(_, all)| all.get(index as usize).copied())
        };
        let position = positions
            .get(position as usize)
            .copied()
            .ok_or(ContentError::NoPoint { index: position, count: positions.len() })?;
        let uv = of(&self.uvs, uv).map(upper_left);
        Ok(Corner { position, normal: of(&self.normals, normal), uv })
    }
}

/// COLLADA has the origin of texture coordinates at the lower left.
#[expect(clippy::cast_possible_truncation, reason = "viewers draw in f32")]
fn upper_left(uv: DVec3) -> [f32; 2] {
    [uv.x as f32, 1.0 - uv.y as f32]
}

/// The vectors of the source of an input; missing components are 0.
fn vectors<'a>(input: Element<'a>, ids: &Ids<'a>) -> Result<Vec<DVec3>, ContentError> {
    let source = find(input, input.attribute("source").unwrap_or_default(), ids)?;
    let array = source.child("float_array").ok_or(ContentError::NoArray)?;
    let accessor = source.child("technique_common").and_then(|common| common.child("accessor"));
    let number =
        |name| accessor.and_then(|at| at.attribute(name)).and_then(|text| text.parse::<usize>().ok());
    let (stride, offset) = (number("stride").unwrap_or(3).max(1), number("offset").unwrap_or(0));
    let numbers: Vec<f64> = list(array)?;
    let numbers = numbers.get(offset..).unwrap_or_default();
    let part = |at: &[f64], index: usize| at.get(index).copied().unwrap_or(0.0);
    let vector = |at: &[f64]| DVec3::new(part(at, 0), part(at, 1), part(at, 2));
    Ok(numbers.chunks(stride).filter(|at| at.len() == stride).map(vector).collect())
}
