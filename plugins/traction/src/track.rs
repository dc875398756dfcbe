//! A track: lets the collisions of a link run like a belt with a commanded speed.
//!
//! The belt runs about the y axis of the link, or about that of `<track_orientation>`, and drives along x. A vehicle on
//! several tracks says which point it turns about, so that each track pushes across the way there.

use bridgehead_plugin_api::host::{
    CollisionId, HostHandle, Params, Pose, Publisher, Qos, Subscription, SurfaceMotion, Surfaces,
};
use bridgehead_plugin_api::messages::geometry_msgs::{
    self, Point, PoseWithCovariance, Twist, TwistWithCovariance, Vector3,
};
use bridgehead_plugin_api::messages::nav_msgs::Odometry;
use bridgehead_plugin_api::messages::std_msgs::Header;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::schedule::Schedule;
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::length;
use bridgehead_plugin_api::{Flow, Result};
use serde::{Deserialize, Serialize};

use crate::command::{self, Numbers};

/// A point that is farther away is none: the vehicle drives straight on, metres.
const FAR: f64 = 1e6;

/// Bounds of the speed, m/s, and of its change, m/s².
#[derive(Clone, Copy, Debug)]
struct Bounds {
    speed: [f64; 2],
    acceleration: [f64; 2],
}

/// What it remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
struct State {
    /// m/s, and the time of the command, ns.
    command: Option<(f64, i64)>,
    /// The speed of the belt, m/s, and how far it has run, m.
    speed: f64,
    way: f64,
    /// World frame.
    center: Option<[f64; 3]>,
}

/// One track.
pub(crate) struct TrackController {
    surfaces: Surfaces,
    collisions: Vec<CollisionId>,
    axis: [f64; 3],
    bounds: Bounds,
    /// How long a command holds, ns; `None` for until the next one.
    timeout_ns: Option<i64>,
    speeds: Numbers,
    centers: Subscription<Vector3>,
    schedule: Schedule,
    odometry: Publisher<Odometry>,
    state: State,
    /// What was last set.
    set: Option<SurfaceMotion>,
}

impl ModelPlugin for TrackController {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 3 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus) = (host.params()?, host.bus()?);
        let link = params.link(host.model()?, "link")?;
        let all = host.contacts()?.collisions();
        let collisions: Vec<_> = all.iter().filter(|one| one.link == link.id).map(|one| one.id).collect();
        if collisions.is_empty() {
            return Err(params.refuse("link", &link.name, "a link with a collision, which becomes the belt"));
        }
        let topic = |path: &str, word: &str| {
            params.text(path).unwrap_or_else(|| command::topic(params, &link.name, word))
        };
        let speeds = bus.subscribe(&topic("velocity_topic", "track_cmd_vel"), Qos::default())?;
        let centers = topic("center_of_rotation_topic", "track_cmd_center_of_rotation");
        Ok(TrackController {
            surfaces: host.surfaces()?,
            collisions,
            axis: axis(params)?,
            bounds: Bounds::read(params)?,
            timeout_ns: timeout(params)?,
            speeds: Numbers::new("speed", speeds),
            centers: bus.subscribe(&centers, Qos::default())?,
            schedule: schedule(params)?,
            odometry: bus.advertise(&topic("odometry_topic", "odometry"), Qos::default())?,
            state: State::default(),
            set: None,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        (self.state, self.set) = (State::default(), None);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.state, self.set.is_some()))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        let is_set: bool;
        (self.state, is_set) = state.take()?;
        // Setting it again would wake what rests on the belt.
        self.set = is_set.then(|| self.motion());
        Ok(())
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        if let Some(speed) = self.speeds.take() {
            self.state.command = Some((speed, step.time_ns));
        }
        if let Some(received) = self.centers.take_latest() {
            let Vector3 { x, y, z } = received.message;
            // Also false for points that are no numbers.
            self.state.center = (length([x, y, z]) <= FAR).then_some([x, y, z]);
            // It prolongs the command that it belongs to.
            if let Some((_, since)) = &mut self.state.command {
                *since = step.time_ns;
            }
        }
        let is_old = |since: i64| self.timeout_ns.is_some_and(|timeout| step.time_ns - since > timeout);
        let target = self.state.command.filter(|(_, since)| !is_old(*since)).map_or(0.0, |(speed, _)| speed);
        self.state.speed = self.bounds.advance(self.state.speed, target, step.width());
        self.state.way += self.state.speed * step.width();
        let motion = self.motion();
        if self.set.replace(motion) != Some(motion) {
            for collision in &self.collisions {
                self.surfaces.drive(*collision, &motion)?;
            }
        }
        self.report(step)?;
        Ok(Flow::Continue)
    }
}

