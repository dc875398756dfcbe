//! Wheel odometry as messages: Odometry on the vehicle's topic and the transform of the vehicle on `/tf`.

use serde::{Deserialize, Serialize};

use super::speed::Speed;
use crate::error::{Error, Result};
use crate::host::{HostHandle, Model, Params, Publisher, Qos};
use crate::messages::builtin_interfaces::Time;
use crate::messages::geometry_msgs::{
    Point, Pose, PoseWithCovariance, Quaternion, Transform, TransformStamped, Twist, TwistWithCovariance,
    Vector3,
};
use crate::messages::nav_msgs;
use crate::messages::std_msgs::Header;
use crate::messages::tf2_msgs::TfMessage;
use crate::model::Step;
use crate::schedule::Schedule;

/// Reports per second without an `odom_publish_frequency`.
const RATE: f64 = 50.0;

/// Where a vehicle is in its plane and how it moves there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Planar {
    /// Metres.
    pub x: f64,
    /// Metres.
    pub y: f64,
    /// Radians to the left, not wrapped.
    pub heading: f64,
    /// How it moves, in its own frame.
    pub speed: Speed,
}

/// Publishes odometry at its own rate.
pub struct OdometryReport {
    schedule: Schedule,
    frame_id: String,
    child_frame_id: String,
    odometry: Publisher<nav_msgs::Odometry>,
    /// `None` if transforms are not wanted.
    transforms: Option<Publisher<TfMessage>>,
}

impl OdometryReport {
    /// Reads `odom_topic`, `odom_publish_frequency`, `publish_tf`, `tf_topic`, `frame_id` and `child_frame_id`, and
    /// advertises the topics.
    ///
    /// # Errors
    /// Returns an error if a parameter is none of its kind, or the model has no links.
    pub fn new(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        let text = |path: &str, default: &str| params.get_or(path, default.to_owned());
        let transforms = if params.get_or("publish_tf", true)? {
            Some(bus.advertise(&text("tf_topic", "/tf")?, Qos::default())?)
        } else {
            None
        };
        Ok(OdometryReport {
            schedule: read_schedule(params)?,
            frame_id: text("frame_id", &format!("{}/odom", model.attachment()?.vehicle))?,
            child_frame_id: text("child_frame_id", &base_frame(model)?)?,
            odometry: bus.advertise(&text("odom_topic", "odom")?, Qos::default())?,
            transforms,
        })
    }

    /// Publishes if a report is due and has a listener.
    ///
    /// # Errors
    /// Returns an error if the host refuses a message.
    pub fn publish(&self, step: &Step, odometry: &Planar) -> Result {
        self.publish_sideways(step, odometry, 0.0)
    }

    /// Publishes, as [`OdometryReport::publish`], the odometry of a vehicle that also moves to its left, m/s.
    ///
    /// # Errors
    /// Returns an error if the host refuses a message.
    pub fn publish_sideways(&self, step: &Step, odometry: &Planar, sideways: f64) -> Result {
        if self.schedule.due(step).is_none() {
            return Ok(());
        }
        if self.odometry.has_listeners() {
            self.odometry.publish(step.time_ns, &self.odometry_message(step, odometry, sideways))?;
        }
        if let Some(transforms) = self.transforms.as_ref().filter(|transforms| transforms.has_listeners()) {
            transforms.publish(step.time_ns, &self.transform_message(step, odometry))?;
        }
        Ok(())
    }

    fn header(&self, step: &Step) -> Option<Header> {
        Some(Header { stamp: Some(Time::from_nanos(step.time_ns)), frame_id: self.frame_id.clone() })
    }

    fn odometry_message(&self, step: &Step, odometry: &Planar, sideways: f64) -> nav_msgs::Odometry {
        let pose = Pose {
            position: Some(Point::new(odometry.x, odometry.y, 0.0)),
            orientation: Some(about_z(odometry.heading)),
        };
        let twist = Twist {
            linear: Some(Vector3::new(odometry.speed.linear, sideways, 0.0)),
            angular: Some(Vector3::new(0.0, 0.0, odometry.speed.angular)),
        };
        nav_msgs::Odometry {
            header: self.header(step),
            child_frame_id: self.child_frame_id.clone(),
            pose: Some(PoseWithCovariance { pose: Some(pose), ..Default::default() }),
            twist: Some(TwistWithCovariance { twist: Some(twist), ..Default::default() }),
        }
    }

    fn transform_message(&self, step: &Step, odometry: &Planar) -> TfMessage {
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

fn read_schedule(params: Params) -> Result<Schedule> {
    const PATH: &str = "odom_publish_frequency";
    let rate = params.get_or(PATH, RATE)?;
    Schedule::with_rate(rate)
        .map_err(|_| params.refuse(PATH, &rate.to_string(), "reports per second, or 0 for one in every step"))
}

/// Frame of the link `base_link`, or else of the first link, which carries the model frame unless told otherwise.
fn base_frame(model: Model) -> Result<String> {
    let links = model.links();
    let base = links.iter().find(|link| link.name == "base_link").or(links.first());
    let base = base.ok_or_else(|| Error::invalid("a model without links cannot be driven"))?;
    Ok(base.frame_id.clone())
}

/// A turn by `angle` radians to the left.
fn about_z(angle: f64) -> Quaternion {
    let (sin, cos) = libm::sincos(angle / 2.0);
    Quaternion { x: 0.0, y: 0.0, z: sin, w: cos }
}
