//! The connection string: `tcpin:ADDRESS:PORT;key=value;…` or `udpout:ADDRESS:PORT;…`. Only parses the text.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use bridgehead_autopilot::commands::Servo;
use bridgehead_plugin_api::connection::{Form, Key, Options, Target, listen_address};
use bridgehead_plugin_api::{Error, Result};

use crate::codes::CONNECTION;
use bridgehead_autopilot::vehicle::{Kind, Named};

/// Where the first instance of PX4 connects to; each further one uses the next port.
const AUTOPILOT: u16 = 4560;
/// Where ground stations listen.
const STATION: u16 = 14550;

/// The form of connection strings.
pub(crate) static FORM: Form = Form {
    code: CONNECTION,
    target: Some(
        Target::new(
            "PEER",
            "`tcpin:ADDRESS:PORT` for an autopilot or `udpout:ADDRESS:PORT` for a ground station",
        )
        .or("tcpin:127.0.0.1:4560"),
    ),
    keys: &[COMMON, AUTOPILOTS],
    example: "tcpin::4561;instance=1;max_speed=1100",
};

/// Keys of both kinds of peers.
const COMMON: &[Key] = &[
    Key::new(
        "instance",
        "a number from 0 to 253",
        "0",
        "The vehicle, as PX4 counts it: added to 4560 if the port is left out, and one less than its system id.",
    ),
    Key::new(
        "rate",
        "a number from 1 to 1000",
        "250, or 10 for a ground station",
        "Samples, or positions, per simulated second.",
    ),
    Key::new("imu", "a topic", "the first of `sensor_msgs/msg/Imu`", "What the autopilot feels."),
    Key::new(
        "odometry",
        "a topic",
        "the first of `nav_msgs/msg/Odometry`",
        "Where the vehicle is, without errors.",
    ),
    Key::new(
        "fix",
        "a topic",
        "the first of `sensor_msgs/msg/NavSatFix`",
        "The GPS; its velocity is on the topic with `/velocity`.",
    ),
    Key::new(
        "battery",
        "a topic",
        "the first of `sensor_msgs/msg/BatteryState`",
        "The battery, for a ground station.",
    ),
    Key::new(
        "vehicle",
        "one of generic, plane, quadrotor, helicopter, rover, boat and submarine",
        "generic",
        "What a ground station shows.",
    ),
];

/// Keys of autopilots.
const AUTOPILOTS: &[Key] = &[
    Key::new("magnetometer", "a topic", "the first of `sensor_msgs/msg/MagneticField`", "The compass."),
    Key::new("pressure", "a topic", "the first of `sensor_msgs/msg/FluidPressure`", "The barometer."),
    Key::new("airspeed", "a topic of `sensor_msgs/msg/FluidPressure`", "none", "The air speed sensor."),
    Key::new(
        "rotors",
        "a number from 0 to 16",
        "4",
        "Controls of rotors: the first ones, as velocities of `actuator_msgs/msg/Actuators`.",
    ),
    Key::new(
        "min_speed",
        "a number, not negative",
        "0",
        "Speed of a rotor at the control 0 while the vehicle is armed, rad/s.",
    ),
    Key::new(
        "max_speed",
        "a positive number",
        "838",
        "Speed of a rotor at the control 1, rad/s; that of the Iris quadrotor of Gazebo.",
    ),
    Key::new(
        "servos",
        "a list of CONTROL:TOPIC:MIN:MAX with commas, such as 5:/plane/aileron:-0.5:0.5",
        "none",
        "Controls of servos, each as `std_msgs/msg/Float64` from MIN at -1 to MAX at 1.",
    ),
    Key::new(
        "boot",
        "true or false",
        "true",
        "Steps wait only after the first answer, because PX4 boots on simulated time; with `false`, they wait for every answer.",
    ),
    Key::new(
        "skip",
        "a number of milliseconds from 0 to 60000",
        "200",
        "An answer that takes longer is left out, at most three in a row; 0 for never.",
    ),
];

/// Types of vehicles (`MAV_TYPE`).
const VEHICLES: [(&str, u8); 7] = [
    ("generic", 0),
    ("plane", 1),
    ("quadrotor", 2),
    ("helicopter", 4),
    ("rover", 10),
    ("boat", 11),
    ("submarine", 12),
];

/// Who is at the other side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PeerKind {
    /// An autopilot that connects to this address.
    Autopilot(SocketAddr),
    /// A ground station that listens at this address.
    Station(SocketAddr),
}

/// A parsed connection string.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Connection {
    pub(crate) peer: PeerKind,
    /// System id of the vehicle.
    pub(crate) system: u8,
    /// Hertz.
    pub(crate) rate: u32,
    /// Topics that are not the first of their type.
    pub(crate) named: Named,
    /// `MAV_TYPE`.
    pub(crate) vehicle: u8,
    pub(crate) rotors: usize,
    /// Speeds of a rotor at the controls 0 and 1, rad/s.
    pub(crate) speeds: [f64; 2],
    pub(crate) servos: Vec<Servo>,
    /// True if steps wait only after the first answer.
    pub(crate) is_booting: bool,
    /// `None` if no answer may be left out.
    pub(crate) skip: Option<Duration>,
}

