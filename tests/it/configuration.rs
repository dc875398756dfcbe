//! Tests of `bridgehead check` and `bridgehead dump`, and of the sources of a run's configuration.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::support::{Finished, Setup, vehicle, world, worlds};

/// Creates a folder with a world of one car, and a configuration file with this text.
fn setup(toml: &str) -> Setup {
    let setup = Setup::new().plugins(&["entities", "imu", "logging"]);
    setup.file("world.sdf", world(&vehicle("car1", "")));
    setup.file("run.toml", toml);
    setup
}

fn check(setup: Setup) -> Finished {
    let plugins = setup.plugin_folder();
    setup.args(["check", "run.toml", "--plugin-path"]).arg(plugins).finish()
}

#[test]
fn the_check_of_a_valid_configuration_is_ok_and_writes_no_files() {
    let toml = "[run]\nworld = \"world.sdf\"\nhash_log = \"hashes.txt\"\nresult = \"result.json\"\n\
                [[bridge]]\nattach = \"*\"\nname = \"logging\"\nconnection = \"out.mcap\"\n\
                [[plugin]]\nattach = \"car1\"\nplugin = \"model_pose\"\n";
    let finished = check(setup(toml)).expect_code(0);
    assert_eq!(finished.stdout(), "run.toml: OK\n");
    for file in ["hashes.txt", "result.json", "out.mcap"] {
        assert!(!finished.path(file).exists(), "`{file}` was written");
    }
}

#[test]
fn the_check_reports_all_errors_with_their_places() {
    let toml = "[run]\nworld = \"world.sdf\"\nspeed = 0\n\
                [[bridge]]\nattach = \"*\"\nname = \"loging\"\nconnection = \"\"\n\
                [[bridge]]\nattach = \"truck\"\nname = \"logging\"\nconnection = \"x.mcap\"\n\
                [[bridge]]\nattach = \"*\"\nname = \"logging\"\nconnection = \"x.nonsense\"\n\
                [[override]]\npath = \"car1/nothing\"\n";
    let finished = check(setup(toml)).expect_code(1);
    let stdout = finished.stdout();
    let expected = [
        ("BH-CFG-011", "run.toml:3:9"),
        ("BH-BRG-020", "run.toml:4"),
        ("BH-BRG-021", "run.toml:12"),
        ("BH-BRG-023", "run.toml:8"),
        ("BH-SIM-211", "run.toml:16"),
    ];
    for (code, place) in expected {
        let found =
            stdout.split("error[").any(|message| message.starts_with(code) && message.contains(place));
        assert!(found, "no {code} at {place}\n{finished}");
    }
    assert!(stdout.ends_with("run.toml: INVALID\n"), "{finished}");
}

#[test]
fn the_check_of_a_world_reports_unknown_plugins() {
    let sdf = world(&vehicle("car1", "<plugin filename=\"warp_drive\" name=\"drive\"/>"));
    let prepared = || {
        let setup = Setup::new();
        setup.file("w.sdf", &sdf);
        setup.args(["check", "w.sdf"])
    };
    let stdout = prepared().finish().expect_code(0).stdout();
    assert!(stdout.starts_with("warning[BH-PLG-093]") && stdout.contains("w.sdf:6"), "{stdout}");
    prepared().arg("--strict").finish().expect_code(1).expect_message(&["w.sdf: INVALID"]);
    let stdout = prepared().arg("--json").finish().expect_code(0).stdout();
    let verdict: Value = serde_json::from_str(&stdout).expect("a line of JSON");
    assert_eq!((&verdict["ok"], &verdict["findings"][0]["code"]), (&json!(true), &json!("BH-PLG-093")));
}

#[test]
fn missing_files_are_invalid() {
    let setup = Setup::new().args(["check", "absent.toml", "absent.sdf"]);
    let finished =
        setup.finish().expect_code(1).expect_message(&["BH-CFG-002"]).expect_message(&["BH-SDF-001"]);
    finished.expect_message(&["absent.sdf: INVALID"]);
}

#[test]
fn a_flag_overrides_the_environment_then_the_file_then_the_default() {
    let toml = "[run]\nworld = \"world.sdf\"\nseed = 1\nduration = \"0.1s\"\nspeed = 3\n";
    let setup = setup(toml).args(["dump", "--config", "run.toml", "--json", "--seed", "3"]);
    let setup = setup.env("BRIDGEHEAD_RUN_SEED", "2").env("BRIDGEHEAD_RUN_SPEED", "unlimited");
    let dump: Value = serde_json::from_str(&setup.finish().expect_code(0).stdout()).expect("JSON");
    let run = &dump["run"];
    assert_eq!(run["seed"], json!({ "value": 3, "origin": "flag", "place": "--seed" }));
    let variable = json!({ "value": "unlimited", "origin": "environment", "place": "BRIDGEHEAD_RUN_SPEED" });
    assert_eq!(run["speed"], variable);
    assert_eq!(run["duration"], json!({ "value": "100ms", "origin": "file", "place": "run.toml:4" }));
    assert_eq!(run["substeps"], json!({ "value": 1, "origin": "default", "place": null }));
}

