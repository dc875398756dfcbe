//! The goals that this server received: their progress and results.
//!
//! The control plane drops a result soon after the end; the last results are kept here for later requests.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bridgehead_plugin_api::messages::action_msgs::GoalStatus;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::control::{ControlHandle, Event};

/// Number of goals that are kept.
const MEMORY: usize = 256;

/// The id of a goal.
pub(super) type GoalId = [u8; 16];

/// The progress of a goal.
#[derive(Debug)]
struct Progress {
    status: i32,
    completed: u64,
    remaining: u64,
}

/// One goal.
struct Goal {
    id: GoalId,
    progress: Progress,
    /// The result as JSON, once it has ended.
    ended: watch::Sender<Option<Value>>,
}

/// The goals.
#[derive(Default)]
pub(super) struct Goals {
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    goals: VecDeque<Goal>,
    is_listening: bool,
}

impl Goals {
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Subscribes to the progress of all goals.
    pub(super) fn listen(self: &Arc<Self>, control: &ControlHandle) {
        if std::mem::replace(&mut self.inner().is_listening, true) {
            return;
        }
        let goals = Arc::downgrade(self);
        control.listen(Box::new(move |event| goals.upgrade().inspect(|goals| goals.hear(event)).is_some()));
    }

    /// Adds a goal that is being sent, and drops the oldest.
    pub(super) fn add(&self, id: GoalId, steps: u64) {
        let progress = Progress { status: GoalStatus::STATUS_ACCEPTED, completed: 0, remaining: steps };
        let mut inner = self.inner();
        inner.goals.push_back(Goal { id, progress, ended: watch::Sender::new(None) });
        while inner.goals.len() > MEMORY {
            inner.goals.pop_front();
        }
    }

    /// Removes a goal that was not accepted.
    pub(super) fn forget(&self, id: &GoalId) {
        self.inner().goals.retain(|goal| goal.id != *id);
    }

    /// Stores the result of a goal.
    pub(super) fn end(&self, id: &GoalId, status: i32, result: Value) {
        if let Some(goal) = self.inner().goals.iter_mut().find(|goal| goal.id == *id) {
            goal.progress.status = status;
            goal.ended.send_replace(Some(result));
        }
    }

    /// Returns the channel of a goal's result.
    pub(super) fn result_of(&self, id: &GoalId) -> Option<watch::Receiver<Option<Value>>> {
        self.inner().goals.iter().find(|goal| goal.id == *id).map(|goal| goal.ended.subscribe())
    }

    /// Returns the description of a goal for a client, with its result if it has ended.
    pub(super) fn description(&self, id: &GoalId) -> Option<Value> {
        let inner = self.inner();
        inner.goals.iter().find(|goal| goal.id == *id).map(Goal::description)
    }

    fn hear(&self, event: &Event) {
        let (id, change): (&GoalId, &dyn Fn(&mut Progress)) = match event {
            Event::State { .. } => return,
            // `end` follows with the result: a client that sees the end finds it.
            Event::Goal { status, .. } if is_end(*status) => return,
            Event::Feedback { goal, completed_steps, remaining_steps, .. } => (goal, &|progress| {
                (progress.completed, progress.remaining) = (*completed_steps, *remaining_steps);
            }),
            Event::Goal { goal, status, .. } => (goal, &|progress| progress.status = *status),
        };
        if let Some(goal) = self.inner().goals.iter_mut().find(|goal| goal.id == *id && !goal.has_ended()) {
            change(&mut goal.progress);
        }
    }
}

impl Goal {
    fn has_ended(&self) -> bool {
        self.ended.borrow().is_some()
    }

    fn description(&self) -> Value {
        let Progress { status, completed, remaining } = self.progress;
        let mut description = json!({
            "goal_id": text_of(&self.id),
            "status": name_of(status),
            "status_code": status,
            "completed_steps": completed,
            "remaining_steps": remaining,
        });
        if let (Some(result), Some(members)) = (&*self.ended.borrow(), description.as_object_mut()) {
            members.insert("result".to_owned(), result.clone());
        }
        description
    }
}

