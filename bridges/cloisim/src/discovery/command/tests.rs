//! Requests and answers, with a simulation that only remembers.

use std::cell::RefCell;

use super::*;

#[derive(Default)]
struct Fake {
    is_resetting: bool,
    moved: RefCell<Vec<Target>>,
    misunderstood: RefCell<Vec<String>>,
}

impl Control for Fake {
    fn devices(&self) -> Vec<DeviceListing> {
        let device = |model: &str, kind, parts: &str, ports: &[(&'static str, u16)]| DeviceListing {
            model: model.into(),
            kind,
            parts: parts.into(),
            ports: ports.iter().map(|(key, port)| (*key, *port, format!("{model}{parts}{key}"))).collect(),
        };
        vec![
            device("World", "WORLD", "SimulationWorld", &[("Clock", 49152), ("Control", 49153)]),
            device("cloi", "IMU", "imu_imu", &[("Info", 49154), ("Data", 49155)]),
            device("cloi", "IMU", "head_imu", &[("Info", 49156)]),
        ]
    }

    fn reset(&self) -> Result<bool, String> {
        Ok(!self.is_resetting)
    }

    fn teleport(&self, targets: &[Target]) -> Result<Vec<Result<(), String>>, String> {
        if targets.iter().any(|target| target.name == "ghost") {
            return Err("no such model: ghost; nothing was moved".into());
        }
        self.moved.borrow_mut().extend_from_slice(targets);
        Ok(targets
            .iter()
            .map(|target| if target.name == "wall" { Err("static".into()) } else { Ok(()) })
            .collect())
    }

    fn pose_of(&self, name: &str) -> Result<EulerPose, String> {
        if name == "cloi" { Ok(EulerPose::default()) } else { Err(format!("'{name}': not found")) }
    }

    fn misunderstood(&self, why: &str) {
        self.misunderstood.borrow_mut().push(why.to_owned());
    }
}

fn ask(text: &str) -> Value {
    serde_json::from_str(&respond(text, &Fake::default())).expect("JSON")
}

#[test]
fn the_list_is_what_clients_read() {
    let answer = respond("{'command':'device_list', 'filter':''}", &Fake::default());
    assert_eq!(
        answer,
        "{\"sim_version\":\"5.4.2\",\"command\":\"device_list\",\"result\":{\"World\":{\"WORLD\":{\"SimulationWorld\":\
         {\"Clock\":49152,\"Control\":49153}}},\"cloi\":{\"IMU\":{\"imu_imu\":{\"Info\":49154,\"Data\":49155},\
         \"head_imu\":{\"Info\":49156}}}}}"
    );
    let filtered = ask("{'command':'device_list','filter':'clo'}");
    assert_eq!(filtered["result"].as_object().expect("an object").len(), 1);
}

#[test]
fn ports_are_listed_by_the_text_of_their_tags() {
    let ports = ask("{'command':'port_list','filter':'cloiimu'}")["result"].clone();
    assert_eq!(ports, json!({ "cloiimu_imuInfo": 49154, "cloiimu_imuData": 49155 }));
}

#[test]
fn a_reset_is_ok_or_runs_already() {
    assert_eq!(ask("{'command':'reset'}")["result"], "ok");
    let busy = Fake { is_resetting: true, ..Fake::default() };
    assert!(respond("{'command':'reset'}", &busy).contains("\"result\":\"fail\""));
}

#[test]
fn a_teleport_says_what_became_of_each() {
    let fake = Fake::default();
    let text = "{'command':'teleport','targets':[{'target':'cloi','pose':{'x':1,'yaw':0.5},'reset':true},\
                {'target':'wall'}]}";
    let answer: Value = serde_json::from_str(&respond(text, &fake)).expect("JSON");
    assert_eq!(answer["result"], "fail");
    let outcomes = json!([{ "target": "cloi", "result": "ok" }, { "target": "wall", "result": "static" }]);
    assert_eq!(answer["targets"], outcomes);
    let moved = fake.moved.borrow();
    let pose = EulerPose { position: [1.0, 0.0, 0.0], rotation: [0.0, 0.0, 0.5] };
    assert_eq!(moved[0], Target { name: "cloi".into(), pose: Some(pose), stops: true });
    assert_eq!(moved[1].pose, None);
}

#[test]
fn a_teleport_that_is_wrong_moves_nobody() {
    let cases = [
        ("{'command':'teleport'}", "nothing to do"),
        ("{'command':'teleport','targets':1}", "is no list"),
        ("{'command':'teleport','targets':[{}]}", "has no name"),
        (
            "{'command':'teleport','targets':[{'target':'cloi','pose':{'x':'a'}}]}",
            "`x` of the pose for `cloi`",
        ),
        ("{'command':'teleport','targets':[{'target':'cloi'},{'target':'ghost'}]}", "no such model: ghost"),
    ];
    for (text, part) in cases {
        let fake = Fake::default();
        let answer = respond(text, &fake);
        assert!(answer.contains(part), "{answer}");
        assert!(fake.moved.borrow().is_empty());
    }
}

#[test]
fn a_place_is_told_also_where_it_is_the_origin() {
    let info = ask("{'command':'get_model_info','target_model':'cloi'}")["result"].clone();
    assert_eq!(info["name"], "cloi");
    assert_eq!(info["pose"]["position"], json!({ "x": 0.0, "y": 0.0, "z": 0.0 }));
    assert_eq!(info["pose"]["orientation"], json!({ "roll": 0.0, "pitch": 0.0, "yaw": 0.0 }));
    assert_eq!(ask("{'command':'get_model_info','target_model':'x'}")["result"], "'x': not found");
    assert_eq!(ask("{'command':'get_model_info'}")["result"], "`target_model` is empty");
}

#[test]
fn what_is_wrong_is_said_as_clients_expect() {
    let cases = [
        ("", "request body is empty"),
        ("{", "invalid json: "),
        ("[]", "invalid json: an object"),
        ("{}", "command is empty"),
        ("{'command':'fly'}", "unsupported command 'fly'"),
        ("{'command':'fps'}", "nothing is drawn here"),
    ];
    for (text, part) in cases {
        let answer = ask(text);
        assert!(
            answer["result"].as_str().expect("a text").starts_with(part) || part.contains("nothing"),
            "{answer}"
        );
        assert!(answer.to_string().contains(part), "{answer}");
        assert_eq!(answer["sim_version"], SIM_VERSION);
    }
    let long = format!("{{'command':'device_list','filter':'{}'}}", "x".repeat(300));
    assert!(ask(&long)["result"].as_str().expect("a text").contains("longer than 256"));
}

#[test]
fn what_is_not_understood_is_told_to_the_log_and_what_is_refused_is_not() {
    let fake = Fake::default();
    for text in [" ", "{", "[]", "{}", "{'command':'fly'}"] {
        respond(text, &fake);
    }
    let told = fake.misunderstood.borrow();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[1].starts_with("invalid json: "), "{told:?}");
}

#[test]
fn an_answer_can_be_indented() {
    assert!(
        respond("{'command':'port_list','indent':true}", &Fake::default()).contains("\n  \"sim_version\"")
    );
}
