//! A host that loads several worlds while bridges are connected.
//!
//! Requests are made inside the test process: the run is one of the library, with the built plugins and bridges.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bridgehead_host::api::Shared;
use bridgehead_host::clock::{self, Speed};
use bridgehead_host::config::{BridgeRequest, RequestOrigin, RunConfig};
use bridgehead_host::plugin::{Origin, SearchPath};
use bridgehead_host::report::{RunResult, StartProgress, Status, Watcher};
use bridgehead_host::resources::{Library, ResourceKind, Sources, WorldQuery};
use bridgehead_host::sim::{NoController, Simulation};
use bridgehead_lifecycle::{Cause, Interrupt, Outcome, Request, StartIn, WorldRequest};
use bridgehead_sdf as sdf;

use crate::support::{Setup, read_lines, root, vehicle, world};

struct NoWatcher;

impl Watcher for NoWatcher {
    fn starting(&mut self, _: &StartProgress) {}
    fn status(&mut self, _: &Status) {}
}

/// A bridge that writes into a file of the output folder.
fn logging(setup: &Setup, attach: &str, connection: &str) -> BridgeRequest {
    let connection = format!("{}/{connection}", setup.path("out").display());
    BridgeRequest::new(attach, "logging", &connection, RequestOrigin::CommandLine)
}

/// Finds only the plugins of this setup: the folder of the test program contains all others.
fn search(setup: &Setup) -> SearchPath {
    let mut search = SearchPath::new();
    search.add(Origin::CommandLine, setup.plugin_folder());
    search
}

fn ask(shared: &Shared, interrupt: Interrupt) {
    shared.requests.push(Request::new(interrupt, Cause::Control("test".to_owned())));
}

