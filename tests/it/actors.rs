//! Tests of actors with plugins: ground truth reports them as entities, and a lidar detects their collisions.

use crate::support::Setup;

const WORLD: &str = "<sdf version='1.9'><world name='w'>
    <actor name='walker'><pose>0 3 0 0 0 0</pose><link name='body'><pose>0 0 1 0 0 0</pose><collision name='c'>
      <geometry><box><size>0.4 0.4 2</size></box></geometry></collision></link>
      <script><trajectory id='0' type='walk'><waypoint><time>0</time><pose>0 0 0 0 0 0</pose></waypoint>
      <waypoint><time>4</time><pose>4 0 0 0 0 0</pose></waypoint></trajectory></script></actor>
    <model name='post'><static>true</static><pose>10 3 1 0 0 3.141592653589793</pose><link name='l'>
      <sensor name='scan' type='gpu_lidar'><update_rate>10</update_rate><lidar><range><min>0.1</min><max>20</max></range>
      <scan><horizontal><samples>1</samples><min_angle>0</min_angle><max_angle>0</max_angle></horizontal></scan>
      </lidar></sensor></link></model>
    <plugin filename='ground_truth' name='g'><max_distance>1000</max_distance></plugin></world></sdf>";

#[test]
fn ground_truth_and_a_lidar_follow_an_actor() {
    let setup = Setup::new().plugins(&["entities", "lidar", "logging"]).world(WORLD);
    let setup = setup.bridge("world=logging:out/truth.jsonl").bridge("post=logging:out/scan.jsonl");
    let finished = setup.args(["--duration", "2s", "--save", "saved.sdf"]).finish().expect_code(0);
    let truth = finished.log("out/truth.jsonl");
    let last = truth.iter().rfind(|line| line.is_topic("/ground_truth")).expect("detections");
    let detections = last["message"]["detections"].as_array().expect("a list");
    let walker = detections.iter().find(|detection| detection["label"] == "walker").expect("the actor");
    let x = walker["bbox"]["position"]["position"]["x"].as_f64().expect("a number");
    let scans = finished.log("out/scan.jsonl");
    let scan = scans.iter().rfind(|line| line.is_topic("/post/scan")).expect("a scan");
    let range = scan["message"]["ranges"][0].as_f64().expect("a range");
    // Both move at 1 m/s; the last samples are from the last tenth of a second.
    assert!((1.9..=2.001).contains(&x), "the actor is at {x} m");
    assert!((range - (10.0 - 0.2 - 2.0)).abs() <= 0.101, "the lidar measures {range} m");
    let saved = std::fs::read_to_string(finished.path("saved.sdf")).expect("the saved world");
    assert_eq!(saved, WORLD);
}
