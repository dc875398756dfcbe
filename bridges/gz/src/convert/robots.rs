//! Joints, actuators and what acts on a robot.

use bridgehead_plugin_api::messages::{
    actuator_msgs, builtin_interfaces, ros_gz_interfaces, sensor_msgs, trajectory_msgs,
};

use crate::msgs as gz;

impl From<sensor_msgs::JointState> for gz::Model {
    fn from(message: sensor_msgs::JointState) -> Self {
        let sensor_msgs::JointState { header, name, position, velocity, effort } = message;
        let at = |values: &[f64], place: usize| values.get(place).copied().unwrap_or_default();
        let joint = |(place, name): (usize, String)| gz::Joint {
            name,
            axis1: Some(gz::Axis {
                position: at(&position, place),
                velocity: at(&velocity, place),
                force: at(&effort, place),
                ..gz::Axis::default()
            }),
            ..gz::Joint::default()
        };
        gz::Model {
            header: header.map(Into::into),
            joint: name.into_iter().enumerate().map(joint).collect(),
            ..gz::Model::default()
        }
    }
}

impl From<gz::Model> for sensor_msgs::JointState {
    fn from(message: gz::Model) -> Self {
        let axis = |value: fn(&gz::Axis) -> f64| -> Vec<f64> {
            message.joint.iter().map(|joint| joint.axis1.as_ref().map_or(0.0, value)).collect()
        };
        let (position, velocity) = (axis(|axis| axis.position), axis(|axis| axis.velocity));
        let effort = axis(|axis| axis.force);
        sensor_msgs::JointState {
            header: message.header.map(Into::into),
            name: message.joint.into_iter().map(|joint| joint.name).collect(),
            position,
            velocity,
            effort,
        }
    }
}

impl From<actuator_msgs::Actuators> for gz::Actuators {
    fn from(message: actuator_msgs::Actuators) -> Self {
        gz::Actuators {
            header: message.header.map(Into::into),
            position: message.position,
            velocity: message.velocity,
            normalized: message.normalized,
        }
    }
}

impl From<gz::Actuators> for actuator_msgs::Actuators {
    fn from(message: gz::Actuators) -> Self {
        actuator_msgs::Actuators {
            header: message.header.map(Into::into),
            position: message.position,
            velocity: message.velocity,
            normalized: message.normalized,
        }
    }
}

impl From<builtin_interfaces::Duration> for gz::Duration {
    fn from(duration: builtin_interfaces::Duration) -> Self {
        gz::Duration { sec: duration.sec.into(), nsec: i32::try_from(duration.nanosec).unwrap_or_default() }
    }
}

impl From<gz::Duration> for builtin_interfaces::Duration {
    fn from(duration: gz::Duration) -> Self {
        let gz::Duration { sec, nsec } = duration;
        let time: builtin_interfaces::Time = gz::Time { sec, nsec }.into();
        builtin_interfaces::Duration { sec: time.sec, nanosec: time.nanosec }
    }
}

impl From<trajectory_msgs::JointTrajectory> for gz::JointTrajectory {
    fn from(message: trajectory_msgs::JointTrajectory) -> Self {
        let point = |point: trajectory_msgs::JointTrajectoryPoint| gz::JointTrajectoryPoint {
            positions: point.positions,
            velocities: point.velocities,
            accelerations: point.accelerations,
            effort: point.effort,
            time_from_start: point.time_from_start.map(Into::into),
        };
        gz::JointTrajectory {
            header: message.header.map(Into::into),
            joint_names: message.joint_names,
            points: message.points.into_iter().map(point).collect(),
        }
    }
}

impl From<gz::JointTrajectory> for trajectory_msgs::JointTrajectory {
    fn from(message: gz::JointTrajectory) -> Self {
        let point = |point: gz::JointTrajectoryPoint| trajectory_msgs::JointTrajectoryPoint {
            positions: point.positions,
            velocities: point.velocities,
            accelerations: point.accelerations,
            effort: point.effort,
            time_from_start: point.time_from_start.map(Into::into),
        };
        trajectory_msgs::JointTrajectory {
            header: message.header.map(Into::into),
            joint_names: message.joint_names,
            points: message.points.into_iter().map(point).collect(),
        }
    }
}

/// The kinds of entities in the order of Gazebo; each with the number of `ros_gz_interfaces/msg/Entity`, whose order is the
/// same up to joints.
fn kind_to_gz(kind: u32) -> i32 {
    i32::try_from(kind).unwrap_or_default()
}

impl From<ros_gz_interfaces::Entity> for gz::Entity {
    fn from(entity: ros_gz_interfaces::Entity) -> Self {
        gz::Entity { header: None, id: entity.id, name: entity.name, r#type: kind_to_gz(entity.r#type) }
    }
}

impl From<gz::Entity> for ros_gz_interfaces::Entity {
    fn from(entity: gz::Entity) -> Self {
        ros_gz_interfaces::Entity {
            id: entity.id,
            name: entity.name,
            r#type: u32::try_from(entity.r#type).unwrap_or_default(),
        }
    }
}

impl From<ros_gz_interfaces::EntityWrench> for gz::EntityWrench {
    fn from(message: ros_gz_interfaces::EntityWrench) -> Self {
        gz::EntityWrench {
            header: message.header.map(Into::into),
            entity: message.entity.map(Into::into),
            wrench: message.wrench.map(Into::into),
        }
    }
}

impl From<gz::EntityWrench> for ros_gz_interfaces::EntityWrench {
    fn from(message: gz::EntityWrench) -> Self {
        ros_gz_interfaces::EntityWrench {
            header: message.header.map(Into::into),
            entity: message.entity.map(Into::into),
            wrench: message.wrench.map(Into::into),
        }
    }
}

impl From<ros_gz_interfaces::Dataframe> for gz::Dataframe {
    fn from(message: ros_gz_interfaces::Dataframe) -> Self {
        gz::Dataframe {
            header: message.header.map(Into::into),
            src_address: message.src_address,
            dst_address: message.dst_address,
            data: message.data,
        }
    }
}

impl From<gz::Dataframe> for ros_gz_interfaces::Dataframe {
    fn from(message: gz::Dataframe) -> Self {
        ros_gz_interfaces::Dataframe {
            header: message.header.map(Into::into),
            src_address: message.src_address,
            dst_address: message.dst_address,
            data: message.data,
            ..ros_gz_interfaces::Dataframe::default()
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the batteries of ROS are of single precision")]
impl From<gz::BatteryState> for sensor_msgs::BatteryState {
    /// What Gazebo does not say is unknown. Its charge is a percentage.
    fn from(message: gz::BatteryState) -> Self {
        sensor_msgs::BatteryState {
            header: message.header.map(Into::into),
            voltage: message.voltage as f32,
            temperature: f32::NAN,
            current: message.current as f32,
            charge: message.charge as f32,
            capacity: message.capacity as f32,
            design_capacity: f32::NAN,
            percentage: (message.percentage / 100.0) as f32,
            power_supply_status: u32::try_from(message.power_supply_status).unwrap_or_default(),
            present: true,
            ..sensor_msgs::BatteryState::default()
        }
    }
}

impl From<sensor_msgs::BatteryState> for gz::BatteryState {
    fn from(message: sensor_msgs::BatteryState) -> Self {
        gz::BatteryState {
            header: message.header.map(Into::into),
            voltage: message.voltage.into(),
            current: message.current.into(),
            charge: message.charge.into(),
            capacity: message.capacity.into(),
            percentage: f64::from(message.percentage) * 100.0,
            power_supply_status: i32::try_from(message.power_supply_status).unwrap_or_default(),
        }
    }
}
