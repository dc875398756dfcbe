//! Requests on the Control ports of elevators and actors: what clients of CLOiSim ask, and what they get.
//!
//! Replies follow from the last state of the elevators; requests that change something become commands. Pure.

use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::{
    ElevatorCommand, ElevatorInfo, ElevatorSystemState,
};
use bridgehead_plugin_api::messages::geometry_msgs::{self, Point, PoseStamped};
use bridgehead_plugin_api::messages::std_msgs::Header;

use crate::msgs::{Any, Param, any};

/// A command that a request becomes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Command {
    Elevator(ElevatorCommand),
    /// A goal, with the topic of its actor.
    Goal(String, PoseStamped),
}

/// What a request requires, and its reply if the commands were delivered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Served {
    pub(crate) commands: Vec<Command>,
    pub(crate) reply: Reply,
}

/// A reply, except for whether commands were delivered.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    SystemName(String),
    Elevator { system: String, service: String, result: bool, elevator: String, floor: String, height: f64 },
    Actors { result: bool },
}

impl Reply {
    /// Returns the message; its result is false if a command was not delivered.
    pub(crate) fn message(&self, is_delivered: bool) -> Param {
        match self {
            Reply::SystemName(name) => Param::named("request_system_name", Any::text(&**name)),
            Reply::Actors { result } => Param::named("result", Any::truth(*result && is_delivered)),
            Reply::Elevator { system, service, result, elevator, floor, height } => {
                Param::named(system, Any::default()).with([
                    Param::named("service_name", Any::text(&**service)),
                    Param::named("result", Any::truth(*result && is_delivered)),
                    Param::named("elevator_index", Any::text(&**elevator)),
                    Param::named("current_floor", Any::text(&**floor)),
                    Param::named("height", Any::double(*height)),
                ])
            }
        }
    }
}

/// Serves a request to a system of elevators; `state` is its last state.
pub(crate) fn elevators(system: &str, state: Option<&ElevatorSystemState>, request: &Param) -> Served {
    if request.params.contains_key("request_system_name") {
        return Served { commands: Vec::new(), reply: Reply::SystemName(system.to_owned()) };
    }
    let child = |place: usize| request.children.get(place).map(text_of).unwrap_or_default();
    let [service, current_floor, target_floor, elevator] = [child(0), child(1), child(2), child(3)];
    let command = ElevatorCommand { service, elevator, current_floor, target_floor };
    let answer = state.and_then(|state| answer(state, &command));
    let (is_command, info) = answer.map_or((false, None), |(is_command, info)| (is_command, Some(info)));
    let info = info.unwrap_or_default();
    let reply = Reply::Elevator {
        system: system.to_owned(),
        service: command.service.clone(),
        result: info.result,
        elevator: info.elevator,
        floor: info.floor,
        height: info.height,
    };
    let commands = if is_command { vec![Command::Elevator(command)] } else { Vec::new() };
    Served { commands, reply }
}

/// What a reply says of an elevator.
#[derive(Default)]
struct Answer {
    result: bool,
    elevator: String,
    floor: String,
    height: f64,
}

impl Answer {
    fn about(info: &ElevatorInfo, result: bool) -> Self {
        Answer { result, elevator: info.name.clone(), floor: info.floor.clone(), height: info.height }
    }
}

/// Returns whether a request is a command, and its answer; `None` if it names something unknown.
fn answer(state: &ElevatorSystemState, request: &ElevatorCommand) -> Option<(bool, Answer)> {
    let has_floor = |name: &str| state.floors.iter().any(|floor| floor.name == name);
    let named = |name: &str| state.elevators.iter().find(|elevator| elevator.name == name);
    let asked = || named(&request.elevator);
    match request.service.as_str() {
        "call_elevator" => {
            let is_right = has_floor(&request.current_floor) && has_floor(&request.target_floor);
            is_right.then(|| (true, Answer { result: true, ..Answer::default() }))
        }
        "get_called_elevator" => {
            let call = state.calls.iter().find(|call| {
                call.current_floor == request.current_floor && call.target_floor == request.target_floor
            })?;
            Some((false, Answer::about(named(&call.elevator)?, call.has_arrived)))
        }
        "get_elevator_information" => Some((false, Answer::about(asked()?, true))),
        "select_elevator_floor" => {
            let elevator = asked().filter(|_| has_floor(&request.target_floor))?;
            Some((true, Answer::about(elevator, true)))
        }
        "request_door_open" | "request_door_close" => {
            let elevator = asked()?;
            let stands = elevator.target_floor.is_empty();
            Some((stands, Answer::about(elevator, stands)))
        }
        "is_door_opened" => {
            let elevator = asked()?;
            Some((false, Answer::about(elevator, elevator.is_door_open)))
        }
        _ => None,
    }
}

/// Serves a request that gives goals to actors; `topics` are the names of actors with their topics.
pub(crate) fn actors(topics: &[(String, String)], request: &Param) -> Served {
    let mut commands = Vec::new();
    let mut result = !request.params.is_empty();
    // Sorted, because the order of a map is different in each run.
    let mut goals: Vec<_> = request.params.iter().collect();
    goals.sort_by_key(|(name, _)| *name);
    for (name, goal) in goals {
        let topic = topics.iter().find(|(actor, _)| actor == name).map(|(_, topic)| topic);
        match (topic, &goal.value) {
            (Some(topic), Some(any::Value::Vector3dValue(goal))) => {
                let position = Some(Point { x: goal.x, y: goal.y, z: goal.z });
                let pose = Some(geometry_msgs::Pose { position, orientation: None });
                let header = Some(Header { frame_id: "world".to_owned(), ..Header::default() });
                commands.push(Command::Goal(topic.clone(), PoseStamped { header, pose }));
            }
            _ => result = false,
        }
    }
    Served { commands, reply: Reply::Actors { result } }
}

/// Returns the value of a child as text; elevators are also named by numbers.
fn text_of(child: &Param) -> String {
    match child.params.values().next().and_then(|value| value.value.as_ref()) {
        Some(any::Value::StringValue(text)) => text.clone(),
        Some(any::Value::IntValue(number)) => number.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
