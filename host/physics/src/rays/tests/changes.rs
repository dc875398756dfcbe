//! Moved, added and removed shapes between two casts, and what rays ignore.

use super::*;

fn ball() -> Shape {
    Shape::Sphere { radius: 1.0 }
}

fn ahead(scene: &mut RayScene) -> Hit {
    shoot(scene, [0.0; 3], [1.0, 0.0, 0.0])
}

fn at_x(x: f64) -> Pose {
    Pose::from_position(DVec3::X * x)
}

#[test]
fn empty_scene_is_missed() {
    assert_eq!(ahead(&mut RayScene::new()), Hit::NONE);
}

#[test]
fn moved_frame_is_met_where_it_went() {
    let mut scene = RayScene::new();
    let frame = scene.add_frame(at_x(5.0));
    scene.add_shape(frame, ball(), &Placement { pose: at_x(1.0), ..Placement::of_object(1) }).unwrap();
    assert_eq!(ahead(&mut scene).distance, 5.0);
    assert!(scene.set_pose(frame, at_x(20.0)));
    assert!(scene.fresh_caster().is_none(), "the move is not in the tree yet");
    assert_eq!(ahead(&mut scene).distance, 20.0);
    assert!(scene.fresh_caster().is_some());
}

#[test]
fn tree_follows_shapes_that_scatter() {
    let mut random = Random(4);
    let mut scene = RayScene::new();
    let frames: Vec<_> = (0..100)
        .map(|object| {
            let frame = scene.add_frame(random.pose(5.0));
            scene.add_shape(frame, ball(), &Placement::of_object(object)).unwrap();
            frame
        })
        .collect();
    for spread in [10.0, 1000.0, 1.0] {
        for (index, frame) in (0..).zip(&frames) {
            scene.set_pose(
                *frame,
                Pose::from_position(DVec3::new(10.0 + spread * f64::from(index), 0.0, 0.0)),
            );
        }
        assert_eq!(ahead(&mut scene).distance, 9.0);
        let last = shoot(&mut scene, [10.0 + spread * 99.0, 5.0, 0.0], [0.0, -1.0, 0.0]);
        assert_eq!((last.distance, last.object), (4.0, 99));
    }
}

#[test]
fn removed_frame_is_gone_and_its_id_stays_dead() {
    let mut scene = RayScene::new();
    let first = scene.add_frame(at_x(5.0));
    scene.add_shape(first, ball(), &Placement::of_object(1)).unwrap();
    assert!(scene.remove_frame(first));
    assert_eq!(ahead(&mut scene), Hit::NONE);
    let second = scene.add_frame(at_x(8.0));
    scene.add_shape(second, ball(), &Placement::of_object(2)).unwrap();
    assert_ne!(first, second);
    assert!(!scene.set_pose(first, at_x(50.0)) && !scene.remove_frame(first));
    assert_eq!(ahead(&mut scene).object, 2);
    let refused = scene.add_shape(first, ball(), &Placement::of_object(3)).unwrap_err();
    assert!(refused.to_string().starts_with("[BH-PHY-005]"), "{refused}");
}

#[test]
fn frame_that_is_lost_in_space_is_hidden_until_it_returns() {
    let mut scene = scene_of(ball(), at_x(5.0));
    let lost = scene.add_frame(at_x(3.0));
    scene.add_shape(lost, ball(), &Placement::of_object(2)).unwrap();
    scene.set_pose(lost, at_x(f64::NAN));
    assert_eq!(ahead(&mut scene).object, 1);
    scene.set_pose(lost, at_x(3.0));
    assert_eq!(ahead(&mut scene).object, 2);
}

#[test]
fn sensor_sees_past_its_own_link_and_past_what_is_invisible() {
    let mut scene = RayScene::new();
    let own = scene.add_frame(at_x(5.0));
    scene.add_shape(own, ball(), &Placement::of_object(1)).unwrap();
    let other = scene.add_frame(at_x(10.0));
    scene.add_shape(other, ball(), &Placement { visibility: 0b10, ..Placement::of_object(2) }).unwrap();
    let cast =
        |scene: &mut RayScene, query: &Query| shoot_with(scene, [0.0; 3], [1.0, 0.0, 0.0], query).object;
    let all = Query::up_to(100.0);
    assert_eq!(cast(&mut scene, &all), 1);
    assert_eq!(cast(&mut scene, &Query { ignore: Some(own), ..all }), 2);
    assert_eq!(cast(&mut scene, &Query { ignore: Some(own), mask: 0b01, ..all }), 0);
}

/// Frames that are united are ignored together, whichever of them is named first, also after they have moved.
#[test]
fn sensor_sees_past_the_frames_that_are_united_with_its_own() {
    let mut scene = RayScene::new();
    let body = scene.add_frame(at_x(0.0));
    let frames = [4.0, 6.0, 8.0].map(|x| scene.add_frame(at_x(x)));
    for (object, frame) in (1..).zip(frames) {
        scene.add_shape(frame, ball(), &Placement::of_object(object)).unwrap();
    }
    assert!(scene.unite(frames[0], body) && scene.unite(frames[2], body));
    let cast = |scene: &mut RayScene, ignore: crate::rays::FrameId| {
        let query = Query { ignore: Some(ignore), ..Query::up_to(100.0) };
        shoot_with(scene, [0.0; 3], [1.0, 0.0, 0.0], &query).object
    };
    assert_eq!((cast(&mut scene, body), cast(&mut scene, frames[1])), (2, 1));
    scene.set_pose(frames[0], at_x(2.0));
    assert_eq!(cast(&mut scene, body), 2);
    scene.remove_frame(frames[1]);
    assert_eq!(cast(&mut scene, body), 0);
    assert!(!scene.unite(frames[1], body));
}

#[test]
fn of_two_equal_surfaces_the_older_frame_is_met() {
    let mut scene = RayScene::new();
    for object in 1..=9 {
        let frame = scene.add_frame(at_x(5.0));
        scene.add_shape(frame, ball(), &Placement::of_object(object)).unwrap();
    }
    assert_eq!(ahead(&mut scene).object, 1);
}

#[test]
fn rays_without_direction_or_place_hit_nothing_and_long_ones_are_normalised() {
    let mut scene = scene_of(ball(), at_x(5.0));
    let ray = |origin: DVec3, direction: DVec3| Ray { origin, direction };
    let rays = [
        ray(DVec3::ZERO, DVec3::ZERO),
        ray(DVec3::ZERO, DVec3::NAN),
        ray(DVec3::INFINITY, DVec3::X),
        ray(DVec3::ZERO, DVec3::X * 3.0),
    ];
    let mut hits = [Hit::NONE; 4];
    scene.caster().cast(&rays, &Query::up_to(100.0), &mut hits);
    assert_eq!(hits.map(|hit| hit.distance), [f64::INFINITY, f64::INFINITY, f64::INFINITY, 4.0]);
}
