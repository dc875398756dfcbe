//! Actors from SDF text: walking, looping, pushing, and visibility to rays.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use bridgehead_sdf::pose::{DQuat, DVec3};
use bridgehead_sdf::{Loaded, SearchPath, parse_str};

use super::*;
use crate::{CommandError, RayQuery, WorldCommand, build};
use std::f64::consts::FRAC_PI_2;

const STEP: f64 = 0.001;

/// Returns a ground, a crate at x = 2 m, and the given actors.
fn loaded(actors: &str) -> Loaded {
    parse_str(
        "stage.sdf",
        &format!(
            "<sdf version='1.9'><world name='stage'>
            <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
            <model name='crate'><pose>2 0 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry>
            <box><size>1 1 1</size></box></geometry></collision></link></model>{actors}</world></sdf>"
        ),
    )
    .unwrap()
}

fn actor(name: &str, pose: &str, inside: &str, script: &str) -> String {
    format!("<actor name='{name}'><pose>{pose}</pose>{inside}<script>{script}</script></actor>")
}

fn walk(id: i32, points: &[(f64, &str)]) -> String {
    let waypoint =
        |(time, pose): &(f64, &str)| format!("<waypoint><time>{time}</time><pose>{pose}</pose></waypoint>");
    let waypoints: String = points.iter().map(waypoint).collect();
    format!("<trajectory id='{id}' type='walk'>{waypoints}</trajectory>")
}

fn world(actors: &str) -> World {
    build(&loaded(actors).world, STEP, 1).unwrap().world
}

fn steps(world: &mut World, count: usize) {
    (0..count).for_each(|_| world.step().unwrap());
}

fn state<'a>(world: &'a World, name: &str) -> crate::EntityState<'a> {
    world.entities().find(|entity| entity.model.name == name).unwrap()
}

#[track_caller]
fn expect_at(world: &World, name: &str, position: [f64; 3], yaw: f64) {
    let pose = state(world, name).pose;
    let wanted = Pose::new(DVec3::from_array(position), DQuat::from_rotation_z(yaw));
    let off = pose.position.distance(wanted.position);
    assert!(off < 1e-9, "{name} is at {} instead of {position:?}", pose.position);
    let turned = pose.rotation.dot(wanted.rotation).abs();
    assert!(
        turned > 1.0 - 1e-12,
        "{name} is turned by {:?} instead of {yaw}",
        pose.rotation.to_euler(glam::EulerRot::ZYX)
    );
}

const BODY: &str = "<link name='body'><pose>0 0 1 0 0 0</pose><collision name='c'><geometry>
    <box><size>0.5 2 2</size></box></geometry></collision></link>";

/// The trajectory with the higher id is first in the file; times of a trajectory count from its first waypoint.
#[test]
fn an_actor_walks_its_trajectories_one_after_the_other() {
    let second = walk(7, &[(10.0, "2 0 0 0 0 1.5707963267948966"), (11.0, "2 1 0 0 0 1.5707963267948966")]);
    let turn = "2 0 0 0 0 1.5707963267948966";
    let first = walk(3, &[(0.5, turn), (0.4, "2 0 0 0 0 0"), (0.0, "0 0 0 0 0 0")]);
    let script = format!("<loop>false</loop><delay_start>0.1</delay_start>{second}{first}");
    let mut world = world(&actor("walker", "10 0 0 0 0 0", "", &script));
    for (step, position, yaw) in [
        (0, [10.0, 0.0, 0.0], 0.0),
        (100, [10.0, 0.0, 0.0], 0.0),
        (200, [10.5, 0.0, 0.0], 0.0),
        (500, [12.0, 0.0, 0.0], 0.0),
        (550, [12.0, 0.0, 0.0], FRAC_PI_2 / 2.0),
        (600, [12.0, 0.0, 0.0], FRAC_PI_2),
        (850, [12.0, 0.25, 0.0], FRAC_PI_2),
        (1600, [12.0, 1.0, 0.0], FRAC_PI_2),
        (2500, [12.0, 1.0, 0.0], FRAC_PI_2),
    ] {
        let done = usize::try_from(world.steps).unwrap();
        steps(&mut world, step - done);
        expect_at(&world, "walker", position, yaw);
    }
    assert_eq!(state(&world, "walker").linear, DVec3::ZERO);
}

#[test]
fn waypoints_are_relative_to_the_pose_of_the_actor() {
    let script = walk(0, &[(0.0, "1 0 0 0 0 0"), (1.0, "3 0 0 0 0 0")]);
    let mut world = world(&actor("walker", "0 0 5 0 0 1.5707963267948966", BODY, &script));
    steps(&mut world, 500);
    expect_at(&world, "walker", [0.0, 2.0, 5.0], FRAC_PI_2);
    let link = world.link_state(world.find_link("walker::body").unwrap()).unwrap();
    assert!(link.pose.position.distance(DVec3::new(0.0, 2.0, 6.0)) < 1e-9, "{:?}", link.pose);
}

