//! Buoyancy, bladders, thrusters and hydrodynamics.

use super::{command, inertial, last, positions, run, world};
use crate::support::{assert_near, at};

/// Water below the height 0, and nothing above it.
const SEA: &str = "<plugin filename='gz-sim-buoyancy-system' name='gz::sim::systems::Buoyancy'><graded_buoyancy>
    <default_density>1000</default_density>
    <density_change><above_depth>0</above_depth><density>0</density></density_change></graded_buoyancy></plugin>";

/// Damping of a link, so that it comes to rest.
fn calm(link: &str) -> String {
    format!(
        "<plugin filename='gz-sim-hydrodynamics-system' name='gz::sim::systems::Hydrodynamics'>
         <link_name>{link}</link_name><zW>-2000</zW><kP>-400</kP><mQ>-900</mQ></plugin>"
    )
}

fn hull(pose: &str, mass: f64, geometry: &str) -> String {
    let inertial = inertial(mass, [2.0, 1.0, 0.5]);
    format!(
        "<pose>{pose}</pose><link name='hull'>{inertial}<collision name='c'><geometry>{geometry}</geometry></collision></link>"
    )
}

#[test]
fn boats_float_at_the_draught_of_theory() {
    let a_box = "<box><size>2 1 0.5</size></box>";
    let cylinder = "<cylinder><radius>0.5</radius><length>0.8</length></cylinder>";
    let boat = |pose: &str, mass: f64, geometry: &str| hull(pose, mass, geometry) + &calm("hull");
    let models = [
        ("punt", boat("0 0 0.4 0.1 0.05 0", 400.0, a_box)),
        ("drum", boat("5 0 0 0 0 0", 200.0, cylinder)),
        ("ball", boat("10 0 0 0 0 0", 200.0, "<sphere><radius>0.5</radius></sphere>")),
        ("stone", boat("15 0 1 0 0 0", 1100.0, a_box)),
    ];
    let models: Vec<(&str, &str)> = models.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let finished = run(&["marine"], &world(SEA, &models), "", 20);
    // Mass over density and area: 0.2 m and 0.2546 m, from the lowest point.
    assert_near(last(&finished, "punt")[2], 0.25 - 0.2, 1e-3);
    assert_near(last(&finished, "drum")[2], 0.4 - 200.0 / (1000.0 * 0.25 * std::f64::consts::PI), 1e-3);
    // A cap of height h displaces π h² (3 r - h) / 3 = 0.2 m³: h = 0.42065 m.
    assert_near(last(&finished, "ball")[2], 0.5 - 0.420_65, 1e-3);
    // 100 kg too heavy: it sinks with (m - ρ V) g = 2000 N s/m · v.
    let stone = positions(&finished.log("out/run.jsonl"), "stone");
    let [.., before, after] = stone.as_slice() else { panic!("too few poses") };
    assert_near((after[2] - before[2]) / 0.1, -100.0 * 9.8 / 2000.0, 1e-3);
}

/// A hull that is heeled by 5° rights itself: the metacentre is above the centre of mass.
#[test]
fn a_heeled_boat_rights_itself() {
    let boat = hull("0 0 0.05 0.0873 0 0", 400.0, "<box><size>2 1 0.5</size></box>") + &calm("hull");
    let finished = run(&["marine"], &world(SEA, &[("punt", &boat)]), "", 20);
    let lines = finished.log("out/run.jsonl");
    let line = lines.iter().rfind(|line| line.is_topic("/punt/pose")).expect("a pose");
    let [_, x, y, _] = line.quaternion("/message/pose/orientation");
    assert!(x.abs() < 1e-4 && y.abs() < 1e-4, "{x} {y}");
}

/// A vehicle like Gazebo's LRAUV: neutral in water, with a propeller at its stern.
fn lrauv() -> String {
    let body = inertial(146.0, [2.0, 0.3, 0.3]);
    format!(
        "<link name='base_link'><gravity>false</gravity>{body}</link>
         <link name='propeller'><gravity>false</gravity><pose>-1.05 0 0 0 0 0</pose>
         <inertial><mass>0.5</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>
         <joint name='propeller_joint' type='continuous'><parent>base_link</parent><child>propeller</child>
         <axis><xyz>1 0 0</xyz></axis></joint>
         <plugin filename='gz-sim-thruster-system' name='gz::sim::systems::Thruster'>
         <namespace>tethys</namespace><joint_name>propeller_joint</joint_name>
         <thrust_coefficient>0.004422</thrust_coefficient><fluid_density>1000</fluid_density>
         <propeller_diameter>0.2</propeller_diameter><velocity_control>true</velocity_control></plugin>
         <plugin filename='gz-sim-hydrodynamics-system' name='gz::sim::systems::Hydrodynamics'>
         <link_name>base_link</link_name><xDotU>-4.876161</xDotU><yDotV>-126.324739</yDotV><zDotW>-126.324739</zDotW>
         <mDotQ>-33.46</mDotQ><nDotR>-33.46</nDotR><xUabsU>-6.2282</xUabsU><yVabsV>-601.27</yVabsV>
         <zWabsW>-601.27</zWabsW><kPabsP>-0.1916</kPabsP><mQabsQ>-632.698957</mQabsQ><nRabsR>-632.698957</nRabsR>
         <kP>-10</kP></plugin>"
    )
}

