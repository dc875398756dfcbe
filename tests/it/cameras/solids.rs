//! Boxes in space, and images without loss.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{messages, picture, run, scene, sensor};
use crate::support::{Setup, assert_near};

/// A turned box of class 5 in the air, and a ball of class 6 that nobody sees.
fn solids(sensors: &str) -> String {
    let model = |name: &str, pose: &str, shape: &str, label: u32| {
        format!(
            "<model name='{name}'><static>true</static><pose>{pose}</pose><link name='l'><visual name='v'>\
             <pose>0 0 0.1 0 0 0</pose><geometry>{shape}</geometry>\
             <plugin filename='gz-sim-label-system' name='gz::sim::systems::Label'><label>{label}</label></plugin>\
             </visual></link></model>"
        )
    };
    let turned = model("turned", "5 0.5 1.9 0 0 0.3", "<box><size>1 0.6 0.4</size></box>", 5);
    let behind = model("behind", "-5 0 0.5 0 0 0", "<sphere><radius>0.5</radius></sphere>", 6);
    scene(sensors).replace("<model name='car1'>", &format!("{turned}{behind}<model name='car1'>"))
}

#[test]
fn boxes_in_space_have_the_pose_and_size_of_their_objects() {
    for adapter in ["auto", "rays"] {
        let sdf = solids(&sensor("boxes", "boundingbox_camera", "<box_type>3d</box_type>"));
        // Rays meet collisions.
        let sdf = sdf.replace(
            "</visual></link></model><model name='behind'>",
            "</visual><collision name='c'><pose>0 0 0.1 0 0 0</pose><geometry><box><size>1 0.6 0.4</size></box>\
             </geometry></collision></link></model><model name='behind'>",
        );
        let finished = run(Setup::new().env("BRIDGEHEAD_ADAPTER", adapter), &sdf).expect_code(0);
        let lines = finished.log("out/run.jsonl");
        let last = *messages(&lines, "/car1/boxes/detections_3d").last().expect("detections");
        assert!(messages(&lines, "/car1/boxes/detections").is_empty());
        let detections = last["message"]["detections"].as_array().expect("a list");
        let labels: Vec<&str> = detections.iter().filter_map(|found| found["label"].as_str()).collect();
        assert!(!labels.contains(&"6"), "nobody sees the ball: {labels:?}");
        let turned = detections.iter().find(|found| found["label"] == "5").expect("the turned box");
        let number = |path: &str| {
            let value = turned.pointer(&format!("/bbox/{path}"));
            value.and_then(serde_json::Value::as_f64).unwrap_or_else(|| panic!("{path} in {turned}"))
        };
        // The camera is 0.5 m high. Its optical frame has x to the right, y down and z forward.
        let at = ["x", "y", "z"].map(|axis| number(&format!("position/position/{axis}")));
        at.iter().zip([-0.5, -1.5, 5.0]).for_each(|(found, wanted)| assert_near(*found, wanted, 1e-6));
        let size = ["x", "y", "z"].map(|axis| number(&format!("size/{axis}")));
        size.iter().zip([1.0, 0.6, 0.4]).for_each(|(found, wanted)| assert_near(*found, wanted, 1e-6));
        // Its x axis points forward and 0.3 rad to the left.
        let [x, y, z, w] = ["x", "y", "z", "w"].map(|part| number(&format!("position/orientation/{part}")));
        let axis = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)];
        let wanted = [-0.3_f64.sin(), 0.0, 0.3_f64.cos()];
        axis.iter().zip(wanted).for_each(|(found, wanted)| assert_near(*found, wanted, 1e-6));
        assert!(
            last["message"]["header"]["frame_id"]
                .as_str()
                .is_some_and(|frame| frame.ends_with("_optical_frame"))
        );
    }
}

/// A sensor with this compression.
fn compressed(word: &str) -> String {
    let option = format!(
        "<bridgehead:compression xmlns:bridgehead='https://bridgehead.dev'>{word}</bridgehead:compression>"
    );
    sensor("color", "camera", "").replace("<update_rate>", &format!("{option}<update_rate>"))
}

#[test]
fn images_are_compressed_without_loss_if_the_sensor_says_so() {
    let finished = run(Setup::new(), &scene(&compressed("png"))).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let last = *messages(&lines, "/car1/color/image_raw/compressed").last().expect("an image");
    assert_eq!(last["message"]["format"], "rgb8; png compressed bgr8");
    let file = STANDARD.decode(last["message"]["data"].as_str().expect("base64")).expect("base64");
    let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("pixels");
    let raw = *messages(&lines, "/car1/color/image_raw").last().expect("an image");
    assert_eq!(pixels, picture::bytes(&raw["message"]["data"]));
    let refused = run(Setup::new(), &scene(&compressed("gif")));
    drop(refused.expect_message(&["world.sdf:", "bridgehead:compression", "`gif`", "jpeg or png"]));
}
