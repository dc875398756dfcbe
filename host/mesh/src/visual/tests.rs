//! One shape in each format, with its materials.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod agreement;
mod collada;
mod glb;
mod gltf;
mod ids;

use std::fs;
use std::path::Path;

use bridgehead_pose::DVec3;
use bridgehead_sdf::{Budget, Origin};
use tempfile::TempDir;

use super::*;

fn load(path: &Path) -> Result<VisualMesh, MeshError> {
    VisualMesh::load(path, Budget::default().of(&Origin::default()))
}

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, content) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

const OBJ: &str = "mtllib look.mtl\no plate\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nvn 0 0 2\n\
    usemtl red\nf 1/1/1 2/2/1 3/3/1\nusemtl green\nf 1/1/1 3/3/1 4/4/1\n";
const MTL: &str = "newmtl red\nKd 1 0 0\nKa 0.5 0 0\nKs 0.1 0.2 0.3\nNs 20\nd 0.5\nmap_Kd -s 1 1 1 red.png\n\
    newmtl green\nKd 0 1 0\nmap_Bump wall normal.png\n";

#[test]
fn an_obj_has_its_materials_normals_and_coordinates_from_the_upper_left() {
    let folder = folder(&[("plate.obj", OBJ), ("look.mtl", MTL)]);
    let mesh = load(&folder.path().join("plate.obj")).unwrap();
    assert_eq!((mesh.parts.len(), mesh.triangle_count(), mesh.warnings.len()), (2, 2, 0));
    let part = &mesh.parts[0];
    assert_eq!(part.uvs, [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0]]);
    assert!(part.normals.iter().all(|normal| *normal == [0.0, 0.0, 1.0]), "unit length");
    let materials: Vec<_> = mesh.parts.iter().map(|part| part.material.unwrap()).collect();
    let [red, green] = [&mesh.materials[materials[0]], &mesh.materials[materials[1]]];
    assert_eq!((red.name.as_str(), red.diffuse, red.shininess), ("red", [1.0, 0.0, 0.0, 0.5], 20.0));
    assert_eq!((red.ambient, red.specular), ([0.5, 0.0, 0.0, 1.0], [0.1, 0.2, 0.3, 1.0]));
    assert_eq!(red.color_map, Some(Image::File(folder.path().join("red.png"))));
    assert_eq!(green.normal_map, Some(Image::File(folder.path().join("wall normal.png"))));
}

#[test]
fn a_missing_material_file_is_a_warning() {
    let folder = folder(&[("plate.obj", OBJ)]);
    let mesh = load(&folder.path().join("plate.obj")).unwrap();
    assert_eq!((mesh.materials.len(), mesh.triangle_count()), (0, 2));
    assert!(mesh.warnings.len() == 1 && mesh.warnings[0].contains("look.mtl"), "{:?}", mesh.warnings);
}

#[test]
fn textures_are_also_found_in_the_folder_of_gazebos_models() {
    let folder = folder(&[
        ("meshes/plate.obj", OBJ),
        ("meshes/look.mtl", "newmtl red\nmap_Kd red.png\n"),
        ("materials/textures/red.png", ""),
    ]);
    let mesh = load(&folder.path().join("meshes/plate.obj")).unwrap();
    let Some(Image::File(file)) = &mesh.materials[0].color_map else { panic!("no image") };
    assert_eq!(
        file.canonicalize().unwrap(),
        folder.path().canonicalize().unwrap().join("materials/textures/red.png")
    );
}

#[test]
fn one_part_can_be_chosen_and_centred() {
    let folder = folder(&[("plate.obj", OBJ), ("look.mtl", MTL)]);
    let path = folder.path().join("plate.obj");
    let centred = load(&path).unwrap().select(&path, Some("plate"), true).unwrap();
    assert!(centred.parts[0].positions.contains(&[-0.5, -0.5, 0.0]), "{:?}", centred.parts[0].positions);
    let error = load(&path).unwrap().select(&path, Some("lid"), false).unwrap_err().to_string();
    assert!(error.contains("BH-MSH-005") && error.contains("`plate`"), "{error}");
}

