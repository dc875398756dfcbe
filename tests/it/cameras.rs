//! Cameras: what they see of worlds with known geometry, when their images arrive, and what they do with bad input.

mod agreement;
mod likeness;
mod loads;
mod multicamera;
mod picture;
mod projection;
mod segmentation;
mod shapes;
mod solids;

use std::collections::BTreeMap;

use crate::support::{Finished, Line, Setup, world};
use picture::Picture;

const PLUGINS: &[&str] = &["camera", "logging", "clock"];

/// A red box with class 7 and 315 K, whose face is 2.5 m in front of the cameras; a blue ball with class 9 and 325 K behind
/// it on the left; and two boxes of class 7 on the right.
fn scene(sensors: &str) -> String {
    let model = |name: &str, pose: &str, shape: &str, color: &str, label: u32| {
        format!(
            "<model name='{name}'><static>true</static><pose>{pose} 0 0 0</pose><link name='l'>\
             <collision name='c'><geometry>{shape}</geometry></collision>\
             <visual name='v'><geometry>{shape}</geometry><material><diffuse>{color} 1</diffuse>\
             <emissive>{color} 1</emissive></material>\
             <plugin filename='gz-sim-label-system' name='gz::sim::systems::Label'><label>{label}</label></plugin>\
             <plugin filename='gz-sim-thermal-system' name='gz::sim::systems::Thermal'>\
             <temperature>{}</temperature></plugin></visual></link></model>",
            280 + 5 * label
        )
    };
    let cube = "<box><size>1 1 1</size></box>";
    world(&format!(
        "<scene><ambient>0 0 0 1</ambient><background>0 0 0 1</background><shadows>false</shadows></scene>{}{}{}{}\
         <model name='car1'><static>true</static><link name='base'><pose>0 0 0.5 0 0 0</pose>{sensors}</link></model>",
        model("red", "3 0 0.5", cube, "1 0 0", 7),
        model("ball", "5 2 0.5", "<sphere><radius>0.5</radius></sphere>", "0 0 1", 9),
        model("one", "4 -1.5 0.5", cube, "0 1 0", 7),
        model("other", "6 -3.5 0.5", cube, "0 1 0", 7),
    ))
}

/// A sensor with 64 by 48 pixels over 90 degrees: a focal length of 32 pixels.
fn sensor(name: &str, kind: &str, more: &str) -> String {
    format!(
        "<sensor name='{name}' type='{kind}'><topic>{name}</topic><update_rate>10</update_rate><camera>\
         <horizontal_fov>1.5707963267948966</horizontal_fov><image><width>64</width><height>48</height></image>\
         <clip><near>0.1</near><far>20</far></clip>{more}</camera></sensor>"
    )
}

fn run(setup: Setup, sdf: &str) -> Finished {
    let setup = setup.plugins(PLUGINS).world(sdf).args(["--duration", "1s"]);
    setup.bridge("car1=logging:out/run.jsonl").finish()
}

fn messages<'a>(lines: &'a [Line], topic: &str) -> Vec<&'a Line> {
    lines.iter().filter(|line| line.is_topic(topic)).collect()
}

/// The last image of a topic.
#[track_caller]
fn picture(lines: &[Line], topic: &str) -> Picture {
    let line = *messages(lines, topic).last().unwrap_or_else(|| panic!("no image on {topic}"));
    Picture::read(line)
}

