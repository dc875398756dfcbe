//! Tests of entities that are added and removed between steps, with their plugins, topics and bridges, in a run inside
//! this process.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bridgehead_host::api::Shared;
use bridgehead_host::bus::Topic;
use bridgehead_host::clock::Speed;
use bridgehead_host::config::{RunConfig, bridge_argument};
use bridgehead_host::plugin::SearchPath;
use bridgehead_host::report::{RunResult, StartProgress, Status, Watcher};
use bridgehead_host::sim::{LoadedWorld, NoController, Simulation};
use bridgehead_host::world::entities::{Placement, SpawnRequest, SpawnSource};
use bridgehead_lifecycle::{AfterReset, Cause, Interrupt, Request, ResetRequest, ResetScope, StartIn, State};
use bridgehead_sdf::pose::{DVec3, Pose};
use tempfile::TempDir;

use crate::support::{Line, Setup, fixture, plugin, read_lines};

/// A vehicle that publishes a message on `imu` in every step.
fn vehicle(name: &str, x: f64) -> String {
    format!(
        "<model name='{name}'><pose>{x} 0 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box>
        </geometry></collision><sensor name='s' type='imu'/></link></model>"
    )
}

fn world(models: &str) -> String {
    format!(
        "<sdf version='1.9'><world name='yard'><model name='ground'><static>true</static><link name='l'><collision name='c'>
        <geometry><plane/></geometry></collision></link></model>{models}</world></sdf>"
    )
}

/// Deadline of the start of a plugin: the first step after a pause waits that long for one that hangs.
const START_TIMEOUT: Duration = Duration::from_secs(10);

struct NoWatcher;

impl Watcher for NoWatcher {
    fn starting(&mut self, _: &StartProgress) {}
    fn status(&mut self, _: &Status) {}
}

/// A run that is paused after the load, and its folder.
struct Run {
    simulation: Simulation,
    shared: Arc<Shared>,
    folder: TempDir,
}

impl Run {
    fn new(sdf: &str, libraries: &[PathBuf], bridges: &[&str]) -> Self {
        let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
        let plugins = folder.path().join("plugins");
        fs::create_dir(&plugins).expect("a folder");
        for library in libraries {
            fs::copy(library, plugins.join(library.file_name().expect("a name"))).expect("copied");
        }
        let file = folder.path().join("world.sdf");
        fs::write(&file, sdf).expect("written");
        let bridge = |text: &&str| {
            let text = text.replace("HERE", &folder.path().to_string_lossy());
            bridge_argument(text.as_ref()).expect("a bridge")
        };
        let mut search = SearchPath::new();
        search.add(bridgehead_host::plugin::Origin::CommandLine, plugins);
        let config = RunConfig {
            world: Some(file),
            bridges: bridges.iter().map(bridge).collect(),
            search,
            speed: Speed::Unlimited,
            start: StartIn::Paused,
            output: folder.path().to_owned(),
            start_timeout: START_TIMEOUT,
            ..RunConfig::default()
        };
        let shared = Shared::new(0);
        let mut simulation = Simulation::new(config, Arc::clone(&shared)).expect("a run");
        simulation.begin().expect("begins");
        let mut run = Run { simulation, shared, folder };
        run.until(|simulation| simulation.state() == State::Pause);
        run
    }

    /// Advances the run until a condition is true. Each turn of a paused run takes some milliseconds.
    #[track_caller]
    fn until(&mut self, is_so: impl Fn(&Simulation) -> bool) {
        for _ in 0..20_000 {
            if is_so(&self.simulation) {
                return;
            }
            assert!(self.simulation.advance(&mut NoWatcher, &mut NoController), "the run has ended");
        }
        panic!(
            "the run is in state {} at step {}",
            self.simulation.state().name(),
            self.simulation.now().step
        );
    }

    fn request(&mut self, interrupt: Interrupt) {
        self.shared.requests.push(Request::new(interrupt, Cause::CommandLine));
        assert!(self.simulation.advance(&mut NoWatcher, &mut NoController));
    }

    #[track_caller]
    fn steps(&mut self, count: u64) {
        let end = self.simulation.now().step + count;
        self.request(Interrupt::Step(count));
        self.until(|simulation| simulation.now().step == end && simulation.state() == State::Pause);
    }

