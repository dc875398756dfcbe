//! Sensors whose messages differ in little more than their field numbers.

use bridgehead_plugin_api::messages::prost::Message as _;
use bridgehead_plugin_api::messages::{gazebo_msgs, geometry_msgs, ros_gz_interfaces, sensor_msgs};

use super::{ConversionError, Converter, Outputs, data, header, header_now};
use crate::device::{Key, Slot};
use crate::msgs;
use crate::pose::{Pose, from_vector, quaternion};

pub(super) struct Imu {
    pub(super) name: String,
}

impl Converter for Imu {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let imu = sensor_msgs::Imu::decode(message)?;
        Ok(data(&msgs::Imu {
            header: header(imu.header.as_ref()),
            entity_name: self.name.clone(),
            orientation: Some(turn(quaternion(imu.orientation.as_ref()))),
            orientation_covariance: covariance(&imu.orientation_covariance),
            angular_velocity: Some(from_vector(imu.angular_velocity.as_ref())),
            angular_velocity_covariance: covariance(&imu.angular_velocity_covariance),
            linear_acceleration: Some(from_vector(imu.linear_acceleration.as_ref())),
            linear_acceleration_covariance: covariance(&imu.linear_acceleration_covariance),
        }))
    }

    /// A first covariance element of -1 means that the value is not available.
    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let unknown = || covariance(&[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        msgs::Imu {
            header: header_now(now),
            entity_name: self.name.clone(),
            orientation: Some(turn(Pose::IDENTITY.orientation)),
            orientation_covariance: unknown(),
            angular_velocity: Some(msgs::Vector3d::default()),
            angular_velocity_covariance: unknown(),
            linear_acceleration: Some(msgs::Vector3d::default()),
            linear_acceleration_covariance: unknown(),
        }
        .encode_to_vec()
    }
}

fn turn([x, y, z, w]: [f64; 4]) -> msgs::Quaternion {
    msgs::Quaternion { header: None, x, y, z, w }
}

/// Returns nine numbers, zeros if none are given: readers index them.
fn covariance(values: &[f64]) -> Option<msgs::FloatV> {
    #[expect(clippy::cast_possible_truncation, reason = "the field holds 32-bit floats")]
    let mut data: Vec<f32> = values.iter().map(|value| *value as f32).collect();
    data.resize(9, 0.0);
    Some(msgs::FloatV { header: None, data })
}

pub(super) struct Gps {
    pub(super) frame: String,
}

impl Converter for Gps {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let fix = sensor_msgs::NavSatFix::decode(message)?;
        Ok(data(&msgs::NavSatWithCovariance {
            header: header(fix.header.as_ref()),
            latitude_deg: fix.latitude,
            longitude_deg: fix.longitude,
            altitude: fix.altitude,
            position_covariance: covariance(&fix.position_covariance),
            position_covariance_type: fix.position_covariance_type,
            velocity_covariance: covariance(&[]),
            frame_id: self.frame.clone(),
            ..msgs::NavSatWithCovariance::default()
        }))
    }

    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        msgs::NavSatWithCovariance {
            header: header_now(now),
            latitude_deg: f64::NAN,
            longitude_deg: f64::NAN,
            altitude: f64::NAN,
            position_covariance: covariance(&[]),
            velocity_covariance: covariance(&[]),
            frame_id: self.frame.clone(),
            ..msgs::NavSatWithCovariance::default()
        }
        .encode_to_vec()
    }
}

/// Sonars and infrared sensors.
pub(super) struct Range {
    frame: String,
    /// The pose that arrived last: it precedes its range.
    world_pose: Option<msgs::Pose>,
}

impl Range {
    pub(super) fn new(frame: String) -> Self {
        Range { frame, world_pose: None }
    }
}

impl Converter for Range {
    fn convert(&mut self, slot: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        if slot == Slot::WorldPose {
            let pose = geometry_msgs::PoseStamped::decode(message)?.pose;
            self.world_pose = Some(Pose::from_ros(pose.as_ref()).to_msg(""));
            return Ok(Vec::new());
        }
        let range = sonar(&sensor_msgs::Range::decode(message)?, &self.frame);
        Ok(data(&msgs::Sonar { world_pose: self.world_pose.clone(), ..range }))
    }

