//! Tests of `bridgehead ctl`, `topic` and `service` with a running host: their output and their exit codes.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use crate::support::{self, Running, Setup, eventually, world};

/// Every line of `gz` and `ros2` in `docs/control.md`.
mod habits;
mod service;
mod topic;

/// A box in a world without gravity.
const BOX: &str = "<model name='box_a'><pose>1 2 5 0 0 0</pose><link name='body'>\
    <inertial><mass>1</mass></inertial>\
    <collision name='all'><geometry><box><size>1 1 1</size></box></geometry></collision></link></model>";

/// A running host and its address.
struct Host {
    running: Running,
    address: String,
}

fn host(setup: Setup, start: &str) -> Host {
    host_of(setup.world(&world(BOX)), start)
}

/// Starts a run whose world is given.
fn host_of(setup: Setup, start: &str) -> Host {
    let setup = setup.args(["--http", "127.0.0.1:0", "--start", start]);
    let mut running = setup.start();
    let line = running.wait_for(" serves the control plane");
    let address =
        line.split_once("http://").and_then(|(_, rest)| rest.split_once(' ')).expect("an address").0;
    let host = Host { address: address.to_owned(), running };
    let is_there = || host.ctl(&["state"]).stdout == format!("{start}\n").into_bytes();
    eventually(&format!("the host is {start}"), is_there);
    host
}

impl Host {
    /// A command of `ctl`.
    fn command(&self, words: &[&str]) -> Command {
        self.program(&[&["ctl"], words].concat())
    }

    /// Any command of the program.
    fn program(&self, words: &[&str]) -> Command {
        let mut command = Command::new(support::host());
        command.args(words).env("BRIDGEHEAD_HTTP", &self.address).stdin(Stdio::null());
        command
    }

