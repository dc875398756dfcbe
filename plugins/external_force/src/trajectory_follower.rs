//! Pushes a link along waypoints, a line or a circle: it turns towards the next waypoint, and is pushed when it looks at it.

use bridgehead_plugin_api::host::{Command, HostHandle, LinkId, Params, Pose, Qos, Subscription, World};
use bridgehead_plugin_api::messages::std_msgs::Bool;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Flow, Result};

/// Waypoints of a circle.
const CORNERS: u8 = 8;

/// Where it goes, in the plane of the world.
#[derive(Clone, Debug, PartialEq)]
enum Path {
    Waypoints(Vec<[f64; 2]>),
    /// From the first pose to an end relative to it.
    Line([f64; 2]),
    /// Points around the first position.
    Circle(Vec<[f64; 2]>),
}

/// One follower.
pub(crate) struct TrajectoryFollower {
    world: World,
    command: Command,
    link: LinkId,
    path: Path,
    is_loop: bool,
    /// Newtons and newton metres.
    force: f64,
    torque: f64,
    /// Metres, and radians.
    range_tolerance: f64,
    bearing_tolerance: f64,
    pauses: Subscription<Bool>,
    is_paused: bool,
    /// Waypoints ahead, in the world; `None` before the first step.
    ahead: Option<Vec<[f64; 2]>>,
}

impl ModelPlugin for TrajectoryFollower {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let topic = params.text("topic").unwrap_or_else(|| "trajectory_follower/pause".to_owned());
        Ok(TrajectoryFollower {
            world: host.world()?,
            command: host.command()?,
            link: params.link(host.model()?, "link_name")?.id,
            path: path(params)?,
            is_loop: params.get_or("loop", false)?,
            force: params.finite_or("force", 60.0)?,
            torque: params.finite_or("torque", 50.0)?,
            range_tolerance: params.positive_or("range_tolerance", 0.5)?,
            bearing_tolerance: params.positive_or("bearing_tolerance", 2.0)?.to_radians(),
            pauses: host.bus()?.subscribe(&topic, Qos::default())?,
            is_paused: false,
            ahead: None,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        (self.is_paused, self.ahead) = (false, None);
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&(self.is_paused, &self.ahead))
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        (self.is_paused, self.ahead) = state.take()?;
        Ok(())
    }

    fn control(&mut self, _: &Step) -> Result<Flow> {
        if let Some(received) = self.pauses.take_latest() {
            self.is_paused = received.message.data;
        }
        let pose = self.world.link_state(self.link)?.pose;
        let Some([x, y]) = self.goal(pose).filter(|_| !self.is_paused) else { return Ok(Flow::Continue) };
        let bearing = bearing(pose, [x - pose.position[0], y - pose.position[1]]);
        let (force, torque) = if bearing.abs() <= self.bearing_tolerance {
            ([self.force, 0.0, 0.0], [0.0; 3])
        } else {
            ([0.0; 3], [0.0, 0.0, self.torque * bearing.signum()])
        };
        self.command.link_wrench(self.link, pose.rotate(force), pose.rotate(torque))?;
        Ok(Flow::Continue)
    }
}

impl TrajectoryFollower {
    /// Returns the next waypoint. One that is reached goes to the end of a loop.
    fn goal(&mut self, pose: Pose) -> Option<[f64; 2]> {
        let ahead = self.ahead.get_or_insert_with(|| match &self.path {
            Path::Waypoints(points) => points.clone(),
            Path::Line(end) => vec![in_world(pose, [0.0; 2]), in_world(pose, *end)],
            Path::Circle(points) => {
                let [center_x, center_y, _] = pose.position;
                points.iter().map(|[x, y]| [center_x + x, center_y + y]).collect()
            }
        });
        let goal = ahead.first().copied()?;
        if distance(pose, goal) > self.range_tolerance {
            return Some(goal);
        }
        // The last one stays: the link returns to it if something pushes it away.
        if ahead.len() == 1 {
            return None;
        }
        ahead.remove(0);
        if self.is_loop {
            ahead.push(goal);
        }
        ahead.first().copied()
    }
}

fn distance(pose: Pose, [x, y]: [f64; 2]) -> f64 {
    let (x, y) = (x - pose.position[0], y - pose.position[1]);
    (x * x + y * y).sqrt()
}

fn in_world(pose: Pose, [x, y]: [f64; 2]) -> [f64; 2] {
    let [x, y, _] = pose.compose(Pose { position: [x, y, 0.0], ..Pose::IDENTITY }).position;
    [x, y]
}

/// Returns the angle from where the link looks to a direction, -π to π.
fn bearing(pose: Pose, [x, y]: [f64; 2]) -> f64 {
    let ahead = pose.rotate([1.0, 0.0, 0.0]);
    libm::atan2(ahead[0] * y - ahead[1] * x, ahead[0] * x + ahead[1] * y)
}

fn path(params: Params) -> Result<Path> {
    if params.count("waypoints") > 0 {
        let count = params.count("waypoints/waypoint");
        let points = (0..count).map(|index| {
            let path = if count > 1 {
                format!("waypoints/waypoint[{index}]")
            } else {
                "waypoints/waypoint".to_owned()
            };
            waypoint(params, &path)
        });
        return Ok(Path::Waypoints(points.collect::<Result<_>>()?));
    }
    if params.count("line") > 0 {
        for path in ["line/direction", "line/length"] {
            params.require::<f64>(path)?;
        }
        let (sin, cos) = libm::sincos(params.finite_or("line/direction", 0.0)?);
        let length = params.positive_or("line/length", 1.0)?;
        return Ok(Path::Line([length * cos, length * sin]));
    }
    if params.count("circle") > 0 {
        params.require::<f64>("circle/radius")?;
        let radius = params.positive_or("circle/radius", 1.0)?;
        let corner = |index: u8| {
            let (sin, cos) = libm::sincos(std::f64::consts::TAU * f64::from(index) / f64::from(CORNERS));
            [radius * cos, radius * sin]
        };
        return Ok(Path::Circle((0..CORNERS).map(corner).collect()));
    }
    Err(params.refuse("waypoints", "", "one of <waypoints>, <line> and <circle>"))
}

