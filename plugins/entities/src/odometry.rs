//! Publishes where a model is and how it moves, as odometry without errors of its own, with noise on request.
//!
//! Frames: `<vehicle>/odom`, which is the world, to `<vehicle>/base_footprint`, which is the model with an offset. The
//! velocity is in the frame of the model, as `nav_msgs/msg/Odometry` has it.

use bridgehead_plugin_api::host::{Entities, HostHandle, LinkState, Pose, Publisher, Qos};
use bridgehead_plugin_api::messages::geometry_msgs::{
    PoseWithCovariance, TransformStamped, Twist, TwistWithCovariance,
};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::messages::tf2_msgs::TfMessage;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::random::RandomKey;
use bridgehead_plugin_api::schedule::{SampleTimes, Schedule};
use bridgehead_plugin_api::state::Remembers;
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::pose::{pose_message, transform, vector};

/// One publisher.
pub(crate) struct OdometryPublisher {
    entities: Entities,
    vehicle: String,
    /// From the model to the frame that is reported.
    offset: Pose,
    is_planar: bool,
    /// Deviation of each number of the velocity.
    noise: f64,
    key: RandomKey,
    schedule: Schedule,
    frame_id: String,
    child_frame_id: String,
    odometry: Publisher<Odometry>,
    transforms: Publisher<TfMessage>,
}

impl ModelPlugin for OdometryPublisher {
    const PHASES: Phases = Phases::SAMPLE;
    const REMEMBERS: Remembers = Remembers::Nothing;

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let attachment = host.model()?.attachment()?;
        let vehicle = attachment.vehicle;
        if vehicle.is_empty() {
            return Err(Error::invalid("odometry is that of a model; put the <plugin> into a <model>"));
        }
        const RATE: &str = "odom_publish_frequency";
        let rate = params.get_or(RATE, 50.0_f64)?;
        let schedule = Schedule::with_rate(rate.max(0.0)).map_err(|_| {
            params.refuse(RATE, &rate.to_string(), "reports per second, or 0 for one in every step")
        })?;
        let is_planar = match params.get_or("dimensions", 2_u32)? {
            2 => true,
            3 => false,
            other => return Err(params.refuse("dimensions", &other.to_string(), "2 or 3")),
        };
        let text = |path: &str, default: String| params.get_or(path, default);
        Ok(OdometryPublisher {
            entities: host.entities()?,
            offset: offset(params.get_or("xyz_offset", [0.0; 3])?, params.get_or("rpy_offset", [0.0; 3])?),
            is_planar,
            noise: params.not_negative_or("gaussian_noise", 0.0)?,
            key: RandomKey::new(attachment.seed, &attachment.path),
            schedule,
            frame_id: text("odom_frame", format!("{vehicle}/odom"))?,
            child_frame_id: text("robot_base_frame", format!("{vehicle}/base_footprint"))?,
            odometry: bus.advertise(&text("odom_topic", "odom".to_owned())?, Qos::default())?,
            transforms: bus.advertise(&text("tf_topic", "/tf".to_owned())?, Qos::default())?,
            vehicle,
        })
    }

    /// There is no state between reports.
    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        Ok(Flow::Continue)
    }

    fn sample_times(&self) -> SampleTimes {
        self.schedule.into()
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let Some(number) = self.schedule.due(step) else { return Ok(Flow::Continue) };
        let (odometry, tf) = (self.odometry.has_listeners(), self.transforms.has_listeners());
        if !(odometry || tf) {
            return Ok(Flow::Continue);
        }
        let Some(entity) = self.entities.find(&self.vehicle) else { return Ok(Flow::Continue) };
        let state = LinkState { pose: entity.pose, linear: entity.linear, angular: entity.angular };
        let linear = state.velocity_at(self.offset.position);
        let pose = state.pose.compose(self.offset);
        let twist = self.twist(&pose, linear, state.angular, number);
        let pose = if self.is_planar { planar(pose) } else { pose };
        let covariance = self.covariance();
        let header = Some(Header::new(step.time_ns, self.frame_id.as_str()));
        if odometry {
            let message = Odometry {
                header: header.clone(),
                child_frame_id: self.child_frame_id.clone(),
                pose: Some(PoseWithCovariance {
                    pose: Some(pose_message(pose)),
                    covariance: covariance.clone(),
                }),
                twist: Some(TwistWithCovariance { twist: Some(twist), covariance }),
            };
            self.odometry.publish(step.time_ns, &message)?;
        }
        if tf {
            let transform = TransformStamped {
                header,
                child_frame_id: self.child_frame_id.clone(),
                transform: Some(transform(pose)),
            };
            self.transforms.publish(step.time_ns, &TfMessage { transforms: vec![transform] })?;
        }
        Ok(Flow::Continue)
    }
}

