//! A scene is made of a description, of looks and of poses, with the ids that poses have.

use bridgehead_plugin_api::messages::geometry_msgs;

use super::*;

fn at(x: f64, z: f64) -> Option<geometry_msgs::Pose> {
    Some(geometry_msgs::Pose {
        position: Some(geometry_msgs::Point { x, y: 0.0, z }),
        orientation: Some(geometry_msgs::Quaternion { x: 0.0, y: 0.0, z: 0.0, w: 1.0 }),
    })
}

fn model(name: &str, link: &str, pose: Option<geometry_msgs::Pose>) -> own::ModelDescription {
    own::ModelDescription {
        name: name.to_owned(),
        canonical_link: link.to_owned(),
        pose,
        ..own::ModelDescription::default()
    }
}

fn link(name: &str, pose: Option<geometry_msgs::Pose>, meshes: &[&str]) -> own::LinkDescription {
    let visual = |(number, mesh): (usize, &&str)| own::ShapeDescription {
        name: format!("{name}::v{number}"),
        mesh: (*mesh).to_owned(),
        ..own::ShapeDescription::default()
    };
    own::LinkDescription {
        name: name.to_owned(),
        pose,
        visuals: meshes.iter().enumerate().map(visual).collect(),
        ..own::LinkDescription::default()
    }
}

fn visual(name: &str, node: i32, kind: u32, material: i32) -> own::SceneVisual {
    own::SceneVisual {
        name: name.to_owned(),
        node,
        pose: at(0.5, 0.0),
        r#type: kind,
        size: Some(geometry_msgs::Vector3 { x: 2.0, y: 2.0, z: 2.0 }),
        material,
        cast_shadows: true,
        transparency: 0.25,
        ..own::SceneVisual::default()
    }
}

/// A car with an arm in it, and a wall; a sun, and a lamp on the arm.
fn world() -> (own::Scene, own::WorldDescription) {
    let node = |name: &str, is_static| own::SceneNode {
        name: name.to_owned(),
        is_static,
        ..own::SceneNode::default()
    };
    let light = |name: &str, node| own::SceneLight {
        name: name.to_owned(),
        node,
        r#type: own::SceneLight::SPOT,
        is_on: true,
        intensity: 0.5,
        ..own::SceneLight::default()
    };
    let description = own::WorldDescription {
        world: "the world".to_owned(),
        revision: 7,
        models: vec![
            model("car", "car::base", at(1.0, 0.0)),
            model("car::arm", "car::arm::hand", at(1.0, 1.0)),
            model("wall", "wall::body", at(5.0, 0.0)),
        ],
        links: vec![
            link("car::base", at(1.0, 0.2), &["", "file:///a.stl", ""]),
            link("car::arm::hand", at(1.0, 1.5), &[]),
            link("wall::body", at(5.0, 0.0), &[""]),
        ],
        ..own::WorldDescription::default()
    };
    let scene = own::Scene {
        revision: 3,
        world: "the world".to_owned(),
        nodes: vec![node("car::base", false), node("car::arm::hand", false), node("wall::body", true)],
        visuals: vec![
            visual("car::base::v0", 0, own::SceneVisual::SPHERE, 0),
            visual("car::base::v1", 0, own::SceneVisual::MESH, -1),
            // A file that could not be read.
            visual("car::base::v2", 0, own::SceneVisual::NONE, -1),
            visual("wall::body::v0", 2, own::SceneVisual::BOX, -1),
        ],
        lights: vec![light("sun", -1), light("car::arm::hand::lamp", 1)],
        materials: vec![own::SceneMaterial {
            shininess: 3.0,
            color_map: -1,
            ..own::SceneMaterial::default()
        }],
        ..own::Scene::default()
    };
    (scene, description)
}

fn look(ids: &mut IdTable) -> Look {
    let (scene, description) = world();
    ids.update(&description);
    Look::new(scene, &description, ids)
}

fn poses() -> [Pose; 3] {
    [[2.0, 0.0, 0.2], [2.0, 0.0, 1.5], [5.0, 0.0, 0.0]]
        .map(|position| Pose { position, orientation: Pose::IDENTITY.orientation })
}

fn place(pose: Option<&gz::Pose>) -> [f64; 3] {
    let position = pose.and_then(|pose| pose.position.clone()).expect("a position");
    [position.x, position.y, position.z].map(|value| (value * 1e6).round() / 1e6)
}

