//! Cameras with several parts: those that number models, those with several eyes, and RealSenses. Also all types of
//! cameras in one world.

use serde_json::{Value, json};

use super::msgs::{CameraSensor, Imu, Param, any};
use super::picture::Picture;
use super::sensors::{checked_position, spawn, string};
use super::wire::{Subscriber, decode, request, text};
use super::yard::{Device, Yard};
use crate::support::{assert_near, eventually, world};

const RED: [u8; 3] = [255, 0, 0];

/// A `<camera>` with 90 degrees: 64 columns have a focal length of 32 pixels.
fn camera(name: &str, more: &str, [width, height]: [u32; 2], format: &str) -> String {
    format!(
        "<camera name='{name}'>{more}<horizontal_fov>1.5707963267948966</horizontal_fov><image><width>{width}</width>\
         <height>{height}</height><format>{format}</format></image><clip><near>0.1</near><far>20</far></clip></camera>"
    )
}

/// A sensor that looks along x, and the plugin of CLOiSim in it.
fn sensor(name: &str, kind: &str, cameras: &str, plugin: &str) -> String {
    format!("<sensor name='{name}' type='{kind}'><update_rate>10</update_rate>{cameras}{plugin}</sensor>")
}

fn plugin(class: &str, parameters: &str) -> String {
    format!("<plugin name='p' filename='lib{class}.so'>{parameters}</plugin>")
}

fn segmentation() -> String {
    let plugin = plugin(
        "SegmentationCameraPlugin",
        "<ros2><topic_name>classes</topic_name><frame_id>classes_link</frame_id></ros2>\
         <segmentation><label>red</label></segmentation>",
    );
    sensor("classes", "segmentation_camera", &camera("c", "", [64, 48], "L16"), &plugin)
}

fn multicamera() -> String {
    let frames = "<ros2><topic_name>eyes</topic_name><frame_id>right</frame_id><frame_id>left</frame_id>\
                  <frame_id>middle</frame_id></ros2>";
    let cameras = [
        camera("left", "<pose>0 0.3 0 0 0 0</pose>", [64, 48], "R8G8B8"),
        camera("right", "<pose>0 -0.3 0 0 0 0</pose>", [32, 24], "R8G8B8"),
    ];
    sensor("eyes", "multicamera", &cameras.concat(), &plugin("MultiCameraPlugin", frames))
}

/// A nested model that is a RealSense, of which two modules are missing.
fn realsense() -> String {
    let sensors = [
        sensor("color", "camera", &camera("c", "", [64, 48], "R8G8B8"), ""),
        sensor("depth", "depth_camera", &camera("c", "", [64, 48], "L16"), ""),
        sensor("imu", "imu", "", ""),
    ];
    let modules =
        ["color", "depth", "imu", "left_imager", "radar"].map(|name| format!("<module name='{name}'/>"));
    let plugin = plugin(
        "RealSensePlugin",
        &format!(
            "<activate>{}</activate><configuration><depth_scale>2000</depth_scale></configuration>",
            modules.concat()
        ),
    );
    format!(
        "<model name='d435'><pose>0 0 0.5 0 0 0</pose><link name='body'>{}</link>{plugin}</model>\
         <joint name='mount' type='fixed'><parent>mast</parent><child>d435::body</child></joint>",
        sensors.concat()
    )
}

/// A robot at the origin, which looks along x from a height of 0.5 m.
fn robot(name: &str, sensors: &str, more: &str) -> String {
    format!(
        "<model name='{name}'><static>true</static><link name='mast'><pose>0 0 0.5 0 0 0</pose>{sensors}</link>{more}\
         </model>"
    )
}

/// A model of one shape that shines in its colour.
fn shining(name: &str, pose: &str, shape: &str, color: &str) -> String {
    format!(
        "<model name='{name}'><static>true</static><pose>{pose} 0 0 0</pose><link name='l'><visual name='v'>\
         <geometry>{shape}</geometry><material><diffuse>0 0 0 1</diffuse><emissive>{color} 1</emissive></material>\
         </visual><collision name='c'><geometry>{shape}</geometry></collision></link></model>"
    )
}

/// A red cube, whose face is 2.5 m in front of the robot, and a blue ball behind it on the left.
fn things() -> [String; 2] {
    [
        shining("red", "3 0 0.5", "<box><size>1 1 1</size></box>", "1 0 0"),
        shining("ball", "5 2 0.5", "<sphere><radius>0.5</radius></sphere>", "0 0 1"),
    ]
}

