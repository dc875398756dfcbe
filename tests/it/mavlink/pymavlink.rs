//! Messages as another implementation of MAVLink, pymavlink, reads them, field by field.

use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::setup;
use crate::support::{Python, Served, free_port};

/// Field of the world in tesla, east, north and up, as the magnetometer measures it without a `<magnetic_field>`.
const FIELD: [f64; 3] = [5.5645e-6, 22.8758e-6, -42.3884e-6];

/// Metres of a degree of latitude.
const DEGREE: f64 = 111_195.0;

/// A box on the ground with all sensors, with its nose to the north-east.
fn rover(name: &str, x: f64) -> String {
    format!(
        "<model name='{name}'><pose>{x} 2 0.5 0 0 0.785398163</pose><link name='base'><inertial><mass>1</mass></inertial>
         <collision name='hull'><geometry><box><size>1 1 1</size></box></geometry></collision>
         <sensor name='imu' type='imu'><update_rate>1000</update_rate></sensor>
         <sensor name='compass' type='magnetometer'><update_rate>100</update_rate></sensor>
         <sensor name='barometer' type='air_pressure'><update_rate>50</update_rate>
         <air_pressure><reference_altitude>488</reference_altitude></air_pressure></sensor>
         <sensor name='gps' type='navsat'><update_rate>10</update_rate></sensor></link>
         <plugin filename='odometry_publisher' name='odometry'><dimensions>3</dimensions>
         <odom_publish_frequency>0</odom_publish_frequency></plugin>
         <plugin filename='battery' name='battery'><battery_name>main</battery_name><voltage>12.6</voltage>
         <capacity>2</capacity><initial_charge>1.5</initial_charge></plugin></model>"
    )
}

fn start(python: &Python, script: &str, arguments: [u16; 2]) -> Child {
    let mut command = python.script(script);
    command.args(arguments.map(|argument| argument.to_string())).stdout(Stdio::piped());
    command.spawn().expect("Python starts")
}

/// Waits for the end of a script. Returns the messages that it has printed.
fn printed(child: Child) -> Vec<Value> {
    let output = child.wait_with_output().expect("Python ends");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("a text");
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Compares the fields of a message: numbers as near as is said, everything else exactly.
#[track_caller]
fn assert_fields(message: &Value, expected: &[(&str, f64, f64)]) {
    for (field, value, tolerance) in expected {
        let found = message[*field].as_f64().unwrap_or_else(|| panic!("{field} of {message}"));
        assert!((found - value).abs() <= *tolerance, "{field} is {found}, expected {value}: {message}");
    }
}

/// Messages of a name.
fn of<'a>(messages: &'a [Value], name: &str) -> Vec<&'a Value> {
    messages.iter().filter(|message| message["name"] == name).collect()
}

#[test]
fn pymavlink_reads_every_field_of_a_sample() {
    let Some(python) = Python::with("pymavlink.dialects.v20.common") else { return };
    let port = free_port();
    let bridge = format!("one=mavlink:tcpin::{port};boot=false;skip=0");
    let mut host = setup(&rover("one", 1.0)).bridge(bridge).args(["--duration", "2s"]).start();
    host.wait_for("waits for PX4");
    let pilot = start(&python, "mavlink/pilot.py", [port, 500]);
    host.finish().expect_code(0);
    let messages = printed(pilot);
    assert!(messages.iter().all(|message| message["sender"] == json!([1, 200])));
    check_sensors(&messages);
    check_fixes(&messages);
    check_truths(&messages);
}

fn check_sensors(messages: &[Value]) {
    let sensors = of(messages, "HIL_SENSOR");
    assert_eq!(sensors.len(), 500);
    let stamps: Vec<u64> =
        sensors.iter().map(|sample| sample["time_usec"].as_u64().expect("a time")).collect();
    assert!(stamps.iter().zip(1..).all(|(stamp, sample)| *stamp == 4000 * sample), "{stamps:?}");
    let bits = |mask: u64| {
        let is_set = |sample: &&&Value| sample["fields_updated"].as_u64().expect("bits") & mask == mask;
        sensors.iter().filter(is_set).count()
    };
    assert_eq!([0x3f, 0x1c0, 0x1a00, 0x400].map(bits), [500, 200, 100, 0]);
    // The nose points to the north-east, so the field along it is that of both axes, and to the right is less north.
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let [east, north, up] = FIELD.map(|tesla| tesla * 1e4);
    let pressure = 1013.25 * (1.0_f64 - 0.0065 * 488.5 / 288.15).powf(5.25588);
    assert_fields(
        sensors[400],
        &[
            ("xacc", 0.0, 0.01),
            ("yacc", 0.0, 0.01),
            ("zacc", -9.8, 0.01),
            ("xgyro", 0.0, 0.01),
            ("ygyro", 0.0, 0.01),
            ("zgyro", 0.0, 0.01),
            ("xmag", half * (east + north), 1e-4),
            ("ymag", half * (east - north), 1e-4),
            ("zmag", -up, 1e-4),
            ("abs_pressure", pressure, 0.2),
            ("diff_pressure", 0.0, 0.0),
            ("pressure_alt", 488.5, 2.0),
            ("temperature", 15.0 - 0.0065 * 488.5, 0.02),
            ("id", 0.0, 0.0),
        ],
    );
}

