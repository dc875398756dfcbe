//! Files of the corpora and of the field have the triangles that physics has.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use super::*;
use crate::Mesh;

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    let known = |path: &Path| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        ["obj", "stl", "dae", "glb", "gltf"].contains(&extension.to_lowercase().as_str())
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, found);
        } else if known(&path) {
            found.push(path);
        }
    }
}

type Corner = [u32; 3];

fn bits(at: [f32; 3]) -> Corner {
    at.map(f32::to_bits)
}

/// The corners of triangles, and how many triangles there are.
fn of_physics(mesh: &Mesh) -> (BTreeSet<Corner>, u64) {
    let corners = mesh.parts().iter().flat_map(|part| {
        let used = part.triangles.indices.iter().flatten();
        used.map(|index| bits(vertices::single(part.triangles.points[*index as usize])))
    });
    let count = mesh.parts().iter().map(|part| part.triangles.indices.len() as u64).sum();
    (corners.collect(), count)
}

fn of_viewers(mesh: &VisualMesh) -> (BTreeSet<Corner>, u64) {
    let corners = mesh
        .parts
        .iter()
        .flat_map(|part| part.indices.iter().map(|index| bits(part.positions[*index as usize])));
    (corners.collect(), mesh.triangle_count())
}

fn check(path: &Path, mesh: &VisualMesh) {
    let name = path.display();
    for part in &mesh.parts {
        let lengths = part.normals.iter().map(|normal| normal.iter().map(|part| part * part).sum::<f32>());
        assert!(lengths.into_iter().all(|length| (length - 1.0).abs() < 1e-4), "{name}: unit normals");
        assert_eq!(part.normals.len(), part.positions.len(), "{name}");
        assert!(part.uvs.is_empty() || part.uvs.len() == part.positions.len(), "{name}");
        assert!(part.material.is_none_or(|material| material < mesh.materials.len()), "{name}");
    }
    let again = ::gltf::Gltf::from_slice(&mesh.to_glb()).unwrap();
    assert_eq!(again.meshes().map(|mesh| mesh.primitives().len()).sum::<usize>(), mesh.parts.len(), "{name}");
}

/// Compares the readings of all files below a folder. Returns how many were read.
fn compare(folder: &Path) -> usize {
    let mut files = Vec::new();
    files_below(folder, &mut files);
    let compare = |path: &PathBuf| {
        let solid = Mesh::load(path, Budget::default().of(&Origin::default()));
        let seen = load(path);
        let (Ok(solid), Ok(seen)) = (&solid, &seen) else {
            assert_eq!(solid.is_err(), seen.is_err(), "{}: {solid:?} {seen:?}", path.display());
            return false;
        };
        check(path, seen);
        let (of_physics, of_viewers) = (of_physics(solid), of_viewers(seen));
        assert_eq!(of_physics.1, of_viewers.1, "{}: triangles", path.display());
        assert!(of_physics.0 == of_viewers.0, "{}: corners", path.display());
        true
    };
    files.iter().filter(|path| compare(path)).count()
}

#[test]
fn files_of_the_corpora_have_the_triangles_that_physics_has() {
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fuzz/corpus");
    assert!(compare(&corpora) >= 5);
}

/// The folder of the robots of other projects, which `bash tests/run.sh` fetches. Without it the tests are skipped.
#[track_caller]
fn robots() -> Option<PathBuf> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.join("target"), PathBuf::from);
    let folder = target.join("robots");
    if folder.join("complete").exists() {
        return Some(folder);
    }
    crate::skip::missing("the robots of other projects are missing; `bash tests/run.sh` fetches them");
    None
}

#[test]
fn robots_have_the_triangles_that_physics_has() {
    let Some(folder) = robots() else { return };
    assert!(compare(&folder) >= 10);
}

/// The triangles that Assimp 5.2 finds in the meshes of the robots, each in all places of its scene.
const TRIANGLES: &str = include_str!("../../../../../tests/robots_triangles.txt");

/// Every mesh is in the table, so that none is empty unnoticed.
#[test]
fn meshes_of_robots_have_the_triangles_that_assimp_finds() {
    let Some(folder) = robots() else { return };
    let table: BTreeMap<&str, &str> = TRIANGLES
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once(' ').expect("a number and a path"))
        .map(|(count, path)| (path, count))
        .collect();
    let mut files = Vec::new();
    files_below(&folder, &mut files);
    let mut wrong = Vec::new();
    for path in &files {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        let found = Mesh::load(path, Budget::default().of(&Origin::default()));
        let found = found.map_or_else(|error| error.to_string(), |mesh| of_physics(&mesh).1.to_string());
        let expected = table.get(name).copied().unwrap_or("a row of the table");
        if found != expected {
            wrong.push(format!("{name}: {found}, expected {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(files.len(), table.len(), "rows of the table without a mesh");
}
