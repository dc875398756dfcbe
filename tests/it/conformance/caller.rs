//! Who asks: each case is one test over HTTP and one over DDS.

use std::collections::BTreeSet;
use std::ops::Deref;

use serde_json::{Value, json};

use super::{PAUSED, PLAYING, STOPPED, fixture, setup};
use crate::ros2::{Domain, Messages, Peer};
use crate::support::{Client, Finished, OK, Served, Setup, eventually, state_of, with_result};
use dds::Dds;
use http::Socket;

mod dds;
mod http;

/// What requests and responses travel over.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Transport {
    Http,
    Dds,
}

impl Transport {
    /// DDS, where the peer for it is there.
    #[track_caller]
    pub(crate) fn dds() -> Option<Self> {
        Peer::is_available().then_some(Transport::Dds)
    }

    /// Starts what was prepared, and waits until it can be asked.
    #[track_caller]
    pub(crate) fn start(self, setup: Setup) -> Host {
        match self {
            Transport::Http => {
                let served = Served::start(setup);
                let caller = Caller::Http(served.another());
                Host { served, caller }
            }
            Transport::Dds => {
                let domain = Domain::free();
                let bridge = format!("*=ros2:domain={};interface=lo", domain.number());
                // The peer takes a while to start, and so does the host.
                let caller = Caller::Dds(Dds::in_domain(domain.into()));
                Host { served: Served::start(setup.plugins(&["ros2"]).bridge(bridge)), caller }
            }
        }
    }

    /// The world W1, in a state that `--start` takes.
    #[track_caller]
    pub(crate) fn host(self, start: &str) -> Host {
        self.start(setup().run(fixture("W1.sdf").as_ref()).args(["--start", start])).awaited(start)
    }

    /// A host that has no world yet.
    #[track_caller]
    pub(crate) fn without_world(self) -> Host {
        self.start(setup().without_world())
    }
}

/// A host, and who asks it. Ended when it goes out of scope.
pub(crate) struct Host {
    // Before the caller, whose domain must not be another's as long as the host is in it.
    served: Served,
    caller: Caller,
}

impl Host {
    /// Waits until the host is in a state that `--start` takes: it can be asked while the world is still loading.
    #[track_caller]
    pub(crate) fn awaited(self, start: &str) -> Self {
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

/// A client of a host. Goals are known by what the transport names them with.
pub(crate) enum Caller {
    Http(Client),
    Dds(Dds),
}

impl Caller {
    /// A client with a connection of its own.
    #[track_caller]
    pub(crate) fn another(&self) -> Caller {
        match self {
            Caller::Http(client) => Caller::Http(client.another()),
            Caller::Dds(dds) => Caller::Dds(dds.another()),
        }
    }

    /// The peer that asks over DDS.
    #[track_caller]
    pub(crate) fn peer(&self) -> &Peer {
        match self {
            Caller::Dds(dds) => dds.peer(),
            Caller::Http(_) => panic!("there is no peer without DDS"),
        }
    }

    /// The response of a service, whatever its result.
    #[track_caller]
    pub(crate) fn call(&self, service: &str, request: Value) -> Value {
        match self {
            Caller::Http(client) => client.call(service, request),
            Caller::Dds(dds) => dds.call(service, &request),
        }
    }

    /// The response of a service; fails unless its result is this one, and unless all but OK say why.
    #[track_caller]
    pub(crate) fn expect(&self, code: u64, service: &str, request: Value) -> Value {
        with_result(code, service, &request, self.call(service, request.clone()))
    }

    /// The response of a service; fails unless its result is OK.
    #[track_caller]
    pub(crate) fn ok(&self, service: &str, request: Value) -> Value {
        self.expect(OK, service, request)
    }

    /// Number of the state as `get_simulation_state` has it.
    #[track_caller]
    pub(crate) fn state(&self) -> u64 {
        state_of(&self.ok("get_simulation_state", json!({})))
    }

    /// Names of the services and actions of the standard that are offered, once there are this many.
    #[track_caller]
    pub(crate) fn offered(&self, count: usize) -> BTreeSet<String> {
        match self {
            Caller::Http(client) => http::offered(client),
            Caller::Dds(dds) => dds.offered(count),
        }
    }

    /// Fails if there is a service or an action of this name. To be asked when those that are there are known.
    #[track_caller]
    pub(crate) fn assert_gone(&self, name: &str) {
        match self {
            Caller::Http(client) => http::assert_gone(client, name),
            Caller::Dds(dds) => dds.assert_gone(name),
        }
    }

    /// Names of topics of the run.
    #[track_caller]
    pub(crate) fn topics(&self) -> Vec<String> {
        match self {
            Caller::Http(client) => http::topics(client),
            Caller::Dds(dds) => dds.topics(),
        }
    }

    /// Sends a goal to `simulate_steps`, and gives its name, or nothing where it is refused.
    #[track_caller]
    pub(crate) fn send_goal(&self, goal: Value) -> Option<Value> {
        match self {
            Caller::Http(client) => http::send_goal(client, &goal),
            Caller::Dds(dds) => dds.send_goal(&goal),
        }
    }

    /// `status_code` and `result` of a goal, once it has ended.
    #[track_caller]
    pub(crate) fn ended(&self, goal: &Value) -> Value {
        match self {
            Caller::Http(client) => http::ended(client, goal),
            Caller::Dds(dds) => dds.ended(goal),
        }
    }

    /// Cancels a goal; fails where that is refused.
    #[track_caller]
    pub(crate) fn cancel(&self, goal: &Value) {
        match self {
            Caller::Http(client) => http::cancel(client, goal),
            Caller::Dds(dds) => dds.cancel(goal),
        }
    }

    /// Listens to the feedback of all goals from now on.
    #[track_caller]
    pub(crate) fn feedback(&self) -> Feedback {
        match self {
            Caller::Http(client) => Feedback::Http(Box::new(client.subscribe("feedback"))),
            Caller::Dds(dds) => Feedback::Dds(dds.feedback()),
        }
    }
}

/// What is heard of goals that run.
pub(crate) enum Feedback {
    Http(Box<Socket>),
    Dds(Messages),
}

impl Feedback {
    /// Goal, completed and remaining steps of the next message.
    #[track_caller]
    pub(crate) fn next(&mut self) -> (Value, u64, u64) {
        let (goal, steps) = match self {
            Feedback::Http(socket) => http::told(socket),
            Feedback::Dds(heard) => dds::told(heard),
        };
        let number = |name: &str| steps[name].as_u64().unwrap_or_else(|| panic!("no `{name}` in {steps}"));
        (goal, number("completed_steps"), number("remaining_steps"))
    }
}
