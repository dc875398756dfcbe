//! Worlds that continue unchanged after a restore.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bridgehead_physics::JointCommand;
use bridgehead_sdf::pose::{DVec3, Pose};
use bridgehead_sdf::{Loaded, load, parse_str};

use super::*;
use crate::{Spawn, WorldCommand, build};
use std::path::Path;

const STEP: f64 = 0.001;

/// A stack that falls over, a cart with wheels, and an arm.
const WORLD: &str = "<sdf version='1.9'><world name='yard'>
    <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
    <model name='low'><pose>3 0 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
    <model name='high'><pose>3.3 0.2 1.6 0.1 0.2 0.3</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
    <model name='arm'><link name='base'/><link name='upper'><pose>0 0 1 0 0 0</pose></link><link name='lower'><pose>0 0 2 0 0 0</pose></link>
      <joint name='fix' type='fixed'><parent>world</parent><child>base</child></joint>
      <joint name='shoulder' type='revolute'><parent>base</parent><child>upper</child><axis><xyz>0 1 0</xyz></axis></joint>
      <joint name='elbow' type='revolute'><parent>upper</parent><child>lower</child><axis><xyz>1 0 0</xyz></axis></joint></model>
    <model name='cart'><pose>-3 0 0.3 0 0 0</pose><link name='body'><collision name='c'><geometry><box><size>1 0.4 0.2</size></box></geometry></collision></link>
      <link name='left'><pose>0 0.3 -0.1 0 0 0</pose><collision name='c'><geometry><sphere><radius>0.2</radius></sphere></geometry></collision></link>
      <link name='right'><pose>0 -0.3 -0.1 0 0 0</pose><collision name='c'><geometry><sphere><radius>0.2</radius></sphere></geometry></collision></link>
      <joint name='l' type='revolute'><parent>body</parent><child>left</child><axis><xyz>0 1 0</xyz></axis></joint>
      <joint name='r' type='revolute'><parent>body</parent><child>right</child><axis><xyz>0 1 0</xyz></axis></joint></model>
    </world></sdf>";

const CRATE: &str = "<model name='crate'><link name='l'><collision name='c'><geometry>
    <box><size>0.5 0.5 0.5</size></box></geometry></collision></link></model>";

fn loaded() -> Loaded {
    parse_str("yard.sdf", WORLD).unwrap()
}

fn fresh(source: &Loaded) -> World {
    build(&source.world, STEP, 1).unwrap().world
}

fn restored(source: &Loaded, bytes: &[u8]) -> Result<World, RestoreError> {
    World::restored(&source.world, SearchPath::default(), bytes)
}

fn drive(world: &mut World, joint: &str, speed: f64) {
    let handle = world.joints.iter().find(|(_, known)| known.name == joint).unwrap().0;
    let command = JointCommand::Velocity { target: speed, max_effort: 50.0 };
    world.queue(WorldCommand::Joint(handle, command)).unwrap();
}

fn spawn(world: &mut World, name: &str, height: f64) -> u64 {
    let pose = Pose::from_position(DVec3::new(3.0, 0.0, height));
    world.spawn(&Spawn { sdf: CRATE, name, may_rename: false, pose }).unwrap()
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| world.step().unwrap());
}

#[track_caller]
fn expect_same_course(mut here: World, mut there: World, count: usize) {
    for step in 0..count {
        here.step().unwrap();
        there.step().unwrap();
        assert_eq!(here.state_hash(), there.state_hash(), "step {step}");
    }
}

#[test]
fn a_restored_world_continues_bit_exact() {
    let source = loaded();
    let mut world = fresh(&source);
    drive(&mut world, "cart::l", 5.0);
    drive(&mut world, "arm::shoulder", 1.0);
    steps(&mut world, 700);
    drive(&mut world, "cart::r", 3.0);
    let bytes = world.snapshot().unwrap();
    let again = restored(&source, &bytes).unwrap();
    assert_eq!(again.state_hash(), world.state_hash());
    expect_same_course(world, again, 10_000);
}

#[test]
fn spawns_and_removals_since_the_load_are_restored() {
    let source = loaded();
    let mut world = fresh(&source);
    let first = spawn(&mut world, "a", 5.0);
    spawn(&mut world, "b", 6.0);
    steps(&mut world, 100);
    world.remove(first).unwrap();
    let ids: Vec<usize> =
        world.models.iter().filter(|(_, model)| model.name == "low").map(|pair| pair.0).collect();
    world.remove(ids[0] as u64 + 1).unwrap();
    steps(&mut world, 100);
    spawn(&mut world, "c", 7.0);
    let bytes = world.snapshot().unwrap();
    let again = restored(&source, &bytes).unwrap();
    let present = |world: &World| -> Vec<(u64, String)> {
        world.entities().map(|entity| (entity.id, entity.model.name.clone())).collect()
    };
    assert_eq!(present(&again), present(&world));
    expect_same_course(world, again, 2_000);
}

