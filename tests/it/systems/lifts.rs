//! An elevator with joints, as Gazebo's elevator system moves it, and a box in its cabin.

use super::{command, inertial, last, run, world};
use crate::support::assert_near;

/// A shaft with two floors, 2 m apart, a door at each, and a cabin on a prismatic joint.
pub(crate) fn shaft() -> String {
    let door = |floor: u8, height: f64| {
        let body = inertial(5.0, [0.05, 0.8, 1.8]);
        format!(
            "<link name='floor_{floor}'><pose>-5 0 {height} 0 0 0</pose>{body}</link>
             <joint name='fix_{floor}' type='fixed'><parent>world</parent><child>floor_{floor}</child></joint>
             <link name='leaf_{floor}'><pose>2 0 {height} 0 0 0</pose>{body}</link>
             <joint name='door_{floor}' type='prismatic'><parent>world</parent><child>leaf_{floor}</child><axis>
             <xyz>0 1 0</xyz><limit><lower>0</lower><upper>0.5</upper></limit></axis></joint>"
        )
    };
    let cabin = inertial(200.0, [2.0, 2.0, 0.1]);
    format!(
        "{}{}<link name='cabin'><pose>0 0 0.05 0 0 0</pose>{cabin}<collision name='c'><geometry><box><size>2 2 0.1</size>
         </box></geometry></collision></link><joint name='lift' type='prismatic'><parent>world</parent><child>cabin</child>
         <axis><xyz>0 0 1</xyz><limit><lower>0</lower><upper>2.5</upper></limit></axis></joint>
         <plugin filename='gz-sim-elevator-system' name='gz::sim::systems::Elevator'>
         <open_door_wait_duration>1</open_door_wait_duration><cmd_topic>/go</cmd_topic><state_topic>/at</state_topic></plugin>",
        door(0, 0.0),
        door(1, 2.0)
    )
}

#[test]
fn an_elevator_with_joints_takes_a_box_up_and_reports_the_floor() {
    let freight = format!(
        "<pose>0.2 0 0.3 0 0 0</pose><link name='l'>{}<collision name='c'><geometry><box><size>0.4 0.4 0.4</size></box>
         </geometry></collision></link>",
        inertial(20.0, [0.4; 3])
    );
    let text = world("", &[("shaft", &shaft()), ("freight", &freight)]);
    let finished = run(&["elevator"], &text, &command("/go", 500, "{\"data\":1}"), 6);
    let [x, y, z] = last(&finished, "freight");
    assert_near(z, 2.1 + 0.2, 0.02);
    assert!((x - 0.2).abs() < 0.01 && y.abs() < 0.01, "{x} {y}");
    let lines = finished.log("out/run.jsonl");
    let floors: Vec<f64> =
        lines.iter().filter(|line| line.is_topic("/at")).map(|line| line.number("/message/data")).collect();
    assert_eq!((floors.first(), floors.last()), (Some(&0.0), Some(&1.0)), "{floors:?}");
}
