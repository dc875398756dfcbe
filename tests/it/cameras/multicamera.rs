//! Sensors with several cameras.

use std::collections::{BTreeMap, BTreeSet};

use super::picture::Picture;
use super::{messages, run, scene, sensor, times};
use crate::support::{Line, Setup};

/// A sensor with these cameras.
fn multicamera(cameras: &str) -> String {
    format!(
        "<sensor name='eyes' type='multicamera'><topic>eyes</topic><update_rate>10</update_rate>{cameras}</sensor>"
    )
}

/// A camera with 90 degrees.
fn camera(name: &str, pose: &str, size: [u32; 2], format: &str) -> String {
    let [width, height] = size;
    format!(
        "<camera name='{name}'><pose>{pose}</pose><horizontal_fov>1.5707963267948966</horizontal_fov>\
         <image><width>{width}</width><height>{height}</height><format>{format}</format></image>\
         <clip><near>0.1</near><far>20</far></clip></camera>"
    )
}

fn frame(line: &Line) -> &str {
    line["message"]["header"]["frame_id"].as_str().expect("a frame")
}

#[test]
fn the_cameras_of_a_multicamera_see_from_their_own_places_at_the_same_time() {
    let sensor = multicamera(
        &[
            camera("left", "0 0.3 0 0 0 0", [64, 48], "R8G8B8"),
            camera("right", "0 -0.3 0 0 0 0", [32, 24], "L8"),
            camera("back", "0 0 0 0 0 3.141592653589793", [16, 12], "R8G8B8"),
        ]
        .concat(),
    );
    let finished = run(Setup::new(), &scene(&sensor)).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let mut stamps: BTreeMap<String, Vec<(u64, u64)>> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.text("topic").starts_with("/car1/")) {
        stamps.entry(line.text("topic").to_owned()).or_default().push(times(line));
    }
    let topics: BTreeSet<String> = ["left", "right", "back"]
        .into_iter()
        .flat_map(|name| {
            ["camera_info", "image_raw", "image_raw/compressed"]
                .map(|suffix| format!("/car1/eyes/{name}/{suffix}"))
        })
        .collect();
    assert_eq!(stamps.keys().cloned().collect::<BTreeSet<_>>(), topics, "{finished}");
    // Every image of a sensor has the time of its exposure, and arrives a period later.
    let expected: Vec<(u64, u64)> = (1..10).map(|at| ((at + 1) * 100_000_000, at * 100_000_000)).collect();
    for (topic, times) in &stamps {
        assert_eq!(times, &expected, "{topic}");
    }
    let image = |name: &str| {
        let line = *messages(&lines, &format!("/car1/eyes/{name}/image_raw")).last().expect("an image");
        assert!(frame(line).ends_with(&format!("eyes/{name}_optical_frame")), "{}", frame(line));
        Picture::read(line)
    };
    // The face of the red box is 1 m wide and 2.5 m away. From the left its middle is 0.3 m to the right: 3.84 pixels.
    let left = image("left");
    assert_eq!((left.width, left.height, left.encoding.as_str()), (64, 48, "rgb8"));
    // Beside its right edge is the side of the green box.
    let row = [27, 30, 41, 42].map(|column| left.rgb(column, 23));
    assert_eq!(row, [[0, 0, 0], [255, 0, 0], [255, 0, 0], [0, 255, 0]]);
    let right = image("right");
    assert_eq!((right.width, right.height, right.encoding.as_str()), (32, 24, "mono8"));
    // Half as many pixels: from 10.4 to 16.8. Red has a brightness of 76.
    assert_eq!([5, 12, 16, 17].map(|column| right.byte(column, 11)), [0, 76, 76, 0]);
    assert_eq!(image("back").rgb(7, 5), [0, 0, 0]);
}

#[test]
fn cameras_that_nobody_receives_are_not_drawn_and_the_others_are() {
    let cameras = ["left", "right"].map(|name| camera(name, "0 0 0 0 0 0", [32, 24], "R8G8B8")).concat();
    let setup = Setup::new().plugins(super::PLUGINS).world(&scene(&multicamera(&cameras)));
    let setup = setup.args(["--duration", "1s", "-v"]);
    let finished = setup.bridge("car1=logging:out/run.jsonl;topics=/car1/eyes/right/image_raw").finish();
    let finished = finished.expect_code(0);
    // Each camera that draws says so once.
    assert_eq!(finished.to_string().matches("draws with").count(), 1, "{finished}");
    let lines = finished.log("out/run.jsonl");
    let topics: BTreeSet<&str> =
        lines.iter().map(|line| line.text("topic")).filter(|topic| !topic.is_empty()).collect();
    assert_eq!(topics, BTreeSet::from(["/car1/eyes/right/image_raw"]), "{finished}");
}

#[test]
fn cameras_without_usable_names_are_refused_with_their_place() {
    let named = |name: &str| camera(name, "0 0 0 0 0 0", [8, 8], "R8G8B8");
    for (cameras, texts) in [
        (String::new(), &["needs one or more <camera> elements with a name each"][..]),
        (named("eye") + &named("eye"), &["world.sdf:", "camera[1]/@name", "`eye`", "no other camera"]),
        (named("my eye"), &["world.sdf:", "camera[0]/@name", "`my eye`", "letters, digits and _"]),
        ("<camera/>".to_owned(), &["world.sdf:", "camera[0]/@name", "letters, digits and _"]),
        (
            named("eye").replace("<pose>", "<pose relative_to='base'>"),
            &["world.sdf:", "camera[0]/pose", "relative to its sensor"],
        ),
        (
            named("one") + &named("two").replace("<width>8<", "<width>0<"),
            &["camera[1]/image/width", "1 pixel or more"],
        ),
    ] {
        let sensors = multicamera(&cameras) + &sensor("good", "camera", "");
        let finished = run(Setup::new(), &scene(&sensors)).expect_message(texts);
        assert_eq!(messages(&finished.log("out/run.jsonl"), "/car1/good/image_raw").len(), 9, "{finished}");
    }
}
