//! The frames of a world with a vehicle, a static model with a sensor, and plugins that publish transforms.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ModelDescription;
use bridgehead_plugin_api::messages::geometry_msgs;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;

use super::*;

/// A position, turned about z by a quarter if `is_turned`.
fn placed(x: f64, y: f64, is_turned: bool) -> geometry_msgs::Pose {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let (z, w) = if is_turned { (half, half) } else { (0.0, 1.0) };
    geometry_msgs::Pose {
        position: Some(geometry_msgs::Point::new(x, y, 0.0)),
        orientation: Some(geometry_msgs::Quaternion { x: 0.0, y: 0.0, z, w }),
    }
}

fn model(name: &str, is_static: bool, pose: geometry_msgs::Pose, link: &str) -> ModelDescription {
    let canonical_link = format!("{name}::{link}");
    let name = name.to_owned();
    ModelDescription {
        vehicle: name.clone(),
        name,
        is_static,
        pose: Some(pose),
        canonical_link,
        ..ModelDescription::default()
    }
}

fn link(model: &str, name: &str, pose: geometry_msgs::Pose) -> LinkDescription {
    LinkDescription {
        name: format!("{model}::{name}"),
        model: model.to_owned(),
        frame_id: format!("{model}/{name}"),
        pose: Some(pose),
        mass: 1.0,
        ..LinkDescription::default()
    }
}

fn element(vehicle: &str, link: &str, name: &str, pose: geometry_msgs::Pose) -> ElementDescription {
    ElementDescription {
        kind: "sensor".to_owned(),
        vehicle: vehicle.to_owned(),
        link: format!("{vehicle}::{link}"),
        frame_id: format!("{vehicle}/{link}/{name}"),
        pose: Some(pose),
        ..ElementDescription::default()
    }
}

fn world() -> WorldDescription {
    WorldDescription {
        models: vec![
            model("car", false, placed(1.0, 0.0, true), "body"),
            model("pole", true, placed(5.0, 0.0, false), "top"),
            model("ground", true, placed(0.0, 0.0, false), "surface"),
        ],
        links: vec![
            // One metre in front of the car, which points along y.
            link("car", "body", placed(1.0, 1.0, true)),
            link("car", "arm", placed(1.0, 1.5, true)),
            link("pole", "top", placed(5.0, 0.0, false)),
            link("ground", "surface", placed(0.0, 0.0, false)),
        ],
        elements: vec![
            element("car", "body", "lidar", placed(0.5, 0.0, false)),
            element("pole", "top", "camera", placed(0.0, 0.0, false)),
        ],
        ..WorldDescription::default()
    }
}

/// The frames of the world, whose nodes are in another order than its links.
fn frames() -> Frames {
    let node = |name: &str| SceneNode { name: name.to_owned(), ..SceneNode::default() };
    Frames::of(&world(), &["pole::top", "car::arm", "car::body"].map(node))
}

/// Returns the poses of the nodes: the car, which points along x, has its body there, and its arm in front of the body.
fn poses(body: f64, arm: f64) -> [Pose; 3] {
    [5.0, body + arm, body].map(|x| pose(Some(&placed(x, 0.0, false))))
}

type Transforms = Vec<(String, String, [i64; 2])>;

/// Parent, child and millimetres along x and y.
#[expect(clippy::cast_possible_truncation, reason = "a few metres")]
fn listed(message: &[u8]) -> Transforms {
    let message = fox::FrameTransforms::decode(message).expect("transforms");
    let millimetres = |value: f64| (value * 1000.0).round() as i64;
    let list = message.transforms.into_iter().map(|one| {
        let by = one.translation.expect("a translation");
        (one.parent_frame_id, one.child_frame_id, [millimetres(by.x), millimetres(by.y)])
    });
    list.collect()
}

fn expected(list: &[(&str, &str, [i64; 2])]) -> Transforms {
    list.iter().map(|(parent, child, at)| ((*parent).to_owned(), (*child).to_owned(), *at)).collect()
}

fn tf(parent: &str, child: &str, x: f64) -> Vec<u8> {
    let stamped = geometry_msgs::TransformStamped {
        header: Some(Header::new(0, parent)),
        child_frame_id: child.to_owned(),
        transform: Some(geometry_msgs::Transform {
            translation: Some(geometry_msgs::Vector3::new(x, 0.0, 0.0)),
            rotation: None,
        }),
    };
    TfMessage { transforms: vec![stamped] }.encode_to_vec()
}

#[test]
fn links_are_placed_in_models_and_sensors_in_links() {
    let whole = frames().message(&Tf::default(), 0, true).expect("transforms");
    assert_eq!(
        listed(&whole),
        expected(&[
            ("world", "car", [1000, 0]),
            ("world", "pole", [5000, 0]),
            ("car", "car/body", [1000, 0]),
            ("car", "car/arm", [1500, 0]),
            ("pole", "pole/top", [0, 0]),
            ("car/body", "car/body/lidar", [500, 0]),
            ("pole/top", "pole/top/camera", [0, 0]),
        ])
    );
}

