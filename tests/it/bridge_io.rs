//! Tests of bridges: connection strings, isolation of failures, threads and converters.

use serde_json::{Value, json};

use crate::support::{CPlugin, Finished, Line, Setup, root, vehicle, world};

/// A connection string with separators, repeated spaces and characters outside ASCII.
const ODD: &str = " a=b:c;d,e  \u{fc}\u{1f697} = : ; , ";

/// A vehicle whose plugin publishes and subscribes, with its own message type.
fn car(name: &str) -> String {
    vehicle(name, "<plugin filename=\"own_type\" name=\"barometer\"/>")
}

/// Two such vehicles and a clock.
fn two_cars() -> String {
    let clock = "<plugin filename=\"clock\" name=\"clock\"><update_rate>10</update_rate></plugin>";
    world(&format!("{clock}\n{}\n{}", car("car1"), car("car2")))
}

/// A run of two vehicles for one second, with the libraries that these tests need.
fn setup() -> Setup {
    let setup = Setup::new().plugins(&["clock", "logging"]).fixtures(&["own_type", "recorder", "unreliable"]);
    setup.recording().world(&two_cars()).args(["--duration", "1s"])
}

/// Returns the lines that the recorder with that connection string wrote about one kind of call.
fn calls<'a>(lines: &'a [Line], instance: &str, call: &str) -> Vec<&'a Line> {
    lines.iter().filter(|line| line.text("instance") == instance && line.text("call") == call).collect()
}

/// Returns the number of pressures that a recorder received; ten are published per second.
fn pressures(lines: &[Line], instance: &str) -> usize {
    calls(lines, instance, "message").iter().filter(|line| line.text("topic").ends_with("/pressure")).count()
}

/// Returns the topics of the messages that a recorder received, except the scene.
fn topics(lines: &[Line], instance: &str) -> Vec<String> {
    let mut topics: Vec<String> =
        calls(lines, instance, "message").iter().map(|line| line.text("topic").to_owned()).collect();
    topics.retain(|topic| !topic.ends_with("/visual_markers"));
    topics.sort();
    topics.dedup();
    topics
}

#[test]
fn each_bridge_of_two_vehicles_and_the_world_has_its_own_connection() {
    let log = format!("out/{}.jsonl", ODD.trim());
    let finished = setup()
        .bridge(format!("car1=recorder:{ODD}"))
        .bridge(format!("car1=logging:{log}"))
        .bridge("car2=recorder:second")
        .bridge("car2=logging:out/car2.jsonl")
        .bridge("world=recorder:")
        .finish()
        .expect_code(0);

    let recorded = finished.recorded();
    for connection in [ODD, "second", ""] {
        let connects = calls(&recorded, connection, "connect");
        assert_eq!(connects.len(), 1, "`{connection}` is connected once\n{finished}");
        assert_eq!(connects[0]["connection"], connection, "byte for byte");
    }
    assert_eq!(topics(&recorded, ODD), ["/car1/pressure"]);
    assert_eq!(topics(&recorded, "second"), ["/car2/pressure"]);
    assert!(topics(&recorded, "").contains(&"/clock".to_owned()), "{recorded:?}");
    for (log, topic) in [(log.as_str(), "/car1/pressure"), ("out/car2.jsonl", "/car2/pressure")] {
        let lines = finished.log(log);
        assert_eq!(lines.iter().filter(|line| line.is_topic(topic)).count(), 10, "ten per second in {log}");
        assert!(
            lines.iter().all(|line| topic.starts_with(&format!("/{}/", line.text("vehicle")))),
            "{log} contains only topics of its vehicle"
        );
    }
}

#[test]
fn every_message_reaches_every_bridge_in_order() {
    let finished = setup().bridge("car1=recorder:a").bridge("car1=recorder:b").finish().expect_code(0);
    let recorded = finished.recorded();
    for instance in ["a", "b"] {
        let messages = calls(&recorded, instance, "message");
        let pressures: Vec<u64> = messages
            .iter()
            .filter(|line| line.is_topic("/car1/pressure"))
            .map(|line| line.count("seq"))
            .collect();
        assert_eq!(pressures, (0..10).collect::<Vec<u64>>(), "{instance}");
    }
}

