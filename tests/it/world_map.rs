//! `bridgehead world map`: the two files against what a lidar sees in the same world, and what it refuses.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Finished, Setup, world, worlds};

/// An image with the description of its map.
struct Map {
    resolution: f64,
    origin: [f64; 2],
    size: [usize; 2],
    cells: Vec<u8>,
}

impl Map {
    /// Reads both files, as `map_server` does it: YAML by a library, and an image in binary PGM.
    #[track_caller]
    fn read(yaml: &Path) -> Self {
        let text = fs::read_to_string(yaml).expect("the description");
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key}: ")));
            line.unwrap_or_else(|| panic!("{key} in {text}")).to_owned()
        };
        assert_eq!((value("mode").as_str(), value("negate").as_str()), ("trinary", "0"));
        assert_eq!((value("occupied_thresh").as_str(), value("free_thresh").as_str()), ("0.65", "0.196"));
        let origin: Vec<f64> = serde_json::from_str(&value("origin")).expect("three numbers");
        let image: String = serde_json::from_str(&value("image")).expect("a name");
        let bytes = fs::read(yaml.with_file_name(image)).expect("the image");
        let mut header = bytes.splitn(4, |byte| *byte == b'\n');
        let mut line = || std::str::from_utf8(header.next().expect("a line")).expect("text").to_owned();
        let (kind, size, greatest) = (line(), line(), line());
        assert_eq!((kind.as_str(), greatest.as_str()), ("P5", "255"));
        let size: Vec<usize> = size.split(' ').map(|number| number.parse().expect("a number")).collect();
        let cells = header.next().expect("pixels").to_vec();
        assert_eq!(cells.len(), size[0] * size[1]);
        assert_eq!(origin[2].to_bits(), 0);
        Map {
            resolution: value("resolution").parse().expect("a number"),
            origin: [origin[0], origin[1]],
            size: [size[0], size[1]],
            cells,
        }
    }

    /// The grey at a point of the world: the first row has the highest y.
    fn at(&self, [x, y]: [f64; 2]) -> u8 {
        let index = |value: f64, origin: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside of the map")]
            let index = ((value - origin) / self.resolution).floor() as usize;
            index
        };
        let (column, row) = (index(x, self.origin[0]), index(y, self.origin[1]));
        self.cells[(self.size[1] - 1 - row) * self.size[0] + column]
    }
}

const OCCUPIED: u8 = 0;
const FREE: u8 = 254;
const UNKNOWN: u8 = 205;

#[track_caller]
fn draw(setup: Setup, options: &[&str]) -> (Map, Finished) {
    let file = setup.path("maps/map.yaml");
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    let setup = options.iter().fold(setup.arg(&file), |setup, option| setup.arg(option));
    let finished = setup.finish().expect_code(0);
    (Map::read(&file), finished)
}

/// What is at a place of a scan is in the map, and what is between the lidar and it is not.
#[test]
fn a_map_shows_what_a_lidar_sees() {
    let file = worlds().join("drive_to_goal.sdf");
    let height = "0.2";
    let (map, finished) = draw(Setup::new().args(["world", "map"]).arg(&file), &["--height", height]);
    assert!(finished.stdout().contains("left out, because they can move (--with MODEL): "), "{finished}");
    let mut hits = 0;
    for scan in scans(&file) {
        let number = |name: &str| scan[name].as_f64().expect("a number");
        let ranges = scan["ranges"].as_array().expect("ranges");
        for (index, range) in ranges.iter().enumerate() {
            let Some(range) = range.as_f64() else { continue };
            let angle = number("angle_min") + number("angle_increment") * index as f64;
            let at = |range: f64| [range * angle.cos(), range * angle.sin()];
            // A hit is at the surface of a solid, whose cells begin there; noise and digits of a scan are below 3 cm.
            let surface = [0.0, 0.03, -0.03].map(|more| map.at(at(range + more)));
            assert!(surface.contains(&OCCUPIED), "{:?}: {surface:?}", at(range));
            let way = (1..10).map(|tenth| (range - 0.1) * f64::from(tenth) / 10.0).filter(|way| *way > 0.3);
            for way in way {
                assert_eq!(map.at(at(way)), FREE, "{:?} on the way to {:?}", at(way), at(range));
            }
            hits += 1;
        }
    }
    assert!(hits > 100, "{hits}");
}

/// A wall of 2 m that closes off a room, and a crate that can move.
fn closed_room() -> String {
    let wall = |name: &str, pose: &str, size: &str| {
        format!(
            "<model name='{name}'><static>true</static><pose>{pose} 0.5 0 0 0</pose><link name='l'><collision name='c'>\
             <geometry><box><size>{size} 1</size></box></geometry></collision></link></model>"
        )
    };
    world(&format!(
        "{}{}{}{}<model name='crate'><pose>0 0 0.25 0 0 0</pose><link name='l'><inertial><mass>1</mass></inertial>\
         <collision name='c'><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>",
        wall("north", "0 1", "2.2 0.2"),
        wall("south", "0 -1", "2.2 0.2"),
        wall("east", "1 0", "0.2 2.2"),
        wall("west", "-1 0", "0.2 2.2"),
    ))
}

