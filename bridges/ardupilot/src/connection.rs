//! The connection string: `ADDRESS:PORT;imu=TOPIC;…`. Only parses the text.

use std::net::{Ipv4Addr, SocketAddr};
use std::str::FromStr;

use bridgehead_autopilot::commands::Servo;
use bridgehead_plugin_api::connection::{Form, Key, Target, listen_address};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::CONNECTION;

/// Where ArduPilot's first instance sends to; each further one uses a port that is 10 higher.
const DEFAULT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 9002);

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: Some(Target::new("ADDRESS:PORT", "an address of this machine and a port").or("127.0.0.1:9002")),
    keys: &[&[
        Key::new("imu", "a topic", "the first of `sensor_msgs/msg/Imu`", "What the autopilot feels."),
        Key::new(
            "odometry",
            "a topic",
            "the first of `nav_msgs/msg/Odometry`",
            "Where the vehicle is and how it moves, without errors: ArduPilot makes its own GPS, compass and barometer of it.",
        ),
        Key::new(
            "range",
            "a topic of `sensor_msgs/msg/LaserScan`",
            "none",
            "The range finder: the nearest measurement of each message.",
        ),
        Key::new(
            "rotors",
            "a number from 0 to 32",
            "4",
            "Channels of rotors: the first ones, as velocities of `actuator_msgs/msg/Actuators`.",
        ),
        Key::new(
            "max_speed",
            "a positive number",
            "838",
            "Speed of a rotor at full throttle, rad/s; that of the Iris quadrotor of Gazebo.",
        ),
        Key::new(
            "servos",
            "a list of CHANNEL:TOPIC:MIN:MAX with commas, such as 5:/plane/aileron:-0.5:0.5",
            "none",
            "Channels of servos, each as `std_msgs/msg/Float64` from MIN at 1000 µs to MAX at 2000 µs.",
        ),
    ]],
    example: ":9012;imu=/copter/imu;max_speed=900",
};

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Connection {
    pub(crate) listen: SocketAddr,
    pub(crate) imu: Option<String>,
    pub(crate) odometry: Option<String>,
    pub(crate) range: Option<String>,
    pub(crate) rotors: usize,
    /// Radians per second.
    pub(crate) max_speed: f64,
    pub(crate) servos: Vec<Servo>,
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let topic = |key| options.read(key, |name| name.starts_with('/').then(|| name.to_owned()));
        let is_speed = |speed: &f64| speed.is_finite() && *speed > 0.0;
        Ok(Connection {
            listen: options.target(|text| listen_address(text, DEFAULT))?,
            imu: topic("imu")?,
            odometry: topic("odometry")?,
            range: topic("range")?,
            rotors: options.number("rotors", 0..=32)?.unwrap_or(4),
            max_speed: options.read("max_speed", |text| text.parse().ok().filter(is_speed))?.unwrap_or(838.0),
            servos: options.read("servos", Servo::list)?.unwrap_or_default(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_needed_and_everything_can_be_given() {
        let default: Connection = "".parse().expect("a connection");
        assert_eq!((default.listen, default.rotors, default.max_speed), (DEFAULT, 4, 838.0));
        let text =
            ":9012;imu=/q/imu;odometry=/q/odom;range=/q/scan;rotors=6;max_speed=900;servos=7:/q/tilt:-1:0.5";
        let given: Connection = text.parse().expect("a connection");
        assert_eq!((given.listen.port(), given.rotors, given.max_speed), (9012, 6, 900.0));
        assert_eq!(given.servos, ["7:/q/tilt:-1:0.5".parse().expect("a servo")]);
        assert_eq!(given.range.as_deref(), Some("/q/scan"));
    }

    #[test]
    fn the_readme_describes_the_form() {
        let (section, readme) = (FORM.markdown(), include_str!("../README.md"));
        assert!(readme.contains(&section), "the README of this bridge must contain:\n\n{section}");
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in
            ["host.example:9002", "imu=imu", "rotors=33", "max_speed=0", "max_speed=inf", "servos=0:/a:0:1"]
        {
            let error = wrong.parse::<Connection>().expect_err("a refusal");
            assert!(error.text().starts_with("[BH-APM-001] "), "{error}");
        }
    }
}
