//! Checks of the sensors of the yard: a client requests the description of each, receives its data, and compares the
//! data with the content of the yard.

use std::f64::consts::FRAC_PI_2;

use serde_json::{Value, json};

use super::msgs::{
    Any, CameraSensor, Contacts, Imu, LaserScan, LogicalCameraImage, LogicalCameraSensor,
    NavSatWithCovariance, Param, Sonar, Twist, Vector3d, any,
};
use super::picture::Picture;
use super::wire::{decode, request, text};
use super::yard::{Device, Yard};
use crate::support::{assert_near, vehicle};

/// A robot of one link with an infrared sensor, which the yard lacks.
pub(super) fn robot_with_ir(name: &str) -> String {
    let eye = "<sensor name='eye' type='sonar'><pose>0 0 0.3 0 0 0</pose><update_rate>10</update_rate>\
        <sonar><min>0.02</min><max>5</max><radius>0.1</radius></sonar>\
        <plugin name='IRPlugin' filename='libIRPlugin.so'><ros2><topic_name>ir</topic_name>\
        <frame_id>eye_link</frame_id></ros2></plugin></sensor>";
    let model = vehicle(name, "<static>true</static>")
        .replace("<link name=\"body\"/>", &format!("<link name=\"body\">{eye}</link>"));
    format!("<sdf version='1.9'>{model}</sdf>")
}

/// Spawns a robot from text.
#[track_caller]
pub(super) fn spawn(yard: &Yard, name: &str, sdf: &str, [x, y, z]: [f64; 3]) {
    let pose = json!({
        "position": { "x": x, "y": y, "z": z }, "orientation": { "x": 0, "y": 0, "z": 0, "w": 1 },
    });
    let request = json!({
        "name": name, "allow_renaming": false, "initial_pose": { "pose": pose },
        "entity_resource": { "uri": "", "resource_string": sdf },
    });
    yard.ok("spawn_entity", request);
}

/// Moves the crate to a place on the ground, at rest.
#[track_caller]
pub(super) fn put_crate(yard: &Yard, x: f64, y: f64) {
    let pose = json!({ "x": x, "y": y, "z": 0.2, "roll": 0.0, "pitch": 0.0, "yaw": 0.0 });
    let targets = json!([{ "target": "crate", "pose": pose, "reset": true }]);
    let answer = yard.control(&json!({ "command": "teleport", "targets": targets }));
    assert_eq!(answer["result"], "ok", "{answer}");
}

pub(super) fn string(value: &Any) -> &str {
    match &value.value {
        Some(any::Value::StringValue(text)) => text,
        other => panic!("expected a text, found {other:?}"),
    }
}

/// Sends the requests that clients send to every sensor: checks its names in ROS and returns its position.
#[track_caller]
pub(super) fn checked_position(device: &Device, topic: &str, frame: &str) -> [f64; 3] {
    let requester = device.requester();
    let ros2: Param = requester.ask("request_ros2");
    assert!(ros2.params.contains_key("ros2"), "{ros2:?}");
    assert_eq!(string(&ros2.children[0].params["topic_name"]), topic);
    let frames: Vec<&str> =
        ros2.children[1..].iter().map(|child| string(&child.params["frame_id"])).collect();
    assert_eq!(frames, [frame]);
    let placed: Param = decode(&requester.ask_bytes(&request("request_transform", text(""))));
    let Some(any::Value::Pose3dValue(pose)) = &placed.params["transform"].value else {
        panic!("no pose in {placed:?}");
    };
    let at = pose.position.as_ref().expect("a position");
    let turn = pose.orientation.as_ref().expect("an orientation");
    assert_near(turn.w, 1.0, 1e-6);
    [at.x, at.y, at.z]
}

fn stamp(header: Option<&super::msgs::Header>) -> f64 {
    let stamp = header.and_then(|header| header.stamp.as_ref()).expect("a stamp");
    #[expect(clippy::cast_precision_loss, reason = "seconds of a short run")]
    let seconds = stamp.sec as f64;
    seconds + f64::from(stamp.nsec) * 1e-9
}