#[test]
fn each_type_of_camera_sees_the_world_in_its_way() {
    let sensors = [
        sensor("color", "camera", ""),
        sensor("depth", "depth_camera", ""),
        sensor("rgbd", "rgbd_camera", ""),
        sensor("classes", "segmentation", ""),
        sensor("objects", "segmentation_camera", "<segmentation_type>instance</segmentation_type>"),
        sensor("boxes", "boundingbox_camera", ""),
        sensor("heat", "thermal", ""),
        sensor("wide", "wideanglecamera", "<lens><type>equidistant</type></lens>"),
    ];
    let finished = run(Setup::new(), &scene(&sensors.concat())).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let mut counts = BTreeMap::new();
    for line in lines.iter().filter(|line| !line.text("topic").is_empty()) {
        *counts.entry(line.text("topic").to_owned()).or_insert(0) += 1;
    }
    let topics = [
        "boxes/camera_info",
        "boxes/detections",
        "boxes/image_raw",
        "boxes/image_raw/compressed",
        "classes/camera_info",
        "classes/colored_map",
        "classes/label_info",
        "classes/labels_map",
        "classes/model_map",
        "color/camera_info",
        "color/image_raw",
        "color/image_raw/compressed",
        "depth/camera_info",
        "depth/image_raw",
        "depth/points",
        "heat/camera_info",
        "heat/image_raw",
        "objects/camera_info",
        "objects/colored_map",
        "objects/label_info",
        "objects/labels_map",
        "objects/model_map",
        "rgbd/depth_registered/camera_info",
        "rgbd/depth_registered/image_raw",
        "rgbd/depth_registered/points",
        "rgbd/rgb/camera_info",
        "rgbd/rgb/image_raw",
        "rgbd/rgb/image_raw/compressed",
        "wide/camera_info",
        "wide/image_raw",
        "wide/image_raw/compressed",
    ];
    // Ten are exposed in a second, and the last one arrives after its end.
    let mut expected: BTreeMap<String, i32> =
        topics.iter().map(|topic| (format!("/car1/{topic}"), 9)).collect();
    expected.insert("/tf_static".to_owned(), 1);
    assert_eq!(counts, expected, "{finished}");
    for topic in
        ["/car1/color/image_raw", "/car1/rgbd/rgb/image_raw", "/car1/boxes/image_raw", "/car1/wide/image_raw"]
    {
        let image = picture(&lines, topic);
        assert_eq!((image.width, image.height, image.encoding.as_str()), (64, 48, "rgb8"), "{topic}");
        assert_eq!(image.rgb(31, 23), [255, 0, 0], "{topic}");
        assert_eq!(image.rgb(0, 0), [0, 0, 0], "{topic}");
    }
    // The centre of the ball is at 2 m to the left of 5 m: 12.8 pixels.
    assert_eq!(picture(&lines, "/car1/color/image_raw").rgb(31 - 13, 23), [0, 0, 255]);
    for topic in ["/car1/depth/image_raw", "/car1/rgbd/depth_registered/image_raw"] {
        let image = picture(&lines, topic);
        assert_eq!(image.encoding, "32FC1");
        assert!((image.number(31, 23) - 2.5).abs() < 1e-3, "{topic}: {}", image.number(31, 23));
        assert_eq!(image.number(0, 0), f32::INFINITY);
        let ball = image.number(31 - 13, 23);
        assert!((ball - 4.5).abs() < 0.05, "{topic}: {ball}");
    }
    assert_eq!(picture(&lines, "/car1/classes/labels_map").rgb(31, 23), [7, 7, 7]);
    assert_eq!(picture(&lines, "/car1/classes/labels_map").rgb(31 - 13, 23), [9, 9, 9]);
    assert_eq!(picture(&lines, "/car1/classes/labels_map").rgb(0, 0), [0, 0, 0]);
    let objects = picture(&lines, "/car1/objects/labels_map");
    // The boxes are the first, second and third of their class.
    let seen = [(31, 23), (31 + 13, 23), (31 + 20, 23)].map(|(column, row)| objects.rgb(column, row));
    assert_eq!(seen, [[7, 0, 1], [7, 0, 2], [7, 0, 3]]);
    assert_temperatures(&picture(&lines, "/car1/heat/image_raw"));
}

/// The box, the ball, and the air at the height of the camera: 288.15 K, less 6.5 mK for each metre.
#[track_caller]
fn assert_temperatures(image: &Picture) {
    assert_eq!((image.width, image.height, image.encoding.as_str()), (64, 48, "mono16"));
    let seen = [(31, 23), (18, 23), (0, 0)].map(|(column, row)| image.word(column, row));
    assert_eq!(seen, [31_500, 32_500, 28_815]);
}

#[test]
fn boxes_surround_the_visible_pixels_of_objects() {
    let finished = run(Setup::new(), &scene(&sensor("boxes", "boundingbox_camera", ""))).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let last = *messages(&lines, "/car1/boxes/detections").last().expect("detections");
    let detections = last["message"]["detections"].as_array().expect("a list");
    let red = detections.iter().find(|found| found["id"] == 1).expect("the red box");
    assert_eq!(red["label"], "7");
    let number = |name: &str| red["bbox"][name].as_f64().expect("a number");
    // The face is 1 m wide at 2.5 m, which is 12.8 pixels around the axis at 31.5 and 23.5.
    assert!((number("x") - 31.5).abs() <= 0.5 && (number("y") - 23.5).abs() <= 0.5, "{red}");
    assert!((number("width") - 12.8).abs() <= 1.0 && (number("height") - 12.8).abs() <= 1.0, "{red}");
    assert_eq!(detections.len(), 4);
}

