//! The actor through its C functions.

use bridgehead_plugin_api::host::{Entity, EntityId, Level};
use bridgehead_plugin_api::messages::geometry_msgs::{self, Point};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

fn actor() -> TestHostBuilder {
    let body = Pose { position: [0.0, 0.0, 1.0], ..Pose::IDENTITY };
    TestHost::builder().vehicle("walker").link_with("body", body, 1.0).params([
        ("default/steering/speed", "2"),
        ("default/steering/angular_speed", "3"),
        ("motion/standby", "idle"),
    ])
}

fn place(host: TestHost, position: [f64; 3]) {
    let pose = Pose { position, ..Pose::IDENTITY };
    host.set_entity(Entity {
        id: EntityId(1),
        name: "walker".to_owned(),
        pose,
        linear: [0.0; 3],
        angular: [0.0; 3],
        box_min: [0.0; 3],
        box_max: [0.0; 3],
        is_static: false,
        is_spawned: false,
    });
}

fn goal(x: f64, y: f64) -> PoseStamped {
    let position = Some(Point { x, y, z: 0.0 });
    PoseStamped { header: None, pose: Some(geometry_msgs::Pose { position, orientation: None }) }
}

fn moves(host: TestHost) -> Vec<[f64; 3]> {
    let commands = host.take_commands().into_iter();
    commands
        .map(|command| match command {
            TestCommand::MoveLink { pose, .. } => pose.position,
            other => panic!("{other:?}"),
        })
        .collect()
}

#[test]
fn the_script_counts_until_a_goal_is_given_and_the_goal_is_reached() {
    let host = actor().build();
    let mut model = TestModel::<Actor>::started(host);
    place(host, [1.0, 0.0, 0.25]);
    model.step().expect_done();
    assert_eq!((moves(host), host.unread_params()), (Vec::new(), Vec::new()));
    host.send("goal", &goal(5.0, 0.0));
    model.run(1000).expect_done();
    let way = moves(host);
    assert_eq!(way.len(), 1000);
    // One second with 2 m/s after a start with 8 m/s²: 2 t - v² / (2 a).
    let [x, y, z] = *way.last().expect("a move");
    assert!((x - 2.75).abs() < 0.01 && y == 0.0 && (z - 1.25).abs() < 1e-12, "{x} {y} {z}");
    let saved = model.save();
    model.run(2000).expect_done();
    assert_eq!(moves(host).last(), Some(&[5.0, 0.0, 1.25]));

    let other = actor().build();
    let mut restored = TestModel::<Actor>::started(other);
    restored.load(&saved).expect_done();
    restored.run(2000).expect_done();
    assert_eq!(moves(other).last(), Some(&[5.0, 0.0, 1.25]));
}

#[test]
fn a_restless_actor_walks_five_metres_and_the_same_ones_in_each_run() {
    let walked = || {
        let host = actor().param("default/motion", "random").seed(7).build();
        let mut model = TestModel::<Actor>::started(host);
        place(host, [0.0; 3]);
        model.run(2500).expect_done();
        moves(host).pop().expect("a move")
    };
    let [x, y, _] = walked();
    assert_eq!(walked(), [x, y, 1.0]);
    assert!(x.hypot(y) > 2.0 && x.hypot(y) <= 5.0, "{x} {y}");
}

#[test]
fn goals_that_are_no_places_are_refused_once() {
    let host = actor().build();
    let mut model = TestModel::<Actor>::started(host);
    place(host, [0.0; 3]);
    host.send("goal", &goal(f64::NAN, 0.0));
    model.step().expect_done();
    assert_eq!(moves(host), [[0.0; 3]; 0]);
    assert!(host.has_logged(Level::Warn, "ignored the goal (NaN, 0)"), "{:?}", host.log_lines());
}
