//! Text and binary STL, read by `stl_io`, which merges equal corners.

use std::io::Cursor;
use std::path::Path;

use bridgehead_pose::DVec3;
use bridgehead_sdf::Account;

use super::{ContentError, Part, Triangles};

/// Bytes of the header of a binary file, and bytes of a triangle.
const HEADER: usize = 84;
const TRIANGLE: usize = 50;

pub(super) fn read(bytes: &[u8], _: &Path, _: Account<'_>) -> Result<Vec<Part>, ContentError> {
    let mut bytes = bytes.to_vec();
    make_kind_plain(&mut bytes)?;
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes)).map_err(ContentError::reader)?;
    let points =
        mesh.vertices.iter().map(|at| DVec3::from_array([0, 1, 2].map(|axis| f64::from(at[axis])))).collect();
    let index = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
    let indices = mesh.faces.iter().map(|face| face.vertices.map(index)).collect();
    Ok(vec![Part { name: String::new(), triangles: Triangles { points, indices } }])
}

/// Makes the two forms distinguishable for `stl_io`: it takes a leading `solid ` for text, but many binary
/// files begin with it too, and text may begin with `solid` alone. Also refuses a count that is too large for
/// the file; `stl_io` would allocate memory for it first.
fn make_kind_plain(bytes: &mut Vec<u8>) -> Result<(), ContentError> {
    let count =
        bytes.get(80..HEADER).and_then(|count| <[u8; 4]>::try_from(count).ok()).map(u32::from_le_bytes);
    let room = bytes.len().saturating_sub(HEADER) / TRIANGLE;
    let is_exact = count.is_some_and(|count| bytes.len() == HEADER + count as usize * TRIANGLE);
    let begins_as_text = bytes.starts_with(b"solid");
    if begins_as_text && is_exact {
        bytes[..5].fill(b' ');
    } else if begins_as_text {
        bytes.insert(5, b' ');
    } else if let Some(count) = count.filter(|count| *count as usize > room) {
        return Err(ContentError::ShortStl { count, room });
    }
    Ok(())
}
