//! What the sensors of a vehicle measured last, as the autopilot needs it.

use bridgehead_autopilot::axes::{attitude, frd, ned, rotate};
use bridgehead_plugin_api::messages::Message;
use bridgehead_plugin_api::messages::geometry_msgs::{Quaternion, Vector3};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::prost::DecodeError;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::{Imu, LaserScan};

use crate::answer::State;
use crate::connection::Connection;

/// What a topic is good for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Imu,
    Odometry,
    Range,
}

impl Kind {
    /// Returns the kind of a topic of this type; `None` for any other type.
    pub(crate) fn of_type(full_name: &str) -> Option<Self> {
        match full_name {
            Imu::FULL_NAME => Some(Kind::Imu),
            Odometry::FULL_NAME => Some(Kind::Odometry),
            LaserScan::FULL_NAME => Some(Kind::Range),
            _ => None,
        }
    }

    /// Returns the topic that the connection string names.
    fn named(self, connection: &Connection) -> Option<&str> {
        match self {
            Kind::Imu => connection.imu.as_deref(),
            Kind::Odometry => connection.odometry.as_deref(),
            Kind::Range => connection.range.as_deref(),
        }
    }
}

/// A topic that the vehicle publishes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) kind: Kind,
    pub(crate) topic: String,
}

/// The topics that are used.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Chosen {
    imu: Option<String>,
    odometry: Option<String>,
    range: Option<String>,
}

impl Chosen {
    /// Chooses among the topics of a vehicle: those that the connection string names, or the first of their kind. A range
    /// finder must be named, because a lidar has the same type.
    pub(crate) fn among(sources: &[Source], connection: &Connection) -> Self {
        let of = |kind: Kind| {
            let named = kind.named(connection);
            let is_meant = |source: &&Source| {
                source.kind == kind && named.map_or(kind != Kind::Range, |named| source.topic == named)
            };
            sources.iter().find(is_meant).map(|source| source.topic.clone())
        };
        Chosen { imu: of(Kind::Imu), odometry: of(Kind::Odometry), range: of(Kind::Range) }
    }

    fn is(&self, source: &Source) -> bool {
        let topic = match source.kind {
            Kind::Imu => &self.imu,
            Kind::Odometry => &self.odometry,
            Kind::Range => &self.range,
        };
        topic.as_deref() == Some(&source.topic)
    }

    /// Returns what is missing, for an error.
    pub(crate) fn missing(&self) -> Option<&'static str> {
        match (&self.imu, &self.odometry) {
            (None, _) => Some(
                "no topic of `sensor_msgs/msg/Imu`; add a sensor of type `imu` to it, or name its topic with `imu=`",
            ),
            (_, None) => Some(
                "no topic of `nav_msgs/msg/Odometry`; add the plugin `odometry_publisher` with `<dimensions>3</dimensions>` to it, or \
                 name its topic with `odometry=`",
            ),
            _ => None,
        }
    }
}

/// The last measurements.
#[derive(Debug, Default)]
pub(crate) struct Vehicle {
    imu: Option<Imu>,
    odometry: Option<Odometry>,
    range: Option<f64>,
}

impl Vehicle {
    /// Takes a message, if its topic is used.
    ///
    /// # Errors
    /// Returns an error if it is not of the type of its topic.
    pub(crate) fn update(
        &mut self,
        chosen: &Chosen,
        source: &Source,
        bytes: &[u8],
    ) -> Result<(), DecodeError> {
        if !chosen.is(source) {
            return Ok(());
        }
        match source.kind {
            Kind::Imu => self.imu = Some(Imu::decode(bytes)?),
            Kind::Odometry => self.odometry = Some(Odometry::decode(bytes)?),
            Kind::Range => self.range = nearest(&LaserScan::decode(bytes)?),
        }
        Ok(())
    }

    /// Returns the state in the axes of the autopilot. What was not measured yet is at rest at the origin.
    pub(crate) fn state(&self, time_ns: i64) -> State {
        let imu = self.imu.as_ref();
        let odometry = self.odometry.as_ref();
        let pose = odometry.and_then(|odometry| odometry.pose.as_ref()?.pose.as_ref());
        let twist = odometry.and_then(|odometry| odometry.twist.as_ref()?.twist.as_ref());
        let at = pose.and_then(|pose| pose.position.as_ref()).map_or([0.0; 3], |at| [at.x, at.y, at.z]);
        let turn = pose.and_then(|pose| pose.orientation.as_ref()).map_or([0.0, 0.0, 0.0, 1.0], quaternion);
        let velocity = twist.map_or([0.0; 3], |twist| vector(twist.linear.as_ref()));
        // A measurement that was not made yet is that of a body at rest.
        let resting = [0.0, 0.0, 9.80665];
        let force = imu.map_or(resting, |imu| vector(imu.linear_acceleration.as_ref()));
        State {
            time_ns,
            gyro: frd(imu.map_or([0.0; 3], |imu| vector(imu.angular_velocity.as_ref()))),
            acceleration: frd(force),
            position: ned(at),
            attitude: attitude(turn),
            // The twist of an odometry is in the frame of the vehicle.
            velocity: ned(rotate(turn, velocity)),
            range: self.range,
        }
    }
}