/// The command for a world of the setup.
fn of(setup: Setup, text: &str) -> Setup {
    let file = setup.file("room.sdf", text);
    setup.args(["world", "map"]).arg(file)
}

#[test]
fn what_cannot_be_reached_is_unknown_and_what_can_move_is_in_the_map_by_request() {
    let inside = [0.6, 0.6];
    let (map, _) = draw(of(Setup::new(), &closed_room()), &["--resolution", "0.1"]);
    assert_eq!((map.at([0.0, 0.0]), map.at(inside), map.at([1.5, 0.0])), (FREE, FREE, FREE));
    assert_eq!((map.at([1.0, 0.0]), map.at([0.0, 1.05])), (OCCUPIED, OCCUPIED));
    let options = ["--from", "0.6 0.6", "--with", "crate", "--without", "west"];
    let (map, finished) = draw(of(Setup::new(), &closed_room()), &options);
    assert_eq!((map.at([0.0, 0.0]), map.at(inside)), (OCCUPIED, FREE));
    assert_eq!(map.at([-1.05, 0.05]), FREE, "there is no wall in the west");
    assert!(finished.stdout().contains("unknown 0"), "{finished}");
    let (map, _) =
        draw(of(Setup::new(), &closed_room()), &["--from", "0.6 0.6", "--area", "-1.5 -1.5 2 1.5"]);
    assert_eq!((map.at(inside), map.at([1.5, 0.0]), map.at([-1.3, -1.3])), (FREE, UNKNOWN, UNKNOWN));
    assert_eq!(map.size, [70, 60]);
}

#[test]
fn wrong_requests_are_refused_and_write_nothing() {
    for (options, reason) in [
        (["--height", "20"], "[BH-PIC-004]: no model of the map is 20 m above the origin"),
        (["--resolution", "0"], "[BH-PIC-008]: `--resolution 0` is not a number of metres, at least 0.001"),
        (["--height", "nan"], "[BH-PIC-008]: `--height NaN` is not a number of metres"),
        (["--area", "1 1 0 0"], "[BH-PIC-008]: `--area 1 1 0 0` is not X_MIN Y_MIN X_MAX Y_MAX"),
        (["--area", "-1e300 -1e300 1e300 1e300"], "[BH-PIC-005]: an area of "),
        (["--from", "0"], "[BH-PIC-008]: `--from 0` is not X Y"),
        (["--from", "1 0"], "[BH-PIC-007]: `--from 1 0` is inside of a model"),
        (["--from", "9 9"], "[BH-PIC-007]: `--from 9 9` is outside of the map"),
        (["--with", "craet"], "[BH-PIC-006]: `--with craet` names no movable model of "),
        (["--without", "crate"], "[BH-PIC-006]: `--without crate` names no static model of "),
    ] {
        let setup = of(Setup::new(), &closed_room());
        let (yaml, image) = (setup.path("map.yaml"), setup.path("map.pgm"));
        let finished = setup.arg(&yaml).args(options).finish().expect_code(1);
        let _finished = finished.expect_message(&[reason]);
        assert!(!yaml.exists() && !image.exists(), "{reason}");
    }
}

#[test]
fn existing_files_are_kept_unless_they_may_be_overwritten() {
    let setup = of(Setup::new(), &closed_room());
    let image = setup.file("map.pgm", "precious");
    let yaml = setup.path("map.yaml");
    let finished = setup.arg(&yaml).finish().expect_code(1);
    let _finished = finished.expect_message(&["[BH-PIC-009]", "--overwrite"]);
    assert_eq!(fs::read_to_string(&image).expect("the file"), "precious");
    let setup = of(Setup::new(), &closed_room());
    let finished = setup.arg("/nowhere/map.yaml").finish().expect_code(1);
    finished.expect_message(&["[BH-PIC-009]"]);
    let setup = of(Setup::new(), &closed_room());
    let finished = setup.arg("map.png").finish().expect_code(1);
    finished.expect_message(&["does not end in `.yaml`"]);
}

/// Scans of the robot of a world, which stands at the origin.
fn scans(file: &Path) -> Vec<Value> {
    let setup =
        Setup::new().plugins(&["camera", "diff_drive", "entities", "joint_state", "lidar", "logging"]);
    let finished = setup
        .run(file)
        .args(["--duration", "1s", "--speed", "unlimited"])
        .bridge("robot=logging:scans.jsonl;topics=/robot/scan")
        .finish()
        .expect_code(0);
    let text = fs::read_to_string(finished.path("scans.jsonl")).expect("a log");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["topic"] == "/robot/scan").map(|mut line| line["message"].take()).collect()
}
