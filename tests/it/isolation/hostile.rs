//! Workers that die at a bad moment, and plugins that need what a worker does not have.

use std::collections::BTreeSet;
use std::fs;

use serde_json::json;

use super::{car, workers};
use crate::support::{Served, Setup, eventually, vehicle, world};

/// The blocks of shared memory that a host has open.
fn memories(host: &Served) -> usize {
    let entries =
        fs::read_dir(format!("/proc/{}/fd", host.id())).expect("its descriptors").filter_map(Result::ok);
    let links = entries.filter_map(|entry| fs::read_link(entry.path()).ok());
    links.filter(|link| link.to_string_lossy().starts_with("/memfd:bridgehead-worker")).count()
}

#[test]
fn workers_that_die_with_messages_in_shared_memory_leave_nothing_behind() {
    /// Workers that die before the run ends.
    const DEATHS: usize = 4;
    let plugin =
        "<plugin filename='producer' name='producer'><count>1</count><bytes>1000000</bytes></plugin>";
    let bridges = "[[bridge]]\nattach = 'car1'\nname = 'consumer'\nconnection = 'out/count'\nqueue = { policy = 'block' }\n\
                   [[bridge]]\nattach = 'car1'\nname = 'rogue_bridge'\nconnection = 'transmit=dies'\nisolation = 'process'\n";
    let setup = Setup::new().fixtures(&["producer", "consumer", "rogue_bridge"]).in_real_time();
    let host = Served::start(setup.world(&world(&vehicle("car1", plugin))).config(bridges));
    let mut seen = BTreeSet::new();
    eventually("workers die, and others take their place", || {
        let labelled = workers(&host).into_iter().filter(|(_, label)| label == "car1/rogue_bridge");
        seen.extend(labelled.map(|(id, _)| id));
        seen.len() > DEATHS
    });
    // That of the library, of the last worker, and of one that is just starting or ending.
    eventually("memory of dead workers is given back", || memories(&host) <= 3);
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let published = finished.reported("topics", "/car1/load")["published"].clone();
    let counts = fs::read_to_string(finished.path("out/count")).expect("the counts");
    assert_eq!(counts, format!("taken={published} copied=0\n"), "the bridge that is not isolated");
    let killed = finished.reported("bridges", "car1/rogue_bridge");
    assert!(
        killed["dropped"].as_u64() >= Some(DEATHS as u64),
        "messages that workers took with them: {killed}"
    );
}

#[test]
fn a_plugin_is_refused_if_there_is_no_memory_to_share() {
    let setup = Setup::new().fixtures(&["own_type", "recorder"]).recording().world(&world(&car("car1")));
    // A file of 768 MiB is beyond the limit.
    let setup = setup.args(["--isolate", "recorder", "--duration", "0.1s"]).bridge("car1=recorder:here");
    let finished = setup.limited("-f 200000").finish().expect_code(1);
    drop(finished.expect_message(&["BH-PLG-084", "no shared memory for a worker", "recorder"]));
}

#[test]
fn converters_of_a_plugin_in_a_worker_are_reported_as_unused() {
    let run = |strict: bool| {
        let setup = Setup::new().fixtures(&["own_type", "recorder"]).recording().world(&world(&car("car1")));
        let setup = setup.args(["--isolate", "own_type", "--duration", "0.5s"]).bridge("car1=recorder:here");
        let setup = if strict { setup.arg("--strict") } else { setup };
        setup.finish()
    };
    let finished = run(false).expect_code(0);
    let errors = finished.result()["errors"].to_string();
    for text in ["BH-PLG-085", "own_type", "2 converters", "`recorder`"] {
        assert!(errors.contains(text), "`{text}` is missing in {errors}");
    }
    assert_eq!(finished.reported("topics", "/car1/pressure")["published"], 5, "the plugin runs");
    drop(run(true).expect_code(1).expect_message(&["BH-PLG-085", "--strict"]));
}
