//! Services and actions of clients, for other clients of the same server.
//!
//! The host does not call services of bridges, so the run cannot use them. What is called is passed on as it is, since
//! the types may be unknown here.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use crate::client::Client;
use crate::codes::{CONFLICT, LIMIT, MALFORMED, UNANSWERED, UNKNOWN, UNSUPPORTED};
use crate::encode::json::quoted;
use crate::fault::{Fault, Level};
use crate::hub::Hub;
use crate::lock::lock;
use crate::names::absolute;
use crate::request::{AnyJson, Request};
use crate::service::{Call, Values, admit, respond};

mod goals;

/// Most services and actions that one client may offer.
const MAX_OFFERED: usize = 1000;

/// Most calls of one client that were passed on and not answered.
const MAX_UNANSWERED: usize = 256;

/// A client that offers a service or an action.
#[derive(Clone)]
struct Provider {
    client: Arc<Client>,
    kind: String,
}

/// A call that was passed on.
struct PassedCall {
    caller: Arc<Client>,
    provider: u64,
}

/// Services and actions of clients.
#[derive(Default)]
pub(crate) struct Relay {
    services: Mutex<BTreeMap<String, Provider>>,
    actions: Mutex<BTreeMap<String, Provider>>,
    calls: Mutex<BTreeMap<u64, PassedCall>>,
    goals: goals::PassedGoals,
}

/// The prefix of identifiers that this bridge gives to what it passes on.
const PREFIX: &str = "bridgehead:";

fn identifier(number: u64) -> String {
    format!("{PREFIX}{number}")
}

fn number_of(id: Option<&str>) -> Option<u64> {
    id?.strip_prefix(PREFIX)?.parse().ok()
}

/// Adds an offer of a client.
fn offer(
    table: &Mutex<BTreeMap<String, Provider>>,
    name: String,
    client: &Arc<Client>,
    kind: String,
) -> Result<(), Fault> {
    let mut table = lock(table);
    if table.get(&name).is_some_and(|other| !Arc::ptr_eq(&other.client, client)) {
        return Err(Fault::new(CONFLICT, format!("another client offers `{name}`")));
    }
    if table.values().filter(|other| Arc::ptr_eq(&other.client, client)).count() >= MAX_OFFERED {
        return Err(Fault::new(
            LIMIT,
            format!("this client offers {MAX_OFFERED} services or actions already"),
        ));
    }
    table.insert(name, Provider { client: Arc::clone(client), kind });
    Ok(())
}

/// Removes an offer of a client.
fn withdraw(
    table: &Mutex<BTreeMap<String, Provider>>,
    name: &str,
    client: &Arc<Client>,
) -> Result<(), Fault> {
    let mut table = lock(table);
    match table.get(name) {
        Some(provider) if Arc::ptr_eq(&provider.client, client) => {
            table.remove(name);
            Ok(())
        }
        _ => Err(Fault::new(UNKNOWN, format!("this client does not offer `{name}`"))),
    }
}

impl Relay {
    /// Returns the services of clients with their types.
    pub(crate) fn services(&self) -> Vec<(String, String)> {
        lock(&self.services).iter().map(|(name, provider)| (name.clone(), provider.kind.clone())).collect()
    }

    /// Returns the names of the actions of clients.
    pub(crate) fn actions(&self) -> Vec<String> {
        lock(&self.actions).keys().cloned().collect()
    }

    /// Returns true if no call and no goal waits.
    #[cfg(any(test, fuzzing))]
    pub(crate) fn is_unused(&self) -> bool {
        lock(&self.calls).is_empty() && self.goals.is_empty()
    }

    /// Offers a service of a client to other clients.
    pub(crate) fn advertise_service(
        &self,
        hub: &Hub,
        client: &Arc<Client>,
        request: &Request,
    ) -> Result<(), Fault> {
        let (name, kind) = (absolute(&request.required("service")?), request.required("type")?);
        if hub.service(&name).is_some() || name.starts_with("/rosapi/") {
            return Err(Fault::new(CONFLICT, format!("the run offers the service `{name}` itself")));
        }
        offer(&self.services, name, client, kind)?;
        let text = format!(
            "[{UNSUPPORTED}] other clients can call this service; the run cannot, because a bridge cannot offer services \
             to it"
        );
        client.status(Level::Warning, request.id().as_deref(), &text);
        Ok(())
    }

    pub(crate) fn unadvertise_service(&self, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
        withdraw(&self.services, &absolute(&request.required("service")?), client)
    }