impl FromStr for Connection {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let options = FORM.read(text)?;
        let instance: u8 = options.number("instance", 0..=253)?.unwrap_or(0);
        let peer = options.target(|text| peer(text, instance))?;
        if let PeerKind::Station(_) = peer {
            refuse_keys(&options)?;
        }
        let rate = options.number("rate", 1..=1000)?;
        let speed = |key, default: f64, least: f64| {
            let is_speed = |speed: &f64| speed.is_finite() && *speed >= least;
            options.read(key, |text| text.parse().ok().filter(is_speed)).map(|speed| speed.unwrap_or(default))
        };
        let type_of =
            |name: &str| VEHICLES.iter().find(|(known, _)| *known == name).map(|(_, number)| *number);
        let skip = options.number("skip", 0..=60_000)?.unwrap_or(200);
        Ok(Connection {
            peer,
            system: instance + 1,
            rate: rate.unwrap_or(if matches!(peer, PeerKind::Autopilot(_)) { 250 } else { 10 }),
            named: named(&options)?,
            vehicle: options.read("vehicle", type_of)?.unwrap_or(0),
            rotors: options.number("rotors", 0..=16)?.unwrap_or(4),
            speeds: [speed("min_speed", 0.0, 0.0)?, speed("max_speed", 838.0, f64::MIN_POSITIVE)?],
            servos: options.read("servos", servos)?.unwrap_or_default(),
            is_booting: options.flag("boot")?.unwrap_or(true),
            skip: (skip > 0).then(|| Duration::from_millis(skip)),
        })
    }
}

fn peer(text: &str, instance: u8) -> Option<PeerKind> {
    let local = |port: u16| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port);
    let own_port = AUTOPILOT + u16::from(instance);
    if let Some(text) = text.strip_prefix("udpout:") {
        let is_peer = |address: &SocketAddr| !address.ip().is_unspecified() && address.port() > 0;
        return listen_address(text, local(STATION)).filter(is_peer).map(PeerKind::Station);
    }
    let text = if text.is_empty() { Some("") } else { text.strip_prefix("tcpin:") };
    listen_address(text?, local(own_port)).map(PeerKind::Autopilot)
}

/// Refuses keys of autopilots, which would have no effect.
fn refuse_keys(options: &Options<'_>) -> Result {
    const NAMES: [&str; 9] = [
        "magnetometer",
        "pressure",
        "airspeed",
        "rotors",
        "min_speed",
        "max_speed",
        "servos",
        "boot",
        "skip",
    ];
    const { assert!(NAMES.len() == AUTOPILOTS.len()) };
    match NAMES.into_iter().find(|key| options.text(key).is_some()) {
        Some(key) => Err(options.wrong(format_args!("`{key}=` has no effect with `udpout:`"))),
        None => Ok(()),
    }
}

fn named(options: &Options<'_>) -> Result<Named> {
    let mut named = Named::default();
    for (kind, key) in Kind::KEYS {
        let topic = options.read(key, |name| name.starts_with('/').then(|| name.to_owned()))?;
        named.extend(topic.map(|topic| (kind, topic)));
    }
    Ok(named)
}

fn servos(text: &str) -> Option<Vec<Servo>> {
    Servo::list(text).filter(|servos| servos.iter().all(|servo| servo.channel < 16))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Connection {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn autopilot(address: &str) -> PeerKind {
        PeerKind::Autopilot(address.parse().expect("an address"))
    }

    #[test]
    fn nothing_is_needed_and_the_port_counts_the_instances() {
        let default = parsed("");
        assert_eq!((default.peer, default.system, default.rate), (autopilot("127.0.0.1:4560"), 1, 250));
        assert_eq!((default.rotors, default.speeds, default.is_booting), (4, [0.0, 838.0], true));
        assert_eq!(default.skip, Some(Duration::from_millis(200)));
        let second = parsed("instance=1");
        assert_eq!((second.peer, second.system), (autopilot("127.0.0.1:4561"), 2));
        assert_eq!(parsed("tcpin::4570;instance=1").peer, autopilot("127.0.0.1:4570"));
        assert_eq!(parsed("tcpin:*;skip=0").peer, autopilot("0.0.0.0:4560"));
        assert_eq!(parsed("tcpin:;skip=0").skip, None);
    }

    #[test]
    fn everything_can_be_given() {
        let given = parsed(
            "tcpin::4561;rate=500;imu=/q/imu;magnetometer=/q/mag;rotors=6;min_speed=100;max_speed=1100;\
             servos=7:/q/tilt:-1:0.5;boot=false",
        );
        assert_eq!((given.rate, given.rotors, given.speeds), (500, 6, [100.0, 1100.0]));
        assert_eq!(given.servos, ["7:/q/tilt:-1:0.5".parse().expect("a servo")]);
        assert!(!given.is_booting);
        assert_eq!(given.named.get(&Kind::Magnetic).map(String::as_str), Some("/q/mag"));
        let station = parsed("udpout:;instance=2;vehicle=quadrotor");
        assert_eq!(station.peer, PeerKind::Station("127.0.0.1:14550".parse().expect("an address")));
        assert_eq!((station.system, station.vehicle, station.rate), (3, 2, 10));
    }

    #[test]
    fn the_readme_describes_the_form() {
        let (section, readme) = (FORM.markdown(), include_str!("../README.md"));
        assert!(readme.contains(&section), "the README of this bridge must contain:\n\n{section}");
    }

    #[test]
    fn wrong_values_are_refused() {
        for wrong in [
            "127.0.0.1:4560",
            "tcpin:host.example:4560",
            "udpout:*:14550",
            "udpout::0",
            "udpout:;rotors=4",
            "imu=imu",
            "rotors=17",
            "servos=17:/a:0:1",
            "max_speed=0",
            "min_speed=-1",
            "rate=0",
            "instance=254",
            "skip=-1",
            "vehicle=car",
        ] {
            let error = wrong.parse::<Connection>().expect_err(wrong);
            assert!(error.text().starts_with("[BH-MAV-001] "), "{error}");
        }
    }
}
