//! Plugins in Python: scripts in a plugin folder, which the host runs in workers. Without Python 3.11 these tests are
//! skipped.

mod bridges;
mod faults;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::support::{Finished, Line, Python, Setup, root, target, world};

/// A setup with a script in its plugin folder, and an interpreter for it.
#[track_caller]
fn setup(name: &str, script: &str) -> Option<Setup> {
    // In the standard library since Python 3.11.
    with_modules("tomllib", name, script)
}

#[track_caller]
fn with_modules(modules: &str, name: &str, script: &str) -> Option<Setup> {
    let python = Python::with(modules)?;
    let setup = Setup::new().plugins(&["logging"]);
    fs::write(setup.plugin_folder().join(format!("{name}.py")), script).expect("a script");
    // The host of a test is no part of an installation with the package.
    let package = root().join("host/python/src");
    let setup = setup.env("BRIDGEHEAD_PYTHON", python.program());
    let compiled = target().join("pycache");
    Some(setup.env("PYTHONPATH", python.packages_beside(&package)).env("PYTHONPYCACHEPREFIX", compiled))
}

/// The head of a script of this kind.
fn head(kind: &str) -> String {
    format!("# /// bridgehead\n# kind = \"{kind}\"\n# ///\n")
}

/// A vehicle at a height, with what stands in its link and in its model.
fn car(in_link: &str, in_model: &str) -> String {
    let link = format!("<link name='mast'><pose>0 0 1 0 0 0</pose>{in_link}</link>");
    world(&format!("<model name='car1'><pose>0 0 4 0 0 0</pose>{link}{in_model}</model>"))
}

fn of_topic(finished: &Finished, topic: &str) -> Vec<Value> {
    let lines = finished.log("out/log.jsonl");
    let found = lines.iter().filter(|line: &&Line| line.is_topic(topic));
    found.map(|line| line.0["message"].clone()).collect()
}

const ALTIMETER: &str = r#"
from bridgehead.messages.std_msgs import Float64
from bridgehead.plugin import Sensor, Step

class Altimeter(Sensor):
    def awake(self) -> None:
        self.offset = self.param("offset", 0.0)
        self.height = self.advertise(Float64)
        print("the offset is", self.offset)

    def sample(self, step: Step) -> None:
        self.height.publish(Float64(data=self.link_state().pose.position[2] + self.offset))
"#;

/// The first script of the page.
fn of_page() -> String {
    let page = fs::read_to_string(root().join("docs/python-plugins.md")).expect("the page");
    let block = page.split("```python\n").nth(1).and_then(|text| text.split("```").next());
    block.expect("a script").to_owned()
}

#[test]
fn a_sensor_of_twelve_lines_publishes_at_its_rate() {
    for script in [of_page(), head("model") + ALTIMETER] {
        let Some(setup) = setup("altimeter", &script) else { return };
        let sensor = "<sensor name='a' type='custom'><topic>height</topic><update_rate>10</update_rate>\
                      <plugin name='a' filename='altimeter'><offset>0.5</offset></plugin></sensor>";
        let setup = setup.world(&car(sensor, "")).bridge("car1=logging:out/log.jsonl");
        let finished = setup.args(["--duration", "1s"]).finish().expect_code(0);
        assert_eq!(of_topic(&finished, "/car1/height"), vec![json!({ "data": 5.5 }); 10]);
        if script.contains("print(") {
            finished.expect_message(&["the offset is 0.5"]);
        }
    }
}

#[test]
fn a_parameter_of_another_type_is_refused_with_its_place() {
    let Some(setup) = setup("altimeter", &(head("model") + ALTIMETER)) else { return };
    let sdf = car("", "<plugin name='a' filename='altimeter'><offset>high</offset></plugin>");
    let finished = setup.world(&sdf).args(["--duration", "0.1s"]).finish();
    finished.expect_message(&[
        "the parameter `offset` is `high`, expected a number",
        "world.sdf",
        "altimeter.py:10",
    ]);
}

const FILTER: &str = r#"
import dataclasses
import numpy
from bridgehead.messages.sensor_msgs import LaserScan
from bridgehead.plugin import ModelPlugin, Step

class Filter(ModelPlugin):
    """Forgets what is far away."""

    def awake(self) -> None:
        self.scans = self.subscribe(LaserScan, "scan")
        self.filtered = self.advertise(LaserScan, "filtered")

    def control(self, step: Step) -> None:
        scan = self.scans.latest()
        if scan is not None:
            assert isinstance(scan.ranges, numpy.ndarray) and not scan.ranges.flags.owndata
            near = numpy.where(scan.ranges < 3.0, scan.ranges, numpy.inf)
            self.filtered.publish(dataclasses.replace(scan, ranges=near))
"#;

