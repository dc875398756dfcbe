//! The goals that clients have sent to actions of the run and that have no result yet.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bridgehead_plugin_api::messages::bridgehead_simulation_interfaces::ActionDescription;
use bridgehead_websocket::Frame;
use serde_json::Value;

use crate::client::Client;
use crate::codes::LIMIT;
use crate::connection::Generation;
use crate::encode::encoder::{Encoder, object};
use crate::encode::json::quoted;
use crate::encode::walk::Form;
use crate::endpoint::Outgoing;
use crate::fault::Fault;
use crate::hub::Hub;
use crate::lock::lock;
use crate::names::absolute;
use crate::wall_clock;

/// `STATUS_SUCCEEDED` of `action_msgs/msg/GoalStatus`; greater ones are ends too.
const SUCCEEDED: i64 = 4;

/// Most goals of one client without a result.
const MAX_GOALS: usize = 256;
/// Longest time that a result waits for the announcement of its goal's end.
const PATIENCE: Duration = Duration::from_millis(300);

/// Identifies a goal in ROS.
pub(super) type Uuid = [u8; 16];

/// A goal of a client.
#[derive(Clone)]
pub(super) struct Goal {
    pub(super) client: Arc<Client>,
    id: Option<String>,
    /// The name as the client wrote it.
    pub(super) action: String,
    has_feedback: bool,
    /// The topics of the action with feedback and with the states of goals.
    feedback: String,
    status: String,
    /// Whether its end was announced, after which no feedback follows.
    has_ended: bool,
    /// Its result, and when it is sent at the latest.
    result: Option<(Frame, Instant)>,
}

/// The goals without a result.
#[derive(Default)]
pub(crate) struct Goals(Mutex<HashMap<Uuid, Goal>>);

impl Goals {
    pub(super) fn add(&self, goal: Goal) -> Result<Uuid, Fault> {
        let mut goals = lock(&self.0);
        if goals.values().filter(|other| Arc::ptr_eq(&other.client, &goal.client)).count() >= MAX_GOALS {
            let text = format!("{MAX_GOALS} goals of this client have no result yet");
            return Err(Fault::new(LIMIT, text));
        }
        let uuid = new_uuid();
        goals.insert(uuid, goal);
        Ok(uuid)
    }

    pub(super) fn take(&self, uuid: &Uuid) -> Option<Goal> {
        lock(&self.0).remove(uuid)
    }

    pub(super) fn find(&self, client: &Arc<Client>, action: &str, id: Option<&str>) -> Option<Uuid> {
        let is_it = |goal: &Goal| {
            Arc::ptr_eq(&goal.client, client) && absolute(&goal.action) == action && goal.id.as_deref() == id
        };
        lock(&self.0).iter().find(|(_, goal)| is_it(goal)).map(|(uuid, _)| *uuid)
    }

    /// Returns the client of a goal.
    pub(super) fn client(&self, uuid: &Uuid) -> Option<Arc<Client>> {
        lock(&self.0).get(uuid).map(|goal| Arc::clone(&goal.client))
    }

    /// Sends the result of a goal once all its feedback was sent.
    pub(super) fn finish(&self, uuid: &Uuid, result: &Value) {
        let mut goals = lock(&self.0);
        let Some(goal) = goals.get_mut(uuid) else { return };
        let (values, status) = (result["result"].to_string(), result["status"].to_string());
        let members = [("values", values.as_str()), ("status", status.as_str()), ("result", "true")];
        let frame = goal.frame("action_result", &members);
        if goal.has_ended || !goal.has_feedback {
            goal.client.link.reply(frame);
            goals.remove(uuid);
        } else {
            goal.result = Some((frame, wall_clock::now() + PATIENCE));
            goal.client.link.wake();
        }
    }

    /// Sends results whose end was not announced, and returns the time until the next of a client is due.
    pub(crate) fn expire(&self, client: &Arc<Client>, now: Instant) -> Option<Duration> {
        let mut goals = lock(&self.0);
        let own = |goal: &Goal| Arc::ptr_eq(&goal.client, client);
        goals.retain(|_, goal| {
            let is_due = own(goal) && goal.result.as_ref().is_some_and(|(_, due)| *due <= now);
            if is_due && let Some((frame, _)) = goal.result.take() {
                client.link.reply(frame);
            }
            !is_due
        });
        let waiting = goals.values().filter(|goal| own(goal)).filter_map(|goal| goal.result.as_ref());
        waiting.map(|(_, due)| due.saturating_duration_since(now)).min()
    }

