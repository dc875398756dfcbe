//! Wheel odometry as messages: Odometry on the vehicle's topic and the transform of the vehicle on `/tf`.

use bridgehead_plugin_api::Result;
use bridgehead_plugin_api::host::{HostHandle, Publisher, Qos};
use bridgehead_plugin_api::messages::builtin_interfaces::Time;
use bridgehead_plugin_api::messages::geometry_msgs::{
    Point, Pose, PoseWithCovariance, Quaternion, Transform, TransformStamped, Twist, TwistWithCovariance,
    Vector3,
};
use bridgehead_plugin_api::messages::nav_msgs;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::schedule::Schedule;

use crate::odometry::Odometry;
use crate::settings::Settings;

/// Publishes odometry at its own rate.
pub(crate) struct Report {
    schedule: Schedule,
    frame_id: String,
    child_frame_id: String,
    odometry: Publisher<nav_msgs::Odometry>,
    /// `None` where transforms are not wanted.
    transforms: Option<Publisher<TfMessage>>,
}

impl Report {
    pub(crate) fn new(host: HostHandle, settings: &Settings) -> Result<Self> {
        let bus = host.bus()?;
        let transforms = settings.tf_topic.as_ref().map(|topic| bus.advertise(topic, Qos::default()));
        Ok(Report {
            schedule: settings.odometry_schedule,
            frame_id: settings.frame_id.clone(),
            child_frame_id: settings.child_frame_id.clone(),
            odometry: bus.advertise(&settings.odom_topic, Qos::default())?,
            transforms: transforms.transpose()?,
        })
    }

    /// Publishes where a report is due and somebody listens.
    pub(crate) fn publish(&self, step: &Step, odometry: &Odometry) -> Result {
        if self.schedule.due(step).is_none() {
            return Ok(());
        }
        if self.odometry.has_listeners() {
            self.odometry.publish(step.time_ns, &self.odometry_message(step, odometry))?;
        }
        if let Some(transforms) = self.transforms.as_ref().filter(|transforms| transforms.has_listeners()) {
            transforms.publish(step.time_ns, &self.transform_message(step, odometry))?;
        }
        Ok(())
    }

    fn header(&self, step: &Step) -> Option<Header> {
        Some(Header { stamp: Some(Time::from_nanos(step.time_ns)), frame_id: self.frame_id.clone() })
    }

    fn odometry_message(&self, step: &Step, odometry: &Odometry) -> nav_msgs::Odometry {
        let pose = Pose {
            position: Some(Point::new(odometry.x, odometry.y, 0.0)),
            orientation: Some(about_z(odometry.heading)),
        };
        let twist = Twist {
            linear: Some(Vector3::new(odometry.speed.linear, 0.0, 0.0)),
            angular: Some(Vector3::new(0.0, 0.0, odometry.speed.angular)),
        };
        nav_msgs::Odometry {
            header: self.header(step),
            child_frame_id: self.child_frame_id.clone(),
            pose: Some(PoseWithCovariance { pose: Some(pose), ..Default::default() }),
            twist: Some(TwistWithCovariance { twist: Some(twist), ..Default::default() }),
        }
    }

    fn transform_message(&self, step: &Step, odometry: &Odometry) -> TfMessage {
        let transform = Transform {
            translation: Some(Vector3::new(odometry.x, odometry.y, 0.0)),
            rotation: Some(about_z(odometry.heading)),
        };
        let transform = TransformStamped {
            header: self.header(step),
            child_frame_id: self.child_frame_id.clone(),
            transform: Some(transform),
        };
        TfMessage { transforms: vec![transform] }
    }
}

/// A turn by `angle` radians to the left.
fn about_z(angle: f64) -> Quaternion {
    let (sin, cos) = libm::sincos(angle / 2.0);
    Quaternion { x: 0.0, y: 0.0, z: sin, w: cos }
}