#[test]
fn a_filter_gets_arrays_of_numpy_without_a_copy_and_publishes_others() {
    // 20,000 rays do not fit into a message, so they pass through the shared memory.
    for rays in [9, 20_000] {
        let Some(setup) = with_modules("numpy, tomllib", "filter", &(head("model") + FILTER)) else { return };
        let lidar = format!(
            "<sensor name='lidar' type='lidar'><topic>scan</topic><update_rate>10</update_rate><lidar><scan>\
             <horizontal><samples>{rays}</samples><min_angle>-1.5</min_angle><max_angle>1.5</max_angle></horizontal>\
             </scan><range><min>0.1</min><max>20</max></range></lidar></sensor>"
        );
        let wall = "<model name='wall'><static>true</static><pose>3 0 5 0 0 0</pose><link name='l'><collision name='c'>\
                    <geometry><box><size>1 90 9</size></box></geometry></collision></link></model>";
        let vehicle = car(&lidar, "<plugin name='f' filename='filter'/>");
        let sdf = vehicle.replace("</world>", &format!("{wall}</world>"));
        let setup = setup.plugins(&["lidar"]).world(&sdf).bridge("car1=logging:out/log.jsonl");
        let finished = setup.args(["--duration", "1s"]).finish().expect_code(0);
        let filtered = of_topic(&finished, "/car1/filtered");
        assert_eq!(filtered.len(), 10, "{finished}");
        let ranges = filtered[0]["ranges"].as_array().expect("ranges");
        assert_eq!(ranges.len(), rays);
        assert!((ranges[rays / 2].as_f64().expect("a distance") - 2.5).abs() < 0.01, "the wall ahead");
        assert!(ranges[0].as_f64().is_none_or(f64::is_infinite), "the wall beside is too far: {}", ranges[0]);
        assert_eq!(filtered[0]["header"]["frame_id"], "car1/mast/lidar");
    }
}

const MILL: &str = r#"
import struct
from bridgehead.messages.std_msgs import Float64
from bridgehead.messages.std_srvs import TriggerRequest, TriggerResponse
from bridgehead.plugin import Controller, Step

class Mill(Controller):
    speed = 0.0

    def awake(self) -> None:
        self.axle = self.find_joint("axle")
        self.turns = self.advertise(Float64, "turns")
        self.commands = self.subscribe(Float64, "speed")
        self.offer("faster", TriggerRequest, TriggerResponse, self.faster)

    def faster(self, request: TriggerRequest) -> TriggerResponse:
        self.speed += 1.0
        return TriggerResponse(success=True, message=f"{self.speed}")

    def reset(self) -> None:
        self.speed = 2.0

    def control(self, step: Step) -> None:
        self.joint_velocity(self.axle, self.speed, 50.0)
        if step.number == 500:
            self.call_service("/mill/faster", TriggerRequest())
        if step.number % 100 == 0:
            self.turns.publish({"data": self.joint_state(self.axle).velocity})

    def save(self) -> bytes:
        return struct.pack("<d", self.speed)

    def load(self, state: bytes) -> None:
        (self.speed,) = struct.unpack("<d", state)
"#;

#[test]
fn a_controller_turns_a_joint_and_offers_a_service() {
    let Some(setup) = setup("mill", &(head("model") + MILL)) else { return };
    let body = |name: &str| {
        format!("<link name='{name}'><pose>0 0 1 0 0 0</pose><inertial><mass>1</mass></inertial></link>")
    };
    let sdf = world(&format!(
        "<model name='mill'>{}{}<joint name='fixed' type='fixed'><parent>world</parent><child>post</child></joint>\
         <joint name='axle' type='revolute'><parent>post</parent><child>wheel</child><axis><xyz>0 1 0</xyz></axis>\
         </joint><plugin name='m' filename='mill'/></model>",
        body("post"),
        body("wheel")
    ));
    let setup = setup.world(&sdf).bridge("mill=logging:out/log.jsonl").args(["--duration", "1s"]);
    let finished = setup.finish().expect_code(0);
    let turns = of_topic(&finished, "/mill/turns");
    let speeds: Vec<f64> = turns.iter().filter_map(|turn| turn["data"].as_f64()).collect();
    let is_near =
        |place: usize, speed: f64| speeds.get(place).is_some_and(|found| (found - speed).abs() < 0.01);
    assert!(is_near(4, 2.0), "as `reset` says: {speeds:?}");
    assert!(is_near(9, 3.0), "as the service says: {speeds:?}");
}

const RADAR: &str = r#"
from bridgehead.messages.std_msgs import Header
from bridgehead.plugin import Sensor, Step, message

@message("radar_msgs")
class RadarTarget:
    name: str = ""
    distances: tuple[float, ...] = ()