impl TrackController {
    /// The motion of the belt after the last step.
    fn motion(&self) -> SurfaceMotion {
        SurfaceMotion { axis: self.axis, speed: self.state.speed, center: self.state.center }
    }

    /// Publishes how far and how fast the belt runs, as Gazebo does: x of an odometry without frames.
    fn report(&self, step: &Step) -> Result {
        if self.schedule.due(step).is_none() || !self.odometry.has_listeners() {
            return Ok(());
        }
        let pose = geometry_msgs::Pose {
            position: Some(Point::new(self.state.way, 0.0, 0.0)),
            ..Default::default()
        };
        let twist = Twist { linear: Some(Vector3::new(self.state.speed, 0.0, 0.0)), ..Default::default() };
        let message = Odometry {
            header: Some(Header::new(step.time_ns, "")),
            pose: Some(PoseWithCovariance { pose: Some(pose), ..Default::default() }),
            twist: Some(TwistWithCovariance { twist: Some(twist), ..Default::default() }),
            ..Default::default()
        };
        self.odometry.publish(step.time_ns, &message)
    }
}

impl Bounds {
    fn read(params: Params) -> Result<Self> {
        let range = |quantity: &str| -> Result<[f64; 2]> {
            let (low, high) = (format!("min_{quantity}"), format!("max_{quantity}"));
            let max = params.get_or(&high, f64::INFINITY)?;
            // In Gazebo's `TrackController.cc` a bound that is not given is none, also if the other one is.
            let min = params.get_or(&low, f64::NEG_INFINITY)?;
            if min > 0.0 || max < 0.0 {
                let (path, value) = if max < 0.0 { (&high, max) } else { (&low, min) };
                let expected = if max < 0.0 { "0 or more" } else { "0 or less" };
                return Err(params.refuse(path, &value.to_string(), expected));
            }
            Ok([min, max])
        };
        Ok(Bounds { speed: range("velocity")?, acceleration: range("acceleration")? })
    }

    fn advance(&self, speed: f64, target: f64, width: f64) -> f64 {
        let target = target.clamp(self.speed[0], self.speed[1]);
        let [down, up] = self.acceleration.map(|most| most * width);
        speed + (target - speed).clamp(down, up)
    }
}

/// The axis of the belt in the frame of the link: y, turned by `<track_orientation>`, w x y z.
fn axis(params: Params) -> Result<[f64; 3]> {
    const PATH: &str = "track_orientation";
    let Some(text) = params.text(PATH) else { return Ok([0.0, 1.0, 0.0]) };
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let square: f64 = numbers.iter().map(|part| part * part).sum();
    let [w, x, y, z] = <[f64; 4]>::try_from(numbers)
        .ok()
        .filter(|_| square.is_finite() && square > 1e-12)
        .ok_or_else(|| params.refuse(PATH, &text, "a quaternion w x y z"))?;
    let orientation = [x, y, z, w].map(|part| part / square.sqrt());
    Ok(Pose { position: [0.0; 3], orientation }.rotate([0.0, 1.0, 0.0]))
}

