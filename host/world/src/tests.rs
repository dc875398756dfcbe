//! A world built from SDF text: names, handles, slots, rays and commands are consistent.

mod joints;
mod occupancy;
mod planes;
mod visuals;

use bridgehead_physics::JointCommand;
use bridgehead_plugin_api::rules::CommandFault;
use bridgehead_sdf as sdf;
use bridgehead_sdf::pose::{DVec3, Pose};

use super::*;

const WORLD: &str = r#"<sdf version="1.9"><world name="test">
  <plugin name="clock" filename="clock"/>
  <model name="ground"><static>true</static><link name="l"><collision name="c"><geometry>
    <plane><normal>0 0 1</normal><size>10 10</size></plane></geometry></collision></link></model>
  <model name="car"><pose>1 2 0.5 0 0 0</pose>
    <link name="chassis"><inertial><mass>4</mass></inertial>
      <collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision>
      <sensor name="front" type="gpu_lidar"><pose>0.5 0 0 0 0 0</pose><update_rate>10</update_rate></sensor>
    </link>
    <link name="wheel"><pose>0 0.6 0 0 0 0</pose></link>
    <joint name="axle" type="revolute"><parent>chassis</parent><child>wheel</child>
      <axis><xyz>0 1 0</xyz><limit><effort>700</effort></limit></axis></joint>
    <plugin name="drive" filename="gz-sim-diff-drive-system"/>
  </model></world></sdf>"#;

fn built() -> Built {
    let loaded = sdf::parse_str("test.sdf", WORLD).expect("loads");
    build(&loaded.world, 0.001, 1).expect("builds")
}

#[test]
fn slots_come_in_document_order_with_their_attachment() {
    let built = built();
    let labels: Vec<_> = built.slots.iter().map(PluginSlot::label).collect();
    assert_eq!(labels, ["clock", "car/chassis/front", "car/drive"]);
    let lidar = &built.slots[1].attachment;
    assert_eq!((lidar.vehicle.as_str(), lidar.update_period_ns), ("car", 100_000_000));
    assert_eq!(lidar.parent_link, Some(1));
    assert_eq!(lidar.links.len(), 2);
    assert_eq!(lidar.links[0].frame_id, "car/chassis");
    assert!((lidar.joints[0].effort - 700.0).abs() < 1e-12);
    assert!(built.slots[1].place.as_ref().is_some_and(|place| place.line == 8), "{:?}", built.slots[1].place);
}

#[test]
fn handles_give_poses_in_the_world() {
    let built = built();
    let state = built.world.link_state(2).expect("wheel");
    assert!((state.pose.position - DVec3::new(1.0, 2.6, 0.5)).length() < 1e-9);
    assert!(built.world.link_state(9).is_none());
    let model = built.world.model_pose(1).expect("model");
    assert!((model.position - DVec3::new(1.0, 2.0, 0.5)).length() < 1e-9);
}

#[test]
fn rays_hit_the_ground_and_not_the_ignored_link() {
    let mut built = built();
    let down = [[0.0, 0.0, -1.0]];
    let from = Pose { position: DVec3::new(1.0, 2.0, 3.0), ..Pose::IDENTITY };
    let cast = |world: &mut World, ignore| {
        let mut distance = 0.0;
        let query = RayQuery { frame: from, directions: &down, origins: None, range: [0.0, 100.0], ignore };
        world.cast_rays(&query, |_, hit| distance = hit.distance);
        distance
    };
    assert!((cast(&mut built.world, None) - 2.0).abs() < 1e-6);
    assert!((cast(&mut built.world, Some(1)) - 3.0).abs() < 1e-6);
    built
        .world
        .place_model(1, Pose { position: DVec3::new(5.0, 5.0, 0.5), ..Pose::IDENTITY })
        .expect("placed");
    assert!((cast(&mut built.world, None) - 3.0).abs() < 1e-6);
}

#[test]
fn commands_are_checked_and_wait_for_the_step() {
    let mut built = built();
    let velocity = JointCommand::Velocity { target: 3.0, max_effort: f64::INFINITY };
    built.world.queue(WorldCommand::Joint(0, velocity)).expect("queued");
    assert_eq!(
        built.world.queue(WorldCommand::Joint(5, velocity)),
        Err(CommandError::NoSuch { kind: "joint", handle: 5 })
    );
    let nan = JointCommand::Effort(f64::NAN);
    assert_eq!(built.world.queue(WorldCommand::Joint(0, nan)), Err(CommandFault::NotFinite.into()));
    let weak = JointCommand::Velocity { target: 1.0, max_effort: -1.0 };
    let refused = built.world.queue(WorldCommand::Joint(0, weak)).expect_err("refused at the call");
    assert_eq!(refused.to_string(), "[BH-PHY-051] `max_effort` of a command is -1; expected 0 or more");
    for _ in 0..50 {
        built.world.step().expect("steps");
    }
    let joint = built.world.joint_state(0).expect("joint");
    assert!((joint.velocity - 3.0).abs() < 0.3, "{joint:?}");
    built.world.reset_state().expect("resets");
    assert!(built.world.joint_state(0).expect("joint").position.abs() < 1e-9);
}

#[test]
fn a_joint_reports_the_effort_of_its_motor() {
    let mut world = built().world;
    let weak = JointCommand::Velocity { target: 1000.0, max_effort: 2.0 };
    world.queue(WorldCommand::Joint(0, weak)).expect("queued");
    world.step().expect("steps");
    let effort = |world: &mut World| world.joint_state(0).expect("joint").effort;
    let unwatched = effort(&mut world);
    assert!((unwatched - 2.0).abs() < 1e-9, "{unwatched} N m of 2");
    assert!(world.watch_joint(0));
    world.step().expect("steps");
    let watched = effort(&mut world);
    assert!((watched - 2.0).abs() < 0.02, "{watched} N m of 2");
}

#[test]
fn the_scene_has_markers_for_the_world_and_each_vehicle() {
    let text = WORLD.replace(
        "<sensor name=",
        "<visual name='v'><geometry><sphere><radius>1</radius></sphere></geometry></visual><sensor name=",
    );
    let loaded = sdf::parse_str("test.sdf", &text).expect("loads");
    let built = build(&loaded.world, 0.001, 1).expect("builds");
    let marker = &built.markers["car"].markers[0];
    assert_eq!(marker.header.as_ref().map(|header| header.frame_id.as_str()), Some("car/chassis"));
    assert_eq!(marker.scale.as_ref().map(|scale| scale.x), Some(2.0));
}
