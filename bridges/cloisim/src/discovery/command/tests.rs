//! Commands and replies, with a fake simulation that records calls.

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

    fn reset(&self) -> Result<bool, ControlError> {
        Ok(!self.is_resetting)
    }

    fn teleport(&self, targets: &[Target]) -> Result<Vec<Result<(), ControlError>>, ControlError> {
        if targets.iter().any(|target| target.name == "ghost") {
            return Err(ControlError::UnknownModels(vec!["ghost".into()]));
        }
        self.moved.borrow_mut().extend_from_slice(targets);
        Ok(targets
            .iter()
            .map(
                |target| {
                    if target.name == "wall" { Err(ControlError::Refused("static".into())) } else { Ok(()) }
                },
            )
            .collect())
    }

    fn pose_of(&self, name: &str) -> Result<EulerPose, ControlError> {
        if name == "cloi" {
            return Ok(EulerPose::default());
        }
        let refused = ControlError::Refused("not found".to_owned());
        Err(ControlError::Entity(name.to_owned(), Box::new(refused)))
    }

    fn misunderstood(&self, why: &RequestError) {
        self.misunderstood.borrow_mut().push(why.to_string());
    }
}

fn ask(text: &str) -> Value {
    serde_json::from_str(&respond(text, &Fake::default())).expect("JSON")
}

#[test]
fn the_device_list_has_the_form_that_clients_read() {
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
fn a_reset_is_refused_while_another_runs() {
    assert_eq!(ask("{'command':'reset'}")["result"], "ok");
    let busy = Fake { is_resetting: true, ..Fake::default() };
    assert!(respond("{'command':'reset'}", &busy).contains("\"result\":\"fail\""));
}

#[test]
fn a_teleport_returns_a_result_for_each_target() {
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
fn an_invalid_teleport_moves_nothing() {
    let cases = [
        ("{'command':'teleport'}", "nothing to do"),
        ("{'command':'teleport','targets':1}", "is not a list"),
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
fn a_pose_at_the_origin_is_listed_in_full() {
    let info = ask("{'command':'get_model_info','target_model':'cloi'}")["result"].clone();
    assert_eq!(info["name"], "cloi");
    assert_eq!(info["pose"]["position"], json!({ "x": 0.0, "y": 0.0, "z": 0.0 }));
    assert_eq!(info["pose"]["orientation"], json!({ "roll": 0.0, "pitch": 0.0, "yaw": 0.0 }));
    assert_eq!(ask("{'command':'get_model_info','target_model':'x'}")["result"], "'x': not found");
    assert_eq!(ask("{'command':'get_model_info'}")["result"], "`target_model` is empty");
}

#[test]
fn errors_have_the_text_that_clients_expect() {
    let cases = [
        ("", "request body is empty"),
        ("{", "invalid json: "),
        ("[]", "invalid json: expected an object"),
        ("{}", "command is empty"),
        ("{'command':'fly'}", "unsupported command 'fly'"),
        ("{'command':'fps'}", "unsupported command 'fps': this simulator does not render"),
    ];
    for (text, part) in cases {
        let answer = ask(text);
        assert!(answer["result"].as_str().expect("a text").starts_with(part), "{answer}");
        assert!(answer.to_string().contains(part), "{answer}");
        assert_eq!(answer["sim_version"], SIM_VERSION);
    }
    let long = format!("{{'command':'device_list','filter':'{}'}}", "x".repeat(300));
    assert!(ask(&long)["result"].as_str().expect("a text").contains("longer than 256"));
}

#[test]
fn malformed_texts_are_logged_and_refused_commands_are_not() {
    let fake = Fake::default();
    for text in [" ", "{", "[]", "{}", "{'command':'fly'}"] {
        respond(text, &fake);
    }
    let told = fake.misunderstood.borrow();
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[1].starts_with("invalid json: "), "{told:?}");
}

#[test]
fn a_reply_can_be_indented() {
    assert!(
        respond("{'command':'port_list','indent':true}", &Fake::default()).contains("\n  \"sim_version\"")
    );
}
