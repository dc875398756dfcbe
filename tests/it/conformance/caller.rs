//! The client of a case: each case is one test over HTTP, one over DDS and one with the typed client in Python.

use std::collections::BTreeSet;
use std::ops::Deref;

use serde_json::{Value, json};

use super::{PAUSED, PLAYING, STOPPED, fixture, setup};
use crate::python::client_python;
use crate::ros2::{Domain, Messages, Peer};
use crate::support::{Client, Finished, OK, Served, Setup, eventually, state_of, with_result};
use dds::Dds;
use http::Socket;
use typed::{Typed, TypedFeedback};

mod dds;
mod http;
mod typed;

/// The transport of requests and responses.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Transport {
    Http,
    Dds,
    Typed,
}

impl Transport {
    /// Returns DDS if its peer is available.
    #[track_caller]
    pub(crate) fn dds() -> Option<Self> {
        Peer::is_available().then_some(Transport::Dds)
    }

    /// Returns the typed client if its packages are available.
    #[track_caller]
    pub(crate) fn typed() -> Option<Self> {
        client_python().map(|_| Transport::Typed)
    }

    /// Starts a host and waits until it answers requests.
    #[track_caller]
    pub(crate) fn start(self, setup: Setup) -> Host {
        match self {
            Transport::Http => {
                let served = Served::start_loading(setup);
                let caller = Caller::Http(served.another());
                Host { served, caller }
            }
            Transport::Typed => {
                let served = Served::start_loading(setup);
                let caller = Caller::Typed(Typed::of(served.another()));
                Host { served, caller }
            }
            Transport::Dds => {
                let domain = Domain::free();
                let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
                // The peer takes a while to start, and so does the host.
                let caller = Caller::Dds(Dds::in_domain(domain.into()));
                Host { served: Served::start_loading(setup.plugins(&["ros2"]).bridge(bridge)), caller }
            }
        }
    }

    /// Starts a host with the world W1 and with `--start start`.
    #[track_caller]
    pub(crate) fn host(self, start: &str) -> Host {
        self.start(setup().run(fixture("W1.sdf").as_ref()).args(["--start", start])).wait_for_state(start)
    }

    /// Starts a host without a world.
    #[track_caller]
    pub(crate) fn without_world(self) -> Host {
        self.start(setup().without_world())
    }
}

/// A host and a client of it. The host ends at the end of the scope.
pub(crate) struct Host {
    // Dropped before the caller: its domain must not be given to another test as long as the host uses it.
    served: Served,
    caller: Caller,
}

impl Host {
    /// Waits until the host is in the state of `--start`: it answers requests while the world is still loading.
    #[track_caller]
    pub(crate) fn wait_for_state(self, start: &str) -> Self {
        let number = match start {
            "stopped" => STOPPED,
            "playing" => PLAYING,
            _ => PAUSED,
        };
        eventually(start, || self.state() == number);
        self
    }

    /// The id of the process.
    pub(crate) fn id(&self) -> u32 {
        self.served.id()
    }

    /// Waits for the end.
    #[track_caller]
    pub(crate) fn finish(self) -> Finished {
        self.served.finish()
    }
}

impl Deref for Host {
    type Target = Caller;

    fn deref(&self) -> &Caller {
        &self.caller
    }
}

/// A client of a host. Goals have the ids of the transport.
pub(crate) enum Caller {
    Http(Client),
    Dds(Dds),
    Typed(Typed),
}

impl Caller {
    /// Creates a client with its own connection.
    #[track_caller]
    pub(crate) fn another(&self) -> Caller {
        match self {
            Caller::Http(client) => Caller::Http(client.another()),
            Caller::Dds(dds) => Caller::Dds(dds.another()),
            Caller::Typed(typed) => Caller::Typed(typed.another()),
        }
    }

    /// The peer that sends requests over DDS.
    #[track_caller]
    pub(crate) fn peer(&self) -> &Peer {
        match self {
            Caller::Dds(dds) => dds.peer(),
            Caller::Http(_) | Caller::Typed(_) => panic!("there is no peer without DDS"),
        }
    }

    /// Returns the response of a service with any result.
    #[track_caller]
    pub(crate) fn call(&self, service: &str, request: Value) -> Value {
        match self {
            Caller::Http(client) => client.call(service, request),
            Caller::Dds(dds) => dds.call(service, &request),
            Caller::Typed(typed) => typed.call(service, &request),
        }
    }

