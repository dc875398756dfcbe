//! The connection string: `ADDRESS:PORT;key=value;…`. Only parses the text.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use bridgehead_autopilot::vehicle::{Kind, Named};
use bridgehead_plugin_api::connection::{Form, Key, Target, listen_address};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::CONNECTION;

/// Where Betaflight sends the outputs of its motors to.
const OUTPUTS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 9002);
/// Where Betaflight takes the state of the vehicle.
const STATES: u16 = 9003;

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: Some(Target::new("ADDRESS:PORT", "an address of this machine and a port").or("127.0.0.1:9002")),
    keys: &[&[
        Key::new("state_port", "a port", "9003", "Where Betaflight takes the state, at the same address."),
        Key::new("rate", "a number from 100 to 4000", "1000", "States per simulated second."),
        Key::new("imu", "a topic", "the first of `sensor_msgs/msg/Imu`", "What the flight controller feels."),
        Key::new("odometry", "a topic", "the first of `nav_msgs/msg/Odometry`", "Its attitude and velocity."),
        Key::new("pressure", "a topic", "the first of `sensor_msgs/msg/FluidPressure`", "The barometer."),
        Key::new("fix", "a topic", "the first of `sensor_msgs/msg/NavSatFix`", "The GPS."),
        Key::new("min_speed", "a number, not negative", "0", "Speed of a rotor that begins to turn, rad/s."),
        Key::new(
            "max_speed",
            "a positive number",
            "838",
            "Speed of a rotor at full throttle, rad/s; that of the Iris quadrotor of Gazebo.",
        ),
    ]],
    example: ";rate=500;max_speed=1100",
};

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Connection {
    pub(crate) listen: SocketAddr,
    /// Where the states go.
    pub(crate) controller: SocketAddr,
    /// Hertz.
    pub(crate) rate: u32,
    /// Topics that are not the first of their type.
    pub(crate) named: Named,
    /// Speeds of a rotor at 0 and 1, rad/s.
    pub(crate) speeds: [f64; 2],
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let listen = options.target(|text| listen_address(text, OUTPUTS))?;
        let port = options.number("state_port", 1..=u16::MAX)?.unwrap_or(STATES);
        let ip = if listen.ip().is_unspecified() { OUTPUTS.ip() } else { listen.ip() };
        let mut named = Named::new();
        for kind in [Kind::Imu, Kind::Odometry, Kind::Pressure, Kind::Fix] {
            let key = Kind::KEYS.iter().find(|(known, _)| *known == kind).map_or("", |(_, key)| *key);
            let topic = options.read(key, |name| name.starts_with('/').then(|| name.to_owned()))?;
            named.extend(topic.map(|topic| (kind, topic)));
        }
        let speed = |key, default: f64, least: f64| {
            let is_speed = |speed: &f64| speed.is_finite() && *speed >= least;
            options.read(key, |text| text.parse().ok().filter(is_speed)).map(|speed| speed.unwrap_or(default))
        };
        Ok(Connection {
            listen,
            controller: SocketAddr::new(ip, port),
            rate: options.number("rate", 100..=4000)?.unwrap_or(1000),
            named,
            speeds: [speed("min_speed", 0.0, 0.0)?, speed("max_speed", 838.0, f64::MIN_POSITIVE)?],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_needed_and_everything_can_be_given() {
        let default: Connection = "".parse().expect("a connection");
        assert_eq!((default.listen, default.rate, default.speeds), (OUTPUTS, 1000, [0.0, 838.0]));
        assert_eq!(default.controller, "127.0.0.1:9003".parse().expect("an address"));
        let text = "127.0.0.2:8002;state_port=8003;rate=500;imu=/q/imu;min_speed=50;max_speed=900";
        let given: Connection = text.parse().expect("a connection");
        assert_eq!(given.controller, "127.0.0.2:8003".parse().expect("an address"));
        assert_eq!((given.listen.port(), given.rate, given.speeds), (8002, 500, [50.0, 900.0]));
        assert_eq!(given.named.get(&Kind::Imu).map(String::as_str), Some("/q/imu"));
    }

    #[test]
    fn the_readme_describes_the_form() {
        let (section, readme) = (FORM.markdown(), include_str!("../README.md"));
        assert!(readme.contains(&section), "the README of this bridge must contain:\n\n{section}");
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in
            ["host.example:9002", "imu=imu", "rate=50", "max_speed=0", "state_port=0", "state_port=70000"]
        {
            let error = wrong.parse::<Connection>().expect_err("a refusal");
            assert!(error.text().starts_with("[BH-BFL-001] "), "{error}");
        }
    }
}
