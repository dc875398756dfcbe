//! Random scenes of shapes on a plane, for comparisons of images that were made in different ways.

use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Columns of an image.
pub(crate) const WIDTH: usize = 320;
/// Rows of an image.
pub(crate) const HEIGHT: usize = 240;
/// Horizontal field of view, rad.
pub(crate) const FIELD_OF_VIEW: f64 = 1.2;
/// Depths that are drawn, m.
pub(crate) const CLIP: [f64; 2] = [0.05, 40.0];
/// Pose of the camera: position, and roll, pitch and yaw.
pub(crate) const CAMERA: [f64; 6] = [0.0, 0.0, 1.5, 0.0, 0.1, 0.0];

const THINGS: usize = 30;

/// Numbers that look random and are the same in every run (Steele, Lea, Flood: "Fast Splittable Pseudorandom Number
/// Generators", 2014).
struct Dice(u64);

impl Dice {
    /// From `low` to `high`.
    #[expect(clippy::cast_precision_loss, reason = "53 bits")]
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^= bits >> 31;
        low + (high - low) * ((bits >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// A shape, with the lengths of its sides, or its radius and length, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Shape {
    Box([f64; 3]),
    Sphere(f64),
    Cylinder(f64, f64),
    Capsule(f64, f64),
}

/// A shape at a place: metres, and roll, pitch and yaw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Thing {
    pub(crate) shape: Shape,
    pub(crate) pose: [f64; 6],
}

/// Returns the things of a scene. Those of a seed are always the same.
pub(crate) fn things(seed: u64) -> Vec<Thing> {
    let mut dice = Dice(seed);
    let mut thing = || {
        let [a, b, c] = [(); 3].map(|()| dice.between(0.3, 1.5));
        let shape = match dice.between(0.0, 5.0) {
            kind if kind < 2.0 => Shape::Box([a, b, c]),
            kind if kind < 3.0 => Shape::Sphere(a / 2.0),
            kind if kind < 4.0 => Shape::Cylinder(a / 2.0, b),
            _ => Shape::Capsule(a / 2.0, b),
        };
        let (x, y, z) = (dice.between(2.0, 12.0), dice.between(-6.0, 6.0), dice.between(0.2, 3.0));
        let [roll, pitch, yaw] = [(); 3].map(|()| dice.between(0.0, TAU));
        Thing { shape, pose: [x, y, z, roll, pitch, yaw] }
    };
    (0..THINGS).map(|_| thing()).collect()
}

impl Shape {
    fn sdf(self) -> String {
        match self {
            Shape::Box([x, y, z]) => format!("<box><size>{x} {y} {z}</size></box>"),
            Shape::Sphere(radius) => format!("<sphere><radius>{radius}</radius></sphere>"),
            Shape::Cylinder(radius, length) => {
                format!("<cylinder><radius>{radius}</radius><length>{length}</length></cylinder>")
            }
            Shape::Capsule(radius, length) => {
                format!("<capsule><radius>{radius}</radius><length>{length}</length></capsule>")
            }
        }
    }
}

/// Returns the content of a world: the things, of which each has its number from 1 as class, on a plane without a class, and
/// a vehicle `car1` with these sensors at the place of the camera.
pub(crate) fn body(things: &[Thing], sensors: &str) -> String {
    let mut body = String::from(
        "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry>\
         </collision><visual name='v'><geometry><plane><size>200 200</size></plane></geometry></visual></link></model>",
    );
    for (number, thing) in things.iter().enumerate() {
        let (shape, pose, label) = (thing.shape.sdf(), numbers(&thing.pose), number + 1);
        write!(
            body,
            "<model name='m{number}'><static>true</static><pose>{pose}</pose><link name='l'>\
             <collision name='c'><geometry>{shape}</geometry></collision><visual name='v'><geometry>{shape}</geometry>\
             <plugin filename='gz-sim-label-system' name='gz::sim::systems::Label'><label>{label}</label></plugin>\
             </visual></link></model>"
        )
        .expect("a text grows");
    }
    let pose = numbers(&CAMERA);
    body + &format!(
        "<model name='car1'><static>true</static><pose>{pose}</pose><link name='base'>{sensors}</link></model>"
    )
}

/// Returns a camera whose images belong to the step in which they arrive.
pub(crate) fn sensor(name: &str, kind: &str, adapter: &str) -> String {
    let [near, far] = CLIP;
    format!(
        "<sensor name='{name}' type='{kind}'><topic>{name}</topic><update_rate>1</update_rate>\
         <bridgehead:adapter xmlns:bridgehead='https://bridgehead.dev'>{adapter}</bridgehead:adapter>\
         <bridgehead:latency xmlns:bridgehead='https://bridgehead.dev'>0</bridgehead:latency>\
         <camera><horizontal_fov>{FIELD_OF_VIEW}</horizontal_fov>\
         <image><width>{WIDTH}</width><height>{HEIGHT}</height></image>\
         <clip><near>{near}</near><far>{far}</far></clip></camera></sensor>"
    )
}

fn numbers(list: &[f64]) -> String {
    list.iter().map(f64::to_string).collect::<Vec<_>>().join(" ")
}
