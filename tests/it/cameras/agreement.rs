//! Drawn images beside those of the host's rays, on random scenes: two independent ways from a world to pixels.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::picture::Picture;
use super::{messages, run};
use crate::support::{Line, Setup, world};

const WIDTH: usize = 320;
const HEIGHT: usize = 240;

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

    fn shape(&mut self) -> String {
        let [a, b, c] = [(); 3].map(|()| self.between(0.3, 1.5));
        match self.between(0.0, 5.0) {
            kind if kind < 2.0 => format!("<box><size>{a} {b} {c}</size></box>"),
            kind if kind < 3.0 => format!("<sphere><radius>{}</radius></sphere>", a / 2.0),
            kind if kind < 4.0 => {
                format!("<cylinder><radius>{}</radius><length>{b}</length></cylinder>", a / 2.0)
            }
            _ => format!("<capsule><radius>{}</radius><length>{b}</length></capsule>", a / 2.0),
        }
    }
}

/// A world with shapes on a plane, and cameras at one place of which one is drawn and one is made of rays.
fn scene(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut body = String::from(
        "<model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry>\
         </collision><visual name='v'><geometry><plane><size>200 200</size></plane></geometry></visual></link></model>",
    );
    for number in 0..30 {
        let shape = dice.shape();
        let (x, y, z) = (dice.between(2.0, 12.0), dice.between(-6.0, 6.0), dice.between(0.2, 3.0));
        let [roll, pitch, yaw] = [(); 3].map(|()| dice.between(0.0, TAU));
        // Every object has a class of its own.
        let label = number + 1;
        write!(
            body,
            "<model name='m{number}'><static>true</static><pose>{x} {y} {z} {roll} {pitch} {yaw}</pose><link name='l'>\
             <collision name='c'><geometry>{shape}</geometry></collision><visual name='v'><geometry>{shape}</geometry>\
             <plugin filename='gz-sim-label-system' name='gz::sim::systems::Label'><label>{label}</label></plugin>\
             </visual></link></model>"
        )
        .expect("a text grows");
    }
    let sensor = |name: &str, kind: &str, adapter: &str| {
        format!(
            "<sensor name='{name}' type='{kind}'><topic>{name}</topic><update_rate>1</update_rate>\
             <bridgehead:adapter xmlns:bridgehead='https://bridgehead.dev'>{adapter}</bridgehead:adapter>\
             <bridgehead:latency xmlns:bridgehead='https://bridgehead.dev'>0</bridgehead:latency>\
             <camera><horizontal_fov>1.2</horizontal_fov><image><width>{WIDTH}</width><height>{HEIGHT}</height></image>\
             <clip><near>0.05</near><far>40</far></clip></camera></sensor>"
        )
    };
    let sensors = [
        sensor("drawn_depth", "depth_camera", "software"),
        sensor("drawn_class", "segmentation", "software"),
        sensor("rays_depth", "depth_camera", "rays"),
        sensor("rays_class", "segmentation", "rays"),
    ];
    world(&format!(
        "{body}<model name='car1'><static>true</static><pose>0 0 1.5 0 0.1 0</pose><link name='base'>{}</link></model>",
        sensors.concat()
    ))
}

struct Pair {
    drawn: Picture,
    rays: Picture,
}

impl Pair {
    #[track_caller]
    fn of(lines: &[Line], what: &str, topic: &str) -> Self {
        let read = |how: &str| {
            let name = format!("/car1/{how}_{what}/{topic}");
            Picture::read(messages(lines, &name).last().unwrap_or_else(|| panic!("no image on {name}")))
        };
        Pair { drawn: read("drawn"), rays: read("rays") }
    }
}

/// True if all pixels at most `reach` away have the class of this one. What is beyond the edge of the image is not known.
fn is_inside(classes: &Picture, column: usize, row: usize, reach: usize) -> bool {
    if column < reach || row < reach || column + reach >= WIDTH || row + reach >= HEIGHT {
        return false;
    }
    let own = classes.rgb(column, row);
    let columns = column - reach..=column + reach;
    let rows = row - reach..=row + reach;
    rows.into_iter().all(|row| columns.clone().all(|column| classes.rgb(column, row) == own))
}

fn compare(seed: u64) -> (u32, f64) {
    let finished = run(Setup::new(), &scene(seed)).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let classes = Pair::of(&lines, "class", "labels_map");
    let depths = Pair::of(&lines, "depth", "image_raw");
    let (mut compared, mut worst) = (0, 0.0_f64);
    let mut counts = vec![[0_u32; 3]; 32];
    for row in 0..HEIGHT {
        for column in 0..WIDTH {
            let [drawn, ray] =
                [&classes.drawn, &classes.rays].map(|image| usize::from(image.rgb(column, row)[0]));
            counts[drawn][0] += 1;
            counts[ray][1] += 1;
            if drawn == ray {
                counts[drawn][2] += 1;
            } else {
                let is_edge =
                    !is_inside(&classes.drawn, column, row, 1) || !is_inside(&classes.rays, column, row, 1);
                assert!(is_edge, "seed {seed}, pixel {column} {row}: class {drawn} drawn, {ray} by rays");
                continue;
            }
            if !is_inside(&classes.drawn, column, row, 3) || !is_inside(&classes.rays, column, row, 3) {
                continue;
            }
            let [drawn, ray] =
                [&depths.drawn, &depths.rays].map(|image| f64::from(image.number(column, row)));
            if drawn.is_infinite() && ray.is_infinite() {
                continue;
            }
            let error = (drawn - ray).abs() / (1e-3_f64).max(1e-3 * ray);
            worst = worst.max(error);
            compared += 1;
            assert!(error <= 1.0, "seed {seed}, pixel {column} {row}: {drawn} m drawn, {ray} m by rays");
        }
    }
    for (class, [drawn, rays, both]) in counts.into_iter().enumerate().skip(1) {
        let union = drawn + rays - both;
        if union >= 2000 {
            assert!(
                f64::from(both) / f64::from(union) >= 0.99,
                "seed {seed}, class {class}: {both} of {union}"
            );
        }
    }
    (compared, worst)
}

#[test]
fn drawn_depths_and_classes_equal_those_of_rays() {
    let seeds: u32 = if std::env::var_os("BRIDGEHEAD_LONG").is_some() { 50 } else { 5 };
    let mut total = 0;
    let mut worst = 0.0_f64;
    for seed in 1..=seeds {
        let (compared, error) = compare(seed.into());
        total += compared;
        worst = worst.max(error);
    }
    println!("{total} depths of {seeds} scenes, the largest difference is {worst:.3} of the bound");
    assert!(total > 10_000 * seeds, "{total}");
}