#[test]
fn a_bridge_that_fails_to_connect_does_not_affect_the_others() {
    let setup =
        setup().bridge("car1=unreliable:fails").bridge("car1=recorder:good").bridge("car2=recorder:too");
    let finished = setup.finish().expect_code(0);
    let finished =
        finished.expect_message(&["car1/unreliable", "the peer refused the connection", "EX-UNR-002"]);
    let bridge = finished.reported("bridges", "car1/unreliable");
    assert_eq!(bridge["was_connected"], false);
    assert!(bridge["failure"].as_str().is_some_and(|text| text.contains("refused")), "{bridge}");
    let recorded = finished.recorded();
    for instance in ["good", "too"] {
        assert_eq!(pressures(&recorded, instance), 10, "{instance}\n{finished}");
    }
}

/// A configuration with one bridge.
fn with_bridge(setup: Setup, lines: &str) -> Setup {
    setup.config(&format!("[[bridge]]\nattach = \"car1\"\nname = \"unreliable\"\n{lines}\n"))
}

#[test]
fn a_required_bridge_that_fails_to_connect_ends_the_start() {
    let finished = with_bridge(setup(), "connection = \"fails\"\nrequired = true\nreconnect = \"never\"");
    let finished = finished
        .finish()
        .expect_code(4)
        .expect_message(&["car1/unreliable", "the peer refused the connection"]);
    assert_eq!(finished.result()["outcome"], "no-start");
    assert_eq!(finished.result()["steps"], 0);
}

#[test]
fn a_required_bridge_that_connects_too_late_ends_the_start() {
    let lines = "connection = \"never\"\nrequired = true\nconnect_timeout = \"300ms\"";
    let finished = with_bridge(setup(), lines).finish().expect_code(4).expect_message(&["car1/unreliable"]);
    assert_eq!(finished.result()["outcome"], "no-start");
}

#[test]
fn a_required_bridge_that_connects_before_its_timeout_misses_no_message() {
    let lines = "connection = \"late=300\"\nrequired = true\nconnect_timeout = \"60s\"";
    let finished = with_bridge(setup(), lines).finish().expect_code(0);
    let bridge = finished.reported("bridges", "car1/unreliable");
    assert_eq!(bridge["was_connected"], true);
    assert_eq!(bridge["missed"], 0, "{bridge}");
}

#[test]
fn messages_for_an_unconnected_bridge_are_counted_as_missed() {
    let lines = "connection = \"never\"\nconnect_timeout = \"100ms\"";
    let finished = with_bridge(setup(), lines).finish().expect_code(0);
    let bridge = finished.reported("bridges", "car1/unreliable");
    assert_eq!(bridge["was_connected"], false);
    assert_eq!(bridge["delivered"], 0);
    assert!(bridge["missed"].as_u64() >= Some(10), "{bridge}");
}

#[test]
fn endpoints_that_a_bridge_creates_late_are_connected() {
    let mut running = Setup::new()
        .plugins(&["clock"])
        .fixtures(&["own_type", "rogue_bridge"])
        .in_real_time()
        .world(&two_cars())
        .env("ROGUE", "publisher=lingers")
        .bridge("car1=rogue_bridge:transmit=rejects")
        .start();
    running.wait_for("BH-BRG-012");
    running.wait_for("announced topics are connected");
    // It received a message.
    running.wait_for("BH-BRG-019");
    running.signal(libc::SIGINT);
    running.finish().expect_code(0);
}

#[test]
fn a_disconnected_peer_is_reported_and_the_run_continues() {
    let lines = "connection = \"dies_after=3\"\nreconnect = \"never\"";
    let finished = with_bridge(setup(), lines).finish().expect_code(0);
    let finished = finished.expect_message(&["car1/unreliable", "the peer went away"]);
    assert_eq!(finished.result()["steps"], 1000);
}

#[test]
fn a_connection_that_ends_slowly_is_made_again() {
    let setup = Setup::new().fixtures(&["own_type", "unreliable"]).in_real_time().world(&two_cars());
    // The next attempt is due after 500 ms, and may take 200 ms.
    let lines = "connection = \"slow_end=1500\"\nreconnect = \"backoff\"\nconnect_timeout = \"200ms\"";
    let mut running = with_bridge(setup, lines).start();
    running.wait_for("lost the connection");
    running.wait_for("connected to slow_end=1500");
    running.wait_for("lost the connection");
    running.signal(libc::SIGINT);
    let finished = running.finish().expect_code(0);
    let bridge = finished.reported("bridges", "car1/unreliable");
    assert!(bridge["connections"].as_u64() >= Some(2), "{bridge}\n{finished}");
}

