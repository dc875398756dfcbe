//! Rotors, the control of multicopters, wings and wind.

use std::f64::consts::TAU;
use std::fmt::Write as _;

use super::{command, inertial, last, positions, run, world};
use crate::support::{assert_all_near, assert_near};

/// A hexacopter of 2.06 kg two metres above the ground.
pub(crate) fn hexacopter() -> String {
    let mut text =
        format!("<pose>0 0 2 0 0 0</pose><link name='base'>{}</link>", inertial(2.0, [0.4, 0.4, 0.1]));
    let mut rotors = String::new();
    for index in 0..6_u32 {
        let (sin, cos) = (TAU * f64::from(index) / 6.0).sin_cos();
        let (word, sign) = if index.is_multiple_of(2) { ("ccw", 1) } else { ("cw", -1) };
        write!(
            text,
            "<link name='rotor_{index}'><pose>{} {} 0.05 0 0 0</pose><inertial><mass>0.01</mass><inertia>
             <ixx>1e-5</ixx><iyy>1e-5</iyy><izz>2e-5</izz></inertia></inertial></link>
             <joint name='rotor_{index}_joint' type='continuous'><parent>base</parent><child>rotor_{index}</child>
             <axis><xyz>0 0 1</xyz></axis></joint>
             <plugin filename='gz-sim-multicopter-motor-model-system' name='gz::sim::systems::MulticopterMotorModel'>
             <robotNamespace>hexa</robotNamespace><jointName>rotor_{index}_joint</jointName>
             <linkName>rotor_{index}</linkName><turningDirection>{word}</turningDirection>
             <maxRotVelocity>1000</maxRotVelocity><motorConstant>8.54858e-06</motorConstant>
             <momentConstant>0.016</momentConstant><actuator_number>{index}</actuator_number>
             <rotorDragCoefficient>0</rotorDragCoefficient><rollingMomentCoefficient>0</rollingMomentCoefficient>
             <commandSubTopic>gazebo/command/motor_speed</commandSubTopic></plugin>",
            0.25 * cos,
            0.25 * sin
        )
        .expect("a text grows");
        write!(
            rotors,
            "<rotor><jointName>rotor_{index}_joint</jointName><forceConstant>8.54858e-06</forceConstant>
             <momentConstant>0.016</momentConstant><direction>{sign}</direction></rotor>"
        )
        .expect("a text grows");
    }
    text + &format!(
        "<plugin filename='gz-sim-multicopter-control-system' name='gz::sim::systems::MulticopterVelocityControl'>
         <robotNamespace>hexa</robotNamespace><commandSubTopic>cmd_vel</commandSubTopic><comLinkName>base</comLinkName>
         <velocityGain>6 6 10</velocityGain><attitudeGain>4 4 2</attitudeGain><angularRateGain>0.7 0.7 0.7</angularRateGain>
         <maximumLinearAcceleration>2 2 4</maximumLinearAcceleration>
         <rotorConfiguration>{rotors}</rotorConfiguration></plugin>"
    )
}

pub(crate) fn fly(linear: &str, turn: f64) -> String {
    format!("{{\"linear\":{linear},\"angular\":{{\"z\":{turn}}}}}")
}

