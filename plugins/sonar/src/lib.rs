//! Sonar and infrared ranger: the distance to the nearest object in a cone along x.
//!
//! [`Cone`] contains the directions of its rays, which are all cast in one call. Runs on the simulation thread.

mod cone;
#[cfg(test)]
mod tests;

use bridgehead_plugin_api::host::{HostHandle, Params, Pose, Publisher, Qos, RayBatch, RayHit};
use bridgehead_plugin_api::messages::geometry_msgs::{self, PoseStamped};
use bridgehead_plugin_api::messages::sensor_msgs::Range;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::Step;
use bridgehead_plugin_api::noise::Noise;
use bridgehead_plugin_api::sensor::{LinkSensor, Sensor, SensorOutput};
use bridgehead_plugin_api::{Result, export_plugin};

use crate::cone::Cone;

export_plugin! {
    model Sonar { id: "org.bridgehead.sensor.sonar", name: "sonar", vendor: "Bridgehead" }
}

/// Measurable range, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Limits {
    min: f64,
    max: f64,
}

/// One ranger.
struct Sonar {
    sensor: LinkSensor<Range>,
    limits: Limits,
    cone: Cone,
    noise: Noise,
    radiation: u32,
    /// For the pose of the sensor in the world, if it is asked for.
    poses: Option<Publisher<PoseStamped>>,
    /// Reused for every sample.
    hits: Vec<RayHit>,
}

impl Sensor for Sonar {
    type Message = Range;

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let sensor = LinkSensor::attach(host, "range")?;
        let limits =
            Limits { min: positive(params, "sonar/min", 0.0)?, max: positive(params, "sonar/max", 1.0)? };
        if limits.min >= limits.max {
            let found = limits.min.to_string();
            return Err(params.refuse("sonar/min", &found, format!("less than <max>, {}", limits.max)));
        }
        let cone = Cone::new(libm::atan(positive(params, "sonar/radius", 0.5)? / limits.max));
        let nothing = RayHit { distance: f64::INFINITY, normal: [0.0; 3], entity: 0 };
        Ok(Sonar {
            hits: vec![nothing; cone.directions().len()],
            noise: Noise::read(params, "sonar/noise", sensor.key())?,
            radiation: radiation(params)?,
            poses: poses(host, params, sensor.topic())?,
            sensor,
            limits,
            cone,
        })
    }

    fn output(&self) -> &SensorOutput<Range> {
        &self.sensor
    }

    fn measure(&mut self, step: &Step, sample: u64) -> Result {
        let pose = self.sensor.state()?.pose;
        let batch = RayBatch {
            frame: pose,
            directions: self.cone.directions(),
            // Nearer hits are needed too, to be reported as too close.
            range_min: 0.0,
            range_max: self.limits.max,
            ignore: Some(self.sensor.link()),
        };
        self.sensor.world().cast_rays(&batch, &mut self.hits)?;
        let nearest = self.hits.iter().map(|hit| hit.distance).fold(f64::INFINITY, f64::min);
        let noisy = self.noise.apply(nearest, step.time_ns, &mut self.sensor.random(sample));
        let message = Range {
            header: Some(self.sensor.header(step)),
            radiation_type: self.radiation,
            field_of_view: single(2.0 * self.cone.half_angle()),
            min_range: single(self.limits.min),
            max_range: single(self.limits.max),
            range: single(self.limits.reading(nearest, noisy)),
            variance: single(self.noise.variance()),
        };
        self.publish_pose(step, pose)?;
        self.sensor.publish(step, &message)
    }
}

impl Sonar {
    /// Publishes the pose of a range before the range itself.
    fn publish_pose(&self, step: &Step, pose: Pose) -> Result {
        let Some(poses) = &self.poses else { return Ok(()) };
        let header = Some(Header::new(step.time_ns, "world"));
        poses.publish(step.time_ns, &PoseStamped { header, pose: Some(message_of(pose)) })
    }
}

impl Limits {
    /// Returns the reported range for a true distance and its noisy measurement: REP-117's infinities outside the
    /// limits.
    fn reading(self, nearest: f64, noisy: f64) -> f64 {
        if nearest < self.min {
            f64::NEG_INFINITY
        } else if nearest > self.max {
            f64::INFINITY
        } else {
            noisy.clamp(self.min, self.max)
        }
    }
}

fn positive(params: Params, path: &str, default: f64) -> Result<f64> {
    let value = params.get_or(path, default)?;
    let is_right = value >= 0.0 && value.is_finite();
    if is_right { Ok(value) } else { Err(params.refuse(path, &value.to_string(), "metres, 0 or more")) }
}

/// Opens the topic of poses below that of the ranges, if `world_pose` asks for it.
fn poses(host: HostHandle, params: Params, topic: &str) -> Result<Option<Publisher<PoseStamped>>> {
    let is_wanted = params.get_or("world_pose", false)?;
    is_wanted.then(|| host.bus()?.advertise(&format!("{topic}/world_pose"), Qos::sensor_data())).transpose()
}

fn message_of(pose: Pose) -> geometry_msgs::Pose {
    let ([x, y, z], [qx, qy, qz, qw]) = (pose.position, pose.orientation);
    let orientation = geometry_msgs::Quaternion { x: qx, y: qy, z: qz, w: qw };
    geometry_msgs::Pose { position: Some(geometry_msgs::Point { x, y, z }), orientation: Some(orientation) }
}

fn radiation(params: Params) -> Result<u32> {
    const PATH: &str = "sonar/radiation";
    match params.text(PATH).as_deref() {
        None | Some("ultrasound") => Ok(Range::ULTRASOUND),
        Some("infrared") => Ok(Range::INFRARED),
        Some(other) => Err(params.refuse(PATH, other, "`ultrasound` or `infrared`")),
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the message has single precision")]
fn single(value: f64) -> f32 {
    value as f32
}