#[test]
fn a_connect_that_returns_after_its_timeout_cannot_hold_the_run() {
    let setup = Setup::new().fixtures(&["own_type", "unreliable"]).in_real_time().world(&two_cars());
    let lines = "connection = \"holds_late=2000\"\nconnect_timeout = \"100ms\"";
    // The call returns before half of the run is over.
    let finished = with_bridge(setup.args(["--duration", "5s"]), lines).finish().expect_code(0);
    let finished = finished.expect_message(&["car1/unreliable", "`connect` has not returned after 100ms"]);
    assert_eq!(finished.result()["steps"], 5000);
}

#[test]
fn sensors_see_the_bridges_of_their_vehicle() {
    for arguments in [[].as_slice(), &["--isolate", "watch"]] {
        let setup = Setup::new().fixtures(&["own_type", "recorder", "unreliable"]);
        CPlugin::new(&root().join("tests/fixtures/watch.c"), &setup.plugin_folder().join("libwatch.so"))
            .build();
        let plugins =
            "<plugin filename=\"own_type\" name=\"barometer\"/><plugin filename=\"watch\" name=\"watch\"/>";
        let sdf = world(&format!("{}\n{}", vehicle("car1", plugins), car("car2")));
        // In real time, so that the loss of a peer, which another thread notices, has time.
        let setup = setup
            .recording()
            .in_real_time()
            .world(&sdf)
            .args(["--duration", "2s"])
            .bridge("car2=recorder:other");
        let lines = "connection = \"dies_after=3\"\nreconnect = \"never\"";
        let setup = with_bridge(setup.bridge("car1=recorder:own"), lines);
        let setup = arguments.iter().fold(setup, |setup, argument| setup.arg(argument));
        let finished = setup.finish().expect_code(0);
        let said = finished.to_string();
        let seen: Vec<&str> = said.lines().filter_map(|line| line.split("sees ").nth(1)).collect();
        let of =
            |label: &str| seen.iter().filter(|line| line.starts_with(label)).copied().collect::<Vec<_>>();
        // Connected, and lost by its peer: the numbers of the ABI.
        assert_eq!(
            of("car1/unreliable"),
            ["car1/unreliable of unreliable: 3", "car1/unreliable of unreliable: 1"]
        );
        assert_eq!(of("car1/recorder"), ["car1/recorder of recorder: 3"]);
        assert_eq!(seen.len(), 3, "those of another vehicle are not seen: {seen:?}");
    }
}

#[test]
fn a_slow_bridge_delays_neither_the_run_nor_other_bridges() {
    // One message takes longer than the whole run may take.
    let finished = with_bridge(setup(), "connection = \"slow=2000\"").bridge("car1=recorder:fast").finish();
    let finished = finished.expect_code(0);
    assert_eq!(pressures(&finished.recorded(), "fast"), 10);
    let wall = finished.result()["wall_s"].as_f64().expect("a number");
    assert!(wall < 2.0, "the steps took {wall} s");
}

/// Checks the last line that any recorder wrote: it lists the loops of all bridges that are still alive.
#[track_caller]
fn assert_no_loop_is_alive(finished: &Finished) {
    let recorded = finished.recorded();
    let last = recorded.iter().rfind(|line| line.text("call") == "drop");
    let last = last.unwrap_or_else(|| panic!("no recorder was dropped\n{finished}"));
    assert_eq!(last["loops_alive"], json!([]), "{finished}");
}

#[test]
fn transmit_and_receive_threads_end_at_disconnect() {
    let setup = setup().bridge("*=recorder:every").bridge("car1=logging:out/car1.jsonl");
    let finished = setup.finish().expect_code(0);
    let recorded = finished.recorded();
    for call in ["transmit", "transmit ended", "receive", "receive ended", "disconnect", "drop"] {
        assert_eq!(
            calls(&recorded, "every", call).len(),
            3,
            "`{call}` of two vehicles and the world\n{finished}"
        );
    }
    let threads = calls(&recorded, "every", "transmit");
    let mut names: Vec<&str> = threads.iter().map(|line| line.text("thread")).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        ["tx:car1/recorde", "tx:car2/recorde", "tx:world/record"],
        "names are cut to the length that the kernel allows"
    );
    assert_no_loop_is_alive(&finished);
}

