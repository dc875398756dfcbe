//! Collisions of every shape: bodies that rest on them, rays that hit them, and errors of invalid meshes.

use std::fs;

use crate::support::{Finished, Setup, world};

/// A table as an OBJ mesh, which is not convex: four legs, 0.1 m square and 1 m high, with a plate of 1 m.
fn table() -> String {
    let mut text = String::new();
    let mut next = 1;
    let mut cuboid = |low: [f64; 3], high: [f64; 3]| {
        for corner in 0..8 {
            let at = [0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] });
            text += &format!("v {} {} {}\n", at[0], at[1], at[2]);
        }
        for face in [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]] {
            let corners = face.map(|corner: usize| (next + corner).to_string());
            text += &format!("f {}\n", corners.join(" "));
        }
        next += 8;
    };
    for [x, y] in [[-0.5, -0.5], [0.4, -0.5], [-0.5, 0.4], [0.4, 0.4]] {
        cuboid([x, y, 0.0], [x + 0.1, y + 0.1, 1.0]);
    }
    cuboid([-0.5, -0.5, 1.0], [0.5, 0.5, 1.1]);
    text
}

const GROUND: &str = "<model name='ground'><static>true</static><link name='l'><collision name='c'>
    <geometry><plane/></geometry></collision></link></model>";

fn model(name: &str, pose: &str, inside: &str, geometry: &str) -> String {
    format!(
        "<model name='{name}'><pose>{pose}</pose>{inside}<link name='l'>
         <inertial><mass>10</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>
         <collision name='c'><geometry>{geometry}</geometry></collision></link></model>"
    )
}

/// Runs a world for two seconds, with the file `table.obj` beside it.
fn settled(models: &str) -> Finished {
    settled_in(Setup::new(), models, "2s")
}

fn settled_in(setup: Setup, models: &str, duration: &str) -> Finished {
    let setup = setup.plugins(&["entities", "logging"]);
    setup.file("table.obj", table());
    let truth = "<plugin filename='ground_truth' name='g'><max_distance>1000</max_distance></plugin>";
    let cache = setup.path("cache");
    let setup = setup
        .env("XDG_CACHE_HOME", cache)
        .world(&format!("<sdf version='1.11'><world name='w'>{GROUND}{models}{truth}</world></sdf>"));
    setup.bridge("world=logging:out/truth.jsonl").args(["--duration", duration]).finish().expect_code(0)
}

/// Final height of the centre of a model's bounding box.
#[track_caller]
fn height(finished: &Finished, name: &str) -> f64 {
    let lines = finished.log("out/truth.jsonl");
    let last = lines.iter().rfind(|line| line.is_topic("/ground_truth")).expect("detections");
    let detections = last["message"]["detections"].as_array().expect("a list");
    let found = detections.iter().find(|detection| detection["label"] == name);
    let found = found.unwrap_or_else(|| panic!("no {name} in {detections:#?}"));
    found["bbox"]["position"]["position"]["z"].as_f64().expect("a height")
}

#[track_caller]
fn expect_height(finished: &Finished, name: &str, wanted: f64, tolerance: f64) {
    let found = height(finished, name);
    assert!((found - wanted).abs() <= tolerance, "{name} is at {found} m instead of {wanted} m");
}

const BALL: &str = "<sphere><radius>0.2</radius></sphere>";
const TABLE: &str = "<mesh><uri>table.obj</uri></mesh>";

#[test]
fn a_dynamic_table_stands_on_its_legs_with_room_for_balls_below() {
    let table = model("table", "0 0 0.05 0 0 0", "", TABLE);
    let below = model("below", "0 0 0.25 0 0 0", "", BALL);
    let above = model("above", "0 0 1.5 0 0 0", "", BALL);
    let finished = settled(&format!("{table}{below}{above}"));
    // Centres of boxes: half of 1.1 m for the table; for balls, their radius above the surface below. A voxel is 1/64
    // of the table's height, which is the tolerance of its convex parts.
    let voxel = 1.1 / 64.0;
    expect_height(&finished, "table", 0.55, voxel);
    expect_height(&finished, "below", 0.2, 0.01);
    expect_height(&finished, "above", 1.3, 2.0 * voxel);
    let kept = fs::read_dir(finished.path("cache/bridgehead/convex")).expect("a folder of kept parts");
    assert_eq!(kept.count(), 1);
}

#[test]
fn a_convex_hull_has_no_room_below_and_a_static_mesh_is_exact() {
    let hull = TABLE.replace("<mesh>", "<mesh optimization='convex_hull'>");
    let fixed = model("fixed", "0 0 0 0 0 0", "<static>true</static>", TABLE);
    let solid = model("solid", "10 0 0 0 0 0", "<static>true</static>", &hull);
    let balls: String = [("above", "0 0 1.5"), ("inside", "0.45 0 0.4"), ("on_hull", "10 0 1.5")]
        .map(|(name, at)| model(name, &format!("{at} 0 0 0"), "", BALL))
        .concat();
    let finished = settled(&format!("{fixed}{solid}{balls}"));
    expect_height(&finished, "above", 1.3, 0.005);
    expect_height(&finished, "inside", 0.2, 0.005);
    expect_height(&finished, "on_hull", 1.3, 0.005);
}