    #[track_caller]
    fn reset(&mut self, scope: ResetScope) {
        let epoch = self.shared.clock.read().0.reset_epoch;
        self.request(Interrupt::Reset(ResetRequest { scope, then: AfterReset::Keep }));
        let shared = Arc::clone(&self.shared);
        self.until(|simulation| {
            shared.clock.read().0.reset_epoch > epoch && simulation.state() == State::Pause
        });
    }

    fn spawn(&mut self, text: &str, namespace: &str) -> String {
        let request = SpawnRequest {
            source: SpawnSource::Text { text: text.to_owned(), folder: None },
            placement: Placement {
                name: String::new(),
                allow_renaming: false,
                namespace: namespace.to_owned(),
                pose: Pose::from_position(DVec3::new(5.0, 0.0, 0.5)),
                frame: String::new(),
            },
        };
        self.simulation.spawn(&request).expect("spawned")
    }

    /// Waits until a topic exists and has a listener, and all plugins except `hanging` have started.
    #[track_caller]
    fn wait_for_topic(&mut self, topic: &str, hanging: &[&str]) {
        let shared = Arc::clone(&self.shared);
        let has_listener =
            |known: &Arc<Topic>| known.name == topic && known.listeners.load(Ordering::Relaxed) > 0;
        self.until(|run| {
            run.loaded().into_iter().flat_map(LoadedWorld::starting_plugins).eq(hanging.iter().copied())
                && shared.bus.all().iter().any(has_listener)
        });
    }

    fn topics(&self) -> Vec<String> {
        self.shared.bus.all().iter().map(|topic| topic.name.clone()).collect()
    }

    fn hash(&self) -> u64 {
        self.simulation.world().expect("a world").state_hash()
    }

    /// Ends the run and returns its result and its log.
    fn finish(mut self, log: &str) -> (RunResult, Vec<Line>) {
        self.shared.requests.push(Request::new(Interrupt::Quit, Cause::CommandLine));
        while self.simulation.advance(&mut NoWatcher, &mut NoController) {}
        let result = self.simulation.finish();
        (result, read_lines(&self.folder.path().join(log)))
    }
}

fn libraries() -> Vec<PathBuf> {
    vec![fixture("slow_starter"), plugin("imu"), plugin("logging")]
}

fn count(log: &[Line], topic: &str) -> usize {
    log.iter().filter(|line| line.is_topic(topic)).count()
}

#[test]
fn a_spawned_vehicle_publishes_in_its_namespace_through_its_bridge_until_it_is_deleted() {
    let mut run = Run::new(&world(""), &libraries(), &["*=logging:HERE/log.jsonl"]);
    assert_eq!(run.spawn(&vehicle("guest", 0.0), "/fleet/robot1"), "guest");
    run.wait_for_topic("/fleet/robot1/guest/imu", &[]);
    run.steps(10);
    run.simulation.delete("guest").expect("deleted");
    assert_eq!(run.topics(), Vec::<String>::new());
    run.steps(10);
    let (result, log) = run.finish("log.jsonl");
    assert_eq!(result.errors, Vec::<String>::new());
    assert_eq!(count(&log, "/fleet/robot1/guest/imu"), 10);
    assert!(result.plugins.iter().any(|plugin| plugin.label == "guest/l/s" && plugin.failure.is_empty()));
    assert!(result.bridges.iter().any(|bridge| bridge.label == "guest/logging" && bridge.was_connected));
}

#[test]
fn a_complete_reset_restores_a_deleted_vehicle_with_its_plugins_and_bridges() {
    let models = [vehicle("car1", 0.0), vehicle("car2", 3.0)].concat();
    let mut run = Run::new(&world(&models), &libraries(), &["*=logging:HERE/log.jsonl"]);
    let hashes = |run: &mut Run| -> Vec<u64> {
        (0..5)
            .map(|_| {
                run.steps(1);
                run.hash()
            })
            .collect()
    };
    let first = hashes(&mut run);
    for _ in 0..3 {
        run.simulation.delete("car1").expect("deleted");
        run.spawn(&vehicle("guest", 0.0), "");
        run.wait_for_topic("/guest/imu", &[]);
        assert_eq!(run.topics(), ["/car2/imu", "/tf_static", "/guest/imu"]);
        run.steps(2);
        run.reset(ResetScope::ALL);
        assert_eq!(run.topics(), ["/car1/imu", "/tf_static", "/car2/imu", "/tf_static"]);
        assert_eq!(hashes(&mut run), first);
    }
    let (result, log) = run.finish("log.jsonl");
    assert_eq!(result.errors, Vec::<String>::new());
    assert_eq!((count(&log, "/car1/imu"), count(&log, "/car2/imu")), (20, 26));
    let labels: Vec<_> = result.plugins.iter().map(|plugin| plugin.label.as_str()).collect();
    assert_eq!(labels, ["car1/l/s", "guest/l/s", "car2/l/s"]);
}