/// Returns whether a goal with this status has ended.
fn is_end(status: i32) -> bool {
    matches!(status, GoalStatus::STATUS_SUCCEEDED | GoalStatus::STATUS_CANCELED | GoalStatus::STATUS_ABORTED)
}

/// Returns the name of a status of `action_msgs/msg/GoalStatus`.
pub(super) fn name_of(status: i32) -> &'static str {
    match status {
        GoalStatus::STATUS_ACCEPTED => "accepted",
        GoalStatus::STATUS_EXECUTING => "executing",
        GoalStatus::STATUS_CANCELING => "canceling",
        GoalStatus::STATUS_SUCCEEDED => "succeeded",
        GoalStatus::STATUS_CANCELED => "canceled",
        GoalStatus::STATUS_ABORTED => "aborted",
        _ => "unknown",
    }
}

/// Returns an id in the usual form.
pub(super) fn text_of(id: &GoalId) -> String {
    let mut text = String::with_capacity(36);
    for (index, byte) in id.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

/// Reads an id in the usual form.
pub(super) fn id_of(text: &str) -> Option<GoalId> {
    let digits: Vec<u8> = text.bytes().filter(|byte| *byte != b'-').collect();
    let mut id = GoalId::default();
    if digits.len() != 2 * id.len() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    for (byte, pair) in id.iter_mut().zip(digits.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
    }
    Some(id)
}

/// Returns a new random id, a UUID of version 4.
pub(super) fn new_id() -> GoalId {
    use std::hash::{BuildHasher as _, RandomState};
    // The keys of a hasher are random; two of them are all that is needed.
    let [a, b] = [RandomState::new().hash_one(0_u8), RandomState::new().hash_one(1_u8)];
    let mut id = (u128::from(a) << 64 | u128::from(b)).to_be_bytes();
    if let Some(byte) = id.get_mut(6) {
        *byte = *byte & 0x0f | 0x40;
    }
    if let Some(byte) = id.get_mut(8) {
        *byte = *byte & 0x3f | 0x80;
    }
    id
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_and_read_back() {
        let id = new_id();
        let text = text_of(&id);
        assert_eq!((text.len(), &text[14..15]), (36, "4"), "{text}");
        assert_eq!(id_of(&text), Some(id));
        assert_ne!(new_id(), id);
        for wrong in
            ["", "12", &text[1..], &format!("{text}0"), &text.replace('-', "x"), "ä".repeat(16).as_str()]
        {
            assert_eq!(id_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn goals_are_followed_and_the_oldest_forgotten() {
        let (goals, first) = (Goals::default(), new_id());
        goals.add(first, 10);
        let feedback =
            Event::Feedback { goal: first, completed_steps: 3, remaining_steps: 7, reset_epoch: 0 };
        goals.hear(&feedback);
        goals.hear(&Event::Goal { goal: first, status: GoalStatus::STATUS_EXECUTING, reset_epoch: 0 });
        let found = |goals: &Goals| {
            let description = goals.description(&first).expect("known");
            ["status", "completed_steps", "result"].map(|name| description[name].clone())
        };
        assert_eq!(found(&goals), [json!("executing"), json!(3), Value::Null]);
        goals.hear(&Event::Goal { goal: first, status: GoalStatus::STATUS_SUCCEEDED, reset_epoch: 0 });
        assert_eq!(found(&goals)[0], json!("executing"), "its result is not known yet");
        let (ended, result) = (goals.result_of(&first).expect("known"), json!({"result": 1}));
        goals.end(&first, GoalStatus::STATUS_SUCCEEDED, result.clone());
        assert_eq!(*ended.borrow(), Some(result.clone()));
        goals.hear(&Event::Goal { goal: first, status: GoalStatus::STATUS_EXECUTING, reset_epoch: 0 });
        assert_eq!(found(&goals), [json!("succeeded"), json!(3), result], "a late event changes nothing");
        (0..MEMORY).for_each(|_| goals.add(new_id(), 1));
        assert!(goals.description(&first).is_none());
    }
}
