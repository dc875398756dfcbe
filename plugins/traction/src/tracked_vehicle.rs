//! Steers a vehicle with tracks on both sides from Twist commands: commands the speed of each track, and the point that the
//! vehicle turns about. Odometry is computed from these speeds, as if the tracks were wheels that do not skid.

use bridgehead_plugin_api::drive::{
    HeldCommand, Limiter, Limits, OdometryReport, Planar, Speed, command_timeout,
};
use bridgehead_plugin_api::host::{
    Bus, HostHandle, LinkId, Model, Params, Publisher, Qos, Subscription, World,
};
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, Vector3};
use bridgehead_plugin_api::messages::std_msgs::Float64;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::vector::add;
use bridgehead_plugin_api::{Error, Flow, Result};

use crate::command::{self, Numbers};

/// Slower turns and slower drives are none, rad/s and m/s (Gazebo's `TrackedVehicle.cc`).
const MIN: f64 = 1e-6;

/// A track as the vehicle commands it.
struct Track {
    speed: Publisher<Float64>,
    center: Publisher<Vector3>,
}

/// One vehicle.
pub(crate) struct TrackedVehicle {
    world: World,
    /// Whose middle the vehicle turns about on the spot.
    body: LinkId,
    left: Vec<Track>,
    right: Vec<Track>,
    /// Metres.
    separation: f64,
    initial_efficiency: f64,
    /// Share of the turn that the tracks, which skid, make of their difference of speed.
    efficiency: f64,
    commands: Subscription<Twist>,
    efficiencies: Numbers,
    command: HeldCommand,
    limiter: Limiter,
    planar: Planar,
    report: OdometryReport,
}

impl ModelPlugin for TrackedVehicle {
    const PHASES: Phases = Phases::BOTH;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let (params, bus, model) = (host.params()?, host.bus()?, host.model()?);
        let efficiency = params.positive_or("steering_efficiency", 0.5)?;
        // Only the drawing of Gazebo needs it.
        params.not_negative_or("tracks_height", 0.0)?;
        let topic = |path: &str, default: &str| params.text(path).unwrap_or_else(|| default.to_owned());
        let efficiencies =
            bus.subscribe(&topic("steering_efficiency_topic", "steering_efficiency"), Qos::default())?;
        Ok(TrackedVehicle {
            world: host.world()?,
            body: body(params, model)?,
            left: tracks(params, model, bus, "left_track")?,
            right: tracks(params, model, bus, "right_track")?,
            separation: params.positive_or("tracks_separation", 1.0)?,
            initial_efficiency: efficiency,
            efficiency,
            commands: bus.subscribe(&topic("topic", "cmd_vel"), Qos::default())?,
            efficiencies: Numbers::new("steering efficiency", efficiencies),
            command: HeldCommand::new(command_timeout(params)?),
            limiter: Limiter::new(limits(params, "linear")?, limits(params, "angular")?),
            planar: Planar::default(),
            report: OdometryReport::new(host)?,
        })
    }

    fn reset(&mut self, scope: ResetScope) -> Result<Flow> {
        self.command.clear();
        self.limiter.stop();
        self.efficiency = self.initial_efficiency;
        if scope.covers_state() {
            self.planar = Planar::default();
        }
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        self.command.save(state)?;
        self.limiter.save(state)?;
        state.put(&(self.efficiency, self.planar))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.command.load(state)?;
        self.limiter.load(state)?;
        (self.efficiency, self.planar) = state.take()?;
        Ok(())
    }

    fn sample(&mut self, step: &Step) -> Result<Flow> {
        let (speed, width) = (self.planar.speed, step.width());
        let (sin, cos) = libm::sincos(self.planar.heading + speed.angular * width / 2.0);
        self.planar.x += speed.linear * width * cos;
        self.planar.y += speed.linear * width * sin;
        self.planar.heading += speed.angular * width;
        self.report.publish(step, &self.planar)?;
        Ok(Flow::Continue)
    }

    fn control(&mut self, step: &Step) -> Result<Flow> {
        let efficiency = self.efficiencies.take().filter(|efficiency| *efficiency > 0.0);
        self.efficiency = efficiency.unwrap_or(self.efficiency);
        let command = self.commands.take_latest();
        let is_new = command.is_some_and(|received| self.accept(Speed::from_twist(&received.message), step))
            || efficiency.is_some();
        self.command.expiry(step.time_ns).iter().for_each(|text| log::info!("{text}"));
        let before = self.limiter.speed();
        let speed = self.limiter.advance(self.command.at(step.time_ns), step.width());
        // Commands that do not change are not repeated, so that those of tracks with a `<max_command_age>` expire.
        if is_new || speed != before {
            self.command_tracks(speed, step)?;
        }
        Ok(Flow::Continue)
    }
}

