//! Runs that continue from a snapshot in another process.

mod returning;
mod systems;

use std::fs;
use std::path::PathBuf;

use serde_json::json;

use crate::http::Client;
use crate::support::{Finished, Line, Setup, worlds};

/// A stack that falls over, and a pendulum.
const WORLD: &str = "<sdf version='1.9'><world name='yard'>
    <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
    <model name='low'><pose>0 0 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
    <model name='high'><pose>0.4 0.2 1.6 0.1 0.2 0.3</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
    <model name='pendulum'><pose>5 0 3 0 1 0</pose><link name='rod'><pose>0 0 -1 0 0 0</pose></link>
      <joint name='hinge' type='revolute'><pose>0 0 1 0 0 0</pose><parent>world</parent><child>rod</child>
      <axis><xyz>0 1 0</xyz></axis></joint></model>
    </world></sdf>";

/// Runs the world with these arguments. Returns the lines of its hash log: step, time and hash.
fn hashes(duration: &str, prepare: impl FnOnce(Setup) -> Setup) -> (Finished, Vec<String>) {
    let setup = Setup::new().world(WORLD).args(["--duration", duration, "--hash-log", "hashes.txt"]);
    let finished = prepare(setup).finish().expect_code(0);
    let text = fs::read_to_string(finished.path("hashes.txt")).expect("a hash log");
    (finished, text.lines().map(str::to_owned).collect())
}

/// Takes a snapshot after two seconds. The returned run keeps the folder of the snapshot alive.
fn snapshot_at_2s() -> (Finished, PathBuf) {
    let (finished, _) = hashes("2s", |setup| setup.args(["--snapshot", "at_2s.snapshot"]));
    let path = finished.path("at_2s.snapshot");
    (finished, path)
}

#[test]
fn a_run_restored_from_a_snapshot_equals_an_uninterrupted_run() {
    let (_whole, whole) = hashes("12s", |setup| setup);
    let (_first, snapshot) = snapshot_at_2s();
    let (_rest, rest) = hashes("12s", |setup| setup.arg("--restore").arg(&snapshot));
    assert_eq!((whole.len(), rest.len()), (12_000, 10_000));
    let first = whole.iter().skip(2_000).zip(&rest).find(|(whole, rest)| whole != rest);
    assert_eq!(first, None);
}

#[test]
fn a_snapshot_that_a_client_asks_for_leaves_the_run_as_it_is_and_continues_it() {
    let (_whole, whole) = hashes("3s", |setup| setup);
    let setup = Setup::new().world(WORLD).args(["--hash-log", "hashes.txt", "--http", "127.0.0.1:0"]);
    let mut running = setup.args(["--start", "paused", "--duration", "3s"]).start();
    let client = Client::of(&mut running);
    crate::http::wait_for_state(&client, "Pause");
    client.call("step_simulation", &json!({ "steps": 2000 }));
    let answer = client.call("save_snapshot", &json!({ "path": "at_2s.snapshot" }));
    assert_eq!(answer["result"]["result"], 1, "{answer}");
    client.post("/api/resume", "").expect(200);
    let finished = running.finish().expect_code(0);
    let text = fs::read_to_string(finished.path("hashes.txt")).expect("a hash log");
    assert!(text.lines().eq(&whole), "the snapshot has changed the run");
    let snapshot = finished.path("out/at_2s.snapshot");
    assert_eq!(answer["path"], json!(snapshot.display().to_string()));
    let (_rest, rest) = hashes("3s", |setup| setup.arg("--restore").arg(&snapshot));
    assert!(whole.iter().skip(2000).eq(&rest), "the restored run differs");
}

