//! Which files get a floor, and at which height.

use bridgehead_sdf::{Budget, parse_str};

use super::{FLOOR, add_floor};

/// The height of the floor for a file with this text inside of `<sdf>`.
fn height(inside: &str) -> Option<f64> {
    let mut loaded = parse_str("m.sdf", &format!("<sdf version='1.9'>{inside}</sdf>")).expect("a file");
    let count = loaded.world.models.len();
    let height = add_floor(&mut loaded, &Budget::default());
    assert_eq!(loaded.world.models.len(), count + usize::from(height.is_some()));
    if let Some(height) = height {
        let floor = loaded.world.models.last().expect("a floor");
        assert_eq!((floor.name.as_str(), floor.is_static), (FLOOR, true));
        assert_eq!(floor.pose.position.z.to_bits(), height.to_bits());
    }
    height
}

/// A model with these elements and a link with a box of two metres, whose middle is at this height.
fn model(elements: &str, z: f64) -> String {
    format!(
        "<model name='m'>{elements}<link name='l'><collision name='c'><pose>0 0 {z} 0 0 0</pose><geometry><box>\
         <size>2 2 2</size></box></geometry></collision></link></model>"
    )
}

#[test]
fn a_model_alone_stands_on_a_floor_at_its_lowest_point() {
    assert_eq!(height(&model("", 0.0)), Some(-1.0));
    assert_eq!(height(&model("", 1.0)), Some(0.0));
    assert_eq!(height(&model("<pose>0 0 0.5 0 0 0</pose>", 0.0)), Some(-0.5));
    // One that begins above the ground falls onto it.
    assert_eq!(height(&model("<pose>0 0 5 0 0 0</pose>", 0.0)), Some(0.0));
    let turned = height(&model("<pose>0 0 0 0.785398163397448 0 0</pose>", 0.0)).expect("a floor");
    assert!((turned + 2.0_f64.sqrt()).abs() < 1e-9, "{turned}");
}

#[test]
fn what_does_not_fall_gets_none() {
    let held = "<joint name='j' type='fixed'><parent>world</parent><child>l</child></joint>";
    let plane = "<model name='m'><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>";
    let ghost = "<model name='m'><link name='l'/></model>";
    let world = format!("<world name='w'>{}</world>", model("", 0.0));
    for inside in [&model("<static>true</static>", 0.0), &model(held, 0.0), plane, ghost, &world] {
        assert_eq!(height(inside), None, "{inside}");
    }
}
