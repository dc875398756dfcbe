//! STL as text and as bytes; equal corners are welded together.
//!
//! Read here, since many tools begin the header of a binary file with `solid`, which `stl_io` takes for text: a file is
//! binary if its length is what its count says.

use std::collections::HashMap;
use std::path::Path;

use glam::DVec3;

use crate::Mesh;
use crate::mesh::index;
use crate::part::{Fault, MOST_TRIANGLES, Part, Parts, at_most};

/// Bytes before the triangles of a binary file: 80 of any kind, and the count.
const HEADER: usize = 84;
/// Bytes of a triangle: a normal, three corners, and two bytes of any kind.
const TRIANGLE: usize = 50;
/// Bytes of the normal.
const NORMAL: usize = 12;

pub(crate) fn read(bytes: &[u8], _: &Path) -> Result<Parts, Fault> {
    let corners = match (room(bytes), says_solid(bytes)) {
        (Some((count, room)), is_text) if count == room || !is_text => {
            if count > room {
                return Err(format!("it says that it has {count} triangles and has room for {room}").into());
            }
            at_most(count, "triangles", MOST_TRIANGLES)?;
            binary(bytes, count)
        }
        (_, true) => text(&String::from_utf8_lossy(bytes))?,
        _ => return Err(format!("it has {} bytes, fewer than its header", bytes.len()).into()),
    };
    let mut parts = Parts::default();
    parts.push(Part { name: String::new(), geometry: String::new(), mesh: welded(&corners) })?;
    Ok(parts)
}

/// The count of a binary file, and how many triangles there is room for.
fn room(bytes: &[u8]) -> Option<(usize, usize)> {
    let count = <[u8; 4]>::try_from(bytes.get(HEADER - 4..HEADER)?).ok()?;
    Some((u32::from_le_bytes(count) as usize, (bytes.len() - HEADER) / TRIANGLE))
}

fn says_solid(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

fn binary(bytes: &[u8], count: usize) -> Vec<DVec3> {
    let triangles = bytes.get(HEADER..).unwrap_or_default().chunks_exact(TRIANGLE).take(count);
    let corners = triangles.flat_map(|triangle| triangle[NORMAL..TRIANGLE - 2].chunks_exact(12));
    corners.map(|corner| DVec3::new(number(corner, 0), number(corner, 4), number(corner, 8))).collect()
}

fn number(corner: &[u8], at: usize) -> f64 {
    let bytes = corner.get(at..at + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
    bytes.map_or(f64::NAN, |bytes| f64::from(f32::from_le_bytes(bytes)))
}

/// Only `vertex` lines carry anything, three for each `facet`.
fn text(text: &str) -> Result<Vec<DVec3>, Fault> {
    let mut corners = Vec::new();
    let mut has_end = false;
    for (at, line) in (1..).zip(text.lines()) {
        let mut words = line.split_ascii_whitespace();
        let Some(keyword) = words.next().map(str::to_ascii_lowercase) else { continue };
        match keyword.as_str() {
            "vertex" => corners.push(vertex(words).ok_or_else(|| no_vertex(at, line))?),
            "endloop" | "endfacet" if corners.len() % 3 != 0 => {
                return Err(format!("the facet before line {at} has not three corners").into());
            }
            "endsolid" => has_end = true,
            "solid" | "facet" | "outer" | "endloop" | "endfacet" => {}
            _ => return Err(format!("line {at} begins with `{}`", excerpt(&keyword)).into()),
        }
        at_most(corners.len() / 3, "triangles", MOST_TRIANGLES)?;
    }
    if !has_end || corners.len() % 3 != 0 {
        return Err("it ends before `endsolid`".into());
    }
    Ok(corners)
}

fn vertex<'a>(words: impl Iterator<Item = &'a str>) -> Option<DVec3> {
    let numbers: Vec<f64> = words.map(str::parse).collect::<Result<_, _>>().ok()?;
    Some(DVec3::from_array(numbers.try_into().ok()?))
}

fn no_vertex(at: u32, line: &str) -> Fault {
    format!("line {at} is `{}` and not `vertex` with three numbers", excerpt(line.trim())).into()
}

/// The first few characters, for messages.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

/// Corners with the same bits become one point.
fn welded(corners: &[DVec3]) -> Mesh {
    let mut mesh = Mesh::default();
    let mut known: HashMap<[u64; 3], u32> = HashMap::new();
    for triangle in corners.chunks_exact(3) {
        let mut point = |corner: DVec3| {
            // -0 is 0.
            let corner = corner + DVec3::ZERO;
            *known.entry(corner.to_array().map(f64::to_bits)).or_insert_with(|| {
                mesh.points.push(corner);
                index(mesh.points.len() - 1)
            })
        };
        let corners = [point(triangle[0]), point(triangle[1]), point(triangle[2])];
        mesh.triangles.push(corners);
    }
    mesh
}
