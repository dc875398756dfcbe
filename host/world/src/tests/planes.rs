//! Planes with a size: half-spaces, and slabs in worlds of CLOiSim or by option.

use bridgehead_sdf::pose::{DQuat, DVec3, Pose};
use bridgehead_sdf::{Budget, SearchPath, resolved};

use super::*;
use crate::{BuildOptions, build_within};

/// A plane of 2 m by 4 m at a height of 1 m, and a ball beside it below its surface.
fn world(normal: &str, plugin: &str) -> resolved::World {
    sized(normal, "<size>2 4</size>", plugin)
}

fn sized(normal: &str, size: &str, plugin: &str) -> resolved::World {
    let text = format!(
        "<sdf version='1.9'><world name='w'>{plugin}<gravity>0 0 0</gravity>
        <model name='floor'><static>true</static><pose>0 0 1 0 0 0</pose><link name='l'><collision name='c'><geometry>
          <plane><normal>{normal}</normal>{size}</plane></geometry></collision></link></model>
        <model name='beside'><pose>3 0 0 0 0 0</pose><link name='l'><collision name='c'><geometry>
          <sphere><radius>0.1</radius></sphere></geometry></collision></link></model></world></sdf>"
    );
    sdf::parse_str("test.sdf", &text).expect("loads").world
}

const CLOISIM: &str = "<plugin name='GroundTruthPlugin' filename='libGroundTruthPlugin.so'/>";

fn built(source: &resolved::World, finite_planes: bool) -> World {
    let options = BuildOptions { overlap_speed: 1.0, finite_planes, ..BuildOptions::new(0.001, 1) };
    build_within(source, options, &Budget::default()).expect("builds").world
}

/// Height of the ball beside the plane after a tenth of a second.
fn lifted(mut world: World) -> f64 {
    for _ in 0..100 {
        world.step().expect("steps");
    }
    world.model_pose(1).expect("the ball").position.z
}

#[test]
fn a_plane_ends_at_its_size_in_worlds_of_cloisim_and_by_option() {
    let (plain, cloisim) = (world("0 0 1", ""), world("0 0 1", CLOISIM));
    assert!(lifted(built(&plain, false)) > 0.05, "inside of a half-space");
    assert!(lifted(built(&plain, true)).abs() < 1e-9);
    assert!(lifted(built(&cloisim, false)).abs() < 1e-9);
    assert!(lifted(built(&sized("0 0 1", "", CLOISIM), true)) > 0.05, "a plane without a size has no end");
}

#[test]
fn a_snapshot_and_a_world_built_again_have_the_same_planes() {
    let source = world("0 0 1", "");
    let mut finite = built(&source, true);
    let bytes = finite.snapshot().expect("a snapshot");
    let restored = World::restored(&source, SearchPath::default(), &bytes).expect("restored");
    assert!(lifted(finite.rebuild(&source).expect("rebuilt").world).abs() < 1e-9);
    assert!(lifted(restored.rebuild(&source).expect("rebuilt").world).abs() < 1e-9);
}

/// Casts a ray from `origin` and returns the distance of what it hits; 0 if it hits nothing.
fn seen(world: &mut World, origin: DVec3, direction: DVec3) -> f64 {
    let (mut distance, directions) = (0.0, [direction.to_array()]);
    let frame = Pose { position: origin, ..Pose::IDENTITY };
    let query = RayQuery { frame, directions: &directions, origins: None, range: [0.0, 100.0], ignore: None };
    world.cast_rays(&query, |_, hit| {
        distance = Some(hit.distance).filter(|far| far.is_finite()).unwrap_or_default()
    });
    distance
}

#[test]
fn rays_and_bodies_meet_the_slab_where_the_rectangle_is() {
    let mut floor = built(&world("0 0 1", ""), true);
    for (x, y, hit) in [(0.9, 1.9, 2.0), (0.0, 0.0, 2.0), (1.1, 0.0, 0.0), (0.0, 2.1, 0.0)] {
        assert!((seen(&mut floor, DVec3::new(x, y, 3.0), -DVec3::Z) - hit).abs() < 1e-9, "{x} {y}");
    }
    // The plane x = 0, whose own x and y are -z and y.
    let mut wall = built(&world("1 0 0", ""), true);
    let turn = DQuat::from_rotation_arc(DVec3::Z, DVec3::X);
    for (x, y, hit) in [(0.9, 1.9, 2.0), (1.1, 0.0, 0.0), (0.0, 2.1, 0.0)] {
        let origin = DVec3::Z + turn * DVec3::new(x, y, 2.0);
        assert!((seen(&mut wall, origin, -DVec3::X) - hit).abs() < 1e-9, "{x} {y}");
    }
}