#[test]
fn an_invalid_snapshot_ends_the_run_before_it_starts() {
    let (first, snapshot) = snapshot_at_2s();
    let bytes = fs::read(&snapshot).expect("a snapshot");
    let run = |name: &str, content: &[u8], sdf: &str| {
        let setup = Setup::new();
        let path = setup.file(name, content);
        setup.world(sdf).args(["--duration", "3s", "--restore"]).arg(path).finish()
    };
    run("garbage", b"hello", WORLD).expect_code(1).expect_message(&["BH-SIM-220", "garbage"]);
    run("cut", &bytes[..bytes.len() / 2], WORLD).expect_code(1).expect_message(&["BH-SIM-220"]);
    let other = WORLD.replace("name='high'", "name='tall'");
    run("other", &bytes, &other).expect_code(1).expect_message(&["BH-SIM-221", "`high`", "`tall`"]);
    let finer = WORLD.replace(
        "<model name='ground'>",
        "<physics name='p' type='x'><max_step_size>0.002</max_step_size></physics><model name='ground'>",
    );
    run("finer", &bytes, &finer).expect_code(1).expect_message(&["BH-SIM-221", "0.001 s long", "0.002 s"]);
    for cut in [bytes.len() - 1, bytes.len() - 10, 20, 7] {
        run("cut", &bytes[..cut], WORLD).expect_code(1).expect_message(&["BH-SIM-220", "cut"]);
    }
    run("longer", &[bytes.as_slice(), b"x"].concat(), WORLD).expect_code(1).expect_message(&["BH-SIM-220"]);
    let mut old = bytes.clone();
    old[7] = 1;
    run("old", &old, WORLD).expect_code(1).expect_message(&["BH-SIM-220", "another version"]);
    let seeded =
        Setup::new().world(WORLD).args(["--duration", "3s", "--seed", "7", "--restore"]).arg(&snapshot);
    seeded.finish().expect_code(1).expect_message(&["BH-SIM-221", "`--seed 0`", "seed 7"]);
    let absent = Setup::new().world(WORLD).args(["--duration", "3s", "--restore", "absent"]).finish();
    absent.expect_code(1).expect_message(&["BH-SIM-220", "absent"]);
    drop(first);
}

/// The step at which the snapshot of a vehicle run is taken.
const SNAPSHOT_STEP: usize = 2500;

/// All plugins of the tested worlds.
const PLUGINS: [&str; 15] = [
    "ackermann",
    "battery",
    "clock",
    "contact",
    "diff_drive",
    "entities",
    "environment",
    "imu",
    "joint_control",
    "joint_state",
    "lidar",
    "navsat",
    "velocity_control",
    "world_edit",
    "replay",
];

/// Runs a world of `worlds` with recorded commands for its vehicles, and logs all messages.
fn drive(name: &str, duration: &str, prepare: impl FnOnce(Setup) -> Setup) -> Finished {
    let recording = worlds().join(format!("{name}.commands.jsonl"));
    let setup =
        Setup::new().plugins(&PLUGINS).plugins(&["logging"]).run(&worlds().join(format!("{name}.sdf")));
    let vehicles: &[&str] = if name == "two_vehicles" { &["car1", "car2"] } else { &[name] };
    let setup = vehicles.iter().fold(setup, |setup, vehicle| {
        setup.bridge(format!("{vehicle}=replay:{};topics=/{vehicle}/*", recording.display()))
    });
    let setup =
        setup.args(["--duration", duration, "--hash-log", "hashes.txt"]).bridge("*=logging:messages.jsonl");
    prepare(setup).finish().expect_code(0)
}

/// The messages after the snapshot, without sequence numbers, which count from the start of a process.
fn messages(finished: &Finished) -> Vec<(String, u64, String)> {
    let message = |line: Line| {
        let step = line.count("step");
        (step > SNAPSHOT_STEP as u64)
            .then(|| (line.text("topic").to_owned(), step, line.0["message"].to_string()))
    };
    finished.log("messages.jsonl").into_iter().filter_map(message).collect()
}

/// Fails unless a run in two parts has the same messages and states as one in a single part. `run` receives the
/// duration and further settings.
fn expect_equal_runs(what: &str, run: impl Fn(&str, &dyn Fn(Setup) -> Setup) -> Finished) {
    let whole = run("6s", &|setup| setup);
    let first = run("2.5s", &|setup| setup.args(["--snapshot", "here.snapshot"]));
    first.expect_silence("BH-SIM-223");
    let snapshot = first.path("here.snapshot");
    let rest = run("6s", &|setup| setup.arg("--restore").arg(&snapshot));
    rest.expect_silence("BH-SIM-224");
    let hashes = |finished: &Finished| fs::read_to_string(finished.path("hashes.txt")).expect("hashes");
    let whole_hashes: Vec<String> = hashes(&whole).lines().skip(SNAPSHOT_STEP).map(str::to_owned).collect();
    let (whole, rest, rest_hashes) = (messages(&whole), messages(&rest), hashes(&rest));
    let first = whole.iter().zip(&rest).find(|(whole, rest)| whole != rest);
    assert_eq!((whole.len(), first), (rest.len(), None), "{what}");
    assert_eq!(whole_hashes, rest_hashes.lines().collect::<Vec<_>>(), "{what}");
    assert!(whole.len() > 500, "{what}: only {} messages", whole.len());
}

