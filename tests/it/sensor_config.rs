//! Sensors that the configuration file adds to vehicles or changes, without changes of the world file.

use crate::support::{Finished, Setup, world, worlds};

const PLUGINS: &[&str] = &["environment", "imu", "lidar", "logging"];

/// A vehicle with these elements in its link `mast`, and a wall 3 m in front of its origin.
fn scene(elements: &str) -> String {
    let wall = "<model name='wall'><static>true</static><pose>3.5 0 0.5 0 0 0</pose><link name='l'><collision name='c'>
        <geometry><box><size>1 4 1</size></box></geometry></collision></link></model>";
    world(&format!(
        "{wall}<model name='car1'><static>true</static><pose>0 0 0.5 0 0 0</pose><link name='base'/>
         <link name='mast'><pose>0 0 1 0 0 0</pose>{elements}</link></model>"
    ))
}

fn run(sdf: &str, config: &str) -> Finished {
    let setup = Setup::new().plugins(PLUGINS).world(sdf).config(config).args(["--duration", "0.5s"]);
    setup.bridge("car1=logging:out/run.jsonl").finish()
}

fn messages(finished: &Finished) -> Vec<String> {
    let lines = finished.log("out/run.jsonl");
    lines
        .iter()
        .filter(|line| !line.text("topic").is_empty())
        .map(|line| line["message"].to_string())
        .collect()
}

const LIDAR: &str = "[[sensor]]
attach = 'car1'
name = 'front'
type = 'gpu_lidar'
link = 'mast'
pose = [0.1, 0, -1, 0, 0, 0.2]
update_rate = 10
params.lidar.range = { min = 0.1, max = 20 }
params.lidar.scan.horizontal = { samples = 31, min_angle = -1, max_angle = 1 }
";

#[test]
fn a_configured_sensor_behaves_like_one_of_the_world_file() {
    let element =
        "<sensor name='front' type='gpu_lidar'><pose>0.1 0 -1 0 0 0.2</pose><update_rate>10</update_rate>
        <lidar><range><min>0.1</min><max>20</max></range><scan><horizontal><samples>31</samples>
        <min_angle>-1</min_angle><max_angle>1</max_angle></horizontal></scan></lidar></sensor>";
    let from_world = run(&scene(element), "").expect_code(0);
    let from_config = run(&scene(""), LIDAR).expect_code(0);
    assert_eq!(messages(&from_world), messages(&from_config));
    assert_eq!(from_config.log("out/run.jsonl").iter().filter(|line| line.is_topic("/car1/scan")).count(), 5);
    from_config.expect_silence("warning");
}

#[test]
fn a_sensor_can_be_mounted_on_a_sensor_that_is_defined_later() {
    let child = "[[sensor]]\nattach = 'car*'\nname = 'top'\ntype = 'altimeter'\nparent = 'front'\npose = [0, 0, 2, 0, 0, 0]\nframe_id = 'sky'\n";
    let finished = run(&scene(""), &format!("{child}{LIDAR}")).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let reading = lines.iter().find(|line| line.is_topic("/car1/altimeter")).expect("a reading");
    // 0.5 m of the vehicle, 1 m of the mast, 1 m down to the lidar, 2 m up.
    assert!((reading.number("/message/vertical_reference") - 2.5).abs() < 1e-9);
    assert_eq!(reading["message"]["header"]["frame_id"], "sky");
}

/// A camera that names its frame in the file names that of its images, which are in its optical frame.
#[test]
fn an_override_replaces_the_frame_that_a_camera_names() {
    const IMAGE: &str = "<camera><image><width>8</width><height>8</height></image></camera>";
    for (named, expected) in [
        ("<gz_frame_id>eye</gz_frame_id>", "lens"),
        ("<frame_id>eye</frame_id>", "lens"),
        ("", "lens_optical_frame"),
    ] {
        let element =
            format!("<sensor name='c' type='camera'><update_rate>10</update_rate>{named}{IMAGE}</sensor>");
        let change = "[[override]]\npath = 'car1/mast/c'\nframe_id = 'lens'\n";
        let setup = Setup::new().plugins(&["camera", "logging"]).world(&scene(&element)).config(change);
        let finished = setup.args(["--duration", "0.3s"]).bridge("car1=logging:out/run.jsonl").finish();
        let lines = finished.expect_code(0).log("out/run.jsonl");
        let image = lines.iter().find(|line| line.is_topic("/car1/camera/image_raw")).expect("an image");
        assert_eq!(image["message"]["header"]["frame_id"], expected, "{named}");
    }
}

