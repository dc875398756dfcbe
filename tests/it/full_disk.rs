//! Tests of a disk that is full, busy, read-only, missing or mounted noexec: what was written stays, what is lost is
//! counted, a file that was requested and not written ends the run with a code, and no load waits for the disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{
    CPlugin, Finished, Python, Served, Setup, SmallDisk, eventually, gated_model, read_gz_lines, read_lines,
    root, vehicle, world, worlds,
};

/// A folder of its own for a disk, because the folder of a run is removed before the disk is unmounted.
fn folder() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

/// Returns the errors of the result.
fn errors(finished: &Finished) -> Vec<String> {
    serde_json::from_value(finished.result()["errors"].clone()).expect("a list of texts")
}

/// Returns the number of messages that the result lists as lost in logs whose names end like this.
fn lost(finished: &Finished, ending: &str) -> u64 {
    let all = errors(finished);
    let losses = all.iter().filter(|error| error.contains("BH-BRG-117"));
    let of_log = losses.filter(|error| error.contains(&format!("{ending}` failed")));
    let number = |error: &String| {
        let (_, text) = error.split_once(": ").expect("a label");
        text.split(' ').next().and_then(|count| count.parse::<u64>().ok()).expect("a count")
    };
    of_log.map(number).sum()
}

/// Returns the number of messages in a file, as its readers see it. The file must be complete.
fn count(python: &Python, path: &Path) -> u64 {
    let name = path.display().to_string();
    if name.ends_with(".mcap") {
        let report: Value = serde_json::from_str(&python.run("read_mcap.py", &[&name])).expect("JSON");
        let counts: BTreeMap<String, u64> = serde_json::from_value(report["counts"].clone()).expect("counts");
        return counts.values().sum();
    }
    let lines = if name.ends_with(".gz") { read_gz_lines(path) } else { read_lines(path) };
    lines.len() as u64
}

#[test]
fn a_message_lost_to_a_full_disk_is_not_blamed_on_the_topics_that_are_left_out() {
    let folder = folder();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 16 << 10, "") else { return };
    let target = disk.path("run.jsonl");
    let plugins = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging", "replay"];
    let setup = Setup::new().in_real_time().plugins(&plugins).run(&worlds().join("two_vehicles.sdf"));
    let setup = setup.bridge(format!("car1=logging:{};topics=/car1/odom,/car1/imu", target.display()));
    let mut running = setup.start();
    eventually("the log has messages", || fs::metadata(&target).is_ok_and(|facts| facts.len() > 10_000));
    disk.fill();
    running.wait_for("BH-BRG-114");
    running.signal(libc::SIGINT);
    let finished = running.finish().expect_code(0);
    assert!(lost(&finished, ".jsonl") > 0, "{finished}");
    assert!(!finished.to_string().contains("among the topics to log"), "{finished}");
}

#[test]
fn a_log_survives_a_full_disk_and_every_message_is_written_or_counted() {
    let Some(python) = Python::find() else { return };
    for options in ["", ";overwrite=true"] {
        let folder = folder();
        let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 16 << 10, "") else { return };
        let endings = [".mcap", ".jsonl", ".jsonl.gz"];
        let mut setup = Setup::new().in_real_time();
        let plugins = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging", "replay"];
        setup = setup.plugins(&plugins).run(&worlds().join("two_vehicles.sdf"));
        for ending in endings {
            let target = disk.path(&format!("run{ending}"));
            setup = setup.bridge(format!("*=logging:{}{options}", target.display()));
        }
        let mut running = setup.start();
        let has = |number: u32, bytes: u64| {
            let size = |ending: &str| {
                let part = if number == 1 { String::new() } else { format!(".part{number}") };
                fs::metadata(disk.path(&format!("run{part}{ending}"))).map_or(0, |facts| facts.len())
            };
            endings.iter().all(|ending| size(ending) > bytes)
        };
        for number in 1..=2 {
            eventually("the logs have messages", || has(number, 20_000));
            disk.fill();
            for _ in endings {
                running.wait_for("BH-BRG-114");
            }
            disk.free();
        }
        eventually("the logs continue", || has(3, 20_000));
        running.signal(libc::SIGINT);
        let finished = running.finish().expect_code(0);

        let result = finished.result();
        let topics = result["topics"].as_array().expect("topics");
        let published: u64 = topics.iter().filter_map(|topic| topic["published"].as_u64()).sum();
        for ending in endings {
            let all = disk.parts("run");
            let parts: Vec<_> = all
                .iter()
                .filter(|path| path.file_name().is_some_and(|name| stem_of(&name.to_string_lossy(), ending)))
                .collect();
            let written: u64 = parts.iter().map(|path| count(&python, path)).sum();
            let lost = lost(&finished, ending);
            assert_eq!(written + lost, published, "{ending}{options}: {parts:?}\n{finished}");
            assert!(lost > 0 && parts.len() == 3, "{ending}{options}: {lost} of {parts:?}\n{finished}");
        }
        let bridges = result["bridges"].as_array().expect("bridges");
        assert!(bridges.iter().all(|bridge| bridge["connections"] == 1), "{result:#}");
    }
}