/// Contacts and names depend on handles.
#[test]
fn contacts_are_the_same_in_a_restored_world() {
    let source = loaded();
    let mut world = fresh(&source);
    spawn(&mut world, "a", 3.0);
    steps(&mut world, 500);
    let mut again = restored(&source, &world.snapshot().unwrap()).unwrap();
    for world in [&mut world, &mut again] {
        steps(world, 1);
    }
    let contacts = |world: &mut World| {
        let all = (0..world.collisions.all().len()).filter_map(|index| u32::try_from(index).ok());
        let touches = |handle| {
            let mut found = Vec::new();
            world.contacts(handle, |touch| found.push(format!("{touch:?}")));
            found
        };
        all.map(touches).collect::<Vec<_>>()
    };
    let found = contacts(&mut world);
    assert!(found.iter().any(|touches| !touches.is_empty()), "{found:?}");
    assert_eq!(contacts(&mut again), found);
}

#[test]
fn bytes_other_than_a_snapshot_of_this_world_are_refused() {
    let source = loaded();
    let bytes = fresh(&source).snapshot().unwrap();
    let expect = |bytes: &[u8], text: &str| {
        let error = restored(&source, bytes).err().unwrap().to_string();
        assert!(error.contains(text), "{error}");
    };
    expect(b"", "does not begin");
    expect(b"hello world", "does not begin");
    expect(&bytes[..20], "cut");
    expect(&bytes[..bytes.len() - 1], "cut or damaged");
    let mut other = bytes.clone();
    other[7] += 1;
    expect(&other, "another version");
    for at in (24..bytes.len()).step_by(997) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        expect(&damaged, "damaged");
    }
    let renamed = parse_str("yard.sdf", &WORLD.replace("name='high'", "name='tall'")).unwrap();
    let error = restored(&renamed, &bytes).err().unwrap().to_string();
    assert!(error.contains("`high` where this one has `tall`"), "{error}");
    let elsewhere = parse_str("yard.sdf", &WORLD.replace("name='yard'", "name='field'")).unwrap();
    let error = restored(&elsewhere, &bytes).err().unwrap().to_string();
    assert!(error.contains("it is of `yard`, and this is `field`"), "{error}");
}

#[test]
fn worlds_of_this_repository_can_be_restored() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
    for name in ["two_vehicles.sdf", "arm.sdf", "car.sdf"] {
        let source = load(&folder.join(name), &SearchPath::default(), &Budget::default()).unwrap();
        let mut world = fresh(&source);
        steps(&mut world, 300);
        let again = restored(&source, &world.snapshot().unwrap()).unwrap();
        expect_same_course(world, again, 1_000);
    }
}

#[test]
fn restoring_the_initial_world_restores_deleted_models() {
    let source = loaded();
    let mut world = fresh(&source);
    assert!(!world.lacks_models());
    spawn(&mut world, "a", 5.0);
    world.remove(2).unwrap();
    steps(&mut world, 50);
    assert!(world.lacks_models());
    world.restore_initial(&source.world).unwrap();
    assert!(!world.lacks_models());
    assert_eq!(world.entities().count(), fresh(&source).entities().count());
    expect_same_course(world, fresh(&source), 500);
}

#[test]
fn the_initial_world_is_restored_bit_exact_and_no_handle_is_reused() {
    let source = loaded();
    let mut world = fresh(&source);
    spawn(&mut world, "a", 5.0);
    steps(&mut world, 700);
    let known = world.find_link("a::l");
    assert!(known.is_some());
    world.restore_initial(&source.world).unwrap();
    assert!(world.link_state(known.unwrap()).is_none(), "the spawned link is removed");
    spawn(&mut world, "b", 5.0);
    steps(&mut world, 1);
    assert!(world.link_state(known.unwrap()).is_none(), "its handle is not reused");
    world.restore_initial(&source.world).unwrap();
    expect_same_course(world, fresh(&source), 1_000);
}

/// A spawned URDF is kept as the SDF model that it was converted to.
#[test]
fn a_spawned_urdf_is_restored_and_saved_as_sdf() {
    let urdf = "<robot name='pole'><link name='rod'><inertial><mass value='2'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>
        </inertial><collision><geometry><cylinder radius='0.1' length='1'/></geometry></collision></link></robot>";
    let source = loaded();
    let mut world = fresh(&source);
    let pose = Pose::from_position(DVec3::new(8.0, 0.0, 2.0));
    world.spawn(&Spawn { sdf: urdf, name: "", may_rename: false, pose }).unwrap();
    steps(&mut world, 100);
    assert!(world.models.values().any(|model| model.name == "pole" && model.is_present));
    let again = restored(&source, &world.snapshot().unwrap()).unwrap();
    let saved = world.changes().into_iter().any(|change| {
        matches!(change, bridgehead_sdf::save::Change::Add { xml, name, .. } if name == "pole" && xml.starts_with("<model"))
    });
    assert!(saved);
    expect_same_course(world, again, 500);
}
