//! Visuals as entities, and the changes when models come, go and move.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    SceneMaterial, SceneMesh, SceneNode, SceneVisual,
};
use bridgehead_plugin_api::messages::geometry_msgs::{self, Point, Quaternion, Vector3};
use bridgehead_plugin_api::messages::std_msgs::ColorRgba;

use super::*;

/// A pose along x.
fn at(x: f64) -> geometry_msgs::Pose {
    geometry_msgs::Pose { position: Some(Point::new(x, 0.0, 0.0)), orientation: Some(Quaternion::IDENTITY) }
}

fn node(name: &str, is_static: bool) -> SceneNode {
    SceneNode { name: name.to_owned(), is_static, ..SceneNode::default() }
}

fn visual(node: i32, kind: u32, size: [f64; 3]) -> SceneVisual {
    let [x, y, z] = size;
    SceneVisual {
        node,
        pose: Some(at(1.0)),
        r#type: kind,
        size: Some(Vector3::new(x, y, z)),
        mesh: -1,
        material: -1,
        ..SceneVisual::default()
    }
}

fn red() -> SceneMaterial {
    let diffuse = Some(ColorRgba { r: 1.0, g: 0.0, b: 0.0, a: 0.5 });
    SceneMaterial { diffuse, ..textureless() }
}

fn textureless() -> SceneMaterial {
    SceneMaterial {
        color_map: -1,
        normal_map: -1,
        roughness_map: -1,
        metalness_map: -1,
        emissive_map: -1,
        occlusion_map: -1,
        ..SceneMaterial::default()
    }
}

fn drawing(scene: Scene) -> Drawing {
    let mut drawing = Drawing::default();
    drawing.replace(&Arc::new(scene), &|hash| Some(Bytes::from(hash.to_owned())));
    drawing
}

/// Poses of nodes along x.
fn poses(list: &[f64]) -> Vec<Pose> {
    list.iter().map(|x| Pose { position: [*x, 0.0, 0.0], ..Pose::IDENTITY }).collect()
}

fn decoded(message: Option<Vec<u8>>) -> fox::SceneUpdate {
    fox::SceneUpdate::decode(&*message.expect("a message")).expect("a scene")
}

/// Returns the ids of deleted entities, and of others.
fn ids(update: &fox::SceneUpdate) -> (Vec<&str>, Vec<&str>) {
    let deleted = update.deletions.iter().map(|deletion| deletion.id.as_str()).collect();
    (deleted, update.entities.iter().map(|entity| entity.id.as_str()).collect())
}

fn x_of(pose: Option<&fox::Pose>) -> f64 {
    pose.and_then(|pose| pose.position).expect("a position").x
}

#[test]
fn visuals_of_a_link_are_one_entity_with_a_primitive_each() {
    let shapes = [
        (SceneVisual::BOX, [1.0, 2.0, 3.0]),
        (SceneVisual::SPHERE, [2.0, 2.0, 2.0]),
        (SceneVisual::ELLIPSOID, [1.0, 2.0, 3.0]),
        (SceneVisual::CYLINDER, [1.0, 1.0, 2.0]),
        (SceneVisual::CONE, [1.0, 1.0, 2.0]),
        (SceneVisual::CAPSULE, [1.0, 1.0, 3.0]),
        (SceneVisual::PLANE, [4.0, 5.0, 0.0]),
        (SceneVisual::NONE, [1.0, 1.0, 1.0]),
    ];
    let visuals = shapes.map(|(kind, size)| visual(0, kind, size)).to_vec();
    let nodes = vec![node("car::arm::hand", false)];
    let mut drawing = drawing(Scene { nodes, visuals, ..Scene::default() });
    let update = decoded(drawing.change(&poses(&[7.0]), 5_000_000_001));
    assert_eq!(ids(&update), (vec![], vec!["car/arm/hand"]));
    let entity = &update.entities[0];
    assert_eq!(entity.timestamp, Some(prost_types::Timestamp { seconds: 5, nanos: 1 }));
    assert_eq!((entity.frame_id.as_str(), entity.frame_locked), ("car/arm/hand", true));
    let counts = [entity.cubes.len(), entity.spheres.len(), entity.cylinders.len(), entity.triangles.len()];
    assert_eq!(counts, [1, 2, 2, 2]);
    assert_eq!(entity.spheres[1].size, Some(fox::Vector3 { x: 1.0, y: 2.0, z: 3.0 }));
    let ends = entity.cylinders.iter().map(|one| (one.bottom_scale, one.top_scale)).collect::<Vec<_>>();
    assert_eq!(ends, [(1.0, 1.0), (1.0, 0.0)]);
    assert!((x_of(entity.cubes[0].pose.as_ref()) - 1.0).abs() < 1e-12, "in the frame of the link");
}

#[test]
fn colours_are_those_of_materials_with_the_transparency_of_the_visual() {
    let plain = visual(0, SceneVisual::BOX, [1.0; 3]);
    let visuals = vec![SceneVisual { material: 0, transparency: 0.5, ..plain.clone() }, plain];
    let nodes = vec![node("a::l", true)];
    let mut drawing = drawing(Scene { nodes, visuals, materials: vec![red()], ..Scene::default() });
    let update = decoded(drawing.change(&poses(&[0.0]), 0));
    let colors: Vec<_> = update.entities[0].cubes.iter().filter_map(|cube| cube.color).collect();
    assert_eq!(colors[0], fox::Color { r: 1.0, g: 0.0, b: 0.0, a: 0.25 });
    assert_eq!(colors[1], fox::Color { r: 0.7, g: 0.7, b: 0.7, a: 1.0 });
}

