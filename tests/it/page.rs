//! Tests of the page for browsers: what the host serves, and the page of a real host in Chromium.
//!
//! The tests in a browser are `host/page/test/page.spec.mjs`; a test here gives them a host and restarts it for them. They
//! leave pictures in the folder `page` of the target folder.

pub(crate) mod browser;
mod own_message;
mod slow_link;
mod stage;

use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

use serde_json::json;

use crate::http::Client;
use crate::support::{Running, Setup, is_long, missing};
use browser::Script;
use stage::{Stage, TOKEN};

/// Number of tests in `page.spec.mjs`: all of them must run.
const TESTS: usize = 31;
/// Number of looks of `layout.spec.mjs`: each of four widths in one of two themes, or in both in a long run.
const LOOKS: [usize; 2] = [4, 8];
/// Number of its other tests.
const OTHER_LAYOUT_TESTS: usize = 3;
/// Number of pictures of a look.
const PICTURES: usize = 12;
/// Number of tests in `crowd.spec.mjs`.
const CROWD_TESTS: usize = 6;

#[test]
fn the_root_has_the_page_or_says_how_to_get_it() {
    let (running, client) = crate::http::paused();
    let answer = client.get("/");
    if has_page(&client) {
        assert!(answer.text.starts_with("<!doctype html>"), "{}", answer.text);
        assert!(client.get("/errors.json").expect(200)["BH-WEB-015"]["meaning"].is_string());
        for file in ["/page.js", "/page.css", "/favicon.svg", "/licences.txt"] {
            assert_eq!(client.get(file).status, 200, "{file}");
        }
    } else {
        assert!(answer.text.contains("BH-WEB-015") && answer.text.contains("build.sh"), "{}", answer.text);
        assert_eq!(answer.text.lines().count(), 1);
    }
    drop(running);
}

/// Returns true if the host was built with the page.
pub(crate) fn has_page(client: &Client) -> bool {
    match client.get("/").status {
        200 => true,
        404 => false,
        other => panic!("status {other}"),
    }
}

#[test]
fn the_first_line_of_a_run_names_the_address() {
    let (running, client) = crate::http::started(Setup::new(), &["--start", "paused"]);
    client.post("/api/quit", "").expect(200);
    // The client was made from the first line that has an address.
    let first = running.first_line();
    assert!(first.contains(&format!("http://{} serves", client.address)), "{first}");
    running.finish().expect_code(0);
}

#[test]
fn a_browser_controls_the_host_and_shows_its_state() {
    let Some(mut stage) = Stage::with_page(Some(TOKEN)) else { return };
    let Some(spec) = Script::of("page.spec.mjs") else { return };
    let pictures = browser::pictures("spec");
    let spec = spec
        .env("BRIDGEHEAD_PAGE_URL", stage.url())
        .env("BRIDGEHEAD_PAGE_TOKEN", TOKEN)
        .env("BRIDGEHEAD_PAGE_RED", "5,0,1")
        .env("BRIDGEHEAD_PAGE_MODEL", stage.model())
        .env("BRIDGEHEAD_PAGE_PICTURES", &pictures);
    let (status, output) = stage.run(spec);
    browser::expect_passed(&output, TESTS);
    assert!(status.success(), "{output}");
    assert!(fs::read_dir(pictures).expect("pictures").count() > 10);
    stage.finish();
}

#[test]
fn every_panel_is_drawn_in_both_themes_without_an_error() {
    let Some(mut stage) = Stage::with_page(None) else { return };
    let Some(script) = Script::of("pictures.mjs") else { return };
    let folder = browser::pictures("panels");
    let script = script.args(&[&stage.url(), &folder.display().to_string()]);
    let (status, output) = stage.run(script);
    assert!(status.success() && output.is_empty(), "{output}");
    for theme in ["light", "dark"] {
        for panel in ["world", "run", "vehicles", "topics", "plugins", "times", "log", "errors", "layers"] {
            let picture = fs::read(folder.join(format!("{panel}-{theme}.png"))).expect("a picture");
            // An empty page of this size has a few kilobytes.
            assert!(picture.len() > 20_000, "{panel}-{theme}: {} bytes", picture.len());
        }
    }
    stage.finish();
}

