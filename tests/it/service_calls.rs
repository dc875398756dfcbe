//! One table of requests for the clients of all bridges with services: for each service, requests that succeed and
//! requests that fail, with the expected responses.

use serde_json::{Value, json};

use crate::support::{FAILED, NOT_FOUND, OK, root};

/// A client that calls services.
pub(crate) trait Caller {
    /// Its name, which is part of the names of the entities that it spawns.
    fn name(&self) -> &'static str;

    /// Calls a service and returns the response.
    #[track_caller]
    fn call(&self, service: &str, ros_type: &str, request: &Value) -> Value;
}

/// A request and the expected response.
pub(crate) struct Call {
    pub(crate) service: &'static str,
    pub(crate) request: Value,
    pub(crate) code: u64,
    /// Members that the response has, among others.
    contains: Value,
    /// Part of the error message.
    error_text: String,
}

impl Call {
    /// The type of the service.
    pub(crate) fn ros_type(&self) -> String {
        let words = self.service.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
        format!("simulation_interfaces/srv/{}", words.collect::<String>())
    }

    /// Sends the request; fails unless the response is as expected.
    #[track_caller]
    pub(crate) fn make(&self, caller: &(impl Caller + ?Sized)) {
        let response = caller.call(self.service, &self.ros_type(), &self.request);
        let context = format!("{}: {} {}: {response}", caller.name(), self.service, self.request);
        assert!(is_in(&self.contains, &response), "{context}\ndoes not contain {}", self.contains);
        // One service has no result.
        let Some(result) = response.get("result") else { return };
        assert_eq!(result["result"], json!(self.code), "{context}");
        let text = result["error_message"].as_str().expect("a text");
        assert!(text.contains(&self.error_text) && (self.code == OK || !text.is_empty()), "{context}");
    }

    fn with_error(mut self, text: &str) -> Self {
        text.clone_into(&mut self.error_text);
        self
    }
}

/// Makes all requests of a client that is alone. Without a world, the host still answers.
#[track_caller]
pub(crate) fn make_all(caller: &impl Caller) {
    [own(caller.name()), of_all()].iter().flatten().for_each(|call| call.make(caller));
    let response =
        caller.call("get_simulation_state", "simulation_interfaces/srv/GetSimulationState", &json!({}));
    assert_eq!(response["state"]["state"], 4, "{response}");
}

/// Whether a value contains all members of `part`; numbers may differ by a millionth.
fn is_in(part: &Value, whole: &Value) -> bool {
    match (part, whole) {
        (Value::Object(part), Value::Object(whole)) => {
            part.iter().all(|(name, part)| whole.get(name).is_some_and(|whole| is_in(part, whole)))
        }
        (Value::Array(part), Value::Array(whole)) => {
            part.len() == whole.len() && part.iter().zip(whole).all(|(part, whole)| is_in(part, whole))
        }
        (Value::Number(part), Value::Number(whole)) => {
            let difference = part.as_f64().zip(whole.as_f64()).map(|(part, whole)| part - whole);
            difference.is_some_and(|difference| difference.abs() < 1e-6)
        }
        _ => part == whole,
    }
}

fn done(service: &'static str, request: Value, contains: Value) -> Call {
    Call { service, request, code: OK, contains, error_text: String::new() }
}

fn refused(service: &'static str, code: u64, request: Value) -> Call {
    Call { service, request, code, contains: json!({}), error_text: String::new() }
}

fn of(entity: &str) -> Value {
    json!({"entity": entity})
}

fn at(x: f64) -> Value {
    // The identity is explicit: it is the default in ROS, but the project's own codec writes absent members as zeros.
    json!({"position": {"x": x, "y": 20, "z": 5}, "orientation": {"x": 0, "y": 0, "z": 0, "w": 1}})
}

fn a_crate(name: &str, x: f64) -> Value {
    json!({"name": name, "entity_resource": {"uri": "model://crate"}, "initial_pose": {"pose": at(x)}})
}

/// Requests whose responses do not depend on concurrent requests of other callers. The world W1 is paused and stays
/// paused; only this caller spawns entities that contain its name.
pub(crate) fn own(caller: &str) -> Vec<Call> {
    [about_worlds(caller), about_spawning(caller), about_entities(caller)].into_iter().flatten().collect()
}

fn about_worlds(caller: &str) -> Vec<Call> {
    let tagged = |tags: &[&str], mode: u64| json!({"tags": tags, "filter_mode": mode});
    let hall = json!({"name": "W1", "description": "A hall with two boxes and a wall.",
        "tags": ["indoor", "warehouse"]});
    let floor = json!({"name": "spawn_1", "tags": ["spawn", "drone"],
        "pose": {"position": {"x": 0, "y": -3, "z": 1}, "orientation": {"w": 1}}});
    let dock = json!({"type": 1, "points": [{"x": 1, "y": 1.5, "z": 0.5}, {"x": -1, "y": -1.5, "z": -0.5}]});
    vec![
        done(
            "get_simulator_features",
            json!({}),
            json!({"features": {"spawn_formats": ["sdf", "urdf", "mjcf"]}}),
        ),
        done("get_simulation_state", json!({}), json!({"state": {"state": 2}})),
        done(
            "get_available_worlds",
            json!({"filter": tagged(&["indoor", "warehouse"], 1)}),
            json!({"worlds": [hall]}),
        ),
        refused("get_available_worlds", FAILED, json!({"filter": tagged(&["x"], 9)})),
        done("get_current_world", json!({}), json!({"world": hall})),
        done("get_named_poses", json!({"tags": tagged(&["drone"], 0)}), json!({"poses": [floor]})),
        refused("get_named_poses", FAILED, json!({"tags": tagged(&["x"], 9)})),
        done("get_named_pose_bounds", json!({"name": "dock"}), json!({"bounds": dock})),
        refused("get_named_pose_bounds", NOT_FOUND, json!({"name": caller})).with_error(caller),
    ]
}

