//! Requests on Control ports, answered from a state.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{ElevatorCall, ElevatorFloor};

use super::*;

fn state() -> ElevatorSystemState {
    let floor = |name: &str, height| ElevatorFloor { name: name.to_owned(), height };
    let elevator = |name: &str, floor: &str, target: &str, is_door_open| ElevatorInfo {
        name: name.to_owned(),
        floor: floor.to_owned(),
        height: 3.0,
        target_floor: target.to_owned(),
        is_door_open,
    };
    ElevatorSystemState {
        floors: vec![floor("1F", 0.0), floor("2F", 3.0)],
        elevators: vec![elevator("EV_1", "2F", "", true), elevator("EV_2", "2F", "1F", false)],
        calls: vec![ElevatorCall {
            current_floor: "2F".to_owned(),
            target_floor: "1F".to_owned(),
            elevator: "EV_1".to_owned(),
            has_arrived: true,
        }],
        ..ElevatorSystemState::default()
    }
}

/// A request with its children in the order of clients.
fn request(children: [&str; 4]) -> Param {
    let names = ["service_name", "current_floor", "target_floor", "elevator_index"];
    let children = names.iter().zip(children).map(|(name, text)| Param::named(name, Any::text(text)));
    Param::named("office", Any::default()).with(children)
}

/// Result, elevator, floor and height of a reply, and whether it is a command.
fn ask(children: [&str; 4]) -> (bool, String, String, f64, bool) {
    let served = elevators("office", Some(&state()), &request(children));
    let is_command = !served.commands.is_empty();
    match served.reply {
        Reply::Elevator { result, elevator, floor, height, .. } => {
            (result, elevator, floor, height, is_command)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_service_is_answered_from_the_state() {
    let of =
        |result, elevator: &str, is_command| (result, elevator.to_owned(), "2F".to_owned(), 3.0, is_command);
    let no = || (false, String::new(), String::new(), 0.0, false);
    let called = (true, String::new(), String::new(), 0.0, true);
    let cases = [
        (["call_elevator", "1F", "2F", ""], called),
        (["call_elevator", "1F", "9F", ""], no()),
        (["get_called_elevator", "2F", "1F", ""], of(true, "EV_1", false)),
        (["get_called_elevator", "1F", "2F", ""], no()),
        (["get_elevator_information", "", "", "EV_2"], of(true, "EV_2", false)),
        (["get_elevator_information", "", "", "EV_3"], no()),
        (["select_elevator_floor", "2F", "1F", "EV_1"], of(true, "EV_1", true)),
        (["select_elevator_floor", "2F", "7F", "EV_1"], no()),
        (["request_door_open", "", "", "EV_1"], of(true, "EV_1", true)),
        (["request_door_open", "", "", "EV_2"], of(false, "EV_2", false)),
        (["request_door_close", "", "", "EV_1"], of(true, "EV_1", true)),
        (["is_door_opened", "", "", "EV_1"], of(true, "EV_1", false)),
        (["is_door_opened", "", "", "EV_2"], of(false, "EV_2", false)),
        (["fly", "", "", "EV_1"], no()),
    ];
    for (children, expected) in cases {
        assert_eq!(ask(children), expected, "{children:?}");
    }
}

#[test]
fn replies_have_the_form_of_cloisim() {
    let served = elevators("office", Some(&state()), &request(["is_door_opened", "", "", "EV_1"]));
    let reply = served.reply.message(true);
    assert!(reply.params.contains_key("office"));
    let names: Vec<&String> = reply.children.iter().flat_map(|child| child.params.keys()).collect();
    assert_eq!(names, ["service_name", "result", "elevator_index", "current_floor", "height"]);
    let values: Vec<Any> = reply.children.iter().flat_map(|child| child.params.values().cloned()).collect();
    let expected =
        [Any::text("is_door_opened"), Any::truth(true), Any::text("EV_1"), Any::text("2F"), Any::double(3.0)];
    assert_eq!(values, expected);
    let name = elevators("office", None, &Param::named("request_system_name", Any::default()));
    assert_eq!(name.reply.message(true), Param::named("request_system_name", Any::text("office")));
    // Before the first state, and if nobody takes the command, the result is false.
    let early = elevators("office", None, &request(["call_elevator", "1F", "2F", ""]));
    assert_eq!(early.reply.message(true).children[1], Param::named("result", Any::truth(false)));
    let lost = elevators("office", Some(&state()), &request(["call_elevator", "1F", "2F", ""]));
    assert_eq!(lost.reply.message(false).children[1], Param::named("result", Any::truth(false)));
}

#[test]
fn actors_get_goals_and_unknown_ones_are_refused() {
    let topics = [("anna".to_owned(), "/anna/goal".to_owned())];
    let goal = |name: &str| {
        Param::named(name, Any::vector(crate::msgs::Vector3d { x: 1.0, y: 2.0, z: 0.0, header: None }))
    };
    let served = actors(&topics, &goal("anna"));
    assert_eq!(served.reply.message(true), Param::named("result", Any::truth(true)));
    let [Command::Goal(topic, pose)] = served.commands.as_slice() else { panic!("{:?}", served.commands) };
    let position = pose.pose.and_then(|pose| pose.position).expect("a position");
    assert_eq!((topic.as_str(), position.x, position.y), ("/anna/goal", 1.0, 2.0));
    let served = actors(&topics, &goal("bert"));
    assert_eq!((served.commands.len(), served.reply), (0, Reply::Actors { result: false }));
    let served = actors(&topics, &Param::named("anna", Any::text("here")));
    assert_eq!((served.commands.len(), served.reply), (0, Reply::Actors { result: false }));
}
