//! A sensor whose type the bridge does not know: it was built outside the workspace, and clients see its nested fields.

use super::client::Kind;
use super::stage::Stage;
use crate::support::{Outside, Setup, world};

/// A barometer at a height of 1000 m with noise of 5 Pa.
const CAR: &str = "<model name='car1'><static>true</static><link name='mast'><pose>0 0 1000 0 0 0</pose>\
    <sensor name='barometer' type='barometer'><topic>pressure</topic><update_rate>10</update_rate>\
    <air_pressure><pressure><noise><stddev>5</stddev></noise></pressure></air_pressure></sensor></link></model>";

#[test]
fn a_nested_message_of_a_plugin_built_outside_the_workspace_has_its_fields() {
    for encoding in ["cdr", "protobuf", "json"] {
        let setup = Setup::new().in_real_time();
        Outside::example("rust-sensor", "libbarometer.so", &setup.plugin_folder());
        let stage = Stage::with(setup.world(&world(CAR)), &format!("encoding={encoding}"));
        for kind in [Kind::Python, Kind::Node] {
            let Some(client) = stage.client(kind) else { return };
            client.collect_until("the pressure and its variance", "/car1/pressure", |collected| {
                let message = &collected["messages"][0];
                // The standard atmosphere at this height (ISO 2533).
                let is_near = |pascal: f64| (pascal - 89_874.6).abs() < 30.0;
                let frame = message["header"]["frame_id"].as_str().unwrap_or_default();
                frame.ends_with("/mast/barometer")
                    && message["reading"]["pascal"].as_f64().is_some_and(is_near)
                    && message["reading"]["variance"].as_f64() == Some(25.0)
            });
        }
        stage.finish();
    }
}
