//! Goals that clients send to actions of other clients.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use bridgehead_websocket::Frame;

use super::{identifier, number_of};
use crate::client::Client;
use crate::codes::{LIMIT, UNANSWERED, UNKNOWN};
use crate::encode::encoder::object;
use crate::encode::json::quoted;
use crate::fault::Fault;
use crate::lock::lock;
use crate::request::Request;

/// Most goals of one client without a result.
const MAX_GOALS: usize = 256;

/// Numbers goals of the process.
static NEXT_GOAL: AtomicU64 = AtomicU64::new(1);

/// A goal that was passed on.
struct PassedGoal {
    caller: Arc<Client>,
    provider: Arc<Client>,
    id: Option<String>,
    action: String,
}

impl PassedGoal {
    /// Sends the caller a message about its goal.
    fn tell(&self, op: &str, members: &[(&str, &str)], is_reply: bool) {
        let (op, action, id) = (quoted(op), quoted(&self.action), self.id.as_deref().map(quoted));
        let mut all = vec![("op", op.as_str())];
        all.extend(id.as_deref().map(|id| ("id", id)));
        all.push(("action", &action));
        all.extend(members);
        let frame = Frame::text(object(&all));
        if is_reply {
            self.caller.link.reply(frame);
        } else {
            self.caller.link.data(frame);
        }
    }
}

/// The goals without a result.
#[derive(Default)]
pub(super) struct PassedGoals(Mutex<BTreeMap<u64, PassedGoal>>);

impl PassedGoals {
    pub(super) fn send(
        &self,
        caller: &Arc<Client>,
        provider: &Arc<Client>,
        kind: &str,
        name: &str,
        request: &Request,
    ) -> Result<(), Fault> {
        let mut goals = lock(&self.0);
        if goals.values().filter(|goal| Arc::ptr_eq(&goal.caller, caller)).count() >= MAX_GOALS {
            return Err(Fault::new(LIMIT, format!("{MAX_GOALS} goals of this client have no result yet")));
        }
        let number = NEXT_GOAL.fetch_add(1, Ordering::Relaxed);
        let (action, arguments) = (request.required("action")?, request.checked("args", "{}")?);
        let has_feedback = request.flag("feedback")?.unwrap_or(false).to_string();
        let (caller, passed_to) = (Arc::clone(caller), Arc::clone(provider));
        let (id, name, kind) = (quoted(&identifier(number)), quoted(name), quoted(kind));
        let members = [
            ("op", "\"send_action_goal\""),
            ("id", id.as_str()),
            ("action", name.as_str()),
            ("action_type", kind.as_str()),
            ("args", arguments),
            ("feedback", has_feedback.as_str()),
        ];
        provider.pass_on(&members)?;
        goals.insert(number, PassedGoal { caller, provider: passed_to, id: request.id(), action });
        Ok(())
    }

    #[cfg(any(test, fuzzing))]
    pub(super) fn is_empty(&self) -> bool {
        lock(&self.0).is_empty()
    }

    /// Passes a cancellation on; returns false if there is no such goal, or its provider reads too slowly.
    pub(super) fn cancel(&self, caller: &Arc<Client>, name: &str, id: Option<&str>) -> bool {
        let goals = lock(&self.0);
        let is_it = |goal: &PassedGoal| {
            Arc::ptr_eq(&goal.caller, caller)
                && crate::names::absolute(&goal.action) == name
                && goal.id.as_deref() == id
        };
        let Some((number, goal)) = goals.iter().find(|(_, goal)| is_it(goal)) else { return false };
        let (id, name) = (quoted(&identifier(*number)), quoted(name));
        let members = [("op", "\"cancel_action_goal\""), ("id", id.as_str()), ("action", name.as_str())];
        goal.provider.pass_on(&members).is_ok()
    }

    pub(super) fn feedback(&self, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
        let goals = lock(&self.0);
        let goal = number_of(request.id().as_deref()).and_then(|number| goals.get(&number));
        let goal = goal.filter(|goal| Arc::ptr_eq(&goal.provider, client)).ok_or_else(unknown)?;
        goal.tell("action_feedback", &[("values", request.checked("values", "{}")?)], false);
        Ok(())
    }

    pub(super) fn result(&self, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
        let number = number_of(request.id().as_deref()).ok_or_else(unknown)?;
        let mut goals = lock(&self.0);
        if goals.get(&number).is_none_or(|goal| !Arc::ptr_eq(&goal.provider, client)) {
            return Err(unknown());
        }
        let Some(goal) = goals.remove(&number) else { return Err(unknown()) };
        drop(goals);
        let values = request.checked("values", "{}").unwrap_or("null");
        let status = request.number("status").ok().flatten().unwrap_or(0).to_string();
        let result = request.flag("result").ok().flatten().unwrap_or(true).to_string();
        goal.tell("action_result", &[("values", values), ("status", &status), ("result", &result)], true);
        Ok(())
    }

    /// Forgets a client: fails the goals that wait for it.
    pub(super) fn forget(&self, gone: u64) {
        let is_lost = |goal: &PassedGoal| goal.provider.link.id() == gone || goal.caller.link.id() == gone;
        let lost: Vec<(u64, PassedGoal)> = lock(&self.0).extract_if(.., |_, goal| is_lost(goal)).collect();
        for (_, goal) in lost {
            let fault = Fault::new(UNANSWERED, "the client that offers the action has disconnected");
            let text = quoted(&fault.to_string());
            goal.tell("action_result", &[("values", &text), ("status", "0"), ("result", "false")], true);
        }
    }
}

fn unknown() -> Fault {
    Fault::new(UNKNOWN, "the message belongs to no goal of this client's actions")
}