#[track_caller]
fn xyz(vector: Option<&Vector3d>) -> [f64; 3] {
    let vector = vector.expect("a vector");
    [vector.x, vector.y, vector.z]
}

pub(super) fn laser(yard: &Yard) {
    let device = yard.device("robot1", "LASER");
    let at = checked_position(&device, "scan", "base_scan");
    assert_near(at[2], 0.27, 1e-3);
    let kind: Param = device.requester().ask("request_output_type");
    assert_eq!(string(&kind.params["output_type"]), "LaserScan");
    let subscriber = device.subscriber("Data");
    let scan: LaserScan = subscriber.until("a wall", |scan: &LaserScan| !scan.ranges[90].is_nan());
    assert_eq!((scan.count, scan.vertical_count, scan.frame.as_str()), (180, 1, "base_scan"));
    assert_eq!((scan.ranges.len(), scan.intensities.len()), (180, 180));
    assert_near(scan.angle_min, -2.356_194, 1e-5);
    assert_near(scan.angle_min + 179.0 * scan.angle_step, scan.angle_max, 1e-4);
    // The robot is at x = -2 m and y = 1 m, and the faces of the walls are 4.9 m and 3.9 m from the middle.
    assert_near(scan.ranges[90], 4.9 + 2.0, 0.1);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an index below 180")]
    let north = ((FRAC_PI_2 - scan.angle_min) / scan.angle_step).round() as usize;
    assert_near(scan.ranges[north], 3.9 - 1.0, 0.1);
    // Rays outside of the angles that its filter keeps.
    assert!(scan.ranges[0].is_nan() && scan.ranges[179].is_nan());
    let later: LaserScan = subscriber
        .until("time advances", |next: &LaserScan| stamp(next.header.as_ref()) > stamp(scan.header.as_ref()));
    assert_near(stamp(later.header.as_ref()) - stamp(scan.header.as_ref()), 0.1, 1e-6);
}

pub(super) fn imu(yard: &Yard) {
    let device = yard.device("robot1", "IMU");
    checked_position(&device, "imu", "imu_link");
    let subscriber = device.subscriber("Data");
    // The first samples may have been taken while the robot settled on its wheels.
    let imu: Imu = subscriber.until("rest", |imu: &Imu| {
        let pull = imu.linear_acceleration.as_ref().map_or(0.0, |pull| pull.z);
        (pull - 9.8).abs() < 0.3
    });
    let turn = imu.orientation.as_ref().expect("an orientation");
    assert!(turn.w.abs() > 0.999, "{turn:?}");
    let rates = xyz(imu.angular_velocity.as_ref());
    assert!(rates.iter().all(|rate| rate.abs() < 0.1), "{rates:?}");
    let covariances =
        [&imu.orientation_covariance, &imu.angular_velocity_covariance, &imu.linear_acceleration_covariance];
    for covariance in covariances {
        assert_eq!(
            covariance.as_ref().map(|covariance| covariance.data.len()),
            Some(9),
            "clients read nine elements"
        );
    }
}

pub(super) fn gps(yard: &Yard) {
    let device = yard.device("robot1", "GPS");
    checked_position(&device, "navsatfix", "gps_link");
    let fix: NavSatWithCovariance =
        device.subscriber("Data").until("a fix", |fix: &NavSatWithCovariance| !fix.latitude_deg.is_nan());
    // The tolerance of two metres is larger than the noise.
    let degrees = 2.0 / 111_000.0;
    assert_near(fix.latitude_deg, 37.4719 + 1.0 / 111_000.0, degrees);
    assert_near(fix.longitude_deg, 127.0345 - 2.0 / 88_400.0, degrees / 0.79);
    assert_near(fix.altitude, 30.3, 3.0);
    assert_eq!(fix.position_covariance.expect("nine").data.len(), 9);
}