impl OdometryPublisher {
    /// The velocity in the frame of the model, with noise; in a plane only what moves in it, by the heading alone.
    fn twist(&self, pose: &Pose, linear: [f64; 3], angular: [f64; 3], number: u64) -> Twist {
        let (mut linear, mut angular) = if self.is_planar {
            let [x, y, _] = heading(pose).rotate_inverse(linear);
            let [_, _, turn] = pose.rotate_inverse(angular);
            ([x, y, 0.0], [0.0, 0.0, turn])
        } else {
            (pose.rotate_inverse(linear), pose.rotate_inverse(angular))
        };
        if self.noise > 0.0 {
            let mut random = self.key.sample(number);
            linear = linear.map(|value| random.gaussian(value, self.noise));
            angular = angular.map(|value| random.gaussian(value, self.noise));
        }
        Twist { linear: Some(vector(linear)), angular: Some(vector(angular)) }
    }

    /// The covariance of pose and velocity, which Gazebo's `OdometryPublisher.cc` gives the same one; empty means none.
    fn covariance(&self) -> Vec<f64> {
        let variance = self.noise * self.noise;
        if variance == 0.0 {
            return Vec::new();
        }
        (0..36).map(|place| if place % 7 == 0 { variance } else { 0.0 }).collect()
    }
}

/// A pose from a position and angles about x, y and z, one after the other about fixed axes.
fn offset(position: [f64; 3], [roll, pitch, yaw]: [f64; 3]) -> Pose {
    let about = |axis: usize, angle: f64| {
        let (sin, cos) = libm::sincos(angle / 2.0);
        let mut orientation = [0.0, 0.0, 0.0, cos];
        orientation[axis] = sin;
        Pose { position: [0.0; 3], orientation }
    };
    let turned = about(2, yaw).compose(about(1, pitch)).compose(about(0, roll));
    Pose { position, orientation: turned.orientation }
}

/// The place in the plane z = 0. The orientation remains whole, as in Gazebo's `OdometryPublisher.cc`.
fn planar(pose: Pose) -> Pose {
    let [x, y, _] = pose.position;
    Pose { position: [x, y, 0.0], ..pose }
}

