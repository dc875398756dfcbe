//! A client over DDS: a peer of another implementation in the domain of the host.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bridgehead_plugin_api::messages::declared_services;
use serde_json::{Value, json};

use crate::ros2::{Domain, Messages, Peer};
use crate::support::eventually;

const STEPS: &str = "simulation_interfaces/action/SimulateSteps";
/// `UNKNOWN_GOAL_ID` of `action_msgs`.
const UNKNOWN_GOAL: u64 = 2;

pub(crate) struct Dds {
    peer: Peer,
    // Dropped after the peer: another test can get the domain as soon as nothing holds it.
    domain: Arc<Domain>,
}

impl Dds {
    #[track_caller]
    pub(super) fn in_domain(domain: Arc<Domain>) -> Self {
        Dds { peer: Peer::start(&domain).expect("the peer was found before"), domain }
    }

    pub(super) fn peer(&self) -> &Peer {
        &self.peer
    }

    #[track_caller]
    pub(super) fn another(&self) -> Self {
        Dds::in_domain(Arc::clone(&self.domain))
    }

    #[track_caller]
    pub(super) fn call(&self, service: &str, request: &Value) -> Value {
        let mut line = json!({"service": service, "type": type_of(service), "request": request});
        if let Some(layout) = older_layout(service, request) {
            line["layout"] = json!(layout);
        }
        let response = self.peer.tell("call", line).wait();
        response.unwrap_or_else(|error| panic!("{service} {request}: {error}"))
    }

    /// Returns the names of services, found by the readers of their requests, and of actions, found by the writers of
    /// their feedback.
    fn names(&self, package: &str) -> BTreeSet<String> {
        let graph = self.peer.graph();
        let endpoints = graph["endpoints"].as_array().expect("a list").iter();
        let name = |one: &Value| {
            let (topic, of_package) =
                (one["topic"].as_str()?, one["type"].as_str()?.starts_with(&format!("{package}::")));
            let service = topic.strip_prefix("rq/").and_then(|rest| rest.strip_suffix("Request"));
            let action = topic.strip_prefix("rt/").and_then(|rest| rest.strip_suffix("/_action/feedback"));
            let is_server = one["kind"] == if action.is_some() { "writer" } else { "reader" };
            let name = service.filter(|name| !name.contains("/_action/")).or(action)?;
            (is_server && of_package).then(|| name.to_owned())
        };
        endpoints.filter_map(name).collect()
    }

    #[track_caller]
    pub(super) fn offered(&self, count: usize) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        eventually("the services are discovered", || {
            names = self.names("simulation_interfaces");
            names.len() >= count
        });
        names
    }

    #[track_caller]
    pub(super) fn assert_not_offered(&self, name: &str) {
        let names = self.names("simulation_interfaces");
        assert!(!names.contains(name), "`{name}` is in {names:?}");
    }

    #[track_caller]
    pub(super) fn topics(&self) -> Vec<String> {
        let graph = self.peer.graph();
        let endpoints = graph["endpoints"].as_array().expect("a list").iter();
        let topics = endpoints.filter_map(|one| one["topic"].as_str()?.strip_prefix("rt"));
        topics.map(str::to_owned).collect()
    }

    #[track_caller]
    pub(super) fn send_goal(&self, goal: &Value) -> Option<Value> {
        static LAST: AtomicU64 = AtomicU64::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let id = json!([[7; 8], number.to_be_bytes()].concat());
        let request = json!({"goal_id": {"uuid": id}, "goal": goal});
        let response =
            self.peer.call("simulate_steps/_action/send_goal", &format!("{STEPS}_SendGoal"), &request);
        response["accepted"].as_bool().expect("yes or no").then_some(id)
    }

    #[track_caller]
    pub(super) fn end_of(&self, goal: &Value) -> Value {
        let request = json!({"goal_id": {"uuid": goal}});
        let mut response =
            self.peer.call("simulate_steps/_action/get_result", &format!("{STEPS}_GetResult"), &request);
        json!({"status_code": response["status"], "result": response["result"]["result"].take()})
    }

    #[track_caller]
    fn request_cancel(&self, goal: &Value) -> Value {
        let request = json!({"goal_info": {"goal_id": {"uuid": goal}}});
        self.peer.call("simulate_steps/_action/cancel_goal", "action_msgs/srv/CancelGoal", &request)
    }

    #[track_caller]
    pub(super) fn cancel(&self, goal: &Value) {
        let response = self.request_cancel(goal);
        let canceling = &response["goals_canceling"][0]["goal_id"]["uuid"];
        assert_eq!((&response["return_code"], canceling), (&json!(0), goal), "{response}");
    }

    #[track_caller]
    pub(super) fn feedback(&self) -> Messages {
        let topic = "rt/simulate_steps/_action/feedback";
        // Twenty steps take 20 ms: a reader that keeps only ten messages may be too slow.
        let settings = json!({"depth": 100});
        let heard = self.peer.subscribe(topic, &format!("{STEPS}_FeedbackMessage"), settings);
        // Readers are discovered in the order of their creation: when the host answers a client that is created now,
        // it has also discovered the subscriber.
        let response = self.request_cancel(&[9; 16].into());
        assert_eq!(response["return_code"], json!(UNKNOWN_GOAL), "{response}");
        heard
    }
}

/// Returns the id of the goal and the content of the next feedback message.
#[track_caller]
pub(super) fn next_feedback(heard: &Messages) -> (Value, Value) {
    let mut message = heard.next();
    (message["goal_id"]["uuid"].take(), message["feedback"].take())
}

/// Returns the ROS type of a service with its default name, in any namespace.
#[track_caller]
fn type_of(service: &str) -> &'static str {
    let name = service.rsplit('/').next().unwrap_or(service);
    let declared = declared_services().iter().find(|declared| declared.name == name);
    declared.unwrap_or_else(|| panic!("no service is called `{name}`")).ros_type
}

/// Returns the older type of a request that has no members of the newer one.
fn older_layout(service: &str, request: &Value) -> Option<&'static str> {
    let flags = ["set_pose", "set_twist", "set_acceleration"];
    let is_older = service == "set_entity_state" && flags.iter().all(|flag| request.get(flag).is_none());
    is_older.then_some("older/srv/SetEntityState_Request")
}
