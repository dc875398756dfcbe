//! Runs that go on from a snapshot, in a process of their own.

use std::fs;
use std::path::PathBuf;

use crate::support::{Finished, Setup};

/// A stack that falls over, and a pendulum.
const WORLD: &str = "<sdf version='1.9'><world name='yard'>
    <model name='ground'><static>true</static><link name='l'><collision name='c'><geometry><plane/></geometry></collision></link></model>
    <model name='low'><pose>0 0 0.5 0 0 0</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
    <model name='high'><pose>0.4 0.2 1.6 0.1 0.2 0.3</pose><link name='l'><collision name='c'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>
    <model name='pendulum'><pose>5 0 3 0 1 0</pose><link name='rod'><pose>0 0 -1 0 0 0</pose></link>
      <joint name='hinge' type='revolute'><pose>0 0 1 0 0 0</pose><parent>world</parent><child>rod</child>
      <axis><xyz>0 1 0</xyz></axis></joint></model>
    </world></sdf>";

/// Runs the world with these arguments and gives the lines of its hash log: step, time and hash.
fn hashes(duration: &str, prepare: impl FnOnce(Setup) -> Setup) -> (Finished, Vec<String>) {
    let setup = Setup::new().world(WORLD).args(["--duration", duration, "--hash-log", "hashes.txt"]);
    let finished = prepare(setup).finish().expect_code(0);
    let text = fs::read_to_string(finished.path("hashes.txt")).expect("a hash log");
    (finished, text.lines().map(str::to_owned).collect())
}

/// Takes a snapshot after two seconds. The run that is given keeps its folder alive.
fn taken() -> (Finished, PathBuf) {
    let (finished, _) = hashes("2s", |setup| setup.args(["--snapshot", "at_2s.snapshot"]));
    let path = finished.path("at_2s.snapshot");
    (finished, path)
}

#[test]
fn a_run_goes_on_from_a_snapshot_as_if_it_had_never_stopped() {
    let (_whole, whole) = hashes("12s", |setup| setup);
    let (_first, snapshot) = taken();
    let (_rest, rest) = hashes("12s", |setup| setup.arg("--restore").arg(&snapshot));
    assert_eq!((whole.len(), rest.len()), (12_000, 10_000));
    let first = whole.iter().skip(2_000).zip(&rest).find(|(whole, rest)| whole != rest);
    assert_eq!(first, None);
}

#[test]
fn what_is_no_snapshot_of_this_world_ends_the_run_before_it_begins() {
    let (first, snapshot) = taken();
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
    let absent = Setup::new().world(WORLD).args(["--duration", "3s", "--restore", "absent"]).finish();
    absent.expect_code(1).expect_message(&["BH-SIM-220", "absent"]);
    drop(first);
}
