//! A `<mesh>`: positions, and the primitives that make triangles of them: `<triangles>`, `<polylist>`,
//! `<polygons>`, fans and strips.

use std::collections::HashMap;
use std::str::FromStr;

use bridgehead_pose::DVec3;
use bridgehead_sdf::Element;

use super::super::{ContentError, Triangles, fan};
use super::Ids;

pub(crate) fn read<'a>(mesh: Element<'a>, ids: &Ids<'a>) -> Result<Triangles, ContentError> {
    let mut all = Triangles::default();
    // The index of the first position of each source among the points.
    let mut starts: HashMap<&str, u32> = HashMap::new();
    for primitive in mesh.children() {
        if !is_primitive(primitive.name()) {
            continue;
        }
        let Some(layout) = Layout::of(primitive, ids)? else { continue };
        let start = match starts.get(layout.source) {
            Some(start) => *start,
            None => {
                let start = u32::try_from(all.points.len()).unwrap_or(u32::MAX);
                all.points.extend(positions(primitive, layout.source, ids)?);
                starts.insert(layout.source, start);
                start
            }
        };
        for polygon in polygons(primitive, &|p| layout.corners(p))? {
            let corners: Vec<u32> = polygon.iter().map(|index| index.saturating_add(start)).collect();
            fan(&corners, &mut all.indices);
        }
    }
    Ok(all)
}

/// Returns true for the names of elements that make triangles.
pub(crate) fn is_primitive(name: &str) -> bool {
    matches!(name, "triangles" | "polylist" | "polygons" | "trifans" | "tristrips")
}

/// Returns the corners of a `<p>`.
type CornersOf<'c, T> = dyn Fn(Element<'_>) -> Result<Vec<T>, ContentError> + 'c;

/// Returns the corners of each polygon of a primitive.
pub(crate) fn polygons<T: Copy>(
    primitive: Element<'_>,
    corners: &CornersOf<'_, T>,
) -> Result<Vec<Vec<T>>, ContentError> {
    match primitive.name() {
        "triangles" => triangles(primitive, corners),
        "polylist" => polylist(primitive, corners),
        "tristrips" => strips(primitive, corners),
        _ => each_list(primitive, corners),
    }
}

/// The layout of the indices of a primitive.
struct Layout<'a> {
    /// Id of the source of positions.
    source: &'a str,
    /// Which index of a corner refers to the position.
    offset: usize,
    /// Indices of a corner.
    stride: usize,
}

impl<'a> Layout<'a> {
    /// Returns `None` if the primitive has no corners.
    fn of(primitive: Element<'a>, ids: &Ids<'a>) -> Result<Option<Self>, ContentError> {
        let offset =
            |input: Element<'_>| input.attribute("offset").and_then(|text| text.parse().ok()).unwrap_or(0);
        let inputs = || primitive.children_named("input");
        let stride = inputs().map(offset).max().unwrap_or(0_usize).saturating_add(1);
        let Some(vertex) = inputs().find(|input| input.attribute("semantic") == Some("VERTEX")) else {
            return Ok(None);
        };
        let vertices = ids.part(primitive, "vertices", vertex.attribute("source").unwrap_or_default())?;
        let position =
            vertices.children_named("input").find(|input| input.attribute("semantic") == Some("POSITION"));
        let source = position
            .and_then(|input| input.attribute("source"))
            .ok_or(ContentError::NoPositions("`<vertices>`"))?;
        Ok(Some(Layout { source, offset: offset(vertex), stride }))
    }

    /// The indices of positions in a `<p>`.
    fn corners(&self, p: Element<'_>) -> Result<Vec<u32>, ContentError> {
        let all: Vec<u32> = list(p)?;
        Ok(all.iter().skip(self.offset).step_by(self.stride).copied().collect())
    }
}

pub(crate) fn no_target(from: Element<'_>, target: &str) -> ContentError {
    ContentError::NoTarget { element: from.name().to_owned(), target: target.to_owned() }
}

