//! One cube in each format, transforms, and broken files.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use super::*;
use bridgehead_sdf::{Budget, Origin};
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

/// A cube of 1 m whose low corner is the origin, as OBJ with four-cornered faces.
const OBJ: &str = "o cube\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n\
    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

fn written(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    (folder, path)
}

fn load(name: &str, content: impl AsRef<[u8]>) -> Result<Mesh, MeshError> {
    let (_folder, path) = written(name, content);
    Mesh::load(&path, Budget::default().of(&Origin::default()))
}

fn whole(mesh: &Mesh) -> Triangles {
    mesh.select(&Selection { part: None, is_centred: false, scale: DVec3::ONE }).unwrap()
}

fn cube() -> Triangles {
    whole(&load("cube.obj", OBJ).unwrap())
}

/// The cube as COLLADA in nodes with the given transforms, in a file with that unit.
fn collada(unit: f64, node: &str) -> String {
    let points = "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1";
    format!(
        "<?xml version='1.0'?><COLLADA version='1.4.1'><asset><unit meter='{unit}'/><up_axis>Y_UP</up_axis></asset>
        <library_geometries><geometry id='g' name='shape'><mesh>
        <source id='p'><float_array id='a' count='24'>{points}</float_array>
        <technique_common><accessor source='#a' count='8' stride='3'/></technique_common></source>
        <source id='n'><float_array id='b' count='3'>0 0 1</float_array></source>
        <vertices id='v'><input semantic='POSITION' source='#p'/></vertices>
        <polylist count='6'><input semantic='VERTEX' source='#v' offset='0'/><input semantic='NORMAL' source='#n' offset='1'/>
        <vcount>4 4 4 4 4 4</vcount>
        <p>3 0 2 0 1 0 0 0 4 0 5 0 6 0 7 0 0 0 1 0 5 0 4 0 1 0 2 0 6 0 5 0 2 0 3 0 7 0 6 0 3 0 0 0 4 0 7 0</p></polylist>
        </mesh></geometry></library_geometries>
        <library_nodes><node id='shared' name='wheel'><instance_geometry url='#g'/></node></library_nodes>
        <library_visual_scenes><visual_scene id='s'>{node}</visual_scene></library_visual_scenes>
        <scene><instance_visual_scene url='#s'/></scene></COLLADA>"
    )
}

fn stl_text() -> String {
    let cube = cube();
    let corner = |index: u32| cube.points[index as usize];
    let facets = cube.indices.iter().map(|corners| {
        let lines: String =
            corners.map(corner).iter().map(|at| format!("vertex {} {} {}\n", at.x, at.y, at.z)).collect();
        format!("facet normal 0 0 0\nouter loop\n{lines}endloop\nendfacet\n")
    });
    format!("solid cube\n{}endsolid cube\n", facets.collect::<String>())
}

fn stl_bytes() -> Vec<u8> {
    let cube = cube();
    let mut bytes = vec![0; 80];
    bytes.extend(u32::try_from(cube.indices.len()).unwrap().to_le_bytes());
    for corners in &cube.indices {
        bytes.extend([0; 12]);
        for at in corners.map(|index| cube.points[index as usize]) {
            #[expect(clippy::cast_possible_truncation, reason = "zeros and ones")]
            at.to_array().iter().for_each(|number| bytes.extend((*number as f32).to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

/// The cube as glTF with its buffer written as text, in a node that moves it by 2 m along x.
fn gltf_text() -> String {
    let cube = cube();
    let mut bytes = Vec::new();
    for at in &cube.points {
        #[expect(clippy::cast_possible_truncation, reason = "zeros and ones")]
        at.to_array().iter().for_each(|number| bytes.extend((*number as f32).to_le_bytes()));
    }
    let positions = bytes.len();
    cube.indices.iter().flatten().for_each(|index| bytes.extend(index.to_le_bytes()));
    let length = bytes.len();
    let text = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, &bytes);
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
        "nodes":[{{"name":"box","mesh":0,"translation":[2,0,0]}}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}},
        {{"bufferView":1,"componentType":5125,"count":36,"type":"SCALAR"}}],
        "bufferViews":[{{"buffer":0,"byteOffset":0,"byteLength":{positions}}},
        {{"buffer":0,"byteOffset":{positions},"byteLength":{}}}],
        "buffers":[{{"byteLength":{length},"uri":"data:application/octet-stream;base64,{text}"}}]}}"#,
        length - positions
    )
}