#[test]
fn bridges_receive_notices_of_the_lifecycle() {
    let finished = setup().bridge("car1=recorder:here").finish().expect_code(0);
    let recorded = finished.recorded();
    let notices: Vec<&str> =
        calls(&recorded, "here", "notice").iter().map(|line| line.text("notice")).collect();
    assert_eq!(notices.first(), Some(&"Started"), "{notices:?}");
    assert_eq!(notices.last(), Some(&"Stopped"), "{notices:?}");
}

#[test]
fn a_type_of_a_plugin_reaches_bridges_loaded_before_and_after_it() {
    // Folders are searched in the order given, so this is the order of loading.
    let setup = Setup::new().plugins(&["logging"]);
    let later = Setup::new().fixtures(&["own_type"]);
    let last = Setup::new().fixtures(&["recorder"]);
    let setup = setup.recording().world(&world(&car("car1"))).args(["--duration", "1s"]);
    let setup =
        setup.arg("--plugin-path").arg(later.plugin_folder()).arg("--plugin-path").arg(last.plugin_folder());
    let setup = setup
        .bridge("car1=logging:out/car1.jsonl")
        .bridge("car1=recorder:here")
        .env("RECORDER_SEND", "/car1/pressure_in=99000 Pa");
    let finished = setup.finish().expect_code(0);

    let logged = finished.log("out/car1.jsonl");
    let first = logged.iter().find(|line| line.is_topic("/car1/pressure")).expect("a pressure");
    assert_eq!(
        first["type"], "example_msgs/msg/Pressure",
        "the logging bridge knows the type by its descriptor"
    );
    assert_eq!(first["message"], json!({ "pascal": 101_325.0 }));
    let echo = logged.iter().find(|line| line.is_topic("/car1/echo")).expect("an echo");
    assert_eq!(echo["message"], json!({ "pascal": 99_000.0 }), "the message that the other bridge received");

    let recorded = finished.recorded();
    let publishers = calls(&recorded, "here", "publisher");
    let publisher = publishers.iter().find(|line| line.is_topic("/car1/pressure")).expect("a publisher");
    assert_eq!(publisher["bridge_type"], "text/pressure");
    assert_eq!(publisher["is_converted"], true);
    let messages = calls(&recorded, "here", "message");
    let message = messages.iter().find(|line| line.is_topic("/car1/pressure")).expect("a message");
    assert_eq!(message.text("payload"), "101325 Pa", "the converter wrote the payload");
}

#[test]
fn a_service_of_a_plugin_is_called_through_a_bridge() {
    let setup = setup().bridge("car1=recorder:here").env("RECORDER_CALL", "/car1/calibrate");
    let finished = setup.finish().expect_code(0);
    let recorded = finished.recorded();
    let offers = calls(&recorded, "here", "service");
    assert!(offers.iter().any(|line| line.is_topic("/car1/calibrate")), "{offers:?}");
    let reply = recorded.iter().find(|line| line.text("call") == "reply").expect("a reply");
    assert_eq!(reply["error"], Value::Null);
    assert!(reply.text("payload").contains("0 received"), "{reply:?}");
}

#[test]
fn a_vehicle_can_contain_a_bridge_element() {
    let plugin =
        format!("<plugin filename=\"recorder\" name=\"own\"><connection>{ODD}</connection></plugin>");
    let sdf = world(&vehicle("car1", &format!("<plugin filename=\"own_type\" name=\"barometer\"/>{plugin}")));
    let setup = Setup::new().fixtures(&["own_type", "recorder"]).recording().world(&sdf);
    let finished = setup.args(["--duration", "1s"]).finish().expect_code(0);
    let recorded = finished.recorded();
    let connects: Vec<&Line> = recorded.iter().filter(|line| line.text("call") == "connect").collect();
    assert_eq!(connects.len(), 1);
    assert_eq!(connects[0].text("connection"), ODD.trim(), "byte for byte");
}