/// `<odometry_publish_frequency>`; 0 or less means every step.
fn schedule(params: Params) -> Result<Schedule> {
    const PATH: &str = "odometry_publish_frequency";
    let rate = params.get_or(PATH, 50.0_f64)?;
    Schedule::with_rate(rate.max(0.0))
        .map_err(|_| params.refuse(PATH, &rate.to_string(), "reports per second, or 0 for one in every step"))
}

/// `<max_command_age>`, ns; 0 means for ever.
fn timeout(params: Params) -> Result<Option<i64>> {
    let seconds = params.not_negative_or("max_command_age", 0.0)?;
    #[expect(clippy::cast_possible_truncation, reason = "beyond i64 it becomes its bound: never")]
    Ok((seconds > 0.0).then_some((seconds * 1e9) as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::Level;
    use bridgehead_plugin_api::messages::std_msgs::Float64;
    use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

    fn track(builder: TestHostBuilder) -> (TestHost, CollisionId) {
        let host = builder.vehicle("tank").link("left").param("link", "left").build();
        let belt = host.add_collision("left", "belt");
        (host, belt)
    }

    fn motions(host: TestHost) -> Vec<SurfaceMotion> {
        let of = |command: TestCommand| match command {
            TestCommand::Drive { motion, .. } => motion,
            other => panic!("{other:?}"),
        };
        host.take_commands().into_iter().map(of).collect()
    }

    #[test]
    fn a_belt_runs_with_its_command_and_turns_about_a_point() {
        let (host, belt) =
            track(TestHost::builder().params([("min_velocity", "-1"), ("max_command_age", "0.01")]));
        let mut model = TestModel::<TrackController>::started(host);
        host.send("link/left/track_cmd_vel", &Float64 { data: 0.7 });
        model.run(3).expect_done();
        let motion = SurfaceMotion { axis: [0.0, 1.0, 0.0], speed: 0.7, center: None };
        assert_eq!(host.take_commands(), [TestCommand::Drive { collision: belt, motion }]);
        host.send("link/left/track_cmd_vel", &Float64 { data: -9.0 });
        host.send("link/left/track_cmd_center_of_rotation", &Vector3::new(1.0, 2.0, 0.0));
        model.step().expect_done();
        assert_eq!(motions(host), [SurfaceMotion { speed: -1.0, center: Some([1.0, 2.0, 0.0]), ..motion }]);
        host.send("link/left/track_cmd_center_of_rotation", &Vector3::new(0.0, f64::INFINITY, 0.0));
        model.run(20).expect_done();
        let stopped = SurfaceMotion { speed: 0.0, ..motion };
        assert_eq!(motions(host), [SurfaceMotion { speed: -1.0, ..motion }, stopped]);
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    /// The bounds of one side leave the other one free.
    #[test]
    fn a_belt_runs_backwards_faster_than_its_largest_speed_forwards() {
        let (host, _) =
            track(TestHost::builder().params([("max_velocity", "1"), ("max_acceleration", "500")]));
        let mut model = TestModel::<TrackController>::started(host);
        for (command, expected) in [(2.0, vec![0.5, 1.0]), (-2.0, vec![-2.0])] {
            host.send("link/left/track_cmd_vel", &Float64 { data: command });
            model.run(3).expect_done();
            assert_eq!(motions(host).iter().map(|motion| motion.speed).collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn a_center_of_rotation_prolongs_the_command() {
        let (host, _) = track(TestHost::builder().param("max_command_age", 0.01));
        let mut model = TestModel::<TrackController>::started(host);
        host.send("link/left/track_cmd_vel", &Float64 { data: 0.7 });
        model.run(8).expect_done();
        host.send("link/left/track_cmd_center_of_rotation", &Vector3::new(1.0, 2.0, 0.0));
        model.run(11).expect_done();
        assert_eq!(motions(host).last().map(|motion| motion.speed), Some(0.7));
        model.step().expect_done();
        assert_eq!(motions(host).last().map(|motion| motion.speed), Some(0.0));
    }

    #[test]
    fn odometry_is_the_way_of_the_belt() {
        let params = [("odometry_publish_frequency", "100"), ("odometry_topic", "belt")];
        let (host, _) = track(TestHost::builder().params(params));
        host.listen("belt");
        let mut model = TestModel::<TrackController>::started(host);
        host.send("link/left/track_cmd_vel", &Float64 { data: -0.5 });
        model.run(1000).expect_done();
        assert_eq!(host.published("belt").len(), 100);
        let message = host.last::<Odometry>("belt");
        let way = message.pose.and_then(|pose| pose.pose?.position).expect("a position").x;
        let speed = message.twist.and_then(|twist| twist.twist?.linear).expect("a velocity").x;
        assert!((way + 0.5).abs() < 1e-9 && speed == -0.5, "{way} {speed}");
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn a_belt_may_be_turned_and_accelerates_within_its_bounds() {
        let params =
            [("track_orientation", "0.7071067811865476 0 0 0.7071067811865476"), ("max_acceleration", "100")];
        let (host, _) = track(TestHost::builder().params(params));
        let mut model = TestModel::<TrackController>::started(host);
        host.send("link/left/track_cmd_vel", &Float64 { data: 0.25 });
        model.run(5).expect_done();
        let found = motions(host);
        let speeds: Vec<f64> = found.iter().map(|motion| (motion.speed * 1e9).round() / 1e9).collect();
        assert_eq!(speeds, [0.1, 0.2, 0.25]);
        assert!((found[0].axis[0] + 1.0).abs() < 1e-9, "{:?}", found[0]);
        for data in [f64::NAN, 1e300] {
            host.send("link/left/track_cmd_vel", &Float64 { data });
            model.step().expect_done();
        }
        assert_eq!(motions(host), []);
        assert!(host.has_logged(Level::Warn, "ignored a command"));
    }

    #[test]
    fn parameters_are_refused_with_their_place() {
        for (path, text, expected) in [
            ("max_velocity", "-1", "`max_velocity` is `-1`; expected 0 or more"),
            ("min_velocity", "1", "`min_velocity` is `1`; expected 0 or less"),
            ("track_orientation", "1 0 0", "expected a quaternion w x y z"),
            ("max_command_age", "-1", "expected 0 or more"),
            ("odometry_publish_frequency", "inf", "expected reports per second"),
        ] {
            let (host, _) = track(TestHost::builder().param(path, text));
            let error = TestModel::<TrackController>::create(host).awake().expect_failed();
            assert!(error.text().contains(expected), "{error}");
        }
        let bare = TestHost::builder().vehicle("tank").link("left").param("link", "left").build();
        let error = TestModel::<TrackController>::create(bare).awake().expect_failed();
        assert!(error.text().contains("`link` is `left`; expected a link with a collision"), "{error}");
    }

    /// Setting a motion wakes what rests on the belt.
    #[test]
    fn a_restored_belt_is_not_set_again() {
        let (host, belt) = track(TestHost::builder().param("max_velocity", 2));
        let mut model = TestModel::<TrackController>::started(host);
        let unset = model.save();
        host.send("link/left/track_cmd_vel", &Float64 { data: 0.7 });
        model.run(3).expect_done();
        let saved = model.save();
        let (other, _) = track(TestHost::builder().param("max_velocity", 2));
        let mut restored = TestModel::<TrackController>::started(other);
        restored.load(&saved).expect_done();
        restored.run(3).expect_done();
        assert_eq!(motions(other), []);
        restored.load(&unset).expect_done();
        restored.step().expect_done();
        let motion = SurfaceMotion { axis: [0.0, 1.0, 0.0], speed: 0.0, center: None };
        assert_eq!(other.take_commands(), [TestCommand::Drive { collision: belt, motion }]);
    }
}
