//! Limits on the time in a state, statistics, and the results of runs with unusual ends.

use serde_json::{Value, json};

use crate::support::{CPlugin, Finished, Setup, vehicle, world, worlds};

/// A vehicle `car1` with the bridge `unreliable`, and limits of the watchdog.
fn with_bridge(connection: &str, watchdog: &str) -> Setup {
    let toml = format!(
        "[watchdog]\n{watchdog}\n[[bridge]]\nattach = \"car1\"\nname = \"unreliable\"\nconnection = \"{connection}\"\n\
         connect_timeout = \"60s\"\n"
    );
    let setup = Setup::new().fixtures(&["unreliable"]).world(&world(&vehicle("car1", "")));
    setup.args(["--duration", "0.1s"]).config(&toml)
}

/// A vehicle `car1` with a plugin that has this fault.
fn with_fault(fault: &str) -> Setup {
    let plugin = format!("<plugin filename=\"rogue_model\" name=\"fixture\"><fault>{fault}</fault></plugin>");
    let setup = Setup::new().fixtures(&["rogue_model"]).world(&world(&vehicle("car1", &plugin)));
    setup.args(["--duration", "0.1s"])
}

#[track_caller]
fn assert_ended(finished: &Finished, outcome: &str, texts: &[&str]) {
    let result = finished.result();
    assert_eq!(result["outcome"], outcome, "{finished}");
    assert_eq!(result["exit_code"], json!(finished.code()), "{finished}");
    for text in texts {
        assert!(result["errors"].to_string().contains(text), "no `{text}` in {result:#}\n{finished}");
    }
    assert_eq!(result["versions"]["program"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_disabled_watchdog_reports_nothing() {
    let finished = with_bridge("late=700", "mode = \"off\"\nconnect = \"200ms\"").finish().expect_code(0);
    finished.expect_silence("error[BH-SIM-240]");
}

#[test]
fn the_watchdog_does_not_limit_states_that_wait_for_a_user() {
    let toml = "[watchdog]\nmode = \"kill\"\ntimeout = \"100ms\"\n";
    for state in ["paused", "stopped"] {
        let setup = Setup::new().world(&world("")).args(["--start", state]).config(toml);
        let mut running = setup.env("BRIDGEHEAD_RUN_SPEED", "1").start();
        running.wait_for(state);
        running.signal(libc::SIGTERM);
        running.finish().expect_code(0);
    }
    // Nor does it limit the wait for a step that is due in half a second.
    let slow = Setup::new().args(["run", "--speed", "0.002", "--duration", "0.002s"]);
    slow.arg(worlds().join("empty.sdf")).config(toml).finish().expect_code(0);
}

#[test]
fn a_run_that_cannot_start_has_a_result() {
    let run = || Setup::new().run(&worlds().join("empty.sdf"));
    let wrong_file = run().config("[run]\nseed = \"x\"\nstart = \"now\"\n").finish().expect_code(1);
    assert_ended(&wrong_file, "configuration-error", &["[BH-CFG-005]", "[BH-CFG-012]", "config.toml:2:8"]);
    let wrong_flag = run().args(["--duration", "soon"]).finish().expect_code(1);
    assert_ended(&wrong_flag, "configuration-error", &["[BH-CFG-010] --duration: `soon`"]);
    let no_bridge = run().bridge("world=absent:").finish().expect_code(1);
    assert_ended(&no_bridge, "configuration-error", &["[BH-BRG-020]"]);
    let setup = Setup::new();
    let absent = setup.path("absent.sdf");
    let no_world = setup.run(&absent).finish().expect_code(1);
    assert_ended(&no_world, "configuration-error", &["BH-SDF-001"]);
}

#[test]
fn a_start_that_fails_has_a_result() {
    let toml =
        "[[bridge]]\nattach = \"car1\"\nname = \"unreliable\"\nconnection = \"fails\"\nrequired = true\n";
    let setup = Setup::new().fixtures(&["unreliable"]).world(&world(&vehicle("car1", "")));
    let finished = setup.config(toml).finish().expect_code(4);
    assert_ended(&finished, "no-start", &["the peer refused the connection"]);
    assert_eq!(finished.result()["versions"]["loaded"][0]["id"], "org.example.unreliable");
}

#[test]
fn a_run_with_a_faulty_plugin_has_a_result() {
    let panicked = with_fault("sample=panics").finish().expect_code(0);
    assert_ended(&panicked, "stopped", &["fixture panics in sample"]);
    assert!(panicked.result()["state_hash"].is_string());
    let left = with_fault("sample=exits").finish().expect_code(16);
    assert_ended(&left, "aborted", &["[BH-PLG-109] `sample` of plugin `car1/fixture` ended the process"]);
}

#[test]
fn an_unwritable_result_file_is_reported_before_the_run() {
    let setup = Setup::new().args(["run", "--result", "/proc/result.json", "--duration", "1s"]);
    let setup = setup.arg(worlds().join("empty.sdf"));
    let finished = setup.finish().expect_code(1);
    let finished = finished.expect_message(&["BH-CFG-040", "/proc/result.json"]);
    assert!(!finished.to_string().contains("stopped after"), "the run must not start\n{finished}");
}

#[test]
fn statistics_contain_the_times_of_steps() {
    let setup = Setup::new().plugins(&["clock"]).in_real_time().run(&worlds().join("empty.sdf"));
    let finished = setup.args(["--duration", "0.3s"]).finish().expect_code(0);
    let result = finished.result();
    let of = |name: &str, figure: &str| result["statistics"][name][figure].as_f64().unwrap_or(f64::NAN);
    for name in ["engine_time_s", "simulator_time_s", "controller_time_s", "cycle_time_s", "padding_time_s"] {
        assert_eq!(result["statistics"][name]["count"], 300, "{name}");
        let ordered = [of(name, "min"), of(name, "p50"), of(name, "p99"), of(name, "max")];
        assert!(ordered.is_sorted() && ordered[0] >= 0.0, "{name}: {ordered:?}");
    }
    let whole = of("cycle_time_s", "mean") + of("padding_time_s", "mean");
    assert!((0.0005..0.01).contains(&whole), "a step of a millisecond in real time takes {whole} s");
    assert!(result["statistics"]["achievable_factor_average"].as_f64() > Some(0.0));
    let plugin = finished.reported("plugins", "clock");
    assert!(plugin["p50_s"].as_f64() <= plugin["longest_s"].as_f64(), "{plugin:#}");
    assert_ne!(result["versions"]["loaded"], Value::Null);
}

#[test]
fn a_run_whose_plugin_ignores_signals_can_be_ended() {
    for (fault, at) in
        [("ignores_signals", "awake"), ("ignores_signals", "sample"), ("blocks_signals", "sample")]
    {
        let setup = Setup::new();
        CPlugin::breaker(&setup.plugin_folder().join("libbreaker.so"), fault, at).build();
        let plugin = "<plugin filename='breaker' name='breaker'/>";
        let setup = setup.world(&world(plugin)).args(["--duration", "100s"]).in_real_time();
        let mut running = setup.start();
        running.wait_for("it was restored");
        running.signal(libc::SIGTERM);
        running.finish().expect_code(0);
    }
}

#[test]
fn a_converter_that_fails_gives_its_reason() {
    let setup = Setup::new().fixtures(&["own_type", "recorder"]).recording().env("OWN_TYPE_FAILS", "1");
    let sensor = "<plugin filename=\"own_type\" name=\"barometer\"/>";
    let setup =
        setup.world(&world(&vehicle("car1", sensor))).args(["--duration", "0.5s"]).bridge("car1=recorder:x");
    let finished = setup.finish().expect_code(0);
    let texts = ["BH-BRG-018", "/car1/pressure", "own_type", "the text cannot be written [EX-OWN-001]"];
    let finished = finished.expect_message(&texts);
    assert!(finished.result()["errors"].to_string().contains("EX-OWN-001"), "{finished}");
    assert_eq!(finished.reported("bridges", "car1/recorder")["dropped"], 5, "{finished}");
}