/// Returns what is read from the first payload with an image that was taken.
#[track_caller]
fn taken<T>(subscriber: &Subscriber, read: impl Fn(&[u8]) -> T, is_taken: impl Fn(&T) -> bool) -> T {
    loop {
        let found = read(&subscriber.next_bytes());
        if is_taken(&found) {
            return found;
        }
    }
}

/// The columns and rows of the image of a camera, by its name.
#[track_caller]
fn size_of(device: &Device, name: &str) -> (f64, f64) {
    let optics: CameraSensor =
        decode(&device.requester().ask_bytes(&request("request_camera_info", text(name))));
    assert_near(optics.horizontal_fov, std::f64::consts::FRAC_PI_2, 1e-9);
    let size = optics.image_size.expect("a size");
    (size.x, size.y)
}

/// The position of a camera or module in the robot, by its name.
#[track_caller]
fn position_of(device: &Device, name: &str) -> [f64; 3] {
    let answer: Param = decode(&device.requester().ask_bytes(&request("request_transform", text(name))));
    let Some(any::Value::Pose3dValue(pose)) = &answer.params["transform"].value else { panic!("{answer:?}") };
    assert_eq!(pose.name, name);
    assert_eq!(string(&answer.children[0].params["parent_frame_id"]), "base_link");
    let at = pose.position.as_ref().expect("a position");
    [at.x, at.y, at.z]
}

fn check_classes(device: &Device) {
    checked_position(device, "classes", "classes_link");
    let read = |payload: &[u8]| Picture::read_classes(payload);
    let (picture, classes) = taken(&device.subscriber("Data"), read, |(picture, _)| picture.is_taken());
    assert_eq!((picture.width, picture.height, picture.format, picture.step), (64, 48, 2, 128));
    let [(class, name)] = &classes[..] else { panic!("only one class was asked for: {classes:?}") };
    assert_eq!(name, "red");
    assert_eq!(u32::from(picture.word(31, 23)), *class);
    // Beside the box, and the ball, whose class was not asked for.
    assert_eq!([picture.word(0, 0), picture.word(31 - 13, 23)], [0, 0]);
}

fn check_eyes(device: &Device) {
    let ros2: Param = device.requester().ask("request_ros2");
    let frames: Vec<&str> =
        ros2.children[1..].iter().map(|child| string(&child.params["frame_id"])).collect();
    assert_eq!(frames, ["right", "left"], "there is no camera in the middle");
    assert_eq!([size_of(device, "right"), size_of(device, "left")], [(32.0, 24.0), (64.0, 48.0)]);
    let [right, left] = ["right", "left"].map(|name| position_of(device, name));
    assert_near(right[1], -0.3, 1e-9);
    assert_near(left[1], 0.3, 1e-9);
    let pictures =
        taken(&device.subscriber("Data"), Picture::read_several, |pictures| pictures[0].is_taken());
    let [right, left] = &pictures[..] else { panic!("{} images", pictures.len()) };
    assert_eq!((right.width, right.height, right.format), (32, 24, 3));
    assert_eq!((left.width, left.height, left.format), (64, 48, 3));
    // The face of the box is 2.5 m away, and reaches from column 10.4 to 16.8 on the right and from 28.9 to 41.7 on the
    // left.
    let reds = |picture: &Picture, columns: [u32; 4]| {
        columns.map(|column| picture.rgb(column, picture.height / 2 - 1) == RED)
    };
    assert_eq!(reds(right, [9, 12, 16, 18]), [false, true, true, false]);
    assert_eq!(reds(left, [27, 30, 41, 43]), [false, true, true, false]);
}

fn check_realsense(device: &Device) {
    let list: Param = device.requester().ask("request_module_list");
    let modules: Vec<[&str; 2]> = list
        .children
        .iter()
        .map(|module| {
            [string(&module.children[0].params["type"]), string(&module.children[1].params["name"])]
        })
        .collect();
    assert_eq!(modules, [["camera", "color"], ["camera", "depth"], ["imu", "imu"]]);
    for module in ["color", "depth"] {
        assert_eq!(size_of(device, module), (64.0, 48.0));
        assert_near(position_of(device, module)[2], 0.5, 1e-9);
        let about: CameraSensor = device.requester_on(&format!("{module}Info")).ask("request_camera_info");
        assert_eq!(about.pixel_format, if module == "color" { 3 } else { 2 });
    }
    let color = taken(&device.subscriber("colorData"), Picture::read, Picture::is_taken);
    assert_eq!([color.rgb(31, 23), color.rgb(31 - 13, 23)], [RED, [0, 0, 255]]);
    assert_ne!(color.rgb(0, 0), RED);
    let depth = taken(&device.subscriber("depthData"), Picture::read, Picture::is_taken);
    assert_eq!((depth.width, depth.format, depth.step), (64, 2, 128));
    // 2000 units a metre; nothing is measured beside the box.
    assert_eq!([depth.word(31, 23), depth.word(0, 0)], [5000, 0]);
    let imu: Imu = device.subscriber("imuData").until("a measurement", |imu: &Imu| {
        imu.orientation_covariance.as_ref().is_some_and(|covariance| covariance.data[0] >= 0.0)
    });
    assert_near(imu.orientation.expect("an orientation").w, 1.0, 1e-6);
}

