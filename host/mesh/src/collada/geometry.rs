//! A `<mesh>`: positions, and what ties them to triangles: `<triangles>`, `<polylist>`, `<polygons>`, fans and strips.

use std::collections::HashMap;

use glam::DVec3;

use super::list;
use super::xml::{Element, Ids};
use crate::Mesh;
use crate::mesh::index;
use crate::part::{Fault, MOST_POINTS, at_most};

pub(super) fn read<'d>(mesh: Element<'d>, ids: &Ids<'d>) -> Result<Mesh, Fault> {
    let mut all = Mesh::default();
    // Where the positions of each source begin among the points.
    let mut starts: HashMap<&str, u32> = HashMap::new();
    for primitive in mesh.children() {
        let Some(add) = primitive_kind(primitive.name()) else { continue };
        let Some(layout) = Layout::of(primitive, ids)? else { continue };
        let start = match starts.get(layout.source) {
            Some(start) => *start,
            None => {
                let start = index(all.points.len());
                all.points.extend(positions(layout.source, ids)?);
                at_most(all.points.len(), "points", MOST_POINTS)?;
                starts.insert(layout.source, start);
                start
            }
        };
        add(primitive, &Layout { start, ..layout }, &mut all)?;
    }
    Ok(all)
}

/// Adds the triangles of a primitive.
type Add = fn(Element<'_>, &Layout<'_>, &mut Mesh) -> Result<(), Fault>;

fn primitive_kind(name: &str) -> Option<Add> {
    Some(match name {
        "triangles" => triangles,
        "polylist" => polylist,
        "polygons" | "trifans" => each_list,
        "tristrips" => strips,
        _ => return None,
    })
}

/// How the indices of a primitive lie behind each other.
struct Layout<'d> {
    /// Address of the source of positions.
    source: &'d str,
    /// Where its positions begin among the points.
    start: u32,
    /// Which index of a corner is that of the position.
    offset: usize,
    /// Indices of a corner.
    stride: usize,
}

impl<'d> Layout<'d> {
    /// `None` where the primitive has no corners.
    fn of(primitive: Element<'d>, ids: &Ids<'d>) -> Result<Option<Self>, Fault> {
        let inputs = || primitive.children_named("input");
        let mut stride = 1;
        for input in inputs() {
            stride = stride.max(offset(input)?.saturating_add(1));
        }
        let Some(vertex) = inputs().find(|input| input.attribute("semantic") == Some("VERTEX")) else {
            return Ok(None);
        };
        let vertices = find("vertices", vertex.attribute("source"), ids)?;
        let is_position = |input: &Element<'_>| input.attribute("semantic") == Some("POSITION");
        let position = vertices.children_named("input").find(is_position);
        let source = position.and_then(|input| input.attribute("source"));
        let source = source.ok_or("its vertices have no positions")?;
        Ok(Some(Layout { source, start: 0, offset: offset(vertex)?, stride }))
    }

    /// The indices of points in a `<p>`.
    fn corners(&self, p: Element<'_>) -> Result<Vec<u32>, Fault> {
        let all: Vec<u32> = list(p)?;
        let positions = all.chunks(self.stride).filter_map(|corner| corner.get(self.offset));
        Ok(positions.map(|at| at.saturating_add(self.start)).collect())
    }
}

fn offset(input: Element<'_>) -> Result<usize, Fault> {
    let Some(text) = input.attribute("offset") else { return Ok(0) };
    text.trim().parse().map_err(|_| format!("an input has the offset `{text}`").into())
}

fn find<'d>(kind: &'static str, address: Option<&'d str>, ids: &Ids<'d>) -> Result<Element<'d>, Fault> {
    let address = address.unwrap_or_default();
    let found = address.strip_prefix('#').and_then(|id| ids.get(&(kind, id))).copied();
    found.ok_or_else(|| format!("`<{kind}>` `{address}` is named and not there").into())
}

fn positions<'d>(source: &'d str, ids: &Ids<'d>) -> Result<Vec<DVec3>, Fault> {
    let source = find("source", Some(source), ids)?;
    let array = source.child("float_array").ok_or("a source has no `<float_array>`")?;
    let accessor = source.child("technique_common").and_then(|common| common.child("accessor"));
    let number = |name| accessor.and_then(|at| at.attribute(name)).and_then(|text| text.trim().parse().ok());
    let (stride, offset): (usize, usize) = (number("stride").unwrap_or(3), number("offset").unwrap_or(0));
    if stride < 3 {
        return Err(format!("positions have {stride} coordinates").into());
    }
    let numbers: Vec<f64> = list(array)?;
    let numbers = numbers.get(offset..).unwrap_or_default();
    Ok(numbers.chunks(stride).filter(|at| at.len() >= 3).map(|at| DVec3::new(at[0], at[1], at[2])).collect())
}

fn triangles(primitive: Element<'_>, layout: &Layout<'_>, mesh: &mut Mesh) -> Result<(), Fault> {
    for p in primitive.children_named("p") {
        let corners = layout.corners(p)?;
        if corners.len() % 3 != 0 {
            return Err(format!("`<triangles>` have {} corners, not three each", corners.len()).into());
        }
        mesh.triangles.extend(corners.chunks_exact(3).map(|at| [at[0], at[1], at[2]]));
    }
    Ok(())
}

fn polylist(primitive: Element<'_>, layout: &Layout<'_>, mesh: &mut Mesh) -> Result<(), Fault> {
    let (Some(counts), Some(p)) = (primitive.child("vcount"), primitive.child("p")) else { return Ok(()) };
    let corners = layout.corners(p)?;
    let mut rest = corners.as_slice();
    for count in list::<usize>(counts)? {
        let (polygon, after) =
            rest.split_at_checked(count).ok_or("a polygon has fewer corners than its `<vcount>` says")?;
        mesh.add_fan(polygon);
        rest = after;
    }
    Ok(())
}

/// A polygon in each `<p>`; holes are filled.
fn each_list(primitive: Element<'_>, layout: &Layout<'_>, mesh: &mut Mesh) -> Result<(), Fault> {
    let holed = primitive.children_named("ph").filter_map(|polygon| polygon.child("p"));
    for p in primitive.children_named("p").chain(holed) {
        mesh.add_fan(&layout.corners(p)?);
    }
    Ok(())
}

fn strips(primitive: Element<'_>, layout: &Layout<'_>, mesh: &mut Mesh) -> Result<(), Fault> {
    for p in primitive.children_named("p") {
        mesh.add_strip(&layout.corners(p)?);
    }
    Ok(())
}