    fn clear(&mut self) {
        self.world_pose = None;
    }

    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        msgs::Sonar {
            header: header_now(now),
            frame: self.frame.clone(),
            range: f64::NAN,
            ..msgs::Sonar::default()
        }
        .encode_to_vec()
    }
}

/// Converts a range.
pub(super) fn sonar(range: &sensor_msgs::Range, frame: &str) -> msgs::Sonar {
    let (reach, angle) = (f64::from(range.max_range), f64::from(range.field_of_view));
    let own = range.header.as_ref().map_or("", |header| header.frame_id.as_str());
    msgs::Sonar {
        header: header(range.header.as_ref()),
        frame: if frame.is_empty() { own.to_owned() } else { frame.to_owned() },
        range_min: range.min_range.into(),
        range_max: reach,
        radius: reach * libm::tan(angle / 2.0),
        range: range.range.into(),
        geometry: "cone".to_owned(),
        ..msgs::Sonar::default()
    }
}

pub(super) struct Contact;

impl Converter for Contact {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        Ok(data(&contacts(&gazebo_msgs::ContactsState::decode(message)?)))
    }

    /// An empty list means that nothing is in contact.
    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        msgs::Contacts { header: header_now(now), contact: Vec::new() }.encode_to_vec()
    }
}

/// Converts contacts. Readers index the four lists of a contact together, so they are made equally long.
pub(super) fn contacts(state: &gazebo_msgs::ContactsState) -> msgs::Contacts {
    let entity = |name: &str| Some(msgs::Entity { name: name.to_owned(), ..msgs::Entity::default() });
    let contact = state.states.iter().map(|touch| {
        let count = touch.contact_positions.len();
        let normal = |at: usize| from_vector(touch.contact_normals.get(at));
        msgs::Contact {
            header: header(state.header.as_ref()),
            collision1: entity(&touch.collision1_name),
            collision2: entity(&touch.collision2_name),
            position: touch.contact_positions.iter().map(|at| from_vector(Some(at))).collect(),
            normal: (0..count).map(normal).collect(),
            depth: (0..count).map(|at| touch.depths.get(at).copied().unwrap_or(0.0)).collect(),
            wrench: (0..count).map(|at| wrench(touch, at)).collect(),
            world: None,
        }
    });
    msgs::Contacts { header: header(state.header.as_ref()), contact: contact.collect() }
}

fn wrench(touch: &gazebo_msgs::ContactState, at: usize) -> msgs::JointWrench {
    let force = |wrench: &geometry_msgs::Wrench, sign: f64| {
        let turned = |vector: msgs::Vector3d| msgs::Vector3d {
            header: None,
            x: sign * vector.x,
            y: sign * vector.y,
            z: sign * vector.z,
        };
        msgs::Wrench {
            force: Some(turned(from_vector(wrench.force.as_ref()))),
            torque: Some(turned(from_vector(wrench.torque.as_ref()))),
            ..msgs::Wrench::default()
        }
    };
    let found = touch.wrenches.get(at).cloned().unwrap_or_default();
    msgs::JointWrench {
        body_1_name: touch.collision1_name.clone(),
        body_2_name: touch.collision2_name.clone(),
        body_1_wrench: Some(force(&found, 1.0)),
        body_2_wrench: Some(force(&found, -1.0)),
        ..msgs::JointWrench::default()
    }
}

pub(super) struct LogicalCamera;

impl Converter for LogicalCamera {
    fn convert(&mut self, _: Slot, message: &[u8]) -> Result<Outputs, ConversionError> {
        let image = ros_gz_interfaces::LogicalCameraImage::decode(message)?;
        let model = image.model.iter().map(|model| msgs::logical_camera_image::Model {
            name: model.name.clone(),
            pose: Some(Pose::from_ros(model.pose.as_ref()).to_msg(&model.name)),
        });
        Ok(data(&msgs::LogicalCameraImage {
            header: header(image.header.as_ref()),
            pose: Some(Pose::from_ros(image.pose.as_ref()).to_msg("")),
            model: model.collect(),
        }))
    }

    fn idle(&self, _: Key, now: i64) -> Vec<u8> {
        let pose = Some(Pose::IDENTITY.to_msg(""));
        msgs::LogicalCameraImage { header: header_now(now), pose, model: Vec::new() }.encode_to_vec()
    }
}
