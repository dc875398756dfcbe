//! The elevators of a building through their C functions.

use bridgehead_plugin_api::host::{LinkState, Pose};
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElevatorCommand, ElevatorSystemState,
};
use bridgehead_plugin_api::testing::{TestCommand, TestHost, TestHostBuilder, TestModel};

use super::*;

const SECOND: u64 = 1000;

/// A tower 10 m above the origin with two floors, 3 m apart, and one elevator with a door.
fn tower(prefix: &str) -> TestHostBuilder {
    let base = Pose { position: [0.0, 0.0, 10.0], ..Pose::IDENTITY };
    TestHost::builder()
        .vehicle("tower")
        .pose(base)
        .link("wall")
        .link("EV_a::deck")
        .link("EV_a::leaf")
        .link("hall::gate")
        .params([
            ("system_name", "office"),
            ("elevator/@prefix_name", prefix),
            ("elevator/@speed", "2"),
            ("elevator/floor", "deck"),
            ("elevator/doors/@speed", "1"),
            ("elevator/doors/@closing_timer", "2"),
            ("elevator/doors/inside/@open_offset", "0.5"),
            ("elevator/doors/inside/door", "leaf"),
            ("elevator/doors/inside/door/@name", "left"),
            ("elevator/doors/outside/@open_offset", "0.5"),
            ("elevator/doors/outside/door", "gate"),
            ("elevator/doors/outside/door/@name", "right"),
            ("floors/floor[0]/name", "1F"),
            ("floors/floor[0]/height", "0"),
            ("floors/floor[1]/name", "2F"),
            ("floors/floor[1]/height", "3"),
        ])
}

fn started() -> TestModel<ElevatorSystem> {
    let model = TestModel::<ElevatorSystem>::started(tower("EV_").build());
    let host = model.host();
    assert_eq!(host.unread_params(), Vec::<String>::new());
    let at = |position| LinkState {
        pose: Pose { position, ..Pose::IDENTITY },
        linear: [0.0; 3],
        angular: [0.0; 3],
    };
    host.set_link_state("EV_a::deck", at([0.0, 0.0, 10.0]));
    host.set_link_state("EV_a::leaf", at([1.0, 0.0, 11.0]));
    host.set_link_state("hall::gate", at([1.1, 0.0, 14.0]));
    model
}

fn command(service: &str, elevator: &str, current: &str, target: &str) -> ElevatorCommand {
    ElevatorCommand {
        service: service.to_owned(),
        elevator: elevator.to_owned(),
        current_floor: current.to_owned(),
        target_floor: target.to_owned(),
    }
}

fn send(host: TestHost, command: &ElevatorCommand) {
    host.send("elevators/command", command);
}

fn state(host: TestHost) -> ElevatorSystemState {
    host.last("elevators/state")
}

/// The last position to which a link was moved.
fn moved(host: TestHost, link: &str) -> Option<[f64; 3]> {
    let id = host.link(link).id;
    host.commands().into_iter().rev().find_map(|(_, command)| match command {
        TestCommand::MoveLink { link, pose } if link == id => Some(pose.position),
        _ => None,
    })
}

