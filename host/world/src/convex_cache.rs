//! A disk cache of convex parts of meshes, which take long to compute and depend only on the mesh.
//!
//! A file is named by the hash of all inputs, in `$XDG_CACHE_HOME/bridgehead/convex` or `~/.cache/bridgehead/convex`.
//! Parts that cannot be read from the cache, or whose checksum is wrong, are computed again: a load never waits for the
//! disk, so a file may be damaged after a power failure. Usable from any thread.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use bridgehead_mesh::Triangles;
use bridgehead_physics::{Decomposition, convex_parts};
use bridgehead_sdf::pose::DVec3;

use bridgehead_runtime::atomic_file;
use bridgehead_runtime::checksum;

/// First bytes of a file. They change with the file format and with the algorithm.
const MAGIC: &[u8; 8] = b"BHCVX\0\0\x02";

/// Returns the parts of a mesh, from the cache or computed.
pub(super) fn parts(mesh: &Triangles, how: Decomposition) -> Vec<Vec<DVec3>> {
    let Some(folder) = folder() else { return compute(mesh, how) };
    parts_in(&folder, mesh, how)
}

fn parts_in(folder: &Path, mesh: &Triangles, how: Decomposition) -> Vec<Vec<DVec3>> {
    let path = folder.join(format!("{:032x}.bin", hash(mesh, how)));
    if let Some(parts) = fs::read(&path).ok().as_deref().and_then(decode) {
        return parts;
    }
    let parts = compute(mesh, how);
    let written =
        fs::create_dir_all(folder).and_then(|()| atomic_file::write_unsynced(&path, &encode(&parts)));
    if let Err(error) = written {
        log::debug!("convex parts are not cached in `{}`: {error}", path.display());
    }
    parts
}

fn compute(mesh: &Triangles, how: Decomposition) -> Vec<Vec<DVec3>> {
    convex_parts(&mesh.points, &mesh.indices, how)
}

fn folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")))?;
    Some(base.join("bridgehead/convex"))
}

/// Returns a hash of all inputs of the computation.
fn hash(mesh: &Triangles, how: Decomposition) -> u128 {
    let numbers = mesh.points.iter().flat_map(|point| point.to_array()).map(f64::to_bits);
    let indices = mesh.indices.iter().flatten().map(|index| u64::from(*index));
    let settings = [u64::from(how.resolution), u64::from(how.parts), mesh.points.len() as u64];
    let bytes = settings.into_iter().chain(numbers).chain(indices).flat_map(u64::to_le_bytes);
    checksum::of(MAGIC.iter().copied().chain(bytes))
}

fn encode(parts: &[Vec<DVec3>]) -> Vec<u8> {
    let mut bytes = (parts.len() as u64).to_le_bytes().to_vec();
    for part in parts {
        bytes.extend((part.len() as u64).to_le_bytes());
        part.iter().flat_map(|point| point.to_array()).for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    checksum::sealed(MAGIC, &bytes)
}

/// Returns `None` if the file is damaged or has another format.
fn decode(bytes: &[u8]) -> Option<Vec<Vec<DVec3>>> {
    let body = checksum::unsealed(MAGIC, bytes).ok()?;
    let mut words = body.chunks_exact(8).map(|word| word.try_into().map(u64::from_le_bytes));
    let mut word = || words.next()?.ok();
    let count = word()?;
    let mut parts = Vec::new();
    for _ in 0..count {
        let points = (0..word()?).map(|_| {
            let point = DVec3::new(f64::from_bits(word()?), f64::from_bits(word()?), f64::from_bits(word()?));
            point.is_finite().then_some(point)
        });
        parts.push(points.collect::<Option<Vec<DVec3>>>()?);
    }
    word().is_none().then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_mesh::extrude;
    use tempfile::TempDir;

    /// Returns a ring with a square hole, which is not convex.
    fn ring() -> Triangles {
        let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half]];
        extrude(&[square(2.0), square(1.0)], 1.0).expect("a ring")
    }

    #[test]
    fn parts_are_computed_once_and_leave_the_hole_open() {
        let folder = TempDir::new().expect("a folder");
        let how = Decomposition::default();
        let computed = parts_in(folder.path(), &ring(), how);
        assert!(computed.len() >= 4, "{} parts", computed.len());
        let path = fs::read_dir(folder.path()).expect("files").next().expect("one").expect("entry").path();
        let bytes = fs::read(&path).expect("bytes");
        assert_eq!(parts_in(folder.path(), &ring(), how), computed);
        let (mut zeroed, length) = (bytes.clone(), bytes.len());
        zeroed[length - 16..].fill(0);
        // A truncated or damaged file, or one of another format, is replaced.
        for broken in [&bytes[..length - 1], &zeroed, b"", b"BHCVX\0\0\x01"] {
            fs::write(&path, broken).expect("written");
            assert_eq!(parts_in(folder.path(), &ring(), how), computed);
            assert_eq!(fs::read(&path).expect("bytes"), bytes);
        }
    }

    #[test]
    fn parts_are_computed_without_a_usable_cache() {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("file");
        fs::write(&file, "").expect("written");
        assert!(!parts_in(&file, &ring(), Decomposition::default()).is_empty());
    }
}