#[test]
fn a_part_of_two_materials_is_two_parts_of_one_name() {
    let folder = folder(&[("plate.obj", OBJ), ("look.mtl", MTL)]);
    let path = folder.path().join("plate.obj");
    let mesh = load(&path).unwrap().select(&path, Some("plate"), false).unwrap();
    assert_eq!(mesh.parts.iter().map(|part| part.name.as_str()).collect::<Vec<_>>(), ["plate", "plate"]);
}

#[test]
fn one_missing_material_file_does_not_affect_the_other() {
    let obj = OBJ.replace("mtllib look.mtl", "mtllib none.mtl\nmtllib look.mtl\nmtllib look.mtl");
    let folder = folder(&[("plate.obj", &obj), ("look.mtl", MTL)]);
    let mesh = load(&folder.path().join("plate.obj")).unwrap();
    assert_eq!((mesh.materials.len(), mesh.warnings.len()), (2, 1));
    assert_eq!(mesh.parts.iter().map(|part| part.material).collect::<Vec<_>>(), [Some(0), Some(1)]);
    assert!(mesh.warnings[0].contains("none.mtl` cannot be read"), "{:?}", mesh.warnings);
}

#[test]
fn corners_are_shared_if_all_their_indices_are_equal() {
    // A fold: the corners on the edge have two normals each.
    let fold = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvn 0 -1 0\nf 1//1 2//1 3//1\nf 1//2 2//2 4//2\nf 1//1 2//1 3//1\n";
    let folder = folder(&[("fold.obj", fold)]);
    let part = &load(&folder.path().join("fold.obj")).unwrap().parts[0];
    assert_eq!((part.positions.len(), &part.indices[..]), (6, &[0, 1, 2, 3, 4, 5, 0, 1, 2][..]));
    assert!(part.uvs.is_empty());
}

#[test]
fn a_part_without_normals_is_faceted() {
    let roof = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nf 1/1 2/1 3/1\nf 1/1 3/1 4/1\n";
    let folder = folder(&[("roof.obj", roof)]);
    let part = &load(&folder.path().join("roof.obj")).unwrap().parts[0];
    assert_eq!(part.normals, [[[0.0, 0.0, 1.0]; 3], [[1.0, 0.0, 0.0]; 3]].concat());
    assert_eq!((part.positions.len(), part.uvs.len()), (6, 6));
    let stl = "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid a\n";
    fs::write(folder.path().join("a.stl"), stl).unwrap();
    let mesh = load(&folder.path().join("a.stl")).unwrap();
    assert_eq!(mesh.parts[0].normals, [[1.0, 0.0, 0.0]; 3]);
    assert_eq!((mesh.materials.len(), mesh.parts[0].material), (0, None));
}

#[test]
fn triangles_of_the_host_are_flat_or_smooth() {
    let points = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    let fold = Triangles { points, indices: vec![[0, 1, 2], [0, 2, 3]] };
    let flat = VisualMesh::of_triangles("fold", &fold, false);
    assert_eq!((flat.parts[0].name.as_str(), flat.parts[0].positions.len()), ("fold", 6));
    let smooth = &VisualMesh::of_triangles("fold", &fold, true).parts[0];
    assert_eq!(smooth.positions.len(), 4);
    let half = std::f32::consts::FRAC_1_SQRT_2;
    assert_eq!(smooth.normals, [[half, 0.0, half], [0.0, 0.0, 1.0], [half, 0.0, half], [1.0, 0.0, 0.0]]);
}

#[test]
fn the_budget_ends_the_reading() {
    use bridgehead_sdf::limits::Limit;
    let folder = folder(&[("plate.obj", OBJ), ("look.mtl", MTL), ("tri.dae", collada::DAE)]);
    for (name, limit, most) in
        [("plate.obj", Limit::Triangles, 7), ("plate.obj", Limit::Files, 1), ("tri.dae", Limit::Triangles, 9)]
    {
        let budget = Budget::default().with(limit, most);
        let error = VisualMesh::load(&folder.path().join(name), budget.of(&Origin::default())).unwrap_err();
        assert!(matches!(error, MeshError::Stopped(_)), "{name} {limit:?}: {error}");
    }
}
