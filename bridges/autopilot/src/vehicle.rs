//! What the sensors of a vehicle measured last.

use std::collections::BTreeMap;

use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::geometry_msgs::{TwistStamped, Vector3};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::prost::DecodeError;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::{
    BatteryState, FluidPressure, Imu, MagneticField, NavSatFix,
};

use crate::axes::{attitude, frd, ned, rotate};

/// What a topic is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// What it feels.
    Imu,
    /// Where it is, without errors.
    Odometry,
    /// A compass.
    Magnetic,
    /// A barometer.
    Pressure,
    /// An air speed sensor.
    AirSpeed,
    /// A GPS.
    Fix,
    /// On a topic beside that of the fix.
    FixVelocity,
    /// A battery.
    Battery,
}

/// Topics that a connection string names.
pub type Named = BTreeMap<Kind, String>;

impl Kind {
    /// Kinds whose topics connection strings name, with their keys.
    pub const KEYS: [(Kind, &'static str); 7] = [
        (Kind::Imu, "imu"),
        (Kind::Odometry, "odometry"),
        (Kind::Magnetic, "magnetometer"),
        (Kind::Pressure, "pressure"),
        (Kind::AirSpeed, "airspeed"),
        (Kind::Fix, "fix"),
        (Kind::Battery, "battery"),
    ];

    /// Returns the type of its messages.
    fn type_name(self) -> &'static str {
        match self {
            Kind::Imu => Imu::FULL_NAME,
            Kind::Odometry => Odometry::FULL_NAME,
            Kind::Magnetic => MagneticField::FULL_NAME,
            Kind::Pressure | Kind::AirSpeed => FluidPressure::FULL_NAME,
            Kind::Fix => NavSatFix::FULL_NAME,
            Kind::FixVelocity => TwistStamped::FULL_NAME,
            Kind::Battery => BatteryState::FULL_NAME,
        }
    }

    /// Returns true if messages of this type may be of a kind.
    #[must_use]
    pub fn has_type(full_name: &str) -> bool {
        full_name == TwistStamped::FULL_NAME
            || Kind::KEYS.iter().any(|(kind, _)| kind.type_name() == full_name)
    }
}

/// A topic that the vehicle publishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Full name of its type.
    pub data_type: String,
    /// Full name.
    pub topic: String,
}

/// The topics that are used, by their names.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chosen(BTreeMap<String, Kind>);

impl Chosen {
    /// Chooses among the topics of a vehicle: those that the connection string names, or the first of their type. An air
    /// speed sensor must be named, because a barometer has the same type.
    #[must_use]
    pub fn among(sources: &[Source], named: &Named) -> Self {
        let mut chosen = BTreeMap::new();
        let air_speed = named.get(&Kind::AirSpeed);
        for (kind, _) in Kind::KEYS {
            let is_meant = |source: &&Source| match named.get(&kind) {
                Some(name) => source.topic == *name,
                None => kind != Kind::AirSpeed && Some(&source.topic) != air_speed,
            };
            let mut of_type = sources.iter().filter(|source| source.data_type == kind.type_name());
            if let Some(source) = of_type.find(is_meant) {
                chosen.insert(source.topic.clone(), kind);
            }
        }
        let fix = chosen.iter().find(|(_, kind)| **kind == Kind::Fix).map(|(topic, _)| topic.clone());
        chosen.extend(fix.map(|topic| (format!("{topic}/velocity"), Kind::FixVelocity)));
        Chosen(chosen)
    }

    /// Returns true if a topic of a kind was found.
    #[must_use]
    pub fn has(&self, kind: Kind) -> bool {
        self.0.values().any(|chosen| *chosen == kind)
    }

    fn kind(&self, source: &Source) -> Option<Kind> {
        self.0.get(&source.topic).copied().filter(|kind| kind.type_name() == source.data_type)
    }
}

/// A measurement, and whether it was made since it was last taken.
#[derive(Clone, Debug)]
pub struct Measured<T> {
    /// The last one.
    pub last: Option<T>,
    /// True if it was not taken yet.
    pub is_new: bool,
}

impl<T> Default for Measured<T> {
    fn default() -> Self {
        Measured { last: None, is_new: false }
    }
}

impl<T: Clone> Measured<T> {
    fn set(&mut self, value: T) {
        (self.last, self.is_new) = (Some(value), true);
    }

