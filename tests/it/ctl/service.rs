//! `bridgehead service` with a running host: names, declarations, calls, and what goes wrong.

use serde_json::Value;

use super::topic::hall;

#[test]
fn services_are_listed_shown_and_called() {
    let host = hall();
    let names = host.says(&["service", "list"]);
    for name in ["get_status", "step_simulation", "world/hall/control"] {
        assert!(names.lines().any(|line| line == name), "`{name}` in {names}");
    }
    assert_eq!(host.says(&["service", "-l"]), names);
    let typed = host.says(&["service", "list", "-t"]);
    assert!(
        typed.lines().any(|line| line == "pause [bridgehead_simulation_interfaces/srv/Transition]"),
        "{typed}"
    );
    let json: Value = serde_json::from_str(&host.says(&["service", "list", "--json"])).expect("JSON");
    assert!(json["services"].as_array().is_some_and(|all| all.len() == names.lines().count()), "{json}");

    let info = host.says(&["service", "info", "step_simulation"]);
    for line in ["service  step_simulation", "type     simulation_interfaces/srv/StepSimulation", "---"] {
        assert!(info.lines().any(|found| found == line), "`{line}` in {info}");
    }
    assert!(info.contains("command  bridgehead ctl step\n") && info.contains("uint64 steps"), "{info}");
    let info = host.says(&["service", "-i", "-s", "/world/hall/control"]);
    assert!(info.contains("ros_gz_interfaces/WorldControl world_control\n---\nbool success\n"), "{info}");
    let action = host.says(&["service", "info", "simulate_steps"]);
    assert!(action.contains("simulation_interfaces/action/SimulateSteps"), "{action}");

    let state = "{\"state\":{\"state\":1},\"result\":{\"result\":1,\"error_message\":\"\"}}\n";
    for words in [
        &["service", "call", "get_simulation_state"][..],
        &["service", "call", "/get_simulation_state", "{}"],
        &["service", "call", "/get_simulation_state", "simulation_interfaces/srv/GetSimulationState"],
        &["service", "call", "/get_simulation_state", "simulation_interfaces/GetSimulationState", "{}"],
        &["service", "-s", "get_simulation_state", "--timeout", "20000", "--req", ""],
        &["ctl", "call", "/get_simulation_state"],
    ] {
        assert_eq!(host.says(words), state, "{words:?}");
    }
    let control = ["service", "-s", "/world/hall/control", "--reqtype", "gz.msgs.WorldControl"];
    let control = [&control[..], &["--reptype", "gz.msgs.Boolean", "--timeout", "20000", "--req"]].concat();
    for request in ["pause: true", "{\"pause\": true}", "world_control {pause: true}"] {
        assert_eq!(host.says(&[&control[..], &[request]].concat()), "{\"success\":true}\n", "{request}");
        assert_eq!(host.ok(&["state"]), "paused\n");
        host.ok(&["resume"]);
    }
    host.ok(&["pause"]);
    host.says(&["service", "call", "step_simulation", "steps: 5"]);
    host.ok(&["quit"]);
    host.running.finish();
}

#[test]
fn entities_are_created_moved_and_removed_with_the_messages_of_gazebo() {
    let host = hall();
    let call = |service: &str, kind: &str, request: &str| {
        let service = format!("/world/hall/{service}");
        let words =
            ["service", "-s", &service, "--reqtype", kind, "--reptype", "gz.msgs.Boolean", "--req", request];
        assert_eq!(host.says(&words), "{\"success\":true}\n", "{request}");
    };
    let model = "sdf: \"<sdf version='1.9'><model name='box'><link name='l'/></model></sdf>\"";
    call(
        "create",
        "gz.msgs.EntityFactory",
        &format!("{model} pose: {{position: {{z: 2}} orientation {{w: 1}}}} name: 'crate'"),
    );
    assert_eq!(host.ok(&["entities", "--filter", "^crate"]), "crate\n");
    call(
        "set_pose",
        "ros_gz_interfaces/srv/SetEntityPose",
        "entity {name: 'crate'} pose {position {x: 1} orientation {w: 1}}",
    );
    let state = host.ok(&["state", "crate"]);
    assert!(state.contains("pose          1 0 0 m, 0 0 0°\n"), "{state}");
    call("remove", "gz.msgs.Entity", "name: \"crate\"");
    assert_eq!(host.ctl(&["entities", "--filter", "^crate"]).stdout, b"");
    host.ok(&["quit"]);
    host.running.finish();
}

#[test]
fn wrong_services_requests_and_types_are_named() {
    let host = hall();
    for (words, parts) in [
        (&["service", "call", "get_entitis"][..], &["error[BH-CTL-027]: ", "try: `get_entities`"][..]),
        (&["service", "info", "get_entitis"], &["error[BH-CTL-027]: ", "try: `get_entities`"]),
        (&["service", "call", "get_entitis", "filters: {}"], &["error[BH-CTL-027]: ", "try: `get_entities`"]),
        (
            &["service", "call", "/pause", "std_srvs/srv/Empty", "{}"],
            &[
                "error[BH-CTL-037]: the service `pause` has the type `bridgehead_simulation_interfaces/srv/Transition`, \
                 not `std_srvs/srv/Empty`",
                "see `bridgehead service info pause`",
            ],
        ),
        (
            &["service", "call", "step_simulation", "steps: {"],
            &["error[BH-CTL-038]: ", "as JSON, ", "as text, "],
        ),
        (&["service", "call", "step_simulation", "stepz: 1"], &["error[BH-CTL-038]: ", "`stepz`"]),
        (&["service", "call", "step_simulation", "{\"stepz\": 1}"], &["error[BH-", "stepz"]),
        (
            &["service", "call", "step_simulation", "{}"],
            &["step_simulation is refused", "the state playing allows"],
        ),
        (&["service", "-s", "pause"], &["error[BH-CTL-036]: `bridgehead service` needs a command"]),
        (&["service", "list", "--timeout", "300"], &["`300` has no unit"]),
        (&["service", "-l", "-s", "pause"], &["error[BH-CFG-001]: "]),
    ] {
        let output = host.program(words).output().expect("it runs");
        let text = String::from_utf8(output.stderr).expect("text");
        assert_eq!(output.status.code(), Some(1), "{words:?}: {text}");
        for part in parts {
            assert!(text.contains(part), "{words:?}: `{part}` in {text}");
        }
    }
    host.ok(&["quit"]);
    host.running.finish();
}
