//! `<polyline>` of SDF: outlines that stand up from z = 0, one inside another for holes.
//!
//! As Gazebo has it, an outline inside another is a hole whatever their order, one inside a hole is solid again, and
//! several may stand side by side. Outlines are closed, whether or not the last point repeats the first.

use glam::DVec3;

use crate::file::contained;
use crate::mesh::index;
use crate::{Mesh, MeshError};

/// Points in all: what compares outlines with each other takes time by the square of it.
const MOST_POINTS: usize = 10_000;
/// Of the areas that outlines enclose, how much the triangles between them may miss.
const MOST_MISSED: f64 = 1e-6;

type Outline = Vec<[f64; 2]>;

/// Raises outlines by `height` metres from z = 0 to a closed solid. Points are metres.
///
/// # Errors
/// Where an outline has fewer than three points, encloses nothing, or crosses itself or another; where a number is not
/// finite, or the height not above 0.
pub fn polyline(points: &[Outline], height: f64) -> Result<Mesh, MeshError> {
    solid(points, height).map_err(|found| MeshError::Outline { found })
}

fn solid(points: &[Outline], height: f64) -> Result<Mesh, String> {
    if !(height.is_finite() && height > 0.0) {
        return Err(format!("its height is {height} m"));
    }
    let count: usize = points.iter().map(Vec::len).sum();
    if count > MOST_POINTS {
        return Err(format!("it has {count} points, more than {MOST_POINTS}"));
    }
    let outlines: Vec<Outline> = points.iter().map(|outline| without_repetitions(outline)).collect();
    for (at, outline) in outlines.iter().enumerate() {
        check(outline).map_err(|found| format!("outline {at} {found}"))?;
    }
    let mut mesh = Mesh::default();
    for area in nested(&outlines) {
        raise(&area, height, &mut mesh)?;
    }
    if mesh.triangles.is_empty() { Err("it has no points".to_owned()) } else { Ok(mesh) }
}

/// Without points that repeat the one before, and without a last one that repeats the first.
fn without_repetitions(outline: &[[f64; 2]]) -> Outline {
    let mut outline = outline.to_vec();
    outline.dedup();
    while outline.len() > 1 && outline.first() == outline.last() {
        outline.pop();
    }
    outline
}

fn check(outline: &[[f64; 2]]) -> Result<(), String> {
    // As large as the squares of all numbers together may become.
    const LARGEST: f64 = 1e100;
    if outline.iter().flatten().any(|number| !number.is_finite() || number.abs() > LARGEST) {
        return Err(format!("has a number that is not finite or beyond {LARGEST}"));
    }
    if outline.len() < 3 {
        return Err(format!("has {} different points", outline.len()));
    }
    let span = |axis: usize| {
        let along = outline.iter().map(|point| point[axis]);
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    };
    if area(outline).abs() <= f64::EPSILON * (span(0).max(span(1))).powi(2) {
        return Err("encloses nothing".to_owned());
    }
    Ok(())
}

/// m², positive for an outline that runs anticlockwise.
fn area(outline: &[[f64; 2]]) -> f64 {
    let Some([x, y]) = outline.first() else { return 0.0 };
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| (a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y)).sum::<f64>() / 2.0
}

/// An outline and the holes right inside it; the first runs anticlockwise and the others clockwise, so that walls face
/// outwards.
fn nested(outlines: &[Outline]) -> Vec<Vec<Outline>> {
    let around: Vec<Vec<usize>> = (0..outlines.len())
        .map(|inner| {
            (0..outlines.len())
                .filter(|outer| *outer != inner && contains(&outlines[*outer], &outlines[inner]))
                .collect()
        })
        .collect();
    let is_solid = |at: &usize| around[*at].len().is_multiple_of(2);
    let areas = (0..outlines.len()).filter(is_solid).map(|outer| {
        let is_hole = |at: &usize| around[*at].len() == around[outer].len() + 1 && around[*at].contains(&outer);
        let holes = (0..outlines.len()).filter(is_hole).map(|at| turned(&outlines[at], false));
        std::iter::once(turned(&outlines[outer], true)).chain(holes).collect()
    });
    areas.collect()
}

fn turned(outline: &[[f64; 2]], is_anticlockwise: bool) -> Outline {
    let mut outline = outline.to_vec();
    if (area(&outline) > 0.0) != is_anticlockwise {
        outline.reverse();
    }
    outline
}

/// Whether most points of an outline lie inside another: some may touch it.
fn contains(outer: &[[f64; 2]], inner: &[[f64; 2]]) -> bool {
    2 * inner.iter().filter(|point| surrounds(outer, **point)).count() > inner.len()
}

/// Whether a ray from a point along x leaves the outline an odd number of times.
fn surrounds(outline: &[[f64; 2]], [x, y]: [f64; 2]) -> bool {
    let next = outline.iter().cycle().skip(1);
    let crossed = outline.iter().zip(next).filter(|([ax, ay], [bx, by])| {
        (*ay > y) != (*by > y) && x < ax + (bx - ax) * (y - ay) / (by - ay)
    });
    crossed.count() % 2 == 1
}

/// Adds floor, ceiling and walls of an area.
fn raise(outlines: &[Outline], height: f64, mesh: &mut Mesh) -> Result<(), String> {
    let flat: Outline = outlines.concat();
    let (floor, count) = (index(mesh.points.len()), index(flat.len()));
    let ceiling = floor + count;
    for z in [0.0, height] {
        mesh.points.extend(flat.iter().map(|[x, y]| DVec3::new(*x, *y, z)));
    }
    for [a, b, c] in cap(outlines, &flat)? {
        mesh.triangles.push([a + ceiling, b + ceiling, c + ceiling]);
        mesh.triangles.push([a + floor, c + floor, b + floor]);
    }
    let mut start = 0;
    for outline in outlines {
        for at in 0..outline.len() {
            let (here, next) = (index(start + at), index(start + (at + 1) % outline.len()));
            mesh.add_fan(&[here + floor, next + floor, next + ceiling, here + ceiling]);
        }
        start += outline.len();
    }
    Ok(())
}

/// Triangles of an outline without its holes, each anticlockwise.
fn cap(outlines: &[Outline], flat: &[[f64; 2]]) -> Result<Vec<[u32; 3]>, String> {
    let mut ends: Vec<usize> = outlines
        .iter()
        .scan(0, |end, outline| {
            *end += outline.len();
            Some(*end)
        })
        .collect();
    ends.pop();
    let crossing = || "outlines cross".to_owned();
    let corners = contained(|| earcutr::earcut(flat.as_flattened(), &ends, 2)).and_then(Result::ok);
    let corners = corners.ok_or_else(crossing)?;
    let corner = |at: usize| flat.get(at).copied().ok_or_else(crossing);
    let (mut covered, mut triangles) = (0.0, Vec::new());
    for at in corners.chunks_exact(3) {
        let own = area(&[corner(at[0])?, corner(at[1])?, corner(at[2])?]);
        let [a, b, c] = [index(at[0]), index(at[1]), index(at[2])];
        triangles.push(if own < 0.0 { [a, c, b] } else { [a, b, c] });
        covered += own.abs();
    }
    let (enclosed, all) = outlines.iter().fold((0.0, 0.0), |(enclosed, all), outline| {
        let own = area(outline);
        (enclosed + own, all + own.abs())
    });
    if (covered - enclosed).abs() <= MOST_MISSED * all { Ok(triangles) } else { Err(crossing()) }
}
