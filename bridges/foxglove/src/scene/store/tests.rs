//! Markers as entities, and the changes when vehicles come and go.

use bridgehead_plugin_api::messages::geometry_msgs::{Point, Pose, Quaternion, Vector3};
use bridgehead_plugin_api::messages::std_msgs::{ColorRgba, Header};
use bridgehead_plugin_api::messages::visualization_msgs::Marker;

use super::*;

fn marker(namespace: &str, frame: &str, kind: i32) -> Marker {
    Marker {
        header: Some(Header::new(0, frame)),
        ns: namespace.to_owned(),
        r#type: kind,
        pose: Some(Pose {
            position: Some(Point::new(1.0, 2.0, 3.0)),
            orientation: Some(Quaternion::IDENTITY),
        }),
        scale: Some(Vector3::new(0.5, 0.25, 0.125)),
        color: Some(ColorRgba { r: 1.0, g: 0.5, b: 0.0, a: 1.0 }),
        ..Marker::default()
    }
}

fn array(markers: &[Marker]) -> Payload {
    Payload::from_vec(MarkerArray { markers: markers.to_vec() }.encode_to_vec())
}

fn decoded(message: &[u8]) -> fox::SceneUpdate {
    fox::SceneUpdate::decode(message).expect("a scene")
}

fn ids(update: &fox::SceneUpdate) -> (Vec<&str>, Vec<&str>) {
    let deleted = update.deletions.iter().map(|deletion| deletion.id.as_str()).collect();
    (deleted, update.entities.iter().map(|entity| entity.id.as_str()).collect())
}

#[test]
fn markers_of_a_link_are_one_entity_with_a_primitive_each() {
    let link = [1, 2, 3, 10, 77].map(|kind| marker("car/body", "car/body", kind));
    let mut scene = Scene::default();
    let change = scene.set(1, array(&link)).message(5_000_000_001).expect("a change");
    let update = decoded(&change);
    assert_eq!(ids(&update), (vec![], vec!["car/body"]));
    let entity = &update.entities[0];
    assert_eq!(entity.timestamp, Some(prost_types::Timestamp { seconds: 5, nanos: 1 }));
    assert_eq!((entity.frame_id.as_str(), entity.frame_locked), ("car/body", true));
    let counts = [entity.cubes.len(), entity.spheres.len(), entity.cylinders.len(), entity.models.len()];
    assert_eq!(counts, [1; 4]);
    let cube = &entity.cubes[0];
    assert_eq!(cube.size, Some(fox::Vector3 { x: 0.5, y: 0.25, z: 0.125 }));
    assert_eq!(cube.color, Some(fox::Color { r: 1.0, g: 0.5, b: 0.0, a: 1.0 }));
    let position = cube.pose.as_ref().and_then(|pose| pose.position);
    assert_eq!(position, Some(fox::Vector3 { x: 1.0, y: 2.0, z: 3.0 }));
    assert!((entity.cylinders[0].top_scale - 1.0).abs() < f64::EPSILON);
}

#[test]
fn equal_name_spaces_in_different_frames_are_different_entities() {
    let markers = [marker("a", "a", 1), marker("a", "world", 1), marker("a", "a", 2)];
    let mut scene = Scene::default();
    let update = decoded(&scene.set(1, array(&markers)).message(0).expect("a change"));
    assert_eq!(ids(&update).1, ["a", "a in world"]);
}

#[test]
fn entities_are_removed_with_their_topic_and_when_a_new_array_lacks_them() {
    let mut scene = Scene::default();
    let both = [marker("car/a", "car/a", 1), marker("car/b", "car/b", 1)];
    drop(scene.set(1, array(&both)));
    drop(scene.set(2, array(&[marker("tree", "world", 2)])));
    let update = decoded(&scene.set(1, array(&both[..1])).message(7).expect("a change"));
    assert_eq!(ids(&update), (vec!["car/b"], vec!["car/a"]));
    let whole = decoded(&scene.whole(8));
    assert_eq!(ids(&whole).1, ["car/a", "tree"]);
    assert_eq!(whole.deletions[0].r#type(), fox::scene_entity_deletion::Type::All);
    let gone = scene.remove(1).and_then(|change| change.message(9)).expect("a change");
    assert_eq!(ids(&decoded(&gone)), (vec!["car/a"], vec![]));
    assert!(scene.remove(1).is_none());
    assert_eq!(ids(&decoded(&scene.whole(9))).1, ["tree"]);
}

#[test]
fn meshes_are_known_by_their_address_and_by_that_of_viewers() {
    let mesh = Marker { mesh_resource: "model://car/a.dae".to_owned(), ..marker("car", "car", 10) };
    let mut scene = Scene::default();
    assert_eq!(scene.mesh("model://car/a.dae"), None);
    let update = decoded(&scene.set(1, array(&[mesh])).message(0).expect("a change"));
    assert_eq!(update.entities[0].models[0].url, "package://car/a.dae");
    for address in ["model://car/a.dae", "package://car/a.dae"] {
        assert_eq!(scene.mesh(address).as_deref(), Some("model://car/a.dae"));
    }
    assert_eq!((scene.mesh(""), scene.mesh("package://car/b.dae")), (None, None));
    drop(scene.remove(1));
    assert_eq!(scene.mesh("package://car/a.dae"), None);
}

#[test]
fn bytes_that_are_no_markers_are_an_empty_scene() {
    let mut scene = Scene::default();
    assert!(scene.set(1, Payload::from_vec(vec![0xff; 9])).message(0).is_none());
    assert_eq!(ids(&decoded(&scene.whole(0))).1, Vec::<&str>::new());
}
