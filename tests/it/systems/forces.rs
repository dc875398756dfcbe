//! Commanded forces, odometry of the motion that they cause, and forces along a path.

use super::{command, inertial, last, run, world};
use crate::support::{assert_all_near, assert_near, at};

/// A crate of 5 kg without weight, and a hinge with 0.2 kg m² about z that is fixed to the world.
fn models() -> [(&'static str, String); 2] {
    let crate_ = format!("<link name='body'><gravity>false</gravity>{}</link>", inertial(5.0, [0.5; 3]));
    let door = "<pose>10 0 0 0 0 0</pose><link name='door'><inertial><mass>1</mass><inertia><ixx>0.2</ixx><iyy>0.2</iyy>
        <izz>0.2</izz></inertia></inertial></link>
        <joint name='hinge' type='continuous'><parent>world</parent><child>door</child><axis><xyz>0 0 1</xyz></axis></joint>
        <plugin filename='gz-sim-apply-joint-force-system' name='gz::sim::systems::ApplyJointForce'>
        <joint_name>hinge</joint_name></plugin>
        <plugin filename='gz-sim-odometry-publisher-system' name='gz::sim::systems::OdometryPublisher'/>";
    [("crate", crate_), ("door", door.to_owned())]
}

const WRENCHES: &str = "<plugin filename='gz-sim-apply-link-wrench-system' name='gz::sim::systems::ApplyLinkWrench'>
    <persistent><entity_name>crate</entity_name><entity_type>model</entity_type><force>10 0 0</force></persistent></plugin>";

#[test]
fn wrenches_accelerate_links_until_they_are_cleared() {
    let models = models();
    let models: Vec<(&str, &str)> = models.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let once = "{\"entity\":{\"name\":\"crate::body\",\"type\":3},\"wrench\":{\"force\":{\"y\":5000}}}";
    let bad = "{\"entity\":{\"name\":\"ghost\",\"type\":2},\"wrench\":{\"force\":{\"y\":5000}}}";
    let commands = command("/wrench", 1000, once)
        + &command("/wrench", 1500, bad)
        + &command("/wrench/clear", 2000, "{\"name\":\"crate\",\"type\":2}");
    let finished = run(&["external_force"], &world(WRENCHES, &models), &commands, 4);
    // 2 m/s² for two seconds, and a push of 5000 N for a millisecond: 1 m/s for three seconds.
    assert_all_near(last(&finished, "crate"), [4.0 + 4.0 * 2.0, 3.0, 0.0], 0.02);
    finished.expect_message(&["there is no model `ghost`"]);
}

#[test]
fn a_joint_force_turns_its_joint_and_odometry_reports_it() {
    let models = models();
    let models: Vec<(&str, &str)> = models.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let topic = "/door/joint/hinge/cmd_force";
    let commands = command(topic, 1, "{\"data\":0.4}") + &command(topic, 1001, "{\"data\":0.0}");
    let finished = run(&["external_force"], &world("", &models), &commands, 2);
    let lines = finished.log("out/run.jsonl");
    let odometry: Vec<_> = lines.iter().filter(|line| line.is_topic("/door/odom")).collect();
    assert_eq!(odometry.len(), 100);
    // 2 rad/s² for a second.
    assert_near(odometry[99].number("/message/twist/twist/angular/z"), 2.0, 0.01);
    let [w, _, _, z] = odometry[99].quaternion("/message/pose/pose/orientation");
    assert_near(2.0 * z.atan2(w), 1.0 + 2.0, 0.02);
}

/// A sled of 10 kg without weight, with 2 kg m² about z, that follows a path.
fn sled(path: &str) -> String {
    let inertia = "<inertia><ixx>2</ixx><iyy>2</iyy><izz>2</izz></inertia>";
    format!(
        "<link name='l'><gravity>false</gravity><inertial><mass>10</mass>{inertia}</inertial></link>
         <plugin filename='gz-sim-trajectory-follower-system' name='gz::sim::systems::TrajectoryFollower'>
         <link_name>l</link_name>{path}</plugin>"
    )
}

#[test]
fn a_follower_is_pushed_ahead_turned_towards_its_goal_and_paused() {
    let ahead = sled(
        "<force>20</force><torque>0</torque><waypoints><waypoint>100 0</waypoint></waypoints><range_tolerance>1</range_tolerance>",
    );
    let turning = sled("<torque>1</torque><line><direction>1.5707963</direction><length>10</length></line>");
    let racer = sled(
        "<force>20</force><torque>0</torque><waypoints><waypoint>10 0</waypoint><waypoint>-99 0</waypoint></waypoints>",
    );
    let text = world("", &[("ahead", &ahead), ("turning", &turning), ("racer", &racer)]);
    let finished = run(
        &["external_force"],
        &text,
        &command("/ahead/trajectory_follower/pause", 2000, "{\"data\":true}"),
        4,
    );
    // 2 m/s² for two seconds and no force for two more. Forces act a step late: 2 ms at 4 m/s.
    assert_all_near(last(&finished, "ahead"), [4.0 + 4.0 * 2.0, 0.0, 0.0], 0.008);
    // 0.5 rad/s² for two seconds, which is not yet within 2° of the goal.
    let lines = finished.log("out/run.jsonl");
    let [w, _, _, z] = at(&lines, "/turning/pose", 2000).quaternion("/message/pose/orientation");
    assert_near(2.0 * z.atan2(w), 1.0, 0.002);
    // At 0.5 m before its first goal it turns to the second one, behind it, for which it has no torque: v² = 2 a s.
    let x = |milliseconds| at(&lines, "/racer/pose", milliseconds).number("/message/pose/position/x");
    assert_near((x(4000) - x(3500)) / 0.5, (2.0 * 2.0 * 9.5_f64).sqrt(), 2.0 * 0.002);
}