/// Waits until the world with this number since the start has run for some steps.
fn await_world(shared: &Shared, number: u32) {
    let began = clock::now();
    loop {
        let (now, _) = shared.clock.read();
        if now.reset_epoch == number && now.step >= 500 {
            return;
        }
        assert!(
            clock::now().saturating_duration_since(began) < Duration::from_secs(60),
            "world {number} did not run: {now:?}"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Runs the world of `config`, then each of `others`, alternately after unloading and directly. Returns the result.
fn run(config: RunConfig, others: Vec<PathBuf>) -> RunResult {
    let shared = Shared::new(0);
    let requested = Arc::clone(&shared);
    let requests = std::thread::Builder::new().name("requests".to_owned()).spawn(move || {
        await_world(&requested, 0);
        for (number, world) in (1..).zip(others) {
            if number % 2 == 1 {
                ask(&requested, Interrupt::UnloadWorld);
            }
            let world = world.display().to_string();
            ask(&requested, Interrupt::LoadWorld(WorldRequest { world, start_in: StartIn::Playing }));
            await_world(&requested, number);
        }
        ask(&requested, Interrupt::Quit);
    });
    let result = Simulation::new(config, shared)
        .expect("a run")
        .run(&mut NoWatcher, &mut NoController)
        .expect("a result");
    requests.expect("a thread").join().expect("every world ran");
    result
}

/// Number of messages of a topic in each world.
fn per_world(path: &Path, topic: &str) -> BTreeMap<u64, usize> {
    read_lines(path).iter().filter(|line| line.is_topic(topic)).fold(BTreeMap::new(), |mut counts, line| {
        *counts.entry(line.count("epoch")).or_default() += 1;
        counts
    })
}

const CLOCK: &str = "<plugin filename='clock' name='clock'><update_rate>100</update_rate></plugin>";
/// A bridge that the world file attaches.
const OWN: &str =
    "<plugin filename='logging' name='own'><connection>own.jsonl;overwrite=true</connection></plugin>";

#[test]
fn world_bridges_stay_connected_and_vehicle_bridges_follow_their_vehicles() {
    let setup = Setup::new().plugins(&["clock", "joint_state", "imu", "logging"]);
    let imu = "<link name='l'><sensor name='imu' type='imu'><update_rate>100</update_rate></sensor></link>";
    let with = setup.file("with.sdf", world(&format!("{CLOCK}{OWN}{}", vehicle("car1", imu))));
    let without = setup.file("without.sdf", world(CLOCK));
    let config = RunConfig {
        world: Some(with.clone()),
        bridges: vec![
            logging(&setup, "world", "world.jsonl"),
            logging(&setup, "car1", "car.jsonl;overwrite=true"),
        ],
        search: search(&setup),
        output: setup.path("out"),
        speed: Speed::Unlimited,
        keep_alive: true,
        ..RunConfig::default()
    };
    let result = run(config, vec![with.clone(), without, with]);
    assert_eq!(result.outcome, Outcome::Stopped);
    assert_eq!(result.errors, Vec::<String>::new());

    let clocks = per_world(&setup.path("out/world.jsonl"), "/clock");
    assert_eq!(clocks.keys().copied().collect::<Vec<_>>(), [0, 1, 2, 3], "{clocks:?}");
    assert!(clocks.values().all(|count| *count >= 50), "{clocks:?}");
    let labels: Vec<(&str, u32)> =
        result.bridges.iter().map(|bridge| (bridge.label.as_str(), bridge.connections)).collect();
    assert_eq!(result.bridges.len(), 3, "{labels:?}");
    let connections =
        |label: &str| result.bridges.iter().find(|bridge| bridge.label == label).map(|b| b.connections);
    assert_eq!(connections("world/logging"), Some(1), "it stays connected\n{labels:?}");
    assert_eq!(
        connections("car1/logging"),
        Some(3),
        "it connects once for each world with the vehicle\n{labels:?}"
    );
    assert_eq!(
        connections("world/logging_2"),
        Some(3),
        "a bridge of the world file connects once for each load\n{labels:?}"
    );

    // The counts of all worlds are added up, and no message was dropped.
    let clock = result.topics.iter().find(|topic| topic.name == "/clock").expect("a topic");
    assert_eq!(clock.dropped, 0);
    assert!(clock.delivered >= clocks.values().sum::<usize>() as u64, "{clock:?} {clocks:?}");
    assert_eq!(result.topics.iter().filter(|topic| topic.name == "/clock").count(), 1);
}

#[test]
fn each_load_of_a_world_has_a_log_of_its_own() {
    for options in ["", ";overwrite=true"] {
        let setup = Setup::new().plugins(&["clock", "diff_drive", "imu", "joint_state", "lidar", "logging"]);
        let path = root().join("worlds/minimal_vehicle.sdf");
        let config = RunConfig {
            world: Some(path.clone()),
            bridges: vec![logging(&setup, "robot", &format!("robot.jsonl{options}"))],
            search: search(&setup),
            output: setup.path("out"),
            speed: Speed::Unlimited,
            keep_alive: true,
            ..RunConfig::default()
        };
        let result = run(config, vec![path; 3]);
        let failures: Vec<_> = result.bridges.iter().map(|bridge| bridge.failure.as_str()).collect();
        assert!(failures.iter().all(|failure| failure.is_empty()), "{failures:?}");
        for name in ["robot.jsonl", "robot.part2.jsonl", "robot.part3.jsonl"] {
            assert!(setup.path("out").join(name).is_file(), "{name}{options}");
        }
    }
}

#[test]
fn a_reloaded_world_runs_although_a_bridge_fails() {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "imu", "joint_state", "lidar", "logging"]);
    let path = root().join("worlds/minimal_vehicle.sdf");
    let config = RunConfig {
        world: Some(path.clone()),
        bridges: vec![logging(&setup, "robot", "robot.jsonl")],
        search: search(&setup),
        output: setup.path("out"),
        speed: Speed::Unlimited,
        keep_alive: true,
        ..RunConfig::default()
    };
    // The log of the vehicle is a file of another process: that bridge fails, and the run continues.
    setup.file("out/robot.jsonl", "precious");
    let result = run(config, vec![path; 3]);
    assert_eq!(result.outcome, Outcome::Stopped);
    assert!(
        result.bridges.iter().any(|bridge| bridge.failure.contains("BH-BRG-112")),
        "{:?}",
        result.bridges
    );
    assert!(result.plugins.iter().all(|plugin| plugin.failure.is_empty()), "{:?}", result.plugins);
}

#[test]
fn the_worlds_for_clients_are_listed_and_load_without_warnings() {
    let folder = root().join("tests/fixtures/worlds");
    let search = sdf::SearchPath::new([folder.join("models")]);
    let library = Library::new(search, Sources { places: vec![folder], ..Sources::default() });
    let list = library.worlds(&WorldQuery::default());
    let worlds: Vec<_> = list.worlds.iter().map(|world| (&*world.name, world.tags.join(","))).collect();
    let expected = [("W1", "indoor,warehouse"), ("W2", "outdoor"), ("W3", "")];
    assert_eq!(worlds, expected.map(|(name, tags)| (name, tags.to_owned())));
    let models = library.spawnables(&[]).spawnables;
    assert_eq!(models.iter().map(|model| &*model.name).collect::<Vec<_>>(), ["crate", "pillar"]);
    let resources = list.worlds.into_iter().map(|world| world.resource);
    for resource in resources.chain(models.into_iter().map(|model| model.resource)) {
        let fetched = library.fetch(&resource, ResourceKind::World).expect("found");
        let loaded =
            sdf::load_source(&sdf::Disk, fetched.source(), library.search(), &sdf::Budget::default())
                .expect("loaded");
        let serious = |finding: &&sdf::Diagnostic| finding.severity > sdf::Severity::Note;
        assert_eq!(loaded.diagnostics.iter().find(serious), None, "{}", resource.uri);
    }
    let text = fs::read_to_string(root().join("tests/fixtures/worlds/W1.sdf")).expect("a text");
    let first = sdf::parse_str("W1", &text).expect("loaded").world;
    let names: Vec<&str> = first.models.iter().map(|model| model.name.as_str()).collect();
    assert_eq!(names, ["ground", "wall", "box_a", "box_b"]);
}