/// A vehicle with a plugin that takes long to start, in one of the ways of the fixture.
fn slow_starter(name: &str, how: &str) -> String {
    vehicle(name, 0.0).replace(
        "</model>",
        &format!(
            "<plugin filename='slow_starter' name='s'><how>{how}</how><delay_ms>300</delay_ms></plugin></model>"
        ),
    )
}

#[test]
fn a_step_after_a_pause_waits_for_plugins_of_a_spawned_vehicle_until_their_deadline() {
    let mut run = Run::new(&world(""), &libraries(), &["*=logging:HERE/log.jsonl"]);
    run.spawn(&slow_starter("slow", "late"), "");
    run.steps(5);
    run.spawn(&slow_starter("hangs", "blocks"), "");
    run.steps(5);
    run.simulation.delete("hangs").expect("deleted");
    run.simulation.delete("slow").expect("deleted");
    let (result, log) = run.finish("log.jsonl");
    assert_eq!((count(&log, "/slow/imu"), count(&log, "/hangs/imu")), (10, 5));
    // A hanging plugin is late, left behind and reported.
    let is_expected = |(code, error): (&str, &String)| error.contains(code) && error.contains("hangs/s");
    assert_eq!(result.errors.len(), 2, "{:?}", result.errors);
    assert!(
        ["BH-PLG-098", "BH-PLG-092"].into_iter().zip(&result.errors).all(is_expected),
        "{:?}",
        result.errors
    );
}

#[test]
fn a_run_that_is_not_paused_does_not_wait_for_plugins_of_a_spawned_vehicle() {
    let mut run = Run::new(&world(""), &libraries(), &["*=logging:HERE/log.jsonl"]);
    run.request(Interrupt::Resume);
    run.until(|simulation| simulation.now().step > 5);
    run.spawn(&slow_starter("hangs", "blocks"), "");
    let now = run.simulation.now().step;
    run.until(|simulation| simulation.now().step > now + 20);
    run.simulation.delete("hangs").expect("deleted");
    let (result, _) = run.finish("log.jsonl");
    assert!(
        matches!(&result.errors[..], [error] if error.contains("BH-PLG-092") && error.contains("hangs/s")),
        "{:?}",
        result.errors
    );
}

/// Set in the process that runs only this one test.
const ALONE: &str = "BRIDGEHEAD_TEST_ALONE";

