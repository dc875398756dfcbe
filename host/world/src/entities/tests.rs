//! Spawning, deleting, moving and describing entities between two steps.

mod measure;
mod moving;
mod spawning;

use std::sync::Arc;

use bridgehead_sdf as sdf;
use bridgehead_sdf::element::{Category, EntityInfo};
use bridgehead_sdf::pose::{DVec3, Pose};

use super::*;
use crate::{Built, World, build};

/// Ground, a wall, two crates and an arm.
const WORLD: &str = r#"<sdf version="1.9"><world name="yard">
  <bridgehead:pose name="dock"><pose>1 2 3 0 0 0</pose><description>here</description><tag>parking</tag><tag>dry</tag>
    <box><size>2 2 1</size></box></bridgehead:pose>
  <bridgehead:pose name="start"><pose relative_to="box_b">0 0 1 0 0 0</pose></bridgehead:pose>
  <model name="ground"><static>true</static><link name="l"><collision name="c"><geometry>
    <plane><normal>0 0 1</normal></plane></geometry></collision></link></model>
  <model name="wall"><static>true</static><pose>-5 0 1 0 0 0</pose><link name="l"><collision name="c"><geometry>
    <box><size>0.2 4 2</size></box></geometry></collision></link></model>
  <model name="box_a"><pose>0 0 0.5 0 0 0</pose>
    <bridgehead:entity category="robot" namespace="fleet"><description>first</description><tag>t1</tag></bridgehead:entity>
    <link name="l"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
  <model name="box_b"><pose>5 0 0.5 0 0 0</pose>
    <link name="l"><collision name="c"><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
  </world></sdf>"#;

/// A metre cube.
const CRATE: &str =
    "<model name='crate'><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box>
    </geometry></collision></link></model>";

fn yard() -> World {
    let loaded = sdf::parse_str("yard.sdf", WORLD).expect("loads");
    assert_eq!(loaded.diagnostics, []);
    let Built { world, problems, .. } = build(&loaded.world, 0.001, 1).expect("builds");
    assert_eq!(problems, Vec::<String>::new());
    world
}

fn source() -> sdf::resolved::World {
    sdf::parse_str("yard.sdf", WORLD).expect("loads").world
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::from_position(DVec3::new(x, y, z))
}

fn request(text: &str, name: &str, pose: Pose) -> SpawnRequest {
    SpawnRequest {
        source: SpawnSource::Text { text: text.to_owned(), folder: None },
        placement: Placement {
            name: name.to_owned(),
            allow_renaming: false,
            namespace: String::new(),
            pose,
            frame: String::new(),
        },
    }
}

fn spawn(world: &mut World, name: &str, pose: Pose) -> String {
    let spawned = world.spawn_now(&request(CRATE, name, pose)).expect("spawned");
    world.models().get(spawned.model).expect("there").name.clone()
}

fn position(world: &World, name: &str) -> DVec3 {
    let index = world.find_entity(name).unwrap_or_else(|| panic!("no `{name}`"));
    world.entity(index).expect("a state").pose.position
}

fn velocity(world: &World, name: &str) -> DVec3 {
    world.entity(world.find_entity(name).expect("there")).expect("a state").linear
}

fn steps(world: &mut World, count: u32) {
    (0..count).for_each(|_| world.step().expect("steps"));
}

fn names(world: &World) -> Vec<&str> {
    world.entities().map(|entity| entity.model.name.as_str()).collect()
}

#[test]
fn entity_infos_of_the_file_can_be_replaced_and_return_at_a_reset() {
    let mut world = yard();
    let first =
        EntityInfo { category: Category::Robot, description: "first".into(), tags: vec!["t1".into()] };
    assert_eq!(world.info("box_a"), Ok(&first));
    assert_eq!(world.info("box_b"), Ok(&EntityInfo::default()));
    assert_eq!(
        world.models().get(world.find_entity("box_a").expect("there")).expect("there").namespace,
        "fleet"
    );
    let other = EntityInfo { category: Category::Human, description: String::new(), tags: vec![] };
    world.set_info("box_a", other.clone()).expect("set");
    world.set_info("box_b", first.clone()).expect("set");
    assert_eq!((world.info("box_a"), world.info("box_b")), (Ok(&other), Ok(&first)));
    let none = || InfoError::NotFound("nope".into());
    assert_eq!(world.info("nope"), Err(none()));
    assert_eq!(world.set_info("nope", other), Err(none()));
    world.restore_initial(&source()).expect("begins");
    assert_eq!((world.info("box_a"), world.info("box_b")), (Ok(&first), Ok(&EntityInfo::default())));
}

