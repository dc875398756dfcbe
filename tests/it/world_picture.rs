//! `bridgehead world picture`: what it shows of a world, and what it refuses.

use std::fs::{self, File};
use std::path::Path;

use crate::support::{Setup, world, worlds};

/// Columns and rows.
const SIZE: [usize; 2] = [64, 48];

/// A bright red cube in front of the camera that the world has for its user interface, whose collision is a smaller cube.
/// It is on a robot that has a plugin, a sensor and a label.
fn scene() -> String {
    world(
        "<gui><camera name='user_camera'><pose>-3 0 0.5 0 0 0</pose></camera></gui>\
         <scene><ambient>0 0 0 1</ambient><background>0 0 0 1</background></scene>\
         <model name='picture'><static>true</static><link name='l'>\
         <collision name='c'><pose>0 0 0.5 0 0 0</pose><geometry><box><size>0.5 0.5 0.5</size></box></geometry></collision>\
         <visual name='v'><pose>0 0 0.5 0 0 0</pose><geometry><box><size>1 1 1</size></box></geometry>\
         <material><diffuse>1 0 0 1</diffuse><emissive>1 0 0 1</emissive></material>\
         <plugin filename='gz-sim-label-system' name='gz::sim::systems::Label'><label>5</label></plugin></visual>\
         <sensor name='s' type='imu'><update_rate>10</update_rate></sensor></link>\
         <plugin filename='gz-sim-pose-publisher-system' name='gz::sim::systems::PosePublisher'/></model>",
    )
}

/// An image, with its channels.
struct Png {
    size: [usize; 2],
    channels: usize,
    bytes: Vec<u8>,
}

impl Png {
    #[track_caller]
    fn read(path: &Path) -> Self {
        let file = std::io::BufReader::new(File::open(path).expect("the picture"));
        let mut reader = png::Decoder::new(file).read_info().expect("a PNG file");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut bytes).expect("pixels");
        let size = [info.width, info.height].map(|pixels| usize::try_from(pixels).expect("it fits"));
        Png { size, channels: info.color_type.samples(), bytes }
    }

    fn at(&self, column: usize, row: usize) -> &[u8] {
        let first = (row * self.size[0] + column) * self.channels;
        &self.bytes[first..first + self.channels]
    }
}

/// The command, with the plugins of a setup.
fn command(setup: Setup) -> Setup {
    let folder = setup.plugin_folder();
    setup.args(["world", "picture", "--plugin-path"]).arg(folder)
}

/// Draws the scene with options.
#[track_caller]
fn draw(options: &[&str]) -> Png {
    let setup = Setup::new().plugins(&["camera"]);
    let file = setup.file("w.sdf", scene());
    let picture = file.with_file_name("out.png");
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let setup = options.iter().fold(command(setup).args(["--size", &size]), Setup::arg);
    let finished = setup.arg(&file).arg(&picture).finish().expect_code(0);
    // Neither sensors nor plugins take part, and nothing is said about the run.
    finished.expect_silence("warning");
    finished.expect_silence("info");
    let png = Png::read(&picture);
    assert_eq!(png.size, SIZE);
    png
}

#[test]
fn a_picture_shows_what_was_asked_for_from_the_view_of_the_world() {
    let color = draw(&[]);
    assert_eq!((color.channels, color.at(32, 24), color.at(2, 2)), (3, &[255, 0, 0][..], &[0, 0, 0][..]));
    // The face is 2.5 m away and the only surface, so the nearest and the farthest.
    let depth = draw(&["--show", "depth"]);
    assert_eq!((depth.channels, depth.at(32, 24), depth.at(2, 2)), (1, &[255][..], &[0][..]));
    let labels = draw(&["--show", "labels"]);
    assert!(labels.at(32, 24) != [0; 3] && labels.at(2, 2) == [0; 3], "{:?}", labels.at(32, 24));
    // The focal length is 55.5 pixels: half a metre at 2.5 m is 11 pixels from the middle, a quarter at 2.75 m 5 pixels.
    let shapes = draw(&["--show", "collisions"]);
    assert!(color.at(32 + 8, 24) == [255, 0, 0] && shapes.at(32 + 8, 24) == [0; 3]);
    assert!(shapes.at(32, 24)[0] > 60, "{:?}", shapes.at(32, 24));
    let away = draw(&["--camera=-3 0 0.5 0 0 3.14"]);
    assert_eq!(away.at(32, 24), [0; 3]);
}

#[test]
fn a_world_without_a_view_is_seen_from_above() {
    let setup = Setup::new().plugins(&["camera"]);
    let picture = setup.file("unused", "").with_file_name("out.png");
    let setup = command(setup).args(["--size", "320x180"]).arg(worlds().join("two_vehicles.sdf"));
    let _finished = setup.arg(&picture).finish().expect_code(0);
    let png = Png::read(&picture);
    let colors: std::collections::BTreeSet<&[u8]> = png.bytes.chunks_exact(3).collect();
    assert!(colors.len() > 100, "{} colours", colors.len());
}

#[test]
fn wrong_options_write_nothing_and_say_what_to_do() {
    let cases: [(&[&str], &[&str]); 5] = [
        (&["--size", "640"], &["BH-PIC-003", "WIDTHxHEIGHT"]),
        (&["--size", "0x10"], &["BH-PIC-002", "camera/image/width"]),
        (&["--size", "100000x100000"], &["BH-PIC-002", "camera/image"]),
        (&["--camera", "1 2 3"], &["BH-PIC-003", "six numbers"]),
        (&["--field-of-view", "4"], &["BH-PIC-002", "horizontal_fov"]),
    ];
    for (options, expected) in cases {
        let setup = Setup::new().plugins(&["camera"]);
        let file = setup.file("w.sdf", scene());
        let picture = file.with_file_name("out.png");
        let setup = options.iter().fold(command(setup), Setup::arg);
        let finished = setup.arg(&file).arg(&picture).finish();
        let _finished = finished.expect_code(1).expect_message(expected);
        assert!(!picture.exists(), "{options:?}");
    }
    let setup = Setup::new().plugins(&["camera"]);
    let (file, picture) = (setup.file("w.sdf", scene()), setup.file("out.png", "mine"));
    let finished = command(setup).arg(&file).arg(&picture).finish();
    let _finished = finished.expect_code(1).expect_message(&["BH-PIC-001", "the file exists", "--overwrite"]);
    assert_eq!(fs::read_to_string(&picture).expect("the file"), "mine");
}

#[test]
fn without_the_plugin_of_cameras_there_is_no_picture() {
    let setup = Setup::new().plugins(&["clock"]);
    let file = setup.file("w.sdf", scene());
    let picture = file.with_file_name("out.png");
    let finished = command(setup).arg(&file).arg(&picture).finish();
    let _finished = finished.expect_code(1).expect_message(&["BH-PIC-002", "no model plugin `camera`"]);
    assert!(!picture.exists());
}