fn waypoint(params: Params, path: &str) -> Result<[f64; 2]> {
    let text: String = params.require(path)?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    match numbers.as_slice() {
        [x, y] if x.is_finite() && y.is_finite() => Ok([*x, *y]),
        _ => Err(params.refuse(path, &text, "two finite numbers, x and y")),
    }
}

#[cfg(test)]
mod tests {
    use bridgehead_plugin_api::host::LinkState;
    use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

    use super::*;

    fn boat() -> TestHostBuilder {
        let params = [("link_name", "hull"), ("loop", "true"), ("force", "10"), ("torque", "4")];
        TestHost::builder().vehicle("boat").link("hull").params(params)
    }

    fn place(host: TestHost, position: [f64; 3], yaw: f64) {
        let orientation = [0.0, 0.0, (yaw / 2.0).sin(), (yaw / 2.0).cos()];
        let pose = Pose { position, orientation };
        host.set_link_state("hull", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    }

    fn step(model: &mut TestModel<TrajectoryFollower>) -> Option<([f64; 3], [f64; 3])> {
        model.step().expect_done();
        match model.host().take_commands().pop() {
            Some(TestCommand::LinkWrench { force, torque, .. }) => Some((force, torque)),
            _ => None,
        }
    }

    #[test]
    fn it_turns_to_a_waypoint_is_pushed_and_takes_the_next_one() {
        let host =
            boat().params([("waypoints/waypoint[0]", "5 0"), ("waypoints/waypoint[1]", "5 5")]).build();
        let mut model = TestModel::<TrajectoryFollower>::started(host);
        place(host, [0.0; 3], -0.5);
        assert_eq!(step(&mut model), Some(([0.0; 3], [0.0, 0.0, 4.0])));
        assert_eq!(host.unread_params(), Vec::<String>::new());
        place(host, [0.0; 3], 0.0);
        assert_eq!(step(&mut model), Some(([10.0, 0.0, 0.0], [0.0; 3])));
        place(host, [4.6, 0.0, 0.0], 0.0);
        let (force, torque) = step(&mut model).expect("a wrench");
        assert_eq!((force, torque), ([0.0; 3], [0.0, 0.0, 4.0]), "the next one is to the left");
        host.send("trajectory_follower/pause", &Bool { data: true });
        assert_eq!(step(&mut model), None);
        let saved = model.save();
        host.send("trajectory_follower/pause", &Bool { data: false });
        assert!(step(&mut model).is_some());
        model.load(&saved).expect_done();
        assert_eq!(step(&mut model), None);
    }

    /// The line begins where the boat is, in the direction in which it looks.
    #[test]
    fn a_line_is_relative_to_the_first_pose() {
        let host = boat().params([("line/direction", "0"), ("line/length", "3")]).build();
        let mut model = TestModel::<TrajectoryFollower>::started(host);
        let quarter = std::f64::consts::FRAC_PI_2;
        place(host, [1.0, 1.0, 0.0], quarter);
        let (force, _) = step(&mut model).expect("a wrench");
        assert!(force[0].abs() < 1e-9 && (force[1] - 10.0).abs() < 1e-9, "{force:?}");
        place(host, [1.0, 3.9, 0.0], quarter);
        // At the end it turns round.
        assert_eq!(step(&mut model).expect("a wrench").1[2].abs(), 4.0);
    }

    #[test]
    fn a_circle_has_eight_corners_around_the_first_position_and_the_last_waypoint_stays() {
        let params = [("link_name", "hull"), ("circle/radius", "2"), ("force", "10"), ("torque", "4")];
        let host = TestHost::builder().vehicle("boat").link("hull").params(params).build();
        let mut model = TestModel::<TrajectoryFollower>::started(host);
        let quarter = std::f64::consts::FRAC_PI_2;
        place(host, [1.0, 1.0, 0.0], quarter);
        // The first corner is along x of the world, to the right.
        assert_eq!(step(&mut model), Some(([0.0; 3], [0.0, 0.0, -4.0])));
        for corner in 0..8 {
            let (sin, cos) = (quarter / 2.0 * f64::from(corner)).sin_cos();
            place(host, [1.0 + 2.0 * cos, 1.0 + 2.0 * sin, 0.0], 0.0);
            assert_eq!(step(&mut model).is_some(), corner < 7, "corner {corner}");
        }
        place(host, [5.0, 1.0, 0.0], 0.0);
        assert!(step(&mut model).is_some(), "it returns");
    }

    #[test]
    fn a_path_is_required_and_waypoints_are_numbers() {
        let reason = |host| TestModel::<TrajectoryFollower>::create(host).awake().expect_failed();
        let error = reason(boat().build());
        assert!(error.text().contains("expected one of <waypoints>, <line> and <circle>"), "{error}");
        let error = reason(boat().param("waypoints/waypoint", "1 x").build());
        assert!(
            error.text().contains("`waypoints/waypoint` is `1 x`; expected two finite numbers"),
            "{error}"
        );
    }
}
