//! Scenes of small worlds.
#![allow(clippy::unwrap_used, reason = "tests")]

use std::fs;

use bridgehead_messages::bridgehead_simulation_interfaces as own;
use bridgehead_sdf::{Budget, Disk, SearchPath, load_with};
use tempfile::TempDir;

use crate::{Library, ModelPart, Parts, WorldPart, describe};

/// Reads a world with the files beside it, and describes it.
fn scene(content: &str, files: &[(&str, &[u8])], library: &mut Library) -> own::Scene {
    let folder = TempDir::new().unwrap();
    scene_in(&folder, content, files, library)
}

fn scene_in(folder: &TempDir, content: &str, files: &[(&str, &[u8])], library: &mut Library) -> own::Scene {
    describe(&parts(folder, content, files), 3, library, &Budget::default())
}

fn parts(folder: &TempDir, content: &str, files: &[(&str, &[u8])]) -> Parts {
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().join("w.sdf");
    fs::write(&path, format!("<sdf version='1.9'><world name='w'>{content}</world></sdf>")).unwrap();
    let loaded = load_with(&Disk, &path, &SearchPath::default(), &Budget::default()).unwrap();
    let models =
        loaded.world.models.iter().map(ModelPart::new).map(std::sync::Arc::new).enumerate().collect();
    Parts { world: std::sync::Arc::new(WorldPart::new(&loaded.world)), models }
}

fn model(name: &str, visual: &str) -> String {
    format!("<model name='{name}'><link name='l'><visual name='v'>{visual}</visual></link></model>")
}

const OBJ: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

