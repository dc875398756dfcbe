//! Wind through its C functions.

use bridgehead_plugin_api::host::{Body, EntityId, LinkState, Pose, Surroundings};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

/// Wind that is there at once.
fn sudden() -> TestHostBuilder {
    TestHost::builder().params([
        ("horizontal/magnitude/time_for_rise", "0"),
        ("horizontal/direction/time_for_rise", "0"),
        ("vertical/time_for_rise", "0"),
    ])
}

fn windy(builder: TestHostBuilder, wind: [f64; 3]) -> TestHost {
    let host = builder.vehicle("kite").link("sail").link("keel").build();
    host.set_surroundings(Surroundings { wind, ..Surroundings::default() });
    for (link, is_in_wind) in [("sail", true), ("keel", false)] {
        host.set_body(Body {
            link: host.link(link).id,
            name: format!("kite::{link}"),
            entity: EntityId(1),
            moves: true,
            is_in_wind,
            has_gravity: true,
            mass: 2.0,
            center: [0.0; 3],
            inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
        });
    }
    host
}

/// The force of the last step, which is on the sail.
fn force(host: TestHost) -> [f64; 3] {
    match host.take_commands().pop() {
        Some(TestCommand::LinkWrench { link, force, .. }) if link == host.link("sail").id => force,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    assert!(
        found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6),
        "{found:?}, expected {expected:?}"
    );
}

#[test]
fn links_in_the_wind_are_pushed_by_their_velocity_relative_to_it() {
    let host = windy(sudden().param("force_approximation_scaling_factor", 0.5), [3.0, 4.0, 1.0]);
    let mut model = TestModel::<WindEffects>::started(host);
    model.step().expect_done();
    assert_near(force(host), [3.0, 4.0, 1.0]);
    host.set_link_state(
        "sail",
        LinkState { pose: Pose::IDENTITY, linear: [3.0, 0.0, 2.0], angular: [0.0; 3] },
    );
    model.step().expect_done();
    assert_near(force(host), [0.0, 4.0, -1.0]);
}

#[test]
fn the_wind_of_a_topic_replaces_that_of_the_world_until_a_reset() {
    let host = windy(sudden().param("force_approximation_scaling_factor", 0.5), [3.0, 0.0, 0.0]);
    let mut model = TestModel::<WindEffects>::started(host);
    host.send("/wind", &Vector3 { x: 0.0, y: -2.0, z: 0.5 });
    model.step().expect_done();
    assert_near(force(host), [0.0, -2.0, 0.5]);
    let saved = model.save();
    host.send("/wind", &Vector3 { x: f64::NAN, y: 0.0, z: 0.0 });
    model.step().expect_done();
    assert_near(force(host), [0.0, -2.0, 0.5]);
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_near(force(host), [3.0, 0.0, 0.0]);
    model.load(&saved).expect_done();
    model.step().expect_done();
    assert_near(force(host), [0.0, -2.0, 0.5]);
}

#[test]
fn the_wind_rises_with_its_time_constant_and_swings() {
    let params = [("horizontal/magnitude/time_for_rise", "2"), ("vertical/time_for_rise", "1")];
    let host = windy(TestHost::builder().params(params), [5.0, 0.0, 1.0]);
    TestModel::<WindEffects>::started(host).run(2000).expect_done();
    let risen = 1.0 - (-1.0_f64).exp();
    assert_near(force(host), [2.0 * 5.0 * risen, 0.0, 2.0 * (1.0 - (-2.0_f64).exp())]);
    // Without parameters it takes seconds, and begins in the direction of the world's wind.
    let host = windy(TestHost::builder(), [0.0, 5.0, 0.0]);
    TestModel::<WindEffects>::started(host).run(1000).expect_done();
    assert_near(force(host), [0.0, 2.0 * 5.0 * risen, 0.0]);
    let params = [
        ("horizontal/magnitude/sin/amplitude_percent", "0.2"),
        ("horizontal/magnitude/sin/period", "4"),
        ("horizontal/direction/sin/amplitude", "30"),
        ("horizontal/direction/sin/period", "4"),
    ];
    let host = windy(sudden().params(params), [5.0, 0.0, 0.0]);
    TestModel::<WindEffects>::started(host).run(1000).expect_done();
    // A quarter of the period: the crest of both waves.
    let (sin, cos) = 30.0_f64.to_radians().sin_cos();
    assert_near(force(host), [2.0 * 6.0 * cos, 2.0 * 6.0 * sin, 0.0]);
}

#[test]
fn a_factor_may_depend_on_the_place() {
    let params = [
        ("force_approximation_scaling_factor/when[0]", "1"),
        ("force_approximation_scaling_factor/when[0]/@xlt", "0"),
        ("force_approximation_scaling_factor/when[1]", "0.5"),
        ("force_approximation_scaling_factor/when[1]/@xge", "0"),
        ("force_approximation_scaling_factor/when[1]/@xlt", "5"),
    ];
    for (x, expected) in [(-1.0, 2.0), (1.0, 1.0), (6.0, 0.0)] {
        let host = windy(sudden().params(params), [1.0, 0.0, 0.0]);
        let pose = Pose { position: [x, 0.0, 0.0], ..Pose::IDENTITY };
        host.set_link_state("sail", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
        TestModel::<WindEffects>::started(host).step().expect_done();
        assert_near(force(host), [expected, 0.0, 0.0]);
    }
}

#[test]
fn parameters_are_refused_with_their_place() {
    for (path, text, expected) in [
        ("force_approximation_scaling_factor", "-1", "expected 0 or more"),
        ("horizontal/magnitude/sin/period", "0", "expected a number above 0"),
    ] {
        let host = windy(TestHost::builder().param(path, text), [0.0; 3]);
        let error = TestModel::<WindEffects>::create(host).awake().expect_failed();
        assert!(error.text().contains(expected), "{error}");
    }
}

/// A plugin may hold a link by the time of the snapshot, and release it with a reset.
#[test]
fn a_restored_run_has_the_links_of_the_interrupted_one() {
    let host = windy(sudden(), [3.0, 4.0, 1.0]);
    let mut model = TestModel::<WindEffects>::started(host);
    model.step().expect_done();
    let saved = model.save();
    drop(host.take_commands());
    model.step().expect_done();
    let expected = force(host);
    let other = windy(sudden(), [3.0, 4.0, 1.0]);
    other.set_body(Body {
        link: other.link("sail").id,
        name: "kite::sail".to_owned(),
        entity: EntityId(1),
        moves: false,
        is_in_wind: true,
        has_gravity: true,
        mass: 2.0,
        center: [0.0; 3],
        inertia: [1.0, 1.0, 1.0, 0.0, 0.0, 0.0],
    });
    let mut restored = TestModel::<WindEffects>::started(other);
    restored.load(&saved).expect_done();
    restored.step().expect_done();
    assert_eq!(force(other), expected);
}