#[test]
fn a_scene_nests_models_and_has_the_ids_of_the_poses() {
    let mut ids = IdTable::default();
    let look = look(&mut ids);
    let scene = look.message(&ids, &poses());
    assert_eq!((look.revisions, scene.name.as_str()), ([3, 7], "the world"));
    let [car, wall] = &scene.model[..] else { panic!("{:?}", scene.model) };
    let [arm] = &car.model[..] else { panic!("{:?}", car.model) };
    assert_eq!([&*car.name, &*arm.name, &*wall.name], ["car", "arm", "wall"]);
    assert_eq!([car.is_static, wall.is_static], [false, true]);
    let ([base], [hand]) = (&car.link[..], &arm.link[..]) else { panic!("{car:?}") };
    assert_eq!((&*base.name, &*hand.name, base.canonical), ("base", "hand", true));
    let found = [&car.pose, &arm.pose, &base.pose, &hand.pose].map(|pose| place(pose.as_ref()));
    assert_eq!(found, [[2.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 0.2], [0.0, 0.0, 0.5]]);
    let [of_poses, _] = look.table.messages(&poses(), &gz::Header::default());
    let of_poses: Vec<(&str, u32)> = of_poses.pose.iter().map(|pose| (&*pose.name, pose.id)).collect();
    let wall_link = &wall.link[0];
    let of_scene = [
        ("car", car.id),
        ("arm", arm.id),
        ("wall", wall.id),
        ("base", base.id),
        ("hand", hand.id),
        ("body", wall_link.id),
    ];
    assert_eq!(of_poses, of_scene);
}

#[test]
fn visuals_and_lights_belong_to_their_links() {
    let mut ids = IdTable::default();
    let scene = look(&mut ids).message(&ids, &poses());
    let base = &scene.model[0].link[0];
    let [ball, mesh] = &base.visual[..] else { panic!("{:?}", base.visual) };
    assert_eq!((&*ball.name, &*ball.parent_name, ball.parent_id), ("v0", "base", base.id));
    assert_eq!(Some(ball.id), ids.get(Kind::Visual, "car::base::v0"));
    assert_eq!(place(ball.pose.as_ref()), [0.5, 0.0, 0.0]);
    assert!(ball.cast_shadows && (ball.transparency - 0.25).abs() < 1e-9);
    let radius = ball.geometry.as_ref().and_then(|geometry| geometry.sphere.as_ref()).map(|ball| ball.radius);
    assert_eq!((radius, ball.material.as_ref().map(|material| material.shininess)), (Some(1.0), Some(3.0)));
    let file = mesh.geometry.as_ref().and_then(|geometry| geometry.mesh.as_ref()).map(|mesh| &*mesh.filename);
    assert_eq!((file, &mesh.material), (Some("/a.stl"), &None));
    let ([sun], [lamp]) = (&scene.light[..], &scene.model[0].model[0].link[0].light[..]) else {
        panic!("{:?}", scene.light)
    };
    assert_eq!((&*sun.name, sun.parent_id, sun.r#type, sun.is_light_off), ("sun", WORLD, 1, false));
    assert_eq!((&*lamp.name, lamp.parent_id), ("lamp", scene.model[0].model[0].link[0].id));
    assert_ne!(sun.id, lamp.id);
}

#[test]
fn additions_are_only_what_was_added() {
    let mut ids = IdTable::default();
    let whole = look(&mut ids).message(&ids, &poses());
    let mut names = BTreeSet::from(["wall".to_owned(), "later".to_owned()]);
    let added = additions(whole, &mut names);
    assert_eq!(added.model.iter().map(|model| &*model.name).collect::<Vec<_>>(), ["wall"]);
    assert_eq!((added.light.len(), names), (0, BTreeSet::from(["later".to_owned()])));
}

#[test]
fn the_graph_has_an_edge_from_each_parent_in_the_form_of_gazebo() {
    let sphere = gz::Visual { name: "a \"b\"".to_owned(), id: 5, ..gz::Visual::default() };
    let link = gz::Link { id: 4, name: "l".to_owned(), visual: vec![sphere], ..gz::Link::default() };
    let arm = gz::Model { name: "arm".to_owned(), id: 3, ..gz::Model::default() };
    let car = gz::Model {
        name: "car".to_owned(),
        id: 2,
        link: vec![link],
        model: vec![arm],
        ..gz::Model::default()
    };
    let sun = gz::Light { name: "sun".to_owned(), id: 6, ..gz::Light::default() };
    let scene =
        gz::Scene { name: "w".to_owned(), model: vec![car], light: vec![sun], ..gz::Scene::default() };
    let expected = "digraph {\n  1 [label=\"w (1)\"];\n  2 [label=\"car (2)\"];\n  3 [label=\"arm (3)\"];\n  \
         4 [label=\"l (4)\"];\n  5 [label=\"a \\\"b\\\" (5)\"];\n  6 [label=\"sun (6)\"];\n  1 -> 2 [label=1];\n  \
         2 -> 3 [label=1];\n  2 -> 4 [label=1];\n  4 -> 5 [label=1];\n  1 -> 6 [label=1];\n}\n";
    assert_eq!(graph(&scene), expected);
}