#[test]
fn a_dump_is_a_configuration_of_the_same_run() {
    let toml = "[run]\nworld = \"world.sdf\"\nseed = 5\nduration = \"0.1s\"\nspeed = \"unlimited\"\n\
                [[plugin]]\nattach = \"car1\"\nplugin = \"imu\"\nparams = { topic = \"imu\" }\n";
    let prepared = setup(toml);
    let plugins = prepared.plugin_folder();
    let text = prepared.args(["dump", "--config", "run.toml", "--plugin-path"]).arg(plugins);
    let finished = text.finish().expect_code(0);
    let dumped = finished.stdout();
    // The dump contains the absolute path of the world, which is in the first folder.
    let again = Setup::new();
    fs::create_dir(again.path("elsewhere")).expect("a folder");
    again.file("elsewhere/dump.toml", &dumped);
    let again = again.args(["run", "--config", "elsewhere/dump.toml", "--result", "result.json"]).finish();
    let result = again.expect_code(0).result();
    assert_eq!((&result["seed"], &result["steps"]), (&json!(5), &json!(100)), "{dumped}");
    assert_eq!(result["plugins"][0]["label"], "car1/imu");
}

#[test]
fn the_environment_configures_a_run_and_its_errors_end_the_start() {
    let run = || Setup::new().run(&worlds().join("empty.sdf")).env("BRIDGEHEAD_RUN_DURATION", "0.05s");
    assert_eq!(run().finish().expect_code(0).result()["steps"], 50);
    let finished = run().env("BRIDGEHEAD_RUN_SEED", "many").finish().expect_code(1);
    finished.expect_message(&["BH-CFG-005", "BRIDGEHEAD_RUN_SEED"]);
    let finished = run().env("BRIDGEHEAD_HTTP_ADRESS", "off").finish().expect_code(1);
    finished.expect_message(&["BH-CFG-023", "BRIDGEHEAD_HTTP_ADDRESS"]);
    let finished = run().env("BRIDGEHEAD_HTTP_TOKEN", "").finish().expect_code(1);
    finished.expect_message(&["BH-CFG-018", "the token is empty", "BRIDGEHEAD_HTTP_TOKEN"]);
}

#[test]
fn configuration_sections_for_clients_are_checked() {
    let cases = [
        ("[http]\naddress = \"nowhere\"\n", "BH-CFG-015", "run.toml:2:11"),
        ("[http]\ntoken_file = \"absent\"\n", "BH-CFG-018", "absent"),
        ("[http]\ntoken = \"\"\n", "BH-CFG-018", "the token is empty"),
        ("[http]\ntoken = \" \"\n", "BH-CFG-018", "run.toml:2:9"),
        ("[http]\nconnections = 0\n", "BH-CFG-014", "run.toml:2:15"),
        ("[services]\nget_entitys = \"x\"\n", "BH-CFG-004", "write `get_entities`"),
        ("[services]\nget_entities = \"load_world\"\n", "BH-CFG-017", "`get_entities` and `load_world`"),
        ("[control]\nload_ends_in = \"playing\"\n", "BH-CFG-012", "run.toml:2:16"),
        ("[keyboard]\nquit = \"r\"\n", "BH-CFG-016", "keyboard.quit"),
        ("[watchdog]\nconnect = \"0s\"\n", "BH-CFG-010", "run.toml:2:11"),
    ];
    for (toml, code, text) in cases {
        check(setup(toml)).expect_code(1).expect_message(&[code, text]);
    }
}

#[test]
fn an_output_folder_that_may_not_be_entered_is_not_called_missing() {
    let setup = setup("").unprivileged();
    let closed = setup.path("closed");
    fs::create_dir_all(closed.join("inner")).unwrap();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
    let finished = setup.args(["run", "world.sdf", "--result", "closed/inner/result.json"]).finish();
    fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
    let finished = finished.expect_code(1).expect_message(&["BH-CFG-", "`closed/inner`: Permission denied"]);
    assert!(!finished.to_string().contains("there is no folder"), "{finished}");
}
