//! Bridges in worker processes: they work as in the process of the host, and their end ends nothing else.

mod hostile;
mod models;
mod safe_mode;
mod systems;

use std::fs;

use serde_json::json;

use crate::support::{Finished, Line, Served, Setup, eventually, vehicle, world, worlds};

/// A vehicle whose plugin publishes ten pressures per second, subscribes, and offers a service.
fn car(name: &str) -> String {
    vehicle(name, "<plugin filename=\"own_type\" name=\"barometer\"/>")
}

/// Returns the lines that the recorder with that connection string wrote about one kind of call.
fn calls<'a>(lines: &'a [Line], instance: &str, call: &str) -> Vec<&'a Line> {
    lines.iter().filter(|line| line.text("instance") == instance && line.text("call") == call).collect()
}

/// Drives the minimal vehicle for two seconds by recorded commands, with both bridges isolated or not.
fn drive(is_isolated: bool) -> Finished {
    let setup = Setup::new().plugins(&["clock", "diff_drive", "imu", "logging", "replay"]);
    let line = |step: u64| {
        format!("{{\"topic\":\"/robot/cmd_vel\",\"step\":{step},\"message\":{{\"linear\":{{\"x\":0.3}}}}}}\n")
    };
    setup.file("commands.jsonl", (1..10).map(|number| line(200 * number)).collect::<String>());
    let setup =
        setup.run(&worlds().join("minimal_vehicle.sdf")).args(["--duration", "2s", "--hash-log", "hashes"]);
    let setup = setup.bridge("robot=logging:out/run.jsonl").bridge("robot=replay:commands.jsonl");
    let setup = if is_isolated { setup.args(["--isolate", "logging,replay"]) } else { setup };
    setup.finish().expect_code(0)
}

#[test]
fn an_isolated_run_equals_one_in_a_single_process() {
    let (alone, isolated) = (drive(false), drive(true));
    let text = |finished: &Finished, name: &str| fs::read_to_string(finished.path(name)).expect("a file");
    assert_eq!(text(&alone, "hashes"), text(&isolated, "hashes"), "states");
    assert_eq!(text(&alone, "out/run.jsonl"), text(&isolated, "out/run.jsonl"), "messages");
    assert!(text(&isolated, "out/run.jsonl").lines().count() > 100);
    assert_eq!(alone.result()["bridges"], isolated.result()["bridges"], "counts");
}

#[test]
fn messages_conversions_and_services_pass_in_both_directions() {
    let setup = Setup::new().fixtures(&["own_type", "recorder"]).plugins(&["logging"]).recording();
    let finished = setup
        .world(&world(&car("car1")))
        .args(["--duration", "1s", "--isolate", "recorder"])
        .bridge("car1=recorder:here")
        .bridge("car1=logging:out/car1.jsonl")
        .env("RECORDER_SEND", "/car1/pressure_in=99000 Pa")
        .env("RECORDER_CALL", "/car1/calibrate")
        .finish()
        .expect_code(0);
    let recorded = finished.recorded();
    let sent = calls(&recorded, "here", "message");
    let sent: Vec<_> = sent.iter().filter(|line| line.is_topic("/car1/pressure")).collect();
    assert_eq!(sent.len(), 10);
    assert_eq!(sent[0].text("payload"), "101325 Pa", "a converter of the vehicle's plugin wrote the payload");
    let logged = finished.log("out/car1.jsonl");
    let echo = logged.iter().find(|line| line.is_topic("/car1/echo")).expect("an echo");
    assert_eq!(echo["message"], json!({ "pascal": 99_000.0 }), "the message that the bridge received");
    let reply = recorded.iter().find(|line| line.text("call") == "reply").expect("a reply");
    assert!(reply.text("payload").contains("received"), "{reply:?}");
    let drops = calls(&recorded, "here", "drop");
    assert_eq!(drops.len(), 1, "the instance is destroyed\n{finished}");
}

#[test]
fn messages_of_a_megabyte_arrive_without_loss() {
    let plugin =
        "<plugin filename='producer' name='producer'><count>1</count><bytes>1000000</bytes></plugin>";
    let bridge = "[[bridge]]\nattach = 'car1'\nname = 'consumer'\nconnection = 'out/count'\n\
                  isolation = 'process'\nqueue = { policy = 'block' }\n";
    let setup = Setup::new().fixtures(&["producer", "consumer"]).world(&world(&vehicle("car1", plugin)));
    let finished = setup.args(["--duration", "0.2s"]).config(bridge).finish().expect_code(0);
    let counts = fs::read_to_string(finished.path("out/count")).expect("the counts");
    assert!(counts.starts_with("taken=200 "), "{counts}");
}

