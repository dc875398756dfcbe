//! Worlds with cameras that come and go: their threads, files and memory go with them.
//!
//! A few loads show that threads and files do not add up; with `BRIDGEHEAD_LONG=1` fifty show it of memory too.

use serde_json::json;

use super::{PLUGINS, scene, sensor};
use crate::support::{Served, Setup, eventually, slope};

/// Growth of memory over all loads that is accepted, KiB.
const MAX_KIB: f64 = 8192.0;
/// The first loads fill caches, such as those of the graphics driver.
const SETTLING: usize = 3;
/// State of a running simulation.
const PLAYING: u64 = 1;

/// Returns the number of images so far.
fn images(host: &Served) -> u64 {
    let listed = host.ok("get_topics", json!({}));
    let topics = listed["topics"].as_array().expect("a list");
    let is_image = |name: &str| name.ends_with("/image_raw") || name.ends_with("/labels_map");
    let images = topics.iter().filter(|topic| topic["topic"].as_str().is_some_and(is_image));
    images.map(|topic| topic["published"].as_u64().expect("a count")).min().unwrap_or(0)
}

#[test]
fn loads_and_unloads_of_a_world_with_cameras_leave_nothing_behind() {
    let is_long = std::env::var_os("BRIDGEHEAD_LONG").is_some();
    let loads = if is_long { 50 } else { 6 };
    let sensors = [
        sensor("color", "camera", "<image><width>320</width><height>240</height></image>"),
        sensor("depth", "depth_camera", ""),
        sensor("classes", "segmentation", ""),
    ];
    let setup =
        Setup::new().plugins(PLUGINS).longer(std::time::Duration::from_secs(if is_long { 300 } else { 0 }));
    let file = setup.file("cameras.sdf", scene(&sensors.concat()));
    let setup = setup.run(&file).args(["--start", "paused", "--speed", "10"]);
    let host = Served::start(setup.bridge("*=logging:out/run.jsonl;overwrite=true"));
    let (mut memory, mut threads, mut files) = (Vec::new(), Vec::new(), Vec::new());
    for load in 0..loads {
        if load > 0 {
            host.ok("load_world", json!({ "world_resource": { "uri": file } }));
        }
        let play = || host.call("set_simulation_state", json!({ "state": { "state": PLAYING } }));
        eventually("the world is loaded", || play()["result"]["result"] == 1);
        let before = images(&host);
        eventually("each camera makes images", || images(&host) >= before + 2);
        host.ok("unload_world", json!({}));
        memory.push(host.anonymous_kib());
        threads.push(host.process_entries("task"));
        files.push(host.process_entries("fd"));
        if load >= SETTLING {
            // A thread that has ended may be listed for a moment.
            eventually("no more threads", || host.process_entries("task") <= threads[SETTLING - 1]);
            eventually("no more files", || host.process_entries("fd") <= files[SETTLING - 1]);
        }
    }
    host.signal(libc::SIGINT);
    drop(host.finish());
    let settled = &memory[SETTLING..];
    let growth = slope(settled) * f64::from(u32::try_from(settled.len()).expect("few"));
    println!("growth of {growth:.0} KiB in {loads} loads: {memory:?}, {threads:?}, {files:?}");
    assert!(!is_long || growth < MAX_KIB, "{growth} KiB: {memory:?}");
}
