//! Model plugins in worker processes: the run has the results of a run in one process.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::systems;
use crate::support::{Finished, Setup, root, worlds};

/// Every library of model plugins of this repository.
fn libraries() -> Vec<String> {
    let folders = fs::read_dir(root().join("plugins")).expect("the plugins").filter_map(Result::ok);
    let mut names: Vec<String> =
        folders.map(|folder| folder.file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

/// Every model plugin in them.
fn model_plugins() -> String {
    let names = libraries();
    let setup = Setup::new().plugins(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let folder = setup.plugin_folder();
    let listed =
        setup.args(["plugin", "list", "--json", "--plugin-path"]).arg(folder).finish().expect_code(0);
    let list: Value = serde_json::from_str(&listed.stdout()).expect("JSON");
    let files = list["files"].as_array().unwrap_or_else(|| panic!("no files: {list}"));
    let plugins = files.iter().filter_map(|file| file["plugins"].as_array()).flatten();
    let names: Vec<&str> = plugins.filter_map(|plugin| plugin["name"].as_str()).collect();
    assert!(names.len() > libraries().len(), "{names:?}");
    names.join(",")
}

/// A world with every sensor, and every other plugin that the worlds of `worlds` do not use.
const REST: &str = "<sdf version='1.9'><world name='yard'>
    <spherical_coordinates><latitude_deg>47</latitude_deg><longitude_deg>8</longitude_deg><elevation>400</elevation></spherical_coordinates>
    <plugin filename='ground_truth' name='truth'><update_rate>5</update_rate></plugin>
    <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
    <model name='probe'><pose>0 0 2 0 0.1 0</pose><link name='l'>
        <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
        <sensor name='air' type='air_pressure'><update_rate>10</update_rate><air_pressure><pressure><noise type='gaussian'><stddev>3</stddev></noise></pressure></air_pressure></sensor>
        <sensor name='altimeter' type='altimeter'><update_rate>20</update_rate></sensor>
        <sensor name='bumper' type='contact'><update_rate>20</update_rate><contact><collision>c</collision></contact></sensor>
        <sensor name='compass' type='magnetometer'><update_rate>10</update_rate></sensor>
        <sensor name='boxes' type='boundingbox_camera'><topic>boxes</topic><update_rate>5</update_rate><camera><image><width>32</width><height>24</height></image></camera></sensor>
        <sensor name='classes' type='segmentation'><topic>classes</topic><update_rate>5</update_rate><camera><image><width>32</width><height>24</height></image></camera></sensor>
        <sensor name='color' type='camera'><topic>color</topic><update_rate>5</update_rate><camera><image><width>32</width><height>24</height></image></camera></sensor>
        <sensor name='eyes' type='multicamera'><topic>eyes</topic><update_rate>5</update_rate><camera name='left'><image><width>32</width><height>24</height></image></camera><camera name='right'><pose>0 -0.2 0 0 0 0</pose><image><width>24</width><height>16</height></image></camera></sensor>
        <sensor name='rgbd' type='rgbd_camera'><topic>rgbd</topic><update_rate>5</update_rate><camera><image><width>32</width><height>24</height></image></camera></sensor>
        <sensor name='heat' type='thermal'><topic>heat</topic><update_rate>5</update_rate><camera><image><width>32</width><height>24</height></image></camera></sensor>
        <sensor name='wide' type='wideanglecamera'><topic>wide</topic><update_rate>5</update_rate><camera><image><width>32</width><height>24</height></image></camera></sensor>
        <sensor name='depth' type='depth_camera'><update_rate>5</update_rate><camera><image><width>32</width><height>24</height></image></camera></sensor>
        <sensor name='log' type='custom' gz:type='dvl'><topic>log</topic><update_rate>10</update_rate></sensor>
        <sensor name='gps' type='navsat'><update_rate>5</update_rate></sensor>
        <sensor name='pitot' type='air_speed'><update_rate>10</update_rate></sensor>
        <sensor name='imu' type='imu'><update_rate>100</update_rate></sensor>
        <sensor name='scan' type='gpu_lidar'><update_rate>10</update_rate><lidar><scan><horizontal><samples>180</samples><min_angle>-3</min_angle><max_angle>3</max_angle></horizontal></scan><range><min>0.6</min><max>30</max></range></lidar></sensor>
        <sensor name='seen' type='logical_camera'><update_rate>5</update_rate><logical_camera><near>0.1</near><far>30</far><horizontal_fov>3</horizontal_fov><aspect_ratio>1</aspect_ratio></logical_camera></sensor>
        <sensor name='sonar' type='sonar'><update_rate>10</update_rate><sonar><min>0.6</min><max>20</max><radius>1</radius></sonar></sensor></link>
      <plugin filename='touch' name='touch'><target>ground</target><namespace>probe</namespace><time>0.2</time><enabled>true</enabled></plugin></model>
    <model name='sledge'><pose>9 0 1 0 0 0</pose><link name='l'><gravity>false</gravity></link>
      <plugin filename='velocity_control' name='motion'><initial_linear>0.2 0 0</initial_linear><initial_angular>0 0 0.1</initial_angular></plugin></model>
    <model name='pendulum'><pose>5 0 3 0 1 0</pose><link name='rod'><pose>0 0 -1 0 0 0</pose></link>
      <joint name='hinge' type='revolute'><pose>0 0 1 0 0 0</pose><parent>world</parent><child>rod</child><axis><xyz>0 1 0</xyz></axis>
        <sensor name='scales' type='force_torque'><update_rate>20</update_rate></sensor></joint>
      <plugin filename='joint_position' name='servo'><joint_name>hinge</joint_name><initial_position>0.5</initial_position>
        <p_gain>30</p_gain><i_gain>9</i_gain><d_gain>5</d_gain><i_max>20</i_max><i_min>-20</i_min></plugin>
      <plugin filename='link_transforms' name='frames'><link>rod</link></plugin>
      <plugin filename='battery' name='battery'><voltage>12</voltage><capacity>0.01</capacity><power_load>90</power_load>
        <start_draining>true</start_draining></plugin></model>
    <model name='crate'><pose>0 20 10 0 0 0</pose><link name='l'/></model>
    <model name='crane'><pose>0 20 12 0 0 0</pose><link name='hook'/>
      <joint name='fixed' type='fixed'><parent>world</parent><child>hook</child></joint>
      <plugin filename='detachable_joint' name='grip'><parent_link>hook</parent_link><child_model>crate</child_model>
        <child_link>l</child_link><detach_topic>/let_go</detach_topic></plugin>
      <plugin filename='triggered_publisher' name='late'><input type='gz.msgs.Empty' topic='/let_go'/><delay_ms>90</delay_ms>
        <output type='gz.msgs.Empty' topic='/drop'/></plugin>
      <plugin filename='breadcrumbs' name='crumbs'><topic>/drop</topic>
        <breadcrumb><sdf version='1.9'><model name='crumb'><pose>0 2 1 0 0 0</pose><link name='l'/></model></sdf></breadcrumb></plugin></model>
    </world></sdf>";
const REST_COMMANDS: &str =
    r#"{"vehicle":"crane","topic":"/let_go","type":"std_msgs/msg/Empty","step":1000,"message":{}}"#;

/// Plugins that the other worlds of these tests use.
const ELSEWHERE: [&str; 8] = [
    "ackermann",
    "clock",
    "diff_drive",
    "joint_command",
    "joint_state",
    "joint_trajectory",
    "joint_velocity",
    "model_pose",
];

/// A world file, and the recorded commands for it.
type Scene = (PathBuf, Option<PathBuf>);

/// A file of `worlds`, with its commands if it has any.
fn scene(name: &str) -> Scene {
    let commands = worlds().join(name.replace(".sdf", ".commands.jsonl"));
    (worlds().join(name), commands.exists().then_some(commands))
}

/// Runs a world for two seconds, with a log of all messages.
fn run((world, commands): &Scene, isolate: Option<&str>) -> Finished {
    let names = libraries();
    let plugins: Vec<&str> = names.iter().map(String::as_str).chain(["logging", "replay"]).collect();
    let setup = Setup::new().plugins(&plugins);
    let hashes = setup.path("hashes");
    let mut setup = setup.run(world).args(["--duration", "2s", "--seed", "5"]);
    if let Some(commands) = commands {
        setup = setup.bridge(format!("*=replay:{}", commands.display()));
    }
    if let Some(names) = isolate {
        setup = setup.args(["--isolate", names]);
    }
    setup.arg("--hash-log").arg(hashes).bridge("*=logging:out/run.jsonl").finish().expect_code(0)
}

/// Fails if a run with all model plugins in workers differs from one in one process: in the state after any step, or in
/// any message. Returns the result.
#[track_caller]
fn compare(scene: &Scene, least_messages: usize) -> Value {
    let (plain, isolated) = (run(scene, None), run(scene, Some(&model_plugins())));
    let text = |finished: &Finished, name: &str| {
        fs::read_to_string(finished.path(name))
            .unwrap_or_else(|error| panic!("`{name}`: {error}\n{finished}"))
    };
    for (name, least) in [("hashes", 2000), ("out/run.jsonl", least_messages)] {
        let (one, other) = (text(&plain, name), text(&isolated, name));
        let differing = one.lines().zip(other.lines()).enumerate().find(|(_, (one, other))| one != other);
        assert_eq!(differing, None, "the first line that differs in `{name}`\n{isolated}");
        assert_eq!(one.lines().count(), other.lines().count(), "lines of `{name}`\n{isolated}");
        assert!(one.lines().count() >= least, "{} lines in `{name}`\n{plain}", one.lines().count());
    }
    let result = isolated.result();
    assert_eq!(result["errors"], plain.result()["errors"], "{isolated}");
    assert_eq!(result["topics"], plain.result()["topics"], "{isolated}");
    result
}

#[test]
fn the_demo_is_the_same_with_its_plugins_in_workers() {
    drop(compare(&scene("two_vehicles.sdf"), 1000));
}

#[test]
fn the_yard_is_the_same_with_its_plugins_in_workers() {
    drop(compare(&scene("cloisim_yard.sdf"), 500));
}

#[test]
fn mechanisms_are_the_same_with_their_plugins_in_workers() {
    drop(compare(&scene("mechanisms.sdf"), 100));
}

#[test]
fn an_arm_is_the_same_with_its_plugins_in_workers() {
    drop(compare(&scene("arm.sdf"), 100));
}

#[test]
fn a_car_is_the_same_with_its_plugins_in_workers() {
    drop(compare(&scene("car.sdf"), 100));
}

#[test]
fn every_sensor_and_all_other_plugins_are_the_same_in_workers() {
    let folder = Setup::new();
    let world = folder.file("rest.sdf", REST);
    let commands = folder.file("rest.commands.jsonl", REST_COMMANDS);
    let sensors = compare(&(world, Some(commands)), 500);
    let (world, commands) = (systems::world(), systems::COMMANDS);
    let (world, commands) =
        (folder.file("systems.sdf", world), folder.file("systems.commands.jsonl", commands));
    let forces = compare(&(world, Some(commands)), 100);
    let lists = [&sensors, &forces].map(|result| result["plugins"].as_array().expect("a list"));
    let used = lists.into_iter().flatten().filter_map(|plugin| plugin["plugin"].as_str());
    let used: BTreeSet<&str> = used.chain(ELSEWHERE).collect();
    let all = model_plugins();
    assert_eq!(used, all.split(',').collect::<BTreeSet<&str>>());
}