/// The rotation about z that is left of a pose in the plane.
fn heading(pose: &Pose) -> Pose {
    let [x, y, z, w] = pose.orientation;
    let heading = libm::atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z));
    let (sin, cos) = libm::sincos(heading / 2.0);
    Pose { position: [0.0; 3], orientation: [0.0, 0.0, sin, cos] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{Entity, EntityId};
    use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
    use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

    const HALF: f64 = std::f64::consts::FRAC_1_SQRT_2;

    /// A model that faces along y and moves along x, while it turns and climbs.
    fn odometry(builder: TestHostBuilder) -> (Odometry, TfMessage) {
        turned(builder, [0.0, 0.0, HALF, HALF])
    }

    /// The same model with another orientation.
    fn turned(builder: TestHostBuilder, orientation: [f64; 4]) -> (Odometry, TfMessage) {
        let host = builder.vehicle("car").link("base").build();
        host.set_entity(Entity {
            id: EntityId(1),
            name: "car".to_owned(),
            is_static: false,
            is_spawned: false,
            pose: Pose { position: [1.0, 2.0, 3.0], orientation },
            linear: [4.0, 0.0, 0.5],
            angular: [0.1, 0.0, 2.0],
            box_min: [0.0; 3],
            box_max: [0.0; 3],
        });
        host.listen("odom");
        host.listen("/tf");
        TestModel::<OdometryPublisher>::started(host).run(100).expect_done();
        assert_eq!((host.published("odom").len(), host.published("/tf").len()), (5, 5));
        assert_eq!(host.unread_params(), Vec::<String>::new());
        (host.last("odom"), host.last("/tf"))
    }

    fn parts(odometry: &Odometry) -> ([f64; 3], [f64; 3], [f64; 3]) {
        let pose = odometry.pose.as_ref().and_then(|pose| pose.pose.as_ref()).expect("a pose");
        let twist = odometry.twist.as_ref().and_then(|twist| twist.twist.as_ref()).expect("a twist");
        let position = pose.position.as_ref().expect("a position");
        let round = |v: &Vector3| [v.x, v.y, v.z].map(|value| (value * 1e9).round() / 1e9 + 0.0);
        let (linear, angular) =
            (twist.linear.as_ref().expect("linear"), twist.angular.as_ref().expect("angular"));
        ([position.x, position.y, position.z], round(linear), round(angular))
    }

    #[test]
    fn velocities_are_in_the_frame_of_the_model_and_a_plane_drops_the_rest() {
        let (planar, tf) = odometry(TestHost::builder());
        assert_eq!(parts(&planar), ([1.0, 2.0, 0.0], [0.0, -4.0, 0.0], [0.0, 0.0, 2.0]));
        assert_eq!((planar.child_frame_id.as_str(), tf.transforms.len()), ("car/base_footprint", 1));
        let (spatial, _) = odometry(TestHost::builder().param("dimensions", 3));
        assert_eq!(parts(&spatial), ([1.0, 2.0, 3.0], [0.0, -4.0, 0.5], [0.0, -0.1, 2.0]));
    }

    #[test]
    fn an_offset_is_a_point_of_the_model() {
        let params =
            [("xyz_offset", "1 0 0"), ("rpy_offset", "0 0 -1.5707963267948966"), ("dimensions", "3")];
        let (found, _) = odometry(TestHost::builder().params(params));
        // One metre ahead, along y: it moves backwards along x with 2 rad/s · 1 m more; and it faces along x.
        let (position, linear, angular) = parts(&found);
        assert!((position[1] - 3.0).abs() < 1e-9 && (position[0] - 1.0).abs() < 1e-9, "{position:?}");
        assert!((linear[0] - 2.0).abs() < 1e-9 && (linear[2] - 0.6).abs() < 1e-9, "{linear:?}");
        assert!((angular[0] - 0.1).abs() < 1e-9 && (angular[2] - 2.0).abs() < 1e-9, "{angular:?}");
    }

    /// Pitched down by 74°: the place loses its height, the rotation nothing, and the velocity is that of the shadow.
    #[test]
    fn a_plane_keeps_the_whole_rotation() {
        let (found, tf) = turned(TestHost::builder(), [0.0, 0.6, 0.0, 0.8]);
        let (position, linear, angular) = parts(&found);
        assert_eq!((position, linear), ([1.0, 2.0, 0.0], [4.0, 0.0, 0.0]));
        // About the z axis of the model, (0.96, 0, 0.28): 0.1 · 0.96 + 2 · 0.28.
        assert_eq!(angular, [0.0, 0.0, 0.656]);
        let rotation =
            tf.transforms[0].transform.as_ref().and_then(|tf| tf.rotation.as_ref()).expect("a rotation");
        assert_eq!([rotation.x, rotation.y, rotation.z, rotation.w], [0.0, 0.6, 0.0, 0.8]);
    }

    /// In a plane the numbers that are 0 without it are noisy too.
    #[test]
    fn noise_has_its_covariance() {
        let (noisy, _) = odometry(TestHost::builder().param("gaussian_noise", 0.5));
        let (pose, twist) = (noisy.pose.expect("a pose"), noisy.twist.expect("a twist"));
        assert_eq!((twist.covariance.len(), twist.covariance[0], twist.covariance[1]), (36, 0.25, 0.0));
        assert_eq!(pose.covariance, twist.covariance);
        let twist = twist.twist.expect("a twist");
        let (linear, angular) = (twist.linear.expect("linear"), twist.angular.expect("angular"));
        assert!(linear.y != -4.0 && [linear.z, angular.x, angular.y].iter().all(|value| *value != 0.0));
    }

    #[test]
    fn a_frequency_of_0_or_less_is_one_report_per_step() {
        for rate in [0, -1] {
            let builder = TestHost::builder().param("odom_publish_frequency", rate);
            let host = builder.vehicle("car").link("base").build();
            host.listen("odom");
            host.set_entity(Entity {
                id: EntityId(1),
                name: "car".to_owned(),
                is_static: false,
                is_spawned: false,
                pose: Pose::IDENTITY,
                linear: [0.0; 3],
                angular: [0.0; 3],
                box_min: [0.0; 3],
                box_max: [0.0; 3],
            });
            TestModel::<OdometryPublisher>::started(host).run(10).expect_done();
            assert_eq!(host.published("odom").len(), 10);
        }
    }

    #[test]
    fn parameters_are_refused_with_their_place() {
        for (path, text, expected) in [
            ("dimensions", "4", "`dimensions` is `4`; expected 2 or 3"),
            ("odom_publish_frequency", "inf", "`odom_publish_frequency` is `inf`"),
            ("gaussian_noise", "-1", "expected 0 or more"),
            ("xyz_offset", "1 2", "expected three finite numbers"),
        ] {
            let host = TestHost::builder().vehicle("car").link("base").param(path, text).build();
            let error = TestModel::<OdometryPublisher>::create(host).awake().expect_failed();
            assert!(error.text().contains(expected), "{error}");
        }
    }
}