#[track_caller]
fn expect_cube(triangles: &Triangles, low: DVec3, size: DVec3) {
    let [found_low, found_high] = triangles.bounds();
    assert!(found_low.abs_diff_eq(low, 1e-6), "{found_low}");
    assert!((found_high - found_low).abs_diff_eq(size, 1e-6), "{found_high}");
    let volume = triangles.volume();
    assert!((volume.volume - size.x * size.y * size.z).abs() < 1e-6, "{volume:?}");
    assert!(volume.centre.abs_diff_eq(low + size / 2.0, 1e-6), "{volume:?}");
}

#[test]
fn the_cube_is_the_same_in_every_format() {
    let obj = load("cube.OBJ", OBJ).unwrap();
    assert_eq!(obj.parts()[0].name, "cube");
    expect_cube(&whole(&obj), DVec3::ZERO, DVec3::ONE);
    for (name, content) in [("cube.stl", stl_text().into_bytes()), ("cube.stl", stl_bytes())] {
        let mesh = whole(&load(name, content).unwrap());
        assert_eq!((mesh.points.len(), mesh.indices.len()), (8, 12));
        expect_cube(&mesh, DVec3::ZERO, DVec3::ONE);
    }
    let gltf = load("cube.gltf", gltf_text()).unwrap();
    assert_eq!(gltf.parts()[0].name, "box");
    expect_cube(&whole(&gltf), DVec3::X * 2.0, DVec3::ONE);
    let dae = load("cube.dae", collada(1.0, "<node name='n'><instance_geometry url='#g'/></node>")).unwrap();
    expect_cube(&whole(&dae), DVec3::ZERO, DVec3::ONE);
}

#[test]
fn collada_nodes_place_turn_and_repeat_what_they_hold() {
    let node = "<node name='car'><translate>100 0 0</translate><rotate>0 0 1 90</rotate>
        <node name='body'><scale>2 1 1</scale><instance_geometry url='#g'/></node>
        <node><matrix>1 0 0 5 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url='#shared'/></node></node>";
    let mesh = load("car.dae", collada(0.01, node)).unwrap();
    let names: Vec<&str> = mesh.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["body", "wheel"]);
    // Turned by a right angle, x runs along y and y against x; a unit is a centimetre.
    expect_cube(&mesh.parts()[0].triangles, DVec3::new(0.99, 0.0, 0.0), DVec3::new(0.01, 0.02, 0.01));
    expect_cube(&mesh.parts()[1].triangles, DVec3::new(0.99, 0.05, 0.0), DVec3::splat(0.01));
}

#[test]
fn a_part_is_picked_centred_scaled_and_mirrored() {
    let two = format!("{OBJ}o far\nv 9 0 0\nv 10 0 0\nv 9 1 0\nf 9 10 11\n");
    let mesh = load("two.obj", two).unwrap();
    let picked =
        mesh.select(&Selection { part: Some("cube"), is_centred: true, scale: DVec3::new(2.0, 1.0, -3.0) });
    expect_cube(&picked.unwrap(), DVec3::new(-1.0, -0.5, -1.5), DVec3::new(2.0, 1.0, 3.0));
    let error =
        mesh.select(&Selection { part: Some("wheel"), is_centred: false, scale: DVec3::ONE }).unwrap_err();
    assert!(error.to_string().contains("no part `wheel`; it has `cube`, `far`"), "{error}");
}

#[test]
fn a_box_has_the_inertia_of_the_books() {
    let mut cube = cube();
    cube.scale(DVec3::new(1.0, 2.0, 3.0));
    let volume = cube.volume();
    // m = 6 kg; (y² + z²) m / 12 and so on.
    let wanted = DVec3::new(13.0, 10.0, 5.0) * 0.5;
    let found = volume.inertia;
    let diagonal = DVec3::new(found.x_axis.x, found.y_axis.y, found.z_axis.z);
    assert!(diagonal.abs_diff_eq(wanted, 1e-12), "{found}");
    assert!(found.x_axis.y.abs() + found.x_axis.z.abs() + found.y_axis.z.abs() < 1e-12, "{found}");
}

