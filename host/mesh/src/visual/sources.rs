//! The inputs of a COLLADA primitive: positions, normals and texture coordinates, with the indices that refer to them.

use std::collections::HashMap;
use std::rc::Rc;

use bridgehead_pose::DVec3;
use bridgehead_sdf::limits::Limit;
use bridgehead_sdf::{Account, Element, NodeId};

use super::vertices::Corner;
use crate::ContentError;
use crate::collada::Ids;
use crate::collada::geometry::{coordinates, list, positions};

/// No index: the corner has no such input.
const NONE: u32 = u32::MAX;

/// The indices of the position, normal and texture coordinates of a corner.
pub(super) type Key = [u32; 3];

/// What was read of the sources of a file. Primitives share sources, so that a small file can refer to a large one
/// again and again.
pub(super) struct Sources<'a> {
    account: Account<'a>,
    vectors: HashMap<NodeId, Rc<[DVec3]>>,
    uvs: HashMap<NodeId, Rc<[[f32; 2]]>>,
}

/// An input: the place of its index among those of a corner, and its values.
struct Input<T> {
    offset: usize,
    values: Rc<[T]>,
}

/// The inputs of a primitive.
pub(super) struct Inputs {
    stride: usize,
    positions: Input<DVec3>,
    normals: Option<Input<DVec3>>,
    uvs: Option<Input<[f32; 2]>>,
}

impl<'a> Sources<'a> {
    pub(super) fn new(account: Account<'a>) -> Self {
        Sources { account, vectors: HashMap::new(), uvs: HashMap::new() }
    }

    /// Returns the inputs of a primitive; `None` if it has no corners. `set` is the set of texture coordinates to use;
    /// without it, the first of the lowest number.
    pub(super) fn inputs(
        &mut self,
        primitive: Element<'a>,
        set: Option<u32>,
        ids: &Ids<'a>,
    ) -> Result<Option<Inputs>, ContentError> {
        let inputs: Vec<Element<'a>> = primitive.children_named("input").collect();
        let stride = inputs.iter().map(|input| offset(*input)).max().unwrap_or(0).saturating_add(1);
        let Some(vertex) = inputs.iter().copied().find(|input| is(*input, "VERTEX")) else { return Ok(None) };
        let vertices = ids.part(primitive, "vertices", vertex.attribute("source").unwrap_or_default())?;
        let of_vertices =
            |semantic: &str| vertices.children_named("input").find(|input| is(*input, semantic));
        let position = of_vertices("POSITION").and_then(|input| input.attribute("source"));
        let position = position.ok_or(ContentError::NoPositions("`<vertices>`"))?;
        let positions = Input { offset: offset(vertex), values: self.vectors(primitive, position, ids)? };
        // Normals and coordinates belong to corners or to vertices.
        let normal =
            inputs.iter().copied().find(|input| is(*input, "NORMAL")).map(|input| (offset(input), input));
        let normal = normal.or_else(|| of_vertices("NORMAL").map(|input| (offset(vertex), input)));
        let uv = chosen(&inputs, set).map(|input| (offset(input), input));
        let uv = uv.or_else(|| of_vertices("TEXCOORD").map(|input| (offset(vertex), input)));
        let source = |input: Element<'a>| input.attribute("source").unwrap_or_default();
        // A mesh without them can still be drawn.
        let normals = normal.and_then(|(offset, input)| {
            Some(Input { offset, values: self.vectors(primitive, source(input), ids).ok()? })
        });
        let uvs = uv.and_then(|(offset, input)| {
            Some(Input { offset, values: self.uvs(primitive, source(input), ids).ok()? })
        });
        Ok(Some(Inputs { stride, positions, normals, uvs }))
    }

    fn vectors(
        &mut self,
        primitive: Element<'a>,
        address: &'a str,
        ids: &Ids<'a>,
    ) -> Result<Rc<[DVec3]>, ContentError> {
        let source = ids.part(primitive, "source", address)?.id();
        if let Some(known) = self.vectors.get(&source) {
            return Ok(Rc::clone(known));
        }
        let values: Rc<[DVec3]> = positions(primitive, address, ids)?.into();
        self.charge(values.len())?;
        self.vectors.insert(source, Rc::clone(&values));
        Ok(values)
    }

    fn uvs(
        &mut self,
        primitive: Element<'a>,
        address: &'a str,
        ids: &Ids<'a>,
    ) -> Result<Rc<[[f32; 2]]>, ContentError> {
        let source = ids.part(primitive, "source", address)?.id();
        if let Some(known) = self.uvs.get(&source) {
            return Ok(Rc::clone(known));
        }
        let values: Rc<[[f32; 2]]> =
            coordinates(primitive, address, ids)?.into_iter().map(upper_left).collect();
        self.charge(values.len())?;
        self.uvs.insert(source, Rc::clone(&values));
        Ok(values)
    }

    fn charge(&self, count: usize) -> Result<(), ContentError> {
        self.account.charge(Limit::Triangles, count as u64).map_err(ContentError::Stopped)
    }
}

fn is(input: Element<'_>, semantic: &str) -> bool {
    input.attribute("semantic") == Some(semantic)
}

fn number<T: std::str::FromStr>(input: Element<'_>, name: &str) -> Option<T> {
    input.attribute(name).and_then(|text| text.parse().ok())
}

fn offset(input: Element<'_>) -> usize {
    number(input, "offset").unwrap_or(0)
}

/// The input of texture coordinates with that set, or the one of the lowest number.
fn chosen<'a>(inputs: &[Element<'a>], set: Option<u32>) -> Option<Element<'a>> {
    let set_of = |input: &Element<'a>| number::<u32>(*input, "set").unwrap_or(0);
    let mut all: Vec<Element<'a>> = inputs.iter().copied().filter(|input| is(*input, "TEXCOORD")).collect();
    all.sort_by_key(set_of);
    all.iter().copied().find(|input| Some(set_of(input)) == set).or(all.first().copied())
}

/// COLLADA has the origin of texture coordinates at the lower left.
#[expect(clippy::cast_possible_truncation, reason = "viewers draw in f32")]
fn upper_left([u, v]: [f64; 2]) -> [f32; 2] {
    [u as f32, 1.0 - v as f32]
}

impl Inputs {
    /// Returns the corners in a `<p>`.
    pub(super) fn corners(&self, p: Element<'_>) -> Result<Vec<Key>, ContentError> {
        let all: Vec<u32> = list(p)?;
        let offsets = [
            Some(self.positions.offset),
            self.normals.as_ref().map(|input| input.offset),
            self.uvs.as_ref().map(|input| input.offset),
        ];
        let corner = |corner: &[u32]| {
            offsets.map(|offset| offset.and_then(|at| corner.get(at).copied()).unwrap_or(NONE))
        };
        Ok(all.chunks(self.stride).filter(|part| part.len() > self.positions.offset).map(corner).collect())
    }

    /// Returns the values of a corner.
    pub(super) fn corner(&self, [position, normal, uv]: Key) -> Result<Corner, ContentError> {
        let positions = &self.positions.values;
        let no_point = ContentError::NoPoint { index: position, count: positions.len() };
        Ok(Corner {
            position: positions.get(position as usize).copied().ok_or(no_point)?,
            normal: self.normals.as_ref().and_then(|input| input.values.get(normal as usize).copied()),
            uv: self.uvs.as_ref().and_then(|input| input.values.get(uv as usize).copied()),
        })
    }
}
