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
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).unwrap();
    }
    let path = folder.path().join("w.sdf");
    fs::write(&path, format!("<sdf version='1.9'><world name='w'>{content}</world></sdf>")).unwrap();
    let loaded = load_with(&Disk, &path, &SearchPath::default(), &Budget::default()).unwrap();
    let models =
        loaded.world.models.iter().map(ModelPart::new).map(std::sync::Arc::new).enumerate().collect();
    let parts = Parts { world: std::sync::Arc::new(WorldPart::new(&loaded.world)), models };
    describe(&parts, 3, library, &Budget::default())
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
