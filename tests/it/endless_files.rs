//! Worlds and models that would need all memory or all time, and paths of devices and pipes: each is one finding, on the
//! command line and over the control plane, in a host with little memory.

use std::ffi::CString;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Finished, NO_WORLD, STOPPED, Served, Setup, eventually, prompt, world};

/// Address space of the host, MiB. Without a large world it uses about 500, most of it never touched.
const MEMORY: u64 = 2048;
/// The longest time that one refusal takes, also on a busy machine. The limit of reading is twice as long.
const PATIENCE: Duration = Duration::from_secs(60);

fn setup() -> Setup {
    Setup::new().memory(MEMORY)
}

/// Models of which each includes the next one twice: the first has 2^25 links. Returns the first.
fn include_bomb(setup: &Setup) -> PathBuf {
    for level in 0..25 {
        let include =
            |name: &str| format!("\n<include><name>{name}</name><uri>b{}.sdf</uri></include>", level + 1);
        let includes = include("left") + &include("right");
        let model = format!("<sdf version='1.9'><model name='b{level}'>{includes}\n</model></sdf>");
        setup.file(&format!("b{level}.sdf"), model);
    }
    setup.file("b25.sdf", "<sdf version='1.9'><model name='b25'><link name='l'/></model></sdf>");
    setup.path("b0.sdf")
}

/// A world that includes a file.
fn including(file: &Path) -> String {
    world(&format!("<include><uri>file://{}</uri></include>", file.display()))
}

/// A static model with a mesh, and one with a heightmap.
fn shaped_like(file: &Path) -> String {
    let model = |name: &str, shape: &str| {
        format!(
            "<model name='{name}'><static>true</static><link name='l'><collision name='c'><geometry>{shape}\
             </geometry></collision></link></model>\n"
        )
    };
    let uri = format!("<uri>file://{}</uri>", file.display());
    let mesh = model("mesh", &format!("<mesh>{uri}</mesh>"));
    world(&(mesh + &model("map", &format!("<heightmap>{uri}</heightmap>"))))
}

fn make_pipe(path: &Path) {
    let name = CString::new(path.as_os_str().as_bytes()).expect("a name");
    // SAFETY: the name is a C string.
    assert_eq!(unsafe { libc::mkfifo(name.as_ptr(), 0o600) }, 0, "{}", std::io::Error::last_os_error());
}

/// Ends a check or a run with one finding of this code, in time.
#[track_caller]
fn assert_one(finished: impl FnOnce() -> Finished, code: &str, texts: &[&str]) {
    // Wall time: reading without an end takes longer and longer.
    let finished = prompt("the finding", PATIENCE, finished).expect_code(1);
    let finished = finished.expect_message(&[texts, &[&format!("error[{code}]")]].concat());
    // A run repeats its errors in its summary.
    let text = finished.to_string();
    let errors = text.lines().filter(|line| line.contains("error[BH-")).count();
    assert!(errors <= 2, "{text}");
}

/// Checks that `check` and a run of a world end with one finding.
#[track_caller]
fn assert_refused(sdf: &str, prepare: impl Fn(&Setup), code: &str, texts: &[&str]) {
    let check = || {
        let setup = setup();
        prepare(&setup);
        let file = setup.file("world.sdf", sdf);
        setup.arg("check").arg(file).finish()
    };
    let run = || {
        let setup = setup();
        prepare(&setup);
        setup.world(sdf).args(["--duration", "0.1s"]).finish()
    };
    assert_one(check, code, texts);
    assert_one(run, code, texts);
}

fn many_models(count: usize, name: impl Fn(usize) -> String) -> String {
    let mut models = String::new();
    for number in 0..count {
        let _ = writeln!(models, "<model name='{}'><link name='l'/></model>", name(number));
    }
    world(&models)
}

