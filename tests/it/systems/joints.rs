//! Controllers of joints against the closed forms of their gains, and what the joint states report.

use super::{command, run, world};
use crate::support::{Line, assert_near, at};

/// A disc of 0.5 kg m² on a vertical hinge, with a system and its reported state.
fn disc(controller: &str, parameters: &str) -> String {
    let inertia = "<inertia><ixx>0.5</ixx><iyy>0.5</iyy><izz>0.5</izz></inertia>";
    format!(
        "<link name='disc'><inertial><mass>4</mass>{inertia}</inertial></link>
         <joint name='hinge' type='continuous'><parent>world</parent><child>disc</child><axis><xyz>0 0 1</xyz></axis></joint>
         <plugin filename='{controller}' name='controller'><joint_name>hinge</joint_name>{parameters}</plugin>
         <plugin filename='gz-sim-joint-state-publisher-system' name='gz::sim::systems::JointStatePublisher'/>"
    )
}

/// Position and velocity of the hinge of a model.
fn hinge(lines: &[Line], model: &str, milliseconds: u64) -> [f64; 2] {
    let line = at(lines, &format!("/{model}/joint_states"), milliseconds);
    ["position", "velocity"].map(|quantity| line.number(&format!("/message/{quantity}/0")))
}

/// With a proportional gain p alone, an angle swings about its goal: g (1 - cos ω t) with ω² = p / I. With a speed for a
/// command it turns to the goal and stays.
#[test]
fn a_position_controller_swings_about_its_goal_and_a_motor_stops_there() {
    const SYSTEM: &str = "gz-sim-joint-position-controller-system";
    let force = disc(SYSTEM, "<p_gain>2</p_gain><i_gain>0</i_gain><d_gain>0</d_gain>");
    let motor = disc(
        SYSTEM,
        "<use_velocity_commands>true</use_velocity_commands><cmd_max>0.5</cmd_max><topic>/go</topic>",
    );
    let commands =
        command("/force/joint/hinge/0/cmd_pos", 1, "{\"data\":0.5}") + &command("/go", 1, "{\"data\":0.4}");
    let text = world("", &[("force", &force), ("motor", &motor)]);
    let finished = run(&["joint_control", "joint_state"], &text, &commands, 2);
    let lines = finished.log("out/run.jsonl");
    for (milliseconds, seconds) in [(500, 0.5), (1000, 1.0), (2000, 2.0)] {
        let phase: f64 = 2.0 * seconds;
        let [position, velocity] = hinge(&lines, "force", milliseconds);
        // The force is that of the last step, which adds ω² dt / 2 to the growth of the swing, and comes 2 ms late.
        let tolerance = 0.5 * (0.002 * seconds + 2.0 * 0.002);
        assert_near(position, 0.5 * (1.0 - phase.cos()), tolerance);
        assert_near(velocity, 0.5 * 2.0 * phase.sin(), 2.0 * tolerance);
    }
    assert_near(hinge(&lines, "motor", 500)[0], 0.5 * 0.5, 0.5 * 0.003);
    let [position, velocity] = hinge(&lines, "motor", 2000);
    assert_near(position, 0.4, 1e-4);
    assert_near(velocity, 0.0, 1e-3);
}

/// With a proportional gain p the speed approaches its goal: w (1 - exp(-p t / I)). A motor has it at once.
#[test]
fn a_velocity_controller_approaches_its_goal() {
    const SYSTEM: &str = "gz-sim-joint-controller-system";
    let gains = "<use_force_commands>true</use_force_commands><p_gain>1</p_gain><i_gain>0</i_gain>";
    let (force, motor) = (disc(SYSTEM, gains), disc(SYSTEM, "<initial_velocity>-0.25</initial_velocity>"));
    let commands = command("/force/joint/hinge/cmd_vel", 1, "{\"data\":3.0}");
    let text = world("", &[("force", &force), ("motor", &motor)]);
    let finished = run(&["joint_control", "joint_state"], &text, &commands, 2);
    let lines = finished.log("out/run.jsonl");
    for (milliseconds, seconds) in [(500, 0.5), (2000, 2.0)] {
        let left = f64::exp(-2.0 * seconds);
        let [position, velocity] = hinge(&lines, "force", milliseconds);
        // It begins two steps late, at 3 · 2 rad/s².
        assert_near(velocity, 3.0 * (1.0 - left), 6.0 * 0.003);
        assert_near(position, 3.0 * (seconds - (1.0 - left) / 2.0), 3.0 * 0.003);
    }
    assert_near(hinge(&lines, "motor", 2000)[0], -0.25 * 2.0, 0.25 * 0.003);
}

/// Efforts of a trajectory are torques: θ = e t² / (2 I). As in Gazebo, a point holds until its time.
#[test]
fn a_trajectory_of_efforts_accelerates_until_the_time_of_its_point() {
    let off = ["position", "velocity"].map(|kind| {
        let gain = |term: &str| format!("<{kind}_{term}_gain>0</{kind}_{term}_gain>");
        ["p", "i", "d"].map(gain).concat()
    });
    let rig = disc("gz-sim-joint-trajectory-controller-system", &off.concat());
    let point = |effort: f64, seconds: u32| {
        format!("{{\"effort\":[{effort}],\"time_from_start\":{{\"sec\":{seconds},\"nanosec\":0}}}}")
    };
    let message = format!("{{\"joint_names\":[\"hinge\"],\"points\":[{},{}]}}", point(0.2, 1), point(0.0, 2));
    let commands = command("/rig/joint_trajectory", 500, &message);
    let finished = run(&["joint_control", "joint_state"], &world("", &[("rig", &rig)]), &commands, 4);
    let lines = finished.log("out/run.jsonl");
    assert_near(hinge(&lines, "rig", 480)[0], 0.0, 1e-9);
    // 0.4 rad/s² from 0.5 s to 1.5 s; forces act a step late.
    for (milliseconds, position, velocity) in [(1000, 0.05, 0.2), (4000, 0.2 + 0.4 * 2.5, 0.4)] {
        let found = hinge(&lines, "rig", milliseconds);
        assert_near(found[0], position, velocity * 0.003);
        assert_near(found[1], velocity, 0.4 * 0.003);
    }
}
