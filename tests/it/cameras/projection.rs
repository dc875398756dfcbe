//! Known points, where the published CameraInfo says that they are in the image.

use serde_json::Value;

use super::picture::Picture;
use super::{messages, run};
use crate::support::{Setup, world};

/// Height of the camera above the ground, m.
const HEIGHT: f64 = 0.5;
/// Radius of the balls, m.
const RADIUS: f64 = 0.04;

/// Balls in front of the camera, in its axes: x forward, y to the left, z up.
fn balls() -> Vec<[f64; 3]> {
    let columns = (-3..=3).map(f64::from);
    let of_column = |column: f64| {
        (-2..=2).map(f64::from).map(move |row| {
            let depth = 3.0 + 0.2 * column + 0.1 * row;
            [depth, 0.24 * column * depth, 0.24 * row * depth]
        })
    };
    columns.flat_map(of_column).collect()
}

/// The lens of a camera, as its CameraInfo describes it.
struct Lens {
    k: Vec<f64>,
    d: Vec<f64>,
}

impl Lens {
    #[track_caller]
    fn read(info: &Value) -> Self {
        assert_eq!(info["distortion_model"], "plumb_bob");
        let list = |name: &str| {
            let list = info[name].as_array().unwrap_or_else(|| panic!("no `{name}` in {info}"));
            list.iter().map(|number| number.as_f64().expect("a number")).collect()
        };
        Lens { k: list("k"), d: list("d") }
    }

    /// Column and row of a point in the optical frame, by the formulas of sensor_msgs/CameraInfo and OpenCV.
    fn project(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        let [k1, k2, p1, p2, k3] = self.d[..] else { panic!("{} coefficients", self.d.len()) };
        let (a, b) = (x / z, y / z);
        let r2 = a * a + b * b;
        let radial = 1.0 + k1 * r2 + k2 * r2 * r2 + k3 * r2 * r2 * r2;
        let bent = [
            a * radial + 2.0 * p1 * a * b + p2 * (r2 + 2.0 * a * a),
            b * radial + p1 * (r2 + 2.0 * b * b) + 2.0 * p2 * a * b,
        ];
        [self.k[0] * bent[0] + self.k[2], self.k[4] * bent[1] + self.k[5]]
    }
}

/// The middle of the pixels of a class.
#[track_caller]
fn middle(picture: &Picture, class: u8) -> [f64; 2] {
    let (mut sum, mut count) = ([0.0; 2], 0.0);
    for row in 0..picture.height {
        for column in 0..picture.width {
            if picture.rgb(column, row)[0] == class {
                #[expect(clippy::cast_precision_loss, reason = "a pixel of an image")]
                let place = [column as f64, row as f64];
                sum = [sum[0] + place[0], sum[1] + place[1]];
                count += 1.0;
            }
        }
    }
    assert!(count > 20.0, "ball {class} has {count} pixels");
    sum.map(|sum| sum / count)
}

#[test]
fn known_points_are_where_the_camera_info_says() {
    let lenses = [
        ("plain", ""),
        (
            "bent",
            "<distortion><k1>-0.25</k1><k2>0.12</k2><k3>-0.02</k3><p1>0.003</p1><p2>-0.002</p2></distortion>",
        ),
        (
            "shifted",
            "<lens><intrinsics><fx>400</fx><fy>390</fy><cx>330</cx><cy>232.3</cy><s>0</s></intrinsics></lens>",
        ),
    ];
    let sensors: String = lenses
        .iter()
        .map(|(name, lens)| {
            format!(
                "<sensor name='{name}' type='segmentation'><topic>{name}</topic><update_rate>1</update_rate>\
                 <bridgehead:latency xmlns:bridgehead='https://bridgehead.dev'>0</bridgehead:latency><camera>\
                 <horizontal_fov>1.4</horizontal_fov><image><width>640</width><height>480</height></image>{lens}\
                 </camera></sensor>"
            )
        })
        .collect();
    let ball = |(class, [x, y, z]): (usize, &[f64; 3])| {
        let z = z + HEIGHT;
        format!(
            "<model name='ball{class}'><static>true</static><pose>{x} {y} {z} 0 0 0</pose><link name='l'>\
             <visual name='v'><geometry><sphere><radius>{RADIUS}</radius></sphere></geometry>\
             <plugin filename='gz-sim-label-system' name='gz::sim::systems::Label'><label>{class}</label></plugin>\
             </visual></link></model>"
        )
    };
    let balls = balls();
    let models: String = (1..).zip(&balls).map(ball).collect();
    let sdf = world(&format!(
        "{models}<model name='car1'><static>true</static><link name='base'><pose>0 0 {HEIGHT} 0 0 0</pose>{sensors}</link>\
         </model>"
    ));
    let lines = run(Setup::new(), &sdf).expect_code(0).log("out/run.jsonl");
    let mut worst: f64 = 0.0;
    for (name, _) in lenses {
        let last = |topic: &str| {
            let name = format!("/car1/{name}/{topic}");
            *messages(&lines, &name).last().unwrap_or_else(|| panic!("nothing on {name}"))
        };
        let lens = Lens::read(&last("camera_info")["message"]);
        let picture = Picture::read(last("labels_map"));
        for (class, [x, y, z]) in (1..).zip(&balls) {
            let expected = lens.project([-y, -z, *x]);
            let found = middle(&picture, class);
            let apart = (found[0] - expected[0]).hypot(found[1] - expected[1]);
            worst = worst.max(apart);
            assert!(apart < 0.5, "{name}, ball {class}: at {found:?}, expected at {expected:?}");
        }
    }
    println!("{} points with {} lenses, at most {worst:.3} pixels apart", balls.len(), lenses.len());
}
