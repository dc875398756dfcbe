//! A host with the bridge, in a domain of its own.

use serde_json::json;

use super::Domain;
use crate::support::{Finished, Served, Setup, eventually, root};

pub(super) struct Stage {
    // Before the domain, which must not be another's as long as the host is in it.
    pub(super) host: Served,
    pub(super) domain: Domain,
}

impl Stage {
    /// The world W1, paused, over a bridge with these options.
    #[track_caller]
    pub(super) fn with(options: &str) -> Self {
        Stage::start(w1(), options)
    }

    #[track_caller]
    pub(super) fn start(setup: Setup, options: &str) -> Self {
        let domain = Domain::free();
        let bridge = format!("*=ros2:domain={};interface=lo;{options}", domain.number());
        let host = Served::start(setup.plugins(&["ros2"]).bridge(bridge));
        Stage { host, domain }
    }

    /// Waits until the world is there.
    #[track_caller]
    pub(super) fn paused(self) -> Self {
        eventually("it is paused", || self.host.state() == 2);
        self
    }

    /// Ends the host.
    #[track_caller]
    pub(super) fn finish(self) -> Finished {
        self.host.ok("set_simulation_state", json!({"state": {"state": 3}}));
        self.host.finish()
    }
}

fn w1() -> Setup {
    let worlds = root().join("tests/fixtures/worlds");
    let setup = Setup::new().in_real_time().env("BRIDGEHEAD_RESOURCE_PATH", worlds.join("models"));
    setup.run(&worlds.join("W1.sdf")).args(["--start", "paused"])
}
