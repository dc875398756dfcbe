//! What systems attach, place, touch and trigger, with the times at which they do; and batteries.

use super::{command, inertial, positions, run, world};
use crate::support::{Line, assert_all_near, assert_near, at};

const GROUND: &str = "<model name='ground'><static>true</static><link name='l'><collision name='c'>
    <geometry><plane/></geometry></collision></link></model>";

/// The times of the messages of a topic, seconds.
fn times(lines: &[Line], topic: &str) -> Vec<f64> {
    #[expect(clippy::cast_precision_loss, reason = "seconds of a short run")]
    let seconds = |line: &Line| line.count("stamp") as f64 * 1e-9;
    lines.iter().filter(|line| line.is_topic(topic)).map(seconds).collect()
}

#[test]
fn a_load_falls_from_the_time_at_which_its_joint_is_detached() {
    let crane = "<static>true</static><pose>0 0 20 0 0 0</pose><link name='hook'/>
        <plugin filename='gz-sim-detachable-joint-system' name='gz::sim::systems::DetachableJoint'>
        <parent_link>hook</parent_link><child_model>load</child_model><child_link>l</child_link>
        <detach_topic>/let_go</detach_topic></plugin>";
    let load = format!("<pose>0.5 0 19 0 0 0</pose><link name='l'>{}</link>", inertial(3.0, [0.2; 3]));
    let text = world("", &[("crane", crane), ("load", &load)]);
    let finished = run(&["world_edit"], &text, &command("/let_go", 1000, "{}"), 2);
    let poses = positions(&finished.log("out/run.jsonl"), "load");
    assert_all_near(poses[9], [0.5, 0.0, 19.0], 1e-3);
    // It is free a step later, and a step is a constant velocity: two steps at g · 1 s.
    assert_all_near(poses[19], [0.5, 0.0, 19.0 - 4.9], 9.8 * 0.002 + 1e-3);
}

#[test]
fn a_breadcrumb_is_left_where_the_vehicle_is() {
    let truck = format!(
        "<pose>0 0 5 0 0 0</pose><link name='l'><gravity>false</gravity>{}</link>
         <plugin filename='gz-sim-velocity-control-system' name='gz::sim::systems::VelocityControl'>
         <initial_linear>2 0 0</initial_linear></plugin>
         <plugin filename='gz-sim-breadcrumbs-system' name='gz::sim::systems::Breadcrumbs'><topic>/drop</topic>
         <max_deployments>2</max_deployments><breadcrumb><sdf version='1.6'><model name='crumb'><static>true</static>
         <pose>-1 0 -0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><sphere><radius>0.1</radius></sphere>
         </geometry></collision></link></model></sdf></breadcrumb></plugin>",
        inertial(3.0, [0.2; 3])
    );
    let observer = "<plugin filename='ground_truth' name='truth'><update_rate>10</update_rate></plugin>";
    let commands: String = [500, 1000, 1500].map(|step| command("/drop", step, "{}")).concat();
    let text = world(observer, &[("truck", &truck)]);
    let finished = run(&["velocity_control", "world_edit"], &text, &commands, 2);
    let lines = finished.log("out/run.jsonl");
    let list = at(&lines, "/ground_truth", 2000)["message"]["detections"].as_array().expect("a list").clone();
    let crumbs = list.into_iter().map(Line).filter(|one| one.text("label").starts_with("crumb"));
    let found: Vec<[f64; 3]> = crumbs.map(|one| one.vector("/bbox/position/position")).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    // A metre behind the vehicle and below it; a step is 2 mm.
    assert_all_near(found[0], [2.0 * 0.5 - 1.0, 0.0, 4.5], 0.0041);
    assert_all_near(found[1], [2.0 * 1.0 - 1.0, 0.0, 4.5], 0.0041);
}

#[test]
fn a_touch_is_reported_after_its_time_and_an_answer_after_its_delay() {
    let ball = format!(
        "<pose>0 0 1.1 0 0 0</pose><link name='ball'>{}<collision name='c'><geometry><sphere><radius>0.1</radius></sphere>
         </geometry></collision></link>
         <plugin filename='gz-sim-touchplugin-system' name='gz::sim::systems::TouchPlugin'><target>ground</target>
         <namespace>ball</namespace><time>0.3</time><enabled>true</enabled></plugin>",
        inertial(1.0, [0.2; 3])
    );
    let trigger =
        "<plugin filename='gz-sim-triggered-publisher-system' name='gz::sim::systems::TriggeredPublisher'>
        <input type='gz.msgs.Boolean' topic='/ball/touched'><match>data: true</match></input>
        <output type='gz.msgs.Int32' topic='/answer'>data: 42</output><delay_ms>250</delay_ms></plugin>";
    let text = world(&format!("{GROUND}{trigger}"), &[("ball", &ball)]);
    let finished = run(&["contact", "triggered_publisher"], &text, "", 2);
    let lines = finished.log("out/run.jsonl");
    let touched = times(&lines, "/ball/touched");
    let [time] = touched.as_slice() else { panic!("{touched:?}\n{finished}") };
    // A fall of a metre, which the contact may end a step too early.
    assert_near(*time, (2.0 / 9.8_f64).sqrt() + 0.3, 0.002);
    let answers = times(&lines, "/answer");
    let [answer] = answers.as_slice() else { panic!("{answers:?}\n{finished}") };
    assert_near(answer - time, 0.25, 0.001 + 1e-9);
}

/// A battery whose voltage falls with its charge, V = V₀ + k u at the drawn part u, gives a power P with
/// V₀ u + k u² / 2 = P t / C.
#[test]
fn a_load_drains_a_battery_faster_as_its_voltage_falls() {
    let cart = "<link name='l'><gravity>false</gravity></link>
        <plugin filename='gz-sim-linearbatteryplugin-system' name='gz::sim::systems::LinearBatteryPlugin'>
        <battery_name>cell</battery_name><voltage>12</voltage><capacity>0.01</capacity><power_load>43.2</power_load>
        <open_circuit_voltage_constant_coef>12</open_circuit_voltage_constant_coef>
        <open_circuit_voltage_linear_coef>-4</open_circuit_voltage_linear_coef>
        <smooth_current_tau>0.001</smooth_current_tau><start_draining>true</start_draining></plugin>";
    let finished = run(&["battery"], &world("", &[("cart", cart)]), "", 5);
    let lines = finished.log("out/run.jsonl");
    let (constant, slope) = (12.0_f64, 4.0);
    let drawn = 43.2 * 5.0 / (0.01 * 3600.0);
    let share = (constant - (constant * constant - 2.0 * slope * drawn).sqrt()) / slope;
    let state = at(&lines, "/cart/battery/cell/state", 5000);
    // The first steps, two of 5000, and single precision.
    assert_near(state.number("/message/percentage"), 1.0 - share, 5e-4);
    assert_near(state.number("/message/voltage"), constant - slope * share, 4.0 * 5e-4);
}
