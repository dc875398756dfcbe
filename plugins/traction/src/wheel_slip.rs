//! Wheels that slip: the faster a wheel turns and the less it is loaded, the more its contact yields to a force.
//!
//! The slip compliance of a wheel has no unit. Times the speed of its rim and over its normal force it is the slip of a
//! surface, m/(s N): the acceleration form of the slip ratio (Yoshida and Hamano, Motion Dynamics of a Rover with Slip-Based
//! Traction Model, 2002, equation 1), as Gazebo's wheel slip has it.

use bridgehead_plugin_api::host::{
    CollisionId, HostHandle, JointId, JointKind, Params, Qos, Subscription, Surfaces, World,
};
use bridgehead_plugin_api::messages::geometry_msgs::Vector3;
use bridgehead_plugin_api::model::{ModelPlugin, Phases, ResetScope, Step};
use bridgehead_plugin_api::state::{Remembers, StateReader, StateWriter};
use bridgehead_plugin_api::{Error, Flow, Result};

/// The largest compliance of a command.
const MAX: f64 = 1e6;

/// One wheel.
struct Wheel {
    /// The joint that it turns on.
    joint: JointId,
    collisions: Vec<CollisionId>,
    /// Slip compliance along the first direction of friction, the axle, and along the second one, per force and radius:
    /// m / N.
    compliance: [f64; 2],
    /// Radius over normal force, m / N.
    scale: f64,
    /// What was last set.
    slips: Option<[f64; 2]>,
}

/// The wheels of one vehicle.
pub(crate) struct WheelSlip {
    world: World,
    surfaces: Surfaces,
    wheels: Vec<Wheel>,
    /// Compliances of all wheels: x along the axle, y across it.
    commands: Subscription<Vector3>,
    /// What was commanded last.
    commanded: Option<[f64; 2]>,
    has_warned: bool,
}

impl ModelPlugin for WheelSlip {
    const PHASES: Phases = Phases::CONTROL;
    const REMEMBERS: Remembers = Remembers::Saved { version: 1 };

    fn awake(host: HostHandle) -> Result<Self> {
        let params = host.params()?;
        let count = params.count("wheel");
        if count == 0 {
            return Err(Error::invalid("parameter `wheel` is missing; expected one element for each wheel"));
        }
        Ok(WheelSlip {
            world: host.world()?,
            surfaces: host.surfaces()?,
            wheels: (0..count).map(|index| Wheel::read(host, index)).collect::<Result<_>>()?,
            commands: host
                .bus()?
                .subscribe(params.text("topic").as_deref().unwrap_or("wheel_slip"), Qos::default())?,
            commanded: None,
            has_warned: false,
        })
    }

    fn reset(&mut self, _: ResetScope) -> Result<Flow> {
        self.wheels.iter_mut().for_each(|wheel| wheel.slips = None);
        self.commanded = None;
        Ok(Flow::Continue)
    }

    fn save(&mut self, state: &mut StateWriter) -> Result {
        state.put(&self.commanded)
    }

    fn load(&mut self, state: &mut StateReader<'_>) -> Result {
        self.commanded = state.take()?;
        Ok(())
    }

    fn control(&mut self, _: &Step) -> Result<Flow> {
        if let Some(received) = self.commands.take_latest() {
            self.accept(&received.message);
        }
        for wheel in &mut self.wheels {
            let compliance =
                self.commanded.map_or(wheel.compliance, |both| both.map(|one| one * wheel.scale));
            let rate = self.world.joint_state(wheel.joint)?.velocity.abs();
            let slips = compliance.map(|compliance| if rate.is_finite() { compliance * rate } else { 0.0 });
            if wheel.slips.replace(slips) != Some(slips) {
                for collision in &wheel.collisions {
                    self.surfaces.slip(*collision, slips)?;
                }
            }
        }
        Ok(Flow::Continue)
    }
}

impl WheelSlip {
    /// Keeps compliances of 0 or more. Others are ignored; the first ones are logged.
    fn accept(&mut self, command: &Vector3) {
        let both = [command.x, command.y];
        if both.iter().all(|compliance| (0.0..=MAX).contains(compliance)) {
            self.commanded = Some(both);
        } else if !std::mem::replace(&mut self.has_warned, true) {
            log::warn!(
                "ignored the slip compliances {both:?}: expected 0 to {MAX:e}; further ones are ignored without a warning"
            );
        }
    }
}