/// Leaves two entities: the name of the caller with `_1` and with `_2`.
fn about_spawning(caller: &str) -> Vec<Call> {
    let name = |number: u32| format!("{caller}_{number}");
    let spawned = |number: u32, code: u64| json!({"result": {"result": code}, "entity_name": name(number)});
    let mut missing = a_crate(&name(5), 9.5);
    missing["entity_resource"]["uri"] = json!(format!("/no/such/{caller}.sdf"));
    let bogus = format!("bogus_{caller}");
    vec![
        done("get_spawnables", json!({"sources": [bogus]}), json!({})).with_error(&bogus),
        done("spawn_entity", a_crate(&name(1), 1.5), json!({"entity_name": name(1)})),
        refused("spawn_entity", 101, a_crate(&name(1), 1.5)).with_error(&name(1)),
        done(
            "spawn_entities",
            json!({"spawn_requests": [a_crate(&name(2), 3.5), a_crate(&name(3), 5.5)]}),
            json!({"results": [spawned(2, OK), spawned(3, OK)]}),
        ),
        Call {
            contains: json!({"results": [spawned(4, OK), {"result": {"result": 107}, "entity_name": ""}]}),
            ..refused("spawn_entities", 150, json!({"spawn_requests": [a_crate(&name(4), 7.5), missing]}))
        },
        done("delete_entity", of(&name(3)), json!({})),
        refused("delete_entity", NOT_FOUND, of(&name(3))).with_error(&name(3)),
        done("delete_entity", of(&name(4)), json!({})),
    ]
}

fn about_entities(caller: &str) -> Vec<Call> {
    let [first, second, unknown] = ["1", "2", "unknown"].map(|end| format!("{caller}_{end}"));
    let filter = |expression: &str| json!({"filters": {"filter": expression}});
    let moved = |name: &str| json!({"entity": name, "state": {"pose": at(-40.25)}, "set_pose": true});
    let info =
        json!({"category": {"category": 4}, "description": format!("of {caller}"), "tags": ["t", "ä"]});
    let described = |name: &str| json!({"entity": name, "info": info});
    let cube =
        json!({"type": 1, "points": [{"x": 0.5, "y": 0.5, "z": 0.5}, {"x": -0.5, "y": -0.5, "z": -0.5}]});
    let in_world = json!({"header": {"frame_id": "world"}, "pose": at(1.5)});
    vec![
        done("get_entities", filter(&format!("^{caller}_")), json!({"entities": [first, second]})),
        refused("get_entities", FAILED, filter("[a-z")),
        done(
            "get_entities_states",
            filter(&format!("^{first}$")),
            json!({"entities": [first], "states": [in_world]}),
        ),
        refused("get_entities_states", FAILED, filter("[a-z")),
        done("get_entity_state", of(&first), json!({"state": in_world})),
        refused("get_entity_state", NOT_FOUND, of(&unknown)).with_error(&unknown),
        done("set_entity_state", moved(&second), json!({})),
        done("get_entity_state", of(&second), json!({"state": {"pose": at(-40.25)}})),
        refused("set_entity_state", NOT_FOUND, moved(&unknown)).with_error(&unknown),
        done("set_entity_info", described(&first), json!({})),
        done("get_entity_info", of(&first), json!({"info": info})),
        refused("set_entity_info", NOT_FOUND, described(&unknown)).with_error(&unknown),
        refused("get_entity_info", NOT_FOUND, of(&unknown)).with_error(&unknown),
        done("get_entity_bounds", of(&first), json!({"bounds": cube})),
        refused("get_entity_bounds", NOT_FOUND, of(&unknown)).with_error(&unknown),
    ]
}

/// Requests that affect all callers: from any state to a host without a world.
pub(crate) fn of_all() -> Vec<Call> {
    let world = |name: &str| {
        let uri = if name.is_empty() { String::new() } else { path(name) };
        json!({"world_resource": {"uri": uri}})
    };
    let loaded = |name: &str| json!({"world": {"name": name, "world_resource": {"uri": path(name)}}});
    let set = |state: u64| json!({"state": {"state": state}});
    let is = |state: u64| done("get_simulation_state", json!({}), json!({"state": {"state": state}}));
    vec![
        done("load_world", world("W1"), loaded("W1")),
        is(0),
        done("set_simulation_state", set(1), json!({})),
        is(1),
        refused("step_simulation", FAILED, json!({"steps": 3})),
        refused("set_simulation_state", 103, set(200)),
        done("set_simulation_state", set(2), json!({})),
        done("step_simulation", json!({"steps": 3}), json!({})),
        is(2),
        done("reset_simulation", json!({"scope": 255}), json!({})),
        is(0),
        refused("reset_simulation", 0, json!({"scope": 8})),
        done("load_world", world("W2"), loaded("W2")),
        refused("load_world", 102, world("")),
        done("unload_world", json!({}), json!({})),
        is(4),
        refused("unload_world", 101, json!({})),
        refused("get_current_world", 101, json!({})),
    ]
}

/// A request without effects that is answered in every state; its error message contains `word`.
pub(crate) fn in_any_state(word: &str) -> Call {
    done("get_spawnables", json!({"sources": [word]}), json!({})).with_error(word)
}

fn path(world: &str) -> String {
    root().join(format!("tests/fixtures/worlds/{world}.sdf")).display().to_string()
}