#[test]
fn a_hexacopter_hovers_within_five_centimetres_and_flies_with_the_commanded_velocity() {
    let commands = command("/hexa/cmd_vel", 1, &fly("{}", 0.0))
        + &command("/hexa/cmd_vel", 10_000, &fly("{\"x\":1.0,\"z\":0.5}", 0.0))
        + &command("/hexa/cmd_vel", 15_000, &fly("{}", 0.5));
    let finished = run(&["aero"], &world("", &[("hexa", &hexacopter())]), &commands, 20);
    let poses = positions(&finished.log("out/run.jsonl"), "hexa");
    for pose in poses.iter().take(100) {
        assert_all_near(*pose, [0.0, 0.0, 2.0], 0.05);
    }
    // From 12 s to 15 s it has settled at 1 m/s forwards and 0.5 m/s upwards.
    let flown: Vec<f64> = (0..3).map(|axis| (poses[149][axis] - poses[119][axis]) / 3.0).collect();
    assert_all_near([flown[0], flown[1], flown[2]], [1.0, 0.0, 0.5], 0.02);
    let lines = finished.log("out/run.jsonl");
    let turned: Vec<f64> = lines
        .iter()
        .filter(|line| line.is_topic("/hexa/pose"))
        .map(|line| line.quaternion("/message/pose/orientation"))
        .map(|[w, _, _, z]| 2.0 * z.atan2(w))
        .collect();
    assert_near(turned[199] - turned[179], 0.5 * 2.0, 0.02);
    // The thrust of the hover: six rotors with c ω² each.
    let speed =
        lines.iter().find(|line| line.is_topic("/hexa/motor_speed/0") && line.count("stamp") > 9_000_000_000);
    let expected = (2.06_f64 * 9.8 / (6.0 * 8.548_58e-6)).sqrt();
    assert_near(speed.expect("a speed").number("/message/data").abs(), expected, 0.01 * expected);
}

/// A glider with constant lift and drag coefficients per angle falls with the speed at which they carry its weight.
#[test]
fn wings_carry_a_weight_at_the_speed_of_theory() {
    let plane = format!(
        "<pose>0 0 100 0 0 0</pose><link name='l'>{}</link>
         <joint name='rail' type='prismatic'><parent>world</parent><child>l</child><axis><xyz>1 0 0</xyz></axis></joint>
         <plugin filename='gz-sim-lift-drag-system' name='gz::sim::systems::LiftDrag'><link_name>l</link_name>
         <a0>0.1</a0><cla>3</cla><cda>0.5</cda><area>0.8</area><air_density>1.2</air_density></plugin>",
        inertial(2.0, [1.0, 1.0, 0.1])
    );
    let wind = "<wind><linear_velocity>-10 0 0</linear_velocity></wind>";
    let finished = run(&["aero"], &world(wind, &[("kite", &plane)]), "", 10);
    // Pushed backwards by the drag k (10 + v)²: 1 / (10 + v) falls by k t / m.
    let k = 0.5 * 0.1 * 0.5 * 1.2 * 0.8 / 2.0_f64;
    let moved = -(10.0 * 10.0 - (1.0 + k * 10.0 * 10.0).ln() / k);
    assert_near(last(&finished, "kite")[0], moved, 0.005 * moved.abs());
}

#[test]
fn wind_carries_what_is_exposed_to_it() {
    let leaf = |exposed: bool| {
        format!(
            "<enable_wind>{exposed}</enable_wind><link name='l'><gravity>false</gravity>{}</link>",
            inertial(0.5, [0.1; 3])
        )
    };
    let (sail, keel) = (leaf(true), leaf(false));
    let elements = "<wind><linear_velocity>2 1 0</linear_velocity></wind>
        <plugin filename='gz-sim-wind-effects-system' name='gz::sim::systems::WindEffects'>
        <force_approximation_scaling_factor>0.5</force_approximation_scaling_factor></plugin>";
    let finished = run(&["aero"], &world(elements, &[("sail", &sail), ("keel", &keel)]), "", 10);
    // The wind rises with a time constant of 1 s, and dv/dt = 0.5 (w (1 - exp(-t)) - v). So v is w (1 - exp(-t / 2))², and
    // the way w (t + (1 - exp(-t)) - 4 (1 - exp(-t / 2))).
    let share = 10.0 + (1.0 - (-10.0_f64).exp()) - 4.0 * (1.0 - (-5.0_f64).exp());
    assert_all_near(last(&finished, "sail"), [2.0 * share, share, 0.0], 0.02);
    assert_all_near(last(&finished, "keel"), [0.0; 3], 1e-9);
}
