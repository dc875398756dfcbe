//! A step of the host, compared with a bare step of the dynamics: the same bodies, the same commands, the same final state.

use std::path::Path;
use std::time::Duration;

use bridgehead_host::report::RunResult;
use bridgehead_host::world::{Attachment, World, WorldCommand, build};
use bridgehead_physics::JointCommand;
use bridgehead_plugin_api::messages::geometry_msgs::{Twist, Vector3};
use bridgehead_sdf::{self as sdf, SearchPath};

use crate::driven::Driven;
use crate::report::{Row, Section};
use crate::rounds::Rounds;
use crate::scene::{RADIUS, SEPARATION, Scene, USUAL_SENSORS};
use crate::{Outcome, cpu};

/// Seconds.
const WIDTH: f64 = 0.001;
/// m/s and rad/s of every robot: a circle with a radius of half a metre.
const SPEED: [f64; 2] = [0.5, 1.0];
/// Worlds of each scene, one after the other: one may be faster all the time, because of where its memory happens to
/// be.
const WORLDS: u32 = 10;
/// Rounds of each. Many and short: the speed of a machine changes within a second, and should be constant within a
/// round.
const ROUNDS: u32 = 15;
/// Steps before the robots get their commands.
const LANDING: u32 = 20;
/// Steps after that and before anything is timed.
const WARM_UP: u32 = 200;

/// Measurements for one number of robots, nanoseconds.
struct Measured {
    host: Rounds,
    bare: Rounds,
}

/// Measures 1, 10 and 100 robots, and 100 with sensors.
pub(crate) fn section(folder: &Path) -> Outcome<Section> {
    let mut rows = Vec::new();
    for (robots, sensors) in [(1, ""), (10, ""), (100, ""), (100, USUAL_SENSORS)] {
        let measured = measure(&Scene { robots, sensors: sensors.to_owned() }, folder)?;
        let [host, bare] = [&measured.host, &measured.bare].map(|rounds| rounds.map(|ns| ns / 1e3));
        let robots_named = match (robots, sensors.is_empty()) {
            (1, _) => "1 robot".to_owned(),
            (_, true) => format!("{robots} robots"),
            (_, false) => format!("{robots} robots, each with imu and lidar"),
        };
        rows.push(Row::plain(format!("{robots_named}: step of the dynamics alone"), format!("{bare:.1} µs")));
        rows.push(Row::plain(format!("{robots_named}: step of the host"), format!("{host:.1} µs")));
        let ratio = measured.host.ratio_to(&measured.bare);
        let what = format!("{robots_named}: ratio");
        rows.push(Row::plain(what, format!("{ratio:.3}")));
        let (bound, what) = (ratio.upper_bound(), format!("{robots_named}: upper 95 % bound of the ratio"));
        rows.push(match (robots, sensors.is_empty()) {
            (1, _) => Row::plain(what, format!("{bound:.3}")),
            (_, true) => Row::with_target(what, format!("{bound:.3}"), "below 1.05", bound < 1.05),
            (_, false) => Row::with_target(what, format!("{bound:.3}"), "below 1.10", bound < 1.1),
        });
    }
    Ok(Section {
        title: "A step",
        method: "Robots with a differential drive each drive in circles with a radius of half a metre. \
                 The dynamics alone step the same bodies with the same wheel commands, and the state after the last step \
                 must be identical, bit by bit. There are no listeners. Ten worlds of each kind are measured one after \
                 the other. The bound is that of the median by the sign test: it is exceeded in less than 5 % of such \
                 measurements. [Physics](physics.md#where-the-time-goes) says where the time goes.",
        rows,
    })
}

fn measure(scene: &Scene, folder: &Path) -> Outcome<Measured> {
    let path = scene.write(folder)?;
    let mut measured = Measured { host: Rounds::default(), bare: Rounds::default() };
    for _ in 0..WORLDS {
        measure_one(scene, &path, &mut measured)?;
    }
    Ok(measured)
}