pub(super) fn sonar(yard: &Yard) {
    let device = yard.device("robot1", "SONAR");
    checked_position(&device, "sonar", "sonar_link");
    let subscriber = device.subscriber("Data");
    // Nothing is within its range.
    let sonar: Sonar = subscriber.until("nothing in range", |sonar: &Sonar| sonar.range == f64::INFINITY);
    assert_near(sonar.range_max, 2.0, 1e-6);
    assert_eq!(sonar.frame, "sonar_link");
    let place = sonar.world_pose.and_then(|pose| pose.position).expect("the pose of the sensor");
    assert_near(place.x, -1.73, 0.05);
    assert_near(place.y, 1.0, 0.05);
    // The sensor is at x = -1.73 m; the crate is 0.4 m wide.
    put_crate(yard, -0.8, 1.0);
    let sonar: Sonar = subscriber.until("the crate", |sonar: &Sonar| sonar.range.is_finite());
    assert_near(sonar.range, 1.73 - 1.0, 0.05);
    put_crate(yard, 2.0, 0.0);
    subscriber.until("nothing in range again", |sonar: &Sonar| sonar.range == f64::INFINITY);
}

pub(super) fn contact(yard: &Yard) {
    let device = yard.device("robot1", "CONTACT");
    checked_position(&device, "bumper", "bumper_link");
    let subscriber = device.subscriber("Data");
    let idle: Contacts = subscriber.next();
    assert!(idle.contact.is_empty(), "a message without contacts is sent if nothing touches: {idle:?}");
    // The near face of the crate is 8 cm in front of the bumper, which is at x = -1.73 m.
    put_crate(yard, -1.45, 1.0);
    let drive = yard.device("robot1", "MICOM").publisher("Rx");
    let mut touched = None;
    drive.send_until(&forward(0.2), "the crate is reached", || {
        let received = subscriber.try_next().map(|payload| decode::<Contacts>(&payload));
        touched = received.filter(|contacts| !contacts.contact.is_empty());
        touched.is_some()
    });
    drive.send(&forward(0.0));
    let contacts = touched.expect("contacts");
    let touch = &contacts.contact[0];
    let names =
        [&touch.collision1, &touch.collision2].map(|side| side.as_ref().expect("a side").name.clone());
    assert!(names.iter().any(|name| name.contains("bumper")), "{names:?}");
    assert!(names.iter().any(|name| name.contains("crate")), "{names:?}");
    let counts = [touch.position.len(), touch.normal.len(), touch.depth.len(), touch.wrench.len()];
    assert!(counts[0] > 0 && counts == [counts[0]; 4], "clients read them with one index: {counts:?}");
    put_crate(yard, 2.0, 0.0);
}

/// A command to drive straight on with this speed, metres per second.
pub(super) fn forward(speed: f64) -> Twist {
    let linear = Some(Vector3d { x: speed, ..Vector3d::default() });
    Twist { header: None, linear, angular: Some(Vector3d::default()) }
}

pub(super) fn logical_camera(yard: &Yard) {
    let device = yard.device("robot1", "LOGICALCAMERA");
    checked_position(&device, "seen", "eye_link");
    let optics: LogicalCameraSensor = device.requester().ask("request_logical_camera");
    assert_eq!((optics.near_clip, optics.far_clip), (0.2, 8.0));
    assert_eq!((optics.horizontal_fov, optics.aspect_ratio), (1.2, 1.5));
    let is_crate = |model: &&super::msgs::logical_camera_image::Model| model.name.contains("crate");
    let image: LogicalCameraImage = device
        .subscriber("Data")
        .until("the crate", |image: &LogicalCameraImage| image.model.iter().find(is_crate).is_some());
    let seen = image.model.iter().find(is_crate).and_then(|model| model.pose.as_ref()).expect("its pose");
    let at = xyz(seen.position.as_ref());
    // From the camera, which is 4 cm in front of the mast, to the crate at x = 2 m.
    assert_near(at[0], 2.0 + 2.0 - 0.04, 0.2);
    assert_near(at[1], -1.0, 0.2);
}