impl TrackedVehicle {
    /// Keeps a command. Commands with invalid numbers are ignored; the first one is logged.
    fn accept(&mut self, speed: Speed, step: &Step) -> bool {
        match speed.check() {
            Ok(()) => {
                self.command.set(speed, step.time_ns);
                return true;
            }
            Err(error) if self.command.refuse() => {
                log::warn!("ignored a command: {error}; further ones like it are ignored without a warning");
            }
            Err(_) => {}
        }
        false
    }

    fn command_tracks(&mut self, speed: Speed, step: &Step) -> Result {
        let skidding = Speed { angular: speed.angular / self.efficiency, ..speed };
        self.planar.speed = skidding;
        let (left, right) = skidding.sides(self.separation);
        let center = self.center(speed)?;
        for (tracks, speed) in [(&self.left, left), (&self.right, right)] {
            for track in tracks {
                track.speed.publish(step.time_ns, &Float64 { data: speed })?;
                track.center.publish(step.time_ns, &center)?;
            }
        }
        Ok(())
    }

    /// The point that the vehicle turns about, world frame; at infinity if it drives straight on.
    fn center(&self, speed: Speed) -> Result<Vector3> {
        if speed.angular.abs() < MIN {
            return Ok(Vector3::new(0.0, f64::INFINITY, 0.0));
        }
        let beside = if speed.linear.abs() < MIN { 0.0 } else { speed.linear / speed.angular };
        let pose = self.world.link_state(self.body)?.pose;
        let [x, y, z] = add(pose.position, pose.rotate([0.0, beside, 0.0]));
        Ok(Vector3::new(x, y, z))
    }
}

/// `<body_link>`, or the first link of the model.
fn body(params: Params, model: Model) -> Result<LinkId> {
    if params.count("body_link") > 0 {
        return Ok(params.link(model, "body_link")?.id);
    }
    let links = model.links();
    links.first().map(|link| link.id).ok_or_else(|| Error::invalid("a model without links cannot be driven"))
}

/// The limits of one direction: those of Gazebo, `<linear_velocity><max_velocity>`, before those of every drive.
fn limits(params: Params, kind: &str) -> Result<Limits> {
    let mut limits = Limits::read(params, kind)?;
    for (limit, name, sign) in [
        (&mut limits.min_velocity, "min_velocity", -1.0),
        (&mut limits.max_velocity, "max_velocity", 1.0),
        (&mut limits.min_acceleration, "min_acceleration", -1.0),
        (&mut limits.max_acceleration, "max_acceleration", 1.0),
    ] {
        let path = format!("{kind}_velocity/{name}");
        let Some(value) = params.get::<f64>(&path)? else { continue };
        if value * sign < 0.0 {
            let expected = if sign > 0.0 { "0 or more" } else { "0 or less" };
            return Err(params.refuse(&path, &value.to_string(), expected));
        }
        *limit = value;
    }
    Ok(limits)
}