    /// Returns the measurement if it is a new one; it is none then.
    pub fn take_new(&mut self) -> Option<T> {
        std::mem::take(&mut self.is_new).then(|| self.last.clone()).flatten()
    }
}

/// Angular velocity, rad/s, and specific force, m/s², of the body: forward, right, down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertial {
    /// Angular velocity.
    pub gyro: [f64; 3],
    /// Specific force.
    pub acceleration: [f64; 3],
}

/// Where the vehicle is and how it moves, without errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// North, east, down of the origin of the odometry, metres.
    pub position: [f64; 3],
    /// North, east, down, m/s.
    pub velocity: [f64; 3],
    /// From forward, right, down to north, east, down: w, x, y, z.
    pub attitude: [f64; 4],
    /// Forward, right, down, rad/s.
    pub rates: [f64; 3],
}

/// The last measurements.
#[derive(Clone, Debug, Default)]
pub struct Vehicle {
    /// What the imu has measured.
    pub inertial: Measured<Inertial>,
    /// What the odometry says.
    pub motion: Measured<Motion>,
    /// Forward, right, down, tesla.
    pub magnetic: Measured<[f64; 3]>,
    /// Pascals.
    pub pressure: Measured<f64>,
    /// Dynamic pressure, pascals.
    pub air_speed: Measured<f64>,
    /// Where the GPS is.
    pub fix: Measured<NavSatFix>,
    /// North, east, down, m/s.
    pub fix_velocity: Measured<[f64; 3]>,
    /// The battery.
    pub battery: Measured<BatteryState>,
}

impl Vehicle {
    /// Takes a message, if its topic is used, and returns its kind.
    ///
    /// # Errors
    /// Returns an error if it is not of the type of its topic.
    pub fn update(
        &mut self,
        chosen: &Chosen,
        source: &Source,
        bytes: &[u8],
    ) -> Result<Option<Kind>, DecodeError> {
        let Some(kind) = chosen.kind(source) else { return Ok(None) };
        match kind {
            Kind::Imu => self.inertial.set(inertial(&Imu::decode(bytes)?)),
            Kind::Odometry => self.motion.set(motion(&Odometry::decode(bytes)?)),
            Kind::Magnetic => {
                self.magnetic.set(frd(vector(MagneticField::decode(bytes)?.magnetic_field.as_ref())));
            }
            Kind::Pressure => self.pressure.set(FluidPressure::decode(bytes)?.fluid_pressure),
            Kind::AirSpeed => self.air_speed.set(FluidPressure::decode(bytes)?.fluid_pressure),
            Kind::Fix => self.fix.set(NavSatFix::decode(bytes)?),
            Kind::FixVelocity => {
                let twist = TwistStamped::decode(bytes)?.twist.unwrap_or_default();
                self.fix_velocity.set(ned(vector(twist.linear.as_ref())));
            }
            Kind::Battery => self.battery.set(BatteryState::decode(bytes)?),
        }
        Ok(Some(kind))
    }
}

fn inertial(imu: &Imu) -> Inertial {
    Inertial {
        gyro: frd(vector(imu.angular_velocity.as_ref())),
        acceleration: frd(vector(imu.linear_acceleration.as_ref())),
    }
}

fn motion(odometry: &Odometry) -> Motion {
    let pose = odometry.pose.as_ref().and_then(|pose| pose.pose.as_ref());
    let twist = odometry.twist.as_ref().and_then(|twist| twist.twist.as_ref());
    let turn = pose.and_then(|pose| pose.orientation.as_ref());
    let turn = turn.map_or([0.0, 0.0, 0.0, 1.0], |turn| [turn.x, turn.y, turn.z, turn.w]);
    let at = pose.and_then(|pose| pose.position.as_ref()).map_or([0.0; 3], |at| [at.x, at.y, at.z]);
    let linear = vector(twist.and_then(|twist| twist.linear.as_ref()));
    Motion {
        position: ned(at),
        // The twist of an odometry is in the frame of the vehicle.
        velocity: ned(rotate(turn, linear)),
        attitude: attitude(turn),
        rates: frd(vector(twist.and_then(|twist| twist.angular.as_ref()))),
    }
}

fn vector(vector: Option<&Vector3>) -> [f64; 3] {
    vector.map_or([0.0; 3], |vector| [vector.x, vector.y, vector.z])
}

#[cfg(test)]
mod tests;
