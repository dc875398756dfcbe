//! Types that the bridge does not know: they come from a plugin that was built outside the workspace, and are received
//! under the names that its author chose.

use serde_json::json;

use super::wire::over_each_transport;
use super::{Domain, Messages, Peer, Seen, Wire};
use crate::support::{Outside, Served, Setup, assert_near, eventually, world};

const PRESSURE: &str = "example_msgs/msg/Pressure";
/// The types for ROS users: the `.msg` texts that their author publishes.
const PRESSURE_TEXT: &str = "std_msgs/Header header\nexample_msgs/Reading reading\n";
const READING: &str = "example_msgs/msg/Reading";
const READING_TEXT: &str = "float64 pascal\nfloat64 variance\n";

/// A vehicle with a barometer at this height in metres, with noise of this standard deviation in pascals.
fn barometer(vehicle: &str, height: u32, deviation: u32) -> String {
    format!(
        "<model name='{vehicle}'><link name='mast'><pose>0 0 {height} 0 0 0</pose>\
         <sensor name='barometer' type='barometer'><topic>pressure</topic><update_rate>10</update_rate>\
         <air_pressure><pressure><noise><stddev>{deviation}</stddev></noise></pressure></air_pressure>\
         </sensor></link></model>"
    )
}

/// Pressure and its variance in the next message.
#[track_caller]
fn next(messages: &Messages) -> (f64, f64) {
    let message = messages.next();
    assert_eq!(
        message["header"]["frame_id"].as_str().map(|frame| frame.ends_with("/mast/barometer")),
        Some(true)
    );
    let reading = &message["reading"];
    let number = |name: &str| reading[name].as_f64().unwrap_or_else(|| panic!("no {name} in {message}"));
    (number("pascal"), number("variance"))
}

over_each_transport!(a_type_of_a_plugin_built_outside_the_workspace_arrives_with_its_fields);

fn a_type_of_a_plugin_built_outside_the_workspace_arrives_with_its_fields(wire: Wire) {
    let Some(domain) = Domain::over(wire) else { return };
    let Some(peer) = Peer::start(&domain) else { return };
    peer.tell("types", json!({"texts": {READING: READING_TEXT, PRESSURE: PRESSURE_TEXT}}))
        .wait()
        .expect("a type");
    let setup = Setup::new().in_real_time().plugins(&[wire.bridge()]);
    Outside::example("rust-sensor", "libbarometer.so", &setup.plugin_folder());
    let vehicles = barometer("car1", 100, 0) + &barometer("car2", 1000, 5);
    let bridge = format!("*={}", domain.bridge(""));
    let _host = Served::start(setup.world(&world(&vehicles)).bridge(bridge));

    let topics = ["/car1/pressure", "/car2/pressure"];
    for topic in topics {
        let is_published = || Seen::by(&peer, wire).has_publisher(topic, PRESSURE);
        eventually(&format!("{topic} is published"), is_published);
    }
    let [quiet, noisy] =
        topics.map(|topic| peer.subscribe(topic, PRESSURE, json!({"reliable": false, "depth": 100})));
    // ISO 2533, the standard atmosphere at 100 m and at 1000 m.
    for _ in 0..5 {
        let (pascal, variance) = next(&quiet);
        assert_near(pascal, 100_129.4, 0.1);
        assert_near(variance, 0.0, 0.0);
    }
    let noise: Vec<f64> = (0..5)
        .map(|_| {
            let (pascal, variance) = next(&noisy);
            assert_near(pascal, 89_874.6, 30.0);
            assert_near(variance, 25.0, 0.0);
            pascal
        })
        .collect();
    assert!(
        noise.windows(2).all(|pair| (pair[0] - pair[1]).abs() > 1e-9),
        "every sample has its own noise: {noise:?}"
    );
}