/// Measures in alternating rounds.
fn measure_one(scene: &Scene, path: &Path, measured: &mut Measured) -> Outcome {
    let mut host = Driven::start(path.to_owned(), &["diff_drive", "imu", "lidar"], |_| ())?;
    let mut bare = Bare::load(path)?;
    bare.land()?;
    host.steps(LANDING - 1)?;
    drive(&host, scene.robots)?;
    host.steps(2)?;
    bare.drive()?;
    host.steps(WARM_UP)?;
    bare.steps(WARM_UP);
    let batch = (2000 / scene.robots).max(20);
    for _ in 0..ROUNDS {
        measured.host.push_each(host.steps(batch)?, batch);
        measured.bare.push_each(bare.steps(batch), batch);
    }
    let result = host.finish()?;
    bare.expect_state_of(&result)
}

/// Commands every robot to drive, from the next step on.
fn drive(host: &Driven, robots: u32) -> Outcome {
    let topics = host.topics::<Twist>();
    if topics.len() != robots as usize {
        return Err(format!("{} robots subscribe to commands instead of {robots}", topics.len()).into());
    }
    let [linear, angular] = SPEED;
    let twist = Twist {
        linear: Some(Vector3::new(linear, 0.0, 0.0)),
        angular: Some(Vector3::new(0.0, 0.0, angular)),
    };
    topics.iter().for_each(|topic| host.send(topic, &twist));
    Ok(())
}

/// The same world, of which only the physics is stepped.
struct Bare {
    world: World,
    attachments: Vec<Attachment>,
    steps: u64,
}

impl Bare {
    fn load(path: &Path) -> Outcome<Self> {
        let loaded = sdf::load(path, &SearchPath::default(), &sdf::Budget::default())?;
        let built = build(&loaded.world, WIDTH, 1)?;
        Ok(Bare { world: built.world, attachments: built.attachments.into_values().collect(), steps: 0 })
    }

    /// Takes the steps before the robots drive: the drives hold their wheels from the first control phase on.
    fn land(&mut self) -> Outcome {
        self.step_with_commands()?;
        self.command([0.0, 0.0])?;
        for _ in 1..LANDING {
            self.step_with_commands()?;
        }
        Ok(())
    }

    fn drive(&mut self) -> Outcome {
        // The step in which the host latches in the command, and the step that applies it.
        self.step_with_commands()?;
        self.command(SPEED)?;
        self.step_with_commands()
    }

    /// The world's own step, which applies commands.
    fn step_with_commands(&mut self) -> Outcome {
        self.steps += 1;
        Ok(self.world.step()?)
    }

    fn command(&mut self, [linear, angular]: [f64; 2]) -> Outcome {
        let side = angular * SEPARATION / 2.0;
        for joint in self.attachments.iter().flat_map(|attachment| &attachment.joints) {
            let over_ground = if joint.name.starts_with("left") { linear - side } else { linear + side };
            let command = JointCommand::Velocity { target: over_ground / RADIUS, max_effort: f64::INFINITY };
            self.world.queue(WorldCommand::Joint(joint.joint, command))?;
        }
        Ok(())
    }

    /// Takes bare steps of the engine. Returns their processor time.
    fn steps(&mut self, count: u32) -> Duration {
        self.steps += u64::from(count);
        let dynamics = self.world.physics_mut().dynamics_mut();
        cpu::of(|| (0..count).for_each(|_| dynamics.step()))
    }

    /// Checks that both are the same simulation; otherwise the comparison means nothing.
    fn expect_state_of(&mut self, host: &RunResult) -> Outcome {
        let left = host.steps.checked_sub(self.steps).ok_or("the host took fewer steps")?;
        self.steps(u32::try_from(left)?);
        if self.world.state_hash() == host.state_hash {
            return Ok(());
        }
        Err(format!(
            "after {} steps the state of the host differs from that of the dynamics alone",
            self.steps
        )
        .into())
    }
}
