//! The barometer in a test host.

use bridgehead_plugin_api::host::{LinkState, Pose};
use bridgehead_plugin_api::messages::ros;
use bridgehead_plugin_api::testing::{TestConverters, TestHost, TestModel};

use super::*;

fn at_height(height: f64, deviation: f64, seed: u64) -> TestModel<Barometer> {
    let host = TestHost::builder()
        .vehicle("car1")
        .link("mast")
        .parent_link("mast")
        .element("barometer")
        .param("air_pressure/pressure/noise/stddev", deviation)
        .seed(seed)
        .build();
    let pose = Pose { position: [0.0, 0.0, height], ..Pose::IDENTITY };
    host.set_link_state("mast", LinkState { pose, linear: [0.0; 3], angular: [0.0; 3] });
    host.listen("pressure");
    TestModel::started(host)
}

#[test]
fn pressure_follows_the_standard_atmosphere() {
    // ISO 2533, table of pressures over geopotential height.
    for (height, expected) in [(0.0, 101_325.0), (1000.0, 89_874.6), (5000.0, 54_019.9)] {
        let mut barometer = at_height(height, 0.0, 0);
        barometer.step().expect_done();
        let measured = barometer.host().last::<Pressure>("pressure").reading.unwrap_or_default().pascal;
        assert!((measured - expected).abs() < 0.5, "{height} m: {measured} Pa");
    }
}

#[test]
fn equal_seeds_give_equal_noise() {
    let measure = |seed| {
        let mut barometer = at_height(0.0, 10.0, seed);
        barometer.run(5).expect_done();
        barometer.host().decoded::<Pressure>("pressure")
    };
    assert_eq!(measure(1), measure(1));
    assert_ne!(measure(1), measure(2));
}

#[test]
fn the_type_has_its_ros_form() {
    let pressure = Pressure::schema().resolve().expect("a type that ROS can express");
    assert_eq!(pressure.ros_type().to_string(), "example_msgs/msg/Pressure");
    assert_eq!(ros::msg_text(&pressure), "std_msgs/Header header\nexample_msgs/Reading reading\n");
    let barometer = at_height(0.0, 0.0, 0);
    assert_eq!(barometer.host().registered_types(), [Pressure::FULL_NAME]);
}

#[test]
fn one_bridge_gets_text_and_the_others_the_message() {
    let others = TestConverters::of::<Barometer>("org.example.bridge.log", "log").expect("converters");
    assert!(others.publishers().is_empty());
    let udp = TestConverters::of::<Barometer>("org.example.bridge.udp", "udp").expect("converters");
    let input = prost::Message::encode_to_vec(&Pressure {
        header: None,
        reading: Some(Reading { pascal: 101_325.0, variance: 0.0 }),
    });
    // With a buffer of size 0 the converter returns the size it needs and is called again.
    for capacity in [0, 100] {
        let text = udp.to_bridge(Pressure::FULL_NAME, "text", &input, capacity).expect("text");
        assert_eq!(text, b"1013.25 hPa");
    }
}

#[test]
fn a_barometer_outside_a_link_is_refused() {
    let error = TestModel::<Barometer>::create(TestHost::new()).awake().expect_failed();
    assert_eq!(error.text(), "sensor `plugin` measures at a link; put its <sensor> element into a <link>");
}
