//! The publisher of poses through its C functions.

use super::*;
use bridgehead_plugin_api::host::{Entity, EntityId, LinkState};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElementDescription, JointDescription, LinkDescription, ModelDescription, WorldDescription,
};
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

fn at(x: f64) -> Pose {
    Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY }
}

/// A car at x = 5 m with a base, a mast that is fixed to it, and a wheel; a lidar on the mast names its frame.
fn car(builder: TestHostBuilder) -> TestHost {
    let builder = builder.vehicle("car").link("base").link("mast").link("wheel");
    let host = builder.param("update_frequency", 500).build();
    for (link, x) in [("base", 5.5), ("mast", 6.0), ("wheel", 4.0)] {
        host.set_link_state(link, LinkState { pose: at(x), linear: [0.0; 3], angular: [0.0; 3] });
    }
    host.set_entity(Entity {
        id: EntityId(1),
        name: "car".to_owned(),
        is_static: false,
        is_spawned: false,
        pose: at(5.0),
        linear: [0.0; 3],
        angular: [0.0; 3],
        box_min: [0.0; 3],
        box_max: [0.0; 3],
    });
    host.set_description(described());
    host
}

fn described() -> WorldDescription {
    let link = |name: &str| LinkDescription {
        name: format!("car::{name}"),
        frame_id: format!("car/{name}"),
        ..LinkDescription::default()
    };
    let joint = |kind: &str, child: &str| JointDescription {
        r#type: kind.to_owned(),
        parent: "car::base".to_owned(),
        child: format!("car::{child}"),
        ..JointDescription::default()
    };
    let sensor = |frame: &str, x: f64| ElementDescription {
        kind: "sensor".to_owned(),
        vehicle: "car".to_owned(),
        link: "car::mast".to_owned(),
        frame_id: frame.to_owned(),
        pose: Some(pose_message(at(x))),
        ..ElementDescription::default()
    };
    WorldDescription {
        revision: 1,
        models: vec![ModelDescription {
            name: "car".to_owned(),
            canonical_link: "car::base".to_owned(),
            ..ModelDescription::default()
        }],
        links: ["base", "mast", "wheel"].map(link).into(),
        joints: vec![joint("fixed", "mast"), joint("revolute", "wheel")],
        // Two sensors share a frame, and one names the frame of its link, one that of the model.
        elements: vec![
            sensor("scan", 0.25),
            sensor("scan", 0.5),
            sensor("car/mast", 1.0),
            sensor("car", 2.0),
        ],
        ..WorldDescription::default()
    }
}

fn told(transforms: Vec<TransformStamped>) -> Vec<(String, String, f64)> {
    let one = |one: TransformStamped| {
        let x = one.transform.and_then(|transform| transform.translation).expect("a translation").x;
        (one.header.expect("a header").frame_id, one.child_frame_id, x)
    };
    transforms.into_iter().map(one).collect()
}

fn owned(expected: &[(&str, &str, f64)]) -> Vec<(String, String, f64)> {
    expected.iter().map(|(parent, child, x)| ((*parent).to_owned(), (*child).to_owned(), *x)).collect()
}

const MODEL: (&str, &str, f64) = ("world", "car", 5.0);
const BASE: (&str, &str, f64) = ("car", "car/base", 0.5);
const MAST: (&str, &str, f64) = ("car", "car/mast", 1.0);
const WHEEL: (&str, &str, f64) = ("car", "car/wheel", -1.0);
const SCAN: (&str, &str, f64) = ("car/mast", "scan", 0.25);

#[test]
fn transforms_lead_from_the_world_over_model_and_links_to_sensors() {
    let host = car(TestHost::builder().param("publish_each_pose", "true"));
    host.listen("/tf");
    host.listen("pose");
    TestModel::<ModelPose>::started(host).run(10).expect_done();
    assert_eq!((host.published("/tf").len(), host.published("pose").len()), (5, 25));
    assert_eq!(told(host.last::<TfMessage>("/tf").transforms), owned(&[MODEL, BASE, MAST, WHEEL, SCAN]));
    let poses = host.decoded::<PoseStamped>("pose");
    let parents: Vec<String> =
        poses.into_iter().take(5).map(|pose| pose.header.expect("a header").frame_id).collect();
    assert_eq!(parents, ["world", "car", "car", "car", "car/mast"]);
}