fn vector(vector: Option<&Vector3>) -> [f64; 3] {
    vector.map_or([0.0; 3], |vector| [vector.x, vector.y, vector.z])
}

fn quaternion(turn: &Quaternion) -> [f64; 4] {
    [turn.x, turn.y, turn.z, turn.w]
}

/// Returns the nearest measurement within the limits of the sensor.
fn nearest(scan: &LaserScan) -> Option<f64> {
    let is_valid = |range: &&f32| **range >= scan.range_min && **range <= scan.range_max;
    scan.ranges.iter().filter(is_valid).copied().reduce(f32::min).map(f64::from)
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::messages::geometry_msgs::{
        Point, Pose, PoseWithCovariance, Twist, TwistWithCovariance,
    };

    use super::*;

    fn source(kind: Kind, topic: &str) -> Source {
        Source { kind, topic: topic.to_owned() }
    }

    #[test]
    fn topics_are_the_first_ones_or_those_that_are_named() {
        let sources = [
            source(Kind::Imu, "/q/imu"),
            source(Kind::Imu, "/q/second"),
            source(Kind::Odometry, "/q/odom"),
            source(Kind::Range, "/q/scan"),
        ];
        let chosen = |text: &str| Chosen::among(&sources, &text.parse().expect("a connection"));
        let first = chosen("");
        assert!(
            first.is(&sources[0])
                && !first.is(&sources[1])
                && first.is(&sources[2])
                && !first.is(&sources[3])
        );
        assert_eq!(first.missing(), None);
        let named = chosen("imu=/q/second;range=/q/scan");
        assert!(!named.is(&sources[0]) && named.is(&sources[1]) && named.is(&sources[3]));
        assert!(chosen("imu=/other").missing().expect("an imu").contains("`imu=`"));
        let none = Chosen::among(&sources[..2], &"".parse().expect("a connection"));
        assert!(none.missing().expect("an odometry").contains("`odometry=`"));
    }

    #[test]
    fn a_state_has_the_axes_of_the_autopilot() {
        let (chosen, mut vehicle) = (
            Chosen {
                imu: Some("/i".to_owned()),
                odometry: Some("/o".to_owned()),
                range: Some("/r".to_owned()),
            },
            Vehicle::default(),
        );
        assert_eq!(vehicle.state(0).acceleration, [0.0, 0.0, -9.80665]);
        let imu = Imu {
            angular_velocity: Some(Vector3 { x: 0.1, y: 0.2, z: 0.3 }),
            linear_acceleration: Some(Vector3 { x: 1.0, y: 2.0, z: 9.0 }),
            ..Imu::default()
        };
        // 3 m east, 4 m north, 5 m up; the nose to the north; 2 m/s forward.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let pose = Pose {
            position: Some(Point { x: 3.0, y: 4.0, z: 5.0 }),
            orientation: Some(Quaternion { x: 0.0, y: 0.0, z: half, w: half }),
        };
        let twist = Twist { linear: Some(Vector3 { x: 2.0, y: 0.0, z: 0.0 }), angular: None };
        let odometry = Odometry {
            pose: Some(PoseWithCovariance { pose: Some(pose), ..Default::default() }),
            twist: Some(TwistWithCovariance { twist: Some(twist), ..Default::default() }),
            ..Odometry::default()
        };
        let scan = LaserScan {
            range_min: 0.1,
            range_max: 10.0,
            ranges: vec![f32::INFINITY, 4.0, 2.5, 0.05],
            ..LaserScan::default()
        };
        vehicle.update(&chosen, &source(Kind::Imu, "/i"), &imu.encode_to_vec()).expect("an imu");
        vehicle
            .update(&chosen, &source(Kind::Odometry, "/o"), &odometry.encode_to_vec())
            .expect("an odometry");
        vehicle.update(&chosen, &source(Kind::Range, "/r"), &scan.encode_to_vec()).expect("a scan");
        let state = vehicle.state(7);
        assert_eq!(
            (state.time_ns, state.gyro, state.acceleration),
            (7, [0.1, -0.2, -0.3], [1.0, -2.0, -9.0])
        );
        assert_eq!((state.position, state.range), ([4.0, 3.0, -5.0], Some(2.5)));
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-12;
        assert!(state.velocity.into_iter().zip([2.0, 0.0, 0.0]).all(|(a, b)| near(a, b)), "{state:?}");
        assert!(near(state.attitude[0].abs(), 1.0), "{state:?}");
        assert!(vehicle.update(&chosen, &source(Kind::Imu, "/i"), &[0xff]).is_err());
    }
}