#[test]
fn shapes_have_the_size_that_they_fill() {
    let shapes = [
        ("<sphere><radius>2</radius></sphere>", own::SceneVisual::SPHERE, [4.0, 4.0, 4.0]),
        (
            "<capsule><radius>1</radius><length>3</length></capsule>",
            own::SceneVisual::CAPSULE,
            [2.0, 2.0, 5.0],
        ),
        ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", own::SceneVisual::ELLIPSOID, [2.0, 4.0, 6.0]),
        ("<plane><size>5 6</size></plane>", own::SceneVisual::PLANE, [5.0, 6.0, 0.0]),
        ("<empty/>", own::SceneVisual::NONE, [1.0, 1.0, 1.0]),
    ];
    for (shape, kind, size) in shapes {
        let scene =
            scene(&model("m", &format!("<geometry>{shape}</geometry>")), &[], &mut Library::default());
        let visual = &scene.visuals[0];
        let found = visual.size.as_ref().map(|size| [size.x, size.y, size.z]);
        assert_eq!((visual.r#type, found), (kind, Some(size)), "{shape}");
        assert_eq!((visual.name.as_str(), visual.material, visual.label), ("m::l::v", -1, -1));
    }
}

#[test]
fn collisions_are_apart_from_visuals_and_share_their_meshes() {
    let mesh = "<geometry><mesh><uri>a.obj</uri></mesh></geometry>";
    let content = format!(
        "<model name='m'><link name='l'><visual name='v'>{mesh}</visual>
         <collision name='c'>{mesh}</collision>
         <collision name='d'><pose>1 2 3 0 0 0</pose><geometry><sphere><radius>2</radius></sphere></geometry></collision>
         </link></model>"
    );
    let scene = scene(&content, &[("a.obj", OBJ)], &mut Library::default());
    assert_eq!((scene.visuals.len(), scene.collisions.len(), scene.meshes.len()), (1, 2, 1));
    let (first, second) = (&scene.collisions[0], &scene.collisions[1]);
    assert_eq!((first.name.as_str(), first.node, first.mesh, first.material), ("m::l::c", 0, 0, -1));
    let size = second.size.as_ref().map(|size| [size.x, size.y, size.z]);
    assert_eq!((second.r#type, size), (own::SceneVisual::SPHERE, Some([4.0, 4.0, 4.0])));
    let at = second.pose.as_ref().and_then(|pose| pose.position.as_ref()).map(|at| [at.x, at.y, at.z]);
    assert_eq!(at, Some([1.0, 2.0, 3.0]));
}

#[test]
fn equal_meshes_and_materials_are_there_once() {
    let mesh = "<geometry><mesh><uri>a.obj</uri></mesh></geometry><material><script><name>Gazebo/Red</name></script></material>";
    let other = "<geometry><mesh><uri>b.obj</uri><scale>2 2 2</scale></mesh></geometry>
        <material><diffuse>1 0 0 1</diffuse><ambient>1 0 0 1</ambient><specular>0.1 0.1 0.1 1</specular></material>";
    let mut library = Library::default();
    let content = model("a", mesh) + &model("b", mesh) + &model("c", other);
    let scene = scene(&content, &[("a.obj", OBJ), ("b.obj", OBJ)], &mut library);
    assert_eq!(
        (scene.nodes.len(), scene.visuals.len(), scene.meshes.len(), scene.materials.len()),
        (3, 3, 1, 2)
    );
    assert_eq!((scene.revision, scene.meshes[0].triangles), (3, 1));
    let diffuse = scene.materials[0].diffuse.as_ref().map(|color| [color.r, color.g, color.b, color.a]);
    assert_eq!(diffuse, Some([1.0, 0.0, 0.0, 1.0]));
    let assets = library.assets();
    let glb = &assets[&scene.meshes[0].hash];
    assert_eq!((glb.media_type, glb.bytes.len() as u64), ("model/gltf-binary", scene.meshes[0].bytes));
    assert!(library.take_warnings().is_empty());
}

#[test]
fn an_unreadable_texture_is_one_warning_and_a_plain_colour() {
    let visual = "<geometry><box/></geometry><material><diffuse>0 1 0</diffuse><pbr><metal><albedo_map>t.png</albedo_map>
        </metal></pbr></material>";
    let mut library = Library::default();
    let content = model("a", visual) + &model("b", visual);
    let scene = scene(&content, &[("t.png", b"no image")], &mut library);
    assert_eq!((scene.textures.len(), scene.materials.len(), scene.materials[0].color_map), (0, 1, -1));
    let warnings = library.take_warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("BH-MSH-013"), "{warnings:?}");
}

#[test]
fn files_are_read_again_for_another_world_only() {
    let (folder, mut library) = (TempDir::new().unwrap(), Library::default());
    let content = model("a", "<geometry><mesh><uri>a.obj</uri></mesh></geometry>");
    let world = parts(&folder, &content, &[("a.obj", OBJ)]);
    let hash = |scene: &own::Scene| scene.meshes[0].hash.clone();
    let first = describe(&world, 1, &mut library, &Budget::default());
    fs::write(folder.path().join("a.obj"), [OBJ, b"f 3 2 1\n"].concat()).unwrap();
    assert_eq!(hash(&describe(&world, 2, &mut library, &Budget::default())), hash(&first));
    let again = scene_in(&folder, &content, &[], &mut library);
    assert_ne!(hash(&again), hash(&first));
    assert_eq!(library.assets().len(), 1, "what nobody uses is dropped");
}

#[test]
fn an_unreadable_image_inside_a_mesh_file_is_reported_once() {
    let image = "data:image/png;base64,bm8gaW1hZ2U=";
    let gltf = format!(
        "{{\"asset\":{{\"version\":\"2.0\"}},\"scenes\":[{{\"nodes\":[0]}}],\"nodes\":[{{\"mesh\":0}}],
        \"meshes\":[{{\"primitives\":[{{\"attributes\":{{\"POSITION\":0}},\"material\":0}}]}}],
        \"materials\":[{{\"pbrMetallicRoughness\":{{\"baseColorTexture\":{{\"index\":0}}}}}}],
        \"textures\":[{{\"source\":0}}],\"images\":[{{\"uri\":\"{image}\"}}],
        \"accessors\":[{{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"min\":[0,0,0],\"max\":[1,1,0]}}],
        \"bufferViews\":[{{\"buffer\":0,\"byteLength\":36}}],\"buffers\":[{{\"byteLength\":36,\"uri\":\"corners.bin\"}}]}}"
    );
    let corners: Vec<u8> =
        [0f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0].iter().flat_map(|at| at.to_le_bytes()).collect();
    let (folder, mut library) = (TempDir::new().unwrap(), Library::default());
    let content = model("a", "<geometry><mesh><uri>a.gltf</uri></mesh></geometry>");
    let world = parts(&folder, &content, &[("a.gltf", gltf.as_bytes()), ("corners.bin", &corners)]);
    for revision in 1..4 {
        let scene = describe(&world, revision, &mut library, &Budget::default());
        assert_eq!((scene.meshes.len(), scene.textures.len()), (1, 0));
    }
    let warnings = library.take_warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("BH-MSH-013"), "{warnings:?}");
}