#[test]
fn includes_that_double_are_one_finding() {
    let bomb = |setup: &Setup| drop(include_bomb(setup));
    let sdf = world("<include><uri>b0.sdf</uri></include>");
    assert_refused(&sdf, bomb, "BH-SDF-008", &[".sdf:", "more than 10000 files", "try: "]);
}

#[test]
fn a_million_models_are_one_finding() {
    let sdf = many_models(1_000_000, |number| format!("m{number}"));
    assert_refused(&sdf, |_| (), "BH-SDF-008", &["world.sdf:", "more than 300000 elements", "try: "]);
}

#[test]
fn a_hundred_thousand_equal_names_are_one_finding_after_the_first_ones() {
    let sdf = many_models(100_000, |_| "same".to_owned());
    let texts = ["world.sdf:", "more than 10000 findings", "correct the first ones"];
    assert_refused(&sdf, |_| (), "BH-SDF-008", &texts);
    let one_line = sdf.replace('\n', "");
    assert_refused(&one_line, |_| (), "BH-SDF-008", &texts);
}

#[test]
fn devices_and_pipes_are_not_opened_by_check_and_run() {
    let named = |path: &Path, name: &str| {
        let check = || setup().arg("check").arg(path).finish();
        assert_one(check, "BH-SDF-001", &[&path.display().to_string(), name]);
        assert_one(|| setup().run(path).finish(), "BH-SDF-001", &[&path.display().to_string(), name]);
    };
    let folder = setup();
    let pipe = folder.path("pipe.sdf");
    make_pipe(&pipe);
    named(&pipe, "a named pipe");
    named(Path::new("/dev/zero"), "a character device");
    for (path, name) in [(pipe.as_path(), "a named pipe"), (Path::new("/dev/zero"), "a character device")] {
        // The rest of the world runs.
        let arguments = ["--duration", "0.1s", "--on-loss", "ignore"];
        let run = |sdf: &str| setup().world(sdf).args(arguments).finish().expect_code(0);
        run(&including(path)).expect_message(&["BH-SDF-001", "world.sdf:", name]);
        run(&shaped_like(path)).expect_message(&["BH-SDF-001", "world.sdf:", name]);
    }
}

/// Every other file that a user names.
#[test]
fn devices_and_pipes_are_not_opened_for_anything_else() {
    let folder = setup();
    let pipe = folder.path("pipe");
    make_pipe(&pipe);
    let huge = folder.path("huge");
    fs::File::create(&huge).and_then(|file| file.set_len(30 << 30)).expect("a sparse file");
    for (path, name) in [
        (pipe.as_path(), "a named pipe"),
        (Path::new("/dev/zero"), "a character device"),
        (huge.as_path(), "bytes, which is the limit"),
    ] {
        let shown = path.display().to_string();
        let run = || setup().world(&world("")).args(["--duration", "0.1s"]);
        drop(run().args(["--config", &shown]).finish().expect_code(1).expect_message(&[&shown, name]));
        drop(run().args(["--restore", &shown]).finish().expect_code(1).expect_message(&[&shown, name]));
        let campaign = setup().args(["campaign", "plan", &shown]).finish().expect_code(1);
        drop(campaign.expect_message(&[&shown, name]));
        if path != huge {
            let recording = folder.path(if path == pipe { "pipe.jsonl" } else { "zero.jsonl" });
            symlink(path, &recording).expect("a link");
            let bridge = format!("world=replay:{}", recording.display());
            let replay = setup().plugins(&["replay"]).world(&world("")).args(["--duration", "0.1s"]);
            drop(replay.bridge(bridge).finish().expect_message(&["BH-BRG-122", name]));
        }
    }
}