/// Spawns a robot and the things that it sees in a free part of the yard, checks it, and removes all of them.
fn check_spawned(yard: &Yard, model: &str, kind: &str, check: fn(&Device)) {
    let [red, ball] = things();
    // The robot comes last, so that it sees them in its first image.
    let parts = [("red", red), ("ball", ball), ("seer", model.to_owned())];
    for (name, sdf) in &parts {
        // Far above the walls, so that nothing else is in the images.
        let [x, y, z] = match *name {
            "red" => [3.0, 0.0, 50.5],
            "ball" => [5.0, 2.0, 50.5],
            _ => [0.0, 0.0, 50.0],
        };
        spawn(yard, name, &format!("<sdf version='1.9'>{sdf}</sdf>"), [x, y, z]);
    }
    eventually("it is listed", || yard.devices().get("seer").is_some());
    check(&yard.device("seer", kind));
    for (name, _) in &parts {
        yard.ok("delete_entity", json!({ "entity": name }));
    }
    eventually("it is no longer listed", || yard.devices().get("seer").is_none_or(Value::is_null));
}

pub(super) fn segment_camera(yard: &Yard) {
    check_spawned(yard, &robot("seer", &segmentation(), ""), "SEGMENTCAMERA", check_classes);
}

pub(super) fn multi_camera(yard: &Yard) {
    check_spawned(yard, &robot("seer", &multicamera(), ""), "MULTICAMERA", check_eyes);
}

pub(super) fn real_sense(yard: &Yard) {
    check_spawned(yard, &robot("seer", "", &realsense()), "REALSENSE", check_realsense);
}

#[test]
fn the_cameras_of_a_world_show_the_same_box_at_the_same_place() {
    let sensors = [
        sensor("color", "camera", &camera("c", "", [64, 48], "R8G8B8"), &plugin("CameraPlugin", "")),
        sensor("depth", "depth_camera", &camera("c", "", [64, 48], "R_FLOAT32"), &plugin("CameraPlugin", "")),
        segmentation(),
        multicamera(),
    ];
    let [red, ball] = things();
    let dark =
        "<scene><ambient>0 0 0 1</ambient><background>0 0 0 1</background><shadows>false</shadows></scene>";
    let robot = robot("seer", &sensors.concat(), &realsense());
    let yard = Yard::with_text(&world(&format!("{dark}{red}{ball}{robot}")), "seer");
    let color = yard.device("seer", "CAMERA");
    let color = taken(&color.subscriber("Data"), Picture::read, Picture::is_taken);
    assert_eq!((color.width, color.height, color.format), (64, 48, 3));
    assert_eq!([color.rgb(31, 23), color.rgb(31 - 13, 23), color.rgb(0, 0)], [RED, [0, 0, 255], [0; 3]]);
    let depth = yard.device("seer", "DEPTHCAMERA");
    let depth = taken(&depth.subscriber("Data"), Picture::read, Picture::is_taken);
    assert_eq!(depth.format, 13);
    assert_near(depth.metres(31, 23), 2.5, 1e-3);
    assert_eq!(depth.metres(0, 0), f64::INFINITY);
    check_classes(&yard.device("seer", "SEGMENTCAMERA"));
    check_eyes(&yard.device("seer", "MULTICAMERA"));
    check_realsense(&yard.device("seer", "REALSENSE"));
    let finished = yard.finish().expect_code(0);
    // What is listed and does not exist.
    let finished = finished.expect_message(&["BH-CLO-017", "no camera `middle`; it has left, right"]);
    let finished = finished.expect_message(&["BH-CLO-017", "no sensor `left_imager`"]);
    drop(finished.expect_message(&["BH-CLO-017", "`radar` is no module of a RealSense"]));
}
