//! What a run leaves behind: no process, whatever its plugins have started, and a result even if the host takes no signals.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::{CPlugin, Served, Setup, eventually, host, vehicle, world};

/// Starts `sleep` with this number of seconds in a session of its own.
fn starter(seconds: &str) -> String {
    format!(
        "AWAKE=if (fork() == 0) {{ setsid(); execlp(\"sleep\", \"sleep\", \"{seconds}\", (char *)NULL); _exit(1); }} return 0"
    )
}

/// The ids of processes with these arguments.
fn processes(arguments: &[&str]) -> Vec<String> {
    let expected = arguments.join("\0") + "\0";
    let entries = fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    let found = entries.filter(|entry| {
        fs::read_to_string(entry.path().join("cmdline")).is_ok_and(|arguments| arguments == expected)
    });
    found.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[track_caller]
fn assert_nothing_is_left(seconds: &str, isolated: &[&str]) {
    let setup = Setup::new();
    CPlugin::plain(&setup.plugin_folder().join("libplain.so"), &[&starter(seconds)]).build();
    let setup = setup.world(&world(&vehicle("car1", "<plugin filename='plain' name='zoo'/>"))).in_real_time();
    let host = Served::start(isolated.iter().fold(setup, |setup, argument| setup.arg(argument)));
    eventually("the process is there", || processes(&["sleep", seconds]).len() == 1);
    host.ok("quit", json!({}));
    let finished = host.finish();
    assert_eq!(processes(&["sleep", seconds]), [""; 0], "{finished}");
}

#[test]
fn processes_of_plugins_end_with_the_run() {
    assert_nothing_is_left("47110815", &[]);
}

#[test]
fn processes_of_isolated_plugins_end_with_the_run() {
    assert_nothing_is_left("47110816", &["--isolate", "plain"]);
}

#[test]
fn processes_that_were_there_before_the_run_stay() {
    let setup = Setup::new();
    let file = setup.file("empty.sdf", world(""));
    let script = "sleep 47110817 & exec \"$0\" run \"$1\" --http off --duration 10ms --speed unlimited";
    let ended = Command::new("sh").args(["-c", script]).arg(host()).arg(&file).stdout(Stdio::null()).status();
    let ended = ended.expect("a shell");
    let left = processes(&["sleep", "47110817"]);
    for id in &left {
        // SAFETY: ends a process that this test has started.
        unsafe { libc::kill(id.parse().expect("a number"), libc::SIGKILL) };
    }
    assert!(ended.success() && left.len() == 1, "{left:?} {ended:?}");
}

#[test]
fn a_host_that_takes_no_signals_is_killed_and_has_a_result() {
    let setup = Setup::new().world(&world(&vehicle("car1", ""))).in_real_time();
    let host = Served::start(setup);
    let stopped = i32::try_from(host.id()).expect("ids of processes are small");
    // SAFETY: stops the host, which is a descendant of this process.
    assert_eq!(unsafe { libc::kill(stopped, libc::SIGSTOP) }, 0);
    host.signal(libc::SIGTERM);
    let finished = host.finish().expect_code(16).expect_message(&["BH-SIM-906", "SIGTERM"]);
    let result = finished.result();
    assert_eq!((&result["outcome"], &result["exit_code"]), (&json!("aborted"), &json!(16)));
    assert!(result["cause"].as_str().is_some_and(|cause| cause.contains("BH-SIM-906")), "{result:#}");
}