pub(super) fn depth_camera(yard: &Yard) {
    let device = yard.device("robot2", "DEPTHCAMERA");
    checked_position(&device, "depth", "depth_link");
    let camera: CameraSensor =
        decode(&device.requester().ask_bytes(&request("request_camera_info", text("depth"))));
    let size = camera.image_size.as_ref().expect("a size");
    assert_eq!((size.x, size.y, camera.pixel_format), (64.0, 48.0, 13));
    assert_near(camera.horizontal_fov, 1.2, 1e-9);
    let subscriber = device.subscriber("Data");
    let middle = loop {
        let picture = Picture::read(&subscriber.next_bytes());
        assert_eq!((picture.width, picture.height, picture.format, picture.step), (64, 48, 13, 256));
        let middle = picture.metres(32, 24);
        // Zeros mean that no picture was taken yet.
        if middle > 0.0 {
            break middle;
        }
    };
    assert_near(middle, 4.9 + 2.0 - 0.04, 0.1);
}

/// A robot with a camera, 2 m before which stands a green board of its own.
fn robot_with_camera() -> String {
    let eye = "<sensor name='eye' type='camera'><pose>0 0 0.3 0 0 0</pose><update_rate>10</update_rate>\
        <camera><horizontal_fov>1.2</horizontal_fov><image><width>64</width><height>48</height></image></camera>\
        <plugin name='CameraPlugin' filename='libCameraPlugin.so'><ros2><topic_name>front</topic_name>\
        <frame_id>front_link</frame_id></ros2></plugin></sensor>\
        <visual name='board'><pose>2 0.5 0.3 0 0 0</pose><geometry><box><size>0.1 0.4 0.4</size></box></geometry>\
        <material><diffuse>0 0 0 1</diffuse><emissive>0 1 0 1</emissive></material></visual>";
    let model = vehicle("seer", "<static>true</static>")
        .replace("<link name=\"body\"/>", &format!("<link name=\"body\">{eye}</link>"));
    format!("<sdf version='1.9'>{model}</sdf>")
}

pub(super) fn camera(yard: &Yard) {
    spawn(yard, "seer", &robot_with_camera(), [2.0, -2.5, 0.0]);
    crate::support::eventually("it is listed", || yard.devices().get("seer").is_some());
    let device = yard.device("seer", "CAMERA");
    checked_position(&device, "front", "front_link");
    let camera: CameraSensor =
        decode(&device.requester().ask_bytes(&request("request_camera_info", text("eye"))));
    let size = camera.image_size.as_ref().expect("a size");
    assert_eq!((size.x, size.y, camera.pixel_format), (64.0, 48.0, 3));
    let subscriber = device.subscriber("Data");
    loop {
        let picture = Picture::read(&subscriber.next_bytes());
        assert_eq!((picture.width, picture.height, picture.format, picture.step), (64, 48, 3, 192));
        // Black means that no picture was taken yet. The focal length is 46.8 pixels, the face of the board 1.95 m away
        // and its middle 0.5 m to the left.
        let at = (24 * picture.step + (31 - 12) * 3) as usize;
        if picture.pixels.iter().any(|value| *value > 0) {
            assert_eq!(picture.pixels[at..at + 3], [0, 255, 0]);
            break;
        }
    }
    yard.ok("delete_entity", json!({ "entity": "seer" }));
    let is_removed = || yard.devices().get("seer").is_none_or(Value::is_null);
    crate::support::eventually("it is no longer listed", is_removed);
}

pub(super) fn ir(yard: &Yard) {
    // The sensor points at the face of the east wall, at x = 4.9 m.
    spawn(yard, "watcher", &robot_with_ir("watcher"), [2.0, -2.5, 0.0]);
    crate::support::eventually("it is listed", || yard.devices().get("watcher").is_some());
    let device = yard.device("watcher", "IR");
    checked_position(&device, "ir", "eye_link");
    let range: Sonar = device.subscriber("Data").until("the wall", |range: &Sonar| range.range.is_finite());
    assert_near(range.range, 4.9 - 2.0, 0.05);
    assert_eq!(range.frame, "eye_link");
    yard.ok("delete_entity", json!({ "entity": "watcher" }));
    let is_removed = || yard.devices().get("watcher").is_none_or(Value::is_null);
    crate::support::eventually("it is no longer listed", is_removed);
}
