//! The controller through its C functions, of a quadcopter with a mass of 1.5 kg.

use bridgehead_plugin_api::host::{Body, EntityId, JointFrame, JointKind, Level, LinkState, Pose};
use bridgehead_plugin_api::testing::{TestHost, TestHostBuilder, TestModel};

use super::*;

const FORCE: f64 = 8.548_58e-6;
const COMMANDS: &str = "/X3/gazebo/command/twist";
const SPEEDS: &str = "/X3/gazebo/command/motor_speed";
/// Front left, back right, back left, front right.
const PLACES: [[f64; 3]; 4] = [[0.2, 0.2, 0.0], [-0.2, -0.2, 0.0], [-0.2, 0.2, 0.0], [0.2, -0.2, 0.0]];
const DIRECTIONS: [f64; 4] = [1.0, 1.0, -1.0, -1.0];

fn quadcopter(mut builder: TestHostBuilder) -> TestHost {
    builder = builder
        .vehicle("X3")
        .link("base")
        .params([
            ("robotNamespace", "X3"),
            ("comLinkName", "base"),
            ("commandSubTopic", "gazebo/command/twist"),
        ])
        .params([("velocityGain", "3 3 3"), ("attitudeGain", "2 3 0.15"), ("angularRateGain", "0.4 0.5 0.2")])
        .params([("maximumLinearAcceleration", "2 2 2"), ("maximumLinearVelocity", "5 5 5")]);
    for (index, direction) in DIRECTIONS.iter().enumerate() {
        let joint = format!("rotor_{index}_joint");
        let path = |name: &str| format!("rotorConfiguration/rotor[{index}]/{name}");
        builder = builder
            .link(&format!("rotor_{index}"))
            .joint(&joint, JointKind::Continuous)
            .param(&path("jointName"), &joint)
            .param(&path("forceConstant"), FORCE)
            .param(&path("momentConstant"), 0.016)
            .param(&path("direction"), direction);
    }
    let host = builder.build();
    let body = |name: &str, mass: f64| Body {
        link: host.link(name).id,
        name: format!("X3::{name}"),
        entity: EntityId(1),
        moves: true,
        is_in_wind: false,
        has_gravity: true,
        mass,
        center: [0.0; 3],
        inertia: [0.03, 0.03, 0.05, 0.0, 0.0, 0.0],
    };
    host.set_body(body("base", 1.3));
    for (index, place) in PLACES.iter().enumerate() {
        let name = format!("rotor_{index}");
        host.set_body(body(&name, 0.05));
        let pose = Pose { position: *place, ..Pose::IDENTITY };
        host.set_link_state(&name, LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
        let frame = JointFrame {
            parent: None,
            child: host.link(&name).id,
            pose: Pose::IDENTITY,
            axis: [0.0, 0.0, 1.0],
        };
        host.set_joint_frame(&format!("rotor_{index}_joint"), frame);
    }
    host.listen(SPEEDS);
    host
}

fn twist(linear: [f64; 3], turn: f64) -> Twist {
    let [x, y, z] = linear;
    Twist { linear: Some(Vector3 { x, y, z }), angular: Some(Vector3 { x: 0.0, y: 0.0, z: turn }) }
}

/// Torque and thrust of the commanded speeds.
fn given(host: TestHost) -> ([f64; 3], f64) {
    let speeds = host.last::<Actuators>(SPEEDS).velocity;
    let mut torque = [0.0; 3];
    let mut thrust = 0.0;
    for ((speed, place), direction) in speeds.iter().zip(PLACES).zip(DIRECTIONS) {
        let force = FORCE * speed * speed;
        thrust += force;
        torque = add(torque, [place[1] * force, -place[0] * force, -direction * 0.016 * force]);
    }
    (torque, thrust)
}

#[track_caller]
fn assert_given(host: TestHost, torque: [f64; 3], thrust: f64) {
    let found = given(host);
    let is_near =
        found.0.iter().zip(torque).all(|(a, b)| (a - b).abs() < 1e-9) && (found.1 - thrust).abs() < 1e-9;
    assert!(is_near, "{found:?}, expected {torque:?} and {thrust}");
}

#[test]
fn without_a_command_the_rotors_are_left_alone_and_with_one_they_carry_the_weight() {
    let host = quadcopter(TestHost::builder());
    let mut model = TestModel::<MulticopterControl>::started(host);
    model.step().expect_done();
    assert!(host.published(SPEEDS).is_empty());
    host.send(COMMANDS, &twist([0.0; 3], 0.0));
    model.step().expect_done();
    assert_given(host, [0.0; 3], 1.5 * 9.8);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_climb_is_bounded_and_a_turn_is_a_torque() {
    let host = quadcopter(TestHost::builder());
    let mut model = TestModel::<MulticopterControl>::started(host);
    host.send(COMMANDS, &twist([0.0, 0.0, 0.5], 0.0));
    model.step().expect_done();
    // 3 / 1.5 · 0.5 m/s².
    assert_given(host, [0.0; 3], 1.5 * (9.8 + 1.0));
    host.send(COMMANDS, &twist([0.0, 0.0, 90.0], 0.0));
    model.step().expect_done();
    assert_given(host, [0.0; 3], 1.5 * (9.8 + 2.0));
    host.send(COMMANDS, &twist([0.0; 3], 0.3));
    model.step().expect_done();
    assert_given(host, [0.0, 0.0, 0.2 * 0.3], 1.5 * 9.8);
}

#[test]
fn a_tilt_is_righted_and_forward_is_a_tilt() {
    let host = quadcopter(TestHost::builder());
    let mut model = TestModel::<MulticopterControl>::started(host);
    let (sin, cos) = 0.05_f64.sin_cos();
    let pose = Pose { position: [0.0; 3], orientation: [sin, 0.0, 0.0, cos] };
    model.step().expect_done();
    host.set_link_state("base", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    host.send(COMMANDS, &twist([0.0; 3], 0.0));
    model.step().expect_done();
    assert_given(host, [-2.0 * 0.1_f64.sin(), 0.0, 0.0], 1.5 * 9.8 * 0.1_f64.cos());
    host.set_link_state("base", LinkState { pose: Pose::IDENTITY, linear: [0.0; 3], angular: [0.0; 3] });
    host.send(COMMANDS, &twist([1.0, 0.0, 0.0], 0.0));
    model.step().expect_done();
    // It pitches forward, about y, to accelerate with 2 m/s².
    let tilt = (2.0_f64 / 9.8).atan();
    assert_given(host, [0.0, 3.0 * tilt.sin(), 0.0], 1.5 * 9.8);
}

#[test]
fn it_can_be_switched_off_and_ignores_commands_that_are_no_numbers() {
    let host = quadcopter(TestHost::builder());
    let mut model = TestModel::<MulticopterControl>::started(host);
    host.send(COMMANDS, &twist([0.0; 3], 0.0));
    model.step().expect_done();
    host.send(COMMANDS, &twist([f64::NAN, 0.0, 0.0], 0.0));
    model.step().expect_done();
    assert_given(host, [0.0; 3], 1.5 * 9.8);
    assert!(host.has_logged(Level::Warn, "ignored a command"));
    host.send("/X3/enable", &Bool { data: false });
    model.step().expect_done();
    assert_eq!(host.last::<Actuators>(SPEEDS).velocity, [0.0; 4]);
    let count = host.published(SPEEDS).len();
    model.run(5).expect_done();
    assert_eq!(host.published(SPEEDS).len(), count);
    // Switched on again, it waits for a new command.
    host.send("/X3/enable", &Bool { data: true });
    model.run(5).expect_done();
    assert_eq!(host.published(SPEEDS).len(), count);
    host.send(COMMANDS, &twist([0.0; 3], 0.0));
    model.step().expect_done();
    assert_given(host, [0.0; 3], 1.5 * 9.8);
}

/// The rates are those in the frame of the base: it faces along y, and rolls about x of the world. A mean without a deviation
/// has no effect, and the bounds of commands are amounts.
#[test]
fn noise_is_that_of_the_frame_of_the_base_and_needs_a_deviation() {
    let params = [
        ("linearVelocityNoiseMean", "9 9 9"),
        ("angularVelocityNoiseMean", "9 0.5 9"),
        ("angularVelocityNoiseStdDev", "0 1e-12 0"),
        ("maximumAngularVelocity", "1 1 -0.3"),
    ];
    let host = quadcopter(TestHost::builder().params(params));
    let mut model = TestModel::<MulticopterControl>::started(host);
    model.step().expect_done();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let pose = Pose { position: [0.0; 3], orientation: [0.0, 0.0, half, half] };
    host.set_link_state("base", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    host.send(COMMANDS, &twist([0.0; 3], 2.0));
    model.step().expect_done();
    assert_given(host, [0.0, -0.5 * 0.5, 0.2 * 0.3], 1.5 * 9.8);
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (path, text, expected) in [
        ("linearVelocityNoiseStdDev", "1 -1 1", "expected three numbers of 0 or more"),
        ("linearVelocityNoiseStdDev", "1 1", "expected three finite numbers"),
        ("maximumAngularVelocity", "inf 1 1", "expected three finite numbers"),
    ] {
        let host = quadcopter(TestHost::builder().param(path, text));
        let error = TestModel::<MulticopterControl>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
    for missing in ["forceConstant", "momentConstant", "direction"] {
        let builder = TestHost::builder().vehicle("X3").link("base").joint("j", JointKind::Continuous);
        let gains = ["velocityGain", "attitudeGain", "angularRateGain"].map(|name| (name, "1 1 1"));
        let builder = builder
            .params(gains)
            .params([("comLinkName", "base"), ("rotorConfiguration/rotor/jointName", "j")]);
        let present =
            ["forceConstant", "momentConstant", "direction"].into_iter().filter(|name| *name != missing);
        let builder = present
            .fold(builder, |builder, name| builder.param(&format!("rotorConfiguration/rotor/{name}"), 1));
        let error = TestModel::<MulticopterControl>::create(builder.build()).awake().expect_failed();
        let text = format!("`rotorConfiguration/rotor[0]/{missing}` is missing");
        assert!(error.text().contains(&text), "{error}");
    }
    let host = quadcopter(TestHost::builder());
    for index in 0..4 {
        let pose = Pose::IDENTITY;
        host.set_link_state(
            &format!("rotor_{index}"),
            LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] },
        );
    }
    let error = TestModel::<MulticopterControl>::started(host).step().expect_failed();
    assert!(
        error.text().contains("`rotorConfiguration` is `4 rotors`; expected four or more whose"),
        "{error}"
    );
}

/// Turns and moves the whole vehicle.
fn fly_to(host: TestHost, pose: Pose) {
    let places = std::iter::once(("base".to_owned(), [0.0; 3]));
    let rotors = PLACES.iter().enumerate().map(|(index, place)| (format!("rotor_{index}"), *place));
    for (name, position) in places.chain(rotors) {
        let pose = pose.compose(Pose { position, ..Pose::IDENTITY });
        host.set_link_state(&name, LinkState { pose, linear: [0.3, 0.2, 0.1], angular: [0.1, 0.2, 0.3] });
    }
}

/// What is computed in the first step must not be computed again from the poses of a later one.
#[test]
fn a_restored_controller_commands_the_speeds_of_the_interrupted_one_to_the_last_bit() {
    for number in 1..20 {
        let angle = 0.1 * f64::from(number);
        let (sin, cos) = (angle / 2.0).sin_cos();
        let orientation = [0.36 * sin, 0.48 * sin, 0.8 * sin, cos];
        let pose = Pose { position: [angle, -7.3 * angle, 1.7 * angle], orientation };
        let speeds = |model: &mut TestModel<MulticopterControl>| -> Vec<u64> {
            let host = model.host();
            fly_to(host, pose);
            host.send(COMMANDS, &twist([0.4, 0.3, 0.2], 0.1));
            model.step().expect_done();
            host.last::<Actuators>(SPEEDS).velocity.into_iter().map(f64::to_bits).collect()
        };
        let mut whole = TestModel::<MulticopterControl>::started(quadcopter(TestHost::builder()));
        whole.step().expect_done();
        let saved = whole.save();
        let host = quadcopter(TestHost::builder());
        fly_to(host, pose);
        let mut restored = TestModel::<MulticopterControl>::started(host);
        restored.load(&saved).expect_done();
        assert_eq!(speeds(&mut restored), speeds(&mut whole), "{pose:?}");
    }
}

#[test]
fn a_controller_that_was_saved_before_its_first_step_looks_at_its_vehicle_in_it() {
    let saved = TestModel::<MulticopterControl>::started(quadcopter(TestHost::builder())).save();
    let host = quadcopter(TestHost::builder());
    let mut restored = TestModel::<MulticopterControl>::started(host);
    restored.load(&saved).expect_done();
    host.send(COMMANDS, &twist([0.0; 3], 0.0));
    restored.step().expect_done();
    assert_given(host, [0.0; 3], 1.5 * 9.8);
}
