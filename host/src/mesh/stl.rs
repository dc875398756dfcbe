//! STL as text and as bytes, read by `stl_io`, which welds equal corners together.

use std::io::Cursor;
use std::path::Path;

use super::{Part, Triangles};
use crate::pose::DVec3;

/// Bytes before the triangles of a binary file, and bytes of a triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8], _: &Path) -> Result<Vec<Part>, String> {
    check_count(bytes)?;
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(|error| error.to_string())?;
    let points =
        mesh.vertices.iter().map(|at| DVec3::from_array([0, 1, 2].map(|axis| f64::from(at[axis])))).collect();
    let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let indices = mesh.faces.iter().map(|face| face.vertices.map(index)).collect();
    Ok(vec![Part { name: String::new(), triangles: Triangles { points, indices } }])
}

/// A count that the file is too short for would only be found after memory was set aside for it.
fn check_count(bytes: &[u8]) -> Result<(), String> {
    let Some(count) = bytes.get(80..HEADER).and_then(|count| <[u8; 4]>::try_from(count).ok()) else {
        return Ok(());
    };
    if bytes.starts_with(b"solid") {
        return Ok(());
    }
    let (count, room) = (u32::from_le_bytes(count) as usize, (bytes.len() - HEADER) / TRIANGLE);
    if count <= room {
        Ok(())
    } else {
        Err(format!("it says that it has {count} triangles and has room for {room}"))
    }
}
