//! A message of a plugin that was built outside the workspace, in the browser.

use super::browser::{self, Script};
use super::has_page;
use crate::http::Client;
use crate::support::{Outside, Setup, missing, world};

/// A barometer at a height of 1000 m with noise of 5 Pa.
const CAR: &str = "<model name='car1'><static>true</static><link name='mast'><pose>0 0 1000 0 0 0</pose>\
    <sensor name='barometer' type='barometer'><topic>pressure</topic><update_rate>10</update_rate>\
    <air_pressure><pressure><noise><stddev>5</stddev></noise></pressure></air_pressure></sensor></link></model>";

#[test]
fn a_message_of_a_plugin_is_shown_with_its_nested_fields() {
    let Some(spec) = Script::of("own_message.spec.mjs") else { return };
    let setup = Setup::new().in_real_time();
    Outside::example("rust-sensor", "libbarometer.so", &setup.plugin_folder());
    let mut running = setup.world(&world(CAR)).args(["--http", "127.0.0.1:0"]).start();
    let client = Client::of(&mut running);
    if !has_page(&client) {
        return missing("the host was built without the page; `bash tests/run.sh` builds it");
    }
    let spec = spec
        .env("BRIDGEHEAD_PAGE_URL", format!("http://{}", client.address))
        .env("BRIDGEHEAD_PAGE_PICTURES", browser::pictures("own_message"));
    let output = spec.command().output().expect("node starts");
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    browser::expect_passed(&text, 1);
    drop(running);
}