#[test]
fn nothing_is_cut_off_or_covered_from_390_to_1920_pixels_in_both_themes() {
    let Some(mut stage) = Stage::with_page(None) else { return };
    let Some(spec) = Script::of("layout.spec.mjs") else { return };
    let pictures = browser::pictures("layout");
    let spec = spec.env("BRIDGEHEAD_PAGE_URL", stage.url()).env("BRIDGEHEAD_PAGE_PICTURES", &pictures);
    let (status, output) = stage.run(spec);
    let looks = LOOKS[usize::from(is_long())];
    browser::expect_passed(&output, looks + OTHER_LAYOUT_TESTS);
    assert!(status.success(), "{output}");
    assert_eq!(fs::read_dir(pictures).expect("pictures").count(), looks * PICTURES);
    stage.finish();
}

#[test]
fn the_log_begins_with_the_kept_lines_and_goes_on() {
    let (running, client) = crate::http::paused();
    crate::http::wait_for_state(&client, "Pause");
    let mut socket = client.socket();
    socket.subscribe("log", None);
    let first = socket.until(|event| event["what"] == "log" && event["op"] == "event");
    assert_eq!(first["data"]["level"], "info");
    assert_eq!(first["data"]["time_ns"], 0);
    let message = first["data"]["message"].as_str().expect("a text");
    assert!(message.contains(&client.address.to_string()), "the first line of the run: {message}");
    client.call("step_simulation", &json!({ "steps": 10 }));
    client.post("/api/resume", "").expect(200);
    let resumed = socket.until(|event| {
        event["data"]["message"].as_str().is_some_and(|text| text.starts_with("Resume requested"))
    });
    assert!(resumed["data"]["time_ns"].as_i64().is_some_and(|time| time >= 10_000_000), "{resumed}");
    assert_eq!(resumed["lost"], json!(null));
    drop(running);
}

#[test]
fn the_types_of_all_topics_are_described_with_their_ros_names() {
    let stage = Stage::start(None);
    let client = stage.client();
    let document = client.get("/openapi.json").expect(200);
    let schemas = document["components"]["schemas"].as_object().expect("schemas");
    let topics = client.call("get_topics", &json!({}));
    let topics = topics["topics"].as_array().expect("topics");
    assert!(topics.len() > 5, "{topics:?}");
    for topic in topics {
        let found = schemas.values().find(|schema| schema["title"] == topic["type"]);
        assert!(found.is_some_and(|schema| schema["properties"].is_object()), "{topic}");
    }
    stage.finish();
}

#[test]
fn thousands_of_models_a_slow_link_and_many_clients_leave_the_page_usable() {
    let Some(spec) = Script::of("crowd.spec.mjs") else { return };
    let (running, client) = crowd();
    if !has_page(&client) {
        return missing("the host was built without the page; `bash tests/run.sh` builds it");
    }
    let spec = spec
        .env("BRIDGEHEAD_PAGE_URL", format!("http://{}", client.address))
        .env("BRIDGEHEAD_PAGE_PLACES", PLACES.to_string())
        .env("BRIDGEHEAD_PAGE_SLOW_URL", format!("http://{}", slow_link::slow_link(client.address, SLOW)))
        .env("BRIDGEHEAD_PAGE_PICTURES", browser::pictures("crowd"));
    let output = spec.command().output().expect("node");
    browser::expect_passed(&String::from_utf8_lossy(&output.stdout), CROWD_TESTS);
    drop(running);
}

/// Connections that the host of the crowd serves.
const PLACES: usize = 24;

/// Bytes per second of the slow link: a tenth of the poses at the highest rate, and twice those at the lowest.
const SLOW: usize = 700_000;

/// A host in real time with 5,000 boxes that fall slowly, side by side.
fn crowd() -> (Running, Client) {
    let mut sdf = String::from(
        "<sdf version='1.9'><world name='crowd'><physics name='default' type='ignored'>
         <max_step_size>0.01</max_step_size></physics><gravity>0 0 -0.01</gravity>",
    );
    for index in 0..5000 {
        let (x, y) = (index % 100 * 2, index / 100 * 2);
        write!(
            sdf,
            "<model name='box_{index}'><pose>{x} {y} 1 0 0 0</pose><link name='l'><visual name='v'><geometry><box>
             <size>1 1 1</size></box></geometry></visual></link></model>"
        )
        .expect("text");
    }
    let setup = Setup::new().in_real_time().longer(Duration::from_secs(300));
    let config = format!("[http]\nconnections = {PLACES}\n");
    let setup = setup.world(&(sdf + "</world></sdf>")).config(&config).args(["--http", "127.0.0.1:0"]);
    let mut running = setup.start();
    let client = Client::of(&mut running);
    (running, client)
}