#[test]
fn outlines_stand_up_and_leave_holes() {
    let square = |half: f64| vec![[-half, -half], [half, -half], [half, half], [-half, half], [-half, -half]];
    let ring = extrude(&[square(2.0), square(1.0)], 0.5).unwrap();
    let volume = ring.volume();
    assert!((volume.volume - 12.0 * 0.5).abs() < 1e-12, "{volume:?}");
    assert!(volume.centre.abs_diff_eq(DVec3::new(0.0, 0.0, 0.25), 1e-12), "{volume:?}");
    for (outlines, height) in [
        (vec![], 1.0),
        (vec![vec![[0.0, 0.0], [1.0, 0.0]]], 1.0),
        (vec![vec![[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]], 1.0),
        (vec![vec![[0.0, 0.0], [1.0, 0.0], [f64::NAN, 1.0]]], 1.0),
        (vec![square(1.0)], 0.0),
    ] {
        assert!(matches!(extrude(&outlines, height), Err(MeshError::Outline { .. })), "{outlines:?}");
    }
}

#[test]
fn invalid_files_are_refused_with_a_reason() {
    for (name, content, text) in [
        ("a.obj", "hello", "holds no triangles"),
        ("a.obj", "v 0 0 0\nf 1 2 9\n", "is broken"),
        ("a.obj", "v 0 0 nan\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
        ("a.stl", "", "is broken"),
        ("a.stl", "solid x\nfacet", "is broken"),
        ("a.dae", "", "is broken"),
        ("a.dae", "<a/>", "`<a>`, expected `<COLLADA>`"),
        ("a.dae", "<COLLADA/>", "no `<visual_scene>`"),
        ("a.gltf", "{}", "is broken"),
        ("a.glb", "glTF", "is broken"),
        ("a.fbx", "", "expected .obj"),
        ("noextension", "", "expected .obj"),
    ] {
        let error = load(name, content).unwrap_err().to_string();
        assert!(error.contains(text) && error.starts_with("[BH-MSH-"), "{name} `{content}`: {error}");
    }
    let error = Mesh::load(Path::new("/none/such.stl"), Budget::default().of(&Origin::default()))
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("[BH-MSH-001]"), "{error}");
}

#[test]
fn counts_that_lie_do_not_set_memory_aside() {
    let mut bytes = stl_bytes();
    bytes[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = load("a.stl", bytes).unwrap_err().to_string();
    assert!(error.contains("has room for 12"), "{error}");
}

#[test]
fn nodes_in_a_circle_come_to_an_end() {
    let node = "<node id='loop' name='n'><instance_node url='#loop'/></node>";
    let error = load("a.dae", collada(1.0, node)).unwrap_err().to_string();
    assert!(error.contains("nested more than 64 deep"), "{error}");
}

#[test]
fn garbled_files_never_panic() {
    let seeds = [
        ("a.obj", OBJ.as_bytes().to_vec()),
        ("a.stl", stl_text().into_bytes()),
        ("a.stl", stl_bytes()),
        ("a.gltf", gltf_text().into_bytes()),
        ("a.dae", collada(1.0, "<node><instance_geometry url='#g'/></node>").into_bytes()),
    ];
    let folder = TempDir::new().unwrap();
    let mut state = 1_u64;
    let mut roll = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % end.max(1)
    };
    for round in 0..2000 {
        let (name, seed) = &seeds[round % seeds.len()];
        let mut bytes = seed.clone();
        for _ in 0..=roll(4) {
            let at = roll(bytes.len());
            match roll(4) {
                0 => bytes.truncate(at),
                1 if at < bytes.len() => bytes[at] = u8::try_from(roll(256)).unwrap(),
                2 => bytes.splice(at..at, *b"999999999").for_each(drop),
                _ => bytes.drain(at..(at + roll(20)).min(bytes.len())).for_each(drop),
            }
        }
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        if let Ok(mesh) = Mesh::load(&path, Budget::default().of(&Origin::default())) {
            let _ = whole(&mesh).volume();
        }
    }
}

#[test]
fn what_authors_write_into_headers_and_comments_does_no_harm() {
    let mut binary = stl_bytes();
    binary[..5].copy_from_slice(b"solid");
    let bare = stl_text().replacen("solid cube", "solid", 1);
    let mut latin = b"# Gr\xfc\xdfe\n".to_vec();
    latin.extend(OBJ.as_bytes());
    for (name, content) in [("a.stl", binary), ("a.stl", bare.into_bytes()), ("a.obj", latin)] {
        expect_cube(&whole(&load(name, content).unwrap()), DVec3::ZERO, DVec3::ONE);
    }
}

#[test]
fn a_device_is_not_read() {
    let (folder, _) = written("x", "");
    let path = folder.path().join("endless.stl");
    std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
    let error = Mesh::load(&path, Budget::default().of(&Origin::default())).unwrap_err();
    assert!(error.to_string().contains("device"), "{error}");
}