#[test]
fn scaled_meshes_and_polylines_have_the_right_heights() {
    let low = TABLE.replace("</mesh>", "<scale>2 2 0.5</scale></mesh>");
    let outline: String =
        [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(|[x, y]| format!("<point>{x} {y}</point>")).concat();
    let podium = format!("<polyline>{outline}<height>0.7</height></polyline>");
    let models = [
        model("low", "0 0 0 0 0 0", "<static>true</static>", &low),
        model("podium", "10 0 0 0 0 0", "<static>true</static>", &podium),
        model("on_low", "0.9 0 1 0 0 0", "", BALL),
        model("on_podium", "10 0 1.5 0 0 0", "", BALL),
        model("brick", "20 0 1 0 0 0", "", &podium),
    ];
    let finished = settled(&models.concat());
    expect_height(&finished, "on_low", 0.75, 0.005);
    expect_height(&finished, "on_podium", 0.9, 0.005);
    expect_height(&finished, "brick", 0.35, 0.005);
}

#[test]
fn rays_hit_the_exact_mesh_or_what_is_drawn() {
    let sensor = |name: &str, option: &str| {
        format!(
            "<sensor name='{name}' type='gpu_lidar'><topic>{name}</topic><update_rate>10</update_rate>{option}
             <lidar><range><min>0.1</min><max>10</max></range>
             <scan><horizontal><samples>3</samples><min_angle>-0.25</min_angle><max_angle>0.25</max_angle></horizontal></scan>
             </lidar></sensor>"
        )
    };
    let visuals = "<bridgehead:rays xmlns:bridgehead='https://bridgehead.dev'>visuals</bridgehead:rays>";
    // The second model is drawn 0.9 m in front of the sensors and makes no contact; the table is not drawn.
    let lidar = format!(
        "<model name='car'><static>true</static><pose>-2 0 0.5 0 0 0</pose><link name='l'>{}{}</link></model>
         <model name='ghost'><static>true</static><pose>-1 0 0.5 0 0 0</pose><link name='l'><visual name='v'><geometry><box>
         <size>0.2 2 1</size></box></geometry></visual></link></model>",
        sensor("scan", ""),
        sensor("drawn", visuals)
    );
    let setup = Setup::new().plugins(&["lidar", "logging"]);
    setup.file("table.obj", table());
    let text = world(&format!("{lidar}{}", model("table", "0 0 0 0 0 0", "<static>true</static>", TABLE)));
    let setup = setup.world(&text).bridge("car=logging:out/scan.jsonl");
    let finished = setup.args(["--duration", "0.2s"]).finish().expect_code(0);
    let lines = finished.log("out/scan.jsonl");
    let scan = lines.iter().find(|line| line.is_topic("/car/scan")).expect("a scan");
    // The ray between the legs hits nothing; those at a quarter radian hit the legs at x = -0.5 m.
    let leg = 1.5 / 0.25_f64.cos();
    let ranges = [0, 1, 2].map(|at| scan["message"]["ranges"][at].clone());
    assert!((ranges[0].as_f64().expect("a leg") - leg).abs() < 0.15, "{ranges:?}");
    assert!(ranges[1].as_f64().is_none_or(f64::is_infinite), "{ranges:?}");
    let drawn = lines.iter().find(|line| line.is_topic("/car/drawn")).expect("a scan");
    let range = |at: usize| drawn["message"]["ranges"][at].as_f64().expect("a wall");
    assert!((range(1) - 0.9).abs() < 1e-6, "{}", range(1));
    assert!((range(0) - 0.9 / 0.25_f64.cos()).abs() < 1e-5, "{}", range(0));
}

#[test]
fn errors_of_meshes_are_reported_with_file_and_position() {
    for (mesh, texts) in [
        ("<uri>broken.stl</uri>", ["BH-MSH-003", "broken.stl"]),
        ("<uri>empty.obj</uri>", ["BH-MSH-004", "no triangles"]),
        ("<uri>what.fbx</uri>", ["BH-MSH-002", "expected .obj"]),
        ("<uri>table.obj</uri><submesh><name>leg</name></submesh>", ["BH-MSH-005", "no part `leg`"]),
        ("<uri>absent.obj</uri>", ["BH-SDF-", "absent.obj"]),
    ] {
        let setup = Setup::new();
        setup.file("table.obj", table());
        setup.file("broken.stl", "hello");
        setup.file("empty.obj", "");
        setup.file("what.fbx", "");
        let text = world(&model("m", "0 0 0 0 0 0", "", &format!("<mesh>{mesh}</mesh>")));
        let finished = setup.world(&text).args(["--duration", "0.01s"]).finish().expect_code(9);
        finished.expect_message(&["world.sdf:", texts[0], texts[1]]);
    }
}

/// A cylinder as an OBJ mesh, of which each cap is a fan of triangles.
fn cylinder(sides: usize) -> String {
    let mut text = String::new();
    let ring = (0..sides).map(|side| std::f64::consts::TAU * side as f64 / sides as f64);
    for z in [-0.5, 0.5] {
        ring.clone().for_each(|angle| text += &format!("v {} {} {z}\n", angle.cos(), angle.sin()));
    }
    for side in 0..sides {
        let (here, next) = (side + 1, (side + 1) % sides + 1);
        text += &format!("f {here} {next} {} {}\n", next + sides, here + sides);
    }
    for side in 1..sides - 1 {
        text += &format!("f 1 {} {}\n", side + 2, side + 1);
        text += &format!("f {} {} {}\n", sides + 1, sides + side + 1, sides + side + 2);
    }
    text
}

/// Address space, MiB: half of what the hull of all points would take.
const MEMORY: u64 = 1200;

#[test]
fn a_mesh_with_thousands_of_points_in_a_face_needs_little_memory() {
    let setup = Setup::new().memory(MEMORY);
    setup.file("cylinder.obj", cylinder(4096));
    let drum = model("drum", "0 0 3 0 0 0", "", "<mesh><uri>cylinder.obj</uri></mesh>");
    // In free fall: 3 m less g t² / 2 after half a second.
    expect_height(&settled_in(setup, &drum, "0.5s"), "drum", 3.0 - 1.225, 5e-3);
}