/// The way under a thrust F against the drag k u²: (M / k) ln cosh(t sqrt(F k) / M), with the mass and added mass M.
#[test]
fn a_thruster_drives_mass_and_added_mass_against_the_drag() {
    let topic = "/model/tethys/joint/propeller_joint/cmd_thrust";
    let published = "/model/tethys/joint/propeller_joint/ang_vel";
    let commands = command(topic, 1, "{\"data\":6.0}");
    let finished = run(&["marine"], &world("", &[("tethys", &lrauv())]), &commands, 20);
    let (mass, drag, thrust, time) = (146.5 + 4.876_161, 6.2282_f64, 6.0_f64, 20.0);
    let way = mass / drag * ((thrust * drag).sqrt() * time / mass).cosh().ln();
    let found = last(&finished, "tethys");
    assert_near(found[0], way, 0.005 * way);
    assert_near(found[1].hypot(found[2]), 0.0, 1e-3);
    // sqrt(T / (K ρ D⁴)), published with every step.
    let rates = finished.log("out/run.jsonl");
    let rate = rates.iter().rfind(|line| line.is_topic(published)).expect("a rate");
    assert_near(rate.number("/message/data"), (6.0_f64 / (0.004_422 * 1.6)).sqrt(), 1e-6);
}

#[test]
fn a_thruster_on_a_static_model_is_off_and_the_rest_runs() {
    let dock = format!("<static>true</static>{}", lrauv());
    let boat = hull("0 5 0.05 0 0 0", 400.0, "<box><size>2 1 0.5</size></box>") + &calm("hull");
    let finished = run(&["marine"], &world(SEA, &[("dock", &dock), ("punt", &boat)]), "", 2);
    // A static model has no joints, and its links do not move.
    let finished = finished.expect_message(&["world.sdf:", "`joint_name`", "propeller_joint"]);
    let finished =
        finished.expect_message(&["world.sdf:", "`link_name` is `base_link`", "static or scripted"]);
    assert_near(last(&finished, "punt")[2], 0.05, 1e-3);
}

/// A float of 100 kg with a bladder.
fn float(pose: &str, parameters: &str, name: &str) -> String {
    let geometry = "<box><size>1 0.5 0.2</size></box>";
    let bladder = format!(
        "<plugin filename='gz-sim-buoyancy-engine-system' name='gz::sim::systems::BuoyancyEngine'><link_name>hull</link_name>
         <namespace>{name}</namespace>{parameters}</plugin>"
    );
    hull(pose, 100.0, geometry) + &bladder
}

/// A bladder that grows by r in a second pushes up with ρ g r t until it has its volume after t₁: with k = ρ g r / m the
/// way is k t³ / 6 until then, and k t₁³ / 6 + k t₁² s / 2 + k t₁ s² / 2 a time s later.
#[test]
fn a_bladder_lifts_a_float_as_it_grows() {
    // The hulls displace as much as they weigh.
    let water = "<plugin filename='gz-sim-buoyancy-system' name='gz::sim::systems::Buoyancy'>
        <uniform_fluid_density>1000</uniform_fluid_density></plugin>";
    let volumes = "<neutral_volume>0.002</neutral_volume><default_volume>0.002</default_volume>
        <min_volume>0.001</min_volume><max_volume>0.003</max_volume><max_inflation_rate>0.0005</max_inflation_rate>";
    let diver = float("0 0 -10 0 0 0", volumes, "diver");
    // Its bladder begins with its smallest volume, 30 ml, and is neutral with 300 ml.
    let usual = float("5 0 -10 0 0 0", "", "usual");
    // Above the surface nothing is displaced, and 2 l of oil weigh.
    let beached = float("10 0 1 0 0 0", &format!("{volumes}<surface>0</surface>"), "beached");
    let text = world(water, &[("diver", &diver), ("usual", &usual), ("beached", &beached)]);
    // More than fits, and a number that is none.
    let topic = "/model/diver/buoyancy_engine";
    let commands = command(topic, 1, "{\"data\":0.009}") + &command(topic, 2, "{\"data\":\"NaN\"}");
    let finished = run(&["marine"], &text, &commands, 5);
    let (k, grown, rest) = (1000.0 * 9.8 * 0.0005 / 100.0, 2.0_f64, 3.0);
    let way = k * grown.powi(3) / 6.0 + k * grown.powi(2) * rest / 2.0 + k * grown * rest.powi(2) / 2.0;
    // Forces act a step late: 2 ms at a final speed of k t₁ (t₁ / 2 + s). So nothing carries the hulls in the first step.
    let tolerance = |speed: f64| 0.002 * speed + 1e-4;
    let sunk = |seconds: f64| 9.8 * 0.001 * seconds;
    let speed = k * grown * (grown / 2.0 + rest);
    assert_near(last(&finished, "diver")[2], -10.0 + way - sunk(5.0), tolerance(speed));
    let sinking = 1000.0 * 9.8 * (0.000_3 - 0.000_03) / 100.0;
    assert_near(last(&finished, "usual")[2], -10.0 - sinking * 12.5 - sunk(5.0), tolerance(sinking * 5.0));
    let weighs = 1000.0 * 9.8 * 0.002 / 100.0;
    let beached = positions(&finished.log("out/run.jsonl"), "beached");
    assert_near(beached[19][2], 1.0 - weighs * 2.0 - sunk(2.0), tolerance(weighs * 2.0));
    let lines = finished.log("out/run.jsonl");
    let volume =
        |milliseconds| at(&lines, &format!("{topic}/current_volume"), milliseconds).number("/message/data");
    assert_near(volume(1000), 0.002 + 0.0005, 1e-6);
    assert_near(volume(5000), 0.003, 1e-12);
    finished.expect_message(&["ignored a volume of NaN"]);
}