#[test]
fn restored_vehicle_runs_equal_uninterrupted_runs() {
    for name in ["arm", "car", "two_vehicles"] {
        expect_equal_runs(name, |duration, prepare| drive(name, duration, prepare));
    }
}

/// A world with the plugins that have state and are not used in `worlds`.
const REST: &str = "<sdf version='1.9'><world name='yard'>
    <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
    <model name='probe'><pose>0 0 30 0 0 0</pose><link name='l'>
        <collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision>
        <sensor name='altimeter' type='altimeter'><topic>height</topic></sensor>
        <sensor name='imu' type='imu'><topic>imu</topic><update_rate>30</update_rate></sensor></link>
      <plugin filename='touch' name='touch'><target>ground</target><namespace>probe</namespace><time>0.5</time><enabled>true</enabled></plugin></model>
    <model name='sledge'><pose>9 0 1 0 0 0</pose><link name='l'><gravity>false</gravity></link>
      <plugin filename='velocity_control' name='motion'><initial_linear>0.2 0 0</initial_linear><initial_angular>0 0 0.1</initial_angular></plugin></model>
    <model name='pendulum'><pose>5 0 3 0 1 0</pose><link name='rod'><pose>0 0 -1 0 0 0</pose></link>
      <joint name='hinge' type='revolute'><pose>0 0 1 0 0 0</pose><parent>world</parent><child>rod</child>
        <axis><xyz>0 1 0</xyz></axis></joint>
      <plugin filename='joint_position' name='servo'><joint_name>hinge</joint_name><initial_position>0.5</initial_position>
        <p_gain>30</p_gain><i_gain>9</i_gain><d_gain>5</d_gain><i_max>20</i_max><i_min>-20</i_min></plugin>
      <plugin filename='battery' name='battery'><voltage>12</voltage><capacity>0.01</capacity><power_load>90</power_load>
        <start_draining>true</start_draining></plugin></model>
    <model name='spinner'><pose>-5 0 3 0 0 0</pose><link name='rod'/>
      <joint name='axle' type='revolute'><parent>world</parent><child>rod</child><axis><xyz>0 0 1</xyz></axis></joint>
      <plugin filename='joint_velocity' name='drive'><joint_name>axle</joint_name><initial_velocity>2</initial_velocity>
        <use_force_commands>true</use_force_commands><p_gain>0.2</p_gain><i_gain>0.1</i_gain></plugin></model>
    <model name='crate'><pose>0 20 10 0 0 0</pose><link name='l'/></model>
    <model name='crane'><pose>0 20 12 0 0 0</pose><link name='hook'/>
      <joint name='fixed' type='fixed'><parent>world</parent><child>hook</child></joint>
      <plugin filename='detachable_joint' name='grip'><parent_link>hook</parent_link><child_model>crate</child_model>
        <child_link>l</child_link><detach_topic>/let_go</detach_topic></plugin></model>
    </world></sdf>";

#[test]
fn all_other_plugins_with_state_continue_from_a_snapshot() {
    expect_equal_runs("other plugins", |duration, prepare| {
        let setup = Setup::new().plugins(&PLUGINS).plugins(&["logging"]);
        setup.file(
            "let_go.jsonl",
            r#"{"vehicle":"crane","topic":"/let_go","type":"std_msgs/msg/Empty","step":4000,"message":{}}"#,
        );
        let setup = setup.world(REST).args(["--duration", duration, "--hash-log", "hashes.txt"]);
        let setup = setup.bridge("crane=replay:let_go.jsonl").bridge("*=logging:messages.jsonl");
        let finished = prepare(setup).finish().expect_code(0);
        finished.expect_silence("warning[");
        finished
    });
}