/// Limits the size of the files that a process writes.
#[expect(unsafe_code, reason = "std cannot set the limits of another process")]
fn limit_file_size(process: u32, bytes: u64) {
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    let process = libc::pid_t::try_from(process).expect("a process id");
    // SAFETY: the limit lives for the call, and the old one is not requested.
    let code = unsafe { libc::prlimit(process, libc::RLIMIT_FSIZE, &raw const limit, std::ptr::null_mut()) };
    assert_eq!(code, 0, "the limit is set");
}

#[test]
fn a_log_that_reaches_the_limit_of_file_sizes_continues_in_a_new_part() {
    let plugins = ["clock", "diff_drive", "imu", "joint_state", "lidar", "logging", "replay"];
    let setup = Setup::new().in_real_time().plugins(&plugins).run(&worlds().join("two_vehicles.sdf"));
    let log = setup.path("out/run.jsonl");
    let mut running = setup.bridge("*=logging:out/run.jsonl").start();
    // The limit also holds for the private copies of the plugins, which are larger.
    eventually("the log has begun", || fs::metadata(&log).is_ok_and(|facts| facts.len() > 0));
    limit_file_size(running.id(), 400_000);
    for _ in 0..2 {
        running.wait_for("BH-BRG-114");
    }
    running.signal(libc::SIGINT);
    let finished = running.finish().expect_code(0).expect_message(&["BH-BRG-114", "File too large"]);
    let result = finished.result();
    let topics = result["topics"].as_array().expect("topics");
    let published: u64 = topics.iter().filter_map(|topic| topic["published"].as_u64()).sum();
    let name = |number: u32| match number {
        1 => "run.jsonl".to_owned(),
        _ => format!("run.part{number}.jsonl"),
    };
    let paths: Vec<_> = (1..=50).map(|number| finished.path("out").join(name(number))).collect();
    let written: usize = paths.iter().filter(|path| path.is_file()).map(|path| read_lines(path).len()).sum();
    assert_eq!(written as u64 + lost(&finished, ".jsonl"), published, "{finished}");
    assert!(paths[1].is_file(), "{finished}");
}

/// Returns true for `run` and its parts with this ending.
fn stem_of(name: &str, ending: &str) -> bool {
    let stem = name.strip_suffix(ending).unwrap_or_default();
    stem == "run" || stem.strip_prefix("run.part").is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Runs a small world for some steps, with its result at this path.
fn run_with_result(path: &Path) -> Finished {
    let setup = Setup::new();
    let world = setup.file("world.sdf", world(&vehicle("car1", "")));
    let setup = setup.args(["run", "--http", "off", "--duration", "0.01s", "--speed", "unlimited"]);
    setup.arg(world).arg("--result").arg(path).finish()
}

/// Runs a small world for some steps, with these arguments.
fn short_run(setup: Setup, arguments: &[(&str, &Path)]) -> Finished {
    let setup = setup.plugins(&["imu"]).world(&world(&vehicle("car1", "")));
    let setup = setup.args(["--duration", "0.01s"]);
    arguments.iter().fold(setup, |setup, (flag, path)| setup.arg(flag).arg(path)).finish()
}

#[test]
fn a_requested_file_on_a_full_disk_is_not_half_written_and_the_run_has_a_code() {
    let folder = folder();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 256, "") else { return };
    disk.fill();
    for (flag, name, code) in [
        ("--save", "world.sdf", "BH-SIM-206"),
        ("--snapshot", "snapshot", "BH-SIM-222"),
        ("--hash-log", "hashes", "BH-SIM-203"),
    ] {
        let finished = short_run(Setup::new(), &[(flag, &disk.path(name))]).expect_code(1);
        let finished = finished.expect_message(&[code, "No space left"]);
        assert_eq!(finished.result()["exit_code"], 1, "{flag}");
        assert_eq!(finished.result()["outcome"], "stopped", "{flag}");
        assert!(errors(&finished).iter().any(|error| error.contains(code)), "{flag}: {finished}");
        if flag != "--hash-log" {
            assert_eq!(disk.parts(""), [disk.path("filler")], "{flag}");
        }
    }
    // A file of lines ends with a whole line, here with none.
    assert_eq!(fs::read(disk.path("hashes")).expect("the hash log"), b"");
    fs::remove_file(disk.path("hashes")).expect("the hash log");
    for (flag, name) in [("--triggers", "triggers.json"), ("--junit", "run.xml")] {
        let finished = short_run(Setup::new(), &[(flag, &disk.path(name))]).expect_code(1);
        finished.expect_message(&["BH-CFG-041", name, "No space left"]);
        assert_eq!(disk.parts(""), [disk.path("filler")], "{flag}");
    }
    let finished = run_with_result(&disk.path("result.json")).expect_code(1);
    finished.expect_message(&["BH-CFG-041", "result.json", "No space left"]);
    assert_eq!(disk.parts(""), [disk.path("filler")], "--result");
}