#[test]
fn the_velocity_follows_from_the_waypoints() {
    let points = [(0.0, "0 5 0 0 0 0"), (2.0, "3 5 0 0 0 1")];
    for substeps in [1, 4] {
        let source = loaded(&actor("walker", "0 0 0 0 0 0", BODY, &walk(0, &points)));
        let mut world = build(&source.world, 0.01, substeps).unwrap().world;
        steps(&mut world, 100);
        let state = state(&world, "walker");
        assert!(state.linear.distance(DVec3::new(1.5, 0.0, 0.0)) < 1e-6, "{}", state.linear);
        assert!(state.angular.distance(DVec3::new(0.0, 0.0, 0.5)) < 1e-6, "{}", state.angular);
        expect_at(&world, "walker", [1.5, 5.0, 0.0], 0.5);
    }
}

#[test]
fn a_script_begins_again_when_it_has_ended() {
    let points = [(0.0, "0 5 0 0 0 0"), (0.4, "0.4 5 0 0 0 0"), (0.8, "0 5 0 0 0 0")];
    let mut there_and_back = world(&actor("walker", "0 0 0 0 0 0", BODY, &walk(0, &points)));
    steps(&mut there_and_back, 800);
    expect_at(&there_and_back, "walker", [0.0, 5.0, 0.0], 0.0);
    steps(&mut there_and_back, 50 * 800 + 100);
    expect_at(&there_and_back, "walker", [0.1, 5.0, 0.0], 0.0);
    assert!((state(&there_and_back, "walker").linear.x - 1.0).abs() < 1e-6);
}

#[test]
fn a_loop_that_is_not_closed_jumps_without_pushing_anything() {
    // Every 0.1 s the actor is back at the start, on the other side of the crate that stands at x = 2 m.
    let points = [(0.0, "5 0 0 0 0 0"), (0.1, "5.1 0 0 0 0 0")];
    let back = walk(1, &[(0.0, "-1 0 0 0 0 0"), (0.1, "-1.1 0 0 0 0 0")]);
    let mut world = world(&actor("walker", "0 0 0 0 0 0", BODY, &format!("{}{back}", walk(0, &points))));
    steps(&mut world, 100);
    expect_at(&world, "walker", [5.1, 0.0, 0.0], 0.0);
    for _ in 0..1000 {
        steps(&mut world, 1);
        let speed = state(&world, "walker").linear.length();
        assert!(speed < 1.01, "{speed} m/s");
    }
    assert!((state(&world, "crate").pose.position - DVec3::new(2.0, 0.0, 0.5)).length() < 1e-3);
}

#[test]
fn an_actor_pushes_obstacles_at_its_own_speed() {
    let points = [(0.0, "0 0 0.01 0 0 0"), (4.0, "4 0 0.01 0 0 0")];
    let script = format!("<loop>false</loop>{}", walk(0, &points));
    let mut world = world(&actor("walker", "0 0 0 0 0 0", BODY, &script));
    steps(&mut world, 3000);
    let pushed = state(&world, "crate");
    // The front of the actor is at 3.25 m.
    assert!((3.74..3.85).contains(&pushed.pose.position.x), "{}", pushed.pose.position);
    assert!((pushed.linear.x - 1.0).abs() < 0.05, "{} m/s", pushed.linear.x);
    expect_at(&world, "walker", [3.0, 0.0, 0.01], 0.0);
}

#[test]
fn rays_hit_an_actor_at_its_current_pose() {
    let points = [(0.0, "0 5 0 0 0 0"), (4.0, "4 5 0 0 0 0")];
    let mut world = world(&actor("walker", "0 0 0 0 0 0", BODY, &walk(0, &points)));
    for (step, distance) in [(1000, 8.75), (1000, 7.75)] {
        steps(&mut world, step);
        let frame = Pose::from_position(DVec3::new(10.0, 5.0, 1.0));
        let mut found = (0.0, 0);
        let query = RayQuery {
            frame,
            directions: &[[-1.0, 0.0, 0.0]],
            origins: None,
            range: [0.0, 100.0],
            ignore: None,
        };
        world.cast_rays(&query, |_, hit| found = (hit.distance, hit.object));
        assert!((found.0 - distance).abs() < 1e-6, "{found:?}");
        assert_eq!(found.1, u64::from(world.find_link("walker::body").unwrap()) + 1);
    }
}

#[test]
fn an_actor_without_links_touches_nothing() {
    let points = [(0.0, "0 0 0.5 0 0 0"), (4.0, "4 0 0.5 0 0 0")];
    let mut world = world(&actor("ghost", "0 0 0 0 0 0", "", &walk(0, &points)));
    steps(&mut world, 3000);
    expect_at(&world, "ghost", [3.0, 0.0, 0.5], 0.0);
    assert!((state(&world, "crate").pose.position.x - 2.0).abs() < 1e-6);
}