    /// Returns the standard output of any command that succeeds.
    #[track_caller]
    fn says(&self, words: &[&str]) -> String {
        let output = self.program(words).output().expect("it runs");
        assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// Returns the standard error of any command that ends with this code.
    #[track_caller]
    fn refuses(&self, words: &[&str], code: i32) -> String {
        let output = self.program(words).output().expect("it runs");
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
        String::from_utf8(output.stderr).expect("text")
    }

    /// Starts any command, which writes lines until it is killed or ends.
    fn follows(&self, words: &[&str]) -> Follower {
        let mut command = self.program(words);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        Follower { client: Client(child), lines }
    }

    fn ctl(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("ctl runs")
    }

    /// Returns the standard output of a command that succeeds.
    #[track_caller]
    fn ok(&self, words: &[&str]) -> String {
        let output = self.ctl(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        assert!(output.stderr.is_empty(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    #[track_caller]
    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.ok(&[words, &["--json"]].concat())).expect("JSON")
    }

    /// Returns the standard error of a command that ends with this code.
    #[track_caller]
    fn fails(&self, words: &[&str], code: i32) -> String {
        let output = self.ctl(words);
        assert_eq!(output.status.code(), Some(code), "{words:?}: {output:?}");
        String::from_utf8(output.stderr).expect("text")
    }
}

#[test]
fn a_paused_run_is_stepped_inspected_and_ended() {
    let host = host(Setup::new(), "paused");
    assert!(host.ok(&["status"]).starts_with("state       paused\n"), "{}", host.ok(&["status"]));
    assert_eq!(host.ok(&["state"]), "paused\n");
    assert_eq!(host.ok(&["step", "5"]), "ok\n");
    let status = host.json(&["status"]);
    assert_eq!((&status["status"]["step"], &status["result"]["result"]), (&5.into(), &1.into()));
    let state = host.ok(&["state", "box_a"]);
    assert!(state.contains("pose          1 2 5 m, 0 0 0°\n"), "{state}");
    assert!(host.ok(&["states"]).lines().any(|line| line.starts_with("box_a ")), "{}", host.ok(&["states"]));
    host.ok(&["resume"]);
    host.ok(&["quit", "--reason", "enough"]);
    let address = host.address.clone();
    host.running.finish();
    let unreachable = Command::new(support::host()).args(["ctl", "status", "--address", &address]).output();
    let unreachable = unreachable.expect("ctl runs");
    assert_eq!(unreachable.status.code(), Some(2), "{unreachable:?}");
    let text = String::from_utf8_lossy(&unreachable.stderr).into_owned();
    assert!(text.starts_with("error[BH-CTL-020]: ") && text.contains("bridgehead run"), "{text}");
}

#[test]
fn errors_about_denied_requests_list_the_allowed_ones() {
    let host = host(Setup::new().in_real_time(), "playing");
    let text = host.fails(&["resume"], 1);
    assert!(text.contains("resume is refused") && text.contains("pause"), "{text}");
    let text = host.fails(&["step"], 1);
    assert!(
        text.contains("step_simulation is refused") && text.contains("requests that the state"),
        "{text}"
    );
    let text = host.fails(&["spawn", "<model name='m'/>"], 1);
    assert!(
        text.contains("`uri` was read as a path") && text.contains("belongs in `resource_string`"),
        "{text}"
    );
    let text = host
        .fails(&["call", "spawn_entity", "{\"entity_resource\": {\"resource_string\": \"<robot/>\"}}"], 1);
    assert!(text.contains("`resource_string` was read as URDF"), "{text}");
    let text = host.fails(&["state", "bxo_a"], 1);
    assert!(text.contains("RESULT_NOT_FOUND") && text.ends_with("try: `box_a`\n"), "{text}");
    let text = host.fails(&["call", "get_entity_stat"], 1);
    assert!(text.contains("BH-CTL-027") && text.ends_with("try: `get_entity_state`\n"), "{text}");
    let text = host.fails(&["call", "get_entity_state", "{\"entity\": 7}"], 1);
    assert!(text.contains("BH-MSG-") && text.contains("`entity`"), "{text}");
    let refused = host.ctl(&["resume", "--json"]);
    let json: Value = serde_json::from_slice(&refused.stdout).expect("the unchanged answer in JSON");
    assert_eq!((refused.status.code(), &json["result"]["result"]), (Some(1), &4.into()));
    let text = json["result"]["error_message"].as_str().expect("a text");
    assert!(text.contains("Resume is refused while the simulation is playing"), "{text}");
    host.running.signal(libc::SIGINT);
    host.running.finish();
}

#[test]
fn every_service_is_listed_with_a_command() {
    let host = host(Setup::new(), "paused");
    let listed = host.ok(&["services"]);
    assert!(listed.lines().count() > 15, "{listed}");
    assert!(
        listed.lines().any(|line| line.starts_with("get_status") && line.contains("  status ")),
        "{listed}"
    );
    host.ok(&["quit"]);
    host.running.finish();
}

/// A command that writes lines until it is killed or ends.
struct Follower {
    client: Client,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Follower {
    #[track_caller]
    fn line(&mut self) -> String {
        self.lines.next().unwrap_or_else(|| panic!("no line: {}", self.errors())).expect("text")
    }

    /// Waits for the end; returns the exit code and the standard error.
    fn end(mut self) -> (Option<i32>, String) {
        self.lines.by_ref().for_each(drop);
        let code = self.client.0.wait().expect("it ends").code();
        (code, self.errors())
    }

    fn errors(&mut self) -> String {
        std::io::read_to_string(self.client.0.stderr.take().expect("piped")).expect("text")
    }
}

/// A client that is killed even if the test fails.
struct Client(Child);

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

#[test]
fn steps_are_executed_and_cancelled_at_an_interrupt() {
    let host = host(Setup::new().in_real_time(), "paused");
    assert_eq!(host.ok(&["steps", "20"]), "20 steps done\n");
    let mut command = host.command(&["steps", "1000000000"]);
    let mut client = Client(command.stderr(Stdio::piped()).spawn().expect("ctl runs"));
    eventually("30 steps", || host.json(&["status"])["status"]["step"].as_u64() >= Some(30));
    signal(&client.0, libc::SIGINT);
    let status = client.0.wait().expect("it ends");
    let text = std::io::read_to_string(client.0.stderr.take().expect("piped")).expect("text");
    assert_eq!(status.code(), Some(1), "{text}");
    assert!(text.contains("error[BH-CTL-031]: the steps were cancelled as requested after "), "{text}");
    assert_eq!(host.ok(&["state"]), "paused\n");
    host.ok(&["resume"]);
    let text = host.fails(&["steps", "5"], 1);
    assert!(
        text.contains("simulate_steps is refused") && text.contains("that the state playing allows: pause"),
        "{text}"
    );
    host.ok(&["quit"]);
    host.running.finish();
}

/// A terminal suspends a program at Ctrl-Z; its read of the response ends when it is continued.
#[test]
fn a_client_that_is_suspended_and_continued_waits_for_its_response() {
    let host = host(Setup::new().in_real_time(), "paused");
    let mut command = host.command(&["step", "1500"]);
    let mut client = Client(command.stderr(Stdio::piped()).spawn().expect("ctl runs"));
    eventually("30 steps", || host.json(&["status"])["status"]["step"].as_u64() >= Some(30));
    for _ in 0..10 {
        // Wall time: the client goes on for a moment between two signals.
        signal(&client.0, libc::SIGSTOP);
        signal(&client.0, libc::SIGCONT);
        sleep(Duration::from_millis(20));
    }
    let status = client.0.wait().expect("it ends");
    let text = std::io::read_to_string(client.0.stderr.take().expect("piped")).expect("text");
    assert!(status.success() && text.is_empty(), "{status}: {text}");
    assert_eq!(host.json(&["status"])["status"]["step"], 1500);
    host.ok(&["quit"]);
    host.running.finish();
}

#[expect(unsafe_code, reason = "std sends no signals")]
fn signal(child: &Child, signal: i32) {
    let id = libc::pid_t::try_from(child.id()).expect("ids of processes are small");
    // SAFETY: kill touches no memory of ours; the id is that of a child that was not collected yet.
    assert_eq!(unsafe { libc::kill(id, signal) }, 0);
}

#[test]
fn watch_prints_changes_of_the_state_and_echo_checks_the_topic() {
    let host = host(Setup::new().in_real_time(), "playing");
    let mut command = host.command(&["watch", "--json"]);
    let mut client = Client(command.stdout(Stdio::piped()).spawn().expect("ctl runs"));
    let out = BufReader::new(client.0.stdout.take().expect("piped"));
    let mut lines = out.lines();
    let first: Value = serde_json::from_str(&lines.next().expect("a line").expect("text")).expect("JSON");
    assert_eq!(first["op"], "event");
    host.ok(&["pause"]);
    let paused = lines.map_while(Result::ok).any(|line| {
        let event: Value = serde_json::from_str(&line).expect("JSON");
        event["what"] == "state" && event["data"]["simulation_state"] == 2
    });
    assert!(paused, "`watch` prints the pause");
    let text = host.fails(&["echo", "no-slash", "--follow"], 1);
    assert!(text.starts_with("error[BH-WEB-"), "{text}");
    host.ok(&["quit"]);
    host.running.finish();
}

#[test]
fn completions_are_a_valid_bash_script() {
    let output = Command::new(support::host()).args(["completions", "bash"]).output().expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("bridgehead.bash");
    std::fs::write(&script, output.stdout).expect("written");
    let checked = Command::new("bash").arg("-n").arg(&script).status().expect("bash runs");
    assert!(checked.success());
}

#[test]
fn an_empty_token_is_refused_before_anything_is_sent() {
    let ctl = |variable: &str, words: &[&str]| {
        let mut command = Command::new(support::host());
        command
            .args(["ctl", "status", "--address", "127.0.0.1:1"])
            .args(words)
            .env("BRIDGEHEAD_TOKEN", variable);
        let output = command.output().expect("ctl runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    for (variable, words) in [("", &[][..]), ("s3cret", &["--token", ""])] {
        let (code, text) = ctl(variable, words);
        assert!(text.starts_with("error[BH-CTL-034]: ") && code == Some(1), "{code:?} {text}");
    }
    assert_eq!(ctl("s3cret", &[]).0, Some(2), "no host listens there");
}