#[test]
fn a_requested_file_on_a_read_only_disk_is_refused_before_the_run() {
    let folder = folder();
    let Some(disk) = SmallDisk::mount(&folder.path().join("disk"), 256, "") else { return };
    disk.make_read_only();
    for flag in ["--save", "--snapshot", "--triggers", "--junit"] {
        let finished = short_run(Setup::new(), &[(flag, &disk.path("file"))]).expect_code(1);
        finished.expect_message(&["BH-CFG-040", "Read-only file system"]);
    }
    let finished = run_with_result(&disk.path("result.json")).expect_code(1);
    finished.expect_message(&["BH-CFG-040", "Read-only file system"]);
    for flag in ["--hash-log", "--record-commands"] {
        short_run(Setup::new(), &[(flag, &disk.path("file"))])
            .expect_code(1)
            .expect_message(&["Read-only file system"]);
    }
}

#[test]
fn a_temporary_folder_that_cannot_be_used_ends_the_run_before_it_begins() {
    let folder = folder();
    let Some(full) = SmallDisk::mount(&folder.path().join("full"), 256, "") else { return };
    let Some(inert) = SmallDisk::mount(&folder.path().join("inert"), 64 << 10, "noexec") else { return };
    full.fill();
    for (path, problem) in [
        (full.path(""), "No space left"),
        (inert.path(""), "noexec"),
        (folder.path().join("missing"), "No such file"),
    ] {
        let sensor = "<plugin filename=\"imu\" name=\"imu\"/>";
        let setup = Setup::new().env("TMPDIR", &path).plugins(&["imu"]);
        let setup = setup.world(&world(&vehicle("car1", sensor))).args(["--duration", "0.01s"]);
        let finished = setup.finish().expect_code(1);
        let path = path.display().to_string();
        let finished =
            finished.expect_message(&["BH-PLG-050", path.trim_end_matches('/'), problem, "TMPDIR"]);
        assert_eq!(finished.result()["exit_code"], 1, "{path}");
        assert!(errors(&finished).iter().any(|error| error.contains("BH-PLG-050")), "{path}: {finished}");
    }
}

#[test]
fn loads_and_spawns_do_not_wait_for_a_busy_disk() {
    let folder = folder();
    let busy =
        CPlugin::new(&root().join("tests/fixtures/busy_disk.c"), &folder.path().join("busy_disk.so")).build();
    let cached = || fs::read_dir(folder.path().join("bridgehead/convex")).map_or(0, Iterator::count);
    let setup = Setup::new().world(&world(&gated_model(1))).env("XDG_CACHE_HOME", folder.path());
    // The wait for the loaded world has a deadline. The host is killed at the end: its result does wait for the disk.
    let host = Served::start(setup.env("LD_PRELOAD", busy).args(["--start", "paused"]));
    assert_eq!(cached(), 1, "the shape is in the cache");
    let model = gated_model(2);
    host.ok("spawn_entity", json!({"name": "guest", "entity_resource": {"resource_string": model}}));
    assert_eq!(cached(), 2, "so is the new one");
}