    /// Returns true if a goal meets the condition.
    fn concerns(&self, is_it: impl Fn(&Goal) -> bool) -> bool {
        lock(&self.0).values().any(is_it)
    }

    /// Notes the ends of goals that a status message of the run announces, and sends their results. Feedback comes before
    /// it on the same way, while the result comes on another one and may be earlier.
    pub(crate) fn pass_status(&self, hub: &Hub, topic: &Outgoing, payload: &[u8]) {
        if !self.concerns(|goal| goal.status == topic.name) {
            return;
        }
        let Some(message) = read(&topic.encoder, payload, hub.generation) else { return };
        let ended = message["status_list"].as_array().into_iter().flatten();
        let ended = ended.filter(|entry| entry["status"].as_i64() >= Some(SUCCEEDED));
        let mut goals = lock(&self.0);
        for uuid in ended.filter_map(|entry| uuid_of(&entry["goal_info"]["goal_id"]["uuid"])) {
            let Some(goal) = goals.get_mut(&uuid) else { continue };
            goal.has_ended = true;
            if let Some((frame, _)) = goal.result.take() {
                goal.client.link.reply(frame);
                goals.remove(&uuid);
            }
        }
    }

    /// Forgets the goals of a client. They continue in the run, as goals of ROS 2 do.
    pub(crate) fn forget(&self, client: &Arc<Client>) {
        lock(&self.0).retain(|_, goal| !Arc::ptr_eq(&goal.client, client));
    }

    /// Sends feedback of the run to the client that has the goal.
    pub(crate) fn pass_feedback(&self, hub: &Hub, topic: &Outgoing, payload: &[u8]) {
        if !self.concerns(|goal| goal.feedback == topic.name) {
            return;
        }
        let Some(message) = read(&topic.encoder, payload, hub.generation) else { return };
        let Some(uuid) = uuid_of(&message["goal_id"]["uuid"]) else { return };
        let goal = lock(&self.0).get(&uuid).filter(|goal| goal.has_feedback).cloned();
        if let Some(goal) = goal {
            let values = message["feedback"].to_string();
            goal.client.link.data(goal.frame("action_feedback", &[("values", &values)]));
        }
    }
}

impl Goal {
    pub(super) fn new(client: &Arc<Client>, id: Option<String>, action: String, has_feedback: bool) -> Self {
        Goal {
            client: Arc::clone(client),
            id,
            action,
            has_feedback,
            feedback: String::new(),
            status: String::new(),
            has_ended: false,
            result: None,
        }
    }

    /// Returns the goal with the topics of its action.
    pub(super) fn of(&self, action: &ActionDescription) -> Self {
        Goal { feedback: action.feedback.clone(), status: action.status.clone(), ..self.clone() }
    }

    /// Returns a frame about this goal.
    fn frame(&self, op: &str, members: &[(&str, &str)]) -> Frame {
        let (op, action) = (quoted(op), quoted(&self.action));
        let id = self.id.as_deref().map(quoted);
        let mut all = vec![("op", op.as_str())];
        all.extend(id.as_deref().map(|id| ("id", id)));
        all.push(("action", &action));
        all.extend(members);
        Frame::text(object(&all))
    }

    /// Sends the result of a goal that has none.
    pub(super) fn fail(&self, fault: &Fault) {
        let text = quoted(&fault.to_string());
        let members = [("values", text.as_str()), ("status", "0"), ("result", "false")];
        self.client.link.reply(self.frame("action_result", &members));
    }
}

/// Returns a message as JSON.
pub(super) fn read(encoder: &Encoder, payload: &[u8], generation: Generation) -> Option<Value> {
    let mut json = Vec::new();
    encoder.json(payload, Form { generation, sequence: 0 }, &mut json).ok()?;
    serde_json::from_slice(&json).ok()
}

fn uuid_of(value: &Value) -> Option<Uuid> {
    STANDARD.decode(value.as_str()?).ok()?.try_into().ok()
}

/// Returns an identifier that no other goal has.
fn new_uuid() -> Uuid {
    // Each state has its own random keys.
    let half = || RandomState::new().hash_one(std::thread::current().id()).to_le_bytes();
    let mut uuid = [0; 16];
    uuid[..8].copy_from_slice(&half());
    uuid[8..].copy_from_slice(&half());
    uuid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_differ() {
        let all: std::collections::BTreeSet<Uuid> = (0..1000).map(|_| new_uuid()).collect();
        assert_eq!(all.len(), 1000);
        let uuid = new_uuid();
        assert_eq!(uuid_of(&Value::from(STANDARD.encode(uuid))), Some(uuid));
        assert_eq!(uuid_of(&Value::from("AQI=")), None);
    }
}
