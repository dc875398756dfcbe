//! Numbers and names of the models that a segmentation camera sees.

use std::collections::BTreeMap;

use super::picture::Picture;
use super::{messages, run, scene, sensor, times};
use crate::support::{Finished, Setup};

/// The last image of models, and the names of their numbers with the time of their message.
fn seen(finished: &Finished) -> (Picture, BTreeMap<u16, String>) {
    let lines = finished.log("out/run.jsonl");
    let image = *messages(&lines, "/car1/models/model_map").last().expect("an image");
    let info = *messages(&lines, "/car1/models/label_info").last().expect("names");
    assert_eq!(times(info), times(image));
    assert_eq!(info["message"]["header"]["frame_id"], image["message"]["header"]["frame_id"]);
    let classes = info["message"]["class_map"].as_array().expect("a list").iter().map(|class| {
        let number = class["class_id"].as_u64().and_then(|number| u16::try_from(number).ok());
        (number.expect("a number"), class["class_name"].as_str().expect("a name").to_owned())
    });
    (Picture::read(image), classes.collect())
}

#[track_caller]
fn check(finished: &Finished) {
    let (image, names) = seen(finished);
    assert_eq!((image.width, image.height, image.encoding.as_str()), (64, 48, "mono16"));
    let at = |column: usize| names.get(&image.word(column, 23)).map(String::as_str);
    assert_eq!(
        [31, 18, 44, 51].map(at),
        [Some("red"), Some("ball"), Some("one"), Some("other")],
        "{names:?}"
    );
    assert_eq!(image.word(0, 0), 0, "nothing is seen there");
    assert!(!names.contains_key(&0), "{names:?}");
}

#[test]
fn each_pixel_has_the_number_of_its_model_and_each_number_a_name() {
    check(&run(Setup::new(), &scene(&sensor("models", "segmentation", ""))).expect_code(0));
}

#[test]
fn rays_know_models_too() {
    let setup = Setup::new().env("BRIDGEHEAD_ADAPTER", "rays");
    check(&run(setup, &scene(&sensor("models", "segmentation", ""))).expect_code(0));
}