#[test]
fn points_are_where_the_depths_say() {
    let finished = run(Setup::new(), &scene(&sensor("rgbd", "rgbd_camera", ""))).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let depths = picture(&lines, "/car1/rgbd/depth_registered/image_raw");
    let last = *messages(&lines, "/car1/rgbd/depth_registered/points").last().expect("points");
    let message = &last["message"];
    assert_eq!(
        (&message["width"], &message["height"], &message["point_step"]),
        (&64.into(), &48.into(), &16.into())
    );
    let bytes = picture::bytes(&message["data"]);
    for (column, row) in [(31, 23), (18, 23), (44, 20), (0, 0)] {
        let at = (row * 64 + column) * 16;
        let value = |offset: usize| {
            f32::from_le_bytes(bytes[at + offset..at + offset + 4].try_into().expect("four bytes"))
        };
        let depth = depths.number(column, row);
        if depth.is_infinite() {
            assert!(value(0).is_nan() && value(8).is_nan());
            continue;
        }
        #[expect(clippy::cast_precision_loss, reason = "small")]
        let expected = [(column as f32 - 31.5) * depth / 32.0, (row as f32 - 23.5) * depth / 32.0, depth];
        for (axis, expected) in expected.into_iter().enumerate() {
            assert!(
                (value(4 * axis) - expected).abs() < 1e-4,
                "{column} {row}: {} {expected}",
                value(4 * axis)
            );
        }
    }
    assert_eq!(bytes[(23 * 64 + 31) * 16 + 12..][..3], [0, 0, 255], "blue, green, red");
}

/// Simulated time of a message and of the image in it, nanoseconds.
fn times(line: &Line) -> (u64, u64) {
    let stamp = &line["message"]["header"]["stamp"];
    let image = stamp["sec"].as_u64().expect("seconds") * 1_000_000_000
        + stamp["nanosec"].as_u64().expect("nanoseconds");
    (line.count("step") * 1_000_000, image)
}

#[test]
fn an_image_has_the_time_of_its_exposure_and_arrives_after_its_latency() {
    for (latency, wait) in [("", 100_000_000), ("0", 0), ("0.03", 30_000_000), ("0.25", 250_000_000)] {
        let option = if latency.is_empty() {
            String::new()
        } else {
            format!(
                "<bridgehead:latency xmlns:bridgehead='https://bridgehead.dev'>{latency}</bridgehead:latency>"
            )
        };
        let sensor =
            sensor("color", "camera", "").replace("<update_rate>", &format!("{option}<update_rate>"));
        let finished = run(Setup::new(), &scene(&sensor)).expect_code(0);
        let lines = finished.log("out/run.jsonl");
        let times: Vec<_> = messages(&lines, "/car1/color/image_raw").into_iter().map(times).collect();
        let expected: Vec<_> = (1..=10)
            .map(|number| (number * 100_000_000 + wait, number * 100_000_000))
            .filter(|(arrival, _)| *arrival <= 1_000_000_000)
            .collect();
        assert_eq!(times, expected, "{latency}");
    }
}

#[test]
fn a_triggered_camera_makes_one_image_for_each_message() {
    let sensor = sensor("color", "camera", "<triggered>true</triggered>");
    let setup = Setup::new().plugins(PLUGINS).plugins(&["replay"]);
    let line = |step: u64, data: bool| {
        format!("{{\"topic\":\"/car1/color/trigger\",\"step\":{step},\"message\":{{\"data\":{data}}}}}\n")
    };
    let commands =
        setup.file("commands.jsonl", [line(120, true), line(320, false), line(510, true)].concat());
    let setup = setup.world(&scene(&sensor)).args(["--duration", "1s"]);
    let setup = setup.bridge(format!("car1=replay:{}", commands.display()));
    let finished = setup.bridge("car1=logging:out/run.jsonl").finish().expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let exposed: Vec<_> =
        messages(&lines, "/car1/color/image_raw").into_iter().map(|line| times(line).1).collect();
    assert_eq!(exposed, [200_000_000, 600_000_000], "{finished}");
}