#[test]
fn a_folder_that_may_not_be_read_is_not_called_missing() {
    let setup = setup().unprivileged();
    let folder = setup.path("closed");
    fs::create_dir(&folder).expect("a folder");
    fs::write(folder.join("hall.sdf"), world("")).expect("written");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).expect("closed");
    let open = || fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).expect("open");
    let host = Served::start(setup.without_world());
    eventually("it waits", || host.state() == NO_WORLD);
    let list = text_of(&host, "get_spawnables", &json!({"sources": [folder]}));
    let worlds = text_of(&host, "get_available_worlds", &json!({"additional_sources": [folder]}));
    let inside = text_of(&host, "load_world", &json!({"world_resource": {"uri": folder.join("hall.sdf")}}));
    let model = text_of(&host, "load_world", &json!({"world_resource": {"uri": folder}}));
    open();
    for text in [&list, &worlds] {
        assert!(text.contains("a folder that cannot be read: Permission denied"), "{text}");
    }
    let denied = "a folder that may not be entered: permission denied";
    assert!(inside.contains("BH-RES-004") && inside.contains(denied), "{inside}");
    assert!(model.contains("BH-RES-004") && model.contains("Permission denied"), "{model}");
    for text in [list, worlds, inside, model] {
        assert!(!text.contains("not found"), "{text}");
    }
}

/// The error message of a service, which comes before the client gives up.
#[track_caller]
fn text_of(host: &Served, service: &str, request: &Value) -> String {
    let (_, answer) = host.post(service, request);
    answer["result"]["error_message"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_host_survives_requests_for_endless_files() {
    let setup = setup();
    let bomb = include_bomb(&setup);
    let pipe = setup.path("pipe.sdf");
    make_pipe(&pipe);
    let many = setup.file("many.sdf", many_models(1_000_000, |number| format!("m{number}")));
    let equal = setup.file("equal.sdf", many_models(100_000, |_| "same".to_owned()));
    let small = setup.file("small.sdf", world("<model name='m'><link name='l'/></model>"));
    let models = setup.path("").display().to_string();
    let host = Served::start(setup.without_world());
    eventually("it waits", || host.state() == NO_WORLD);
    let at = |path: &Path| json!({"world_resource": {"uri": path}});
    let text = |sdf: &str| json!({"world_resource": {"resource_string": sdf}});
    let zero = Path::new("/dev/zero");
    for (request, code, found) in [
        (at(&bomb), "BH-SDF-008", "more than 10000 files"),
        (text(&including(&bomb)), "BH-SDF-008", "more than 10000 files"),
        (at(&many), "BH-SDF-008", "more than 300000 elements"),
        (at(&equal), "BH-SDF-008", "more than 10000 findings"),
        (at(zero), "BH-RES-004", "a character device"),
        (at(&pipe), "BH-RES-004", "a named pipe"),
        (text(&including(&pipe)), "BH-RES-006", "a named pipe"),
        (text(&shaped_like(zero)), "BH-RES-006", "a character device"),
    ] {
        let answer = text_of(&host, "load_world", &request);
        assert!(answer.contains(code) && answer.contains(found), "{request}: {answer}");
        assert!(answer.matches("BH-SDF-008").count() <= 1, "{answer}");
    }
    assert_eq!(text_of(&host, "load_world", &at(&small)), "");
    for (path, found) in
        [(bomb.as_path(), "BH-SDF-008"), (&pipe, "a named pipe"), (zero, "a character device")]
    {
        let request = json!({"name": "x", "entity_resource": {"uri": path}});
        let answer = text_of(&host, "spawn_entity", &request);
        assert!(answer.contains(found), "{}: {answer}", path.display());
    }
    for request in [json!({"sources": [models]}), json!({"sources": [bomb, zero, pipe]})] {
        let (_, list) = host.post("get_spawnables", &request);
        let found = list["spawnables"].as_array().into_iter().flatten();
        let listed = found.filter(|model| model["entity_resource"]["uri"].to_string().contains("/b0.sdf"));
        assert_eq!(listed.count(), 1, "{list}");
    }
    let worlds = text_of(&host, "get_available_worlds", &json!({"additional_sources": [zero, pipe]}));
    assert!(worlds.contains("a named pipe") && worlds.contains("a character device"), "{worlds}");
    assert_eq!(host.state(), STOPPED, "the small world is still there");
}