/// A message that is published in the last step before the snapshot is not delivered yet when the snapshot is taken.
#[test]
fn an_undelivered_message_is_delivered_in_the_restored_run() {
    let world = "<sdf version='1.9'><world name='yard'>
        <model name='drone'><pose>0 9 0 0 0 0</pose><link name='l'/>
          <plugin filename='triggered_publisher' name='late'>
            <input type='gz.msgs.Empty' topic='/go'/><delay_ms>90</delay_ms>
            <output type='gz.msgs.Empty' topic='/drop'/></plugin>
          <plugin filename='breadcrumbs' name='crumbs'>
            <topic>/drop</topic>
            <breadcrumb><sdf version='1.9'><model name='crumb'><pose>0 2 1 0 0 0</pose>
              <link name='l'/></model></sdf></breadcrumb></plugin></model></world></sdf>";
    let run = |duration: &str, prepare: &dyn Fn(Setup) -> Setup| {
        let setup = Setup::new().plugins(&["world_edit", "triggered_publisher", "replay"]);
        setup.file(
            "go.jsonl",
            r#"{"vehicle":"drone","topic":"/go","type":"std_msgs/msg/Empty","step":10,"message":{}}"#,
        );
        let setup = setup.world(world).bridge("drone=replay:go.jsonl").args(["--duration", duration]);
        prepare(setup).finish().expect_code(0)
    };
    // The message is triggered in step 10, published in step 100, received in step 101; the model exists in step 102.
    for steps in [99, 100, 101, 102] {
        let first =
            run(&format!("{steps}ms"), &|setup| setup.args(["--snapshot", "s", "--save", "saved.sdf"]));
        let text = fs::read_to_string(first.path("saved.sdf")).expect("a saved world");
        assert_eq!(text.contains("crumb_0"), steps == 102, "{steps} {text}");
        let snapshot = first.path("s");
        let rest = run("200ms", &|setup| setup.args(["--save", "saved.sdf", "--restore"]).arg(&snapshot));
        let text = fs::read_to_string(rest.path("saved.sdf")).expect("a saved world");
        assert!(text.contains("crumb_0") && !text.contains("crumb_1"), "{steps} {text}");
    }
}

#[test]
fn a_plugin_that_cannot_save_its_state_is_logged_and_reset() {
    let world = "<sdf version='1.9'><world name='yard'><model name='box'><link name='l'/>
        <plugin filename='producer' name='tally'><bytes>8</bytes><count>1</count></plugin></model></world></sdf>";
    let setup = || Setup::new().fixtures(&["producer"]).plugins(&["clock"]);
    let listed = {
        let setup = setup();
        let folder = setup.plugin_folder();
        setup.args(["plugin", "list", "--plugin-path"]).arg(folder).finish().expect_code(0).stdout()
    };
    let row = |name: &str| listed.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert!(row("NAME").contains("RESTORE") && row("producer").contains("reset"), "{listed}");
    assert!(row("clock").contains("exact"), "{listed}");
    let first = setup().world(world).args(["--duration", "10ms", "--snapshot", "s"]).finish().expect_code(0);
    let first = first.expect_message(&["BH-SIM-223", "box/tally"]);
    let snapshot = first.path("s");
    let rest = setup().world(world).args(["--duration", "20ms", "--restore"]).arg(&snapshot);
    rest.finish().expect_code(0);
}

/// Runs a plugin that fails in one of its calls for state, for 10 steps and then from the snapshot to step 20. Returns
/// both runs and the last count of the plugin.
fn count_after(fails: &str, prepare: impl Fn(&str) -> String) -> (Finished, Finished, Option<f64>) {
    let world = format!(
        "<sdf version='1.9'><world name='yard'><model name='box'><link name='l'/>
         <plugin filename='forgetful' name='tally'><fails>{fails}</fails></plugin></model></world></sdf>"
    );
    let setup = || Setup::new().fixtures(&["forgetful"]).plugins(&["logging"]);
    let first = setup().world(&world).args(["--duration", "10ms", "--snapshot", "s"]).finish().expect_code(0);
    let snapshot = first.path("s");
    let rest = setup().world(&prepare(&world)).args(["--duration", "20ms", "--restore"]).arg(&snapshot);
    let rest = rest.bridge("*=logging:messages.jsonl").finish();
    let mut counts = rest.log("messages.jsonl").into_iter().filter(|line| line.is_topic("/box/count"));
    let last = counts.next_back().map(|line| line.number("/message/data"));
    (first, rest, last)
}

