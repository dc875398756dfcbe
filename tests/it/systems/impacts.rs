//! Losses of kinetic energy in impacts.

use super::{inertial, run, world};
use crate::support::{Finished, assert_near};

const GROUND: &str = "<model name='ground'><static>true</static><link name='l'><collision name='c'>
    <geometry><plane/></geometry></collision></link></model>";

/// A ball of 5 kg that falls from a height.
fn ball(height: f64, parameters: &str) -> String {
    format!(
        "<pose>0 {height} {} 0 0 0</pose><link name='ball'>{}<collision name='c'><geometry><sphere><radius>0.1</radius>
         </sphere></geometry></collision></link>
         <plugin filename='gz-sim-kinetic-energy-monitor-system' name='gz::sim::systems::KineticEnergyMonitor'>
         <link_name>ball</link_name>{parameters}</plugin>",
        height + 0.1,
        inertial(5.0, [0.2; 3])
    )
}

/// The reported losses, J.
fn losses(finished: &Finished, topic: &str) -> Vec<f64> {
    let lines = finished.log("out/run.jsonl");
    lines.iter().filter(|line| line.is_topic(topic)).map(|line| line.number("/message/data")).collect()
}

#[test]
fn an_impact_takes_the_energy_of_the_fall() {
    let (high, low) = (ball(1.0, ""), ball(0.1, ""));
    let all = ball(2.0, "<kinetic_energy_threshold>0.1</kinetic_energy_threshold><topic>/hit</topic>");
    let finished = run(&[], &world(GROUND, &[("high", &high), ("low", &low), ("all", &all)]), "", 1);
    // m g h, less m g v · 1 ms for the speed of a step, which is that of its end, and as much for the step of the impact;
    // losses below the threshold are not reported.
    let (energy, step) = (5.0 * 9.8 * 2.0, 5.0 * 9.8 * (2.0 * 9.8 * 2.0_f64).sqrt() * 0.001);
    assert_near(losses(&finished, "/hit").iter().sum(), energy, 2.0 * step + 0.1);
    // By default 7 J are reported: 49 J are, and 4.9 J are not.
    let found = losses(&finished, "/high/kinetic_energy");
    let sum: f64 = found.iter().sum();
    assert!((49.0 - 7.0 - 0.5..49.3).contains(&sum) && found.iter().all(|loss| *loss > 7.0), "{found:?}");
    assert!(losses(&finished, "/low/kinetic_energy").is_empty());
}

/// A rod of length l swings from the horizontal into a stop under its hinge: m g l / 2, of which three quarters are motion
/// of its centre and one quarter is rotation.
#[test]
fn a_swinging_rod_loses_the_energy_of_its_rotation_too() {
    let rod = "<pose>0 0 5 0 0 0</pose><link name='rod'><inertial><pose>0.5 0 0 0 0 0</pose><mass>6</mass><inertia><ixx>0.01</ixx>
        <iyy>0.5</iyy><izz>0.5</izz></inertia></inertial></link>
        <joint name='hinge' type='revolute'><parent>world</parent><child>rod</child><axis><xyz>0 1 0</xyz>
        <limit><lower>-1</lower><upper>1.5707963267948966</upper></limit></axis></joint>
        <plugin filename='gz-sim-kinetic-energy-monitor-system' name='gz::sim::systems::KineticEnergyMonitor'>
        <link_name>rod</link_name><kinetic_energy_threshold>0.1</kinetic_energy_threshold></plugin>";
    let finished = run(&[], &world("", &[("rig", rod)]), "", 1);
    let found = losses(&finished, "/rig/kinetic_energy");
    // The step before the stop turns by ω · 0.001, at which the rod no longer falls.
    assert_near(found.iter().sum(), 6.0 * 9.8 * 0.5, 0.3);
}