#[test]
fn a_called_elevator_comes_opens_both_doors_and_takes_the_passenger_up() {
    let mut model = started();
    let host = model.host();
    model.step().expect_done();
    assert_eq!(host.take_commands(), [], "an elevator without requests stands still");
    send(host, &command("call_elevator", "", "2F", "1F"));
    // Three metres with 2 m/s and 1 m/s² take 3.46 s.
    model.run(3 * SECOND).expect_done();
    let found = state(host);
    assert_eq!((found.system_name.as_str(), found.floors.len()), ("office", 2));
    assert_eq!((found.elevators[0].target_floor.as_str(), found.calls[0].has_arrived), ("2F", false));
    assert_eq!(moved(host, "hall::gate"), None, "doors stay closed on the way");
    // Half a metre with 1 m/s and 1 m/s² takes 1.41 s.
    model.run(2 * SECOND).expect_done();
    let found = state(host);
    let elevator = &found.elevators[0];
    assert_eq!((elevator.floor.as_str(), elevator.height, elevator.is_door_open), ("2F", 3.0, true));
    assert_eq!((found.calls[0].elevator.as_str(), found.calls[0].has_arrived), ("EV_a", true));
    assert_eq!(moved(host, "EV_a::deck"), Some([0.0, 0.0, 13.0]));
    assert_eq!(moved(host, "EV_a::leaf"), Some([1.0, 0.5, 14.0]));
    assert_eq!(moved(host, "hall::gate"), Some([1.1, -0.5, 14.0]));
    send(host, &command("select_elevator_floor", "EV_a", "2F", "1F"));
    send(host, &command("request_door_close", "EV_a", "", ""));
    model.run(7 * SECOND).expect_done();
    let found = state(host);
    assert_eq!((found.elevators[0].floor.as_str(), found.elevators[0].height), ("1F", 0.0));
    assert_eq!((found.elevators[0].is_door_open, found.calls.len()), (true, 0));
    assert_eq!(moved(host, "hall::gate"), Some([1.1, 0.0, 14.0]));
}

#[test]
fn a_call_lasts_until_the_elevator_leaves_even_if_its_doors_close_before() {
    let mut model = started();
    let host = model.host();
    send(host, &command("call_elevator", "", "1F", "2F"));
    model.run(10 * SECOND).expect_done();
    let found = state(host);
    assert_eq!((found.elevators[0].is_door_open, found.calls[0].has_arrived), (false, true));
    send(host, &command("select_elevator_floor", "EV_a", "1F", "2F"));
    model.run(SECOND).expect_done();
    assert_eq!(state(host).calls, []);
}

#[test]
fn doors_close_by_themselves_and_open_on_request_only_at_a_floor() {
    let mut model = started();
    let host = model.host();
    send(host, &command("request_door_open", "EV_a", "", ""));
    model.run(2 * SECOND).expect_done();
    assert!(state(host).elevators[0].is_door_open);
    model.run(3 * SECOND).expect_done();
    assert_eq!(moved(host, "EV_a::leaf"), Some([1.0, 0.0, 11.0]));
    send(host, &command("select_elevator_floor", "EV_a", "", "2F"));
    model.run(SECOND).expect_done();
    send(host, &command("request_door_open", "EV_a", "", ""));
    model.run(SECOND).expect_done();
    assert!(!state(host).elevators[0].is_door_open);
    let text = "ignored a command: the doors of `EV_a` stay closed while it drives";
    assert!(host.has_logged(bridgehead_plugin_api::host::Level::Warn, text), "{:?}", host.log_lines());
}

#[test]
fn a_restored_system_goes_on_where_it_was() {
    let mut model = started();
    let host = model.host();
    send(host, &command("call_elevator", "", "2F", "1F"));
    model.run(2 * SECOND).expect_done();
    let saved = model.save();
    model.run(4 * SECOND).expect_done();
    let expected = state(host);
    let mut other = started();
    other.load(&saved).expect_done();
    other.run(4 * SECOND).expect_done();
    assert_eq!(
        (state(other.host()).elevators, state(other.host()).calls),
        (expected.elevators, expected.calls)
    );
}

#[test]
fn a_restored_system_publishes_no_state_that_was_published() {
    let mut model = started();
    let host = model.host();
    send(host, &command("call_elevator", "", "2F", "1F"));
    model.run(250).expect_done();
    let saved = model.save();
    let before = host.published("elevators/state").len();
    model.run(49).expect_done();
    assert_eq!(host.published("elevators/state").len(), before);
    let mut other = started();
    other.load(&saved).expect_done();
    other.run(49).expect_done();
    assert_eq!(other.host().published("elevators/state").len(), 0);
}

#[test]
fn a_prefix_that_names_no_model_is_an_error_with_the_value() {
    let host = tower("lift_").build();
    let mut model = TestModel::<ElevatorSystem>::started(host);
    let reason = model.step().expect_failed().to_string();
    let expected = "parameter `elevator/@prefix_name` is `lift_`; expected what the name of a model with links begins with, in `tower`";
    assert!(reason.contains(expected), "{reason}");
}
