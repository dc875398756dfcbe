//! A host with the bridge in its own DDS domain.

use serde_json::json;

use super::Domain;
use crate::support::{Finished, Served, Setup, eventually, root};

pub(super) struct Stage {
    // Declared before the domain, so that the host ends before another test can take the domain.
    pub(super) host: Served,
    pub(super) domain: Domain,
}

impl Stage {
    /// Starts the world W1, paused, with a bridge with these options.
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

    /// Waits until the world is loaded and paused.
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