#[test]
fn named_poses_have_a_pose_in_the_world_tags_and_bounds() {
    let world = yard();
    let dock = world.named_pose("dock").expect("there");
    assert_eq!(dock.pose.position, DVec3::new(1.0, 2.0, 3.0));
    assert_eq!((dock.description.as_str(), dock.tags.join(" ")), ("here", "parking dry".to_owned()));
    let size = DVec3::new(2.0, 2.0, 1.0);
    assert_eq!(dock.bounds, Some(sdf::element::PoseBounds::Box { size }));
    let start = world.named_pose("start").expect("there");
    assert_eq!((start.pose.position, start.bounds), (DVec3::new(5.0, 0.0, 1.5), None));
    assert_eq!(world.named_poses().len(), 2);
    assert_eq!(world.named_pose("nope"), Err(PoseError::NotFound("nope".into())));
}

#[test]
fn accelerations_are_known_from_the_step_after_they_were_enabled() {
    let mut world = yard();
    spawn(&mut world, "falling", at(0.0, 0.0, 50.0));
    let index = world.find_entity("falling").expect("there");
    steps(&mut world, 2);
    assert_eq!(world.acceleration(index), Acceleration::default());
    world.watch_accelerations(true);
    assert_eq!(world.acceleration(index), Acceleration::default());
    steps(&mut world, 1);
    let gravity = DVec3::new(0.0, 0.0, -9.8);
    assert!(world.acceleration(index).linear.abs_diff_eq(gravity, 1e-6), "{:?}", world.acceleration(index));
    let change = StateChange { pose: Some(at(0.0, 0.0, 40.0)), ..StateChange::default() };
    world.set_state("falling", &change).expect("set");
    assert_eq!(world.acceleration(index), Acceleration::default());
    steps(&mut world, 1);
    assert!(world.acceleration(index).linear.abs_diff_eq(gravity, 1e-6));
    world.reset_state().expect("resets");
    assert_eq!(world.acceleration(index), Acceleration::default());
    world.watch_accelerations(false);
    steps(&mut world, 1);
    assert_eq!(world.acceleration(index), Acceleration::default());
}

#[test]
fn every_change_of_the_entities_replaces_the_revision() {
    let mut world = yard();
    let mut last = Arc::clone(world.entity_revision());
    let mut is_new = |world: &World| {
        let before = std::mem::replace(&mut last, Arc::clone(world.entity_revision()));
        !Arc::ptr_eq(&before, world.entity_revision())
    };
    steps(&mut world, 2);
    let moved = StateChange { pose: Some(at(1.0, 1.0, 4.0)), ..StateChange::default() };
    world.set_state("box_a", &moved).expect("set");
    world.reset_state().expect("resets");
    assert!(!is_new(&world), "steps, poses and resets of the state do not change the list");
    spawn(&mut world, "guest", at(0.0, 0.0, 9.0));
    assert!(is_new(&world), "spawned");
    world.set_info("guest", EntityInfo { description: "new".into(), ..EntityInfo::default() }).expect("set");
    assert!(is_new(&world), "described");
    assert!(world.set_info("nobody", EntityInfo::default()).is_err() && !is_new(&world));
    world.delete_now(world.find_entity("guest").expect("there")).expect("deleted");
    assert!(is_new(&world), "deleted");
    let pose = world.named_poses()[0].clone();
    world.add_poses(vec![NamedPose { name: "other".into(), ..pose }]);
    assert!(is_new(&world), "a named pose was added");
    world.restore_initial(&source()).expect("begins");
    assert!(is_new(&world), "restored");
    assert!(is_new(&yard()), "another world");
}
