//! Wrenches through C functions, on a box and on a link of a cylinder.

use bridgehead_plugin_api::host::{self, Body, EntityId, Level, Pose};
use bridgehead_plugin_api::messages::geometry_msgs;
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

/// Two models: a box with one link, and a cylinder with two, of which the second cannot move.
fn world(builder: TestHostBuilder) -> TestHost {
    let host = builder.build();
    for (id, name) in [(1, "box"), (2, "cylinder")] {
        host.set_entity(host::Entity {
            id: EntityId(id),
            name: name.to_owned(),
            is_static: false,
            is_spawned: false,
            pose: Pose::IDENTITY,
            linear: [0.0; 3],
            angular: [0.0; 3],
            box_min: [0.0; 3],
            box_max: [0.0; 3],
        });
    }
    for (link, name, entity) in [(0, "box::link", 1), (1, "cylinder::link", 2), (2, "cylinder::base", 2)] {
        host.set_world_link(name, LinkId(link));
        host.set_body(Body {
            link: LinkId(link),
            name: name.to_owned(),
            entity: EntityId(entity),
            moves: name != "cylinder::base",
            is_in_wind: false,
            has_gravity: true,
            mass: 1.0,
            center: [0.0; 3],
            inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        });
    }
    host
}

fn wrench(name: &str, kind: u32, force: [f64; 3]) -> EntityWrench {
    let [x, y, z] = force;
    let entity = Entity { name: name.to_owned(), r#type: kind, ..Entity::default() };
    let wrench = geometry_msgs::Wrench { force: Some(Vector3 { x, y, z }), torque: None };
    EntityWrench { entity: Some(entity), wrench: Some(wrench), ..EntityWrench::default() }
}

/// The forces of the last step by the number of their link.
fn forces(host: TestHost) -> Vec<(u32, [f64; 3])> {
    let commands = host.take_commands();
    let of = |command: &TestCommand| match command {
        TestCommand::LinkWrench { link, force, .. } => (link.0, *force),
        other => panic!("{other:?}"),
    };
    commands.iter().map(of).collect()
}

#[test]
fn a_persistent_wrench_of_the_file_acts_until_it_is_cleared() {
    let params = [
        ("persistent/entity_name", "box"),
        ("persistent/entity_type", "model"),
        ("persistent/force", "-10 0 0"),
        ("persistent/torque", "0 0 0.1"),
    ];
    let host = world(TestHost::builder().params(params));
    let mut model = TestModel::<ApplyLinkWrench>::started(host);
    model.step().expect_done();
    let force = [-10.0, 0.0, 0.0];
    assert_eq!(
        host.take_commands(),
        [TestCommand::LinkWrench { link: LinkId(0), force, torque: [0.0, 0.0, 0.1] }]
    );
    host.send("wrench/clear", &Entity { name: "box".to_owned(), r#type: MODEL, ..Entity::default() });
    model.step().expect_done();
    assert_eq!(forces(host), []);
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_eq!(forces(host), [(0, force)]);
    assert_eq!(host.unread_params(), Vec::<String>::new());
}

#[test]
fn a_message_acts_once_or_from_then_on() {
    let host = world(TestHost::builder());
    let mut model = TestModel::<ApplyLinkWrench>::started(host);
    host.send("wrench", &wrench("cylinder", MODEL, [0.0, 5.0, 0.0]));
    host.send("wrench/persistent", &wrench("cylinder::link", LINK, [1.0, 0.0, 0.0]));
    model.step().expect_done();
    assert_eq!(forces(host), [(1, [1.0, 0.0, 0.0]), (1, [0.0, 5.0, 0.0])]);
    model.step().expect_done();
    assert_eq!(forces(host), [(1, [1.0, 0.0, 0.0])]);
}

#[test]
fn wrenches_without_sense_are_ignored() {
    let host = world(TestHost::builder());
    let mut model = TestModel::<ApplyLinkWrench>::started(host);
    for (name, kind, x, told) in [
        ("cylinder", 5, 1.0, "has the type 5"),
        ("cone", MODEL, 1.0, "there is no model `cone`"),
        ("box::lid", LINK, 1.0, "there is no link `box::lid`"),
        ("cylinder::base", LINK, 1.0, "static or scripted"),
        ("box", MODEL, f64::NAN, "not finite"),
        ("box", MODEL, 1e300, "too large"),
    ] {
        host.send("wrench", &wrench(name, kind, [x, 0.0, 0.0]));
        host.send("wrench", &wrench("box", MODEL, [2.0, 0.0, 0.0]));
        model.step().expect_done();
        assert_eq!(forces(host), [(0, [2.0, 0.0, 0.0])], "{name}");
        assert!(host.has_logged(Level::Warn, told), "{told}");
    }
    host.send("wrench", &EntityWrench::default());
    model.step().expect_done();
    assert!(host.has_logged(Level::Warn, "it names no entity"));
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (kind, force, expected) in [
        ("sensor", "1 0 0", "`persistent[0]/entity_type` is `sensor`; expected `model` or `link`"),
        ("model", "1 0", "`persistent[0]/force` is `1 0`; expected three finite numbers"),
        ("model", "1e300 0 0", "`persistent[0]/force` is `1e300 0 0`; expected"),
    ] {
        let params = [
            ("persistent/entity_name", "box"),
            ("persistent/entity_type", kind),
            ("persistent/force", force),
        ];
        let host = world(TestHost::builder().params(params));
        let error = TestModel::<ApplyLinkWrench>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
}
