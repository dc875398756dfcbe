//! Ranges of a lidar, compared with the geometry of the shapes.

use std::f64::consts::PI;

use crate::support::{Finished, Line, Setup, at, world};

/// A lidar in the origin at this height, among shapes whose distances can be computed by hand.
const HEIGHT: f64 = 0.5;

fn lidar_among_shapes() -> String {
    let shape = |name: &str, pose: &str, geometry: &str| {
        format!(
            "<model name=\"{name}\"><static>true</static><pose>{pose} 0 0 0</pose><link name=\"l\">\
             <collision name=\"c\"><geometry>{geometry}</geometry></collision></link></model>"
        )
    };
    let lidar = format!(
        "<model name=\"rig\"><link name=\"mast\"><pose>0 0 {HEIGHT} 0 0 0</pose>\
         <sensor name=\"lidar\" type=\"gpu_lidar\"><topic>scan</topic><update_rate>10</update_rate><lidar><scan><horizontal>\
         <samples>361</samples><min_angle>-{PI}</min_angle><max_angle>{PI}</max_angle></horizontal></scan>\
         <range><min>0.1</min><max>20</max></range></lidar></sensor></link></model>"
    );
    world(
        &[
            lidar,
            shape("box", "4 0 0.5", "<box><size>2 6 1</size></box>"),
            shape("cylinder", "0 3 0.5", "<cylinder><radius>0.7</radius><length>1</length></cylinder>"),
            shape("sphere", "-3 -1 1.1", "<sphere><radius>1</radius></sphere>"),
        ]
        .concat(),
    )
}

/// Distance along a ray from the origin to a circle, if it hits.
fn to_circle(angle: f64, centre: (f64, f64), radius: f64) -> Option<f64> {
    let along = centre.0 * angle.cos() + centre.1 * angle.sin();
    let missed_by_squared = centre.0 * centre.0 + centre.1 * centre.1 - along * along;
    let half_chord_squared = radius * radius - missed_by_squared;
    (along > 0.0 && half_chord_squared >= 0.0).then(|| along - half_chord_squared.sqrt())
}

/// Distance to the near face of the box, the only one that rays from the origin can hit.
fn to_box(angle: f64) -> Option<f64> {
    let distance = 3.0 / angle.cos();
    (angle.cos() > 0.0 && (distance * angle.sin()).abs() <= 3.0).then_some(distance)
}

/// The expected range: the nearest of the three shapes in the plane of the scan.
fn expected(angle: f64) -> Option<f64> {
    let sphere_at_height = (1.0_f64 - (1.1 - HEIGHT) * (1.1 - HEIGHT)).sqrt();
    let all =
        [to_box(angle), to_circle(angle, (0.0, 3.0), 0.7), to_circle(angle, (-3.0, -1.0), sphere_at_height)];
    all.into_iter().flatten().min_by(f64::total_cmp)
}

/// Whether the ray passes so close to an edge that rounding decides whether it hits.
fn is_at_an_edge(angle: f64) -> bool {
    expected(angle - 1e-6).is_some() != expected(angle + 1e-6).is_some()
}

fn scan(finished: &Finished) -> Line {
    let lines = finished.log("out/run.jsonl");
    at(&lines, "/rig/scan", 1000).clone()
}

#[test]
fn a_lidar_measures_distances_to_a_millimetre() {
    let setup = Setup::new().plugins(&["lidar", "logging"]).world(&lidar_among_shapes());
    let finished =
        setup.args(["--duration", "1s"]).bridge("rig=logging:out/run.jsonl").finish().expect_code(0);
    let scan = scan(&finished);
    let ranges = scan["message"]["ranges"].as_array().expect("ranges").clone();
    assert_eq!(ranges.len(), 361);
    let (first, increment) = (scan.number("/message/angle_min"), scan.number("/message/angle_increment"));
    let mut hits = 0;
    for (index, range) in (0_u32..).zip(&ranges) {
        let angle = first + f64::from(index) * increment;
        if is_at_an_edge(angle) {
            continue;
        }
        match (range.as_f64(), expected(angle)) {
            (Some(found), Some(distance)) => {
                assert!((found - distance).abs() < 1e-3, "ray {index}: {found} m, not {distance} m");
                hits += 1;
            }
            (None, None) => {}
            (found, expected) => panic!("ray {index} at {angle} rad: {found:?} ({range}), not {expected:?}"),
        }
    }
    assert!(hits > 120, "only {hits} rays hit something");
}
