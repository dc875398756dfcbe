//! Air around a model: the pressure at pitot tubes, and a whole aircraft by its stability derivatives.

use std::f64::consts::{FRAC_PI_2, PI};

use super::{command, inertial, last, run, world};
use crate::support::{Line, assert_near, at};

/// The density at 1000 m, kg/m³ (U.S. Standard Atmosphere 1976, table 1).
const DENSITY: f64 = 1.1117;

#[test]
fn pitot_tubes_measure_the_pressure_of_the_air_from_their_front() {
    let tube = |name: &str, yaw: f64| {
        format!(
            "<sensor name='{name}' type='air_speed'><pose>0 0 0 0 0 {yaw}</pose><topic>{name}</topic>
             <update_rate>10</update_rate><air_speed><pressure><noise type='gaussian'><mean>2</mean><stddev>0</stddev></noise>
             </pressure></air_speed></sensor>"
        )
    };
    let plane = format!(
        "<pose>0 0 1000 0 0 {FRAC_PI_2}</pose><link name='l'><gravity>false</gravity>{}{}{}{}</link>
         <plugin filename='gz-sim-velocity-control-system' name='gz::sim::systems::VelocityControl'>
         <initial_linear>30 0 0</initial_linear></plugin>",
        inertial(5.0, [1.0; 3]),
        tube("nose", 0.0),
        tube("left", FRAC_PI_2),
        tube("tail", PI)
    );
    let wind = "<wind><linear_velocity>5 -10 0</linear_velocity></wind>";
    let finished = run(&["environment", "velocity_control"], &world(wind, &[("plane", &plane)]), "", 1);
    let lines = finished.log("out/run.jsonl");
    // It flies along y with 30 m/s against 10 m/s, and 5 m/s come from the left. The noise is a bias of 2 Pa.
    for (tube, speed) in [("nose", 40.0_f64), ("left", 5.0), ("tail", -40.0)] {
        let found = at(&lines, &format!("/plane/{tube}"), 1000).number("/message/fluid_pressure");
        let pressure = 0.5 * DENSITY * speed * speed.abs();
        // The table has five digits: 5e-5 / 1.1. The height counts as geopotential: 0.16 m of 1000 m are 2e-5.
        assert_near(found, 2.0 + pressure, 1e-4 * pressure.abs());
    }
}

/// The parameters of an aircraft of 1.6 m² with a span of 4 m.
const AIRCRAFT: &str = "<plugin filename='gz-sim-advanced-lift-drag-system' name='gz::sim::systems::AdvancedLiftDrag'>
    <link_name>hull</link_name><air_density>1.2</air_density><area>1.6</area><AR>10</AR><mac>0.4</mac><eff>0.9</eff>
    <forward>1 0 0</forward><upward>0 0 1</upward><cp>0 0 0</cp><alpha_stall>1.2</alpha_stall>
    <CD0>0.03</CD0><CL0>0.8</CL0><CLa>5</CLa><Cellp>-0.5</Cellp>";

/// The angle about x of a model.
fn roll(lines: &[Line], model: &str, milliseconds: u64) -> f64 {
    let [w, x, _, _] =
        at(lines, &format!("/{model}/pose"), milliseconds).quaternion("/message/pose/orientation");
    2.0 * x.atan2(w)
}

/// On a rail in the wind -w, a glider of mass m is pushed back by the drag k m (w + v)²: 1 / (w + v) rises by k t.
#[test]
fn an_aircraft_has_its_parasitic_and_induced_drag() {
    let plane = format!(
        "<pose>0 0 100 0 0 0</pose><link name='hull'>{}</link>
         <joint name='rail' type='prismatic'><parent>world</parent><child>hull</child><axis><xyz>1 0 0</xyz></axis></joint>
         {AIRCRAFT}</plugin>",
        inertial(3.0, [1.0, 4.0, 0.2])
    );
    let wind = "<wind><linear_velocity>-10 0 0</linear_velocity></wind>";
    let finished = run(&["aero"], &world(wind, &[("kite", &plane)]), "", 4);
    let drag = 0.03 + 0.8 * 0.8 / (PI * 10.0 * 0.9);
    let (k, seconds) = (0.5 * 1.2 * 1.6 * drag / 3.0, 4.0);
    let moved = -(10.0 * seconds - (1.0 + k * 10.0 * seconds).ln() / k);
    // The force acts a step late, of 4 s: 2 · 0.001 / 4 of the way. The stall, 1.2 rad away, blends in with exp(-15 · 1.2).
    assert_near(last(&finished, "kite")[0], moved, 5e-3 * moved.abs());
}

/// On an axle along the wind, the moment of an aileron is balanced by the damping of the roll, at the rate
/// p = C δ 2 V / (-C_lp b).
#[test]
fn an_aileron_rolls_an_aircraft_against_its_damping() {
    let plane = format!(
        "<pose>0 0 100 0 0 0</pose><link name='hull'>{}</link><link name='flap'>{}</link>
         <joint name='axle' type='continuous'><parent>world</parent><child>hull</child><axis><xyz>1 0 0</xyz></axis></joint>
         <joint name='hinge' type='revolute'><parent>hull</parent><child>flap</child><axis><xyz>0 1 0</xyz>
         <limit><lower>-1</lower><upper>1</upper></limit></axis></joint>
         <plugin filename='gz-sim-joint-position-controller-system' name='gz::sim::systems::JointPositionController'>
         <joint_name>hinge</joint_name><use_velocity_commands>true</use_velocity_commands><topic>/aileron</topic></plugin>
         {AIRCRAFT}<num_ctrl_surfaces>1</num_ctrl_surfaces><control_surface><name>hinge</name><index>0</index>
         <direction>-1</direction><Cell_ctrl>0.002</Cell_ctrl></control_surface></plugin>",
        inertial(3.0, [1.0, 4.0, 0.2]),
        inertial(0.1, [0.1; 3])
    );
    let wind = "<wind><linear_velocity>-20 0 0</linear_velocity></wind>";
    let commands = command("/aileron", 10, "{\"data\":0.1}");
    let finished = run(&["aero", "joint_control"], &world(wind, &[("kite", &plane)]), &commands, 4);
    let lines = finished.log("out/run.jsonl");
    let rate = (roll(&lines, "kite", 4000) - roll(&lines, "kite", 2000)) / 2.0;
    let expected = -0.002 * 0.1_f64.to_degrees() * 2.0 * 20.0 / (0.5 * 4.0);
    // It settles with I / (ρ V A b² 0.5 / 4) = 0.05 s, so after 2 s nothing of the rise is left; the flap is held to 1 %.
    assert_near(rate, expected, 0.01 * expected.abs());
}