#[test]
fn static_models_are_in_the_world_and_sent_again_when_they_are_moved() {
    let visuals = vec![visual(0, SceneVisual::BOX, [1.0; 3]), visual(1, SceneVisual::BOX, [1.0; 3])];
    let nodes = vec![node("tree::l", true), node("car::l", false)];
    let mut drawing = drawing(Scene { nodes, visuals, ..Scene::default() });
    let update = decoded(drawing.change(&poses(&[2.0, 0.0]), 0));
    assert_eq!(update.entities[1].frame_id, "world");
    assert!((x_of(update.entities[1].cubes[0].pose.as_ref()) - 3.0).abs() < 1e-12);
    assert!(drawing.change(&poses(&[2.0, 9.0]), 0).is_none(), "transforms move the other one");
    let moved = decoded(drawing.change(&poses(&[4.0, 9.0]), 0));
    assert_eq!(ids(&moved), (vec![], vec!["tree/l"]));
    assert!((x_of(moved.entities[0].cubes[0].pose.as_ref()) - 5.0).abs() < 1e-12);
}

#[test]
fn entities_of_models_that_are_gone_are_removed_and_the_others_stay() {
    let boxes = [0, 1].map(|node| visual(node, SceneVisual::BOX, [1.0; 3])).to_vec();
    let nodes = vec![node("a::l", true), node("b::l", true)];
    let mut drawing = drawing(Scene { nodes, visuals: boxes.clone(), ..Scene::default() });
    assert_eq!(ids(&decoded(drawing.change(&poses(&[0.0, 1.0]), 0))), (vec![], vec!["a/l", "b/l"]));
    let visuals = boxes[..1].to_vec();
    let left = Scene { revision: 2, nodes: vec![node("a::l", true)], visuals, ..Scene::default() };
    drawing.replace(&Arc::new(left), &|_| None);
    assert_eq!(drawing.revision(), Some(2));
    assert_eq!(ids(&decoded(drawing.change(&poses(&[0.0]), 7))), (vec!["b/l"], vec![]));
    let whole = decoded(Some(drawing.whole(8)));
    assert_eq!(ids(&whole), (vec![""], vec!["a/l"]));
    assert_eq!(whole.deletions[0].r#type(), fox::scene_entity_deletion::Type::All);
}

#[test]
fn meshes_are_models_in_the_axes_of_viewers() {
    let mesh = SceneVisual { mesh: 0, ..visual(0, SceneVisual::MESH, [1.0, 2.0, 3.0]) };
    let meshes = vec![SceneMesh { hash: "glTF".to_owned(), materials: vec![-1], ..SceneMesh::default() }];
    let nodes = vec![node("a::l", false)];
    let mut drawing = drawing(Scene { nodes, visuals: vec![mesh], meshes, ..Scene::default() });
    let update = decoded(drawing.change(&poses(&[0.0]), 0));
    let model = &update.entities[0].models[0];
    assert_eq!((&model.data[..], model.url.as_str()), (&b"glTF"[..], ""));
    assert_eq!((model.media_type.as_str(), model.override_color), ("model/gltf-binary", true));
    assert_eq!(model.scale, Some(fox::Vector3 { x: 1.0, y: 3.0, z: 2.0 }));
    // A viewer turns the file about x by a quarter, and the pose turns it back.
    let turn = model.pose.as_ref().and_then(|pose| pose.orientation).expect("an orientation");
    assert!((turn.x + turn.w).abs() < 1e-12 && turn.x < 0.0, "{turn:?}");
}

#[test]
fn models_that_do_not_fit_into_the_scene_have_an_address() {
    let mesh = SceneVisual { mesh: 0, ..visual(0, SceneVisual::MESH, [1.0; 3]) };
    let meshes = vec![SceneMesh { hash: "big".to_owned(), materials: vec![-1], ..SceneMesh::default() }];
    let visuals = vec![mesh.clone(), mesh];
    let scene = Scene { nodes: vec![node("a::l", false)], visuals, meshes, ..Scene::default() };
    let mut drawing = Drawing::default();
    drawing.replace(&Arc::new(scene), &|_| Some(Bytes::from(vec![7; 10 << 20])));
    let update = decoded(drawing.change(&poses(&[0.0]), 0));
    let [inside, outside] = &update.entities[0].models[..] else { panic!("two models") };
    assert_eq!((inside.data.len(), inside.url.as_str(), outside.data.len()), (10 << 20, "", 0));
    assert!(outside.url.starts_with("package://bridgehead/scene/big-"), "{}", outside.url);
    assert_eq!(drawing.addressed()[&outside.url].len(), 10 << 20);
}

#[test]
fn without_a_scene_there_is_nothing_to_change() {
    let mut drawing = Drawing::default();
    assert!(drawing.change(&[], 0).is_none());
    assert_eq!(ids(&decoded(Some(drawing.whole(0)))), (vec![""], vec![]));
}
