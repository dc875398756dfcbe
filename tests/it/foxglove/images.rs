//! Images of cameras as the image panel and the 3D panel of viewers need them: types that they know, a CameraInfo beside
//! each image, and the frame of both in the transforms.

use std::collections::BTreeMap;

use serde_json::Value;

use super::client::Kind;
use super::operations::number;
use super::stage::Stage;
use crate::support::{Setup, assert_all_near, world};

/// A camera half a metre above its link, which looks along x, and a depth camera at the same place.
fn stage() -> Stage {
    let sensor = |name: &str, kind: &str| {
        format!(
            "<sensor name='{name}' type='{kind}'><pose>0 0 0.5 0 0 0</pose><topic>{name}</topic><update_rate>10</update_rate>\
             <camera><image><width>16</width><height>12</height></image></camera></sensor>"
        )
    };
    let sdf = world(&format!(
        "<model name='eye'><static>true</static><link name='body'>{}{}</link></model>",
        sensor("front", "camera"),
        sensor("deep", "depth_camera")
    ));
    Stage::with(Setup::new().plugins(&["camera", "clock"]).in_real_time().world(&sdf), "")
}

const TOPICS: [(&str, &str); 5] = [
    ("/eye/front/image_raw", "sensor_msgs/msg/Image"),
    ("/eye/front/image_raw/compressed", "sensor_msgs/msg/CompressedImage"),
    ("/eye/front/camera_info", "sensor_msgs/msg/CameraInfo"),
    ("/eye/deep/points", "sensor_msgs/msg/PointCloud2"),
    ("/tf_static", "tf2_msgs/msg/TFMessage"),
];

#[test]
fn images_have_types_infos_and_frames_that_panels_find() {
    let stage = stage();
    let Some(client) = stage.client(Kind::Python) else { return };
    let collected = client.collect(&TOPICS.map(|(topic, _)| topic), 2.0);
    let state = client.state();
    let channels = state["channels"].as_array().expect("a list").iter();
    let kinds: BTreeMap<_, _> =
        channels.map(|one| (one["topic"].as_str(), one["schemaName"].as_str())).collect();
    for (topic, kind) in TOPICS {
        assert_eq!(kinds.get(&Some(topic)), Some(&Some(kind)), "{topic}");
    }
    let last = |topic: &str| collected[topic]["messages"][1].clone();
    let frames = ["image_raw", "image_raw/compressed", "camera_info"].map(|name| {
        last(&format!("/eye/front/{name}"))["header"]["frame_id"].as_str().expect("a frame").to_owned()
    });
    assert_eq!(frames, ["eye/body/front_optical_frame"; 3]);
    let info = last("/eye/front/camera_info");
    assert_eq!((number(&info["width"]), number(&info["height"])), (16.0, 12.0));
    assert!(number(&info["p"][0]) > 10.0, "{info}");
    let points = last("/eye/deep/points")["header"]["frame_id"].clone();
    let transforms = collected["/tf_static"]["messages"][0]["transforms"].clone();
    let find = |child: &str| -> Value {
        let mut all = transforms.as_array().expect("a list").iter();
        all.find(|one| one["child_frame_id"] == child)
            .unwrap_or_else(|| panic!("no {child}: {transforms}"))
            .clone()
    };
    for frame in [frames[0].as_str(), points.as_str().expect("a frame")] {
        let optical = find(frame);
        let parent = frame.strip_suffix("_optical_frame").expect("the usual name");
        assert_eq!(optical["header"]["frame_id"], parent);
        // x is to the right, y down and z forward.
        let turn = ["x", "y", "z", "w"].map(|axis| number(&optical["transform"]["rotation"][axis]));
        assert_all_near(turn, [-0.5, 0.5, -0.5, 0.5], 1e-9);
        let sensor = find(parent);
        assert_eq!(
            (&sensor["header"]["frame_id"], number(&sensor["transform"]["translation"]["z"])),
            (&"eye/body".into(), 0.5)
        );
    }
    stage.finish();
}