#[test]
fn equal_runs_have_equal_images_and_cameras_do_not_change_the_state() {
    let noise = "<noise><type>gaussian</type><stddev>0.02</stddev></noise>";
    let moving = "<model name='faller'><pose>3 1 3 0.1 0.2 0</pose><link name='l'><collision name='c'><geometry><box>\
                  <size>0.3 0.4 0.5</size></box></geometry></collision><visual name='v'><geometry><box>\
                  <size>0.3 0.4 0.5</size></box></geometry></visual></link></model>";
    let sensors = [sensor("color", "camera", noise), sensor("depth", "depth_camera", noise)].concat();
    let with = |sensors: &str| {
        scene(sensors).replace("<model name='car1'>", &format!("{moving}<model name='car1'>"))
    };
    let images = |finished: &Finished| -> Vec<String> {
        finished.log("out/run.jsonl").iter().map(|line| line["message"].to_string()).collect()
    };
    let [first, second] = [(); 2].map(|()| run(Setup::new(), &with(&sensors)).expect_code(0));
    assert!(images(&first).len() > 40);
    for (one, other) in images(&first).iter().zip(images(&second)) {
        assert!(*one == other, "{one}\n{other}");
    }
    assert_eq!(images(&first).len(), images(&second).len());
    let without =
        Setup::new().plugins(PLUGINS).world(&with("")).args(["--duration", "1s"]).finish().expect_code(0);
    assert_eq!(first.result()["state_hash"], without.result()["state_hash"]);
    let other =
        Setup::new().plugins(PLUGINS).world(&with(&sensors)).args(["--duration", "1s", "--seed", "8"]);
    let other = other.bridge("car1=logging:out/run.jsonl").finish().expect_code(0);
    assert_ne!(images(&first), images(&other), "noise depends on the seed");
}

/// Runs a scene on a machine without adapters, and checks what its cameras see.
#[track_caller]
fn without_adapters(chosen: &str) -> Finished {
    let sensors = [
        sensor("color", "camera", ""),
        sensor("depth", "depth_camera", ""),
        sensor("heat", "thermal_camera", ""),
        sensor("objects", "segmentation", "<segmentation_type>instance</segmentation_type>"),
    ]
    .concat();
    let hidden = [("VK_DRIVER_FILES", "/nonexistent"), ("VK_ICD_FILENAMES", "/nonexistent")];
    let setup = hidden.into_iter().fold(Setup::new(), |setup, (name, value)| setup.env(name, value));
    let finished = run(setup.env("BRIDGEHEAD_ADAPTER", chosen), &scene(&sensors)).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let depth = picture(&lines, "/car1/depth/image_raw");
    assert!((depth.number(31, 23) - 2.5).abs() < 1e-4);
    assert_eq!(depth.number(0, 0), f32::INFINITY);
    assert_temperatures(&picture(&lines, "/car1/heat/image_raw"));
    let objects = picture(&lines, "/car1/objects/labels_map");
    assert_eq!(
        [objects.rgb(31, 23), objects.rgb(44, 23), objects.rgb(18, 23)],
        [[7, 0, 1], [7, 0, 2], [9, 0, 1]]
    );
    let [r, g, b] = picture(&lines, "/car1/color/image_raw").rgb(31, 23);
    assert!(r > 200 && g == 0 && b == 0, "{r} {g} {b}");
    finished
}

#[test]
fn without_an_adapter_the_processor_draws() {
    without_adapters("auto").expect_message(&["draws with processor"]);
    without_adapters("gpu").expect_message(&[
        "BH-DRW-001",
        "no graphics adapter",
        "the processor draws instead",
    ]);
}

#[test]
fn rays_give_depths_and_classes() {
    without_adapters("rays");
}

#[test]
fn parameters_that_make_no_camera_are_refused_with_their_place() {
    for (element, texts) in [
        ("<horizontal_fov>4</horizontal_fov>", &["world.sdf:", "horizontal_fov", "below pi"][..]),
        ("<image><width>0</width><height>2</height></image>", &["width", "1 pixel or more"]),
        ("<image><width>100000</width><height>100000</height></image>", &["at most 16777216 pixels"]),
        ("<image><format>YUV</format></image>", &["format", "YUV", "R8G8B8"]),
        ("<clip><near>3</near><far>2</far></clip>", &["far", "more metres than near, which is 3"]),
        ("<distortion><k1>nan</k1></distortion>", &["k1", "a number"]),
        ("<pose>0 0 nan 0 0 0</pose>", &["camera/pose", "six numbers"]),
        (
            "<segmentation_type>all</segmentation_type>",
            &["segmentation_type", "semantic, instance, panoptic"],
        ),
    ] {
        let sensor = format!("<sensor name='eye' type='camera'><camera>{element}</camera></sensor>");
        let good = self::sensor("good", "camera", "");
        let finished = run(Setup::new(), &scene(&(sensor + &good))).expect_message(texts);
        // The other camera, and the run, go on.
        assert_eq!(finished.result()["steps"], 1000, "{finished}");
        assert_eq!(messages(&finished.log("out/run.jsonl"), "/car1/good/image_raw").len(), 9);
    }
}