/// Runs in its own process, so that the memory of other tests does not count.
#[test]
fn spawning_and_deleting_leaks_no_memory_or_threads() {
    if std::env::var_os(ALONE).is_some() {
        return spawn_and_delete_repeatedly();
    }
    let name = "entities::spawning_and_deleting_leaks_no_memory_or_threads";
    let program = std::env::current_exe().expect("the path of the test program");
    let output = std::process::Command::new(program)
        .args(["--exact", name, "--nocapture"])
        .env(ALONE, "1")
        .output()
        .expect("the test program runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn spawn_and_delete_repeatedly() {
    let mut run = Run::new(&world(&vehicle("car1", 0.0)), &libraries(), &["*=logging:HERE/log.jsonl"]);
    let cycle = |run: &mut Run| {
        run.spawn(&vehicle("guest", 0.0), "");
        run.wait_for_topic("/guest/imu", &[]);
        run.steps(2);
        run.simulation.delete("guest").expect("deleted");
        run.spawn(&vehicle("guest", 0.0), "");
        run.simulation.delete("car1").expect("deleted");
        run.reset(ResetScope::ALL);
    };
    (0..20).for_each(|_| cycle(&mut run));
    let (threads, bytes) = (threads(), resident());
    (0..200).for_each(|_| cycle(&mut run));
    let grown = resident() - bytes;
    assert!(self::threads() <= threads + 2);
    assert!(grown < 12 << 20, "grew by {grown} bytes");
    let (result, _) = run.finish("log.jsonl");
    assert_eq!(result.errors, Vec::<String>::new());
    assert_eq!((result.plugins.len(), result.bridges.len()), (2, 3));
}

/// Returns the number of threads of this process that belong to the run.
fn threads() -> usize {
    let names = fs::read_dir("/proc/self/task")
        .expect("linux")
        .filter_map(|task| fs::read_to_string(task.ok()?.path().join("comm")).ok());
    names.filter(|name| ["start:", "main:", "tx:", "rx:"].iter().any(|kind| name.starts_with(kind))).count()
}

fn resident() -> i64 {
    let text = fs::read_to_string("/proc/self/statm").expect("linux");
    let pages: i64 = text.split(' ').nth(1).and_then(|pages| pages.parse().ok()).expect("a number");
    pages * 4096
}

/// A world in which a plugin spawns a vehicle in the first step.
fn spawning(folder: &Path) -> String {
    let file = folder.join("guest.sdf");
    fs::write(&file, vehicle("guest", 0.0)).expect("written");
    world(&format!("<plugin filename='spawner' name='s'><file>{}</file></plugin>", file.display()))
}

#[test]
fn entities_spawned_by_a_plugin_have_plugins_and_bridges_also_after_a_restore() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let setup = || {
        let setup = Setup::new().in_real_time().fixtures(&["spawner"]).plugins(&["imu", "logging"]);
        setup.world(&spawning(folder.path())).bridge("*=logging:log.jsonl")
    };
    let snapshot = folder.path().join("here.snapshot");
    let finished = setup().args(["--duration", "3s", "--snapshot"]).arg(&snapshot).finish().expect_code(0);
    let first = count(&finished.log("log.jsonl"), "/spawned/imu");
    // The run does not wait for the start of the plugins.
    assert!((1..=3000).contains(&first), "{first}");
    let finished = setup().args(["--duration", "3.5s", "--restore"]).arg(&snapshot).finish().expect_code(0);
    finished.expect_silence("BH-SIM-225");
    assert_eq!(count(&finished.log("log.jsonl"), "/spawned/imu"), 500);
}

#[test]
fn sensors_and_plugins_of_the_configuration_apply_to_spawned_vehicles_too() {
    let folder = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let car = vehicle("car1", 5.0).replace("</model>", "<link name='mast'/></model>");
    let sdf = spawning(folder.path()).replace("</world>", &format!("{car}</world>"));
    let run = |config: &str| {
        let setup = Setup::new().in_real_time().fixtures(&["spawner"]);
        let setup = setup.plugins(&["imu", "logging", "velocity_control"]);
        let setup = setup.world(&sdf).bridge("*=logging:log.jsonl").config(config);
        setup.args(["--duration", "3s"]).finish().expect_code(0)
    };
    let finished = run("[[sensor]]\nattach = '*'\nname = 'top'\ntype = 'imu'\ntopic = 'top'
        [[sensor]]\nattach = '*'\nname = 'tip'\ntype = 'imu'\nparent = 'top'\ntopic = 'tip'
        [[plugin]]\nattach = '[cs]*'\nplugin = 'velocity_control'\nname = 'motion'\n");
    let log = finished.log("log.jsonl");
    for topic in ["imu", "top", "tip"] {
        assert!(count(&log, &format!("/spawned/{topic}")) > 0, "{topic}: {finished}");
        assert_eq!(count(&log, &format!("/car1/{topic}")), 3000, "{topic}: {finished}");
    }
    for vehicle in ["car1", "spawned"] {
        assert_eq!(
            finished.reported("plugins", &format!("{vehicle}/motion"))["failure"],
            serde_json::Value::Null
        );
    }
    assert_eq!(finished.result()["errors"], serde_json::json!([]));
    // The guest lacks the mast of the car; this is reported, and the guest is spawned anyway.
    let finished =
        run("[[sensor]]\nattach = '*'\nname = 'top'\ntype = 'imu'\nlink = 'mast'\ntopic = 'top'\n");
    let log = finished.log("log.jsonl");
    assert!(count(&log, "/spawned/imu") > 0 && count(&log, "/spawned/top") == 0);
    let errors = finished.result()["errors"].to_string();
    assert!(errors.contains("BH-SIM-212") && errors.contains("spawned"), "{errors}");
}