#[test]
fn models_follow_the_link_that_carries_their_frame() {
    let mut frames = frames();
    frames.follow(&poses(3.0, 0.5));
    let moved = frames.message(&Tf::default(), 7, false).expect("transforms");
    assert_eq!(listed(&moved), expected(&[("world", "car", [2000, 0])]));
    let stamp = fox::FrameTransforms::decode(&*moved).expect("transforms").transforms[0].timestamp;
    assert_eq!(stamp, Some(timestamp(7)));
    frames.follow(&poses(3.0, 0.5));
    assert!(frames.message(&Tf::default(), 8, false).is_none(), "nothing has moved");
}

#[test]
fn links_that_move_in_their_model_are_sent_until_they_stand_still() {
    let (mut frames, tf) = (frames(), Tf::default());
    frames.follow(&poses(3.0, 0.5));
    frames.message(&tf, 0, false).expect("transforms");
    frames.follow(&poses(3.0, 2.0));
    let arm = expected(&[("car", "car/arm", [3000, 0])]);
    assert_eq!(listed(&frames.message(&tf, 0, false).expect("transforms")), arm);
    frames.follow(&poses(3.0, 2.0 + STILL / 2.0));
    assert!(frames.message(&tf, 0, false).is_none(), "rounding is no motion");
    let whole = listed(&frames.message(&tf, 0, true).expect("transforms"));
    assert!(whole.contains(&arm[0]), "{whole:?}");
    // A list that is too short is not read beyond its end.
    frames.follow(&poses(9.0, 9.0)[..1]);
    assert!(frames.message(&tf, 0, false).is_none());
}

#[test]
fn frames_that_plugins_publish_get_no_second_parent() {
    let (mut frames, mut known) = (frames(), Tf::default());
    known.take_transforms(&tf("world", "car", 2.0));
    known.take_transforms(&tf("car", "car/body", 1.0));
    let whole = listed(&frames.message(&known, 0, true).expect("transforms"));
    assert!(whole.iter().all(|(_, child, _)| child != "car/body" && child != "car"), "{whole:?}");
    frames.follow(&poses(4.0, 0.5));
    assert!(frames.message(&known, 0, false).is_none());
}

#[test]
fn odometry_frames_are_placed_in_the_world() {
    let (mut frames, mut known) = (frames(), Tf::default());
    // The car has driven 0.5 m of the way to x = 2 m, as its odometry says.
    known.take_transforms(&tf("car/odom", "car", 0.5));
    frames.follow(&poses(3.0, 0.5));
    let moved = frames.message(&known, 0, false).expect("transforms");
    assert_eq!(listed(&moved), expected(&[("world", "car/odom", [1500, 0])]));
}

#[test]
fn odometry_messages_place_their_frame_and_leave_ours() {
    use bridgehead_plugin_api::messages::nav_msgs::Odometry;
    let (mut frames, mut known) = (frames(), Tf::default());
    let odometry = Odometry {
        header: Some(Header::new(0, "car/odom")),
        child_frame_id: "car/body".to_owned(),
        pose: Some(geometry_msgs::PoseWithCovariance {
            pose: Some(placed(0.25, 0.0, false)),
            ..geometry_msgs::PoseWithCovariance::default()
        }),
        ..Odometry::default()
    };
    known.take_odometry(&odometry.encode_to_vec());
    frames.follow(&poses(3.0, 0.5));
    let moved = frames.message(&known, 0, false).expect("transforms");
    assert_eq!(listed(&moved), expected(&[("world", "car", [2000, 0]), ("world", "car/odom", [2750, 0])]));
}

#[test]
fn garbage_and_empty_worlds_are_no_transforms() {
    let mut known = Tf::default();
    known.take_transforms(&[0xff; 5]);
    known.take_odometry(&[0xff; 5]);
    let mut frames = Frames::of(&WorldDescription::default(), &[]);
    frames.follow(&poses(1.0, 0.0));
    assert!(frames.message(&known, 0, true).is_none());
}

/// Sensors name any frames: their own, shared ones, those of links and models, and the world.
#[test]
fn the_frames_of_all_sensors_form_one_tree() {
    let names = ["scan", "imu_link", "car", "car/body", "pole/top", "world", "odom"];
    for first in names {
        for second in names {
            for third in names {
                let mut world = world();
                let sensor = |link: &str, frame: &str| {
                    let sensor = element("car", link, "sensor", placed(0.5, 0.0, false));
                    ElementDescription { frame_id: frame.to_owned(), ..sensor }
                };
                world.elements.extend([sensor("body", first), sensor("arm", second), sensor("arm", third)]);
                let frames = Frames::of(&world, &[]);
                let mut parents = BTreeMap::new();
                for frame in &frames.0 {
                    let other = parents.insert(frame.child.as_str(), frame.parent.as_str());
                    assert_eq!(other, None, "{} has two parents: {first} {second} {third}", frame.child);
                }
                for child in parents.keys() {
                    let mut steps = std::iter::successors(Some(*child), |at| parents.get(at).copied());
                    let end = steps.by_ref().take(parents.len() + 2).last();
                    assert_eq!((end, steps.next()), (Some(WORLD), None), "{child}: {first} {second} {third}");
                }
            }
        }
    }
}