/// Returns the vectors of a source, which `address`, in a primitive, refers to.
pub(crate) fn positions(
    primitive: Element<'_>,
    address: &str,
    ids: &Ids<'_>,
) -> Result<Vec<DVec3>, ContentError> {
    vectors(primitive, address, ids, 3, |at| DVec3::new(at[0], at[1], at[2]))
}

/// Returns the texture coordinates of a source, like [`positions`].
pub(crate) fn coordinates(
    primitive: Element<'_>,
    address: &str,
    ids: &Ids<'_>,
) -> Result<Vec<[f64; 2]>, ContentError> {
    vectors(primitive, address, ids, 2, |at| [at[0], at[1]])
}

/// Returns what `vector` makes of each `size` numbers or more of a source.
fn vectors<T>(
    primitive: Element<'_>,
    address: &str,
    ids: &Ids<'_>,
    size: usize,
    vector: impl Fn(&[f64]) -> T,
) -> Result<Vec<T>, ContentError> {
    let source = ids.part(primitive, "source", address)?;
    let array = source.child("float_array").ok_or(ContentError::NoArray)?;
    let accessor = source.child("technique_common").and_then(|common| common.child("accessor"));
    let number =
        |name| accessor.and_then(|at| at.attribute(name)).and_then(|text| text.parse::<usize>().ok());
    let (stride, offset) = (number("stride").unwrap_or(size), number("offset").unwrap_or(0));
    if stride < size {
        return Err(ContentError::Coordinates { found: stride, expected: size });
    }
    let numbers: Vec<f64> = list(array)?;
    let numbers = numbers.get(offset..).unwrap_or_default();
    Ok(numbers.chunks(stride).filter(|at| at.len() >= size).map(vector).collect())
}

fn triangles<T: Copy>(
    primitive: Element<'_>,
    corners: &CornersOf<'_, T>,
) -> Result<Vec<Vec<T>>, ContentError> {
    let mut all = Vec::new();
    for p in primitive.children_named("p") {
        all.extend(corners(p)?.chunks_exact(3).map(<[T]>::to_vec));
    }
    Ok(all)
}

fn polylist<T: Copy>(
    primitive: Element<'_>,
    corners: &CornersOf<'_, T>,
) -> Result<Vec<Vec<T>>, ContentError> {
    let (Some(counts), Some(p)) = (primitive.child("vcount"), primitive.child("p")) else {
        return Ok(Vec::new());
    };
    let corners = corners(p)?;
    let mut rest = corners.as_slice();
    let mut all = Vec::new();
    for count in list::<usize>(counts)? {
        let (polygon, after) = rest.split_at_checked(count).ok_or(ContentError::ShortPolygon)?;
        all.push(polygon.to_vec());
        rest = after;
    }
    Ok(all)
}

/// A polygon in each `<p>`; holes are filled.
fn each_list<T: Copy>(
    primitive: Element<'_>,
    corners: &CornersOf<'_, T>,
) -> Result<Vec<Vec<T>>, ContentError> {
    let holed = primitive.children_named("ph").filter_map(|polygon| polygon.child("p"));
    primitive.children_named("p").chain(holed).map(corners).collect()
}

fn strips<T: Copy>(primitive: Element<'_>, corners: &CornersOf<'_, T>) -> Result<Vec<Vec<T>>, ContentError> {
    let mut all = Vec::new();
    for p in primitive.children_named("p") {
        let corners = corners(p)?;
        let turned = corners.windows(3).enumerate().map(|(at, corners)| {
            // Every second triangle of a strip has the opposite orientation.
            if at % 2 == 0 { corners.to_vec() } else { vec![corners[1], corners[0], corners[2]] }
        });
        all.extend(turned);
    }
    Ok(all)
}

/// The numbers in an element's text.
pub(crate) fn list<T: FromStr>(element: Element<'_>) -> Result<Vec<T>, ContentError> {
    let not_a_number =
        |word: &str| ContentError::NotANumber { word: word.to_owned(), element: element.name().to_owned() };
    let word = |word: &str| word.parse().map_err(|_| not_a_number(word));
    element.text().split_ascii_whitespace().map(word).collect()
}