    /// Passes a call on; `None` if no client offers the service.
    pub(crate) fn call(
        &self,
        caller: &Arc<Client>,
        name: &str,
        arguments: Option<&str>,
        call: &Call,
    ) -> Option<Result<(), Fault>> {
        let provider = lock(&self.services).get(name).cloned()?;
        let arguments = arguments.unwrap_or("{}");
        if let Err(error) = serde_json::from_str::<AnyJson>(arguments) {
            return Some(Err(Fault::new(MALFORMED, format!("`args` is not JSON: {error}"))));
        }
        if self.unanswered(caller) >= MAX_UNANSWERED {
            let text = format!("{MAX_UNANSWERED} calls of services of other clients have no response yet");
            return Some(Err(Fault::new(LIMIT, text)));
        }
        let number = match admit(caller, call) {
            Ok(number) => number,
            Err(fault) => return Some(Err(fault)),
        };
        let passed = PassedCall { caller: Arc::clone(caller), provider: provider.client.link.id() };
        let (id, service) = (quoted(&identifier(number)), quoted(name));
        let members = [
            ("op", "\"call_service\""),
            ("id", id.as_str()),
            ("service", service.as_str()),
            ("args", arguments),
        ];
        lock(&self.calls).insert(number, passed);
        Some(provider.client.pass_on(&members).inspect_err(|_| {
            lock(&self.calls).remove(&number);
            lock(&caller.calls).remove(&number);
        }))
    }

    /// Returns the number of calls of a client that were not answered, also of those whose time-out has passed.
    fn unanswered(&self, caller: &Arc<Client>) -> usize {
        lock(&self.calls).values().filter(|passed| Arc::ptr_eq(&passed.caller, caller)).count()
    }

    /// Passes a response back.
    pub(crate) fn service_response(&self, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
        let id = request.id();
        let unknown = || Fault::new(UNKNOWN, "the response belongs to no call of this client's services");
        let number = number_of(id.as_deref()).ok_or_else(unknown)?;
        let mut calls = lock(&self.calls);
        if calls.get(&number).is_none_or(|passed| passed.provider != client.link.id()) {
            return Err(unknown());
        }
        let Some(passed) = calls.remove(&number) else { return Err(unknown()) };
        drop(calls);
        // Without it, the call has expired.
        let Some(call) = lock(&passed.caller.calls).remove(&number) else { return Ok(()) };
        let answered = request.checked("values", "{}");
        let is_success = request.flag("result").map(|result| result.unwrap_or(true));
        let text = request.text("values").ok().flatten();
        match (&answered, is_success) {
            (Ok(values), Ok(true)) => respond(&passed.caller, &call, &Values::Json(values)),
            (Ok(values), _) => {
                respond(&passed.caller, &call, &Values::Failure(text.as_deref().unwrap_or(values)))
            }
            (Err(fault), _) => respond(&passed.caller, &call, &Values::Failure(&fault.to_string())),
        }
        answered.map(drop)
    }

    /// Forgets a client: fails what waits for it.
    pub(crate) fn forget(&self, client: &Arc<Client>) {
        lock(&self.services).retain(|_, provider| !Arc::ptr_eq(&provider.client, client));
        lock(&self.actions).retain(|_, provider| !Arc::ptr_eq(&provider.client, client));
        let gone = client.link.id();
        let is_lost = |call: &PassedCall| call.provider == gone || call.caller.link.id() == gone;
        let lost: Vec<(u64, PassedCall)> =
            lock(&self.calls).extract_if(.., |_, call| is_lost(call)).collect();
        for (number, passed) in lost {
            let call = lock(&passed.caller.calls).remove(&number);
            if let Some(call) = call {
                let fault = Fault::new(UNANSWERED, "the client that offers the service has disconnected");
                respond(&passed.caller, &call, &Values::Failure(&fault.to_string()));
            }
        }
        self.goals.forget(gone);
    }

    /// Offers an action of a client to other clients.
    pub(crate) fn advertise_action(
        &self,
        hub: &Hub,
        client: &Arc<Client>,
        request: &Request,
    ) -> Result<(), Fault> {
        let (name, kind) = (absolute(&request.required("action")?), request.required("type")?);
        if hub.action(&name).is_some() {
            return Err(Fault::new(CONFLICT, format!("the run offers the action `{name}` itself")));
        }
        offer(&self.actions, name, client, kind)?;
        let text = format!(
            "[{UNSUPPORTED}] other clients can use this action; the run cannot, because a bridge cannot offer actions to it"
        );
        client.status(Level::Warning, request.id().as_deref(), &text);
        Ok(())
    }

    pub(crate) fn unadvertise_action(&self, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
        withdraw(&self.actions, &absolute(&request.required("action")?), client)
    }

    /// Passes a goal on; `None` if no client offers the action.
    pub(crate) fn send_goal(
        &self,
        caller: &Arc<Client>,
        name: &str,
        request: &Request,
    ) -> Option<Result<(), Fault>> {
        let provider = lock(&self.actions).get(name).cloned()?;
        Some(self.goals.send(caller, &provider.client, &provider.kind, name, request))
    }

    /// Passes the cancellation of a goal on; returns false if there is no such goal.
    pub(crate) fn cancel_goal(&self, caller: &Arc<Client>, name: &str, id: Option<&str>) -> bool {
        self.goals.cancel(caller, name, id)
    }

    /// Passes feedback back.
    pub(crate) fn action_feedback(&self, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
        self.goals.feedback(client, request)
    }

    /// Passes a result back.
    pub(crate) fn action_result(&self, client: &Arc<Client>, request: &Request) -> Result<(), Fault> {
        self.goals.result(client, request)
    }
}
