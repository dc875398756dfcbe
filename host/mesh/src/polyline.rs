//! `<polyline>`: extruded outlines, one inside another for holes, as SDF describes them.

use bridgehead_pose::DVec3;

use super::{MeshError, Triangles, fan};

/// Extrudes outlines by `height` metres from z = 0. The first is the outer one; the others are holes in it.
///
/// # Errors
/// Returns an error if an outline has fewer than three corners or encloses no area, or a number is not
/// finite.
pub fn extrude(outlines: &[Vec<[f64; 2]>], height: f64) -> Result<Triangles, MeshError> {
    let refuse = |found: String| MeshError::Outline { found };
    if !(height.is_finite() && height > 0.0) {
        return Err(refuse(format!("its height is {height} m")));
    }
    let mut outlines: Vec<Vec<[f64; 2]>> = outlines.iter().map(|outline| open(outline)).collect();
    for (index, outline) in outlines.iter_mut().enumerate() {
        if outline.len() < 3 || outline.iter().flatten().any(|number| !number.is_finite()) {
            return Err(refuse(format!("outline {index} needs three or more finite corners")));
        }
        // The outer outline is anticlockwise and holes are clockwise, so that walls face outwards.
        if (area(outline) < 0.0) == (index == 0) {
            outline.reverse();
        }
    }
    let Some(outer) = outlines.first() else { return Err(refuse("it has no points".to_owned())) };
    if area(outer).abs() < f64::EPSILON {
        return Err(refuse("its corners lie on one line".to_owned()));
    }
    Ok(prism(&outlines, height))
}

/// The outline without a last corner that repeats the first.
fn open(outline: &[[f64; 2]]) -> Vec<[f64; 2]> {
    match outline.split_last() {
        Some((last, rest)) if rest.first() == Some(last) => rest.to_vec(),
        _ => outline.to_vec(),
    }
}

/// The area; positive for an anticlockwise outline.
fn area(outline: &[[f64; 2]]) -> f64 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>() / 2.0
}

fn prism(outlines: &[Vec<[f64; 2]>], height: f64) -> Triangles {
    let flat: Vec<[f64; 2]> = outlines.concat();
    let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let count = index(flat.len());
    let points = [0.0, height].into_iter().flat_map(|z| flat.iter().map(move |[x, y]| DVec3::new(*x, *y, z)));
    let mut triangles = Triangles { points: points.collect(), indices: Vec::new() };
    for corners in cap(outlines) {
        // Anticlockwise as seen from above.
        let [a, b, c] = corners;
        triangles.indices.push([a + count, b + count, c + count]);
        triangles.indices.push([a, c, b]);
    }
    let mut start = 0;
    for outline in outlines {
        for at in 0..outline.len() {
            let (here, next) = (index(start + at), index(start + (at + 1) % outline.len()));
            fan(&[here, next, next + count, here + count], &mut triangles.indices);
        }
        start += outline.len();
    }
    triangles
}

/// Triangles of the area between the outlines, each anticlockwise.
fn cap(outlines: &[Vec<[f64; 2]>]) -> Vec<[u32; 3]> {
    let numbers: Vec<f64> = outlines.concat().concat();
    let mut holes = Vec::new();
    let mut start = 0;
    for outline in outlines.iter().take(outlines.len().saturating_sub(1)) {
        start += outline.len();
        holes.push(start);
    }
    let corners = earcutr::earcut(&numbers, &holes, 2).unwrap_or_default();
    let at = |corner: u32| [numbers[2 * corner as usize], numbers[2 * corner as usize + 1]];
    let triangles =
        corners.chunks_exact(3).map(|corners| [0, 1, 2].map(|at| u32::try_from(corners[at]).unwrap_or(0)));
    triangles
        .map(|[a, b, c]| if area(&[at(a), at(b), at(c)]) < 0.0 { [a, c, b] } else { [a, b, c] })
        .collect()
}