    /// Returns the response of a service; fails unless it has this result, and a message unless the result is OK.
    #[track_caller]
    pub(crate) fn expect(&self, code: u64, service: &str, request: Value) -> Value {
        with_result(code, service, &request, self.call(service, request.clone()))
    }

    /// Returns the response of a service; fails unless its result is OK.
    #[track_caller]
    pub(crate) fn ok(&self, service: &str, request: Value) -> Value {
        self.expect(OK, service, request)
    }

    /// Returns the number of the state in `get_simulation_state`.
    #[track_caller]
    pub(crate) fn state(&self) -> u64 {
        state_of(&self.ok("get_simulation_state", json!({})))
    }

    /// Waits for this number of services and actions of the standard, and returns their names.
    #[track_caller]
    pub(crate) fn offered(&self, count: usize) -> BTreeSet<String> {
        match self {
            Caller::Http(client) => http::offered(client),
            Caller::Dds(dds) => dds.offered(count),
            Caller::Typed(typed) => http::offered(typed.client()),
        }
    }

    /// Fails if there is a service or an action of this name. To be called after [`Self::offered`], which waits until
    /// the existing ones are known.
    #[track_caller]
    pub(crate) fn assert_not_offered(&self, name: &str) {
        match self {
            Caller::Http(client) => http::assert_not_offered(client, name),
            Caller::Dds(dds) => dds.assert_not_offered(name),
            Caller::Typed(typed) => typed.assert_not_offered(name),
        }
    }

    /// Returns the names of topics of the run.
    #[track_caller]
    pub(crate) fn topics(&self) -> Vec<String> {
        match self {
            Caller::Http(client) => http::topics(client),
            Caller::Dds(dds) => dds.topics(),
            Caller::Typed(typed) => http::names(&typed.call("get_topics", &json!({}))),
        }
    }

    /// Sends a goal to `simulate_steps` and returns its id, or `None` if it is refused.
    #[track_caller]
    pub(crate) fn send_goal(&self, goal: Value) -> Option<Value> {
        match self {
            Caller::Http(client) => http::send_goal(client, &goal),
            Caller::Dds(dds) => dds.send_goal(&goal),
            Caller::Typed(typed) => typed.send_goal(&goal),
        }
    }

    /// Waits for the end of a goal and returns its `status_code` and `result`.
    #[track_caller]
    pub(crate) fn end_of(&self, goal: &Value) -> Value {
        match self {
            Caller::Http(client) => http::end_of(client, goal),
            Caller::Dds(dds) => dds.end_of(goal),
            Caller::Typed(typed) => typed.end_of(goal),
        }
    }

    /// Cancels a goal; fails if the cancellation is refused.
    #[track_caller]
    pub(crate) fn cancel(&self, goal: &Value) {
        match self {
            Caller::Http(client) => http::cancel(client, goal),
            Caller::Dds(dds) => dds.cancel(goal),
            Caller::Typed(typed) => typed.cancel(goal),
        }
    }

    /// Subscribes to the feedback of all goals.
    #[track_caller]
    pub(crate) fn feedback(&self) -> Feedback {
        match self {
            Caller::Http(client) => Feedback::Http(Box::new(client.subscribe("feedback"))),
            Caller::Dds(dds) => Feedback::Dds(dds.feedback()),
            Caller::Typed(typed) => Feedback::Typed(typed.feedback()),
        }
    }
}

/// A subscription to the feedback of goals.
pub(crate) enum Feedback {
    Http(Box<Socket>),
    Dds(Messages),
    Typed(TypedFeedback),
}

impl Feedback {
    /// Returns the goal, and the completed and remaining steps of the next message.
    #[track_caller]
    pub(crate) fn next(&mut self) -> (Value, u64, u64) {
        let (goal, steps) = match self {
            Feedback::Http(socket) => http::next_feedback(socket),
            Feedback::Dds(heard) => dds::next_feedback(heard),
            Feedback::Typed(typed) => typed.next(),
        };
        let number = |name: &str| steps[name].as_u64().unwrap_or_else(|| panic!("no `{name}` in {steps}"));
        (goal, number("completed_steps"), number("remaining_steps"))
    }
}
