//! The models of `worlds/models` in their worlds: they rest, move as a closed form says, measure what it says, and have
//! one tree of frames; saved worlds and snapshots of them go on alike.

mod arms;
mod drives;
mod flight;
mod frames;
mod legs;
mod sensors;
mod states;

use serde_json::{Value, json};

use crate::support::{PAUSED, Served, Setup, eventually, is_long, worlds};

/// Every plugin that a model or its world names.
const PLUGINS: &[&str] = &[
    "ackermann",
    "aero",
    "battery",
    "camera",
    "clock",
    "contact",
    "diff_drive",
    "entities",
    "environment",
    "force_torque",
    "imu",
    "joint_control",
    "joint_state",
    "lidar",
    "logging",
    "navsat",
    "sonar",
    "traction",
];

/// A model, which is in a world of its name.
struct Model {
    name: &'static str,
    /// Topic of its imu, below its name.
    imu: Option<&'static str>,
    /// Paths of standard deviations that are set to 0.
    noise: &'static [&'static str],
}

const TURTLEBOT3: Model = Model {
    name: "turtlebot3_like",
    imu: Some("imu"),
    noise: &["link[imu_link].sensor[imu].imu", "link[base_scan].sensor[lds].lidar"],
};
const HUSKY: Model = Model {
    name: "husky_like",
    imu: Some("sensors/imu_0/data"),
    noise: &["link[base_link].sensor[imu_0].imu", "link[base_link].sensor[lidar2d_0].lidar"],
};
const RACECAR: Model = Model {
    name: "racecar_like",
    imu: Some("sensors/imu/raw"),
    noise: &["link[base_link].sensor[imu].imu", "link[base_link].sensor[laser].lidar"],
};
const CREATE3: Model = Model { name: "create3_like", imu: Some("imu"), noise: &[] };

const UR5E: Model = Model { name: "ur5e_like", imu: None, noise: &[] };
const FR3: Model = Model { name: "fr3_like", imu: None, noise: &[] };
const GO2: Model = Model { name: "go2_like", imu: Some("imu"), noise: &[] };
const X500: Model =
    Model { name: "x500_like", imu: Some("imu"), noise: &["link[base_link].sensor[imu_sensor].imu"] };

const MODELS: &[Model] = &[TURTLEBOT3, HUSKY, RACECAR, CREATE3, UR5E, FR3, GO2, X500];

impl Model {
    /// The world of the model without noise.
    fn setup(&self) -> Setup {
        let setup = Setup::new().plugins(PLUGINS).run(&worlds().join(format!("{}.sdf", self.name)));
        self.noise_paths().into_iter().fold(setup, |setup, path| setup.args(["--set", &path]))
    }

    fn noise_paths(&self) -> Vec<String> {
        let mut paths = Vec::new();
        for place in self.noise {
            let parts: &[&str] = if place.ends_with(".imu") {
                &[
                    "angular_velocity.x.",
                    "angular_velocity.y.",
                    "angular_velocity.z.",
                    "linear_acceleration.x.",
                    "linear_acceleration.y.",
                    "linear_acceleration.z.",
                ]
            } else {
                &[""]
            };
            let name = self.name;
            paths
                .extend(parts.iter().map(|part| format!("world.model[{name}].{place}.{part}noise.stddev=0")));
        }
        paths
    }

    /// Starts the world, paused at 0.
    #[track_caller]
    fn start(&self) -> Served {
        started(self.setup())
    }

    /// The newest message of a topic below the name of the model.
    #[track_caller]
    fn read(&self, host: &Served, topic: &str) -> Value {
        read(host, &format!("/{}/{topic}", self.name))
    }
}

#[track_caller]
fn started(setup: Setup) -> Served {
    let host = Served::start(setup.args(["--start", "paused", "--speed", "unlimited"]));
    eventually("paused", || host.state() == PAUSED);
    host
}

#[track_caller]
fn step(host: &Served, steps: u64) {
    host.ok("step_simulation", json!({ "steps": steps }));
}

#[track_caller]
fn read(host: &Served, topic: &str) -> Value {
    let read = host.ok("read_topic", json!({ "topic": topic }));
    let text = read["json"].as_str().unwrap_or_else(|| panic!("{topic}: {read}"));
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{topic}: {error}: {text}"))
}

/// Subscribes to a topic, of which there may be no message yet.
#[track_caller]
fn listen(host: &Served, topic: &str) {
    let read = host.call("read_topic", json!({ "topic": topic }));
    let text = read["result"]["error_message"].as_str().unwrap_or_default();
    assert!(text.is_empty() || text.starts_with("[BH-CTL-017]"), "{topic}: {read}");
}

/// Publishes a message on a topic below the name of the model.
#[track_caller]
fn publish(host: &Served, topic: &str, message: &Value) {
    host.ok("publish_message", json!({"topic": topic, "json": message.to_string()}));
}

/// Positions of joints by a message with the states of all.
fn positions<const N: usize>(states: &Value, joints: [&str; N]) -> [f64; N] {
    let names = states["name"].as_array().unwrap_or_else(|| panic!("no names: {states}"));
    joints.map(|joint| {
        let place =
            names.iter().position(|name| name == joint).unwrap_or_else(|| panic!("{joint} in {states}"));
        number(&states["position"][place])
    })
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("no number: {value}"))
}

fn vector(value: &Value) -> [f64; 3] {
    ["x", "y", "z"].map(|axis| number(&value[axis]))
}

/// Position in metres, and yaw in radians.
#[track_caller]
fn pose(host: &Served, entity: &str) -> ([f64; 3], f64) {
    let state = host.ok("get_entity_state", json!({ "entity": entity }));
    let pose = &state["state"]["pose"];
    let [x, y, z, w] = ["x", "y", "z", "w"].map(|part| number(&pose["orientation"][part]));
    (vector(&pose["position"]), (2.0 * (w * z + x * y)).atan2(1.0 - 2.0 * (y * y + z * z)))
}

/// Two seconds settle a model; after that its imu measures no turning, and it stays where it is.
#[test]
fn every_model_rests() {
    let seconds = if is_long() { 3600 } else { 20 };
    for model in MODELS {
        let host = model.start();
        step(&host, 2000);
        if let Some(topic) = model.imu {
            listen(&host, &format!("/{}/{topic}", model.name));
            step(&host, 100);
            let rates = vector(&model.read(&host, topic)["angular_velocity"]);
            assert!(rates.iter().all(|rate| rate.abs() < 1e-6), "{}: {rates:?} rad/s", model.name);
        }
        let (place, yaw) = pose(&host, model.name);
        for _ in 0..seconds {
            step(&host, 1000);
        }
        let (later, later_yaw) = pose(&host, model.name);
        let drift = place.iter().zip(later).map(|(one, other)| (one - other).abs()).fold(0.0, f64::max);
        assert!(drift < 1e-6, "{}: {drift} m in {seconds} s", model.name);
        assert!((later_yaw - yaw).abs() < 1e-6, "{}: {yaw} and {later_yaw} rad", model.name);
    }
}
