//! The message of a board, combined from several topics.
//!
//! The last message of each topic is kept. A board message is sent with each odometry message, at the rate of the
//! board.

use bridgehead_plugin_api::messages::gazebo_msgs::ContactsState;
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::sensor_msgs::{BatteryState, Imu, Range};

use super::{ConversionError, Converter, Outputs, board, header, sensors, time};
use crate::device::{Key, MicomConfig, Slot, names};
use crate::msgs::{self, Time, micom};
use crate::pose::{Pose, from_vector, quaternion, vector};

pub(super) struct Micom {
    config: MicomConfig,
    latched: Latched,
    /// Origin of the odometry, if it was reset.
    origin: Option<Pose>,
    /// The next odometry pose becomes the origin.
    resets_origin: bool,
    transforms: board::Sent,
}

/// The last data of the other topics.
#[derive(Default)]
struct Latched {
    bumpers: Vec<micom::Bumper>,
    sonars: Vec<micom::Range>,
    irs: Vec<micom::Range>,
    battery: Option<msgs::Battery>,
    orientation: Option<[f64; 4]>,
}

impl Latched {
    fn new(config: &MicomConfig) -> Self {
        Latched {
            bumpers: vec![micom::Bumper::default(); config.bumpers],
            sonars: vec![nothing(); config.sonars],
            irs: vec![nothing(); config.irs],
            ..Latched::default()
        }
    }
}

impl Micom {
    pub(super) fn new(config: MicomConfig) -> Self {
        let transforms = board::Sent::default();
        Micom { latched: Latched::new(&config), config, origin: None, resets_origin: false, transforms }
    }

    fn odometry(&mut self, message: &[u8]) -> Result<msgs::Micom, ConversionError> {
        let odometry = Odometry::decode(message)?;
        let mut pose = Pose::from_ros(odometry.pose.as_ref().and_then(|pose| pose.pose.as_ref()));
        if std::mem::take(&mut self.resets_origin) {
            self.origin = Some(pose);
        }
        if let Some(origin) = self.origin {
            pose = origin.inverse() * pose;
        }
        let twist = odometry.twist.and_then(|twist| twist.twist).unwrap_or_default();
        let (linear, angular) = (from_vector(twist.linear.as_ref()), from_vector(twist.angular.as_ref()));
        let turn = angular.z * self.config.wheel_separation / 2.0;
        let (left, right) = (linear.x - turn, linear.x + turn);
        let radius = self.config.wheel_radius;
        let rolling = |speed: f64| if radius > 0.0 { speed / radius } else { 0.0 };
        let [x, y, z] = pose.position;
        let [_, _, yaw] = pose.euler();
        let odom = micom::Odometry {
            angular_velocity: Some(micom::odometry::Wheel { left: rolling(left), right: rolling(right) }),
            linear_velocity: Some(micom::odometry::Wheel { left, right }),
            pose: Some(vector([x, y, yaw])),
            twist: Some(msgs::Twist { header: None, linear: Some(linear), angular: Some(angular) }),
        };
        let orientation = self.latched.orientation.unwrap_or(pose.orientation);
        let stamp = time(odometry.header.as_ref().and_then(|header| header.stamp.as_ref()));
        let place = Pose { position: [x, y, z], orientation };
        Ok(msgs::Micom { odom: Some(odom), pose: Some(place.to_msg("")), ..self.rest(stamp) })
    }

    /// Returns a message without odometry.
    fn rest(&self, stamp: Time) -> msgs::Micom {
        msgs::Micom {
            time: Some(stamp),
            uss: self.latched.sonars.clone(),
            ir: self.latched.irs.clone(),
            bumper: self.latched.bumpers.clone(),
            battery: self.latched.battery.clone(),
            ..msgs::Micom::default()
        }
    }
}

impl Converter for Micom {
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        match slot {
            Slot::Main => return Ok(vec![(Key::Tx, self.odometry(message)?.encode_to_vec())]),
            Slot::Tf => {
                let wanted = &self.config.transforms;
                let is_wanted = |child: &str, _: &str| wanted.iter().any(|name| names::frame(name) == child);
                return board::transforms(message, &self.config.vehicle, is_wanted, &mut self.transforms);
            }
            Slot::Bumper(at) => {
                let contacts = sensors::contacts(&ContactsState::decode(message)?);
                let bumper = micom::Bumper { bumped: !contacts.contact.is_empty(), contacts: Some(contacts) };
                put(&mut self.latched.bumpers, at, bumper);
            }
            Slot::Sonar(at) => put(&mut self.latched.sonars, at, range(message)?),
            Slot::Ir(at) => put(&mut self.latched.irs, at, range(message)?),
            Slot::Battery => {
                let state = BatteryState::decode(message)?;
                self.latched.battery = Some(msgs::Battery {
                    header: header(state.header.as_ref()),
                    name: self.config.battery.clone(),
                    voltage: state.voltage.into(),
                });
            }
            Slot::Imu => {
                self.latched.orientation = Some(quaternion(Imu::decode(message)?.orientation.as_ref()));
            }
            Slot::WorldPose | Slot::Nested(_) | Slot::Camera(_) | Slot::Classes | Slot::Module(_) => {}
        }
        Ok(Outputs::new())
    }

    fn idle(&self, key: Key, now: i64) -> Vec<u8> {
        match key {
            Key::Tf => board::nameless(now),
            _ => {
                let mut message = self.rest(Time::from_nanos(now));
                message.odom = Some(micom::Odometry {
                    angular_velocity: Some(micom::odometry::Wheel::default()),
                    linear_velocity: Some(micom::odometry::Wheel::default()),
                    pose: Some(vector([0.0; 3])),
                    twist: Some(msgs::Twist {
                        header: None,
                        linear: Some(vector([0.0; 3])),
                        angular: Some(vector([0.0; 3])),
                    }),
                });
                message.encode_to_vec()
            }
        }
    }

    fn clear(&mut self) {
        self.latched = Latched::new(&self.config);
        (self.origin, self.resets_origin) = (None, false);
        self.transforms.clear();
    }

    fn reset_odometry(&mut self) {
        self.resets_origin = true;
    }
}

fn put<T>(list: &mut [T], at: usize, value: T) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

/// Returns the data of a sonar that has measured nothing yet, or does not exist: 0 m would be an obstacle.
fn nothing() -> micom::Range {
    let state = msgs::Sonar { range: f64::NAN, ..msgs::Sonar::default() };
    micom::Range { distance: f64::NAN, state: Some(state) }
}

fn range(message: &[u8]) -> Result<micom::Range, ConversionError> {
    let range = Range::decode(message)?;
    Ok(micom::Range { distance: range.range.into(), state: Some(sensors::sonar(&range, "")) })
}