/// The topic of this project has the pose of the model, whatever transforms there are.
#[test]
fn the_pose_is_that_of_the_model_in_the_world() {
    for has_model in ["true", "false"] {
        let host = car(TestHost::builder().param("publish_model_pose", has_model));
        host.listen("pose");
        TestModel::<ModelPose>::started(host).run(10).expect_done();
        assert_eq!(host.published("pose").len(), 5);
        let pose = host.last::<PoseStamped>("pose");
        assert_eq!(pose.header.expect("a header").frame_id, "world");
        let position = pose.pose.and_then(|pose| pose.position).expect("a position");
        assert!((position.x - 5.0).abs() < 1e-12);
    }
}

#[test]
fn static_frames_have_a_topic_and_a_rate_of_their_own() {
    let host = car(TestHost::builder().params([
        ("use_pose_vector_msg", "true"),
        ("static_publisher", "true"),
        ("static_update_frequency", "100"),
        ("publish_model_pose", "false"),
        ("publish_tf", "false"),
    ]));
    ["pose", "pose_static"].iter().for_each(|topic| host.listen(topic));
    TestModel::<ModelPose>::started(host).run(100).expect_done();
    let counts = ["pose", "pose_static"].map(|topic| host.published(topic).len());
    assert_eq!(counts, [50, 11]);
    assert_eq!(told(host.last::<TfMessage>("pose").transforms), owned(&[WHEEL]));
    assert_eq!(told(host.last::<TfMessage>("pose_static").transforms), owned(&[BASE, MAST, SCAN]));
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

/// Every choice of frames, of messages and of topics: each frame that is wanted is published once, the others not.
#[test]
fn each_wanted_frame_is_published_once() {
    let flags = ["publish_model_pose", "publish_link_pose", "publish_sensor_pose", "static_publisher"];
    for choice in 0..16_u32 {
        let is_set = |flag: usize| choice & (1 << flag) != 0;
        let builder = flags
            .iter()
            .enumerate()
            .fold(TestHost::builder(), |host, (at, flag)| host.param(flag, is_set(at)));
        let host = car(builder.param("use_pose_vector_msg", 1).param("topic", "/poses"));
        ["/poses", "/poses_static"].iter().for_each(|topic| host.listen(topic));
        TestModel::<ModelPose>::started(host).run(10).expect_done();
        let mut found = told(host.last::<TfMessage>("/poses").transforms);
        if is_set(3) {
            found.extend(told(host.last::<TfMessage>("/poses_static").transforms));
        }
        let kinds: [&[(&str, &str, f64)]; 3] = [&[MODEL], &[BASE, MAST, WHEEL], &[SCAN]];
        let wanted = kinds.iter().enumerate().filter(|(at, _)| is_set(*at)).flat_map(|(_, kind)| *kind);
        let mut expected = owned(&wanted.copied().collect::<Vec<_>>());
        found.sort_by(|a, b| a.1.cmp(&b.1));
        expected.sort_by(|a, b| a.1.cmp(&b.1));
        assert_eq!(found, expected, "{choice:b}");
    }
}

/// Sensors may be added during a run.
#[test]
fn frames_are_read_again_if_the_world_has_changed() {
    let host = car(TestHost::builder());
    host.listen("/tf");
    let mut model = TestModel::<ModelPose>::started(host);
    model.run(2).expect_done();
    let mut world = described();
    world.elements[0].frame_id = "later".to_owned();
    host.set_description(world);
    model.run(2).expect_done();
    let children: Vec<String> =
        told(host.last::<TfMessage>("/tf").transforms).into_iter().map(|(_, child, _)| child).collect();
    assert_eq!(children, ["car", "car/base", "car/mast", "car/wheel", "later", "scan"]);
}

#[test]
fn a_frequency_that_is_none_is_refused_with_its_name() {
    for path in ["update_frequency", "static_update_frequency"] {
        let host = TestHost::builder().vehicle("car").link("base").param(path, "inf").build();
        let error = TestModel::<ModelPose>::create(host).awake().expect_failed();
        assert!(error.text().contains(path) && error.text().contains("messages per second"), "{error}");
    }
}