@message("radar_msgs")
class RadarSweep:
    header: Header = Header()
    targets: tuple[RadarTarget, ...] = ()
    count: int = 0

class Radar(Sensor):
    def awake(self) -> None:
        self.sweeps = self.advertise(RadarSweep, "sweeps")

    def sample(self, step: Step) -> None:
        targets = (RadarTarget("a", (1.0, 2.5)), RadarTarget("b"))
        header = Header(frame_id=self.attachment.frame_id)
        self.sweeps.publish(RadarSweep(header, targets, -2))
"#;

#[test]
fn a_message_of_its_own_reaches_every_bridge() {
    let Some(setup) = setup("radar", &(head("model") + RADAR)) else { return };
    let sensor = "<sensor name='r' type='custom'><update_rate>10</update_rate>\
                  <plugin name='r' filename='radar'/></sensor>";
    let setup =
        setup.world(&car(sensor, "")).bridge("car1=logging:out/log.jsonl").args(["--duration", "0.1s"]);
    let finished = setup.finish().expect_code(0);
    let sweeps = of_topic(&finished, "/car1/sweeps");
    assert_eq!(sweeps.len(), 1, "{finished}");
    assert_eq!(sweeps[0]["count"], -2);
    assert_eq!(sweeps[0]["header"]["frame_id"], "car1/mast/r");
    let targets = json!([{ "name": "a", "distances": [1.0, 2.5] }, { "name": "b", "distances": [] }]);
    assert_eq!(sweeps[0]["targets"], targets);
}

#[test]
fn a_listing_shows_scripts_without_running_them() {
    let Some(setup) = setup("altimeter", &(head("model") + "raise SystemExit(1)\n")) else { return };
    let folder = setup.plugin_folder();
    fs::write(folder.join("tool.py"), "print('no plugin')\n").expect("a script");
    fs::write(folder.join("unmarked.py"), "from bridgehead.plugin import Sensor\n").expect("a script");
    let finished = setup.args(["plugin", "list", "--plugin-path"]).arg(folder).finish().expect_code(0);
    let text = finished.stdout();
    let line = text.lines().find(|line| line.starts_with("altimeter ")).expect("the script");
    assert!(
        line.contains("model") && line.contains("available") && line.contains("local.model.altimeter"),
        "{line}"
    );
    assert!(
        text.contains("BH-PLG-038") && text.contains("unmarked.py") && !text.contains("tool.py"),
        "{text}"
    );
}

#[test]
fn without_an_interpreter_only_a_run_with_a_script_fails_and_says_what_to_do() {
    let sdf = car("", "<plugin name='a' filename='altimeter'/>");
    let without_python = |world: &str| {
        let setup = setup("altimeter", &(head("model") + ALTIMETER))?;
        let setup = setup.env("BRIDGEHEAD_PYTHON", "").env("VIRTUAL_ENV", "").env("PATH", "/nowhere");
        Some(setup.world(world).args(["--duration", "0.1s"]).finish())
    };
    let Some(finished) = without_python(&world("")) else { return };
    finished.expect_code(0).expect_silence("BH-PLG");
    let finished = without_python(&sdf).expect("Python");
    finished.expect_message(&["[BH-PLG-087]", "`PATH` has no `python3`", "install Python 3.11 or newer"]);
}

/// An interpreter that is started with other last arguments than those of the host.
fn interpreter(setup: &Setup, change: &str) -> PathBuf {
    let python = Python::with("tomllib").expect("it was found before");
    let script =
        format!("#!/bin/sh\nexec '{}' -c '\n{REPLACE}' '{change}' \"$@\"\n", python.program().display());
    let path = setup.file("python", script);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("an executable file");
    path
}

/// Starts the interpreter again, without packages that are installed, and without the package beside the host or with
/// another fingerprint.
const REPLACE: &str = "import os, sys\nchange, *words = sys.argv[1:]\nif change == \"package\": words[-1] = \"\"\n\
                       else: words[-2] = change\nos.execv(sys.executable, [sys.executable, \"-I\", *words])";

#[test]
fn an_interpreter_without_the_package_or_with_another_version_says_so() {
    let sdf = car("", "<plugin name='a' filename='altimeter'/>");
    for (change, text) in [
        ("package", "cannot import the package `bridgehead`"),
        ("0123", "has a package `bridgehead` of another version than this host"),
    ] {
        let Some(setup) = setup("altimeter", &(head("model") + ALTIMETER)) else { return };
        let python = interpreter(&setup, change);
        let setup = setup.env("BRIDGEHEAD_PYTHON", python).world(&sdf).args(["--duration", "0.1s"]);
        setup.finish().expect_message(&["[BH-PLG-088]", text, "pip install bridgehead"]);
    }
}
