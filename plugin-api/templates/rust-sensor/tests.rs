//! The sensor in a host inside of the test process.

use bridgehead_plugin_api::testing::{TestHost, TestModel};

use super::*;

/// A sensor on a link that moves with 2 m/s along x.
fn moving(deviation: f64) -> TestModel<@Type@> {
    let host = TestHost::builder()
        .vehicle("car1")
        .link("mast")
        .parent_link("mast")
        .param("deviation", deviation)
        .build();
    host.set_link_state(
        "mast",
        LinkState {
            pose: Pose::IDENTITY,
            linear: [2.0, 0.0, 0.0],
            angular: [0.0; 3],
        },
    );
    host.listen("@name@");
    TestModel::started(host)
}

fn speed(sensor: &TestModel<@Type@>) -> f64 {
    sensor.host().last::<@Type@Reading>("@name@").speed
}

#[test]
fn it_publishes_the_speed_of_its_link() {
    let mut sensor = moving(0.0);
    sensor.step().expect_done();
    assert_eq!(speed(&sensor), 2.0);
}

#[test]
fn two_runs_have_equal_noise() {
    let measure = || {
        let mut sensor = moving(0.5);
        sensor.run(5).expect_done();
        speed(&sensor)
    };
    assert_ne!(measure(), 2.0);
    assert_eq!(measure(), measure());
}

#[test]
fn a_negative_deviation_is_refused() {
    let host = TestHost::builder()
        .link("mast")
        .parent_link("mast")
        .param("deviation", -1.0)
        .build();
    let error = TestModel::<@Type@>::create(host).awake().expect_failed();
    assert!(error.text().contains("deviation"), "{}", error.text());
}