#[test]
fn sensors_of_the_world_can_be_changed_and_disabled() {
    let elements = "<sensor name='imu' type='imu'><update_rate>100</update_rate></sensor>
        <sensor name='spare' type='imu'><topic>spare</topic></sensor>";
    let changes = "[[override]]\npath = 'car1/*/imu'\nupdate_rate = 20\ntopic = 'imu/data'\nparams.imu.enable_orientation = false\n
        [[override]]\npath = 'car1/mast/spare'\nenabled = false\n";
    let finished = run(&scene(elements), changes).expect_code(0);
    let lines = finished.log("out/run.jsonl");
    let samples: Vec<_> = lines.iter().filter(|line| line.is_topic("/car1/imu/data")).collect();
    assert_eq!(samples.len(), 10);
    assert!((samples[0].number("/message/orientation_covariance/0") + 1.0).abs() < 1e-12);
    assert!(!lines.iter().any(|line| line.is_topic("/car1/spare")));
}

#[test]
fn invalid_sensors_are_reported_with_their_line() {
    let cases = [
        ("link = 'mastt'", "BH-SIM-212", "`car1` has no link `mastt` for the sensor `s`; it has: base, mast"),
        ("parent = 'absent'", "BH-SIM-214", "`car1/s` on `absent`"),
        ("parent = 's'", "BH-SIM-214", "`car1/s` on `s`"),
        ("link = 'mast'\nparent = 'x'", "BH-CFG", "a sensor has a `link` or a `parent`, not both"),
        ("pose = [1, 2]", "BH-CFG", "six numbers: x, y, z, roll, pitch, yaw"),
        ("colour = 'red'", "BH-CFG-004", "colour"),
    ];
    for (line, code, text) in cases {
        let config = format!("[[sensor]]\nattach = 'car1'\nname = 's'\ntype = 'imu'\n{line}\n");
        run(&scene(""), &config).expect_code(1).expect_message(&[code, text, "config.toml:"]);
    }
    let duplicate = "[[sensor]]\nattach = 'car1'\nname = 'imu'\ntype = 'imu'\nlink = 'mast'\n";
    let finished = run(&scene("<sensor name='imu' type='imu'/>"), duplicate).expect_code(1);
    finished.expect_message(&["BH-SIM-213", "`car1/mast/imu`", "config.toml:1"]);
    let no_match = "[[override]]\npath = 'car1/imu'\nenabled = false\n";
    let finished = run(&scene("<sensor name='imu' type='imu'/>"), no_match).expect_code(1);
    finished.expect_message(&["BH-SIM-211", "it has: car1/mast/imu"]);
    let unknown = "[[sensor]]\nattach = 'car1'\nname = 's'\ntype = 'sonnar'\n";
    run(&scene(""), unknown).expect_code(0).expect_message(&["BH-PLG-093", "sonnar"]);
}

#[test]
fn the_example_in_the_worlds_folder_runs() {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "environment", "imu", "lidar", "logging"]);
    let config = worlds().join("sensors.toml");
    let setup = setup.run(&worlds().join("minimal_vehicle.sdf")).arg("--config").arg(config);
    let finished = setup.bridge("robot=logging:out/run.jsonl").finish();
    let finished = finished.expect_code(0);
    finished.expect_silence("warning");
    let lines = finished.log("out/run.jsonl");
    let count = |topic: &str| lines.iter().filter(|line| line.is_topic(topic)).count();
    assert_eq!(count("/robot/scan"), 50);
    assert_eq!(count("/robot/altimeter"), 100);
    assert_eq!(count("/robot/imu"), 1000);
}