#[test]
fn an_actor_without_automatic_start_or_waypoints_stays_in_place() {
    let points = walk(0, &[(0.0, "4 4 0 0 0 0"), (1.0, "5 5 0 0 0 0")]);
    let waits = format!("<auto_start>false</auto_start>{points}");
    let single = walk(0, &[(3.0, "0 1 0 0 0 0")]);
    let actors = [
        ("waits", waits.as_str()),
        ("empty", ""),
        ("bare", "<trajectory id='0' type='x'/>"),
        ("single", &single),
    ];
    let text: String = actors.iter().map(|(name, script)| actor(name, "9 9 0 0 0 0", "", script)).collect();
    let mut world = world(&text);
    steps(&mut world, 1500);
    for name in ["waits", "empty", "bare"] {
        expect_at(&world, name, [9.0, 9.0, 0.0], 0.0);
    }
    expect_at(&world, "single", [9.0, 10.0, 0.0], 0.0);
}

fn pushed() -> Loaded {
    let points = [(0.0, "0 0 0.01 0 0 0"), (3.0, "3 0 0.01 0 0 1"), (4.0, "0 0 0.01 0 0 0")];
    loaded(&actor("walker", "0 0 0 0 0 0", BODY, &walk(0, &points)))
}

#[test]
fn a_restored_actor_continues_bit_exact() {
    let source = pushed();
    let mut here = build(&source.world, STEP, 1).unwrap().world;
    steps(&mut here, 1700);
    let bytes = here.snapshot().unwrap();
    let mut there = World::restored(&source.world, SearchPath::default(), &bytes).unwrap();
    for step in 0..6000 {
        steps(&mut here, 1);
        steps(&mut there, 1);
        assert_eq!(here.state_hash(), there.state_hash(), "step {step}");
    }
    assert!(state(&there, "crate").pose.position.x > 2.5);
}

#[test]
fn a_reset_puts_an_actor_back_to_the_start_of_its_script() {
    let source = pushed();
    let fresh = || build(&source.world, STEP, 1).unwrap().world;
    let mut world = fresh();
    steps(&mut world, 1700);
    world.reset_state().unwrap();
    assert_eq!(world.state_hash(), fresh().state_hash());
    expect_at(&world, "walker", [0.0, 0.0, 0.01], 0.0);
    steps(&mut world, 1500);
    expect_at(&world, "walker", [1.5, 0.0, 0.01], 0.5);
}

#[test]
fn an_actor_is_an_entity_that_is_not_saved_and_that_commands_neither_move_nor_remove() {
    let mut world = build(&pushed().world, STEP, 1).unwrap().world;
    let (id, index) = (state(&world, "walker").id, 2);
    assert_eq!(id, 3);
    let pose = WorldCommand::Pose { model: index, pose: Pose::IDENTITY };
    assert_eq!(world.queue(pose), Err(CommandError::Actor("walker".to_owned())));
    let link = world.find_link("walker::body").unwrap();
    let velocity = WorldCommand::Velocity { link, linear: DVec3::X, angular: DVec3::ZERO };
    assert_eq!(world.queue(velocity), Err(CommandError::Actor("walker".to_owned())));
    steps(&mut world, 10);
    assert_eq!(world.changes().len(), 2);
    // A saved world would contain it again.
    assert_eq!(world.remove(id), Err(CommandError::Actor("walker".to_owned())));
    steps(&mut world, 10);
    assert!(world.entities().any(|entity| entity.model.name == "walker"));
}

#[test]
fn invalid_times_are_findings_and_never_cause_a_panic() {
    let nonsense = ["nan", "-1", "inf", "1e300", "1e-300", "", "x", "0", "0"];
    let waypoints: String = nonsense
        .iter()
        .enumerate()
        .map(|(index, time)| {
            format!("<waypoint><time>{time}</time><pose>0 {index} 0 0 0 0</pose></waypoint>")
        })
        .collect();
    let far = "<waypoint><time>2</time><pose>1e308 1e308 1e308 1e308 0 0</pose></waypoint>";
    let script = format!(
        "<delay_start>1e200</delay_start><trajectory id='-4' type='x'>{waypoints}</trajectory>
        <trajectory id='1' type='x'>{far}{waypoints}</trajectory>"
    );
    let text = actor("walker", "0 0 1e308 0 0 0", BODY, &script)
        + &actor("other", "0 0 0 0 0 0", BODY, &script.replace("1e200", "0"));
    let source = loaded(&text);
    let codes: Vec<String> = source.diagnostics.iter().map(|finding| finding.code.to_string()).collect();
    for code in ["BH-SDF-010", "BH-SDF-016"] {
        assert!(codes.iter().any(|found| found == code), "{codes:?}");
    }
    let mut world = build(&source.world, STEP, 1).unwrap().world;
    for _ in 0..50 {
        if world.step().is_err() {
            break;
        }
    }
}

#[test]
fn thousands_of_waypoints_are_walked() {
    let points: Vec<(f64, String)> = (0..5000_u32)
        .rev()
        .map(|at| (f64::from(at) * 0.01, format!("{} 7 0 0 0 0", f64::from(at) * 0.02)))
        .collect();
    let points: Vec<(f64, &str)> = points.iter().map(|(time, pose)| (*time, pose.as_str())).collect();
    let mut world = world(&actor("walker", "0 0 0 0 0 0", "", &walk(0, &points)));
    steps(&mut world, 12_345);
    expect_at(&world, "walker", [24.69, 7.0, 0.0], 0.0);
}