/// The tracks of one side: `<left_track><link>…</link></left_track>`, once for each.
fn tracks(params: Params, model: Model, bus: Bus, side: &str) -> Result<Vec<Track>> {
    if params.count(side) == 0 {
        return Err(Error::invalid(format!(
            "parameter `{side}` is missing; expected one element for each track"
        )));
    }
    let read = |index: usize| -> Result<Track> {
        let path = |name: &str| format!("{side}[{index}]/{name}");
        let link = params.link(model, &path("link"))?.name;
        let topic = |name: &str, word: &str| {
            params.text(&path(name)).unwrap_or_else(|| command::topic(params, &link, word))
        };
        let center = topic("center_of_rotation_topic", "track_cmd_center_of_rotation");
        Ok(Track {
            speed: bus.advertise(&topic("velocity_topic", "track_cmd_vel"), Qos::default())?,
            center: bus.advertise(&center, Qos::default())?,
        })
    };
    (0..params.count(side)).map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{Level, LinkState, Pose};
    use bridgehead_plugin_api::messages::nav_msgs::Odometry;
    use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

    /// A vehicle at (1, 2) that faces along y.
    fn tank(builder: TestHostBuilder) -> TestHost {
        let host = builder
            .vehicle("tank")
            .link("hull")
            .link("left")
            .link("right")
            .params([
                ("left_track/link", "left"),
                ("right_track/link", "right"),
                ("tracks_separation", "0.4"),
            ])
            .param("command_timeout", 0)
            .build();
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let pose = Pose { position: [1.0, 2.0, 0.1], orientation: [0.0, 0.0, half, half] };
        host.set_link_state("hull", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
        for side in ["left", "right"] {
            host.listen(&format!("link/{side}/track_cmd_vel"));
            host.listen(&format!("link/{side}/track_cmd_center_of_rotation"));
        }
        host
    }

    fn drive(linear: f64, angular: f64) -> Twist {
        Twist { linear: Some(Vector3::new(linear, 0.0, 0.0)), angular: Some(Vector3::new(0.0, 0.0, angular)) }
    }

    fn speeds(host: TestHost) -> [f64; 2] {
        ["left", "right"].map(|side| host.last::<Float64>(&format!("link/{side}/track_cmd_vel")).data)
    }

    #[test]
    fn tracks_run_faster_than_the_turn_by_the_efficiency() {
        let host = tank(TestHost::builder());
        let mut model = TestModel::<TrackedVehicle>::started(host);
        host.send("cmd_vel", &drive(1.0, 0.5));
        model.step().expect_done();
        // v ± ω b / 2 / η.
        assert_eq!(speeds(host), [1.0 - 0.2, 1.0 + 0.2]);
        let center = host.last::<Vector3>("link/left/track_cmd_center_of_rotation");
        // Two metres to the left, against x.
        assert!((center.x + 1.0).abs() < 1e-9 && (center.y - 2.0).abs() < 1e-9, "{center:?}");
        host.send("steering_efficiency", &Float64 { data: 0.25 });
        host.send("cmd_vel", &drive(0.0, 0.5));
        model.step().expect_done();
        assert_eq!(speeds(host), [-0.4, 0.4]);
        host.send("cmd_vel", &drive(1.0, 0.0));
        model.step().expect_done();
        assert!(host.last::<Vector3>("link/left/track_cmd_center_of_rotation").y.is_infinite());
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn commands_are_published_when_they_change() {
        let params = [("linear_velocity/max_acceleration", "200"), ("linear_velocity/max_velocity", "0.5")];
        let host = tank(TestHost::builder().params(params).param("body_link", "right"));
        let mut model = TestModel::<TrackedVehicle>::started(host);
        model.run(5).expect_done();
        let topic = "link/left/track_cmd_vel";
        assert_eq!(host.published(topic).len(), 0);
        host.send("cmd_vel", &drive(9.0, 0.0));
        model.run(10).expect_done();
        let speeds: Vec<f64> = host.decoded::<Float64>(topic).iter().map(|speed| speed.data).collect();
        assert!(speeds.iter().zip([0.2, 0.4, 0.5]).all(|(a, b)| (a - b).abs() < 1e-9), "{speeds:?}");
        assert_eq!(speeds.len(), 3);
        // The same command again, backwards at once because only the one limit is given, and on the spot.
        host.send("cmd_vel", &drive(9.0, 0.0));
        model.run(3).expect_done();
        assert_eq!(host.published(topic).len(), 4);
        host.send("cmd_vel", &drive(-9.0, 0.0));
        model.run(3).expect_done();
        assert_eq!((host.published(topic).len(), host.last::<Float64>(topic).data), (5, -9.0));
        host.send("cmd_vel", &drive(0.0, 1e-5));
        model.run(100).expect_done();
        let center = host.last::<Vector3>("link/left/track_cmd_center_of_rotation");
        assert_eq!([center.x, center.y, center.z], [0.0; 3], "the middle of the body");
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    /// Tracks that skid report a turn as their speeds suggest it: 0.5 / 0.3 rad/s.
    #[test]
    fn odometry_takes_tracks_for_wheels() {
        let host = tank(TestHost::builder().param("steering_efficiency", 0.3));
        host.listen("odom");
        let mut model = TestModel::<TrackedVehicle>::started(host);
        host.send("cmd_vel", &drive(0.0, 0.5));
        model.run(100).expect_done();
        let turn =
            host.last::<Odometry>("odom").twist.and_then(|twist| twist.twist?.angular).expect("a turn").z;
        assert!((turn - 0.5 / 0.3).abs() < 1e-9, "{turn}");
    }

    #[test]
    fn odometry_is_that_of_the_command_within_its_limits() {
        let host = tank(
            TestHost::builder().params([("max_linear_velocity", "0.5"), ("steering_efficiency", "0.3")]),
        );
        host.listen("odom");
        let mut model = TestModel::<TrackedVehicle>::started(host);
        host.send("cmd_vel", &drive(9.0, 0.0));
        model.run(1001).expect_done();
        let pose = host.last::<Odometry>("odom").pose.and_then(|pose| pose.pose).expect("a pose");
        assert!((pose.position.expect("a position").x - 0.5).abs() < 0.011);
        for bad in [f64::NAN, 1e300] {
            host.send("cmd_vel", &drive(bad, 0.0));
            model.step().expect_done();
        }
        assert_eq!(speeds(host), [0.5, 0.5]);
        assert!(host.has_logged(Level::Warn, "ignored a command"));
    }

    #[test]
    fn parameters_are_refused_with_their_place() {
        for (path, text, expected) in [
            ("steering_efficiency", "0", "`steering_efficiency` is `0`; expected a number above 0"),
            ("right_track/velocity_topic", "a//b", "a//b"),
            (
                "linear_velocity/max_velocity",
                "-1",
                "`linear_velocity/max_velocity` is `-1`; expected 0 or more",
            ),
            ("body_link", "ghost", "ghost"),
        ] {
            let host = tank(TestHost::builder().param(path, text));
            let error = TestModel::<TrackedVehicle>::create(host).awake().expect_failed();
            assert!(error.text().contains(expected), "{error}");
        }
    }
}