impl Wheel {
    fn read(host: HostHandle, index: usize) -> Result<Self> {
        let (params, model, joints): (Params, _, _) = (host.params()?, host.model()?, host.joints()?);
        let path = |name: &str| format!("wheel[{index}]/{name}");
        let link = params.link(model, &path("@link_name"))?;
        let turning = model.joints().into_iter().find(|joint| {
            matches!(joint.kind, JointKind::Revolute | JointKind::Continuous)
                && joints.frame(joint.id).is_ok_and(|frame| frame.child == link.id)
        });
        let expected = "a link on a joint that turns about one axis";
        let joint = turning.ok_or_else(|| params.refuse(&path("@link_name"), &link.name, expected))?;
        let number = |name: &str, default: f64| params.not_negative_or(&path(name), default);
        // Gazebo has no defaults for these.
        for required in ["wheel_radius", "wheel_normal_force"] {
            params.require::<f64>(&path(required))?;
        }
        let radius = params.positive_or(&path("wheel_radius"), 1.0)?;
        let force = params.positive_or(&path("wheel_normal_force"), 1.0)?;
        let along_axle = number("slip_compliance_lateral", 0.0)?;
        let across = number("slip_compliance_longitudinal", 0.0)?;
        let of_link = host.contacts()?.collisions().into_iter().filter(|collision| collision.link == link.id);
        Ok(Wheel {
            joint: joint.id,
            collisions: of_link.map(|collision| collision.id).collect(),
            compliance: [along_axle, across].map(|compliance| compliance * radius / force),
            scale: radius / force,
            slips: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bridgehead_plugin_api::host::{JointFrame, JointState, Pose};
    use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

    fn wheel(builder: TestHostBuilder) -> TestHost {
        let host = builder
            .vehicle("car")
            .link("wheel")
            .joint("axle", JointKind::Continuous)
            .params([("wheel/@link_name", "wheel"), ("wheel/slip_compliance_lateral", "0.1")])
            .params([("wheel/slip_compliance_longitudinal", "0.02"), ("wheel/wheel_normal_force", "50")])
            .param("wheel/wheel_radius", 0.3)
            .build();
        let child = host.link("wheel").id;
        host.set_joint_frame(
            "axle",
            JointFrame { parent: None, child, pose: Pose::IDENTITY, axis: [0.0, 0.0, 1.0] },
        );
        host
    }

    #[test]
    fn the_slip_grows_with_the_speed_of_the_rim() {
        let host = wheel(TestHost::builder());
        let tyre = host.add_collision("wheel", "tyre");
        let mut model = TestModel::<WheelSlip>::started(host);
        host.set_joint_state("axle", JointState { position: 0.0, velocity: -5.0, effort: 0.0 });
        model.run(3).expect_done();
        // Compliance · radius · rate / force, set once because it does not change.
        let slips = [0.1 * 0.3 / 50.0 * 5.0, 0.02 * 0.3 / 50.0 * 5.0];
        assert_eq!(host.take_commands(), [TestCommand::Slip { collision: tyre, slips }]);
        host.set_joint_state("axle", JointState { position: 0.0, velocity: 0.0, effort: 0.0 });
        model.step().expect_done();
        assert_eq!(host.take_commands(), [TestCommand::Slip { collision: tyre, slips: [0.0; 2] }]);
        assert_eq!(host.unread_params(), Vec::<String>::new());
    }

    #[test]
    fn commanded_compliances_replace_those_of_the_file_until_a_reset() {
        let host = wheel(TestHost::builder());
        let tyre = host.add_collision("wheel", "tyre");
        let mut model = TestModel::<WheelSlip>::started(host);
        host.set_joint_state("axle", JointState { position: 0.0, velocity: 10.0, effort: 0.0 });
        host.send("wheel_slip", &Vector3 { x: 0.5, y: 0.25, z: 0.0 });
        model.step().expect_done();
        let slips = [0.5 * (0.3 / 50.0) * 10.0, 0.25 * (0.3 / 50.0) * 10.0];
        assert_eq!(host.take_commands(), [TestCommand::Slip { collision: tyre, slips }]);
        let saved = model.save();
        host.send("wheel_slip", &Vector3 { x: -0.5, y: f64::NAN, z: 0.0 });
        model.step().expect_done();
        assert_eq!(host.take_commands(), []);
        model.reset(ResetScope::ALL).expect_done();
        model.step().expect_done();
        let slips = [0.1 * 0.3 / 50.0 * 10.0, 0.02 * 0.3 / 50.0 * 10.0];
        assert_eq!(host.take_commands(), [TestCommand::Slip { collision: tyre, slips }]);
        model.load(&saved).expect_done();
        model.step().expect_done();
        assert_eq!(host.take_commands().len(), 1, "the command is back");
    }

    #[test]
    fn parameters_are_refused_with_their_place() {
        let of = |link: &str, radius: &str| {
            let host = TestHost::builder()
                .vehicle("car")
                .link("wheel")
                .link("frame")
                .params([("wheel/@link_name", link), ("wheel/wheel_radius", radius)])
                .build();
            TestModel::<WheelSlip>::create(host).awake().expect_failed().text().to_owned()
        };
        assert!(of("tail", "1").contains("`wheel[0]/@link_name`"), "{}", of("tail", "1"));
        let bare = TestHost::builder().vehicle("car").link("wheel").joint("axle", JointKind::Continuous);
        let host = bare.param("wheel/@link_name", "wheel").build();
        let child = host.link("wheel").id;
        let frame = JointFrame { parent: None, child, pose: Pose::IDENTITY, axis: [0.0, 0.0, 1.0] };
        host.set_joint_frame("axle", frame);
        let error = TestModel::<WheelSlip>::create(host).awake().expect_failed();
        assert!(error.text().contains("`wheel[0]/wheel_radius`"), "{error}");
        let found = of("frame", "1");
        assert!(found.contains("`wheel[0]/@link_name` is `frame`; expected a link on a joint"), "{found}");
        let none = TestHost::builder().vehicle("car").link("wheel").build();
        let error = TestModel::<WheelSlip>::create(none).awake().expect_failed();
        assert!(error.text().contains("`wheel` is missing"), "{error}");
    }
}
