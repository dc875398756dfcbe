//! The clock through its C functions.

use bridgehead_plugin_api::messages::rosgraph_msgs;
use bridgehead_plugin_api::model::ResetScope;
use bridgehead_plugin_api::testing::{TestHost, TestModel};

use super::Clock;

/// Published times, in milliseconds.
fn times(host: TestHost) -> Vec<i64> {
    let clocks = host.decoded::<rosgraph_msgs::Clock>("/clock");
    clocks.iter().map(|clock| clock.clock.as_ref().expect("a time").to_nanos() / 1_000_000).collect()
}

#[test]
fn every_step_is_published() {
    let host = TestHost::new();
    host.listen("/clock");
    TestModel::<Clock>::started(host).run(3).expect_done();
    assert_eq!(times(host), [1, 2, 3]);
    assert_eq!(host.published("/clock")[2].stamp_ns, 3_000_000);
}

#[test]
fn a_rate_reduces_the_messages() {
    let host = TestHost::builder().param("update_rate", 100).build();
    host.listen("/clock");
    TestModel::<Clock>::started(host).run(35).expect_done();
    assert_eq!(times(host), [10, 20, 30]);
}

#[test]
fn the_topic_is_absolute_on_a_vehicle_too() {
    let model = TestModel::<Clock>::started(TestHost::builder().vehicle("car1").build());
    assert_eq!(model.host().topics()[0].name, "/clock");
}

#[test]
fn time_goes_back_at_a_reset_of_time_only() {
    let host = TestHost::new();
    host.listen("/clock");
    let mut model = TestModel::<Clock>::started(host);
    model.run(2).expect_done();
    model.reset(ResetScope::ALL).expect_done();
    model.step().expect_done();
    assert_eq!(times(host), [1, 2, 1]);
}

#[test]
fn nothing_is_published_without_a_subscriber() {
    let host = TestHost::new();
    TestModel::<Clock>::started(host).run(5).expect_done();
    assert_eq!(times(host), []);
}

#[test]
fn a_rate_below_zero_is_refused() {
    let mut model = TestModel::<Clock>::create(TestHost::builder().param("update_rate", -1).build());
    let error = model.awake().expect_failed();
    assert_eq!(error.text(), "parameter `update_rate`: a rate of -1 Hz; expected 0 (every step) or more");
}
