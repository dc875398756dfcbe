//! One shape in each format, with its materials; agreement with the reading for physics; files of the field.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use bridgehead_sdf::{Budget, Origin};
use tempfile::TempDir;

use super::*;
use crate::Mesh;

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

/// A triangle twice: with normals and coordinates of corners, turned by a node and bound to two materials.
const DAE: &str = "<COLLADA><asset><unit meter='0.5'/></asset>
  <library_images><image id='img'><init_from>wood%20a.png</init_from></image></library_images>
  <library_effects><effect id='fx'><profile_COMMON>
    <newparam sid='srf'><surface><init_from>img</init_from></surface></newparam>
    <newparam sid='smp'><sampler2D><source>srf</source></sampler2D></newparam>
    <technique><phong><diffuse><texture texture='smp'/></diffuse><specular><color>0.1 0.2 0.3 1</color></specular>
      <shininess><float>7</float></shininess><transparent opaque='A_ONE'><color>1 1 1 1</color></transparent>
      <transparency><float>0.25</float></transparency></phong>
      <extra><technique><double_sided>1</double_sided></technique></extra></technique></profile_COMMON></effect>
    <effect id='fy'><profile_COMMON><technique><lambert><diffuse><color>0 0 1 1</color></diffuse></lambert></technique>
    </profile_COMMON></effect></library_effects>
  <library_materials><material id='m1' name='Wood'><instance_effect url='#fx'/></material>
    <material id='m2'><instance_effect url='#fy'/></material></library_materials>
  <library_geometries><geometry id='g' name='tri'><mesh>
    <source id='p'><float_array>0 0 0 2 0 0 0 2 0</float_array></source>
    <source id='n'><float_array>0 0 1</float_array></source>
    <source id='t'><float_array>0 0 1 0 0 1</float_array><technique_common><accessor stride='2'/></technique_common></source>
    <vertices id='v'><input semantic='POSITION' source='#p'/></vertices>
    <triangles material='A'><input semantic='VERTEX' offset='0' source='#v'/><input semantic='NORMAL' offset='1' source='#n'/>
      <input semantic='TEXCOORD' offset='2' set='0' source='#t'/><p>0 0 0 1 0 1 2 0 2</p></triangles>
    <polylist material='B'><input semantic='VERTEX' offset='0' source='#v'/><vcount>3</vcount><p>0 1 2</p></polylist>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id='s'><node name='part'><rotate>1 0 0 90</rotate><scale>1 1 3</scale>
    <instance_geometry url='#g'><bind_material><technique_common>
    <instance_material symbol='A' target='#m1'/><instance_material symbol='B' target='#m2'/>
    </technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url='#s'/></scene></COLLADA>";

#[test]
fn a_collada_primitive_has_the_material_that_its_node_binds() {
    let folder = folder(&[("tri.dae", DAE)]);
    let mesh = load(&folder.path().join("tri.dae")).unwrap();
    let names: Vec<_> = mesh.parts.iter().map(|part| part.name.as_str()).collect();
    assert_eq!((names, mesh.warnings.len()), (vec!["part", "part"], 0));
    let near = |a: [f32; 3], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
    assert!(near(mesh.parts[0].positions[2], [0.0, 0.0, 1.0]), "{:?}", mesh.parts[0].positions);
    assert!(mesh.parts.iter().flat_map(|part| &part.normals).all(|normal| near(*normal, [0.0, -1.0, 0.0])));
    assert_eq!(mesh.parts[0].uvs, [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]);
    let [wood, blue] = &mesh.materials[..] else { panic!("{:?}", mesh.materials) };
    assert_eq!((wood.name.as_str(), wood.shininess, wood.double_sided), ("Wood", 7.0, true));
    assert_eq!((wood.diffuse[3], wood.specular), (0.25, [0.1, 0.2, 0.3, 1.0]));
    assert_eq!(wood.color_map, Some(Image::File(folder.path().join("wood a.png"))));
    assert_eq!(
        (blue.name.as_str(), blue.diffuse, mesh.parts[1].material),
        ("m2", [0.0, 0.0, 1.0, 1.0], Some(1))
    );
}

#[test]
fn binary_gltf_is_read_back_as_it_was_written() {
    let folder = folder(&[("plate.obj", OBJ), ("look.mtl", MTL), ("tri.dae", DAE)]);
    for name in ["plate.obj", "tri.dae"] {
        let mesh = load(&folder.path().join(name)).unwrap();
        let glb = folder.path().join("again.glb");
        fs::write(&glb, mesh.to_glb()).unwrap();
        let again = load(&glb).unwrap();
        assert_eq!(again.parts.len(), mesh.parts.len());
        for (again, part) in again.parts.iter().zip(&mesh.parts) {
            assert_eq!((&again.positions, &again.uvs), (&part.positions, &part.uvs));
            assert_eq!(
                (&again.normals, &again.indices, again.material),
                (&part.normals, &part.indices, part.material)
            );
        }
        let colors = |mesh: &VisualMesh| mesh.materials.iter().map(|one| one.diffuse).collect::<Vec<_>>();
        assert_eq!(colors(&again), colors(&mesh));
        assert_eq!(mesh.to_glb(), load(&folder.path().join(name)).unwrap().to_glb(), "equal bytes");
    }
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

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path
            .extension()
            .is_some_and(|one| ["obj", "stl", "dae", "glb", "gltf"].iter().any(|known| one == *known))
        {
            found.push(path);
        }
    }
}

#[test]
fn files_of_the_field_have_the_triangles_that_physics_has() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let mut files = Vec::new();
    files_below(&shared, &mut files);
    if files.is_empty() {
        eprintln!("skipped: there are no mesh files in {}", shared.display());
        return;
    }
    let mut compared = 0;
    for path in files {
        let solid = Mesh::load(&path, Budget::default().of(&Origin::default()));
        let seen = load(&path);
        let (Ok(solid), Ok(seen)) = (&solid, &seen) else {
            assert_eq!(solid.is_err(), seen.is_err(), "{}: {solid:?} {seen:?}", path.display());
            continue;
        };
        let triangles: usize = solid.parts().iter().map(|part| part.triangles.indices.len()).sum();
        assert_eq!(triangles as u64, seen.triangle_count(), "{}", path.display());
        let bits = |at: [f32; 3]| at.map(f32::to_bits);
        let of_solid = solid.parts().iter().flat_map(|part| {
            let used = part.triangles.indices.iter().flatten();
            used.map(|index| bits(vertices::single(part.triangles.points[*index as usize])))
        });
        let of_seen = seen
            .parts
            .iter()
            .flat_map(|part| part.indices.iter().map(|index| bits(part.positions[*index as usize])));
        assert_eq!(of_solid.collect::<BTreeSet<_>>(), of_seen.collect::<BTreeSet<_>>(), "{}", path.display());
        compared += 1;
    }
    eprintln!("compared {compared} files");
}
