//! Drawn images beside those of the host's rays, on random scenes: two independent ways from a world to pixels.

use super::likeness::{Likeness, Seen, compare};
use super::picture::Picture;
use super::shapes::{HEIGHT, WIDTH, body, sensor, things};
use super::{messages, run};
use crate::support::{Line, Setup, world};

/// What the cameras that make images in one way saw.
#[track_caller]
fn seen(lines: &[Line], how: &str) -> Seen {
    let read = |topic: &str| {
        let name = format!("/car1/{how}_{topic}");
        Picture::read(messages(lines, &name).last().unwrap_or_else(|| panic!("no image on {name}")))
    };
    let (classes, depths) = (read("class/labels_map"), read("depth/image_raw"));
    let pixels = || (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
    Seen {
        classes: pixels().map(|(column, row)| classes.rgb(column, row)[0]).collect(),
        depths: pixels().map(|(column, row)| depths.number(column, row)).collect(),
    }
}

#[test]
fn drawn_depths_and_classes_equal_those_of_rays() {
    let seeds: u32 = if std::env::var_os("BRIDGEHEAD_LONG").is_some() { 50 } else { 5 };
    let sensors = [
        sensor("drawn_depth", "depth_camera", "software"),
        sensor("drawn_class", "segmentation", "software"),
        sensor("rays_depth", "depth_camera", "rays"),
        sensor("rays_class", "segmentation", "rays"),
    ];
    let mut total = Likeness::NOTHING;
    for seed in 1..=seeds {
        let sdf = world(&body(&things(seed.into()), &sensors.concat()));
        let lines = run(Setup::new(), &sdf).expect_code(0).log("out/run.jsonl");
        let likeness = compare(&seen(&lines, "drawn"), &seen(&lines, "rays"));
        total = total.and(likeness.unwrap_or_else(|difference| panic!("seed {seed}, {difference}")));
    }
    println!("{seeds} scenes: {total:?}");
    assert!(total.depths > 10_000 * seeds && total.objects >= seeds, "{total:?}");
}