/// Ids of the worker processes of a host, each with the label of its instance.
fn workers(host: &Served) -> Vec<(i32, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").expect("processes").filter_map(Result::ok) {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let parent = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().nth(1));
        let command = fs::read_to_string(entry.path().join("cmdline")).unwrap_or_default();
        let words: Vec<&str> = command.split('\0').collect();
        if parent == Some(&host.id().to_string()) && words.get(1) == Some(&"--worker") {
            found.push((id, words.get(3).copied().unwrap_or_default().to_owned()));
        }
    }
    found
}

fn kill(process: i32) {
    // SAFETY: sends a signal to a process that the host of this test has started.
    assert_eq!(unsafe { libc::kill(process, libc::SIGKILL) }, 0);
}

#[test]
fn a_bridge_connects_again_in_a_new_worker_and_others_lose_nothing() {
    let setup = Setup::new().fixtures(&["own_type", "recorder"]).in_real_time().recording();
    let recorded = setup.path("recorded.jsonl");
    let setup = setup.world(&world(&format!("{}{}", car("car1"), car("car2"))));
    let host = Served::start(
        setup.args(["--isolate", "recorder"]).bridge("car1=recorder:one").bridge("car2=recorder:two"),
    );
    let count = |instance: &str, call: &str| {
        let text = fs::read_to_string(&recorded).unwrap_or_default();
        let lines = text.lines().filter_map(|line| serde_json::from_str(line).ok()).map(Line);
        let lines: Vec<Line> = lines.collect();
        calls(&lines, instance, call).len()
    };
    eventually("messages flow", || count("one", "message") > 2 && count("two", "message") > 2);
    let victim = workers(&host).into_iter().find(|(_, label)| label == "car1/recorder").expect("a worker").0;
    kill(victim);
    eventually("a new worker is connected", || count("one", "connect") == 2);
    let before = count("one", "message");
    eventually("messages flow again", || count("one", "message") > before + 2);
    host.ok("quit", json!({}));
    let finished = host.finish().expect_code(0);
    let (one, two) =
        (finished.reported("bridges", "car1/recorder"), finished.reported("bridges", "car2/recorder"));
    assert_eq!((&one["connections"], &two["connections"]), (&json!(2), &json!(1)));
    let published = finished.reported("topics", "/car2/pressure")["published"].clone();
    assert_eq!((&two["delivered"], &two["dropped"], &two["missed"]), (&published, &json!(0), &json!(0)));
    let errors = finished.result()["errors"].to_string();
    assert!(
        errors.contains("BH-PLG-140") && errors.contains("car1/recorder") && errors.contains("SIGKILL"),
        "{errors}"
    );
}

#[test]
fn workers_end_with_their_host_however_it_ends() {
    let setup = Setup::new().fixtures(&["own_type", "recorder", "rogue_bridge"]).in_real_time().recording();
    let setup = setup.world(&world(&format!("{}{}", car("car1"), car("car2"))));
    let setup = setup.args(["--isolate", "recorder, rogue_bridge"]);
    // The second one is in a call that does not return.
    let setup = setup.bridge("car1=recorder:one").bridge("car2=rogue_bridge:connect=blocks");
    let host = Served::start(setup);
    eventually("the workers are there", || workers(&host).len() == 4);
    let workers = workers(&host);
    host.signal(libc::SIGKILL);
    drop(host);
    eventually("the workers are gone", || {
        workers.iter().all(|(id, _)| {
            let state = fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            state.is_empty()
                || state.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('Z'))
        })
    });
}

#[test]
fn a_worker_has_the_limits_of_the_configuration() {
    let setup = Setup::new().fixtures(&["own_type", "recorder"]).in_real_time().recording();
    let setup = setup.world(&world(&car("car1"))).args(["--isolate", "recorder"]).bridge("car1=recorder:one");
    let host = Served::start(setup.config("[run]\nisolate_memory = \"256M\"\nisolate_files = 77\n"));
    eventually("a worker is there", || !workers(&host).is_empty());
    let (id, _) = workers(&host).remove(0);
    let limits = || fs::read_to_string(format!("/proc/{id}/limits")).expect("the limits");
    let has = |name: &str, value: &str| {
        limits()
            .lines()
            .any(|line| line.starts_with(name) && line.split_whitespace().any(|word| word == value))
    };
    eventually("the limits are set", || has("Max data size", "268435456") && has("Max open files", "77"));
    host.ok("quit", json!({}));
    drop(host.finish().expect_code(0));
}

#[test]
fn a_name_that_no_plugin_has_is_refused() {
    let setup = Setup::new().fixtures(&["own_type", "recorder"]).world(&world(&car("car1")));
    let finished = setup.args(["--isolate", "recorder, recoder"]).finish().expect_code(1);
    drop(finished.expect_message(&["BH-PLG-086", "`recoder`", "available: `recorder`"]));
}