#[test]
fn a_plugin_that_fails_to_save_or_load_its_state_is_logged_and_reset() {
    let same = |world: &str| world.to_owned();
    assert_eq!(count_after("", same).2, Some(20.0));
    let (first, _rest, count) = count_after("save", same);
    first.expect_message(&["BH-SIM-223", "box/tally", "it fails in save"]);
    assert_eq!(count, Some(10.0));
    let (_first, rest, count) = count_after("load", same);
    rest.expect_code(0).expect_message(&["BH-SIM-224", "box/tally", "it fails in load"]);
    assert_eq!(count, Some(10.0));
    let (_first, rest, count) = count_after("load_and_reset", same);
    let rest = rest.expect_message(&["BH-SIM-224", "box/tally"]).expect_message(&["BH-PLG-095", "box/tally"]);
    assert_eq!((rest.code(), count), (Some(16), None), "{rest}");
}

/// A plugin is not called any more after a panic, except to destroy it; the next call must not be blamed.
#[test]
fn a_panic_while_a_state_is_saved_or_loaded_is_attributed_to_that_call() {
    let same = |world: &str| world.to_owned();
    let failure = |finished: &Finished| finished.reported("plugins", "box/tally")["failure"].to_string();
    let (first, _rest, count) = count_after("panics_in_save", same);
    let first = first.expect_message(&["BH-SIM-223", "box/tally", "panics in save"]);
    assert!(failure(&first).contains("`save` failed"), "{first}");
    first.expect_silence("error[BH-PLG-095]");
    assert_eq!(count, Some(10.0), "it begins as after a reset");
    let (_first, rest, count) = count_after("panics_in_load", same);
    let rest = rest.expect_code(0).expect_message(&["BH-SIM-224", "box/tally", "it is disabled"]);
    let rest = rest.expect_message(&["BH-PLG-095", "box/tally", "`load` failed", "panics in load"]);
    assert!(failure(&rest).contains("`load` failed"), "{rest}");
    assert_eq!(count, None, "it is not called any more");
}

#[test]
fn plugins_that_are_only_in_the_run_or_only_in_the_snapshot_are_logged() {
    let (_first, rest, count) = count_after("", |world| world.replace("'tally'", "'sum'"));
    let missing = "plugin `box/tally` is in the snapshot but not in this run";
    let rest = rest.expect_code(0).expect_message(&["BH-SIM-225", missing]);
    rest.expect_message(&["BH-SIM-225", "plugin `box/sum` is in this run but not in the snapshot"]);
    assert_eq!(count, Some(10.0));
}

#[test]
fn latched_messages_stay_latched_in_a_restored_run() {
    let run = |duration: &str, prepare: &dyn Fn(Setup) -> Setup| {
        let setup = Setup::new().plugins(&PLUGINS).plugins(&["logging"]).world(REST);
        prepare(setup.args(["--duration", duration]).bridge("*=logging:messages.jsonl"))
            .finish()
            .expect_code(0)
    };
    let first = run("1s", &|setup| setup.args(["--snapshot", "s"]));
    let snapshot = first.path("s");
    let rest = run("1.5s", &|setup| setup.arg("--restore").arg(&snapshot));
    let states = |finished: &Finished| -> Vec<(String, u64)> {
        let lines = finished.log("messages.jsonl");
        let states = lines.iter().filter(|line| line.is_topic("/crane/detachable_joint/state"));
        states.map(|line| (line.0["message"]["data"].to_string(), line.count("step"))).collect()
    };
    assert_eq!((states(&first).len(), states(&first)), (1, states(&rest)));
    let numbers: Vec<u64> = rest
        .log("messages.jsonl")
        .iter()
        .filter(|line| line.is_topic("/probe/imu"))
        .map(|line| line.count("seq"))
        .collect();
    assert_eq!(numbers.first(), Some(&30), "30 samples were taken before: {numbers:?}");
}
