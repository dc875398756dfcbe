//! Replies as clients read them.

use super::*;

fn ask(info: &Info, name: &str, value: Any) -> (Param, InfoOutcome) {
    let (bytes, outcome) = info.answer(&Param::named(name, value).encode_to_vec());
    assert!(!bytes.is_empty());
    (Param::decode(bytes.as_slice()).expect("a Param"), outcome)
}

fn text<'a>(param: &'a Param, name: &str) -> &'a str {
    match &param.params[name].value {
        Some(any::Value::StringValue(text)) => text,
        other => panic!("{other:?}"),
    }
}

fn info() -> Info {
    let place = Transform {
        name: "lidar".into(),
        pose: Pose { position: [1.0, 2.0, 3.0], ..Pose::IDENTITY },
        parent: "base_link".into(),
    };
    Info {
        ros2: Some(Ros2 { topic_name: "scan".into(), frames: vec!["laser".into(), "second".into()] }),
        transform: Some(place.clone()),
        static_transforms: vec![place],
        output_type: "LaserScan".into(),
        ..Info::default()
    }
}

#[test]
fn ros_names_are_children() {
    let (answer, _) = ask(&info(), "request_ros2", Any::default());
    assert_eq!(answer.params["ros2"], Any::default());
    assert_eq!(text(&answer.children[0], "topic_name"), "scan");
    assert_eq!(text(&answer.children[1], "frame_id"), "laser");
    assert_eq!(text(&answer.children[2], "frame_id"), "second");
}

#[test]
fn a_transform_has_a_pose_and_a_parent() {
    let (answer, _) = ask(&info(), "request_transform", Any::default());
    let Some(any::Value::Pose3dValue(pose)) = &answer.params["transform"].value else { panic!("{answer:?}") };
    assert_eq!(answer.params["transform"].r#type(), any::ValueType::Pose3d);
    assert_eq!(pose.name, "lidar");
    assert_eq!(pose.position.as_ref().expect("a position").y, 2.0);
    assert_eq!(text(&answer.children[0], "parent_frame_id"), "base_link");
    let (named, _) = ask(&info(), "request_transform", Any::text("left"));
    let Some(any::Value::Pose3dValue(pose)) = &named.params["transform"].value else { panic!("{named:?}") };
    assert_eq!(pose.name, "left");
}

#[test]
fn static_transforms_have_one_pose_per_parent() {
    let (answer, _) = ask(&info(), "request_static_transforms", Any::default());
    assert!(answer.params.contains_key("static_transforms"));
    assert_eq!(text(&answer.children[0], "parent_frame_id"), "base_link");
    assert_eq!(answer.children[0].children.len(), 1);
    assert!(answer.children[0].children[0].params.contains_key("pose"));
    let (none, _) = ask(&Info::default(), "request_static_transforms", Any::default());
    assert!(none.params.contains_key("static_transforms"), "clients wait for the key");
}

#[test]
fn camera_infos_are_not_wrapped_in_a_param() {
    let camera = CameraSensor { horizontal_fov: 1.5, ..CameraSensor::default() };
    let info = Info { camera: Some(camera.clone()), ..Info::default() };
    let (bytes, _) = info.answer(&Param::named("request_camera_info", Any::text("left")).encode_to_vec());
    assert_eq!(CameraSensor::decode(bytes.as_slice()), Ok(camera));
}

#[test]
fn unknown_requests_get_an_error_reply() {
    for (name, part) in
        [("request_module_list", "request_module_list"), ("request_camera_info", "not supported")]
    {
        let (answer, outcome) = ask(&info(), name, Any::default());
        assert!(text(&answer, "error").contains(part));
        assert_eq!(outcome, InfoOutcome::NotUnderstood);
    }
    for bytes in [&b""[..], b"\xff\xff\xff", b"\x0a"] {
        let (answer, outcome) = info().answer(bytes);
        assert_eq!(outcome, InfoOutcome::NotUnderstood);
        assert!(Param::decode(answer.as_slice()).expect("a Param").params.contains_key("error"));
    }
}

#[test]
fn odometry_can_be_reset() {
    let (answer, outcome) = ask(&info(), "reset_odometry", Any::default());
    assert_eq!(answer.params["reset_odometry"], Any::truth(true));
    assert_eq!(outcome, InfoOutcome::ResetOdometry);
}

#[test]
fn cameras_and_modules_are_requested_by_their_names() {
    let place = |name: &str, x: f64| Transform {
        name: name.into(),
        pose: Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY },
        parent: "base_link".into(),
    };
    let optics = |far_clip| CameraSensor { far_clip, ..CameraSensor::default() };
    let info = Info {
        transform: Some(place("eyes", 0.0)),
        transforms: vec![place("left", 1.0), place("right", 2.0)],
        camera: Some(optics(9.0)),
        cameras: vec![("left".into(), optics(1.0)), ("right".into(), optics(2.0))],
        modules: vec![("depth".into(), "camera"), ("imu".into(), "imu")],
        ..info()
    };
    for (name, expected) in [("left", 1.0), ("right", 2.0), ("", 0.0), ("middle", 0.0)] {
        let (answer, _) = ask(&info, "request_transform", Any::text(name));
        let Some(any::Value::Pose3dValue(pose)) = &answer.params["transform"].value else {
            panic!("{answer:?}")
        };
        assert_eq!(pose.position.as_ref().expect("a position").x, expected, "{name}");
    }
    for (name, expected) in [("left", 1.0), ("right", 2.0), ("", 9.0)] {
        let (bytes, outcome) =
            info.answer(&Param::named("request_camera_info", Any::text(name)).encode_to_vec());
        assert_eq!(outcome, InfoOutcome::Answered);
        assert_eq!(CameraSensor::decode(bytes.as_slice()).expect("optics").far_clip, expected, "{name}");
    }
    let (answer, _) = ask(&info, "request_module_list", Any::default());
    assert!(answer.params.contains_key("activated_modules"));
    let modules: Vec<_> = answer
        .children
        .iter()
        .map(|module| (text(&module.children[0], "type"), text(&module.children[1], "name")))
        .collect();
    assert_eq!(modules, [("camera", "depth"), ("imu", "imu")]);
    assert!(answer.children[0].params.contains_key("module"));
}