fn check_fixes(messages: &[Value]) {
    let fixes = of(messages, "HIL_GPS");
    assert_eq!(fixes.len(), 20);
    // A metre east and two north of the origin of the world; 0.5 m above.
    let east = 1.0 / DEGREE / 47.3977_f64.to_radians().cos();
    assert_fields(
        fixes[10],
        &[
            ("lat", (47.3977 + 2.0 / DEGREE) * 1e7, 3.0),
            ("lon", (8.5456 + east) * 1e7, 3.0),
            ("alt", 488_500.0, 10.0),
            ("eph", 30.0, 0.0),
            ("epv", 40.0, 0.0),
            ("vel", 0.0, 1.0),
            ("vn", 0.0, 1.0),
            ("ve", 0.0, 1.0),
            ("vd", 0.0, 1.0),
            ("cog", 65_535.0, 0.0),
            ("fix_type", 3.0, 0.0),
            ("satellites_visible", 10.0, 0.0),
            ("id", 0.0, 0.0),
            ("yaw", 0.0, 0.0),
        ],
    );
}

fn check_truths(messages: &[Value]) {
    let truths = of(messages, "HIL_STATE_QUATERNION");
    // 200 a second, from the second sample on.
    assert!(truths.len().abs_diff(400) <= 2, "{}", truths.len());
    let truth = truths[300];
    let eighth = std::f64::consts::FRAC_PI_8;
    let turn: Vec<f64> = serde_json::from_value(truth["attitude_quaternion"].clone()).expect("numbers");
    for (found, expected) in turn.iter().zip([eighth.cos(), 0.0, 0.0, eighth.sin()]) {
        assert!((found - expected).abs() < 1e-3, "{truth}");
    }
    assert_fields(
        truth,
        &[
            ("lat", (47.3977 + 2.0 / DEGREE) * 1e7, 3.0),
            ("rollspeed", 0.0, 0.01),
            ("vx", 0.0, 1.0),
            ("zacc", -9800.0, 10.0),
            ("true_airspeed", 0.0, 1.0),
        ],
    );
}

#[test]
fn pymavlink_reads_what_a_ground_station_gets_of_two_vehicles() {
    let Some(python) = Python::with("pymavlink.dialects.v20.common") else { return };
    // Ports of UDP and TCP are counted apart; no other test of this program uses this one.
    let port = free_port();
    let station = start(&python, "mavlink/station.py", [port, 2]);
    let bridge = |vehicle: &str, more: &str| format!("{vehicle}=mavlink:udpout::{port};{more}");
    let models = rover("one", 1.0) + &rover("two", 4.0);
    let setup = setup(&models)
        .bridge(bridge("one", "vehicle=rover"))
        .bridge(bridge("two", "instance=1;rate=50"))
        .in_real_time();
    let mut host = Served::start(setup.args(["--start", "playing"]));
    host.wait_for("sends requests");
    let messages = printed(station);
    host.ok("quit", json!({}));
    host.finish().expect_code(0);
    let of = |system: u64, name: &str| {
        let is_it = |message: &&Value| message["sender"] == json!([system, 1]) && message["name"] == name;
        messages.iter().find(is_it).unwrap_or_else(|| panic!("{name} of {system}: {messages:?}"))
    };
    for (system, x, kind) in [(1, 1.0, 10.0), (2, 4.0, 0.0)] {
        let beat = of(system, "HEARTBEAT");
        assert_fields(
            beat,
            &[
                ("type", kind, 0.0),
                ("autopilot", 0.0, 0.0),
                ("system_status", 4.0, 0.0),
                ("mavlink_version", 3.0, 0.0),
            ],
        );
        let yaw = std::f64::consts::FRAC_PI_4;
        let interval = if system == 1 { 100.0 } else { 20.0 };
        assert_fields(
            of(system, "ATTITUDE"),
            &[("roll", 0.0, 1e-3), ("pitch", 0.0, 1e-3), ("yaw", yaw, 1e-3), ("interval", interval, 1.0)],
        );
        assert_fields(
            of(system, "LOCAL_POSITION_NED"),
            &[("x", 2.0, 0.01), ("y", x, 0.01), ("z", -0.5, 0.01), ("vx", 0.0, 0.01), ("vz", 0.0, 0.1)],
        );
        assert_fields(
            of(system, "GLOBAL_POSITION_INT"),
            &[
                ("alt", 488_500.0, 10.0),
                ("relative_alt", 500.0, 10.0),
                ("hdg", 4500.0, 10.0),
                ("vx", 0.0, 1.0),
            ],
        );
        let battery = of(system, "BATTERY_STATUS");
        assert_fields(battery, &[("battery_remaining", 75.0, 1.0), ("energy_consumed", -1.0, 0.0)]);
        assert_eq!(battery["voltages"][1], 65_535);
    }
}
